//! Catch2, versions 2 and 3: one test case in each process, its XML. All benchmarks of the test case run: none can be chosen.
//!
//! Traps: names of benchmarks are known only when they run; most are hidden behind the tag `[!benchmark]`, and tests without it are not
//! benchmarks; the exit code is the number of failed assertions; commas and brackets are part of its patterns.

use crate::harness::{one_of, Harness, Listed, Measured};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::process::Command;
use tare_analysis::{Saved, SavedCase};

/// In every program with a `BENCHMARK`: the name of a type of its template.
const SIGN: &[u8] = b"Catch9Benchmark6Detail17BenchmarkFunction5modelI";
/// Which test cases may have benchmarks: those that say so, else all that are not hidden.
const PATTERNS: [&str; 2] = ["[!benchmark]", "~[.]"];
/// Samples of a process, and how long each benchmark warms up, ms.
const MEASURED: [&str; 2] = ["100", "10"];
/// The same of a process that lists.
const LISTED: [&str; 2] = ["1", "1"];

/// Catch2.
pub(crate) struct Catch2;

impl Harness for Catch2 {
    fn name(&self) -> &str {
        "catch2"
    }

    fn title(&self) -> &str {
        "Catch2"
    }

    fn language(&self) -> &str {
        "c++"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_text::contains(program, SIGN)
    }

    fn list(&self, suite: &Suite) -> Result<Vec<Listed>, Trouble> {
        for pattern in PATTERNS {
            let text = ran(suite, &mut command(suite, pattern, LISTED)?)?;
            // A report of tests that have no benchmarks is no result.
            let Ok(saved) = tare_import::read("", text.as_bytes()) else { continue };
            let lost = saved.failed.iter().map(|failed| failed.key.as_str());
            let of_lost = |key: &str| Listed {
                within: vec![key.split('/').next().unwrap_or_default().to_owned()],
                ..Listed::of_name(key)
            };
            let all: Vec<Listed> = saved.cases.iter().map(listed).chain(lost.map(of_lost)).collect();
            if !all.is_empty() {
                return Ok(all);
            }
        }
        Ok(Vec::new())
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let test = of.within.first().ok_or_else(|| Trouble::new("its `TEST_CASE` is not known"))?;
        let text = ran(suite, &mut command(suite, &escaped(test), MEASURED)?)?;
        let trouble = |message: String| Trouble { message, output: text.clone() };
        let saved: Saved = tare_import::read("", text.as_bytes())
            .map_err(|error| trouble(format!("its XML cannot be read: {}", error.problem)))?;
        let saved = one_of(saved, &of.name).map_err(trouble)?;
        Ok(Measured { saved, iterations: None })
    }
}

fn listed(case: &SavedCase) -> Listed {
    Listed { within: vec![case.group.clone()], ..Listed::of_case(case) }
}

/// The XML of a process. Assertions that fail beside the benchmark are not its failure.
fn ran(suite: &Suite, command: &mut Command) -> Result<String, Trouble> {
    let out = suite.place("out.xml");
    let _ = std::fs::remove_file(&out);
    let ended = suite.run(command);
    let text = suite.text(&out);
    match ended {
        Err(trouble) if !text.contains("</Catch") => Err(trouble),
        _ => Ok(text),
    }
}

fn command(suite: &Suite, pattern: &str, [samples, warm_up_ms]: [&str; 2]) -> Result<Command, Trouble> {
    let mut command = suite.command()?;
    command.arg(pattern).args(["-r", "xml", "-o"]).arg(suite.place("out.xml"));
    command.args(["--benchmark-no-analysis", "--benchmark-samples", samples, "--benchmark-warmup-time", warm_up_ms]);
    Ok(command)
}

/// A name as a pattern that fits it alone.
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
