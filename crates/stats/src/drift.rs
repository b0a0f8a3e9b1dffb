//! Trends and correlations that should not be there.

use crate::location::mean;
use crate::sample::{finite, midranks, sum, usable};
use crate::special::t_sf;

/// A straight line fitted by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change of y per unit of x.
    pub slope: f64,
    /// Value of the line at x = 0, in the unit of y.
    pub intercept: f64,
    /// Standard error of the slope, if the errors are independent.
    pub standard_error: f64,
    /// Degrees of freedom, n - 2.
    pub df: f64,
    /// Two-sided p-value of no slope.
    pub p: f64,
}

/// Correlation of two series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// In `[-1, 1]`.
    pub rho: f64,
    /// Two-sided p-value of no correlation.
    pub p: f64,
}

/// Spearman's rank correlation of two series of equal length.
///
/// p by the t approximation with n - 2 degrees of freedom. `None` below three pairs, for
/// different lengths, non-finite values or a constant series.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<Correlation> {
    if x.len() != y.len() || x.len() < 3 || !usable(x) || !usable(y) {
        return None;
    }
    let rho = correlation(&midranks(x), &midranks(y))?;
    let df = (x.len() - 2) as f64;
    let t = rho.abs() * (df / (1.0 - rho * rho).max(0.0)).sqrt();
    Some(Correlation { rho, p: (2.0 * t_sf(t, df)).min(1.0) })
}

/// Pearson's correlation of two series of equal length.
fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let (mx, my) = (mean(x)?, mean(y)?);
    let products = |f: &dyn Fn(f64, f64) -> f64| sum(x.iter().zip(y).map(|(a, b)| f(a - mx, b - my)));
    let (xy, xx, yy) = (products(&|a, b| a * b), products(&|a, _| a * a), products(&|_, b| b * b));
    if xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    finite(xy / (xx.sqrt() * yy.sqrt())).map(|r| r.clamp(-1.0, 1.0))
}

/// Least-squares line through the points (x, y), with the p-value of its slope.
///
/// `None` below three points, for different lengths, non-finite values or a constant x. The p-value assumes independent errors: pass
/// launches, or take it as a hint.
pub fn ols(x: &[f64], y: &[f64]) -> Option<Trend> {
    if x.len() != y.len() || x.len() < 3 {
        return None;
    }
    let (mx, my) = (mean(x)?, mean(y)?);
    let xx = sum(x.iter().map(|a| (a - mx) * (a - mx)));
    if xx <= 0.0 || !xx.is_finite() {
        return None;
    }
    let slope = finite(sum(x.iter().zip(y).map(|(a, b)| (a - mx) * (b - my))) / xx)?;
    let intercept = finite(my - slope * mx)?;
    let squares = sum(x.iter().zip(y).map(|(a, b)| (b - intercept - slope * a).powi(2)));
    let df = (x.len() - 2) as f64;
    let standard_error = finite((squares / df / xx).sqrt())?;
    let p = match (standard_error == 0.0, slope == 0.0) {
        (_, true) => 1.0,
        (true, false) => 0.0,
        _ => 2.0 * t_sf((slope / standard_error).abs(), df),
    };
    Some(Trend { slope, intercept, standard_error, df, p: p.min(1.0) })
}
