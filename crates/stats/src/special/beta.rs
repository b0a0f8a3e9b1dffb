//! Incomplete beta function.

use super::gamma::{deviance, ln_gamma, stirling_error};
use std::f64::consts::PI;

/// The regularised incomplete beta `I_x(a, b)` and 1 minus it, for a, b > 0 and x in `[0, 1]`; `NaN` elsewhere. `y = 1 - x` is passed
/// separately, so that neither loses digits near 0. Fully accurate for a, b up to 1e8.
pub fn inc_beta_both(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    let domain = a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite() && (0.0..=1.0).contains(&x);
    if !domain || !(0.0..=1.0).contains(&y) {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if y == 0.0 {
        return (1.0, 0.0);
    }
    // The fraction converges fast on the lower side of the mean; the other side is its mirror image.
    if x <= (a + 1.0) / (a + b + 2.0) {
        let p = (power_term(a, b, x, y) * fraction(a, b, x) / a).clamp(0.0, 1.0);
        (p, 1.0 - p)
    } else {
        let q = (power_term(b, a, y, x) * fraction(b, a, y) / b).clamp(0.0, 1.0);
        (1.0 - q, q)
    }
}

/// `x^a y^b / B(a, b)` without overflow and, for large a and b, without cancellation.
fn power_term(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if a < 10.0 || b < 10.0 {
        let ln_y = if y > 0.5 { (-x).ln_1p() } else { y.ln() };
        let ln_x = if x > 0.5 { (-y).ln_1p() } else { x.ln() };
        return (a * ln_x + b * ln_y + ln_beta_inverse(a, b)).exp();
    }
    let n = a + b;
    let scale = stirling_error(n) - stirling_error(a) - stirling_error(b);
    (scale - deviance(a, n * x) - deviance(b, n * y)).exp() * (a * (b / n) / (2.0 * PI)).sqrt()
}

/// `-ln B(a, b)`; for one small and one large argument, Stirling's series subtracts the two large gammas.
fn ln_beta_inverse(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if large < 16.0 {
        return ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    }
    let n = small + large;
    // ln Γ(n) - ln Γ(large) = small ln n + (large - ½) ln(n / large) - small + difference of the errors
    let ratio = (large - 0.5) * (small / large).ln_1p() + small * n.ln() - small;
    ratio + stirling_error(n) - stirling_error(large) - ln_gamma(small)
}

/// Lentz's evaluation of the continued fraction for the incomplete beta function.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let guard = |v: f64| if v.abs() < tiny { tiny } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    // Converges in O(sqrt(max(a, b))) steps; the limit keeps absurd arguments from taking seconds.
    let limit = 500 + 20 * a.max(b).sqrt().min(1e4) as usize;
    for m in 1..limit {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-16 {
            break;
        }
    }
    h
}
