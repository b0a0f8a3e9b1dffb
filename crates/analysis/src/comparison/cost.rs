//! The costs of the benchmarks of a saved side, on which limits of time and allocations are judged.

use crate::estimate::NetTime;
use crate::report::{without_others, SavedCost};
use crate::saved::{assumed_bound, centre_ns, launch_logs, Saved, SavedCase, ShownTime};
use std::collections::BTreeMap;
use tare_stats::interval::{t_interval_log, Interval};

pub(super) fn costs(saved: &Saved) -> Vec<SavedCost> {
    let cost = |case: &SavedCase| SavedCost {
        name: case.selector(),
        time: time(case).map(|time| match case.core {
            Some(core) => without_others(&time, &core),
            None => time,
        }),
        allocations: case.allocations,
        allocated_bytes: case.allocated_bytes,
        counts: counts(case),
        is_run: saved.tool == "tare",
    };
    saved.cases.iter().map(cost).collect()
}

fn counts(case: &SavedCase) -> BTreeMap<String, [f64; 2]> {
    let steady = case.metrics.iter().filter(|metric| metric.steady);
    let count = |metric: &SavedCase| {
        let name = metric.quantity.strip_suffix("/op").unwrap_or(&metric.quantity);
        (name.to_owned(), [metric.launches.concat().into_iter().fold(0.0, f64::max); 2])
    };
    steady.map(count).collect()
}

/// The time with the interval of its run; else over launches; else as wide as luck is assumed to explain.
fn time(case: &SavedCase) -> Option<NetTime> {
    let resolved = |value_ns, interval| NetTime::Resolved { value_ns, interval: Some(interval) };
    match (case.shown, case.shown_interval) {
        (Some(ShownTime::Time(value_ns)), Some(interval)) => return Some(resolved(value_ns, interval)),
        (Some(ShownTime::Nothing), Some(interval)) => return Some(NetTime::Below { upper_ns: interval.upper }),
        _ => {}
    }
    let centre = centre_ns(case)?;
    let interval = launch_logs(case).and_then(|logs| t_interval_log(&logs, 0.95)).map_or_else(
        || {
            let bound = assumed_bound(case).exp();
            Interval { lower: centre / bound, upper: centre * bound }
        },
        |estimate| estimate.interval,
    );
    match case.shown {
        None => Some(resolved(centre, interval)),
        // Values include the loop, the shown time does not.
        Some(ShownTime::Time(value_ns)) => {
            let lower = (interval.lower - centre + value_ns).max(0.0);
            Some(resolved(value_ns, Interval { lower, upper: interval.upper - centre + value_ns }))
        }
        Some(ShownTime::Nothing) => Some(NetTime::Below { upper_ns: interval.upper }),
    }
}
