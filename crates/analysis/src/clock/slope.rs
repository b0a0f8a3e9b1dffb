//! The evidence of launches about the exponent: a slope across launches, and one across the visits within them.

use tare_model::INTERVAL_LAUNCHES;
use tare_stats::location::{centre, mean, median};
use tare_stats::outliers::MAD_TO_SD;
use tare_stats::spread::mad;

/// Smaller residual standard deviations (log) are raised to this.
const NOISE_SD_MIN: f64 = 0.001;
/// Share of the spread of a launch's probes that must be the clock's, if its visits are to show anything.
const CLOCK_MIN: f64 = 0.75;
/// If the correlation of the probes before and after a visit is lower, they do not show the clock during the visit.
const CORRELATION_MIN: f64 = 0.2;
/// Measured standard deviation (log) of what lengthens or shortens both probes of a visit besides the clock.
const PROBE_SD: f64 = 0.003;
const PROBE_SD_OF_LAUNCH: f64 = 0.001;
/// Probes are odd if they are this many standard deviations away from those of the other visits ...
const ODD: f64 = 5.0;
/// ... and at most this share of the visits has such probes.
const ODD_SHARE_MAX: f64 = 0.03;
/// Standard deviations from which a visit is down-weighted (Huber): bodies have slow visits for reasons other than the clock.
const HUBER: f64 = 2.0;
/// Steps of the robust fit; after five it moves by less than a hundredth of its error.
const STEPS: usize = 6;

#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    pub log_ns: &'a [f64],
    /// Log length of a cycle in each visit: the mean of the probes before and after.
    pub log_cycle: &'a [f64],
    /// Mean square of the log ratio of the probe after to the probe before, divided by the iterations of a visit.
    pub moved: f64,
}

impl Sample<'_> {
    /// Mean natural log of the length of a cycle in ns; `None` without a visit.
    pub fn cycle(&self) -> Option<f64> {
        mean(self.log_cycle)
    }

    /// Log time of an operation at that cycle. Slow visits are trimmed in cycles; otherwise one of two clock speeds would be lost.
    fn time(&self) -> Option<f64> {
        Some(centre(&self.in_cycles().collect::<Vec<f64>>())? + self.cycle()?)
    }

    fn in_cycles(&self) -> impl Iterator<Item = f64> + '_ {
        self.log_ns.iter().zip(self.log_cycle).map(|(time, cycle)| time - cycle)
    }

    /// The time in cycles of each visit, with the distance of its cycle from the mean.
    fn deviations(&self) -> Option<Vec<(f64, f64)>> {
        let cycle_mean = self.cycle()?;
        Some(self.in_cycles().zip(self.log_cycle).map(|(time, cycle)| (time, cycle - cycle_mean)).collect())
    }

    fn far(&self) -> Vec<f64> {
        let usual = median(self.log_cycle).unwrap_or(0.0);
        self.log_cycle.iter().map(|cycle| (cycle - usual).abs()).collect()
    }

    /// Variance of the error of one visit's cycle: the difference of two probes bounds what they show of the visit between them.
    fn error(&self) -> f64 {
        0.25 * self.moved
    }
}

/// Evidence about an exponent, before the prior: a value, and the reciprocal of its variance.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slope {
    pub(super) value: f64,
    pub(super) information: f64,
    /// Number of launches behind it: the fewer, the less certain its variance.
    pub(super) launches: usize,
}

/// The evidence of launches about the exponent with which time follows the length of a cycle, 0 to 1, across launches and across the visits
/// within them; no information if launches are few or the clock hardly moved.
pub fn slope(launches: &[Sample]) -> Slope {
    // The prior stands alone.
    if launches.len() < INTERVAL_LAUNCHES {
        return Slope::default();
    }
    let kept = without_odd_probes(launches);
    let launches: Vec<Sample> = kept
        .iter()
        .zip(launches)
        .map(|((log_ns, log_cycle), launch)| Sample { log_ns, log_cycle, moved: launch.moved })
        .collect();
    let all = [between(&launches).unwrap_or_default(), within(&launches).unwrap_or_default()];
    Slope { launches: launches.len(), ..pooled(&all) }
}

pub(super) fn pooled(all: &[Slope]) -> Slope {
    let information: f64 = all.iter().map(|e| e.information).sum();
    if information <= 0.0 {
        return Slope::default();
    }
    let value = all.iter().map(|e| e.value * e.information).sum::<f64>() / information;
    Slope { value, information, launches: all.iter().map(|e| e.launches).sum() }
}

/// Times and cycles of the launches without the few visits whose probes were both interrupted: one in 200 made computing code look as if it
/// did not follow the clock.
fn without_odd_probes(launches: &[Sample]) -> Vec<(Vec<f64>, Vec<f64>)> {
    let far: Vec<f64> = launches.iter().flat_map(Sample::far).collect();
    let limit = ODD * (MAD_TO_SD * median(&far).unwrap_or(0.0)).max(PROBE_SD);
    let odd = far.iter().filter(|far| **far > limit).count();
    let limit = if odd as f64 <= ODD_SHARE_MAX * far.len() as f64 { limit } else { f64::INFINITY };
    let of_launch = |launch: &Sample| {
        let visits = launch.log_ns.iter().zip(launch.log_cycle).zip(launch.far());
        visits.filter(|(_, far)| *far <= limit).map(|((&time, &cycle), _)| (time, cycle)).unzip()
    };
    launches.iter().map(of_launch).collect()
}

/// The evidence across launches: least squares over their means, corrected for the probe's own error, which would hide the slope.
fn between(launches: &[Sample]) -> Option<Slope> {
    let points: Vec<(f64, f64)> = launches.iter().map(|l| Some((l.time()?, l.cycle()?))).collect::<Option<_>>()?;
    let of = |value: fn(&(f64, f64)) -> f64| mean(&points.iter().map(value).collect::<Vec<_>>());
    let (time_mean, cycle_mean) = (of(|p| p.0)?, of(|p| p.1)?);
    let error = mean(&launches.iter().map(|l| l.error() / l.log_cycle.len() as f64).collect::<Vec<_>>())?;
    let error = error + PROBE_SD_OF_LAUNCH * PROBE_SD_OF_LAUNCH;
    let df = (points.len() - 1) as f64;
    let pairs = || points.iter().map(|(t, c)| (t - time_mean, c - cycle_mean));
    let drift = pairs().map(|(_, c)| c * c).sum::<f64>() - df * error;
    let products: f64 = pairs().map(|(t, c)| t * c).sum();
    if drift <= 0.0 {
        return None;
    }
    let residual = |slope: f64| pairs().map(|(t, c)| (t - slope * c).powi(2)).sum::<f64>() / df;
    let value = products / drift;
    let noise = residual(1.0).min(residual(value.clamp(0.0, 1.0))).max(NOISE_SD_MIN * NOISE_SD_MIN) + error;
    Some(Slope { value, information: drift / noise, launches: launches.len() })
}

/// The evidence across the visits of each launch, over all launches: a robust line (Huber) through their deviations from their launch. The
/// mean of two probes is not the clock of the visit, so the slope is too small: by `jumps(r)` if the clock jumps, by `blurs(r)` if probes
/// have errors, where r is the correlation of the probes. The middle of both is used, and half of their distance is added to the error.
fn within(launches: &[Sample]) -> Option<Slope> {
    let deviations: Vec<Vec<(f64, f64)>> =
        launches.iter().filter(|l| l.log_cycle.len() > 1).map(Sample::deviations).collect::<Option<_>>()?;
    let count = deviations.iter().map(Vec::len).sum::<usize>();
    let freedom = count.checked_sub(deviations.len()).filter(|f| *f > 0)? as f64;
    let spread = deviations.iter().flatten().map(|(_, c)| c * c).sum::<f64>() / freedom;
    let error = mean(&launches.iter().map(Sample::error).collect::<Vec<_>>())?;
    let correlation = (spread - error) / (spread + error);
    if correlation.is_nan() || correlation < CORRELATION_MIN {
        return None;
    }
    // Excludes the part of the spread that is not the clock's.
    let of_clock = 1.0 - PROBE_SD * PROBE_SD / spread;
    if of_clock < CLOCK_MIN {
        return None;
    }
    let (most, least) = (of_clock * jumps(correlation), of_clock * blurs(correlation));
    let seen = 0.5 * (most + least);
    // Slope of the time in cycles, which is the exponent minus one.
    let mut slope = 0.0;
    let mut fit = RobustFit::default();
    for _ in 0..STEPS {
        fit = RobustFit::of(&deviations, slope)?;
        slope += fit.step;
    }
    // Neither the visits of a launch nor its clock are independent, but launches are, so the error comes from their scores.
    let groups = deviations.len() as f64;
    let clustered = fit.scores_squared / (fit.drift * fit.drift) * groups / (groups - 1.0).max(1.0);
    let variance = clustered.max(fit.noise / fit.drift) / (seen * seen);
    let of_seen = 0.5 * (most - least) + 0.5 * (1.0 - of_clock);
    let information = 1.0 / (variance + of_seen * of_seen);
    Some(Slope { value: (1.0 + slope) / seen, information, launches: launches.len() })
}

#[derive(Debug, Clone, Copy, Default)]
struct RobustFit {
    step: f64,
    drift: f64,
    noise: f64,
    scores_squared: f64,
}

impl RobustFit {
    fn of(launches: &[Vec<(f64, f64)>], slope: f64) -> Option<RobustFit> {
        // Each launch relative to its own median.
        let residuals: Vec<Vec<f64>> = launches
            .iter()
            .map(|visits| {
                let all: Vec<f64> = visits.iter().map(|(t, c)| t - slope * c).collect();
                let middle = median(&all)?;
                Some(all.iter().map(|r| r - middle).collect())
            })
            .collect::<Option<_>>()?;
        let spread = (MAD_TO_SD * mad(&residuals.concat())?).max(NOISE_SD_MIN);
        let mut fit = RobustFit { noise: spread * spread, ..RobustFit::default() };
        let mut scores = 0.0;
        for (visits, residuals) in launches.iter().zip(&residuals) {
            let mut of_launch = 0.0;
            for ((_, cycle), residual) in visits.iter().zip(residuals) {
                let weight = (HUBER * spread / residual.abs()).min(1.0);
                fit.drift += weight * cycle * cycle;
                of_launch += weight * cycle * residual;
            }
            scores += of_launch;
            fit.scores_squared += of_launch * of_launch;
        }
        if fit.drift <= 0.0 {
            return None;
        }
        fit.step = scores / fit.drift;
        Some(fit)
    }
}

/// Share of the slope that remains with the mean of two probes of this correlation, if each has an error of its own.
fn blurs(correlation: f64) -> f64 {
    2.0 * correlation / (1.0 + correlation)
}

/// The same for a clock that jumps at random times: covariance of that mean with the clock in between, over its variance.
fn jumps(correlation: f64) -> f64 {
    let decay = -correlation.ln();
    let covariance = if decay > 1e-6 { (1.0 - correlation) / decay } else { 1.0 };
    covariance / (0.5 * (1.0 + correlation))
}

#[cfg(test)]
mod tests {
    use super::super::exponent::{among_kinds, prior, Exponent};
    use super::{blurs, jumps, slope, within, Sample};

    const CYCLES: [f64; 12] = [0.01, -0.02, 0.03, 0.0, -0.01, 0.02, -0.03, 0.015, -0.015, 0.005, 0.025, -0.025];

    /// The visits of a launch: log times, log cycles, and how far the clock moved within them.
    struct Launch {
        log_ns: Vec<f64>,
        log_cycle: Vec<f64>,
        moved: f64,
    }

    fn of(launches: &[Launch]) -> Exponent {
        let samples: Vec<Sample> =
            launches.iter().map(|l| Sample { log_ns: &l.log_ns, log_cycle: &l.log_cycle, moved: l.moved }).collect();
        among_kinds(slope(&samples))
    }

    fn noise(i: usize) -> f64 {
        0.001 * ((i * 7 % 5) as f64 - 2.0)
    }

    /// Twelve launches, each at a constant clock.
    fn still(time: impl Fn(usize) -> f64, cycle: impl Fn(usize) -> f64, moved: f64) -> Vec<Launch> {
        let of_launch = |i: usize| {
            let log_ns = (0..20).map(|visit| time(i) + 0.1 * noise(visit)).collect();
            Launch { log_ns, log_cycle: vec![cycle(i); 20], moved }
        };
        (0..12).map(of_launch).collect()
    }

    #[test]
    fn code_that_computes_follows_and_memory_does_not() {
        let of = |share: f64| of(&still(|i| 3.0 + share * CYCLES[i] + noise(i), |i| CYCLES[i], 1e-6)).value;
        assert!(of(1.0) > 0.97);
        assert!(of(0.0) < 0.05);
        assert!((of(0.5) - 0.5).abs() < 0.06);
    }

    #[test]
    fn without_drift_or_with_few_launches_the_prior_stands() {
        let quiet = of(&still(noise, |i| 1e-5 * noise(i), 1e-9));
        let prior = prior();
        assert!(quiet.value > 0.94 && quiet.variance > 0.9 * prior.variance, "{quiet:?}");
        assert_eq!(of(&still(|i| i as f64, |i| 0.1 * i as f64, 0.0)[..3]), prior);
        assert!((prior.value - 0.95).abs() < 1e-9 && (prior.variance.sqrt() - 0.201).abs() < 0.001, "{prior:?}");
    }

    /// Both probes of one visit in 240 were interrupted, which must not look like a clock that the body does not follow.
    #[test]
    fn a_visit_with_odd_probes_says_nothing() {
        for odd in [0.03, 0.18] {
            let mut launches = still(noise, |_| 0.0, 1e-6);
            launches[3].log_cycle[7] += odd;
            let found = of(&launches);
            assert!(found.value > 0.93 && found.variance > 0.9 * prior().variance, "{odd}: {found:?}");
        }
    }

    #[test]
    fn the_more_drift_the_better_the_exponent_is_known() {
        let of = |drift: f64| of(&still(|i| drift * CYCLES[i] + noise(i), |i| drift * CYCLES[i], 1e-8)).variance;
        let prior = prior().variance;
        assert!(of(1.0) < 0.02 * prior && of(1.0) < of(0.1) && of(0.1) < of(0.01) && of(0.01) <= prior);
    }

    #[test]
    fn a_noisy_probe_of_a_still_clock_is_not_believed() {
        // Cycles scatter by 2 % over launches, and are only known to 9 % for visits.
        let still = of(&still(|i| 3.0 + noise(i), |i| CYCLES[i], 4.0 * 20.0 * 0.02 * 0.02));
        assert!(still.value > 0.7, "{still:?}");
    }

    /// A deterministic generator of numbers from 0 to 1.
    fn dice() -> impl FnMut() -> f64 {
        let mut state = 7u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// Launches with a clock that jumps between two speeds, 6 % apart, after 2 ms on average; visits of 1 ms with a probe at each end, and
    /// an occasional slow visit. `follows` is the true exponent.
    fn jumping(follows: f64, launches: usize, dice: &mut impl FnMut() -> f64) -> Vec<Launch> {
        const STEPS: usize = 50;
        let mut fast = true;
        (0..launches)
            .map(|launch| {
                let (mut log_ns, mut log_cycle, mut moved) = (Vec::new(), Vec::new(), 0.0);
                for _ in 0..25 {
                    let cycle = |fast: bool| if fast { -0.06 } else { 0.0f64 };
                    let before: f64 = cycle(fast);
                    let mut through = 0.0;
                    for _ in 0..STEPS {
                        fast ^= dice() < 0.5 / STEPS as f64;
                        through += cycle(fast) / STEPS as f64;
                    }
                    let after: f64 = cycle(fast);
                    let slow = if dice() < 0.05 { 0.05 * dice() } else { 0.0 };
                    let noise = 0.004 * (dice() + dice() + dice() - 1.5) + slow + 0.5 * noise(launch);
                    log_ns.push(3.0 + follows * through + noise);
                    log_cycle.push(0.5 * (before + after));
                    moved += (after - before).powi(2) / 25.0;
                }
                Launch { log_ns, log_cycle, moved }
            })
            .collect()
    }

    #[test]
    fn a_clock_that_jumps_within_visits_shows_how_closely_a_body_follows() {
        let mut dice = dice();
        // An exponent between both kinds of bodies is rare: it is known less well, and sometimes taken for a computing body.
        for (follows, off_max, far_max, known_min) in [(1.0, 0.08, 6, 36), (0.6, 0.13, 12, 24), (0.2, 0.11, 6, 36)] {
            let runs: Vec<Exponent> = (0..40).map(|_| of(&jumping(follows, 12, &mut dice))).collect();
            let mean = runs.iter().map(|e| e.value).sum::<f64>() / 40.0;
            // Half of the difference between the probes is read as their error, of which there is none here: anything but 1 seems further
            // away.
            assert!((mean - follows).abs() < off_max, "{follows}: {mean}");
            // The errors are about as large as stated.
            let far = runs.iter().filter(|e| (e.value - follows).abs() > 2.0 * e.variance.sqrt()).count();
            assert!(far <= far_max, "{follows}: {far} of 40");
            let well_known = runs.iter().filter(|e| e.variance < 0.15 * 0.15).count();
            assert!(well_known >= known_min, "{follows}: {well_known} of 40");
        }
    }

    #[test]
    fn probes_that_show_nothing_of_the_clock_between_them_are_not_used() {
        let mut dice = dice();
        let mut launches = jumping(1.0, 12, &mut dice);
        for launch in &mut launches {
            // As far apart as two unrelated readings.
            launch.moved = 2.0 * 0.03 * 0.03;
            launch.log_cycle.iter_mut().for_each(|c| *c = if dice() < 0.5 { 0.03 } else { -0.03 } * 0.7);
        }
        let samples: Vec<Sample> =
            launches.iter().map(|l| Sample { log_ns: &l.log_ns, log_cycle: &l.log_cycle, moved: l.moved }).collect();
        assert!(within(&samples).is_none());
    }

    #[test]
    fn the_mean_of_two_probes_shows_less_the_less_they_agree() {
        assert!((jumps(1.0) - 1.0).abs() < 1e-9 && (blurs(1.0) - 1.0).abs() < 1e-9);
        assert!(jumps(0.6) > 0.95 && jumps(0.2) < 0.85 && jumps(0.2) > 0.8);
        assert!((blurs(0.6) - 0.75).abs() < 1e-9);
    }
}
