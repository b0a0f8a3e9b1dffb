//! The cost of a neighbour for the code of a case: compares its windows alone with the shared ones.

use super::launches::LaunchVisits;
use super::value::{LaunchTimes, CALLS_MIN};
use crate::core::{AloneLaunches, VALID_MIN};
use tare_model::{Visit, VisitTraits};
use tare_stats::location::{mean, median};

/// A neighbour makes no call this many times as long ...
const LONG: f64 = 2.0;
/// ... as the shortest quarter of them; more long calls than this are no accident.
const ACCIDENTS: usize = 2;

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
    found.are_enough() && !has_long_calls(launches)
}

/// Whether the visits are of few calls, some of which take much longer than others: the longer a call, the more seldom it is alone, so that
/// visits alone are no fair sample of them.
fn has_long_calls(launches: &[LaunchVisits]) -> bool {
    let visits = || launches.iter().flat_map(|launch| launch.visits.iter()).filter(|visit| visit.is_usable());
    let mut times: Vec<f64> = visits().map(|visit| visit.cpu_ns.unwrap_or(visit.wall_ns) / visit.invocations).collect();
    times.sort_by(f64::total_cmp);
    let is_long = |ns: &&f64| times.get(times.len() / 4).is_some_and(|short| **ns > LONG * short);
    visits().all(|visit| visit.invocations < CALLS_MIN) && times.iter().filter(is_long).count() > ACCIDENTS
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
