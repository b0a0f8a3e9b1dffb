//! Normal, t, chi-square, F and binomial distributions.

use super::beta::inc_beta_both;
use super::gamma::inc_gamma_both;
use std::f64::consts::PI;

/// Beyond this many degrees of freedom the t distribution is computed from the normal one.
const LARGE_DF: f64 = 1e8;

/// Upper tail of the standard normal distribution.
pub fn normal_sf(z: f64) -> f64 {
    if z.is_nan() {
        return f64::NAN;
    }
    if z < 0.0 {
        return 1.0 - normal_sf(-z);
    }
    0.5 * inc_gamma_both(0.5, 0.5 * z * z).1
}

/// The z with upper tail `p` of the standard normal distribution, p in `[0, 1]`.
pub fn normal_isf(p: f64) -> f64 {
    match p {
        _ if !(0.0..=1.0).contains(&p) => f64::NAN,
        0.0 => f64::INFINITY,
        1.0 => f64::NEG_INFINITY,
        0.5 => 0.0,
        _ if p > 0.5 => -normal_isf(1.0 - p),
        _ => {
            // Hastings' approximation, then Newton on the log of the tail, which is concave: it converges anywhere.
            let r = (-2.0 * p.ln()).sqrt();
            let top = 2.515_517 + r * (0.802_853 + r * 0.010_328);
            let start = r - top / (1.0 + r * (1.432_788 + r * (0.189_269 + r * 0.001_308)));
            invert_tail(p, start.max(0.0), normal_sf, |z| (-0.5 * z * z).exp() / (2.0 * PI).sqrt())
        }
    }
}

/// Solves `tail(x) = p` for x >= 0 by Newton steps on the logarithm of the tail, kept inside a bracket.
fn invert_tail(p: f64, start: f64, tail: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut x = start;
    for _ in 0..200 {
        let at = tail(x);
        if at > p {
            low = x;
        } else {
            high = x;
        }
        let newton = x + (at / p).ln() * at / density(x);
        let next = if newton.is_finite() && newton > low && newton < high {
            newton
        } else if high.is_infinite() {
            // Doubling alone would need a thousand steps for very heavy tails.
            (2.0 * x + 1.0).max(x * x).min(f64::MAX)
        } else if low > 0.0 && high / low > 4.0 {
            (low.ln() * 0.5 + high.ln() * 0.5).exp()
        } else {
            0.5 * (low + high)
        };
        if (next - x).abs() <= 4.0 * f64::EPSILON * x.abs() {
            return next;
        }
        x = next;
    }
    x
}

/// Upper tail of Student's t with `df` degrees of freedom, df > 0 (infinite: the normal distribution).
pub fn t_sf(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if t < 0.0 {
        return 1.0 - t_sf(-t, df);
    }
    if df.is_infinite() {
        return normal_sf(t);
    }
    if df > LARGE_DF {
        // Wallace's transformation; its error is of order 1/df².
        return normal_sf(t * (1.0 - 0.25 / df) / (1.0 + t * t / (2.0 * df)).sqrt());
    }
    let ratio = (t / df.sqrt()).powi(2);
    let (x, y) = if ratio.is_finite() { (1.0 / (1.0 + ratio), ratio / (1.0 + ratio)) } else { (0.0, 1.0) };
    0.5 * inc_beta_both(0.5 * df, 0.5, x, y).0
}

/// The t with upper tail `p`, p in `[0, 1]`, df > 0. The two-sided critical value at level α is `t_isf(α / 2, df)`.
pub fn t_isf(p: f64, df: f64) -> f64 {
    if df.is_nan() || df <= 0.0 || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p == 0.5 {
        return 0.0;
    }
    if p > 0.5 {
        return -t_isf(1.0 - p, df);
    }
    if p == 0.0 {
        return f64::INFINITY;
    }
    let z = normal_isf(p);
    if df.is_infinite() {
        return z;
    }
    // Cornish-Fisher is a good start for moderate df; for few df, Newton does the work.
    let start = z + z * (z * z + 1.0) / (4.0 * df);
    // The height of the density at zero follows from the incomplete beta's own normalisation.
    let ln_height = super::ln_gamma(0.5 * (df + 1.0)) - super::ln_gamma(0.5 * df) - 0.5 * (df * PI).ln();
    let density = |t: f64| (ln_height - 0.5 * (df + 1.0) * (t * t / df).ln_1p()).exp();
    invert_tail(p, start, |t| t_sf(t, df), density)
}

/// Upper tail of the chi-square distribution with `df` degrees of freedom, df > 0; 1 below x = 0.
pub fn chi2_sf(x: f64, df: f64) -> f64 {
    inc_gamma_both(0.5 * df, 0.5 * x.max(0.0)).1
}

/// The chi-square value with upper tail `p`, p in `[0, 1]`, df > 0.
pub fn chi2_isf(p: f64, df: f64) -> f64 {
    if df.is_nan() || df <= 0.0 || df.is_infinite() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p == 1.0 || p == 0.0 {
        return if p == 1.0 { 0.0 } else { f64::INFINITY };
    }
    let (mut low, mut high) = (0.0, df + 10.0);
    while chi2_sf(high, df) > p && high < f64::MAX / 4.0 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if chi2_sf(middle, df) > p {
            low = middle;
        } else {
            high = middle;
        }
        if high - low <= 2.0 * f64::EPSILON * high {
            break;
        }
    }
    0.5 * (low + high)
}

/// Upper tail of the F distribution with `d1` and `d2` degrees of freedom, both > 0; 1 below x = 0.
pub fn f_sf(x: f64, d1: f64, d2: f64) -> f64 {
    if x.is_nan() || d1.is_nan() || d2.is_nan() || d1 <= 0.0 || d2 <= 0.0 {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 1.0;
    }
    let ratio = x * (d1 / d2);
    let (a, b) = if ratio.is_finite() { (1.0 / (1.0 + ratio), ratio / (1.0 + ratio)) } else { (0.0, 1.0) };
    inc_beta_both(0.5 * d2, 0.5 * d1, a, b).0
}

/// The smallest k with `P(X <= k) >= q` for X binomial(n, p): the alarm limit of a calibration.
///
/// `None` when q or p is not in `[0, 1]`.
pub fn binom_ppf(q: f64, n: u64, p: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&q) || !(0.0..=1.0).contains(&p) {
        return None;
    }
    if p == 0.0 || n == 0 || q == 0.0 {
        return Some(0);
    }
    if p == 1.0 || q == 1.0 {
        return Some(n);
    }
    let cdf = |k: u64| {
        if k >= n {
            1.0
        } else {
            inc_beta_both((n - k) as f64, k as f64 + 1.0, 1.0 - p, p).0
        }
    };
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        // A level equal to a step of the function must find that step in spite of rounding.
        if cdf(middle) >= q * (1.0 - 4.0 * f64::EPSILON) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}
