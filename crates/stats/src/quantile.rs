//! Quantile estimators over a sorted sample.
//!
//! The caller sorts once for many calls. An unsorted slice gives a meaningless number, never a panic.

use crate::sample::finite;
use crate::special::inc_beta_both;

/// Hyndman-Fan type 7 (linear interpolation; the default of R, NumPy and BenchmarkDotNet).
///
/// `p` in `[0, 1]`; `None` for an empty slice or another `p`.
pub fn type7(sorted: &[f64], p: f64) -> Option<f64> {
    let n = sorted.len();
    if n == 0 || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let position = p * (n - 1) as f64;
    let low = (position.floor() as usize).min(n - 1);
    let high = (low + 1).min(n - 1);
    let fraction = position - low as f64;
    finite(sorted[low] * (1.0 - fraction) + sorted[high] * fraction)
}

/// Harrell-Davis: all order statistics weighted by a beta density (Harrell & Davis 1982).
///
/// Smoother and more efficient than type 7 on light tails. `p` in `[0, 1]`; `None` for an empty slice.
pub fn harrell_davis(sorted: &[f64], p: f64) -> Option<f64> {
    let shape = match shape(sorted, p)? {
        Shape::Value(x) => return Some(x),
        Shape::Beta(a, b) => (a, b),
    };
    let n = sorted.len() as f64;
    // Beyond this window the beta mass is below 1e-16: at least 12 sd, and 40/n for the exponential tail of the density when p is near 0 or
    // 1. So large samples cost sqrt(n) instead of n.
    let reach = 12.0 * (p * (1.0 - p) / (n + 2.0)).sqrt() + 40.0 / n;
    weighted(sorted, shape, (p - reach).max(0.0), (p + reach).min(1.0))
}

enum Shape {
    Value(f64),
    Beta(f64, f64),
}

fn shape(sorted: &[f64], p: f64) -> Option<Shape> {
    let (&first, &last) = (sorted.first()?, sorted.last()?);
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let n = sorted.len() as f64;
    Some(match p {
        _ if sorted.len() == 1 || p == 0.0 => Shape::Value(finite(first)?),
        1.0 => Shape::Value(finite(last)?),
        _ => Shape::Beta((n + 1.0) * p, (n + 1.0) * (1.0 - p)),
    })
}

/// Sum of order statistics, each weighted by the beta mass of its cell inside `[left, right]`, renormalised.
fn weighted(sorted: &[f64], (a, b): (f64, f64), left: f64, right: f64) -> Option<f64> {
    let n = sorted.len() as f64;
    let cdf = |x: f64| inc_beta_both(a, b, x.clamp(0.0, 1.0), 1.0 - x.clamp(0.0, 1.0)).0;
    let (mass_left, mass_right) = (cdf(left), cdf(right));
    let total = mass_right - mass_left;
    if !total.is_finite() || total <= 0.0 {
        return None;
    }
    let first = ((left * n).floor() as usize).min(sorted.len() - 1);
    let end = ((right * n).ceil() as usize).clamp(first + 1, sorted.len());
    let mut before = mass_left;
    let mut result = 0.0;
    for (i, x) in sorted.iter().enumerate().take(end).skip(first) {
        let upper = (i + 1) as f64 / n;
        let after = if upper >= right { mass_right } else { cdf(upper) };
        result += x * ((after - before) / total);
        before = after;
    }
    finite(result)
}
