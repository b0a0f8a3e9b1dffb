//! Showing that two things are the same, and intervals of a ratio.

use crate::interval::{Estimate, Interval};
use crate::location::mean;
use crate::special::{t_isf, t_sf};
use crate::spread::variance;
use crate::test::welch_parts;

/// Two one-sided tests (Schuirmann 1987).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tost {
    /// The difference and the interval at level `1 - 2 alpha` that lies inside the margin when equivalence is shown.
    pub difference: Estimate,
    /// p-value against "the difference is at or below the lower margin".
    pub p_lower: f64,
    /// p-value against "the difference is at or above the upper margin".
    pub p_upper: f64,
    /// The larger of both: equivalence is shown at level alpha when it is at most alpha.
    pub p: f64,
    /// True when `p <= alpha`.
    pub equivalent: bool,
}

/// TOST of `x - y` against the margin `(-margin, margin)` by Welch's t at level `alpha` (0.05 by default).
///
/// One value for each launch. `margin` in the unit of the values, positive; alpha in `(0, 0.5)`. `None` below two values a
/// side or outside these domains.
pub fn tost(x: &[f64], y: &[f64], margin: f64, alpha: f64) -> Option<Tost> {
    let (difference, error, df) = welch_parts(x, y)?;
    within(difference, error, df, margin, alpha)
}

/// TOST of the mean of one sample against `(-margin, margin)`: is a net time nothing? (method.md 7.4e)
pub fn tost_mean(xs: &[f64], margin: f64, alpha: f64) -> Option<Tost> {
    let error = (variance(xs)? / xs.len() as f64).sqrt();
    within(mean(xs)?, error, (xs.len() - 1) as f64, margin, alpha)
}

fn within(difference: f64, error: f64, df: f64, margin: f64, alpha: f64) -> Option<Tost> {
    if !(margin > 0.0 && margin.is_finite() && alpha > 0.0 && alpha < 0.5 && difference.is_finite()) {
        return None;
    }
    // Without any spread the difference is known exactly.
    let tail = |distance: f64| match error > 0.0 {
        true => t_sf(distance / error, df),
        false => f64::from(u8::from(distance <= 0.0)),
    };
    let (p_lower, p_upper) = (tail(difference + margin), tail(margin - difference));
    let reach = t_isf(alpha, df) * error;
    let interval = Interval::new(difference - reach, difference + reach)?;
    let p = p_lower.max(p_upper);
    let difference = Estimate { value: difference, interval, confidence: 1.0 - 2.0 * alpha };
    Some(Tost { difference, p_lower, p_upper, p, equivalent: p <= alpha })
}

/// Interval of a ratio of means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RatioInterval {
    /// The denominator's interval excludes zero: an ordinary interval.
    Bounded(Estimate),
    /// The denominator may be zero, so the ratio may be anything: print "unbounded", never a number (method.md 7.4d).
    Unbounded,
}

/// Fieller's interval for `mean(x) / mean(y)` of independent samples (Fieller 1954).
///
/// For ratios of net times, whose denominator may be nothing. Degrees of freedom `n + m - 2`. `None` below two values a side,
/// for non-finite values or a confidence outside `(0, 1)`.
pub fn fieller(x: &[f64], y: &[f64], confidence: f64) -> Option<RatioInterval> {
    let (vx, vy) = (variance(x)? / x.len() as f64, variance(y)? / y.len() as f64);
    let (top, bottom) = (mean(x)?, mean(y)?);
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let t = t_isf((1.0 - confidence) / 2.0, (x.len() + y.len() - 2) as f64);
    // Not below one: the interval of the denominator touches zero.
    let g = t * t * vy / (bottom * bottom);
    if bottom == 0.0 || g >= 1.0 || !g.is_finite() {
        return Some(RatioInterval::Unbounded);
    }
    let ratio = top / bottom;
    let reach = t / bottom.abs() * (vx * (1.0 - g) + ratio * ratio * vy).sqrt();
    let interval = Interval::new((ratio - reach) / (1.0 - g), (ratio + reach) / (1.0 - g))?;
    let bounded = ratio.is_finite() && interval.lower.is_finite() && interval.upper.is_finite();
    let estimate = Estimate { value: ratio, interval, confidence };
    Some(if bounded { RatioInterval::Bounded(estimate) } else { RatioInterval::Unbounded })
}
