//! Google Benchmark: one benchmark by an anchored filter, a short minimum time, and its JSON in a file of our own.
//!
//! Traps: unknown flags stop a version with status 1, so only flags that every version since 1.0 has are used. `--benchmark_min_time` takes
//! no unit before 1.8, and needs none later. The user's variables `BENCHMARK_...` act as flags too, and could repeat or interleave
//! benchmarks. Programs print before, between and after the lines of the list. Settings are part of a name.

use crate::harness::{escaped, About, Harness, List, Listed, Measured, QuickLook, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use crate::values::wall_first;
use std::process::Command;
use std::time::Duration;
use tare_analysis::Saved;
use tare_import::google_name;

/// In every program that was linked with the library; the second for the shared library.
const SIGNS: [&str; 2] = ["benchmark_list_tests", "libbenchmark.so"];
/// Minimum seconds of a repetition: short, so that some are undisturbed.
const MIN_TIME: f64 = 0.001;
/// Repetitions of a process, and of one whose repetitions are longer.
const REPETITIONS: u32 = 10;
const LONG_REPETITIONS: u32 = 4;
/// A repetition that ran for less was cut short, ns.
const CUT_SHORT_NS: f64 = 3e5;
/// The library's limit on iterations, for bodies that take almost no time.
const ITERATIONS_MAX: f64 = 1e9;
/// Attempts at a process without repetitions that were cut short.
const TRIES: u32 = 10;
/// Minimum seconds in a look: one iteration of each benchmark.
const MIN_TIME_OF_LOOK: &str = "0.000001";
/// Time limit of a look: what was seen until then is used.
const LOOK_TIME: Duration = Duration::from_secs(10);
/// Variables for flags that change what runs and how.
const VARIABLES: [&str; 12] = [
    "BENCHMARK_LIST_TESTS",
    "BENCHMARK_FILTER",
    "BENCHMARK_MIN_TIME",
    "BENCHMARK_MIN_WARMUP_TIME",
    "BENCHMARK_REPETITIONS",
    "BENCHMARK_DRY_RUN",
    "BENCHMARK_ENABLE_RANDOM_INTERLEAVING",
    "BENCHMARK_REPORT_AGGREGATES_ONLY",
    "BENCHMARK_DISPLAY_AGGREGATES_ONLY",
    "BENCHMARK_FORMAT",
    "BENCHMARK_OUT",
    "BENCHMARK_OUT_FORMAT",
];

pub(crate) struct GoogleBenchmark;

impl Harness for GoogleBenchmark {
    fn about(&self) -> About<'_> {
        About { name: "google-benchmark", title: "Google Benchmark", language: "c++", signs: &SIGNS }
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let lines = |filter: &str| -> Result<Vec<String>, Trouble> {
            let mut command = command(suite)?;
            let done =
                suite.run(command.arg(format!("--benchmark_filter={filter}")).arg("--benchmark_list_tests=true"))?;
            let text = String::from_utf8_lossy(&done.stdout).into_owned();
            Ok(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
        };
        let all = lines(".")?;
        // What it prints beside the list it prints without one as well. One that prints the same knows no filter.
        let others = lines("^$").ok().filter(|others| *others != all).unwrap_or_default();
        Ok(all.iter().filter(|line| !others.contains(line)).map(|line| listed(line)).collect())
    }

    fn look(&self, suite: &Suite, only: Option<&Listed>) -> Result<Option<QuickLook>, Trouble> {
        let pattern = only.map_or_else(|| ".".to_owned(), |one| filter(&one.full));
        let done = suite.ended(&mut measuring(suite, &pattern, MIN_TIME_OF_LOOK)?, LOOK_TIME)?;
        let text = suite.text(&suite.place("out.json"));
        if done.success && text.is_empty() {
            let message = "it looks like a program of Google Benchmark, but with `--benchmark_out` it writes no file";
            return Err(Trouble { message: message.to_owned(), output: done.text() });
        }
        let read = if done.success { Some(text) } else { closed(&text) };
        let saved = read.and_then(|text| tare_import::read("", text.as_bytes()).ok()).map(wall_first);
        let (is_whole, is_broken) = (done.success && only.is_none(), done.has_failed());
        let saved = saved.or_else(|| is_broken.then(Saved::default));
        Ok(saved.map(|saved| QuickLook { saved, is_whole, is_broken, ..QuickLook::default() }))
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let mut best = measured(suite, &of.name, (MIN_TIME, REPETITIONS))?;
        for _ in 1..TRIES {
            if !(of.computes && is_cut_short(&best, &of.name)) {
                break;
            }
            let next = measured(suite, &of.name, (MIN_TIME, REPETITIONS))?;
            if next.iterations > best.iterations {
                best = next;
            }
        }
        Ok(best)
    }

    fn measure_longer(&self, suite: &Suite, of: &OfBenchmark, times: u32) -> Result<Option<Measured>, Trouble> {
        measured(suite, &of.name, (MIN_TIME * f64::from(times), LONG_REPETITIONS)).map(Some)
    }

    /// The most repeatable statistic of repetitions that kept the processor.
    fn statistic(&self) -> Statistic {
        Statistic::Median
    }

    /// Google Benchmark itself uses CPU time, unless the benchmark selects another.
    fn computes(&self, listed: &Listed) -> bool {
        let is_other =
            |part: &str| ["real_time", "manual_time", "process_time"].contains(&part) || part.starts_with("threads:");
        !listed.full.split('/').any(is_other)
    }
}

fn listed(full: &str) -> Listed {
    let name = google_name(full);
    Listed { name: name.bare, parameters: name.parameters, key: name.key, ..Listed::of_name(full) }
}

fn command(suite: &Suite) -> Result<Command, Trouble> {
    let mut command = suite.command()?;
    VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
    Ok(command)
}

fn measuring(suite: &Suite, filter: &str, min_time: &str) -> Result<Command, Trouble> {
    let out = suite.place("out.json");
    // From an earlier process.
    let _ = std::fs::remove_file(&out);
    let mut command = command(suite)?;
    command.arg(format!("--benchmark_filter={filter}"));
    command.arg(format!("--benchmark_min_time={min_time}"));
    command.arg(format!("--benchmark_out={}", out.display())).arg("--benchmark_out_format=json");
    Ok(command)
}

fn measured(suite: &Suite, name: &str, (seconds, repetitions): (f64, u32)) -> Result<Measured, Trouble> {
    let mut command = measuring(suite, &filter(name), &format!("{seconds:.3}"))?;
    let done = suite.run(command.arg(format!("--benchmark_repetitions={repetitions}")))?;
    let text = suite.text(&suite.place("out.json"));
    let unreadable = |error: tare_import::ImportError| Trouble {
        message: format!("its JSON cannot be read: {}", error.problem),
        output: done.text(),
    };
    let saved = tare_import::read("", text.as_bytes()).map_err(unreadable)?;
    Ok(Measured { saved, iterations: iterations_of(&text) })
}

/// Whether a repetition was much too short. While the library searches for the number of iterations, it also stops once five times the
/// minimum time has passed on the clock, which may happen at the first attempt on a busy machine.
fn is_cut_short(measured: &Measured, name: &str) -> bool {
    let is_free = name.contains("/iterations:") || measured.iterations >= Some(ITERATIONS_MAX);
    !is_free && ran_ns(measured).is_some_and(|ns| ns < CUT_SHORT_NS)
}

/// CPU time of the first repetition, ns; None if unknown.
fn ran_ns(measured: &Measured) -> Option<f64> {
    let cpu = measured.saved.cases.first()?.otherwise.as_deref()?;
    Some(cpu.launches.first()?.first()? * measured.iterations?)
}

fn filter(name: &str) -> String {
    format!("^{}$", escaped(name))
}

/// Iterations of the first row: all rows of a process have the same number.
fn iterations_of(json: &str) -> Option<f64> {
    let (_, rest) = json.split_once("\"iterations\":")?;
    rest.split([',', '}', '\n']).next()?.trim().parse().ok()
}

/// Completes JSON that was cut off within its list of rows, dropping the last row.
fn closed(text: &str) -> Option<String> {
    /// The end of a row that is not the last.
    const END: &str = "\n    },";
    let at = text.rfind(END)?;
    Some(format!("{}}}]}}", &text[..at + END.len() - 2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_fits_one_name() {
        assert_eq!(filter("BM_Parse<std::map<int*>>/64"), "^BM_Parse<std::map<int\\*>>/64$");
        assert_eq!(filter("a.b(c)[1]"), "^a\\.b\\(c\\)\\[1]$");
    }

    #[test]
    fn a_process_with_few_iterations_was_cut_short() {
        let of = |iterations: u32, ns: f64, name: &str| {
            let text = format!("{{\"context\": {{}}, \"benchmarks\": [{{\"name\": \"a\", \"iterations\": {iterations}, \"real_time\": 660, \"cpu_time\": {ns}}}]}}");
            let saved = tare_import::read("", text.as_bytes()).expect("JSON");
            is_cut_short(&Measured { saved, iterations: iterations_of(&text) }, name)
        };
        assert!(of(1, 600.0, "a") && !of(1, 600.0, "a/iterations:1") && !of(1000, 600.0, "a"));
        // An empty body reaches the limit on iterations.
        assert!(!of(1_000_000_000, 1e-6, "a"));
    }

    #[test]
    fn json_that_was_cut_off_has_the_rows_before() {
        let row =
            |name: &str| format!("    {{\n      \"name\": \"{name}\", \"real_time\": 1, \"iterations\": 1\n    }}");
        let text =
            format!("{{\n  \"context\": {{}},\n  \"benchmarks\": [\n{},\n{},\n    {{\n  \"na", row("a"), row("b"));
        let saved = tare_import::read("", closed(&text).expect("two rows").as_bytes()).expect("JSON");
        assert_eq!(saved.cases.iter().map(|case| case.key.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(closed("{"), None);
    }

    #[test]
    fn a_name_is_taken_apart_as_in_saved_results() {
        let one = listed("BM_x/64/n:8/min_time:2.000/real_time");
        let parameters: Vec<String> = one.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
        assert_eq!((one.name.as_str(), parameters.join(" ").as_str()), ("BM_x", "arg0=64 n=8"));
        assert_eq!(one.key, "BM_x/64/n:8/real_time");
    }
}
