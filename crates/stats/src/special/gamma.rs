//! Gamma function and incomplete gamma function.

use super::distributions::normal_sf;
use std::f64::consts::PI;

/// Shapes beyond this are handled by their normal limit: the exact expansions would take seconds.
const LARGE_SHAPE: f64 = 1e8;

/// `ln Γ(x)` for x > 0; `NaN` elsewhere (Lanczos 1964 below 16, Stirling's series above).
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    if x >= 16.0 {
        return (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + stirling_error(x);
    }
    if x < 0.5 {
        return (PI / (PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    const G: f64 = 7.0;
    #[allow(clippy::excessive_precision)]
    const C: [f64; 9] = [
        0.999_999_999_999_809_93,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_13,
        -176.615_029_162_140_59,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_571_6e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let z = x - 1.0;
    let series = C[1..].iter().enumerate().fold(C[0], |acc, (i, c)| acc + c / (z + (i + 1) as f64));
    let t = z + G + 0.5;
    0.5 * (2.0 * PI).ln() + (z + 0.5) * t.ln() - t + series.ln()
}

/// The error of Stirling's formula, `ln Γ(x) - [(x - ½) ln x - x + ½ ln 2π]`, for x > 0.
pub(super) fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        return ln_gamma(x) - ((x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln());
    }
    let r = 1.0 / (x * x);
    (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r * (1.0 / 1188.0))))) / x
}

/// Loader's deviance `x ln(x/m) + m - x`, accurate also when x is close to m (Loader 2000).
pub(super) fn deviance(x: f64, m: f64) -> f64 {
    let v = (x - m) / (x + m);
    if v.abs() >= 0.1 {
        return x * (x / m).ln() + m - x;
    }
    let mut total = (x - m) * v;
    let mut term = 2.0 * x * v;
    for k in 1..200 {
        term *= v * v;
        let next = total + term / (2 * k + 1) as f64;
        if next == total {
            break;
        }
        total = next;
    }
    total
}

/// `x^a e^-x / Γ(a + 1)` without overflow.
fn poisson_term(a: f64, x: f64) -> f64 {
    if a < 10.0 {
        return (a * x.ln() - x - ln_gamma(a + 1.0)).exp();
    }
    (-stirling_error(a) - deviance(a, x)).exp() / (2.0 * PI * a).sqrt()
}

/// Lower and upper regularised incomplete gamma `(P, Q)`, a > 0, x >= 0; `NaN` elsewhere.
pub(super) fn inc_gamma_both(a: f64, x: f64) -> (f64, f64) {
    if a.is_nan() || x.is_nan() || a <= 0.0 || x < 0.0 || a.is_infinite() {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    if a > LARGE_SHAPE {
        // Wilson & Hilferty (1931): the cube root is normal up to an error of order 1/a.
        let z = ((x / a).cbrt() - 1.0 + 1.0 / (9.0 * a)) * 3.0 * a.sqrt();
        return (normal_sf(-z), normal_sf(z));
    }
    // Both expansions converge in O(sqrt a) steps.
    let limit = 1_000 + 20 * a.sqrt() as usize;
    if x < a + 1.0 {
        let (mut term, mut total) = (1.0, 1.0);
        for k in 1..limit {
            term *= x / (a + k as f64);
            total += term;
            if term <= total * 1e-17 {
                break;
            }
        }
        let p = (poisson_term(a, x) * total).min(1.0);
        return (p, 1.0 - p);
    }
    // Lentz's continued fraction.
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut h = d;
    for k in 1..limit {
        let an = -(k as f64) * (k as f64 - a);
        b += 2.0;
        d = an * d + b;
        d = 1.0 / if d.abs() < tiny { tiny } else { d };
        c = b + an / c;
        c = if c.abs() < tiny { tiny } else { c };
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-16 {
            break;
        }
    }
    let q = (poisson_term(a, x) * a * h).min(1.0);
    (1.0 - q, q)
}
