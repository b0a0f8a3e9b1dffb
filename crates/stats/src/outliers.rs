//! Values far from the rest: labelled for the reader, never deleted by Tare itself.
//!
//! Deleting by value hides real tails and shrinks intervals. [`without_upper`] exists for files in the format of BenchmarkDotNet, which
//! leaves outliers out.

use crate::interval::Interval;
use crate::quantile::type7;
use crate::sample::{finite_only, median_of_sorted, sorted};
use crate::spread::double_mad;

/// Scales the median absolute deviation to the standard deviation of normal data.
pub const MAD_TO_SD: f64 = 1.482_602_218_505_602;

/// Number of values outside the fences, and the fences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outliers {
    /// Values inside (ends included) are ordinary. In the unit of the values.
    pub fences: Interval,
    /// Number of values below the lower fence.
    pub low: usize,
    /// Number of values above the upper fence.
    pub high: usize,
}

/// Fences at `median - k·1.4826·lower MAD` and `median + k·1.4826·upper MAD` (k = 3).
///
/// `guard` is the smallest deviation to use, in the unit of the values: the timer resolution divided by the operations of a visit. Without
/// it a coarse timer gives a MAD of 0, and everything is labelled. `None` for an empty or non-finite sample.
pub fn double_mad_fences(xs: &[f64], k: f64, guard: f64) -> Option<Interval> {
    let centre = median_of_sorted(&sorted(xs)?);
    let (lower, upper) = double_mad(xs)?;
    let guard = if guard.is_finite() { guard.max(0.0) } else { 0.0 };
    let reach = |mad: f64| k * MAD_TO_SD * mad.max(guard);
    Interval::new(centre - reach(lower), centre + reach(upper))
}

/// Tukey's fences, `k` interquartile ranges (type 7) outside the quartiles; BenchmarkDotNet's k is 1.5. In the unit of the values; `None`
/// for an empty or non-finite sample.
pub fn tukey_fences(xs: &[f64], k: f64) -> Option<Interval> {
    let s = sorted(xs)?;
    let (q1, q3) = (type7(&s, 0.25)?, type7(&s, 0.75)?);
    Interval::new(q1 - k * (q3 - q1), q3 + k * (q3 - q1))
}

/// Counts outliers by the double MAD with k = 3. See [`double_mad_fences`] for `guard` and for `None`.
pub fn label(xs: &[f64], guard: f64) -> Option<Outliers> {
    let fences = double_mad_fences(xs, 3.0, guard)?;
    let low = xs.iter().filter(|&&x| x < fences.lower).count();
    let high = xs.iter().filter(|&&x| x > fences.upper).count();
    Some(Outliers { fences, low, high })
}

/// The finite values up to the upper Tukey fence (k = 1.5), as BenchmarkDotNet keeps them, in input order.
pub fn without_upper(xs: &[f64]) -> Vec<f64> {
    let finite = finite_only(xs);
    let Some(fences) = tukey_fences(&finite, 1.5) else { return finite };
    finite.into_iter().filter(|&x| x <= fences.upper).collect()
}
