//! The comparison of two saved sides: evidence for every pair, correction for their number, words with reasons.

use super::cost::costs;
use super::facts::{differences, fact, finding, same_machine, some_of};
use super::mean::geometric_mean;
use super::pairing::{pair, Pairing};
use super::verdict::{centre_ns, evidence, has_several_modes, AssumedEvidence, Evidence, LaunchEvidence, LAUNCHES_MIN};
use super::{Saved, SavedCase, SavedDesign, SavedOptions, Shown, THRESHOLD};
use crate::comparison::{Comparison, ComparisonRow, Design, FailedRow, Side};
use crate::ratio::{SUITE_MIN, SUITE_RATE};
use crate::report::Verdict;
use tare_model::{Finding, Severity};
use tare_stats::multiplicity::benjamini_hochberg;
use tare_stats::special::{normal_cdf, normal_isf};

/// Confidence of what slower and faster are decided on, of what is shown, and of what same is decided on.
const DECIDE: f64 = 0.99;
const SHOW: f64 = 0.95;
const SAME: f64 = 0.90;
/// Rate of false words from which a chosen threshold gets a finding.
const FALSE_WORDS: f64 = 0.02;
/// Bytes an operation differ when they differ by more than this share.
const ALLOCATION_SHARE: f64 = 0.01;

/// What can be said of two saved sides.
///
/// * Both sides have 4 launches or more: Welch's interval over the mean logs of launches, with the offsets of both sessions as a
///   further variance ([`super::SESSION_SD`]). Slower and faster need the 99 % interval to exclude no change, the estimate to
///   reach the threshold and the noise, and from 5 comparisons on a Benjamini-Hochberg q of at most 5 %. Same is said for
///   runs of Tare on one machine at one reference clock alone, when the 90 % interval lies within the threshold.
/// * Fewer launches, iterations of one process, summaries: words only beyond what 3 standard deviations of
///   [`super::LAUNCH_SD`] explain, no interval and no p-value, as the data has none.
/// * Else unclear, with the reason and the command that decides.
pub fn compare_saved(base: &Saved, new: &Saved, options: &SavedOptions) -> Comparison {
    let Pairing { pairs, only_base, only_new, not_compared, findings: of_pairing } = pair(base, new, &options.renames);
    let one_machine = base.tool == "tare" && new.tool == "tare" && same_machine(base, new) && same_method(base, new);
    let found: Vec<Evidence> = pairs.iter().map(|(a, b)| evidence(a, b, one_machine, options)).collect();
    let q = corrected(&found);
    let context =
        Context { options, command: decide_with(base, new, options), comparisons: q.iter().flatten().count() };
    let rows: Vec<ComparisonRow> =
        pairs.iter().zip(&found).zip(q).map(|((pair, evidence), q)| context.row(*pair, evidence, q)).collect();
    let mut findings = of_pairing;
    findings.extend(differences(base, new));
    findings.extend(threshold_finding(&found, options));
    findings.extend(few_processes(&pairs, &found));
    for side in [base, new] {
        findings.extend(
            side.findings.iter().map(|f| Finding { evidence: format!("{}: {}", side.name, f.evidence), ..f.clone() }),
        );
    }
    let mean = geometric_mean(&rows);
    if mean.left_out > 0 {
        let evidence =
            format!("{} of {} ratios are not finite and not in the geometric mean", mean.left_out, rows.len());
        findings.push(finding(
            "mean-leaves-out",
            Severity::Warning,
            evidence,
            "look at the rows without a finite ratio",
        ));
    }
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    Comparison {
        run: String::new(),
        base: side(base),
        new: side(new),
        design: design(&pairs, &found),
        geometric_mean: mean.value,
        rows,
        only_base,
        only_new,
        not_measured: not_compared.iter().map(|(name, _)| name.clone()).collect(),
        why_not: not_compared.into_iter().collect(),
        new_costs: costs(new, options),
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
    } else if found.iter().any(|e| matches!(e, Evidence::Assumed(_))) {
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

/// What measures both sides interleaved.
fn decide_with(base: &Saved, new: &Saved, options: &SavedOptions) -> String {
    if let Some(command) = &options.decide_with {
        return command.clone();
    }
    let revision = |s: &Saved| s.machine.get(fact::REVISION).map(|r| r.chars().take(12).collect::<String>());
    match (revision(base), revision(new)) {
        (Some(a), Some(b)) if a != b => format!("tare compare {a} {b}"),
        _ => "tare compare OLD NEW".to_owned(),
    }
}

struct Context<'a> {
    options: &'a SavedOptions,
    command: String,
    comparisons: usize,
}

/// A word with its reason.
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

    fn direction(estimate: f64, remark: String) -> Judged {
        let verdict = if estimate > 0.0 { Verdict::Slower } else { Verdict::Faster };
        Judged { verdict, remark, decidable: false }
    }
}

impl Context<'_> {
    fn row(&self, (base, new): (&SavedCase, &SavedCase), evidence: &Evidence, q: Option<f64>) -> ComparisonRow {
        let judged = match evidence {
            Evidence::Launches(e) => self.judge_launches(e, q, difference_ns(base, new)),
            Evidence::Assumed(e) => self.judge_assumed(e, base, new),
        };
        let launches = match evidence {
            Evidence::Launches(e) => Some(e),
            Evidence::Assumed(_) => None,
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
            ratio: evidence.estimate().exp(),
            interval: launches.map(|e| e.ratio_interval(SHOW)),
            verdict: judged.verdict,
            p: evidence.p(),
            q,
            certified_margin: launches.filter(|e| e.at_reference).map(margin),
            minimum_effect: self.options.threshold_log().exp_m1(),
            looks: u32::from(launches.is_some()),
            launches: [base.processes(), new.processes()],
            several_modes: has_several_modes(base) || has_several_modes(new),
            remark: with_allocations(judged.remark, base, new),
            decide_with: judged
                .decidable
                .then(|| format!("{} --filter '{}'", self.command, new.name.replace('\'', "?"))),
        }
    }

    fn judge_launches(&self, e: &LaunchEvidence, q: Option<f64>, difference_ns: Option<f64>) -> Judged {
        let threshold = self.options.threshold_log();
        let reach = e.reach(DECIDE);
        let q = q.filter(|_| self.comparisons >= SUITE_MIN);
        if e.at_reference && e.estimate.abs() + e.reach(SAME) <= threshold {
            return Judged { verdict: Verdict::Same, remark: String::new(), decidable: false };
        }
        if e.estimate.abs() <= reach {
            return Judged::unclear(format!(
                "between two sessions only differences from {} can be told",
                percent(reach.max(threshold).exp_m1())
            ));
        }
        if e.estimate.abs() < threshold {
            return Judged::unclear(format!("less than the threshold of {}", percent(self.options.threshold)));
        }
        if let Some(q) = q.filter(|q| *q > SUITE_RATE) {
            return Judged::unclear(format!("not when corrected for {} comparisons (q = {q:.2})", self.comparisons));
        }
        self.below_noise(difference_ns).unwrap_or_else(|| Judged::direction(e.estimate, String::new()))
    }

    fn judge_assumed(&self, e: &AssumedEvidence, base: &SavedCase, new: &SavedCase) -> Judged {
        let processes = [base.processes(), new.processes()];
        let what = if processes == [1, 1] {
            "one process a side".to_owned()
        } else {
            format!("{} and {} processes", processes[0], processes[1])
        };
        let beyond = format!("beyond the ×{:.2} that luck is taken to explain", e.bound.exp());
        if !e.estimate.is_finite() || e.estimate.abs() <= e.bound.max(self.options.threshold_log()) {
            let assumed = percent(self.options.assumed_launch_sd());
            return Judged::unclear(format!("{what}: not {beyond} (processes taken to differ by {assumed})"));
        }
        let decided = || Judged::direction(e.estimate, format!("{what}, but {beyond}"));
        self.below_noise(difference_ns(base, new)).unwrap_or_else(decided)
    }

    /// No word for a difference within the noise, and no advice: more measuring does not make it matter.
    fn below_noise(&self, difference_ns: Option<f64>) -> Option<Judged> {
        let difference = difference_ns.filter(|d| d.abs() <= self.options.noise_ns)?;
        let remark =
            format!("the difference of {:.2} ns is below the noise of {} ns", difference.abs(), self.options.noise_ns);
        Some(Judged { verdict: Verdict::Unclear, remark, decidable: false })
    }
}

fn difference_ns(base: &SavedCase, new: &SavedCase) -> Option<f64> {
    Some(centre_ns(new)? - centre_ns(base)?)
}

/// Smallest margin within which both are the same.
fn margin(e: &LaunchEvidence) -> f64 {
    (e.estimate.abs() + e.reach(SAME)).exp_m1()
}

/// The reason, and what was allocated where it differs: a change of allocation is a change of the program, not luck.
fn with_allocations(remark: String, base: &SavedCase, new: &SavedCase) -> String {
    let Some((a, b)) = base.allocated_bytes.zip(new.allocated_bytes) else { return remark };
    if (a - b).abs() <= ALLOCATION_SHARE * a.max(b) || (a - b).abs() < 1.0 {
        return remark;
    }
    let allocated = format!("allocates {b:.0} B an operation, the base {a:.0} B");
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

/// What a threshold or a session offset below the default means.
fn threshold_finding(found: &[Evidence], options: &SavedOptions) -> Option<Finding> {
    let launches = || found.iter().filter_map(|e| if let Evidence::Launches(l) = e { Some(l) } else { None });
    let at_reference = launches().next().is_some() && launches().all(|e| e.at_reference);
    let usual = SavedOptions::default().session_sd(at_reference) * std::f64::consts::SQRT_2;
    let chosen = options.session_sd(at_reference) * std::f64::consts::SQRT_2;
    let threshold = options.threshold_log();
    // What a word needs at least, were there launches without end.
    let needed = threshold.max(normal_isf((1.0 - DECIDE) / 2.0) * chosen);
    let further = |limit: f64| 2.0 * normal_cdf(-limit / usual);
    let lowered = options.threshold < THRESHOLD && threshold < needed;
    let risky = further(needed) > FALSE_WORDS;
    if !(lowered || risky) || launches().next().is_none() {
        return None;
    }
    let beyond = format!(
        "two sessions of the same code are further apart than {} in about {} of comparisons",
        percent(options.threshold),
        percent(further(threshold))
    );
    let advice = "for smaller differences measure both sides interleaved: `tare compare`";
    Some(if risky {
        let evidence = format!("{beyond}; with what was chosen about {} get a wrong word", percent(further(needed)));
        finding("saved-threshold", Severity::Warning, evidence, advice)
    } else {
        let evidence = format!("{beyond}; words therefore still need {}", percent(needed.exp_m1()));
        finding("saved-threshold", Severity::Note, evidence, advice)
    })
}

/// How many rows have too few processes behind them.
fn few_processes(pairs: &[(&SavedCase, &SavedCase)], found: &[Evidence]) -> Option<Finding> {
    let few: Vec<String> = pairs
        .iter()
        .zip(found)
        .filter(|(_, e)| matches!(e, Evidence::Assumed(_)))
        .map(|((_, new), _)| new.key.clone())
        .collect();
    if few.is_empty() {
        return None;
    }
    let evidence = format!(
        "{} of {} comparisons have fewer than {LAUNCHES_MIN} processes on a side, so nothing in them says how much processes \
         differ: {}",
        few.len(),
        pairs.len(),
        some_of(&few)
    );
    let advice = "give several files a side, each of a process of its own, or measure with `tare compare`";
    Some(finding("few-processes", Severity::Warning, evidence, advice))
}
