//! What a gate should judge but is missing: it could be anything, so no gate passes with it.

use super::judge::{has_ratio, is_measured};
use super::{Fits, Limit};
use crate::report::{CaseReport, Comparison, Design, FailedRow, Outcome, Report, NOTHING};
use std::collections::HashSet;

const NOT_MEASURED: &str = "it was not measured";
const FAILED: &str = "it failed";
const FAILED_BASE: &str = "it failed on the base";
const GONE: &str = "it is missing on the new side";
const NOT_BUILT: &str = "it could not be built or listed";
const NO_BASELINE: &str = "it has no ratio: its baseline is not in this run, or was not measured";

pub(super) struct Missing {
    pub name: String,
    selector: Option<String>,
    pub is_compared: bool,
    pub why: String,
}

impl Missing {
    fn new(name: impl Into<String>, is_compared: bool, why: &str) -> Missing {
        Missing { name: name.into(), selector: None, is_compared, why: why.to_owned() }
    }

    pub(super) fn fits(&self, limit: &Limit, fits: Fits) -> bool {
        fits(&limit.pattern, &self.name) || self.selector.as_ref().is_some_and(|name| fits(&limit.pattern, name))
    }
}

/// Cases without time left, failed cases, and missing programs.
pub(super) fn not_measured(report: &Report) -> impl Iterator<Item = Missing> + '_ {
    let cases = report.cases.iter().filter_map(|case| {
        let why = match case.outcome {
            // A skipped case is listed as such, and not missing.
            Outcome::Measured(_) | Outcome::Skipped { .. } => return None,
            Outcome::NotMeasured => NOT_MEASURED,
            Outcome::Failed { .. } => FAILED,
        };
        let selector = (report.jobs.len() > 1).then(|| case.selector());
        Some(Missing { selector, ..Missing::new(report.name_of(case), case.contestant, why) })
    });
    cases.chain(report.not_built.iter().map(|failed| Missing::new(&failed.program, true, NOT_BUILT)))
}

pub(super) fn why_no_ratio(case: &CaseReport) -> &'static str {
    if case.contestant && case.of_nothing {
        NOTHING
    } else {
        NO_BASELINE
    }
}

pub(super) fn no_ratio(report: &Report) -> impl Iterator<Item = (String, &'static str)> + '_ {
    let contestants = report.cases.iter().filter(|case| case.contestant && is_measured(case) && !has_ratio(case));
    let filtered = report.without_baseline.iter().map(|name| (name.clone(), NO_BASELINE));
    contestants.map(move |case| (report.name_of(case), why_no_ratio(case))).chain(filtered)
}

/// Measured contestants whose result cannot be compared with their baseline's.
pub(super) fn without_results(report: &Report) -> impl Iterator<Item = String> + '_ {
    let unknown = |case: &&CaseReport| case.contestant && is_measured(case) && !case.results_known;
    report.cases.iter().filter(unknown).map(|case| report.name_of(case))
}

/// Benchmarks that are gone, were not reached or have no ratio, and those that failed.
pub(super) fn not_compared(comparison: &Comparison) -> Vec<Missing> {
    let not_measured = comparison.not_measured.iter().map(|name| {
        let why = comparison.why_not.get(name).map_or(NOT_MEASURED, String::as_str);
        Missing::new(name, true, why)
    });
    let why = |side: u32| match (side, comparison.design) {
        (0, design) if design != Design::Interleaved => FAILED_BASE,
        _ => FAILED,
    };
    // A failure on both sides is listed once.
    let on_new: HashSet<&str> = comparison.failed.iter().filter(|f| f.side == 1).map(|f| f.key.as_str()).collect();
    let counts = |f: &&FailedRow| f.side == 1 || !on_new.contains(f.key.as_str());
    let failed = comparison.failed.iter().filter(counts).map(|f| Missing::new(&f.name, true, why(f.side)));
    let mut all: Vec<Missing> = not_measured.chain(failed).collect();
    let failed: HashSet<&str> = comparison.failed.iter().flat_map(|f| [f.key.as_str(), f.name.as_str()]).collect();
    // A failure on the new side is not a removal.
    let gone = comparison.only_base.iter().filter(|name| !failed.contains(name.as_str()));
    let gone = gone
        .map(|name| Missing { selector: comparison.selectors.get(name).cloned(), ..Missing::new(name, true, GONE) });
    all.extend(gone);
    let mut seen = HashSet::new();
    all.retain(|m| seen.insert((m.name.clone(), m.why.clone())));
    all
}
