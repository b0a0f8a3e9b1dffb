//! divan: one benchmark by its exact path, a short time, and the numbers of its table, as it writes no file.
//!
//! Traps: without `--bench` it runs each body once. Its list is machine-readable only if `NEXTEST` is set, and empty with `--ignored`. The
//! exact path begins with the crate. Variables `DIVAN_...` act as flags. Numbers in its table have four digits. A benchmark with several
//! numbers of threads is one entry of the list. One that allocates nothing has no lines about memory.

mod table;

use crate::harness::{number_at_end, About, Harness, List, Listed, Measured, QuickLook, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::process::Command;
use std::time::Duration;
use table::{rows, Row, ALLOCATED};
use tare_analysis::{Better, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_model::Parameter;

const SIGN: &str = "DIVAN_SAMPLE_COUNT";
/// Suffix of paths in the list.
const LISTED: &str = ": benchmark";
/// Before the number of threads, if a benchmark runs with several.
const THREADS: &str = "::t=";
/// Variables that control how long it measures and what it prints.
const VARIABLES: [&str; 8] = [
    "DIVAN_SAMPLE_COUNT",
    "DIVAN_SAMPLE_SIZE",
    "DIVAN_MIN_TIME",
    "DIVAN_MAX_TIME",
    "DIVAN_THREADS",
    "DIVAN_SORT",
    "DIVAN_SORTR",
    "DIVAN_SKIP_EXT_TIME",
];
/// A look runs each benchmark this often, which suffices to infer input sizes from rates with four digits.
const SHORTEST: [&str; 2] = ["--sample-count=5", "--sample-size=1"];
/// Time limit of a look: what was seen until then is used.
const LOOK_TIME: Duration = Duration::from_secs(10);

pub(crate) struct Divan;

impl Harness for Divan {
    fn about(&self) -> About<'_> {
        About { name: "divan", title: "divan", language: "rust", signs: &[SIGN] }
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let run = paths(suite, &[])?;
        let all = paths(suite, &["--include-ignored"])?;
        let one = |path: String| match run.contains(&path) {
            true => listed(&path),
            false => Listed { skipped: "it is declared with `ignore`".to_owned(), ..listed(&path) },
        };
        Ok(all.into_iter().map(one).collect())
    }

    fn look(&self, suite: &Suite, only: Option<&Listed>) -> Result<Option<QuickLook>, Trouble> {
        let mut command = command(suite)?;
        command.args(["--bench", "--color=never"]).args(SHORTEST);
        only.iter().for_each(|one| _ = command.arg("--exact").arg(&one.full));
        let done = suite.ended(&mut command, LOOK_TIME)?;
        let rows = rows(&String::from_utf8_lossy(&done.stdout));
        let allocates = rows.iter().any(|row| !row.memory.is_empty());
        let cases = rows.iter().map(|row| case(row, allocates)).collect();
        // Ignored benchmarks are not in the output, so the look is not marked as whole.
        Ok(Some(QuickLook {
            saved: Saved { cases, ..Saved::default() },
            is_broken: done.has_failed(),
            names: true,
            ..QuickLook::default()
        }))
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let mut command = command(suite)?;
        command.args(["--bench", "--color=never", "--min-time=0.02", "--max-time=0.1", "--exact"]);
        // Threads are not part of the path.
        let path = of.within.first().unwrap_or(&of.name);
        let threads = of.name.strip_prefix(path.as_str()).and_then(|rest| rest.strip_prefix(THREADS));
        command.arg(path).args(threads.map(|threads| format!("--threads={threads}")));
        let done = suite.run(&mut command)?;
        let rows = rows(&String::from_utf8_lossy(&done.stdout));
        let row = rows.first().ok_or_else(|| Trouble {
            message: format!("divan printed no result of `{}`", of.name),
            output: done.text(),
        })?;
        let saved = Saved { cases: vec![case(row, false)], ..Saved::default() };
        Ok(Measured { saved, iterations: Some(row.iterations) })
    }

    /// Samples that lost the processor are few among a hundred.
    fn statistic(&self) -> Statistic {
        Statistic::Median
    }
}

fn paths(suite: &Suite, more: &[&str]) -> Result<Vec<String>, Trouble> {
    let mut command = command(suite)?;
    command.args(["--bench", "--list", "--format", "terse"]).args(more).env("NEXTEST", "1");
    let text = String::from_utf8_lossy(&suite.run(&mut command)?.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(LISTED)).map(str::to_owned).collect())
}

fn command(suite: &Suite) -> Result<Command, Trouble> {
    let mut command = suite.command()?;
    VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
    Ok(command)
}

/// A benchmark by its path. A number at its end is an argument or a constant, since no function has such a name.
fn listed(path: &str) -> Listed {
    let (name, parameters) = parts(path);
    Listed { name, parameters, ..Listed::of_name(path) }
}

fn parts(path: &str) -> (String, Vec<Parameter>) {
    match number_at_end(path, "::") {
        Some((name, value)) => (name.to_owned(), vec![Parameter::new("arg", value)]),
        None => (path.to_owned(), Vec::new()),
    }
}

/// The result of a benchmark. If any of the benchmarks `allocates`, all have these quantities.
fn case(row: &Row, allocates: bool) -> SavedCase {
    let summary =
        SavedSummary { mean_ns: Some(row.mean_ns), median_ns: Some(row.median_ns), sd_ns: None, values: None };
    let (name, mut parameters) = parts(&row.path);
    parameters.extend(row.threads.iter().map(|threads| Parameter::new("threads", threads)));
    let metric = |quantity: &str, value: f64| SavedCase {
        quantity: quantity.to_owned(),
        design: SavedDesign::Iterations,
        launches: vec![vec![value]],
        better: Better::Lower,
        ..SavedCase::new(row.path.clone(), row.path.clone())
    };
    let rates = row.amounts.iter().map(|(name, amount)| SavedCase {
        operations: Some(*amount),
        drifts: true,
        better: Better::Higher,
        ..metric(&format!("{name}/s"), 1e9 * amount / row.median_ns)
    });
    let memory = row.memory.iter().map(|(quantity, value)| metric(quantity, *value));
    let is_there = |quantity: &&str| row.memory.iter().any(|(known, _)| known == quantity);
    let none = ALLOCATED.into_iter().filter(|quantity| allocates && !is_there(quantity));
    let metrics = rates.chain(memory).chain(none.map(|quantity| metric(quantity, 0.0))).collect();
    let threads = row.threads.as_ref().map_or_else(String::new, |threads| format!("{THREADS}{threads}"));
    let case = SavedCase::new(format!("{}{threads}", row.path), name);
    SavedCase { stem: row.path.clone(), parameters, metrics, design: SavedDesign::Summary(summary), ..case }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_end_of_a_path_are_arguments() {
        let of = |path: &str| {
            let one = listed(path);
            (one.name, one.parameters.first().map(|p| format!("{}={}", p.name, p.value)))
        };
        assert_eq!(of("sizes::parse::1024"), ("sizes::parse".to_owned(), Some("arg=1024".to_owned())));
        assert_eq!(of("sizes::parse::small"), ("sizes::parse::small".to_owned(), None));
    }
}
