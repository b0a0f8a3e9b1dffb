//! libtest: `#[bench]` of nightly Rust. One benchmark in each process, by its exact name, read from the line that it prints.
//!
//! Traps: every Rust test program contains libtest; a benchmark that does not call `Bencher::iter` has a time of 0; numbers have commas;
//! without `--bench` each body runs once.

use crate::harness::{About, Harness, List, Listed, Measured, Statistic};
use crate::spec::OfBenchmark;
use crate::suite::{Suite, Trouble};
use std::collections::HashSet;
use tare_analysis::{Saved, SavedCase};

/// In every program that can print results of benchmarks, and hardly in others.
const SIGN: &str = " ns/iter (+/- ";

pub(crate) struct Libtest;

impl Harness for Libtest {
    fn about(&self) -> About<'_> {
        About { name: "libtest", title: "libtest", language: "rust", signs: &[SIGN] }
    }

    fn step_ns(&self) -> f64 {
        0.01
    }

    fn statistic(&self) -> Statistic {
        Statistic::Median
    }

    fn list(&self, suite: &Suite) -> Result<List, Trouble> {
        let ignored: HashSet<String> = listed(suite, &["--ignored"])?.into_iter().collect();
        let all = listed(suite, &["--include-ignored"])?.into_iter();
        Ok(all.map(|path| Listed { skipped: skipped(ignored.contains(&path)), ..of_path(&path) }).collect())
    }

    fn measure(&self, suite: &Suite, of: &OfBenchmark) -> Result<Measured, Trouble> {
        let mut command = suite.command()?;
        command.args(["--bench", "--exact", &of.name, "--color", "never", "--format", "pretty"]);
        let said =
            |trouble: Trouble| Trouble { message: panic_in(&trouble.output).unwrap_or(trouble.message), ..trouble };
        let output = suite.run(&mut command).map_err(said)?.text();
        let time = time_of(&output, &of.name).map_err(|message| Trouble { message, output: output.clone() })?;
        let case = SavedCase { launches: vec![vec![time]], ..SavedCase::new(of.name.as_str(), of.name.as_str()) };
        Ok(Measured { saved: Saved { cases: vec![case], ..Saved::default() }, iterations: None })
    }
}

fn listed(suite: &Suite, words: &[&str]) -> Result<Vec<String>, Trouble> {
    let mut command = suite.command()?;
    let text = suite.run(command.args(["--bench", "--list", "--format", "terse"]).args(words))?.text();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": benchmark")).map(str::to_owned).collect())
}

/// The module path is the group.
fn of_path(path: &str) -> Listed {
    let (group, name) = path.rsplit_once("::").unwrap_or(("", path));
    Listed { group: group.to_owned(), name: name.to_owned(), ..Listed::of_name(path) }
}

fn skipped(is_ignored: bool) -> String {
    if is_ignored {
        "it is marked with `#[ignore]`".to_owned()
    } else {
        String::new()
    }
}

/// The time of `test NAME ... bench:      33,534.67 ns/iter (+/- 28.22)`, or what is wrong.
fn time_of(output: &str, name: &str) -> Result<f64, String> {
    let line = |line: &str| {
        let (told, rest) = line.strip_prefix("test ")?.split_once(" ... bench:")?;
        let number = rest.split_once(" ns/iter")?.0.trim().replace(',', "");
        (told.trim() == name).then(|| number.parse::<f64>().ok()).flatten()
    };
    match output.lines().find_map(line) {
        Some(ns) if ns > 0.0 => Ok(ns),
        Some(_) => Err("it took 0.00 ns: it does not call `Bencher::iter`, or nothing is left of its body".to_owned()),
        None => Err(format!("its result has no time of `{name}`")),
    }
}

/// The message of a benchmark that panics: `thread 'main' panicked at b.rs:8:49:` and the next line.
fn panic_in(output: &str) -> Option<String> {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("thread '") || !line.contains(" panicked at "));
    let place = lines.next()?.split_once(" panicked at ")?.1.trim_end_matches(':').to_owned();
    Some(format!("it panicked at {place}: {}", lines.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_stands_in_the_line_of_the_benchmark() {
        let of = |line: &str| time_of(&format!("\nrunning 1 test\n{line}\n\ntest result: ok.\n"), "a::b");
        assert_eq!(of("test a::b   ... bench:      33,534.67 ns/iter (+/- 28,222.24)"), Ok(33_534.67));
        // Before Rust 1.80.
        assert_eq!(of("test a::b ... bench:         167 ns/iter (+/- 3) = 383 MB/s"), Ok(167.0));
        assert!(of("test a::b ... bench:           0.00 ns/iter (+/- 0.00)")
            .is_err_and(|why| why.contains("Bencher::iter")));
        assert!(of("test a ... bench:           1.00 ns/iter (+/- 0.00)").is_err_and(|why| why.contains("no time")));
        let panicked = "---- a stdout ----\n\nthread 'main' (8043) panicked at b.rs:8:49:\nno data\nnote: run with\n";
        assert_eq!(panic_in(panicked).as_deref(), Some("it panicked at b.rs:8:49: no data"));
        assert_eq!((of_path("a::b").group.as_str(), of_path("b").group.as_str()), ("a", ""));
    }
}
