//! The core's clock drifts by several per cent within seconds, and no counter shows it here. Children bracket their
//! visits with a probe of a known number of cycles; times of code that follows the clock are given at a reference clock,
//! so that they repeat. How closely a body follows is estimated, not assumed: memory does not follow the core.

use crate::times::{all_times, CaseTimes};
use tare_model::{visits, Clocking, Launch, Run, Stage};
use tare_stats::location::median;

/// Standard deviation that the error of the exponent may add to the log of a time, in the median over the cases, if times are to be
/// shown at the reference clock: it adds twice as much to an interval. A clock that stays 6 % away from the reference and shows
/// nothing adds so much.
const RISK_MAX: f64 = 0.0125;

/// Length of a cycle at the reference clock, ns: the run's own where the machine has no profile.
pub fn reference_cycle_ns(run: &Run) -> Option<f64> {
    reference_or(run, || own_cycle_ns(run))
}

/// The same where the run's own is known in another way.
pub(crate) fn reference_or(run: &Run, own: impl FnOnce() -> Option<f64>) -> Option<f64> {
    if run.plan.policy.clocking == Clocking::Wall {
        return None;
    }
    run.environment().clock_reference.as_ref().map(|c| c.cycle_ns).or_else(own)
}

/// The times of a run at the clock that they are shown at, and the length of a cycle there, ns: the machine's reference, or the run's
/// own clock where that is so far from the reference, for what is known of how closely the bodies follow, that they would be
/// guesses. Runs are compared with each other at the reference.
pub(crate) fn shown_times(run: &Run) -> (Vec<CaseTimes>, Option<f64>) {
    let reference = reference_cycle_ns(run);
    let times = all_times(run, reference);
    let risks: Vec<f64> = times
        .iter()
        .filter(|t| t.exponent.is_some() && !t.launches.is_empty())
        .map(|t| t.clock_variance.sqrt())
        .collect();
    let is_guess = median(&risks).is_some_and(|risk| risk > RISK_MAX);
    match is_guess.then(|| own_cycle_ns(run)).flatten() {
        Some(own) => (all_times(run, Some(own)), Some(own)),
        None => (times, reference),
    }
}

/// Median length of a cycle over all visits of the run, ns.
pub fn own_cycle_ns(run: &Run) -> Option<f64> {
    median(&run.launches.iter().flat_map(|launch| cycles_of(run, launch)).collect::<Vec<f64>>())
}

/// Length of a cycle in each visit of a launch, ns; none without a clock probe.
pub(crate) fn cycles_of(run: &Run, launch: &Launch) -> Vec<f64> {
    let Some(probe_cycles) = probe_cycles(run, launch.case) else { return Vec::new() };
    let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
    actual.flat_map(visits).filter_map(|v| Some(v.probe_ns? / probe_cycles)).collect()
}

/// Length of the clock probe of the child of a case, in cycles.
pub fn probe_cycles(run: &Run, case: u32) -> Option<f64> {
    let artifact = run.plan.cases.get(case as usize)?.artifact;
    run.artifacts.get(artifact as usize)?.child.as_ref()?.probe_cycles
}
