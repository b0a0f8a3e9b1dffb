//! From a Run to a Report. Pure: the same Run gives the same Report, byte for byte, live or years later.
//!
//! Each folder uses only those before it (`xtask/tests/layering.rs`):
//!
//! | folder | what it does |
//! |---|---|
//! | [`finding`] | the parts of findings: codes, sentences with values, advice, names of cases |
//! | [`core`] | who used the core: from readings of the width probe to windows and launches alone |
//! | [`clock`] | the reference clock, and how closely a body follows the clock |
//! | [`visits`] | from series to valid visits, and one value per launch |
//! | [`estimate`] | one time and one interval over launches, without the loop |
//! | [`verdict`] | from evidence to a verdict |
//! | [`ratio`] | both sides in times of one kind, their waves, their ratio |
//! | [`report`] | the results of a run or a comparison, as values |
//! | [`saved`] | a side saved by Tare or another tool |
//! | [`findings`] | the rules for remarks |
//! | [`comparison`] | two sides compared |
//! | [`history`] | what changed over time |
//! | [`gate`] | may it pass |
//! | [`why`] | what differs together with the times |
#![forbid(unsafe_code)]

mod clock;
mod comparison;
mod core;
mod estimate;
mod finding;
mod findings;
pub mod gate;
pub mod history;
mod ratio;
mod report;
mod saved;
mod verdict;
mod visits;
pub mod why;

/// Windows of visits, for those who need to know during a run who used the core.
pub mod windows {
    pub use crate::core::{
        agreed_level, level_of_cases, levels_found, remember, visits_with, AgreedLevel, Judge, ProbeFault,
        ProcessReadings, LEVELS_AGREE,
    };
}

pub use clock::{better_reference, own_cycle_ns, Exponent};
pub use comparison::*;
pub use core::{cache as inputs, AloneLaunches, CoreUse};
pub use estimate::{NetTime, RateReport};
pub use finding::{
    at_most, each_once, Advice, Again, Code, Decide, Finding, How, Means, Number, Sentence, Severity, Unit, Units,
    Value, LISTED_MAX,
};
pub use ratio::{assess, calibration_pairs, other_ratio, CalibrationPair, Progress, RatioReport, Spent};
pub use report::*;
pub use saved::*;
pub use tare_stats::interval::Interval;
pub use verdict::{NoiseSource, Objection, Reason, Verdict};
pub use visits::{Location, LoopCost, Quantity, VisitCounts};

use tare_model::Run;

pub fn analyse(run: &Run) -> Report {
    let (times, reference) = ratio::shown_times(run);
    let pairs = ratio::pairs(run, &times, reference);
    let mut cases = report::case_reports(run, &times, &pairs, reference);
    for group in &run.plan.groups {
        saved::compare_metrics(group, &mut cases);
    }
    let facts = findings::Facts { run, times: &times, cases: &cases, pairs: &pairs, shown_cycle_ns: reference };
    let findings = findings::find(&facts);
    report::report(run, &times, cases, findings, reference)
}
