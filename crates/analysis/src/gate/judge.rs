//! Judges measurements by rules and limits.

use super::absent::{no_ratio, not_compared, not_measured, why_no_ratio, without_results, Missing};
use super::checker::{Checker, Compared};
use super::{Fits, Gate, Judgement};
use crate::findings::same_data::DIFFERENT_MIN;
use crate::report::{CaseEstimates, CaseReport, Comparison, ComparisonRow, Outcome, Report};
use std::collections::HashSet;

/// Why a limit on a counter of unknown direction cannot be judged.
const UNKNOWN_DIRECTION: &str = "it is unknown which of its values are better";

/// Judges a run: its contestants against their baselines, its cases against their limits.
pub fn judge_report(report: &Report, gate: &Gate, fits: Fits) -> Judgement {
    let mut checker = Checker::new(gate);
    // Patterns concern benchmarks, messages a single case with its job.
    let name = |case: &CaseReport| report.name_of(case);
    let compared: Vec<(String, Compared)> = with_estimates(report)
        .filter_map(|(case, e)| Some((name(case), Compared::of_ratio(e.ratio.as_ref()?))))
        .collect();
    checker.rules(&compared);
    let missing: Vec<Missing> = not_measured(report).collect();
    checker.missing(&missing, fits);
    let alone: Vec<(String, &str)> = no_ratio(report).collect();
    if compared.is_empty() && alone.is_empty() && !missing.iter().any(|m| m.is_compared) {
        checker.nothing_compared();
    }
    // Measured, but without anything to compare with: limits of its own cost still apply.
    for (name, why) in &alone {
        checker.violate_rules(name, why);
    }
    checker.different_results(&report.findings, &|case| report.cases.get(case as usize).map(name));
    checker.unknown_results(without_results(report));
    for limit in &gate.limits {
        // A skipped benchmark exists, and costs nothing.
        let skipped = report.cases.iter().filter(|case| matches!(case.outcome, Outcome::Skipped { .. }));
        let mut fitting = missing.iter().any(|m| m.fits(limit, fits))
            || skipped.map(CaseReport::selector).any(|name| fits(&limit.pattern, &name));
        let fitting_it = |(case, _): &(&CaseReport, &CaseEstimates)| fits(&limit.pattern, &case.selector());
        for (case, estimates) in with_estimates(report).filter(fitting_it) {
            let name = name(case);
            fitting = true;
            checker.costs(limit, &name, estimates);
            if let (Some(most), Some(r)) = (limit.ratio, &estimates.ratio) {
                checker.ratio(&name, most, r.ratio, Some(r.interval));
            }
        }
        // Only the baseline itself may have no ratio; any other case without one has no baseline in this run, and might exceed any ratio.
        let alone = |case: &&CaseReport| !case.baseline && !has_ratio(case) && is_measured(case);
        for case in report.cases.iter().filter(alone) {
            if let Some(most) = limit.ratio.filter(|_| fits(&limit.pattern, &case.selector())) {
                checker.violates(&name(case), format!("ratio <= {most}"), why_no_ratio(case));
            }
        }
        checker.must_fit(limit, fitting, fits);
    }
    checker.judgement
}

/// Whether two sides with different names have the same values. Rounded ones may be equal by chance, so there must be several.
fn is_copy(comparison: &Comparison) -> bool {
    let mut different = HashSet::new();
    comparison.base.name != comparison.new.name
        && comparison.rows.iter().all(|row| row.ratio == 1.0)
        && comparison.values.values().all(|[base, new]| {
            different.extend(new.iter().flatten().map(|value| value.to_bits()));
            base == new
        })
        && different.len() >= DIFFERENT_MIN
}

/// Judges a comparison; `report` is the one of its run, if there is one, with the times of the new side.
pub fn judge_comparison(comparison: &Comparison, report: Option<&Report>, gate: &Gate, fits: Fits) -> Judgement {
    let mut checker = Checker::new(gate);
    let labels = comparison.labels();
    let compared: Vec<(String, Compared)> =
        comparison.rows.iter().map(|row| (labels.of(row), Compared::of_row(row, comparison.design))).collect();
    checker.rules(&compared);
    let missing = not_compared(comparison);
    if comparison.rows.iter().all(ComparisonRow::has_unknown_direction) && missing.is_empty() {
        checker.nothing_compared();
    }
    checker.missing(&missing, fits);
    if is_copy(comparison) {
        checker.violate_rules("", "both sides have the same values, so one is a copy of the other");
    }
    checker.different_results(&comparison.findings, &|_| None);
    match report {
        Some(report) => checker.unknown_results(without_results(report)),
        None => checker.unheld_results(),
    }
    let names: Vec<String> = comparison.rows.iter().map(ComparisonRow::name).collect();
    let absent: HashSet<&str> = missing.iter().map(|m| m.name.as_str()).collect();
    for limit in &gate.limits {
        let mut fitting = missing.iter().any(|m| m.fits(limit, fits))
            || comparison.skipped.iter().any(|skipped| fits(&limit.pattern, &skipped.name));
        let of_limit = comparison.rows.iter().zip(&names).filter(|(_, name)| fits(&limit.pattern, name));
        let (unknown, known): (Vec<_>, Vec<_>) = of_limit.partition(|(row, _)| row.has_unknown_direction());
        if let Some(most) = limit.ratio {
            for (row, name) in &known {
                checker.ratio(name, most, row.ratio, row.interval);
            }
            // A limit on several benchmarks does not concern all their counters; a limit that fits only counters does.
            if let Some((_, name)) = unknown.first().filter(|_| known.is_empty() && !fitting) {
                checker.violates(name, format!("ratio <= {most}"), UNKNOWN_DIRECTION);
            }
        }
        fitting |= !known.is_empty() || !unknown.is_empty();
        // Limits of a cost apply to the new side: the costs of the base are past.
        for (name, estimates) in report.into_iter().flat_map(new_side).filter(|(name, _)| fits(&limit.pattern, name)) {
            fitting = true;
            checker.costs(limit, &name, estimates);
        }
        // A benchmark without a partner was not measured, but no ratio is expected of it.
        for name in comparison.only_new.iter().filter(|name| report.is_some() && fits(&limit.pattern, name)) {
            fitting = true;
            if limit.is_of_cost() {
                checker.violates(name, limit.to_string(), "it is only on the new side, and was not measured");
            }
        }
        for cost in comparison.new_costs.iter().filter(|cost| fits(&limit.pattern, &cost.name)) {
            fitting = true;
            // Already reported as not measured.
            if cost.time.is_some() || !absent.contains(cost.name.as_str()) {
                checker.saved_costs(limit, cost);
            }
        }
        checker.must_fit(limit, fitting, fits);
    }
    checker.judgement
}

pub(super) fn is_measured(case: &CaseReport) -> bool {
    case.estimates().is_some()
}

pub(super) fn has_ratio(case: &CaseReport) -> bool {
    case.estimates().is_some_and(|estimates| estimates.ratio.is_some())
}

fn with_estimates(report: &Report) -> impl Iterator<Item = (&CaseReport, &CaseEstimates)> {
    report.cases.iter().filter_map(|case| Some((case, case.estimates()?)))
}

fn new_side(report: &Report) -> impl Iterator<Item = (String, &CaseEstimates)> {
    let compared = with_estimates(report).filter(|(_, estimates)| estimates.ratio.is_some());
    compared.map(|(case, estimates)| (case.selector(), estimates))
}
