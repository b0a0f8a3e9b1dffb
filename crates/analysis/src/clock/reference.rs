//! The core's clock drifts by several per cent within seconds. Times of code that follows it are given at a reference clock, so that they
//! repeat. How closely a body follows is estimated.

use super::exponent::prior;
use tare_model::{visits, Clocking, Launch, Run, Stage};
use tare_stats::location::median;

/// Times are given at the reference clock only if the error of the exponent adds at most this standard deviation to their logs (median over
/// the cases). It adds twice as much to an interval.
pub(crate) const RISK_MAX: f64 = 0.0125;
/// How many more of the latest runs another reference must serve to replace the present one.
const MORE_SERVED: usize = 3;

/// Length of a cycle at the reference clock, ns: the run's own if the machine has no profile.
pub fn reference_cycle_ns(run: &Run) -> Option<f64> {
    reference_or(run, || own_cycle_ns(run))
}

/// The same with another source of the run's own cycle length.
pub(crate) fn reference_or(run: &Run, own: impl FnOnce() -> Option<f64>) -> Option<f64> {
    if run.plan.policy.clocking == Clocking::Wall {
        return None;
    }
    run.environment().clock_reference.as_ref().map(|c| c.cycle_ns).or_else(own)
}

/// A better reference clock for later runs, from those of the latest runs (ns per cycle, greater than 0). `None` while the current
/// reference serves nearly as many of them, as each move changes the times that a user sees.
pub fn better_reference(reference_cycle_ns: f64, recent_cycle_ns: &[f64]) -> Option<f64> {
    let reach = RISK_MAX / prior().variance.sqrt();
    let served = |reference: f64| recent_cycle_ns.iter().filter(|c| (*c / reference).ln().abs() <= reach).count();
    // Slightly less than twice the reach, so that rounding excludes neither end of a range.
    let range_above = |shortest: &f64| {
        let in_range = recent_cycle_ns.iter().filter(|c| (0.0..1.999 * reach).contains(&(*c / shortest).ln()));
        let (runs, longest) = in_range.fold((0, *shortest), |(runs, longest), c| (runs + 1, longest.max(*c)));
        (runs, (shortest * longest).sqrt())
    };
    let nearness = |middle: f64| -(middle / reference_cycle_ns).ln().abs();
    let ranges = recent_cycle_ns.iter().map(range_above);
    let (_, best) = ranges.max_by(|a, b| a.0.cmp(&b.0).then(nearness(a.1).total_cmp(&nearness(b.1))))?;
    (served(best) >= served(reference_cycle_ns) + MORE_SERVED).then_some(best)
}

pub fn own_cycle_ns(run: &Run) -> Option<f64> {
    median(&run.launches.iter().flat_map(|launch| cycles_of(run, launch)).collect::<Vec<f64>>())
}

/// Length of a cycle in each visit of a launch, ns; empty without a clock probe.
pub(crate) fn cycles_of(run: &Run, launch: &Launch) -> Vec<f64> {
    let Some(probe_cycles) = probe_cycles(run, launch.case) else { return Vec::new() };
    let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
    actual.flat_map(visits).filter_map(|v| Some(v.probe_ns? / probe_cycles)).collect()
}

/// Length of the clock probe of the child of a case, in cycles; `None` if the child has none.
pub fn probe_cycles(run: &Run, case: u32) -> Option<f64> {
    let artifact = run.plan.cases.get(case as usize)?.artifact;
    run.artifacts.get(artifact as usize)?.child.as_ref()?.probe_cycles
}

#[cfg(test)]
mod tests {
    use super::better_reference;

    #[test]
    fn the_reference_moves_where_most_of_the_latest_runs_are_far_from_it() {
        let moved = |reference: f64, recent: &[f64]| better_reference(reference, recent);
        assert_eq!(moved(0.25, &[]), None);
        // One or two runs far away are no reason.
        assert_eq!(moved(0.25, &[0.25, 0.22, 0.22]), None);
        // The first run was at one end; the middle serves all.
        let middle = moved(0.25, &[0.25, 0.23, 0.23, 0.23]).expect("a move");
        assert!((middle - (0.25_f64 * 0.23).sqrt()).abs() < 1e-12, "{middle}");
        assert_eq!(moved(middle, &[0.25, 0.23, 0.23, 0.23]), None, "and stays");
        // A lasting change of the clock, too far for a middle: it needs most of the list.
        let switched = |n: usize| [vec![0.25; 12 - n], vec![0.2; n]].concat();
        assert_eq!(moved(0.25, &switched(7)), None);
        assert_eq!(moved(0.25, &switched(8)), Some(0.2));
    }

    #[test]
    fn whatever_the_clocks_a_move_serves_more_and_is_not_taken_back() {
        let mut state = 1_u64;
        for n in 0..2000_usize {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                0.2 + 0.06 * ((state >> 40) as f64 / (1_u64 << 24) as f64)
            };
            let recent: Vec<f64> = (0..n % 13).map(|_| next()).collect();
            if let Some(moved) = better_reference(next(), &recent) {
                assert!(recent.iter().any(|c| (c / moved).ln().abs() < 0.063), "{recent:?} {moved}");
                assert_eq!(better_reference(moved, &recent), None, "{recent:?} {moved}");
            }
        }
    }
}
