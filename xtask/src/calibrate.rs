//! The tables of method 4.1 from the whole engine and analysis on invented machines.

use std::fmt::Write;
use tare_model::{Policy, Profile};
use tare_simulation::{centre, comparison, coverage, suite, Comparison};
use tare_stats::noise::{Neighbours, Parameters, Scenario};

/// How many sessions a number is made of.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// A/A sessions of a machine and profile.
    same: u64,
    /// Sessions of each true change.
    power: u64,
    /// Suites of equal pairs.
    suites: u64,
    /// Plain sessions.
    plain: u64,
    /// Launches of a long-run centre.
    centre: u64,
}

/// For the page in the docs.
pub const FULL: Effort = Effort { same: 2000, power: 300, suites: 40, plain: 800, centre: 40_000 };
/// For a look.
pub const QUICK: Effort = Effort { same: 60, power: 20, suites: 2, plain: 60, centre: 10_000 };

const SCENARIOS: [(Scenario, &str); 3] = [(Scenario::Quiet, "quiet"), (Scenario::Ci, "ci"), (Scenario::Bad, "bad")];
const PROFILES: [(Profile, &str); 3] =
    [(Profile::Quick, "quick"), (Profile::Default, "default"), (Profile::Long, "long")];
/// Pairs of a suite.
const PAIRS: usize = 100;
/// True changes of which the power is told.
const EFFECTS: [f64; 5] = [0.003, 0.01, 0.02, 0.03, 0.05];
/// Cases of a plain session.
const CASES: [usize; 3] = [1, 4, 16];

/// All tables as Markdown.
///
/// # Errors
/// When a session does not end as it must.
pub fn tables(effort: Effort) -> Result<String, String> {
    let by_machine = |table: fn(Scenario, &str, Effort) -> Result<String, String>| -> Result<String, String> {
        // One thread a machine: they share nothing.
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                SCENARIOS.iter().map(|(s, name)| scope.spawn(move || table(*s, name, effort))).collect();
            threads.into_iter().map(|t| t.join().map_err(|_| "a table panicked".to_owned())?).collect()
        })
    };
    let mut text = String::from(
        "| machine | profile | A/A alarms | ungated | SAME | waves | +0.3 % alarm/SAME | +1 % alarm | +2 % | +3 % | +5 % \
         | wrong way | coverage | launches a side | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    text += &by_machine(comparisons)?;
    text +=
        "\n| machine | suites | with an alarm | alarms of all pairs | SAME | s a suite |\n|---|---|---|---|---|---|\n";
    text += &by_machine(suites)?;
    text += "\n| machine | profile | cases | luck of launches | this session | long run | half-width | s a session |\n\
             |---|---|---|---|---|---|---|---|\n";
    text += &by_machine(intervals)?;
    Ok(text)
}

fn comparisons(scenario: Scenario, name: &str, effort: Effort) -> Result<String, String> {
    let mut text = String::new();
    let of_runs = PROFILES.map(|(profile, name)| (format!("run {name}"), Policy::of(profile)));
    let compare = ("compare".to_owned(), Policy::comparison(Profile::Default));
    for (profile_name, policy) in of_runs.into_iter().chain([compare]) {
        let same = comparison(scenario, 0.0, &policy, effort.same, 1)?;
        let mut changed = Vec::new();
        for (index, effect) in EFFECTS.iter().enumerate() {
            changed.push(comparison(scenario, *effect, &policy, effort.power, 1_000_000 * (index as u64 + 1))?);
        }
        let share = |count: usize, of: &Comparison| count as f64 / of.sessions as f64;
        let launches = share(same.launches, &same);
        let covered: usize = changed.iter().map(|c| c.covered).sum::<usize>() + same.covered;
        let sessions: usize = changed.iter().map(|c| c.sessions).sum::<usize>() + same.sessions;
        let power: Vec<String> = changed[1..].iter().map(|c| format!("{:.3}", share(c.slower, c))).collect();
        let wrong = changed.iter().map(|c| c.faster).sum::<usize>();
        let row = format!(
            "| {name} | {profile_name} | {:.4} | {:.4} | {:.3} | {:.1} | {:.3} / {:.3} | {} | {wrong} | {:.3} | {launches:.1} | {:.1} |",
            share(same.slower + same.faster, &same),
            share(same.ungated, &same),
            share(same.same, &same),
            launches / f64::from(policy.width.max(1)),
            share(changed[0].slower + changed[0].faster, &changed[0]),
            share(changed[0].same, &changed[0]),
            power.join(" | "),
            covered as f64 / sessions as f64,
            same.seconds / same.sessions as f64,
        );
        writeln!(text, "{row}").map_err(|e| e.to_string())?;
    }
    Ok(text)
}

/// Suites of equal pairs by the rules of `tare compare`.
fn suites(scenario: Scenario, name: &str, effort: Effort) -> Result<String, String> {
    let found = suite(scenario, PAIRS, &Policy::comparison(Profile::Default), effort.suites, 4242)?;
    let pairs = (found.suites * PAIRS) as f64;
    Ok(format!(
        "| {name} | {} | {} | {:.4} | {:.3} | {:.0} |\n",
        found.suites,
        found.alarmed,
        found.alarms as f64 / pairs,
        found.same as f64 / pairs,
        found.seconds / found.suites as f64,
    ))
}

fn intervals(scenario: Scenario, name: &str, effort: Effort) -> Result<String, String> {
    let noise = scenario.parameters();
    let luck = Parameters { drift_sd: 0.0, neighbours: Neighbours { rate: 0.0, ..noise.neighbours }, ..noise };
    let (long_run, of_luck) = (centre(noise, effort.centre), centre(luck, effort.centre));
    let mut text = String::new();
    for (profile, profile_name) in PROFILES {
        for cases in CASES {
            let sessions = (effort.plain / cases.min(8) as u64).max(10);
            let policy = Policy::of(profile);
            let found = coverage(noise, long_run, cases, &policy, sessions, 77)?;
            let lucky = coverage(luck, of_luck, cases, &policy, sessions, 777)?;
            let share = |count: usize| count as f64 / found.intervals as f64;
            let row = format!(
                "| {name} | {profile_name} | {cases} | {:.3} | {:.3} | {:.3} | ±{:.2} % | {:.1} |",
                lucky.long_run as f64 / lucky.intervals as f64,
                share(found.session),
                share(found.long_run),
                100.0 * found.half_widths / found.intervals as f64,
                found.seconds / found.sessions as f64,
            );
            writeln!(text, "{row}").map_err(|e| e.to_string())?;
        }
    }
    Ok(text)
}
