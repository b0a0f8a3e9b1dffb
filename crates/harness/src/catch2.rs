//! Catch2, versions 2 and 3: one test case in each process, read from its XML. All benchmarks of the test case run, as none can be
//! selected: each process is a launch of all of them.
//!
//! Traps: names of benchmarks are known only when they run. Most test cases with benchmarks are hidden by the tag `[!benchmark]`, but
//! others may have some too, among tests that take long or crash. A test case that fails does not reach its benchmarks; one that crashes
//! ends the process. The exit code is the number of failed assertions. Commas and brackets are part of its patterns.

use crate::harness::{one_of, About, Harness, List, Listed, Measured};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tare_analysis::Saved;
use tare_model::text::plural;

/// In every program with a `BENCHMARK`: the name of a type of its template.
const SIGN: &str = "Catch9Benchmark6Detail17BenchmarkFunction5modelI";
/// The tag of test cases with benchmarks, which are hidden.
const MARKED: &str = "[!benchmark]";
/// Test cases that a run without arguments starts.
const NOT_HIDDEN: &str = "~[.]";
/// Time limits for test cases without the tag: if some have it, and if none has.
const OTHERS_TIME: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(600)];
/// Samples of a process, and the warm-up of each benchmark, ms.
const MEASURED: [&str; 2] = ["100", "10"];
const LISTED: [&str; 2] = ["1", "1"];
const END: &str = "</Catch";
/// In the XML of a process that crashed, since the library itself completes it.
const CRASHED: &str = "<FatalErrorCondition";
/// Limit for the names of crashed test cases in the command.
const PATTERN_MAX: usize = 4096;

pub(crate) struct Catch2;

impl Harness for Catch2 {
    fn about(&self) -> About<'_> {
        About { name: "catch2", title: "Catch2", language: "c++", signs: &[SIGN] }
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let (mut all, mut pattern) = (Vec::new(), MARKED.to_owned());
        loop {
            let ran = ran(suite, &mut command(suite, &pattern, LISTED)?);
            let text = suite.text(&out(suite));
            let found = benchmarks(&text);
            let culprit = tare_import::catch2_tests(&text).pop().filter(|_| !is_whole(&text));
            if culprit.is_none() || found.is_empty() {
                ran?;
            }
            all.extend(found);
            // Lists the test cases after a crashed one, excluding it.
            let Some((name, _)) = culprit else { break };
            let without = format!(" ~\"{}\"", escaped(&name));
            if pattern.contains(&without) || pattern.len() > PATTERN_MAX {
                break;
            }
            pattern += &without;
        }
        let time = OTHERS_TIME[usize::from(all.is_empty())];
        let mut others = command(suite, NOT_HIDDEN, LISTED)?;
        // From an earlier process.
        let _ = std::fs::remove_file(out(suite));
        let ended = suite.ended(&mut others, time)?;
        let text = suite.text(&out(suite));
        all.extend(benchmarks(&text));
        let is_whole = is_whole(&text);
        if all.is_empty() && !is_whole && !ended.success {
            return Err(Trouble { message: format!("its tests did not end: {}", ended.status), output: ended.text() });
        }
        let note = "its tests without `[!benchmark]` were ";
        let mut notes: Vec<String> = { (!is_whole && !ended.success).then_some(ended.status) }
            .map(|status| {
                format!("{note}{status}: benchmarks in those that come later are not known; give them that tag")
            })
            .into_iter()
            .collect();
        let failed = { tare_import::catch2_tests(&text).into_iter() }.filter(|(_, failed)| failed.is_some());
        let failed: Vec<String> = failed.map(|(name, _)| name).collect();
        notes.extend(failed.first().map(|first| {
            let tests = plural(failed.len() as u64, "test");
            format!("{tests} without `[!benchmark]` failed, such as `{first}`: benchmarks behind that are not known")
        }));
        // The lists may overlap.
        let mut known = HashSet::new();
        all.retain(|one| known.insert(one.key.clone()));
        Ok(List { benchmarks: all, notes })
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let test = of.within.first().ok_or_else(|| Trouble::new("its `TEST_CASE` is not known"))?;
        let mut command = command(suite, &escaped(test), MEASURED)?;
        let text = suite.shared(test, &of.name, || ran(suite, &mut command))?;
        let trouble = |message: String| Trouble { message, output: text.clone() };
        let saved: Saved = tare_import::read("", text.as_bytes())
            .map_err(|error| trouble(format!("its XML cannot be read: {}", error.problem)))?;
        let saved = one_of(saved, &of.name).map_err(trouble)?;
        Ok(Measured { saved, iterations: None })
    }
}

/// The benchmarks of a report, including failed ones. None if the report has only tests.
fn benchmarks(text: &str) -> Vec<Listed> {
    let Ok(saved) = tare_import::read("", text.as_bytes()) else { return Vec::new() };
    let tests = tare_import::catch2_tests(text);
    let is_in =
        |name: &str, key: &str| key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mut all = List::of_results(&saved).benchmarks;
    for one in &mut all {
        let of = tests.iter().map(|(name, _)| name).filter(|name| **name == one.group || is_in(name, &one.key));
        one.within = of.max_by_key(|name| name.len()).into_iter().cloned().collect();
    }
    all
}

fn out(suite: &Suite) -> PathBuf {
    suite.place("out.xml")
}

fn is_whole(report: &str) -> bool {
    report.contains(END) && !report.contains(CRASHED)
}

/// The XML of a process. Failed assertions elsewhere do not fail the benchmark.
fn ran(suite: &Suite, command: &mut Command) -> Result<String, Trouble> {
    let _ = std::fs::remove_file(out(suite));
    let ended = suite.run(command);
    let text = suite.text(&out(suite));
    match ended {
        Err(trouble) if !text.contains(END) => Err(trouble),
        _ => Ok(text),
    }
}

fn command(suite: &Suite, pattern: &str, [samples, warm_up_ms]: [&str; 2]) -> Result<Command, Trouble> {
    let mut command = suite.command()?;
    command.arg(pattern).args(["-r", "xml", "-o"]).arg(out(suite));
    command.args(["--benchmark-no-analysis", "--benchmark-samples", samples, "--benchmark-warmup-time", warm_up_ms]);
    Ok(command)
}

/// Escapes a name as a pattern that matches only it.
fn escaped(name: &str) -> String {
    name.chars().flat_map(|c| "\\,[]\"~".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_pattern_of_itself() {
        assert_eq!(escaped("a, \"b\" [c]\\"), "a\\, \\\"b\\\" \\[c\\]\\\\");
    }
}
