//! The cost of a neighbour for the code of a case: compares its windows alone with the shared ones.

use super::launches::LaunchVisits;
use super::value::LaunchTimes;
use crate::core::{AloneLaunches, VALID_MIN};
use tare_model::{Visit, VisitTraits};
use tare_stats::location::{mean, median};

/// Times of a case's windows by who used the core; `None` if there are too few of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WindowTimes {
    pub slow_down: Option<f64>,
    /// Log time of an operation (log ns) in shared windows, with the loop; at the reference clock.
    pub shared: Option<f64>,
}

pub(super) fn is_alone(launches: &[LaunchVisits], traits: VisitTraits) -> bool {
    let mut found = AloneLaunches::default();
    launches.iter().for_each(|launch| found.add(&launch.visits, traits));
    found.are_enough()
}

/// Means over launches of medians over visits; the slow-down is within launches. `times` are those of launches that count.
pub(super) fn window_times(
    launches: &[LaunchVisits],
    traits: VisitTraits,
    operations: f64,
    times: &[LaunchTimes],
) -> WindowTimes {
    let log = |visits: &[Visit], time: fn(&Visit, f64) -> Option<f64>| {
        let valid = visits.iter().filter(|v| v.is_valid(traits));
        let found: Vec<f64> = valid.filter_map(|visit| time(visit, operations)).collect();
        (found.len() >= VALID_MIN).then(|| median(&found)).flatten().map(f64::ln)
    };
    let (mut slower, mut shared) = (Vec::new(), Vec::new());
    for LaunchVisits { id, visits, .. } in launches {
        let Some(in_shared) = log(visits, Visit::shared_per_operation_ns) else { continue };
        slower.extend(log(visits, Visit::alone_per_operation_ns).map(|alone| in_shared - alone));
        // Corrects for the distance of the launch's clock from the reference.
        let of_launch = times.iter().find(|l| l.launch == *id);
        shared.extend(of_launch.map(|l| in_shared + l.value - l.wall_ns.ln()));
    }
    WindowTimes { slow_down: mean(&slower).map(f64::exp), shared: mean(&shared) }
}
