//! Intervals and estimates: a number never appears without its uncertainty.

use crate::location::mean;
use crate::special::t_isf;
use crate::spread::variance;

/// A closed interval, in the unit of the estimate it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interval {
    /// Lower end; may be minus infinity.
    pub lower: f64,
    /// Upper end; may be infinity.
    pub upper: f64,
}

impl Interval {
    /// The interval between two ends given in either order; `None` if one is NaN.
    pub fn new(a: f64, b: f64) -> Option<Self> {
        (!a.is_nan() && !b.is_nan()).then(|| Interval { lower: a.min(b), upper: a.max(b) })
    }

    /// True if `x` lies in the closed interval.
    pub fn contains(&self, x: f64) -> bool {
        self.lower <= x && x <= self.upper
    }

    /// Upper minus lower end.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// The larger absolute value of both ends. For the repeated 90 % interval it is the margin within which both sides are the same.
    pub fn reach(&self) -> f64 {
        self.lower.abs().max(self.upper.abs())
    }

    /// The image under a monotone function, rising or falling.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Interval {
        let (a, b) = (f(self.lower), f(self.upper));
        if a <= b {
            Interval { lower: a, upper: b }
        } else {
            Interval { lower: b, upper: a }
        }
    }
}

/// A value with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The interval at the level `confidence`.
    pub interval: Interval,
    /// Level of the interval, in `(0, 1)`, for example 0.95.
    pub confidence: f64,
}

impl Estimate {
    /// Value and interval under a monotone function, for example from log to ratio.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), interval: self.interval.map(&f), confidence: self.confidence }
    }
}

/// Student's t interval for the mean of independent values, one per launch.
///
/// `None` below two values, for a non-finite value, or for a confidence outside `(0, 1)`.
pub fn t_interval(xs: &[f64], confidence: f64) -> Option<Estimate> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let centre = mean(xs)?;
    let error = (variance(xs)? / xs.len() as f64).sqrt();
    let reach = t_isf((1.0 - confidence) / 2.0, (xs.len() - 1) as f64) * error;
    Some(Estimate { value: centre, interval: Interval::new(centre - reach, centre + reach)?, confidence })
}

/// Student's t interval on log values, exponentiated: a geometric mean with its interval.
///
/// Takes logarithms; the result has the unit of the values before the log.
pub fn t_interval_log(log_xs: &[f64], confidence: f64) -> Option<Estimate> {
    t_interval(log_xs, confidence).map(|e| e.map(f64::exp))
}
