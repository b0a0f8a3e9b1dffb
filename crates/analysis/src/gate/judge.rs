//! Rules and limits against what was measured.

use super::{Charge, Fits, Gate, Judgement, Limit, Rule};
use crate::comparison::{Comparison, ComparisonRow, Design, SavedCost};
use crate::findings::time_of;
use crate::report::{CaseEstimates, CaseReport, NetTime, Outcome, RatioReport, Report, Verdict};
use std::collections::HashSet;
use tare_model::Finding;
use tare_stats::interval::Interval;

/// What a gate says of several machines: it is passed when it is passed on each. `gone` are those that have no new side.
pub fn judge_matrix(compared: &[(String, Comparison)], gone: &[String], gate: &Gate, fits: Fits) -> Judgement {
    let mut all = Judgement::default();
    for (machine, comparison) in compared {
        let Judgement { failed, undecided, notes } = judge_comparison(comparison, None, gate, fits);
        let of_machine = |charge: Charge| {
            let parts = [machine.as_str(), charge.benchmark.as_str()];
            let named: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            Charge { benchmark: named.join(": "), ..charge }
        };
        all.failed.extend(failed.into_iter().map(of_machine));
        all.undecided.extend(undecided.into_iter().map(of_machine));
        all.notes.extend(notes.into_iter().map(of_machine));
    }
    if !gate.is_empty() {
        all.undecided.extend(gone.iter().map(|machine| Charge {
            benchmark: machine.clone(),
            rule: "all rules".to_owned(),
            evidence: "the machine has no new side".to_owned(),
        }));
    }
    all
}

/// Less than this is no allocation an operation: a stray one in a thousand.
const COUNT_STEP: f64 = 0.001;

const NOT_MEASURED: &str = "it was not measured";
const FAILED: &str = "it failed";
pub(super) const NO_BASELINE: &str = "it has no ratio: its baseline is not in this run, or was not measured";
const NOT_HELD: &str = "it cannot be judged on saved data, which does not hold it";

/// What a gate says of a run: its contestants against their baselines, its cases against their limits.
pub fn judge_report(report: &Report, gate: &Gate, fits: Fits) -> Judgement {
    let mut bench = Bench::new(gate);
    let compared: Vec<(String, Compared)> =
        measured(report).filter_map(|(name, e)| Some((name, Compared::of_ratio(e.ratio.as_ref()?)))).collect();
    bench.rules(&compared);
    let missing: Vec<Missing> = not_measured(report).collect();
    bench.missing(&missing, fits);
    // What was measured and has nothing to be compared with: limits of its own cost are judged all the same.
    for case in report.cases.iter().filter(|case| case.contestant && is_measured(case) && !has_ratio(case)) {
        for rule in gate.rules.iter().filter(|rule| rule.is_about_ratios()) {
            bench.charge(&case.selector(), rule.to_string(), NO_BASELINE);
        }
    }
    bench.results(&report.findings, &|case| report.cases.get(case as usize).map(|c| c.selector()));
    for limit in &gate.limits {
        let mut fitting = missing.iter().any(|m| fits(&limit.pattern, &m.name));
        for (name, estimates) in measured(report).filter(|(name, _)| fits(&limit.pattern, name)) {
            fitting = true;
            bench.costs(limit, &name, estimates);
            if let (Some(most), Some(r)) = (limit.ratio, &estimates.ratio) {
                bench.ratio(&name, most, r.ratio, Some(r.interval));
            }
        }
        // The baseline itself has no ratio; any other without one has no baseline in this run, and may cost anything of it.
        let alone = |case: &&CaseReport| !case.baseline && !has_ratio(case) && is_measured(case);
        for name in report.cases.iter().filter(alone).map(CaseReport::selector) {
            if let Some(most) = limit.ratio.filter(|_| fits(&limit.pattern, &name)) {
                bench.charge(&name, format!("ratio <= {most}"), NO_BASELINE);
            }
        }
        bench.must_fit(limit, fitting);
    }
    bench.judgement
}

/// What a gate says of a comparison; `report` is that of its run, where it has one: the times of the new side.
pub fn judge_comparison(comparison: &Comparison, report: Option<&Report>, gate: &Gate, fits: Fits) -> Judgement {
    let mut bench = Bench::new(gate);
    let compared: Vec<(String, Compared)> =
        comparison.rows.iter().map(|row| (comparison.label(row), Compared::of_row(row))).collect();
    bench.rules(&compared);
    let missing = not_compared(comparison);
    if comparison.rows.is_empty() && missing.is_empty() {
        for rule in gate.rules.iter().filter(|rule| rule.is_about_ratios()) {
            bench.charge("", rule.to_string(), "no benchmark was compared");
        }
    }
    bench.missing(&missing, fits);
    bench.results(&comparison.findings, &|_| None);
    let names: Vec<String> = comparison.rows.iter().map(ComparisonRow::name).collect();
    for limit in &gate.limits {
        let mut fitting = missing.iter().any(|m| fits(&limit.pattern, &m.name));
        for (row, name) in comparison.rows.iter().zip(&names).filter(|(_, name)| fits(&limit.pattern, name)) {
            fitting = true;
            if let Some(most) = limit.ratio {
                bench.ratio(name, most, row.ratio, row.interval);
            }
        }
        // The limits of a cost are those of the new side: what the base costs is past.
        for (name, estimates) in report.into_iter().flat_map(new_side).filter(|(name, _)| fits(&limit.pattern, name)) {
            fitting = true;
            bench.costs(limit, &name, estimates);
        }
        for cost in comparison.new_costs.iter().filter(|cost| fits(&limit.pattern, &cost.name)) {
            fitting = true;
            // That it was not measured is told already.
            if cost.time.is_some() || !missing.iter().any(|m| m.name == cost.name) {
                bench.saved_costs(limit, cost);
            }
        }
        bench.must_fit(limit, fitting);
    }
    bench.judgement
}

fn is_measured(case: &CaseReport) -> bool {
    matches!(case.outcome, Outcome::Measured(_))
}

fn has_ratio(case: &CaseReport) -> bool {
    matches!(&case.outcome, Outcome::Measured(estimates) if estimates.ratio.is_some())
}

fn measured(report: &Report) -> impl Iterator<Item = (String, &CaseEstimates)> {
    report.cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Measured(estimates) => Some((case.selector(), &**estimates)),
        _ => None,
    })
}

/// A benchmark that no gate is passed with: it may be anything.
struct Missing {
    name: String,
    /// It would have been compared.
    is_compared: bool,
    why: String,
}

/// What there was no time for, and what failed.
fn not_measured(report: &Report) -> impl Iterator<Item = Missing> + '_ {
    report.cases.iter().filter_map(|case| {
        let why = match case.outcome {
            Outcome::Measured(_) => return None,
            Outcome::NotMeasured => NOT_MEASURED,
            Outcome::Failed { .. } => FAILED,
        };
        Some(Missing { name: case.selector(), is_compared: case.contestant, why: why.to_owned() })
    })
}

/// What was not reached or has no ratio, and what failed. What failed on a saved base alone is past; what failed in a run counts.
fn not_compared(comparison: &Comparison) -> Vec<Missing> {
    let missing = |name: &String, why: &str| Missing { name: name.clone(), is_compared: true, why: why.to_owned() };
    let not_measured = comparison
        .not_measured
        .iter()
        .map(|name| missing(name, comparison.why_not.get(name).map_or(NOT_MEASURED, String::as_str)));
    let counts = |side: u32| side == 1 || comparison.design == Design::Interleaved;
    let failed = comparison.failed.iter().filter(|f| counts(f.side)).map(|f| missing(&f.name, FAILED));
    let mut all: Vec<Missing> = not_measured.chain(failed).collect();
    // What failed on both sides is told once.
    let mut seen = HashSet::new();
    all.retain(|m| seen.insert((m.name.clone(), m.why.clone())));
    all
}

fn new_side(report: &Report) -> impl Iterator<Item = (String, &CaseEstimates)> {
    measured(report).filter(|(_, estimates)| estimates.ratio.is_some())
}

/// What a rule needs to know of a comparison.
struct Compared {
    verdict: Verdict,
    ratio: f64,
    interval: Option<Interval>,
}

impl Compared {
    fn of_ratio(ratio: &RatioReport) -> Compared {
        Compared { verdict: ratio.verdict, ratio: ratio.ratio, interval: Some(ratio.interval) }
    }

    fn of_row(row: &ComparisonRow) -> Compared {
        Compared { verdict: row.verdict, ratio: row.ratio, interval: row.interval }
    }

    fn text(&self) -> String {
        ratio_text(self.ratio, self.interval)
    }

    /// The interval reaches a change of this size, in either direction; without an interval it may.
    fn reaches(&self, share: f64) -> bool {
        self.interval.is_none_or(|i| i.upper >= 1.0 + share || i.lower <= 1.0 / (1.0 + share))
    }
}

/// Collects the charges.
struct Bench<'a> {
    gate: &'a Gate,
    judgement: Judgement,
}

impl<'a> Bench<'a> {
    fn new(gate: &'a Gate) -> Bench<'a> {
        Bench { gate, judgement: Judgement::default() }
    }

    fn rules(&mut self, compared: &[(String, Compared)]) {
        for rule in &self.gate.rules {
            for (name, c) in compared {
                let charge = || Charge { benchmark: name.clone(), rule: rule.to_string(), evidence: c.text() };
                match rule {
                    Rule::Slower { from } if c.verdict == Verdict::Slower && c.ratio >= 1.0 + from.unwrap_or(0.0) => {
                        self.judgement.failed.push(charge());
                    }
                    Rule::Faster { from }
                        if c.verdict == Verdict::Faster && 1.0 / c.ratio >= 1.0 + from.unwrap_or(0.0) =>
                    {
                        self.judgement.failed.push(charge());
                    }
                    Rule::Unclear { from } if c.verdict == Verdict::Unclear && from.is_none_or(|f| c.reaches(f)) => {
                        self.judgement.undecided.push(charge());
                    }
                    _ => {}
                }
            }
        }
    }

    /// What was not measured may be anything: no gate is passed with it.
    fn missing(&mut self, missing: &[Missing], fits: Fits) {
        for Missing { name, is_compared, why } in missing {
            let rules = self.gate.rules.iter().filter(|_| *is_compared).map(Rule::to_string);
            let limits = self.gate.limits.iter().filter(|limit| fits(&limit.pattern, name)).map(Limit::to_string);
            let charge = |rule| Charge { benchmark: name.clone(), rule, evidence: why.clone() };
            let charges: Vec<Charge> = rules.chain(limits).map(charge).collect();
            self.judgement.undecided.extend(charges);
        }
    }

    /// What no gate is passed with, whether or not it asks for decisions.
    fn charge(&mut self, name: &str, rule: String, evidence: &str) {
        let charge = Charge { benchmark: name.to_owned(), rule, evidence: evidence.to_owned() };
        self.judgement.undecided.push(charge);
    }

    /// What was returned, as the finding tells it.
    fn results(&mut self, findings: &[Finding], name: &dyn Fn(u32) -> Option<String>) {
        if self.gate.rules.contains(&Rule::Different) {
            self.judgement.failed.extend(findings.iter().filter(|f| f.code == "different-results").map(|f| Charge {
                benchmark: f.case.and_then(name).unwrap_or_default(),
                rule: Rule::Different.to_string(),
                evidence: f.evidence.clone(),
            }));
        }
    }

    fn costs(&mut self, limit: &Limit, name: &str, estimates: &CaseEstimates) {
        if let Some(most) = limit.time_ns {
            self.time(name, most, &estimates.time);
        }
        if let Some(most) = limit.allocations {
            let rule = format!("allocations <= {most}");
            self.count(name, rule, most, estimates.allocations, |n| format!("{} an operation", short(n)));
        }
        if let Some(most) = limit.bytes {
            let rule = format!("bytes <= {most}");
            self.count(name, rule, most, estimates.allocated_bytes, |n| format!("{} bytes an operation", short(n)));
        }
    }

    /// The costs of a saved side. What the data does not hold may be anything; a run of Tare holds all that there was.
    fn saved_costs(&mut self, limit: &Limit, cost: &SavedCost) {
        if let Some(most) = limit.time_ns {
            match &cost.time {
                Some(time) => self.time(&cost.name, most, time),
                None => self.charge(&cost.name, format!("time <= {}", short_time(most)), NOT_HELD),
            }
        }
        let counts = [
            ("allocations", "an operation", limit.allocations, cost.allocations),
            ("bytes", "bytes an operation", limit.bytes, cost.allocated_bytes),
        ];
        for (what, unit, most, known) in counts {
            let Some(most) = most else { continue };
            let rule = format!("{what} <= {most}");
            if known.is_none() && !cost.is_run {
                self.charge(&cost.name, rule, NOT_HELD);
            } else {
                self.count(&cost.name, rule, most, known, |n| format!("{} {unit}", short(n)));
            }
        }
    }

    fn time(&mut self, name: &str, most: f64, time: &NetTime) {
        let rule = format!("time <= {}", short_time(most));
        match time {
            NetTime::Resolved { value_ns, interval: Some(interval) } => {
                let evidence =
                    format!("{} [{}, {}]", time_of(*value_ns), time_of(interval.lower), time_of(interval.upper));
                self.within(name, rule, most, *interval, evidence);
            }
            NetTime::Resolved { value_ns, interval: None } => {
                self.undecided(name, rule, format!("{}, without an interval", time_of(*value_ns)));
            }
            NetTime::Below { upper_ns } if *upper_ns <= most => {}
            NetTime::Below { upper_ns } => self.undecided(name, rule, format!("< {}", time_of(*upper_ns))),
        }
    }

    fn ratio(&mut self, name: &str, most: f64, ratio: f64, interval: Option<Interval>) {
        let rule = format!("ratio <= {most}");
        match interval {
            Some(interval) => self.within(name, rule, most, interval, ratio_text(ratio, Some(interval))),
            None => self.undecided(name, rule, ratio_text(ratio, None)),
        }
    }

    fn within(&mut self, name: &str, rule: String, most: f64, interval: Interval, evidence: String) {
        if interval.lower > most {
            self.judgement.failed.push(Charge { benchmark: name.to_owned(), rule, evidence });
        } else if interval.upper.is_nan() || interval.upper > most {
            self.undecided(name, rule, evidence);
        }
    }

    fn count(&mut self, name: &str, rule: String, most: f64, known: Option<f64>, text: impl Fn(f64) -> String) {
        match known {
            Some(n) if n >= most + COUNT_STEP => {
                self.judgement.failed.push(Charge { benchmark: name.to_owned(), rule, evidence: text(n) });
            }
            Some(_) => {}
            None => self.undecided(name, rule, "the front end does not count it".to_owned()),
        }
    }

    fn undecided(&mut self, name: &str, rule: String, evidence: String) {
        let charge = Charge { benchmark: name.to_owned(), rule, evidence };
        if self.gate.asks_for_decisions() {
            self.judgement.undecided.push(charge);
        } else {
            self.judgement.notes.push(charge);
        }
    }

    fn must_fit(&mut self, limit: &Limit, fitting: bool) {
        if !fitting {
            let evidence = "it fits no benchmark that was measured".to_owned();
            self.judgement.notes.push(Charge { benchmark: String::new(), rule: limit.to_string(), evidence });
        }
    }
}

fn ratio_text(ratio: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(i) => format!("ratio {ratio:.3} [{:.3}, {:.3}]", i.lower, i.upper),
        None => format!("ratio {ratio:.3}, without an interval"),
    }
}

/// A count without the digits that say nothing.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A time that somebody chose.
fn short_time(ns: f64) -> String {
    let unit = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")].into_iter().find(|(size, _)| ns >= *size);
    let (size, symbol) = unit.unwrap_or((1.0, "ns"));
    format!("{} {symbol}", short(ns / size))
}
