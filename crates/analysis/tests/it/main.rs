//! Tests of the whole analysis: a Run in, a Report out.
// The crate is pure; its tests print what they measured, take the time, and ask another program.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "../common/mod.rs"]
mod common;

mod coverage;
mod degraded;
mod false_findings;
mod golden;
mod last_look;
mod old_runs;
mod planted;
mod recompute;
mod scale;

use tare_analysis::{CaseEstimates, Finding, Outcome, Report};

/// The estimates of a case that must have been measured.
fn measured(report: &Report, case: u32) -> &CaseEstimates {
    match &report.cases[case as usize].outcome {
        Outcome::Measured(estimates) => estimates,
        other => panic!("case {case} is {other:?}"),
    }
}
