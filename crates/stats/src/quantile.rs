//! Quantile estimators over a sorted sample.
//!
//! The caller sorts once and asks many times. An unsorted slice gives a meaningless number, never a panic.

use crate::order::finite;
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
    // Beyond this window the beta mass is below 1e-16: at least 12 sd, and 40/n for the exponential tail
    // that the density has when p is near 0 or 1. It makes large samples cost sqrt(n) instead of n.
    let reach = 12.0 * (p * (1.0 - p) / (n + 2.0)).sqrt() + 40.0 / n;
    weighted(sorted, shape, (p - reach).max(0.0), (p + reach).min(1.0))
}

/// Trimmed Harrell-Davis: weights only inside the highest-density interval of the given width (Akinshin 2022).
///
/// The usual width is `1 / sqrt(n)`. More robust than Harrell-Davis, hence the choice for printed quantiles
/// (method.md 7.6). `p` in `[0, 1]`, `width` in `(0, 1]`.
pub fn trimmed_harrell_davis(sorted: &[f64], p: f64, width: f64) -> Option<f64> {
    if !(width > 0.0 && width <= 1.0) {
        return None;
    }
    let (a, b) = match shape(sorted, p)? {
        Shape::Value(x) => return Some(x),
        Shape::Beta(a, b) => (a, b),
    };
    let left = highest_density_start(a, b, width);
    weighted(sorted, (a, b), left, (left + width).min(1.0))
}

/// The quantile that a report prints (method.md 7.6): trimmed Harrell-Davis of width `1/sqrt(n)` from 20 values, type 7 below.
///
/// `None` for `p` of 0.99 and above with fewer than 100 values, which cannot show it, and for an empty slice.
pub fn report_quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let n = sorted.len();
    match n {
        _ if p >= 0.99 && n < 100 => None,
        0..=19 => type7(sorted, p),
        _ => trimmed_harrell_davis(sorted, p, 1.0 / (n as f64).sqrt()),
    }
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

/// Left end of the interval of the given width that holds most of a beta(a, b) density.
fn highest_density_start(a: f64, b: f64, width: f64) -> f64 {
    const FLAT: f64 = 1.0 + 1e-9;
    match (a < FLAT, b < FLAT) {
        // Both below 1 needs n < 2, which has been answered before; centre the window all the same.
        (true, true) => return (1.0 - width) / 2.0,
        (true, false) => return 0.0,
        (false, true) => return 1.0 - width,
        _ => {}
    }
    let mode = (a - 1.0) / (a + b - 2.0);
    let density = |x: f64| {
        if x <= 0.0 || x >= 1.0 {
            f64::NEG_INFINITY
        } else {
            (a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p()
        }
    };
    // density(x) - density(x + width) rises through zero between the two ends.
    let (mut low, mut high) = ((mode - width).max(0.0), mode.min(1.0 - width).max(0.0));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if density(middle) < density(middle + width) {
            low = middle;
        } else {
            high = middle;
        }
        if high - low <= 1e-16 {
            break;
        }
    }
    0.5 * (low + high)
}
