//! Tests of means: pooled t, Welch, Yuen.

use super::TestResult;
use crate::interval::{Estimate, Interval};
use crate::location::{mean, trim_count, trimmed_mean};
use crate::order::finite;
use crate::special::{t_isf, t_sf};
use crate::spread::{variance, winsorised_variance};

fn result(difference: f64, error: f64, df: f64) -> Option<TestResult> {
    finite(difference)?;
    // Two constant samples: equal ones say nothing, different ones differ for certain.
    let statistic = match (error == 0.0, difference == 0.0) {
        (true, true) => 0.0,
        (true, false) => f64::MAX.copysign(difference),
        _ => difference / error,
    };
    let p = if error == 0.0 { f64::from(u8::from(difference == 0.0)) } else { 2.0 * t_sf(statistic.abs(), df) };
    finite(p).map(|p| TestResult { statistic, df: Some(df), p: p.min(1.0) })
}

/// Student's two-sample t test with pooled variance; df = n + m - 2.
///
/// `None` for an empty or non-finite sample, or fewer than three values in all.
pub fn pooled_t(x: &[f64], y: &[f64]) -> Option<TestResult> {
    let (n, m) = (x.len() as f64, y.len() as f64);
    let df = n + m - 2.0;
    if df < 1.0 {
        return None;
    }
    let squares = |s: &[f64]| if s.len() < 2 { Some(0.0) } else { variance(s).map(|v| v * (s.len() - 1) as f64) };
    let pooled = (squares(x)? + squares(y)?) / df;
    result(mean(x)? - mean(y)?, (pooled * (1.0 / n + 1.0 / m)).sqrt(), df)
}

/// Welch's t test for unequal variances; df by Welch-Satterthwaite.
///
/// `None` for a non-finite sample or one with fewer than two values.
pub fn welch(x: &[f64], y: &[f64]) -> Option<TestResult> {
    let (difference, error, df) = welch_parts(x, y)?;
    result(difference, error, df)
}

/// Welch's interval of the difference of means `x - y`, for example workload minus overhead (method.md 7.4).
///
/// `None` below two values a side, for non-finite values or a confidence outside `(0, 1)`.
pub fn difference_interval(x: &[f64], y: &[f64], confidence: f64) -> Option<Estimate> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let (value, error, df) = welch_parts(x, y)?;
    let reach = t_isf((1.0 - confidence) / 2.0, df) * error;
    Some(Estimate { value, interval: Interval::new(value - reach, value + reach)?, confidence })
}

/// Difference of means, its standard error and Welch-Satterthwaite degrees of freedom.
pub(crate) fn welch_parts(x: &[f64], y: &[f64]) -> Option<(f64, f64, f64)> {
    let (a, b) = (variance(x)? / x.len() as f64, variance(y)? / y.len() as f64);
    Some((mean(x)? - mean(y)?, (a + b).sqrt(), satterthwaite(a, x.len(), b, y.len())))
}

/// Yuen's test of trimmed means (1974), `proportion` cut from each end, in `[0, 0.5)`.
///
/// `None` for a non-finite sample or one with fewer than two values left after trimming.
pub fn yuen(x: &[f64], y: &[f64], proportion: f64) -> Option<TestResult> {
    let part = |s: &[f64]| {
        let kept = s.len() - 2 * trim_count(s.len(), proportion)?;
        if kept < 2 {
            return None;
        }
        let squares = winsorised_variance(s, proportion)? * (s.len() - 1) as f64;
        Some((squares / (kept as f64 * (kept - 1) as f64), kept))
    };
    let ((a, kept_x), (b, kept_y)) = (part(x)?, part(y)?);
    let difference = trimmed_mean(x, proportion)? - trimmed_mean(y, proportion)?;
    result(difference, (a + b).sqrt(), satterthwaite(a, kept_x, b, kept_y))
}

/// Degrees of freedom of the sum of two squared standard errors; those of pooling when both are zero.
fn satterthwaite(a: f64, n: usize, b: f64, m: usize) -> f64 {
    let (n, m) = ((n - 1) as f64, (m - 1) as f64);
    // Dividing by the larger keeps the squares from underflowing.
    let scale = a.max(b);
    if scale <= 0.0 {
        return n + m;
    }
    let (a, b) = (a / scale, b / scale);
    (a + b) * (a + b) / (a * a / n + b * b / m)
}
