//! Tests of the comparison of saved data, with invented sides.

mod identity;
mod merging;
mod of_runs;
mod rows;
mod structures;
mod words;

use crate::saved::{fact, Saved, SavedCase, SavedDesign, SavedOptions};
use tare_stats::rng::Rng;

/// How the values of a session are generated; standard deviations on the log scale.
#[derive(Clone, Copy)]
struct Noise {
    session: f64,
    launch: f64,
    iteration: f64,
}

/// A busy machine: sessions differ by 3 %, launches by 1 %, iterations by 2 %.
const BUSY: Noise = Noise { session: 0.03, launch: 0.01, iteration: 0.02 };

/// Launches of one session of code that takes `ns`.
fn session(rng: &mut Rng, ns: f64, launches: usize, iterations: usize, noise: Noise) -> Vec<Vec<f64>> {
    let offset = ns.ln() + noise.session * rng.normal();
    let launch = |rng: &mut Rng| {
        let level = offset + noise.launch * rng.normal();
        (0..iterations).map(|_| (level + noise.iteration * rng.normal()).exp()).collect()
    };
    (0..launches).map(|_| launch(rng)).collect()
}

fn case(key: &str, launches: Vec<Vec<f64>>) -> SavedCase {
    let design = if launches.len() > 1 { SavedDesign::Launches } else { SavedDesign::Iterations };
    SavedCase { launches, design, ..SavedCase::new(key, key) }
}

fn side(name: &str, cases: Vec<SavedCase>) -> Saved {
    Saved { name: name.to_owned(), tool: "some-tool".to_owned(), cases, ..Saved::default() }
}

/// A side as a run of Tare on a known machine at a reference clock.
fn run_side(name: &str, cases: Vec<SavedCase>) -> Saved {
    let cases = cases.into_iter().map(|c| SavedCase { reference_cycle_ns: Some(0.25), ..c }).collect();
    let mut saved = Saved { tool: "tare".to_owned(), ..side(name, cases) };
    let facts =
        [(fact::CPU, "One"), (fact::PROCESSORS, "2"), (fact::ARCHITECTURE, "x86_64"), (fact::METHOD, "waves-1")];
    saved.machine.extend(facts.map(|(k, v)| (k.to_owned(), v.to_owned())));
    saved
}

/// Launches of 4 values each at these times, without noise inside.
fn exact(times: &[f64]) -> Vec<Vec<f64>> {
    times.iter().map(|&ns| vec![ns; 4]).collect()
}

fn defaults() -> SavedOptions {
    SavedOptions::default()
}

fn has(comparison: &crate::Comparison, code: &str) -> bool {
    comparison.findings.iter().any(|f| f.code.name() == code)
}

fn evidence_of(comparison: &crate::Comparison, code: &str) -> String {
    let found = comparison.findings.iter().find(|f| f.code.name() == code);
    found.unwrap_or_else(|| panic!("no finding `{code}` in {:?}", comparison.findings)).evidence.to_string()
}
