//! Which launches of a case were alone on the core, by the width probe alone, and what a neighbour costs its code.

use tare_model::{Visit, VisitTraits, Windows, INTERVAL_LAUNCHES};

/// A launch with fewer valid visits says nothing (the process is dropped).
pub(crate) const VALID_MIN: usize = 4;
/// Smallest share of a case's launches with enough visits alone on the core: one in fifty seems to have been alone by chance.
const ALONE_LAUNCHES_MIN: f64 = 1.0 / 3.0;
/// A launch is left out if more than this share of its readings between two that were alone was not: a neighbour hides in its windows.
const RESTLESS: f64 = 0.1;
/// Greatest error of times (simulated), per share of brief readings and per slow-down by a neighbour.
const HIDDEN: f64 = 0.35;
/// Assumed slow-down of code if unknown.
const SLOWER: f64 = 1.9;
/// Fewest readings between alone ones for judging a launch by itself.
const BETWEEN_MIN: u32 = 10;

fn brief(windows: Windows) -> f64 {
    if windows.between > 0 {
        f64::from(windows.brief) / f64::from(windows.between)
    } else {
        0.0
    }
}

/// By how much (log) times in windows alone may be too long: a neighbour who comes and goes between two readings is not seen.
pub(crate) fn hidden(windows: Windows, slow_down: Option<f64>) -> f64 {
    HIDDEN * brief(windows) * (slow_down.unwrap_or(SLOWER) - 1.0).max(0.0)
}

/// Windows of a launch by who used the core; `None` if they were not judged.
pub(crate) fn windows_of(visits: &[Visit]) -> Option<Windows> {
    visits.iter().filter_map(|v| v.windows).reduce(Windows::plus)
}

/// Whether a neighbour came and went so often that the launch's windows alone are not reliable.
pub(crate) fn is_restless(visits: &[Visit]) -> bool {
    windows_of(visits).is_some_and(|windows| windows.between >= BETWEEN_MIN && brief(windows) > RESTLESS)
}

/// How many launches of a case were alone on the core. Decided by covariates of whole launches only, not by the times of visits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AloneLaunches {
    pub launches: usize,
    good: usize,
}

impl AloneLaunches {
    pub fn add(&mut self, visits: &[Visit], traits: VisitTraits) {
        let alone = |v: &&Visit| v.is_valid(traits) && v.is_alone();
        let enough = visits.iter().filter(alone).count() >= VALID_MIN.min(visits.len()).max(1);
        self.launches += 1;
        self.good += usize::from(enough && !is_restless(visits));
    }

    /// Whether enough launches have enough visits alone on the core.
    pub fn are_enough(&self) -> bool {
        // Fewer of them alone on the core say less than all.
        let wanted = INTERVAL_LAUNCHES.min(self.launches).max(1);
        self.good >= wanted && self.good as f64 >= ALONE_LAUNCHES_MIN * self.launches as f64
    }

    /// Whether they are not enough now, but would be with `more` further launches alone. If none was alone so far, none is expected.
    pub fn lack_at_most(&self, more: usize) -> bool {
        let all = AloneLaunches { launches: self.launches + more, good: self.good + more };
        self.good > 0 && !self.are_enough() && all.are_enough()
    }
}

#[cfg(test)]
mod tests {
    use crate::core::CoreUse;
    use crate::findings::common::{share, twelve_launches, RunBuilder};
    use crate::report::{CaseEstimates, Outcome};

    /// Twelve launches of a body of 100 ns. In `restless` of them a neighbour comes and goes within windows, so that one reading of a visit
    /// sees it and windows that seem alone take 10 % longer.
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
