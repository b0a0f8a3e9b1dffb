//! The core's clock drifts by several per cent within seconds, and no counter shows it here. Children bracket their
//! visits with a probe of a known number of cycles; times of code that follows the clock are given at a reference clock,
//! so that they repeat. How closely a body follows is estimated, not assumed: memory does not follow the core.

use tare_model::{visits, Clocking, Run, Stage};
use tare_stats::location::{mean, median};

/// Prior standard deviation of the exponent around 1: code that computes follows the clock.
const PRIOR_SD: f64 = 0.3;
/// Smallest residual standard deviation (log) that is believed.
const NOISE_SD_MIN: f64 = 0.001;
/// Launches below which the prior stands alone.
const LAUNCHES_MIN: usize = 4;

/// Length of a cycle at the reference clock, ns: the run's own where the machine has no profile.
pub fn reference_cycle_ns(run: &Run) -> Option<f64> {
    if run.plan.policy.clocking == Clocking::Wall {
        return None;
    }
    run.environment.clock_reference.as_ref().map(|c| c.cycle_ns).or_else(|| own_cycle_ns(run))
}

/// Median length of a cycle over all visits of the run, ns.
pub fn own_cycle_ns(run: &Run) -> Option<f64> {
    let mut cycles = Vec::new();
    for launch in &run.launches {
        let Some(probe_cycles) = probe_cycles(run, launch.case) else { continue };
        let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
        cycles.extend(actual.flat_map(visits).filter_map(|v| Some(v.probe_ns? / probe_cycles)));
    }
    median(&cycles)
}

/// Length of the clock probe of the child of a case, in cycles.
pub fn probe_cycles(run: &Run, case: u32) -> Option<f64> {
    let artifact = run.plan.cases.get(case as usize)?.artifact;
    run.artifacts.get(artifact as usize)?.child.as_ref()?.probe_cycles
}

/// The exponent with which time follows the length of a cycle, 0 to 1, from the centres of launches: `times` and
/// `cycles` on the log scale. A ridge towards 1: with little drift there is little to learn and little to correct.
pub fn exponent(times: &[f64], cycles: &[f64]) -> f64 {
    let (Some(time_mean), Some(cycle_mean)) = (mean(times), mean(cycles)) else { return 1.0 };
    if times.len() < LAUNCHES_MIN || times.len() != cycles.len() {
        return 1.0;
    }
    let pairs = || times.iter().zip(cycles).map(|(t, c)| (t - time_mean, c - cycle_mean));
    let cycle_squares: f64 = pairs().map(|(_, c)| c * c).sum();
    let products: f64 = pairs().map(|(t, c)| t * c).sum();
    let residual = |slope: f64| pairs().map(|(t, c)| (t - slope * c).powi(2)).sum::<f64>() / (times.len() - 1) as f64;
    let noise = residual(1.0).min(residual(0.0)).max(NOISE_SD_MIN * NOISE_SD_MIN);
    (1.0 + (products - cycle_squares) / (cycle_squares + noise / (PRIOR_SD * PRIOR_SD))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    const CYCLES: [f64; 12] = [0.01, -0.02, 0.03, 0.0, -0.01, 0.02, -0.03, 0.015, -0.015, 0.005, 0.025, -0.025];

    #[test]
    fn code_that_computes_follows_and_memory_does_not() {
        let noise = |i: usize| 0.001 * ((i * 7 % 5) as f64 - 2.0);
        let follows: Vec<f64> = CYCLES.iter().enumerate().map(|(i, c)| 3.0 + c + noise(i)).collect();
        let stays: Vec<f64> = (0..12).map(|i| 3.0 + noise(i)).collect();
        let half: Vec<f64> = CYCLES.iter().enumerate().map(|(i, c)| 3.0 + 0.5 * c + noise(i)).collect();
        assert!(exponent(&follows, &CYCLES) > 0.97);
        assert!(exponent(&stays, &CYCLES) < 0.05);
        assert!((exponent(&half, &CYCLES) - 0.5).abs() < 0.06);
    }

    #[test]
    fn without_drift_or_with_few_launches_the_prior_stands() {
        let still = [0.0, 1e-5, -1e-5, 0.0, 1e-5, 0.0];
        let times = [1.0, 1.002, 0.998, 1.001, 1.0, 0.999];
        assert!(exponent(&times, &still) > 0.95);
        assert_eq!(exponent(&[1.0, 2.0], &[0.0, 0.1]), 1.0);
    }
}
