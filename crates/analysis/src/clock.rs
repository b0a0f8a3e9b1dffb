//! The core's clock drifts by several per cent within seconds, and no counter shows it here. Children bracket their
//! visits with a probe of a known number of cycles; times of code that follows the clock are given at a reference clock,
//! so that they repeat. How closely a body follows is estimated, not assumed: memory does not follow the core.

use tare_model::{visits, Clocking, Launch, Run, Stage};
use tare_stats::location::{mean, median};
use tare_stats::spread::mad;

/// Before anything is measured: code that computes follows the clock, give or take 0.3.
const PRIOR: Exponent = Exponent { value: 1.0, variance: 0.3 * 0.3 };
/// Within so many standard deviations of its error lies any exponent: those of the prior reach from 1 down to 0, where memory is.
pub const EXPONENT_SIGMAS: f64 = 1.0 / 0.3;
/// Smallest residual standard deviation (log) that is believed.
const NOISE_SD_MIN: f64 = 0.001;
/// Log of the run's own cycle over the reference from which times are shown at the run's own clock: the error of the exponent adds
/// a third of it to an interval.
const FAR: f64 = 0.015;
/// Launches below which the prior stands alone.
const LAUNCHES_MIN: usize = 4;

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

/// Length of a cycle at the clock that times of one run are shown at, ns: the run's own where it is far from the reference. How
/// closely a body follows the clock is not known well enough to say what it would take at a clock that the core did not have.
/// Runs are compared with each other at the reference.
pub fn shown_cycle_ns(run: &Run) -> Option<f64> {
    let reference = reference_cycle_ns(run)?;
    let own = own_cycle_ns(run).unwrap_or(reference);
    Some(if (own / reference).ln().abs() > FAR { own } else { reference })
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

/// The centre of a launch on the log scale: time of an operation, length of a cycle, and the variance of the latter's error.
#[derive(Debug, Clone, Copy)]
pub struct Centre {
    /// Log time of an operation.
    pub time: f64,
    /// Log length of a cycle.
    pub cycle: f64,
    /// Variance of the error of `cycle`.
    pub cycle_error: f64,
}

/// How closely a body follows the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponent {
    /// With which power of the length of a cycle its time grows, 0 to 1.
    pub value: f64,
    /// Variance of its error: that of the prior where there was little drift to learn from.
    pub variance: f64,
}

/// The exponent with which time follows the length of a cycle, 0 to 1: a ridge towards 1, so that with little drift there is
/// little to learn and little to correct.
///
/// The probe's own error is taken out of the spread of the cycles: else a still clock that is seen through a noisy probe
/// would look like code that does not follow it.
pub fn exponent(centres: &[Centre]) -> Exponent {
    let of = |value: fn(&Centre) -> f64| mean(&centres.iter().map(value).collect::<Vec<_>>());
    let (Some(time_mean), Some(cycle_mean), Some(error)) = (of(|c| c.time), of(|c| c.cycle), of(|c| c.cycle_error))
    else {
        return PRIOR;
    };
    if centres.len() < LAUNCHES_MIN {
        return PRIOR;
    }
    let df = (centres.len() - 1) as f64;
    let pairs = || centres.iter().map(|c| (c.time - time_mean, c.cycle - cycle_mean));
    let drift = (pairs().map(|(_, c)| c * c).sum::<f64>() - df * error).max(0.0);
    let products: f64 = pairs().map(|(t, c)| t * c).sum();
    let residual = |slope: f64| pairs().map(|(t, c)| (t - slope * c).powi(2)).sum::<f64>() / df;
    let fitted = if drift > 0.0 { (products / drift).clamp(0.0, 1.0) } else { 1.0 };
    let noise = residual(1.0).min(residual(fitted)).max(NOISE_SD_MIN * NOISE_SD_MIN) + error;
    let information = drift + noise / PRIOR.variance;
    Exponent { value: (1.0 + (products - drift) / information).clamp(0.0, 1.0), variance: noise / information }
}

/// The centre of a launch from its visits; None without visits or without a probe.
pub fn centre(log_ns: &[f64], log_cycle: &[f64]) -> Option<Centre> {
    // The error of a median of normal data; the median absolute deviation is blind to a few interrupted probes.
    let spread = 1.4826 * mad(log_cycle)?;
    let cycle_error = std::f64::consts::FRAC_PI_2 * spread * spread / log_cycle.len() as f64;
    Some(Centre { time: median(log_ns)?, cycle: median(log_cycle)?, cycle_error })
}

#[cfg(test)]
mod tests {
    use super::{centre, exponent, Centre, PRIOR};

    const CYCLES: [f64; 12] = [0.01, -0.02, 0.03, 0.0, -0.01, 0.02, -0.03, 0.015, -0.015, 0.005, 0.025, -0.025];

    fn centres(time: impl Fn(usize) -> f64, cycle: impl Fn(usize) -> f64, cycle_error: f64) -> Vec<Centre> {
        (0..12).map(|i| Centre { time: time(i), cycle: cycle(i), cycle_error }).collect()
    }

    fn noise(i: usize) -> f64 {
        0.001 * ((i * 7 % 5) as f64 - 2.0)
    }

    #[test]
    fn code_that_computes_follows_and_memory_does_not() {
        let of = |share: f64| exponent(&centres(|i| 3.0 + share * CYCLES[i] + noise(i), |i| CYCLES[i], 1e-7)).value;
        assert!(of(1.0) > 0.97);
        assert!(of(0.0) < 0.05);
        assert!((of(0.5) - 0.5).abs() < 0.06);
    }

    #[test]
    fn without_drift_or_with_few_launches_the_prior_stands() {
        let still = exponent(&centres(noise, |i| 1e-5 * noise(i), 1e-10));
        assert!(still.value > 0.95 && still.variance > 0.9 * PRIOR.variance, "{still:?}");
        assert_eq!(exponent(&centres(|i| i as f64, |i| 0.1 * i as f64, 0.0)[..3]), PRIOR);
    }

    #[test]
    fn the_more_drift_the_better_the_exponent_is_known() {
        let of =
            |drift: f64| exponent(&centres(|i| drift * CYCLES[i] + noise(i), |i| drift * CYCLES[i], 1e-9)).variance;
        assert!(
            of(1.0) < 0.02 * PRIOR.variance && of(1.0) < of(0.1) && of(0.1) < of(0.01) && of(0.01) <= PRIOR.variance
        );
    }

    #[test]
    fn a_noisy_probe_of_a_still_clock_is_not_believed() {
        // Cycles scatter by 2 % and each is known to no better than that.
        let still = centres(|i| 3.0 + noise(i), |i| CYCLES[i], 0.02 * 0.02);
        assert!(exponent(&still).value > 0.7, "{:?}", exponent(&still));
    }

    #[test]
    fn the_error_of_a_centre_falls_with_its_visits() {
        let visits: Vec<f64> = (0..100).map(|i| 0.01 * ((i * 37 % 100) as f64 / 50.0 - 1.0)).collect();
        let few = centre(&visits[..10], &visits[..10]).expect("visits").cycle_error;
        let many = centre(&visits, &visits).expect("visits").cycle_error;
        assert!(many < few && many > 0.0);
        assert!(centre(&[1.0], &[]).is_none());
    }
}
