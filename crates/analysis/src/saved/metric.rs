//! Rows of values other than times: bytes and allocations per operation, and custom units. A count does not drift with the machine, so
//! nothing is assumed about sessions; below four processes per side there is no verdict, as for times.

use super::evidence::{of_counts, too_few, Sides, PROCESSES_MIN};
use super::{Better, Saved, SavedCase};
use crate::report::{ComparisonRow, CountRow, RowMetric};
use crate::verdict::{judge_alone, Evidence, Minimum, NoiseSource, Objection, Ruling, Student, Uncertainty};
use tare_model::Metric;
use tare_stats::interval::Interval;
use tare_stats::location::mean;

/// Smallest change of a metric that gets a verdict, as a share: a smaller growth of a count is rounding.
const THRESHOLD: f64 = 0.01;

/// The same for a count that the same code repeats exactly: every difference is real.
const ANY_DIFFERENCE: f64 = 1e-12;

/// A smaller difference of such a count per operation is none: something that happens once in a thousand operations does not belong to the
/// body.
pub(crate) const COUNT_STEP: f64 = 0.001;

/// Amounts behind rates are equal up to this share, as they are derived from rounded values.
const AMOUNT_SHARE: f64 = 0.005;

/// A metric in at most this share of its iterations occurs by chance: a runtime also counts its own activity.
const BY_CHANCE: f64 = 0.1;

impl Saved {
    /// Sets which values of a metric are better, as given by the user; `None` drops the metric. Returns `false` if no benchmark has it.
    pub fn direct(&mut self, metric: &str, better: Option<Better>) -> bool {
        let mut is_known = false;
        for case in &mut self.cases {
            for found in case.metrics.iter_mut().filter(|found| found.quantity == metric) {
                (is_known, found.asked) = (true, true);
                found.better = better.unwrap_or(found.better);
            }
            case.metrics.retain(|found| better.is_some() || found.quantity != metric);
        }
        is_known
    }

    pub fn metric_names(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().flat_map(|case| &case.metrics).map(|metric| metric.quantity.as_str())
    }
}

/// Whether both are the same: other tools name allocations by their unit alone.
fn is_same(one: &SavedCase, other: &SavedCase) -> bool {
    let name = |metric: &SavedCase| match metric.quantity.as_str() {
        "B/op" => format!("{} B/op", Metric::ALLOCATED_BYTES),
        "allocs/op" => format!("{}/op", Metric::ALLOCATIONS),
        other => other.to_owned(),
    };
    name(one) == name(other)
}

/// The metrics that both sides of a pair have, in the order of the new side.
fn of_both<'a>(base: &'a SavedCase, new: &'a SavedCase) -> impl Iterator<Item = (&'a SavedCase, &'a SavedCase)> {
    let of_base = |metric: &SavedCase| base.metrics.iter().find(|m| is_same(m, metric));
    new.metrics.iter().filter_map(move |metric| Some((of_base(metric)?, metric)))
}

pub(crate) fn rows(of_time: &ComparisonRow, base: &SavedCase, new: &SavedCase) -> Vec<ComparisonRow> {
    let judged = of_both(base, new).filter(|(base, new)| !is_count_alone(new) && !says_the_time(base, new));
    judged.filter_map(|(base, new)| row(of_time, base, new)).collect()
}

/// The other metrics: counts that are only shown.
pub(crate) fn counts(of_time: &ComparisonRow, base: &SavedCase, new: &SavedCase) -> Vec<CountRow> {
    let count = |(base, new): (&SavedCase, &SavedCase)| {
        let mean = |case: &SavedCase| mean(&case.launches.concat()).filter(|value| value.is_finite());
        let (before, after) = (mean(base)?, mean(new)?);
        (before != 0.0 || after != 0.0).then(|| CountRow {
            key: of_time.key.clone(),
            name: format!("{} {}", of_time.name(), new.quantity),
            metric: RowMetric { unit: new.quantity.clone(), base: before, new: after, better: new.better },
            launches: [base.processes(), new.processes()],
        })
    };
    of_both(base, new).filter(|(_, new)| is_count_alone(new)).filter_map(count).collect()
}

/// Whether a count is no cost in itself, like collections, waits or exceptions, and is only judged on request.
pub(crate) fn is_count_alone(metric: &SavedCase) -> bool {
    let name = metric.quantity.split(' ').next().unwrap_or_default();
    let name = name.strip_suffix("/op").or_else(|| name.strip_suffix("/s")).unwrap_or(name);
    !metric.asked && Metric::is_shown_alone(name)
}

/// Whether a rate only restates the time, because both sides do the same amount per operation.
fn says_the_time(base: &SavedCase, new: &SavedCase) -> bool {
    let both = base.operations.zip(new.operations).filter(|_| base.drifts && new.drifts);
    both.is_some_and(|(a, b)| (a / b - 1.0).abs() <= AMOUNT_SHARE)
}

/// Units that only one side of a pair has.
pub(crate) fn on_one_side<'a>(base: &'a SavedCase, new: &'a SavedCase) -> impl Iterator<Item = &'a str> {
    let lacks = |side: &'a SavedCase, m: &SavedCase| side.metrics.iter().all(|other| !is_same(other, m));
    let of_base = base.metrics.iter().filter(move |m| lacks(new, m));
    of_base.chain(new.metrics.iter().filter(move |m| lacks(base, m))).map(|m| m.quantity.as_str())
}

pub(crate) struct Judged {
    before: f64,
    after: f64,
    pub(crate) ratio: f64,
    pub(crate) interval: Option<Interval>,
    pub(crate) ruling: Ruling,
    looks: u32,
}

pub(crate) fn judged(base: &SavedCase, new: &SavedCase) -> Option<Judged> {
    let values = |case: &SavedCase| mean(&case.launches.concat()).filter(|v| v.is_finite());
    let (before, after) = (values(base)?, values(new)?);
    let drifts = base.drifts && new.drifts;
    let (ratio, evidence) =
        if drifts { drifting(base, new, before, after) } else { evidence(base, new, before, after) };
    // The cost is judged and shown: the inverse if more is better.
    let is_turned = new.better == Better::Higher;
    let cost = |x: f64| if is_turned { 1.0 / x } else { x };
    let interval = evidence.shown().map(|interval| interval.map(cost));
    let evidence = Evidence { estimate: if is_turned { -evidence.estimate } else { evidence.estimate }, ..evidence };
    let threshold = match (base.steady && new.steady, drifts) {
        (true, _) => ANY_DIFFERENCE,
        (_, true) => super::THRESHOLD,
        _ => THRESHOLD,
    };
    let ruling = judge_alone(&evidence, &Minimum { effect_log: threshold.ln_1p(), noise_ns: 0.0 });
    Some(Judged { before, after, ratio: cost(ratio), interval, ruling, looks: evidence.looks })
}

fn row(of_time: &ComparisonRow, base: &SavedCase, new: &SavedCase) -> Option<ComparisonRow> {
    let Judged { before, after, ratio, interval, ruling, looks } = judged(base, new)?;
    let better = if base.better == new.better { new.better } else { Better::Unknown };
    Some(ComparisonRow {
        key: format!("{} {}", of_time.key, new.quantity),
        base_ns: None,
        new_ns: None,
        own_errors: None,
        metric: Some(RowMetric { unit: new.quantity.clone(), base: before, new: after, better }),
        ratio,
        interval,
        verdict: ruling.verdict,
        p: None,
        q: None,
        certified_margin: None,
        minimum_effect: ruling.minimum_effect,
        asked_effect: THRESHOLD.max(of_time.asked_effect),
        is_exact: base.steady && new.steady,
        looks,
        launches: [base.processes(), new.processes()],
        several_modes: false,
        ratio_of_times: None,
        remark: ruling.reason.map(|reason| reason.to_string()).unwrap_or_default(),
        decide_with: None,
        ..of_time.clone()
    })
}

/// The same for times and rates, which differ between sessions of the same code like any time.
fn drifting(base: &SavedCase, new: &SavedCase, before: f64, after: f64) -> (f64, Evidence) {
    if before <= 0.0 || after <= 0.0 {
        return evidence(base, new, before, after);
    }
    let found = super::evidence::evidence(base, new, Sides { one_machine: false, is_foreign: false });
    let unknown = unknown_direction(base, new).filter(|_| found.objection.is_none());
    (found.estimate.exp(), Evidence { objection: found.objection.clone().or(unknown), difference_ns: None, ..found })
}

/// The objection to a verdict on a metric of unknown direction.
fn unknown_direction(base: &SavedCase, new: &SavedCase) -> Option<Objection> {
    let is_known = new.better != Better::Unknown && base.better == new.better;
    (!is_known).then(|| Objection::UnknownDirection { unit: new.quantity.clone() })
}

/// The ratio of the values, and the evidence about its log.
fn evidence(base: &SavedCase, new: &SavedCase, before: f64, after: f64) -> (f64, Evidence) {
    let all = |case: &SavedCase, is: &dyn Fn(f64) -> bool| case.launches.iter().flatten().all(|v| is(*v));
    let is_none = |case| all(case, &|v| v == 0.0);
    let is_some = |case| all(case, &|v| v > 0.0);
    let exact = Student { error: 0.0, df: 1.0, bound: 0.0, of: NoiseSource::Processes };
    let is_by_chance = |case: &SavedCase| case.occurs.is_some_and(|share| share <= BY_CHANCE);
    let is_one = |case: &SavedCase, value: f64| all(case, &|v| v == value);
    let is_steady =
        |case: &SavedCase| case.launches.concat().windows(2).all(|two| (two[0] - two[1]).abs() < COUNT_STEP);
    let found = if base.steady && new.steady {
        match is_steady(base) && is_steady(new) {
            true if (after - before).abs() < COUNT_STEP => Ok((0.0, exact)),
            true => Ok(((after / before).ln(), exact)),
            false => Err(Objection::Varies),
        }
    } else if base.exact && new.exact && is_one(base, before) && is_one(new, after) {
        Ok((if before == after { 0.0 } else { (after / before).ln() }, exact))
    } else if base.processes().min(new.processes()) < PROCESSES_MIN {
        Err(too_few(base, new))
    } else if all(base, &|v| v == before) && all(new, &|v| v == before) {
        Ok((0.0, exact))
    } else if is_by_chance(base) && is_by_chance(new) {
        // Neither body has any: the rest belongs to the runtime, and no ratio means anything.
        Ok((0.0, exact))
    } else {
        match of_counts(base, new) {
            Some(found) if is_some(base) && is_some(new) => Ok(found),
            // From nothing to something in every process, or back: there is no ratio, but also no doubt.
            _ if is_none(base) && is_some(new) => Ok((f64::INFINITY, exact)),
            _ if is_some(base) && is_none(new) => Ok((f64::NEG_INFINITY, exact)),
            _ => Err(Objection::SometimesZero),
        }
    };
    let unknown = unknown_direction(base, new);
    let of_means = if before == after { 1.0 } else { after / before };
    let (ratio, estimate, uncertainty, objection) = match found {
        Ok((estimate, student)) => (estimate.exp(), estimate, Some(Uncertainty::Student(student)), unknown),
        Err(objection) => (of_means, of_means.ln(), None, Some(objection)),
    };
    let looks = u32::from(uncertainty.is_some());
    (ratio, Evidence { estimate, uncertainty, p: None, may_be_same: true, looks, objection, difference_ns: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;

    #[test]
    fn of_exact_counts_every_difference_is_one_unless_processes_of_one_code_differ() {
        let side = |values: [f64; 2]| SavedCase {
            steady: true,
            launches: values.map(|value| vec![value]).to_vec(),
            ..SavedCase::new("a", "a")
        };
        let of = |base, new| {
            let found = judged(&side(base), &side(new)).expect("a verdict");
            (found.ruling.verdict, found.ratio)
        };
        assert_eq!(of([1e6; 2], [1e6; 2]), (Verdict::Same, 1.0));
        assert_eq!(of([1e6; 2], [1e6 + 1.0; 2]).0, Verdict::Slower);
        assert_eq!(of([4.0; 2], [3.0; 2]), (Verdict::Faster, 0.75));
        assert_eq!(of([0.0; 2], [3.0; 2]).0, Verdict::Slower);
        // One in ten thousand operations does not belong to the body.
        assert_eq!(of([4.0; 2], [4.0001; 2]), (Verdict::Same, 1.0));
        let varies = judged(&side([100.0, 104.0]), &side([100.0; 2])).expect("a ruling").ruling;
        assert_eq!(
            (varies.verdict, varies.reason),
            (Verdict::Unclear, Some(crate::verdict::Reason::Objection(Objection::Varies)))
        );
    }
}
