//! The interval of a time over its launches, including the uncertainty of the clock.

use crate::visits::{CaseTimes, Location};
use std::collections::BTreeMap;
use tare_stats::interval::{t_interval, Estimate, Interval};
use tare_stats::location::mean;

/// Half of a normal 95 % interval in standard errors.
pub(crate) const NORMAL_95: f64 = 1.959_964;
/// Waves from which the interval is computed over their means.
const WAVES_MIN: usize = 4;

/// Half-width of the 95 % interval over launches of a case relative to its value; `None` below two launches.
pub fn half_width(times: &CaseTimes) -> Option<f64> {
    let estimate = over_launches(times)?;
    Some(0.5 * estimate.interval.width() / estimate.value)
}

/// The time of an operation including the loop, ns, with its 95 % interval over the means of waves: launches of a wave run at the same
/// time, and a drift common to them does not average out. With too few waves it is over launches. Uncertainty about how closely the body
/// follows the clock widens it.
pub fn raw(times: &CaseTimes) -> Option<Estimate> {
    let mut estimate = over_launches(times).map(|estimate| with_clock(estimate, times.clock_variance))?;
    estimate.interval.lower *= (-times.hidden - times.rounded).exp();
    estimate.interval.upper *= times.rounded.exp();
    Some(estimate)
}

fn over_launches(times: &CaseTimes) -> Option<Estimate> {
    over(times.launches.iter().map(|l| ((l.group, l.wave), l.value, &l.log_ns[..])), times.location)
}

/// The same for launches given by group and wave, the log of the time in ns, and those of the visits.
pub(crate) fn over<'a>(
    launches: impl Iterator<Item = ((u32, u32), f64, &'a [f64])>,
    location: Location,
) -> Option<Estimate> {
    let mut waves: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
    let (mut values, mut logs) = (Vec::new(), Vec::new());
    for (wave, value, visits) in launches {
        waves.entry(wave).or_default().push(value);
        values.push(value);
        logs.extend_from_slice(visits);
    }
    let means: Vec<f64> = waves.values().filter_map(|values| mean(values)).collect();
    let of_launches = t_interval(if means.len() >= WAVES_MIN { &means } else { &values }, 0.95)?;
    let half = (0.5 * of_launches.interval.width()).max(location.least_half(&logs));
    let centre = of_launches.value;
    let interval = Interval { lower: centre - half, upper: centre + half };
    // The interval is about the mean of logs. For launches with few calls, some of them slow, the mean of times is larger.
    let shift = location.over_launches(&values)? - mean(&values)?;
    Some(Estimate { interval, ..of_launches }.map(|end| (shift + end).exp()))
}

/// Adds the uncertainty of the exponent: all launches of a run share it, so it does not average out.
fn with_clock(estimate: Estimate, clock_variance: f64) -> Estimate {
    if clock_variance <= 0.0 {
        return estimate;
    }
    let centre = estimate.value.ln();
    // Normal, as the error of the exponent is not estimated from a few launches.
    let wider = |end: f64| {
        let half = end.ln() - centre;
        (centre + half.signum() * (half * half + NORMAL_95 * NORMAL_95 * clock_variance).sqrt()).exp()
    };
    let interval = Interval { lower: wider(estimate.interval.lower), upper: wider(estimate.interval.upper) };
    Estimate { interval, ..estimate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_stats::interval::t_interval_log;

    #[test]
    fn the_clock_adds_its_variance_on_the_log_scale() {
        let estimate = t_interval_log(&[0.0, 0.01, -0.01, 0.02, -0.02], 0.95).expect("launches");
        assert_eq!(with_clock(estimate, 0.0), estimate);
        let wide = with_clock(estimate, 0.03 * 0.03);
        let half = |e: Estimate| 0.5 * (e.interval.upper / e.interval.lower).ln();
        let expected = (half(estimate).powi(2) + (1.959_964_f64 * 0.03).powi(2)).sqrt();
        assert!((half(wide) - expected).abs() < 1e-12 && wide.value == estimate.value);
        // The centre does not move.
        assert!((wide.interval.upper * wide.interval.lower - 1.0).abs() < 1e-12);
    }
}
