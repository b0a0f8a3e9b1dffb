//! The comparison of two saved sides: evidence for every pair, correction for their number, verdicts with reasons.

use super::cost::costs;
use super::facts::{fact, same_machine};
use super::mean::geometric_mean;
use super::pairing::{pair, Pairing};
use super::verdict::{centre_ns, contradiction, evidence, has_several_modes, too_few, Evidence, LaunchEvidence};
use super::{Saved, SavedCase, SavedDesign, SavedOptions, Shown};
use crate::comparison::{Comparison, ComparisonRow, Design, FailedRow, Side};
use crate::findings::{of_saved, Decide, Pairs};
use crate::ratio::{SUITE_MIN, SUITE_RATE};
use crate::report::Verdict;
use tare_stats::multiplicity::benjamini_hochberg;

/// Confidence of what slower and faster are decided on, of what is shown, and of what same is decided on.
const DECIDE: f64 = 0.99;
const SHOW: f64 = 0.95;
const SAME: f64 = 0.90;
/// Bytes an operation differ when they differ by more than this share.
const ALLOCATION_SHARE: f64 = 0.01;

/// What can be said of two saved sides.
///
/// * Both sides have 4 processes or more: Welch's interval over the mean logs of processes, or of sessions where there are 4 a
///   side, with what each side is off by as a whole as a further variance (`options.rs`). Slower and faster need the 99 %
///   interval to exclude no change, the estimate to reach the threshold and the noise, from 5 comparisons on a Benjamini-Hochberg
///   q of at most 5 %, and a CPU time that does not contradict. Same is said for runs of Tare on one machine at one reference
///   clock alone, when the 90 % interval lies within the threshold.
/// * Fewer processes, be it with ever so many iterations: unclear, with as much of an interval as there is.
pub fn compare_saved(base: &Saved, new: &Saved, options: &SavedOptions) -> Comparison {
    let Pairing { pairs, all_windows, only_base, only_new, selectors, not_compared, findings: of_pairing } =
        pair(base, new, &options.renames);
    let one_machine = base.tool == "tare" && new.tool == "tare" && same_machine(base, new) && same_method(base, new);
    let found: Vec<Evidence> = pairs.iter().map(|(a, b)| evidence(a, b, one_machine)).collect();
    let q = corrected(&found);
    let context = Context {
        options,
        sides: revisions(base, new),
        comparisons: q.iter().flatten().count(),
        is_foreign: [base, new].iter().any(|side| side.tool != "tare"),
    };
    let rows_of = |((pair, evidence), q): ((&(&SavedCase, &SavedCase), &Evidence), Option<f64>)| {
        let of_time = context.row(*pair, evidence, q);
        let metrics = super::metric::rows(&of_time, pair.0, pair.1);
        std::iter::once(of_time).chain(metrics.into_iter().filter(|row| context.is_foreign || says_something(row)))
    };
    let rows: Vec<ComparisonRow> = pairs.iter().zip(&found).zip(q).flat_map(rows_of).collect();
    let mut findings = of_pairing;
    findings.extend(of_saved(&Pairs { base, new, pairs: &pairs, all_windows: &all_windows, rows: &rows }));
    for side in [base, new] {
        findings.extend(side.findings.iter().map(|f| f.clone().of(&side.name)));
    }
    let mean = geometric_mean(&rows);
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    Comparison {
        run: String::new(),
        command: Vec::new(),
        base: side(base),
        new: side(new),
        design: design(&pairs, &found),
        geometric_mean: mean.value,
        rows,
        only_base,
        only_new,
        selectors,
        not_measured: not_compared.iter().map(|(name, _)| name.clone()).collect(),
        why_not: not_compared.into_iter().collect(),
        new_costs: costs(new),
        failed: failed(base, 0).chain(failed(new, 1)).collect(),
        layout_limited: [base, new].iter().any(|s| s.machine.get(fact::LAYOUT).map(String::as_str) != Some("varied")),
        findings,
        elapsed_s: 0.0,
    }
}

fn same_method(base: &Saved, new: &Saved) -> bool {
    base.machine.get(fact::METHOD) == new.machine.get(fact::METHOD)
}

fn side(saved: &Saved) -> Side {
    Side { name: saved.name.clone(), detail: saved.detail.clone() }
}

fn failed(saved: &Saved, side: u32) -> impl Iterator<Item = FailedRow> + '_ {
    saved.failed.iter().map(move |f| FailedRow {
        key: f.key.clone(),
        name: f.name.clone(),
        side,
        failure: f.failure.clone(),
    })
}

/// The weakest of the pairs' designs.
fn design(pairs: &[(&SavedCase, &SavedCase)], found: &[Evidence]) -> Design {
    let summary = |c: &SavedCase| matches!(c.design, SavedDesign::Summary(_));
    if pairs.iter().any(|(a, b)| summary(a) || summary(b)) {
        Design::SavedSummary
    } else if found.iter().any(|e| matches!(e, Evidence::Few(_))) {
        Design::SavedIterations
    } else {
        Design::SavedLaunches
    }
}

/// q of each comparison that has a p.
fn corrected(found: &[Evidence]) -> Vec<Option<f64>> {
    let p: Vec<f64> = found.iter().filter_map(Evidence::p).collect();
    let mut q = benjamini_hochberg(&p).into_iter();
    found.iter().map(|e| e.p().and_then(|_| q.next())).collect()
}

/// The revisions of both sides, where they are known and differ.
fn revisions(base: &Saved, new: &Saved) -> Option<[String; 2]> {
    let revision = |s: &Saved| s.machine.get(fact::REVISION).map(|r| r.chars().take(12).collect::<String>());
    revision(base).zip(revision(new)).filter(|(a, b)| a != b).map(|(a, b)| [a, b])
}

struct Context<'a> {
    options: &'a SavedOptions,
    /// The revisions of both sides.
    sides: Option<[String; 2]>,
    comparisons: usize,
    /// A side is of another tool: Tare itself drops the visits in which a program had to wait for its processor.
    is_foreign: bool,
}

/// A verdict with its reason.
struct Judged {
    verdict: Verdict,
    remark: String,
    /// More measuring would decide it.
    decidable: bool,
}

impl Judged {
    fn unclear(remark: String) -> Judged {
        Judged { verdict: Verdict::Unclear, remark, decidable: true }
    }
}

impl Context<'_> {
    fn row(&self, (base, new): (&SavedCase, &SavedCase), evidence: &Evidence, q: Option<f64>) -> ComparisonRow {
        let enough = match evidence {
            Evidence::Enough(e) => Some(e),
            Evidence::Few(_) => None,
        };
        let judged = match enough {
            Some(e) => self.judge(e, q, base, new),
            None => Judged::unclear(too_few(base, new)),
        };
        let shown = |case: &SavedCase| match case.shown {
            Some(Shown::Time(ns)) => Some(ns),
            Some(Shown::Nothing) => None,
            None => centre_ns(case),
        };
        ComparisonRow {
            key: new.key.clone(),
            group: new.group.clone(),
            name: new.name.clone(),
            parameters: new.parameters.clone(),
            language: new.language.clone(),
            base_ns: shown(base),
            new_ns: shown(new),
            own_errors: base.own_error.zip(new.own_error).map(|(a, b)| [a, b]),
            metric: None,
            ratio: evidence.estimate().exp(),
            interval: evidence.ratio_interval(SHOW),
            verdict: judged.verdict,
            p: evidence.p(),
            q,
            certified_margin: enough.filter(|e| e.at_reference).map(margin),
            minimum_effect: enough.map_or(f64::INFINITY, |e| self.needed(e).exp_m1()),
            asked_effect: self.options.threshold_log().exp_m1(),
            looks: u32::from(enough.is_some()),
            launches: [base.processes(), new.processes()],
            // Two speeds of a core that others used are theirs.
            several_modes: [base, new].iter().any(|case| !case.is_shared() && has_several_modes(case)),
            remark: with_allocations(judged.remark, base, new),
            decide_with: judged
                .decidable
                .then(|| Decide::Interleaved { sides: self.sides.clone(), only: vec![new.name.clone()] }),
        }
    }

    /// The least change (log) that gets a verdict, whatever the other comparisons say.
    fn needed(&self, e: &LaunchEvidence) -> f64 {
        let among_others = if self.comparisons >= SUITE_MIN { SUITE_RATE / self.comparisons as f64 } else { 1.0 };
        e.reach(1.0 - among_others.min(1.0 - DECIDE)).max(self.options.threshold_log())
    }

    fn judge(&self, e: &LaunchEvidence, q: Option<f64>, base: &SavedCase, new: &SavedCase) -> Judged {
        let threshold = self.options.threshold_log();
        let q = q.filter(|_| self.comparisons >= SUITE_MIN);
        if e.at_reference && e.estimate.abs() + e.reach(SAME) <= threshold {
            return Judged { verdict: Verdict::Same, remark: String::new(), decidable: false };
        }
        if e.estimate.abs() <= e.reach(DECIDE) {
            let least = percent(self.needed(e).exp_m1());
            return Judged::unclear(format!(
                "sessions of the same code may differ by this much: a verdict takes a change of {least}"
            ));
        }
        if e.estimate.abs() < threshold {
            return Judged::unclear(format!(
                "the change is below the threshold of {}",
                percent(self.options.threshold)
            ));
        }
        if let Some(q) = q.filter(|q| *q > SUITE_RATE) {
            return Judged::unclear(format!(
                "no verdict after correction for {} comparisons (q = {q:.2})",
                self.comparisons
            ));
        }
        if let Some((wall, cpu)) = contradiction(base, new).filter(|_| self.is_foreign) {
            return Judged::unclear(format!(
                "the ratio is {wall:.2} in wall time and {cpu:.2} in CPU time: other programs used the processor, or the benchmark waits"
            ));
        }
        let decided = || Judged { verdict: direction(e.estimate), remark: String::new(), decidable: false };
        self.below_noise(difference_ns(base, new)).unwrap_or_else(decided)
    }

    /// No verdict for a difference within the noise, and no advice: more measuring does not make it matter.
    fn below_noise(&self, difference_ns: Option<f64>) -> Option<Judged> {
        let difference = difference_ns.filter(|d| d.abs() <= self.options.noise_ns)?;
        let remark =
            format!("the difference of {:.2} ns is below the noise of {} ns", difference.abs(), self.options.noise_ns);
        Some(Judged { verdict: Verdict::Unclear, remark, decidable: false })
    }
}

fn direction(estimate: f64) -> Verdict {
    if estimate > 0.0 {
        Verdict::Slower
    } else {
        Verdict::Faster
    }
}

fn difference_ns(base: &SavedCase, new: &SavedCase) -> Option<f64> {
    Some(centre_ns(new)? - centre_ns(base)?)
}

/// Smallest margin within which both are the same.
fn margin(e: &LaunchEvidence) -> f64 {
    (e.estimate.abs() + e.reach(SAME)).exp_m1()
}

/// A metric that was nothing and is nothing says nothing of runs, whose children name what they may measure.
pub(crate) fn says_something(row: &ComparisonRow) -> bool {
    row.metric.as_ref().is_none_or(|metric| metric.base != 0.0 || metric.new != 0.0)
}

/// The reason, and what was allocated where it differs: a change of allocation is a change of the program, not noise.
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

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 {
        let text = format!("{percent:.1}");
        format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
    } else {
        format!("{percent:.0} %")
    }
}
