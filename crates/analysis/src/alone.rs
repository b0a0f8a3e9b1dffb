//! Which launches of a case were alone on the core, by the width probe alone, and what a neighbour costs its code (method 5.5).

use crate::times::{LaunchTimes, VALID_MIN};
use crate::windows::Judge;
use std::sync::Arc;
use tare_model::{Draw, Visit, VisitTraits, Windows};
use tare_stats::location::{mean, median};

/// Share of a case's launches that must have enough visits alone on the core, if its times are to be of those: of launches that never
/// were, one in fifty seems to have been.
const ALONE_LAUNCHES_MIN: f64 = 1.0 / 3.0;
/// Launches that an interval needs: fewer of them alone on the core say less than all.
const INTERVAL_MIN: usize = 4;
/// Share of the readings between others that were alone which were not, up to which windows are alone: beyond it a neighbour comes and
/// goes within windows, and times may be too long by more than 0.7 % (simulated: at most 0.2 times this share and the slow-down).
const BRIEF_MAX: f64 = 0.06;
/// The same for one launch, whose few readings say less: beyond it the launch is left out.
const RESTLESS: f64 = 0.1;
/// By how much times are too long at most (simulated): so much of the readings between others that were alone which were not, times
/// what a neighbour adds to the code.
const HIDDEN: f64 = 0.2;
/// Slow-down of code of which it is not known.
const SLOWER: f64 = 1.9;
/// Readings between others that were alone which a launch needs to be judged by itself.
const BETWEEN_MIN: u32 = 10;

/// The visits of one launch.
#[derive(Debug, Clone)]
pub(crate) struct LaunchVisits {
    pub(crate) id: u32,
    pub(crate) group: u32,
    pub(crate) wave: u32,
    pub(crate) draw: Draw,
    pub(crate) judge: Option<Judge>,
    pub(crate) visits: Arc<[Visit]>,
}

/// What the two kinds of windows of a case take; None where there are too few of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Kinds {
    /// Shared windows over windows alone.
    pub slow_down: Option<f64>,
    /// Log time of an operation (log ns) in shared windows, with the loop; at the reference clock.
    pub shared: Option<f64>,
}

/// Share of the readings between others that were alone which were not.
fn brief(windows: Windows) -> f64 {
    if windows.between > 0 {
        f64::from(windows.brief) / f64::from(windows.between)
    } else {
        0.0
    }
}

/// By how much (log) times in windows alone may be too long: a neighbour that comes and goes between two readings is not seen.
pub(crate) fn hidden(windows: Windows, slow_down: Option<f64>) -> f64 {
    HIDDEN * brief(windows) * (slow_down.unwrap_or(SLOWER) - 1.0).max(0.0)
}

/// Windows of a launch by who used the core; None where they were not judged.
fn windows_of(visits: &[Visit]) -> Option<Windows> {
    visits.iter().filter_map(|v| v.windows).reduce(Windows::plus)
}

/// Whether a neighbour came and went so often that windows alone of a launch are not, whatever those of other launches are.
fn is_restless(visits: &[Visit]) -> bool {
    windows_of(visits).is_some_and(|windows| windows.between >= BETWEEN_MIN && brief(windows) > RESTLESS)
}

impl LaunchVisits {
    /// Its windows by who used the core; None where they were not judged.
    pub(crate) fn windows(&self) -> Option<Windows> {
        windows_of(&self.visits)
    }

    /// See [`is_restless`].
    pub(crate) fn is_restless(&self) -> bool {
        is_restless(&self.visits)
    }
}

/// How many launches of a case were alone on the core. By covariates alone, and of whole launches: what a visit took is not looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AloneLaunches {
    launches: usize,
    good: usize,
    /// Of the good ones.
    windows: Windows,
}

impl AloneLaunches {
    /// Takes the visits of a launch in, whose windows are judged.
    pub fn add(&mut self, visits: &[Visit], traits: VisitTraits) {
        let alone = |v: &&Visit| v.is_valid(traits) && v.is_alone();
        let enough = visits.iter().filter(alone).count() >= VALID_MIN.min(visits.len()).max(1);
        self.launches += 1;
        if enough && !is_restless(visits) {
            self.good += 1;
            self.windows = self.windows.plus(windows_of(visits).unwrap_or_default());
        }
    }

    /// Launches so far.
    pub fn launches(&self) -> usize {
        self.launches
    }

    /// Enough launches have enough visits alone on the core, and no neighbour hides in them.
    pub fn are_enough(&self) -> bool {
        let wanted = INTERVAL_MIN.min(self.launches).max(1);
        brief(self.windows) <= BRIEF_MAX
            && self.good >= wanted
            && self.good as f64 >= ALONE_LAUNCHES_MIN * self.launches as f64
    }

    /// They are not enough, and would be with so many launches more if all of them were alone on the core. Where none was so far, none is
    /// expected.
    pub fn lack_at_most(&self, more: usize) -> bool {
        let all = AloneLaunches { launches: self.launches + more, good: self.good + more, ..*self };
        self.good > 0 && !self.are_enough() && all.are_enough()
    }
}

/// See [`AloneLaunches::are_enough`].
pub(crate) fn is_alone(launches: &[LaunchVisits], traits: VisitTraits) -> bool {
    let mut found = AloneLaunches::default();
    launches.iter().for_each(|launch| found.add(&launch.visits, traits));
    found.are_enough()
}

/// Means over launches of medians over visits; the slow-down is that within launches, since each has its own luck. `times` are those
/// of the launches that count.
pub(crate) fn kinds(launches: &[LaunchVisits], traits: VisitTraits, operations: f64, times: &[LaunchTimes]) -> Kinds {
    let log = |visits: &[Visit], time: fn(&Visit, f64) -> Option<f64>| {
        let valid = visits.iter().filter(|v| v.is_valid(traits));
        let found: Vec<f64> = valid.filter_map(|visit| time(visit, operations)).collect();
        (found.len() >= VALID_MIN).then(|| median(&found)).flatten().map(f64::ln)
    };
    let (mut slower, mut shared) = (Vec::new(), Vec::new());
    for LaunchVisits { id, visits, .. } in launches {
        let Some(in_shared) = log(visits, Visit::shared_per_operation_ns) else { continue };
        slower.extend(log(visits, Visit::alone_per_operation_ns).map(|alone| in_shared - alone));
        // What the clock of the launch was away from the reference.
        let of_launch = times.iter().find(|l| l.launch == *id);
        shared.extend(of_launch.map(|l| in_shared + l.value - l.wall_ns.ln()));
    }
    Kinds { slow_down: mean(&slower).map(f64::exp), shared: mean(&shared) }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{share, twelve_launches, RunBuilder};
    use crate::report::{CaseEstimates, CoreUse, Outcome};

    /// Twelve launches of a body of 100 ns. Beside `restless` of them a neighbour comes and goes within windows, so that one reading of
    /// a visit sees him and windows that seem alone take 10 % longer.
    fn beside_a_restless_neighbour(restless: u32) -> CaseEstimates {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("a", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, launch, _| if launch < restless { 0.1 } else { 0.0 });
        for launch in &mut builder.run.launches {
            let is_restless = launch.id < restless;
            share(launch, 1.7, |_, reading| is_restless && reading == 5);
        }
        match crate::analyse(&builder.run()).cases.remove(0).outcome {
            Outcome::Measured(estimates) => *estimates,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_launch_beside_a_restless_neighbour_is_left_out() {
        let found = beside_a_restless_neighbour(2);
        let value = found.raw.expect("an interval").value;
        assert!((value / 100.0 - 1.0).abs() < 0.004, "{value}");
        assert_eq!(found.core.map(|c| c.times), Some(CoreUse::Alone));
        assert_eq!((found.launches.len(), found.visits.shared, found.visits.disturbed), (10, 48, 0));
    }

    #[test]
    fn beside_many_of_them_the_times_are_those_of_all_windows() {
        let found = beside_a_restless_neighbour(9);
        assert_eq!(found.core.map(|c| c.times), Some(CoreUse::Any));
        assert_eq!((found.launches.len(), found.visits.shared), (12, 0));
    }
}
