//! Rules and limits against what was measured.

use super::absent::{no_ratio, not_compared, not_measured, why_no_ratio, without_results, Missing};
use super::checker::{Checker, Compared};
use super::{Fits, Gate, Judgement};
use crate::report::{CaseEstimates, CaseReport, Comparison, ComparisonRow, Outcome, Report};
use crate::saved::PROCESSES_MIN;
use std::collections::HashSet;

/// Why a limit of a counter alone cannot be judged.
const UNKNOWN_DIRECTION: &str = "it is unknown which of its values are better";

/// What a gate says of a run: its contestants against their baselines, its cases against their limits.
pub fn judge_report(report: &Report, gate: &Gate, fits: Fits) -> Judgement {
    let mut checker = Checker::new(gate);
    // A pattern is of benchmarks, a message of one case: with its job.
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
    // What was measured and has nothing to be compared with: limits of its own cost are judged all the same.
    for (name, why) in &alone {
        checker.violate_rules(name, why);
    }
    checker.different_results(&report.findings, &|case| report.cases.get(case as usize).map(name));
    checker.unknown_results(without_results(report));
    for limit in &gate.limits {
        // What is skipped is there, and costs nothing.
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
        // The baseline itself has no ratio; any other without one has no baseline in this run, and may cost anything of it.
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

/// Two sides of different names hold the same values. Rounded ones may be equal, so there must be several.
fn is_copy(comparison: &Comparison) -> bool {
    let mut different = HashSet::new();
    comparison.base.name != comparison.new.name
        && comparison.rows.iter().all(|row| row.ratio == 1.0)
        && comparison.values.values().all(|[base, new]| {
            different.extend(new.iter().flatten().map(|value| value.to_bits()));
            base == new
        })
        && different.len() >= PROCESSES_MIN
}

/// What a gate says of a comparison; `report` is that of its run, where it has one: the times of the new side.
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
            // A limit of several benchmarks is not of every counter that they have; one of counters alone is.
            if let Some((_, name)) = unknown.first().filter(|_| known.is_empty() && !fitting) {
                checker.violates(name, format!("ratio <= {most}"), UNKNOWN_DIRECTION);
            }
        }
        fitting |= !known.is_empty() || !unknown.is_empty();
        // The limits of a cost are those of the new side: what the base costs is past.
        for (name, estimates) in report.into_iter().flat_map(new_side).filter(|(name, _)| fits(&limit.pattern, name)) {
            fitting = true;
            checker.costs(limit, &name, estimates);
        }
        // Without a partner it was not measured. A ratio it cannot have.
        for name in comparison.only_new.iter().filter(|name| report.is_some() && fits(&limit.pattern, name)) {
            fitting = true;
            if limit.is_of_cost() {
                checker.violates(name, limit.to_string(), "it is only on the new side, and was not measured");
            }
        }
        for cost in comparison.new_costs.iter().filter(|cost| fits(&limit.pattern, &cost.name)) {
            fitting = true;
            // That it was not measured has been said.
            if cost.time.is_some() || !absent.contains(cost.name.as_str()) {
                checker.saved_costs(limit, cost);
            }
        }
        checker.must_fit(limit, fitting, fits);
    }
    checker.judgement
}

pub(super) fn is_measured(case: &CaseReport) -> bool {
    matches!(case.outcome, Outcome::Measured(_))
}

pub(super) fn has_ratio(case: &CaseReport) -> bool {
    matches!(&case.outcome, Outcome::Measured(estimates) if estimates.ratio.is_some())
}

fn with_estimates(report: &Report) -> impl Iterator<Item = (&CaseReport, &CaseEstimates)> {
    report.cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Measured(estimates) => Some((case, &**estimates)),
        _ => None,
    })
}

fn measured(report: &Report) -> impl Iterator<Item = (String, &CaseEstimates)> {
    with_estimates(report).map(|(case, estimates)| (case.selector(), estimates))
}

fn new_side(report: &Report) -> impl Iterator<Item = (String, &CaseEstimates)> {
    measured(report).filter(|(_, estimates)| estimates.ratio.is_some())
}
