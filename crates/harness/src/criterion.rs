//! criterion: one benchmark by an anchored pattern, thirty samples of a millisecond, and a separate `CRITERION_HOME`, so that the user's
//! history is neither read nor written.
//!
//! Traps: without `--bench` it runs each body once and prints "Success". Times and sample sizes set by a group override flags. Code outside
//! the chosen benchmark runs in every process. A benchmark in no group does not run. Its statistical resampling takes longer than a short
//! measurement, so only ten resamples are requested, and their results ignored. `--save-baseline new` copies files onto themselves, which
//! empties them. Version 0.3 accepts only whole seconds.

use crate::harness::{escaped, number_at_end, About, Harness, List, Listed, Measured, QuickLook, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::time::Duration;
use tare_model::Parameter;
use tare_process::helper::Done;

const SIGN: &str = "CRITERION_HOME";
/// Suffix of names in the list: since 0.5, and before.
const LISTED: [&str; 2] = [": benchmark", ": bench"];
/// For every process that measures.
const PLAIN: [&str; 4] = ["--bench", "--nresamples=10", "--noplot", "--color=never"];
const WARM_UP: &str = "--warm-up-time=0.01";
/// Seconds of measurement, and number of samples: short enough to be undisturbed.
const SAMPLES: (f64, u32) = (0.03, 30);
const SAMPLES_MIN: u32 = 10;
/// The warm-up for versions that accept only whole seconds.
const WHOLE: &str = "--warm-up-time=1";
/// Shortest accepted times and samples, for a look.
const SHORTEST: [&str; 3] = ["--warm-up-time=0.0001", "--measurement-time=0.0001", "--sample-size=10"];
/// The error of a version that accepts only whole seconds.
const REFUSED: &str = "The argument '0.";
const NOTE: &str = "this version of criterion takes whole seconds only, so each process takes 2 s at least: from version 0.4 on they are short";
/// Text between a name and its warm-up time.
const WARMS_UP: &str = ": Warming up for ";
/// Time limit of a look: what was seen until then is used.
const LOOK_TIME: Duration = Duration::from_secs(10);

pub(crate) struct Criterion;

impl Harness for Criterion {
    fn about(&self) -> About<'_> {
        About { name: "criterion", title: "criterion", language: "rust", signs: &[SIGN] }
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let done =
            suite.run(suite.command()?.args(["--bench", "--list"]).env("CRITERION_HOME", suite.place("home")))?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let mut list: List = text.lines().filter_map(name_of).map(listed).collect();
        if list.benchmarks.is_empty() {
            return Ok(list);
        }
        let mut short = suite.command()?;
        short.args(["--bench", "--list", WARM_UP]).env("CRITERION_HOME", suite.place("home"));
        if is_refused(&suite.ended(&mut short, LOOK_TIME)?) {
            list.benchmarks.iter_mut().for_each(|one| one.within = vec![WHOLE.to_owned()]);
            list.notes.push(NOTE.to_owned());
        }
        Ok(list)
    }

    fn look(&self, suite: &Suite, only: Option<&Listed>) -> Result<Option<QuickLook>, Trouble> {
        let home = suite.place("home");
        let _ = std::fs::remove_dir_all(&home);
        let mut command = suite.command()?;
        command.args(PLAIN).args(SHORTEST).env("CRITERION_HOME", &home);
        only.iter().for_each(|one| _ = command.arg(chosen(&one.full)));
        let done = suite.ended(&mut command, LOOK_TIME)?;
        if is_refused(&done) {
            return Ok(None);
        }
        let saved = tare_import::read_folder("", &suite.files(&home), "new").unwrap_or_default();
        let notes = of_groups(&done.text()).into_iter().collect();
        // A benchmark in no group is listed, but does not run.
        Ok(Some(QuickLook { saved, is_broken: done.has_failed(), names: true, notes, ..QuickLook::default() }))
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        measured(suite, of, SAMPLES)
    }

    fn measure_longer(&self, suite: &Suite, of: &OfBenchmark, times: u32) -> Result<Option<Measured>, Trouble> {
        measured(suite, of, (SAMPLES.0 * f64::from(times), SAMPLES_MIN)).map(Some)
    }

    /// It reports no CPU time, so samples that lost the processor are not known. On a busy machine those are the majority, and only the
    /// minimum is repeatable.
    fn statistic(&self) -> Statistic {
        Statistic::Minimum
    }
}

/// Runs a process with this many samples and seconds. Each sample is a call of the code around `iter`, or of the function in `iter_custom`.
fn measured(suite: &Suite, of: &OfBenchmark, (seconds, samples): (f64, u32)) -> Result<Measured, Trouble> {
    let name = of.name.as_str();
    let home = suite.place("home");
    let _ = std::fs::remove_dir_all(&home);
    let mut command = suite.command()?;
    let is_whole = !of.within.is_empty();
    let seconds = if is_whole { format!("{}", seconds.ceil()) } else { format!("{seconds:.2}") };
    command.args(PLAIN).arg(if is_whole { WHOLE } else { WARM_UP });
    command.args([format!("--measurement-time={seconds}"), format!("--sample-size={samples}"), chosen(name)]);
    let done = suite.run(command.env("CRITERION_HOME", &home))?;
    let files = suite.files(&home);
    let unreadable = |message: String| Trouble { message, output: done.text() };
    if files.is_empty() {
        return Err(unreadable(format!("criterion wrote no result of `{name}`")));
    }
    let iterations =
        files.iter().find(|(path, _)| path.ends_with("sample.json")).and_then(|(_, json)| iterations(json));
    let saved = tare_import::read_folder("", &files, "new")
        .map_err(|error| unreadable(format!("its files cannot be read: {}", error.problem)))?;
    Ok(Measured { saved, iterations })
}

fn is_refused(done: &Done) -> bool {
    done.has_failed() && done.text().contains(REFUSED)
}

fn chosen(name: &str) -> String {
    format!("^{}$", escaped(name))
}

fn name_of(line: &str) -> Option<&str> {
    LISTED.iter().find_map(|behind| line.strip_suffix(behind))
}

/// A benchmark from its id alone: the part before the first slash is its group, and a number after the last slash is a parameter. The
/// result of a look has more detail.
fn listed(id: &str) -> Listed {
    let (name, parameters) = match number_at_end(id, "/") {
        Some((name, value)) => (name, vec![Parameter::new("value", value)]),
        None => (id, Vec::new()),
    };
    let (group, name) =
        name.split_once('/').filter(|(group, name)| !group.is_empty() && !name.is_empty()).unwrap_or(("", name));
    Listed { group: group.to_owned(), name: name.to_owned(), parameters, ..Listed::of_name(id) }
}

/// A note about times set in the code, which override flags: the warm-up shows them.
fn of_groups(text: &str) -> Option<String> {
    let own = |line: &str| {
        let (before, time) = line.split_once(WARMS_UP)?;
        let is_own = time.trim_end().ends_with(" ms") || time.trim_end().ends_with(" s");
        is_own.then(|| before.trim_start_matches("Benchmarking ").to_owned())
    };
    let name = text.lines().find_map(own)?;
    Some(format!(
        "groups such as that of `{name}` set their own warm-up, measurement time or samples in the code, and each process takes as long: \
         remove them for shorter runs"
    ))
}

fn iterations(json: &[u8]) -> Option<f64> {
    let sample: serde_json::Value = serde_json::from_slice(json).ok()?;
    Some(sample["iters"].as_array()?.iter().filter_map(serde_json::Value::as_f64).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_a_group_sets_are_named() {
        let text = "Benchmarking a/b\nBenchmarking a/b: Warming up for 100.00 µs\nBenchmarking c/d e: Warming up for 500.00 ms\n";
        assert!(of_groups(text).is_some_and(|note| note.contains("`c/d e`")));
        assert_eq!(of_groups("Benchmarking a/b: Warming up for 100.00 µs\n"), None);
    }

    #[test]
    fn an_id_is_a_group_and_a_name() {
        let parts = |id: &str| {
            let one = listed(id);
            let values: Vec<String> = one.parameters.into_iter().map(|p| format!("{}={}", p.name, p.value)).collect();
            (one.group, one.name, values.join(" "))
        };
        assert_eq!(
            [name_of("a/b: benchmark"), name_of("a/b: bench"), name_of("a/b")],
            [Some("a/b"), Some("a/b"), None]
        );
        let of = |group: &str, name: &str, values: &str| (group.to_owned(), name.to_owned(), values.to_owned());
        assert_eq!(parts("sizes/parse/256"), of("sizes", "parse", "value=256"));
        assert_eq!((parts("sizes/256"), parts("a/b/c")), (of("", "sizes", "value=256"), of("a", "b/c", "")));
        assert_eq!((parts("parse"), parts("/x")), (of("", "parse", ""), of("", "/x", "")));
        assert_eq!(iterations(br#"{"iters":[1.0,2.0],"times":[5.0,9.0]}"#), Some(3.0));
    }
}
