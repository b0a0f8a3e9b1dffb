//! Open-ended and mergeable evidence: e-values for a t statistic (method.md 5.5; Wang & Ramdas, arXiv 2310.03722).
//!
//! They may be looked at any time, and multiplied over independent machines and nights. The price is about 18 % more
//! launches than the tables for the same power.

use crate::interval::Interval;

/// Natural logarithm of [`e_value`].
pub fn ln_e_value(t: f64, df: f64, n_eff: f64, g: f64) -> Option<f64> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !t.is_finite() || !positive(df) || !positive(n_eff) || !positive(g) {
        return None;
    }
    let shrink = 1.0 + n_eff * g;
    // ln(1 + t²/df) overflows for enormous t; the difference of the two logarithms does not.
    let root = t.abs() / df.sqrt();
    let gain = if root < 1e150 { (root * root).ln_1p() - (root * root / shrink).ln_1p() } else { shrink.ln() };
    Some(-0.5 * shrink.ln() + 0.5 * (df + 1.0) * gain)
}

/// Evidence against no effect. Reject at level alpha when it reaches `1 / alpha`, at any time.
///
/// `n_eff = W k / 2` launches a side halved, `g` the prior variance of the effect in units of the process sd squared
/// (1 by default). `None` for arguments that are not finite and, save t, positive. May be infinite.
pub fn e_value(t: f64, df: f64, n_eff: f64, g: f64) -> Option<f64> {
    ln_e_value(t, df, n_eff, g).map(f64::exp)
}

/// The set of effects that the e-value does not reject at `alpha`: valid at any time.
///
/// The whole line while the evidence cannot reject anything yet. `None` for arguments outside their domain.
pub fn confidence_sequence(
    estimate: f64,
    standard_error: f64,
    df: f64,
    n_eff: f64,
    g: f64,
    alpha: f64,
) -> Option<Interval> {
    // Also checks df, n_eff and g.
    ln_e_value(0.0, df, n_eff, g)?;
    let domain = alpha > 0.0 && alpha < 1.0 && estimate.is_finite() && standard_error >= 0.0;
    if !domain {
        return None;
    }
    // (1 + u) / (1 + u / shrink) = ratio has the solution below in u = t² / df.
    let shrink = 1.0 + n_eff * g;
    let ratio = (2.0 * (0.5 * shrink.ln() - alpha.ln()) / (df + 1.0)).exp();
    let reach = if ratio < shrink {
        (df * (ratio - 1.0) / (1.0 - ratio / shrink)).sqrt() * standard_error
    } else {
        f64::INFINITY
    };
    Interval::new(estimate - reach, estimate + reach)
}
