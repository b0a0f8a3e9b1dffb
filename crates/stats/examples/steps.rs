//! `steps LEAST < series`: the confirmed steps of each line of log values, as indices. For `bench/history`.

#![allow(clippy::disallowed_methods, reason = "a program around a pure crate")]

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let least = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0.01);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (seed, line) in io::stdin().lock().lines().map_while(Result::ok).enumerate() {
        let values: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let found = tare_stats::steps(&values, least, seed as u64);
        let places: Vec<String> =
            found.steps.iter().filter(|step| step.confirmed).map(|step| step.at.to_string()).collect();
        if writeln!(out, "{}", places.join(" ")).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
