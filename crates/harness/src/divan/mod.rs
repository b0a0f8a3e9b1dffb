//! divan: one benchmark by its exact path, a short time, and the numbers of its table: it writes no file.
//!
//! Traps: without `--bench` it runs each body once; its list has a form for programs only where `NEXTEST` says so; the exact path begins
//! with the crate; variables `DIVAN_...` are flags; a program is taken by its table, which has four digits.

use crate::harness::{Harness, Listed, Measured, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::process::Command;
use tare_analysis::{Saved, SavedCase, SavedDesign, SavedSummary};

/// A variable that the library looks at.
const SIGN: &[u8] = b"DIVAN_SAMPLE_COUNT";
/// What is behind a path in the list.
const LISTED: &str = ": benchmark";
/// Variables that decide how long it measures and what it prints.
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

/// divan.
pub(crate) struct Divan;

impl Harness for Divan {
    fn name(&self) -> &str {
        "divan"
    }

    fn title(&self) -> &str {
        "divan"
    }

    fn language(&self) -> &str {
        "rust"
    }

    fn is_in(&self, program: &[u8]) -> bool {
        tare_text::contains(program, SIGN)
    }

    fn list(&self, suite: &Suite) -> Result<Vec<Listed>, Trouble> {
        let mut command = command(suite)?;
        command.args(["--bench", "--list", "--format", "terse"]).env("NEXTEST", "1");
        let done = suite.run(&mut command)?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        Ok(text.lines().filter_map(|line| line.strip_suffix(LISTED)).map(Listed::of_name).collect())
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let name = of.name.as_str();
        let mut command = command(suite)?;
        command.args(["--bench", "--exact", name, "--color=never", "--min-time=0.02", "--max-time=0.1"]);
        let done = suite.run(&mut command)?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let row = text
            .lines()
            .find_map(row)
            .ok_or_else(|| Trouble { message: format!("divan printed no result of `{name}`"), output: done.text() })?;
        let summary =
            SavedSummary { mean_ns: Some(row.mean_ns), median_ns: Some(row.median_ns), sd_ns: None, values: None };
        let case = SavedCase { design: SavedDesign::Summary(summary), ..SavedCase::new(name, name) };
        Ok(Measured { saved: Saved { cases: vec![case], ..Saved::default() }, iterations: Some(row.iterations) })
    }

    /// A sample that lost the processor is among a hundred.
    fn statistic(&self) -> Statistic {
        Statistic::Median
    }
}

fn command(suite: &Suite) -> Result<Command, Trouble> {
    let mut command = suite.command()?;
    VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
    Ok(command)
}

/// The numbers of a benchmark.
#[derive(Debug, PartialEq)]
struct Row {
    median_ns: f64,
    mean_ns: f64,
    iterations: f64,
}

/// A line of the table with times: `╰─ 16  8.724 ns │ 8.767 ns │ 8.763 ns │ 8.749 ns │ 5 │ 1280`. Threads make a row each: the first counts.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split('│').map(str::trim).collect();
    // The branches of the tree are drawn with the same line.
    let [.., fastest, _, median, mean, _, iterations] = cells.as_slice() else { return None };
    time_ns(fastest)?;
    Some(Row {
        median_ns: time_ns(median)?,
        mean_ns: time_ns(mean)?,
        iterations: iterations.parse().ok().filter(|count| *count >= 1.0)?,
    })
}

/// The time at the end of a cell.
fn time_ns(cell: &str) -> Option<f64> {
    let mut words = cell.split_whitespace().rev();
    let unit = match words.next()? {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" | "μs" | "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    words.next()?.replace(',', "").parse::<f64>().ok().map(|value| value * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_table_is_read() {
        let table = "\
d         fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ x                    │               │               │               │         │
│  ╰─ 16  8.724 ns      │ 8.767 µs      │ 8.763 ns      │ 1.049 µs      │ 5       │ 1280
│         1.8 GB/s      │ 1.8 GB/s      │ 1.8 GB/s      │ 1.8 GB/s      │         │";
        let found = table.lines().find_map(row).expect("a row");
        assert_eq!(found, Row { median_ns: 8.763, mean_ns: 1049.0, iterations: 1280.0 });
        assert_eq!((time_ns("x"), time_ns("a 5.5 ms"), time_ns("12 op/s")), (None, Some(5.5e6), None));
    }
}
