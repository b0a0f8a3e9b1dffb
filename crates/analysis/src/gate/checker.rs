//! Checks the rules and limits of a gate, and collects the violations.

use super::absent::Missing;
use super::{CountLimit, Fits, Gate, Judgement, Limit, Rule, Violation};
use crate::estimate::NetTime;
use crate::finding::{Code, Finding, Number, Unit};
use crate::ratio::RatioReport;
use crate::report::{without_others, CaseEstimates, ComparisonRow, Design, SavedCost};
use crate::saved::COUNT_STEP;
use crate::verdict::Verdict;
use tare_model::Metric;
use tare_stats::interval::Interval;

/// Rounding tolerance for an effect equal to the requested one.
const MINIMUM_TOLERANCE: f64 = 1e-6;

const NO_LIMITS: &str = "no limit is set: write one in `[limits]` of `tare.toml`";
const NO_COUNTS: &str = "no exact count was compared: see `tare help instructions`";
const NOT_HELD: &str = "saved data does not contain it";
const NOT_COUNTED: &str = "nothing counted it: see `tare help memory`";
const NO_INSTRUCTIONS: &str = "nothing counted it: see `tare help instructions`";
const RESULT_UNKNOWN: &str = "it, or its baseline, returned nothing to compare";
const RESULTS_NOT_HELD: &str = "saved data does not contain what the benchmarks returned";

pub(super) struct Compared {
    verdict: Verdict,
    ratio: f64,
    interval: Option<Interval>,
    /// Saved data: the smallest change that gets a verdict, as a share.
    minimum: Option<f64>,
    /// The smallest change asked for, as a share, for rules without one.
    asked: f64,
    /// For an exact count, every difference of which has a verdict: the smallest change for rules without a share.
    of_count: Option<f64>,
    has_unknown_direction: bool,
    /// For something that one side has none of: both amounts.
    without_ratio: Option<String>,
}

impl Compared {
    pub(super) fn of_ratio(ratio: &RatioReport) -> Compared {
        Compared {
            verdict: ratio.verdict,
            ratio: ratio.ratio,
            interval: Some(ratio.interval),
            minimum: None,
            asked: ratio.minimum_effect,
            of_count: None,
            has_unknown_direction: false,
            without_ratio: None,
        }
    }

    pub(super) fn of_row(row: &ComparisonRow, design: Design) -> Compared {
        let minimum = (design != Design::Interleaved).then_some(row.minimum_effect);
        let metric = row.metric.as_ref().filter(|_| row.has_no_ratio());
        let without_ratio = metric.map(|m| format!("from {} to {} {}", short(m.base), short(m.new), m.unit));
        Compared {
            verdict: row.verdict,
            ratio: row.ratio,
            interval: row.interval,
            minimum,
            asked: row.asked_effect,
            of_count: row.is_exact.then_some(row.asked_effect),
            has_unknown_direction: row.has_unknown_direction(),
            without_ratio,
        }
    }

    /// The evidence if a rule about a direction cannot be decided: the data neither shows nor excludes a change of that size.
    fn hides(&self, from: Option<f64>, slower: bool) -> Option<String> {
        if self.verdict != Verdict::Unclear {
            return None;
        }
        // An interval wholly beyond the limit passes no gate, whatever speaks against a verdict.
        let asked = from.unwrap_or(self.asked);
        let limit = 1.0 + asked;
        if self.interval.is_some_and(|i| if slower { i.lower > limit } else { i.upper < 1.0 / limit }) {
            return Some(self.text());
        }
        let minimum = self.minimum?;
        let excluded = self.interval.is_some_and(|i| if slower { i.upper < limit } else { i.lower > 1.0 / limit });
        if minimum <= asked * (1.0 + MINIMUM_TOLERANCE) || excluded {
            return None;
        }
        let text = self.text();
        Some(match minimum.is_finite() {
            true => format!("{text}; this data can only decide changes of at least {}", percent_of(minimum)),
            false => format!("{text}; this data cannot decide any change"),
        })
    }

    fn text(&self) -> String {
        self.without_ratio.clone().unwrap_or_else(|| ratio_text(self.ratio, self.interval))
    }

    fn least(&self, from: Option<f64>) -> f64 {
        from.or(self.of_count).unwrap_or(0.0)
    }

    /// Whether the interval reaches a change of this size, in either direction; without an interval it may.
    fn reaches(&self, share: f64) -> bool {
        self.interval.is_none_or(|i| i.upper >= 1.0 + share || i.lower <= 1.0 / (1.0 + share))
    }
}

pub(super) struct Checker<'a> {
    gate: &'a Gate,
    pub(super) judgement: Judgement,
}

impl<'a> Checker<'a> {
    pub(super) fn new(gate: &'a Gate) -> Checker<'a> {
        let mut checker = Checker { gate, judgement: Judgement::default() };
        if gate.limits.is_empty() && gate.rules.contains(&Rule::Limit) {
            checker.violates("", Rule::Limit.to_string(), NO_LIMITS);
        }
        checker
    }

    /// For each rule, the largest change comes first.
    pub(super) fn rules(&mut self, compared: &[(String, Compared)]) {
        let mut ordered: Vec<&(String, Compared)> = compared.iter().collect();
        ordered.sort_by(|(_, a), (_, b)| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
        for rule in &self.gate.rules {
            let has_direction = matches!(rule, Rule::Slower { .. } | Rule::Faster { .. });
            let has_counts = ordered.is_empty() || ordered.iter().any(|(_, c)| c.of_count.is_some());
            if matches!(rule, Rule::Counts { .. }) && !has_counts {
                self.violates("", rule.to_string(), NO_COUNTS);
            }
            for (name, c) in ordered.iter().filter(|(_, c)| !(has_direction && c.has_unknown_direction)) {
                // From nothing to something is slower, whatever the ratio; without a verdict nothing is known.
                if rule.is_about_ratios() && !c.ratio.is_finite() && c.verdict == Verdict::Unclear {
                    let why = c.without_ratio.as_ref().map(|what| format!("{what}, without a verdict"));
                    self.violates(name, rule.to_string(), why.as_deref().unwrap_or("its ratio is not a number"));
                    continue;
                }
                let violation = || Violation { benchmark: name.clone(), rule: rule.to_string(), evidence: c.text() };
                let hidden = match rule {
                    Rule::Slower { from } => c.hides(*from, true),
                    Rule::Faster { from } => c.hides(*from, false),
                    _ => None,
                };
                if let Some(evidence) = hidden {
                    self.judgement.undecided.push(Violation { evidence, ..violation() });
                    continue;
                }
                match rule {
                    Rule::Slower { from } if c.verdict == Verdict::Slower && c.ratio >= 1.0 + c.least(*from) => {
                        self.judgement.failed.push(violation());
                    }
                    Rule::Counts { from } if c.of_count.is_some() => match c.verdict {
                        Verdict::Slower if c.ratio >= 1.0 + from.unwrap_or(0.0) => {
                            self.judgement.failed.push(violation());
                        }
                        Verdict::Unclear => self.judgement.undecided.push(violation()),
                        _ => {}
                    },
                    Rule::Faster { from } if c.verdict == Verdict::Faster && 1.0 / c.ratio >= 1.0 + c.least(*from) => {
                        self.judgement.failed.push(violation());
                    }
                    Rule::Unclear { from } if c.verdict == Verdict::Unclear && from.is_none_or(|f| c.reaches(f)) => {
                        self.judgement.undecided.push(violation());
                    }
                    _ => {}
                }
            }
        }
    }

    /// Anything unmeasured could be anything: no gate passes with it.
    pub(super) fn missing(&mut self, missing: &[Missing], fits: Fits) {
        for absent in missing {
            let rules = self.gate.rules.iter().filter(|_| absent.is_compared).map(Rule::to_string);
            let limits = self.gate.limits.iter().filter(|limit| absent.fits(limit, fits)).map(Limit::to_string);
            let violation = |rule| Violation { benchmark: absent.name.clone(), rule, evidence: absent.why.clone() };
            let violations: Vec<Violation> = rules.chain(limits).map(violation).collect();
            self.judgement.undecided.extend(violations);
        }
    }

    /// Adds something with which no gate passes, whether or not it asks for decisions.
    pub(super) fn violates(&mut self, name: &str, rule: String, evidence: &str) {
        let violation = Violation { benchmark: name.to_owned(), rule, evidence: evidence.to_owned() };
        self.judgement.undecided.push(violation);
    }

    /// The same for every rule about ratios.
    pub(super) fn violate_rules(&mut self, name: &str, evidence: &str) {
        for rule in self.gate.rules.iter().filter(|rule| rule.is_about_ratios()) {
            self.violates(name, rule.to_string(), evidence);
        }
    }

    pub(super) fn nothing_compared(&mut self) {
        self.violate_rules("", "no benchmark was compared with another");
        if self.gate.rules.contains(&Rule::Different) {
            self.violates("", Rule::Different.to_string(), "no benchmark was compared with another");
        }
    }

    /// Differing results, as reported by the finding.
    pub(super) fn different_results(&mut self, findings: &[Finding], name: &dyn Fn(u32) -> Option<String>) {
        if self.gate.rules.contains(&Rule::Different) {
            self.judgement.failed.extend(findings.iter().filter(|f| f.code == Code::DifferentResults).map(|f| {
                Violation {
                    benchmark: f.case.and_then(name).unwrap_or_default(),
                    rule: Rule::Different.to_string(),
                    evidence: f.evidence.to_string(),
                }
            }));
        }
    }

    pub(super) fn unknown_results(&mut self, names: impl Iterator<Item = String>) {
        if self.gate.rules.contains(&Rule::Different) {
            names.for_each(|name| self.violates(&name, Rule::Different.to_string(), RESULT_UNKNOWN));
        }
    }

    /// Saved data does not contain results.
    pub(super) fn unheld_results(&mut self) {
        if self.gate.rules.contains(&Rule::Different) {
            self.violates("", Rule::Different.to_string(), RESULTS_NOT_HELD);
        }
    }

    pub(super) fn costs(&mut self, limit: &Limit, name: &str, estimates: &CaseEstimates) {
        let count = |CountLimit { metric, .. }: &CountLimit| {
            let launches = &estimates.found(metric)?.launches;
            let [least, greatest] =
                [launches.iter().copied().reduce(f64::min), launches.iter().copied().reduce(f64::max)];
            Some((metric.clone(), [least?, greatest?]))
        };
        let time = match &estimates.core {
            Some(core) => without_others(&estimates.time, core),
            None => estimates.time.clone(),
        };
        let cost = SavedCost {
            name: name.to_owned(),
            time: Some(time),
            allocations: estimates.metric_of_any_pass(Metric::ALLOCATIONS),
            allocated_bytes: estimates.metric_of_any_pass(Metric::ALLOCATED_BYTES),
            counts: limit.counts.iter().filter_map(count).collect(),
            is_run: true,
        };
        self.saved_costs(limit, &cost);
    }

    /// The costs of a saved side. Missing data could be anything; a run of Tare contains all there was.
    pub(super) fn saved_costs(&mut self, limit: &Limit, cost: &SavedCost) {
        if let Some(most) = limit.time_ns {
            match &cost.time {
                Some(time) => self.time(&cost.name, most, time),
                None => self.violates(&cost.name, format!("time <= {}", short_time(most)), NOT_HELD),
            }
        }
        let counts = [
            ("allocations", "per operation", limit.allocations, cost.allocations),
            ("bytes", "bytes per operation", limit.bytes, cost.allocated_bytes),
        ];
        for CountLimit { word, metric, most } in &limit.counts {
            let rule = format!("{word} <= {most}");
            match cost.counts.get(metric).copied() {
                // The same in every process, unless they show otherwise.
                Some([least, greatest]) if least < most + COUNT_STEP && greatest >= most + COUNT_STEP => {
                    let range = format!("{} to {}", short(least), short(greatest));
                    self.violates(
                        &cost.name,
                        rule,
                        &format!("{range} per operation, since it differs between processes"),
                    );
                }
                Some([_, n]) => self.count(&cost.name, rule, *most, Some(n), |n| format!("{} per operation", short(n))),
                None if cost.is_run => self.violates(&cost.name, rule, NO_INSTRUCTIONS),
                None => self.violates(&cost.name, rule, NOT_HELD),
            }
        }
        for (what, unit, most, known) in counts {
            let Some(most) = most else { continue };
            let rule = format!("{what} <= {most}");
            if known.is_none() && !cost.is_run {
                self.violates(&cost.name, rule, NOT_HELD);
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
                self.violates(name, rule, &format!("{}, without an interval", time_of(*value_ns)));
            }
            NetTime::Below { upper_ns } if *upper_ns <= most => {}
            NetTime::Below { upper_ns } => self.undecided(name, rule, format!("< {}", time_of(*upper_ns))),
        }
    }

    pub(super) fn ratio(&mut self, name: &str, most: f64, ratio: f64, interval: Option<Interval>) {
        let rule = format!("ratio <= {most}");
        match interval {
            Some(interval) => self.within(name, rule, most, interval, ratio_text(ratio, Some(interval))),
            None => self.violates(name, rule, &ratio_text(ratio, None)),
        }
    }

    fn within(&mut self, name: &str, rule: String, most: f64, interval: Interval, evidence: String) {
        if interval.lower > most {
            self.judgement.failed.push(Violation { benchmark: name.to_owned(), rule, evidence });
        } else if interval.lower.is_nan() || interval.upper.is_nan() {
            self.violates(name, rule, &evidence);
        } else if interval.upper > most {
            self.undecided(name, rule, evidence);
        }
    }

    fn count(&mut self, name: &str, rule: String, most: f64, known: Option<f64>, text: impl Fn(f64) -> String) {
        match known {
            Some(n) if !n.is_finite() => self.violates(name, rule, &text(n)),
            Some(n) if n >= most + COUNT_STEP => {
                self.judgement.failed.push(Violation { benchmark: name.to_owned(), rule, evidence: text(n) });
            }
            Some(_) => {}
            None => self.violates(name, rule, NOT_COUNTED),
        }
    }

    fn undecided(&mut self, name: &str, rule: String, evidence: String) {
        let violation = Violation { benchmark: name.to_owned(), rule, evidence };
        if self.gate.asks_for_decisions() {
            self.judgement.undecided.push(violation);
        } else {
            self.judgement.notes.push(violation);
        }
    }

    /// No gate passes with a limit that fits no existing benchmark, unless the user selected what to measure.
    pub(super) fn must_fit(&mut self, limit: &Limit, fitting: bool, fits: Fits) {
        if fitting {
            return;
        }
        let scope = &self.gate.scope;
        let evidence = "it matches no benchmark that was measured";
        let is_left_out = scope.left_out.iter().any(|name| fits(&limit.pattern, name));
        if !is_left_out && (scope.is_whole || self.gate.rules.contains(&Rule::Limit)) {
            return self.violates("", limit.to_string(), evidence);
        }
        self.judgement.notes.push(Violation {
            benchmark: String::new(),
            rule: limit.to_string(),
            evidence: evidence.to_owned(),
        });
    }
}

pub(super) fn ratio_text(ratio: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(i) => format!("ratio {ratio:.3} [{:.3}, {:.3}]", i.lower, i.upper),
        None => format!("ratio {ratio:.3}, without an interval"),
    }
}

fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn short_time(ns: f64) -> String {
    let unit = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")].into_iter().find(|(size, _)| ns >= *size);
    let (size, symbol) = unit.unwrap_or((1.0, "ns"));
    format!("{} {symbol}", short(ns / size))
}

fn percent_of(share: f64) -> String {
    Number { value: share, unit: Unit::Share }.to_string()
}

fn time_of(ns: f64) -> String {
    Number { value: ns, unit: Unit::Ns }.to_string()
}
