//! Rows of values that are not times: bytes and allocations per operation, and custom units.
//!
//! A count does not drift with the machine, so nothing is assumed of sessions; but the processes of a side say what it varies by, and
//! below four per side there is no verdict, as for times.

use super::verdict::{evidence_of_counts, too_few, LaunchEvidence, PROCESSES_MIN};
use super::{Better, SavedCase};
use crate::comparison::{ComparisonRow, RowMetric};
use crate::report::Verdict;
use tare_stats::interval::Interval;
use tare_stats::location::mean;

/// Smallest change of a metric that gets a verdict, as a share: a count that grows by less is rounding.
const THRESHOLD: f64 = 0.01;
const DECIDE: f64 = 0.99;
const SHOW: f64 = 0.95;
const SAME: f64 = 0.90;

/// The rows of the metrics that both sides of a pair have, in the order of the new side.
pub(crate) fn rows(of_time: &ComparisonRow, base: &SavedCase, new: &SavedCase) -> Vec<ComparisonRow> {
    let of_base = |metric: &SavedCase| base.metrics.iter().find(|m| m.quantity == metric.quantity);
    new.metrics.iter().filter_map(|metric| row(of_time, of_base(metric)?, metric)).collect()
}

/// Units that one side of a pair has alone.
pub(crate) fn on_one_side<'a>(base: &'a SavedCase, new: &'a SavedCase) -> impl Iterator<Item = &'a str> {
    let lacks = |side: &'a SavedCase, m: &SavedCase| side.metrics.iter().all(|other| other.quantity != m.quantity);
    let of_base = base.metrics.iter().filter(move |m| lacks(new, m));
    of_base.chain(new.metrics.iter().filter(move |m| lacks(base, m))).map(|m| m.quantity.as_str())
}

fn row(of_time: &ComparisonRow, base: &SavedCase, new: &SavedCase) -> Option<ComparisonRow> {
    let values = |case: &SavedCase| mean(&case.launches.concat()).filter(|v| v.is_finite());
    let (before, after) = (values(base)?, values(new)?);
    let found = judged(base, new, before, after);
    // The ratio is of the cost: where more is better it is turned round.
    let is_turned = new.better == Better::Higher;
    let ratio = if is_turned { 1.0 / found.ratio } else { found.ratio };
    let interval = found.interval.map(|i| match is_turned {
        true => Interval { lower: 1.0 / i.upper, upper: 1.0 / i.lower },
        false => i,
    });
    let directed = found.differs.then_some(if ratio > 1.0 { Verdict::Slower } else { Verdict::Faster });
    let unknown = new.better == Better::Unknown || base.better != new.better;
    let (verdict, remark) = match (directed, found.same) {
        (Some(_), _) if unknown => (Verdict::Unclear, unknown_direction(&new.quantity)),
        (Some(verdict), _) => (verdict, String::new()),
        (None, true) => (Verdict::Same, String::new()),
        (None, false) => (Verdict::Unclear, found.remark),
    };
    Some(ComparisonRow {
        key: format!("{} {}", of_time.key, new.quantity),
        base_ns: None,
        new_ns: None,
        own_errors: None,
        metric: Some(RowMetric { unit: new.quantity.clone(), base: before, new: after }),
        ratio,
        interval,
        verdict,
        p: None,
        q: None,
        certified_margin: None,
        minimum_effect: if unknown { f64::INFINITY } else { found.minimum_effect },
        asked_effect: THRESHOLD.max(of_time.asked_effect),
        looks: u32::from(found.minimum_effect.is_finite()),
        launches: [base.processes(), new.processes()],
        several_modes: false,
        remark,
        decide_with: None,
        ..of_time.clone()
    })
}

fn unknown_direction(unit: &str) -> String {
    format!("the sides differ, but it is unknown whether more is better: add the line `Unit {unit} better=lower` or `better=higher` to the file")
}

/// What the values of a metric say.
struct Found {
    ratio: f64,
    interval: Option<Interval>,
    differs: bool,
    same: bool,
    minimum_effect: f64,
    remark: String,
}

fn judged(base: &SavedCase, new: &SavedCase, before: f64, after: f64) -> Found {
    let ratio = if before == after { 1.0 } else { after / before };
    let nothing = Found {
        ratio,
        interval: None,
        differs: false,
        same: false,
        minimum_effect: f64::INFINITY,
        remark: String::new(),
    };
    if base.processes().min(new.processes()) < PROCESSES_MIN {
        return Found { remark: too_few(base, new), ..nothing };
    }
    let all = |case: &SavedCase, is: &dyn Fn(f64) -> bool| case.launches.iter().flatten().all(|v| is(*v));
    if all(base, &|v| v == before) && all(new, &|v| v == before) {
        let interval = Some(Interval { lower: 1.0, upper: 1.0 });
        return Found { interval, same: true, minimum_effect: THRESHOLD, ..nothing };
    }
    let is_none = |case| all(case, &|v| v == 0.0);
    let is_some = |case| all(case, &|v| v > 0.0);
    match evidence_of_counts(base, new) {
        Some(e) if is_some(base) && is_some(new) => of_logs(&e),
        // From nothing to something in every process, or back: there is no ratio, and no doubt.
        _ if is_none(base) && is_some(new) || is_some(base) && is_none(new) => {
            Found { differs: true, minimum_effect: THRESHOLD, ..nothing }
        }
        _ => Found { remark: "it is 0 in some processes and not in others".to_owned(), ..nothing },
    }
}

fn of_logs(e: &LaunchEvidence) -> Found {
    let threshold = THRESHOLD.ln_1p();
    let needed = e.reach(DECIDE).max(threshold);
    let interval = |reach: f64| Interval { lower: (e.estimate - reach).exp(), upper: (e.estimate + reach).exp() };
    let differs = e.estimate.abs() > e.reach(DECIDE) && e.estimate.abs() >= threshold;
    Found {
        ratio: e.estimate.exp(),
        interval: Some(interval(e.reach(SHOW))),
        differs,
        same: !differs && e.estimate.abs() + e.reach(SAME) <= threshold,
        minimum_effect: needed.exp_m1(),
        remark: format!(
            "processes of the same code differ: a verdict takes a change of {:.1} %",
            100.0 * needed.exp_m1()
        ),
    }
}
