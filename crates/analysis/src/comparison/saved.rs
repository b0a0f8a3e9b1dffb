//! The comparison of two saved sides: evidence for every pair, correction for their number, verdicts with reasons.

use super::cost::costs;
use super::geometric_mean;
use super::pairing::{pair, Pairing};
use super::run::with_other_ratio;
use super::skips::{failures, skips};
use crate::findings::{of_saved, Pairs};
use crate::ratio::ratio_of_times;
use crate::report::{Comparison, ComparisonRow, CountRow, Design, FailedRow, Side};
use crate::saved::{
    evidence, fact, has_several_modes, metric_counts, metric_rows, of_one_code, of_other_machine, same_machine,
    shown_ns, Saved, SavedCase, SavedDesign, SavedOptions, Sides, PROCESSES_MIN, WALL_TIME,
};
use crate::verdict::{judge_all, Evidence, Minimum, Remedy, Ruling};
use tare_model::CommandLine;

type Pair<'a> = (&'a SavedCase, &'a SavedCase);

/// Allocated bytes per operation count as different from this share on.
const ALLOCATION_SHARE: f64 = 0.01;

/// The conclusions about two saved sides. From 4 processes per side on: Welch's interval over their mean logs, or over sessions if there
/// are 4 per side, with an offset of each side as a whole (`options.rs`). Only runs of Tare on one machine at one reference clock can be
/// `same`. With fewer processes, no matter how many iterations: unclear.
pub fn compare_saved(base: &Saved, new: &Saved, options: &SavedOptions) -> Comparison {
    let moved = base.at_clock_of(new);
    let base = moved.as_ref().unwrap_or(base);
    let mut renames = of_one_code(base, new);
    renames.extend(of_other_machine(base, new));
    renames.extend(options.renames.clone());
    let mut pairing = pair(base, new, &renames);
    failures(base, new, &renames, &mut pairing);
    let skipped = skips(base, new, &renames, &mut pairing);
    let Pairing {
        pairs,
        without_time,
        all_windows,
        only_base,
        only_new,
        selectors,
        not_compared,
        findings: of_pairing,
        ..
    } = pairing;
    let sides = Sides {
        one_machine: base.tool == "tare" && new.tool == "tare" && same_machine(base, new) && same_method(base, new),
        is_foreign: [base, new].iter().any(|side| side.tool != "tare"),
    };
    let minimum = Minimum { effect_log: options.threshold_log(), noise_ns: options.noise_ns };
    let found: Vec<(Evidence, Minimum)> = pairs.iter().map(|(a, b)| (evidence(a, b, sides), minimum)).collect();
    let revisions = revisions(base, new);
    let rows_of = |((pair, (evidence, _)), ruling): ((&Pair, &(Evidence, Minimum)), Ruling)| {
        let of_time = row(*pair, evidence, ruling, options, revisions.clone());
        let metrics = metric_rows(&of_time, pair.0, pair.1);
        std::iter::once(of_time).chain(metrics.into_iter().filter(|row| sides.is_foreign || says_something(row)))
    };
    let mut rows: Vec<ComparisonRow> = pairs.iter().zip(&found).zip(judge_all(&found)).flat_map(rows_of).collect();
    rows.extend(without_time.iter().flat_map(|pair| metrics_alone(*pair, sides, minimum, options)));
    let counts = counts(&pairs, &rows);
    let mut findings = of_pairing;
    findings.extend(of_saved(&Pairs { base, new, pairs: &pairs, all_windows: &all_windows, rows: &rows }));
    for side in [base, new] {
        findings.extend(side.findings.iter().map(|f| f.clone().of(&side.name)));
    }
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    Comparison {
        run: String::new(),
        request: CommandLine::default(),
        base: side(base),
        new: side(new),
        design: design(&pairs, &found, &rows),
        geometric_mean: geometric_mean(&rows),
        rows,
        only_base,
        only_new,
        selectors,
        not_measured: not_compared.iter().map(|(name, _)| name.clone()).collect(),
        why_not: not_compared.into_iter().collect(),
        values: pairs.iter().map(|(a, b)| (b.key.clone(), [a.launches.clone(), b.launches.clone()])).collect(),
        new_costs: costs(new),
        counted: counts,
        failed: failed(base, 0).chain(failed(new, 1)).collect(),
        skipped,
        layout_limited: [base, new].iter().any(|s| s.machine.get(fact::LAYOUT).map(String::as_str) != Some("varied")),
        findings,
        elapsed_s: 0.0,
    }
}

/// Counts of the pairs that are shown but not judged.
fn counts(pairs: &[Pair], rows: &[ComparisonRow]) -> Vec<CountRow> {
    let times = rows.iter().filter(|row| row.metric.is_none());
    pairs.iter().zip(times).flat_map(|((base, new), row)| metric_counts(row, base, new)).collect()
}

fn same_method(base: &Saved, new: &Saved) -> bool {
    base.machine.get(fact::METHOD) == new.machine.get(fact::METHOD)
}

fn side(saved: &Saved) -> Side {
    Side { name: saved.name.clone(), detail: saved.detail.clone() }
}

fn failed(saved: &Saved, side: u32) -> impl Iterator<Item = FailedRow> + '_ {
    saved.failed.iter().filter(|f| f.failure.skipped().is_none()).map(move |f| FailedRow {
        key: f.key.clone(),
        name: f.name.clone(),
        language: f.language.clone(),
        side,
        failure: f.failure.clone(),
    })
}

fn design(pairs: &[Pair], found: &[(Evidence, Minimum)], rows: &[ComparisonRow]) -> Design {
    let summary = |c: &SavedCase| matches!(c.design, SavedDesign::Summary(_));
    if pairs.iter().any(|(a, b)| summary(a) || summary(b)) {
        Design::SavedSummary
    } else if found.iter().any(|(evidence, _)| evidence.is_of_few()) || (pairs.is_empty() && of_few(rows)) {
        Design::SavedIterations
    } else {
        Design::SavedLaunches
    }
}

fn of_few(rows: &[ComparisonRow]) -> bool {
    rows.iter().flat_map(|row| row.launches).any(|launches| launches < PROCESSES_MIN)
}

fn metrics_alone(pair: Pair, sides: Sides, minimum: Minimum, options: &SavedOptions) -> Vec<ComparisonRow> {
    let nothing = [(evidence(pair.0, pair.1, sides), minimum)];
    let of_time = judge_all(&nothing).into_iter().map(|ruling| row(pair, &nothing[0].0, ruling, options, None));
    of_time.flat_map(|of_time| metric_rows(&of_time, pair.0, pair.1)).collect()
}

fn revisions(base: &Saved, new: &Saved) -> Option<[String; 2]> {
    let revision = |s: &Saved| s.machine.get(fact::REVISION).map(|r| r.chars().take(12).collect::<String>());
    revision(base).zip(revision(new)).filter(|(a, b)| a != b).map(|(a, b)| [a, b])
}

fn row(
    (base, new): Pair,
    evidence: &Evidence,
    ruling: Ruling,
    options: &SavedOptions,
    sides: Option<[String; 2]>,
) -> ComparisonRow {
    let shown = shown_ns(base, new);
    let reason = ruling.reason.as_ref();
    let both = shown[0].zip(shown[1]).zip(evidence.shown());
    let ratio_of_times = both.and_then(|((base, new), interval)| ratio_of_times([base, new], interval));
    let remedy = Remedy::Interleave { sides, only: vec![new.name.clone()] };
    ComparisonRow {
        key: new.key.clone(),
        group: new.group.clone(),
        name: new.name.clone(),
        parameters: new.parameters.clone(),
        language: new.language.clone(),
        base_ns: shown[0],
        new_ns: shown[1],
        own_errors: base.own_error.zip(new.own_error).map(|(a, b)| [a, b]),
        metric: None,
        ratio: evidence.estimate.exp(),
        interval: evidence.shown(),
        verdict: ruling.verdict,
        p: evidence.p,
        q: ruling.q,
        certified_margin: ruling.margin,
        minimum_effect: ruling.minimum_effect,
        asked_effect: options.threshold_log().exp_m1(),
        is_exact: false,
        looks: evidence.looks,
        launches: [base.processes(), new.processes()],
        // On a shared core, two speeds come from the others.
        several_modes: [base, new].iter().any(|case| !case.is_shared() && has_several_modes(case)),
        ratio_of_times,
        remark: with_time(with_allocations(with_other_ratio(reason, ratio_of_times), base, new), new),
        decide_with: remedy.of(ruling.verdict, reason),
    }
}

/// Nothing on both sides says nothing in runs, whose children name everything that they may measure.
pub(crate) fn says_something(row: &ComparisonRow) -> bool {
    row.metric.as_ref().is_none_or(|metric| metric.base != 0.0 || metric.new != 0.0)
}

/// The remark, with the kind of time if it is not the expected one.
fn with_time(remark: String, case: &SavedCase) -> String {
    match (case.quantity.as_str(), remark.is_empty()) {
        (WALL_TIME, _) => remark,
        (other, true) => format!("judged by {other}"),
        (other, false) => format!("{remark}; judged by {other}"),
    }
}

/// The reason, with the allocations if they differ: a change of allocation is a change of the program, not noise.
fn with_allocations(remark: String, base: &SavedCase, new: &SavedCase) -> String {
    let Some((a, b)) = base.allocated_bytes.zip(new.allocated_bytes).filter(|_| new.metrics.is_empty()) else {
        return remark;
    };
    if (a - b).abs() <= ALLOCATION_SHARE * a.max(b) || (a - b).abs() < 1.0 {
        return remark;
    }
    let allocated = format!("allocates {b:.0} B per operation, the base {a:.0} B");
    if remark.is_empty() {
        allocated
    } else {
        format!("{remark}; {allocated}")
    }
}
