//! Values far from the rest: labelled for the reader, never deleted by Tare itself.
//!
//! method.md 7.2: deleting by value hides real tails and shrinks intervals. [`remove`] is there for
//! files in the form of BenchmarkDotNet, which leaves outliers out.

use crate::interval::Interval;
use crate::quantile::type7;
use crate::sample::{finite_only, median_of_sorted, sorted};
use crate::spread::double_mad;

/// Makes a median absolute deviation estimate the standard deviation of normal data.
pub const MAD_TO_SD: f64 = 1.482_602_218_505_602;

/// How many values lie outside the fences, and the fences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outliers {
    /// Values inside (ends included) are ordinary. In the unit of the values.
    pub fences: Interval,
    /// Number of values below the lower fence.
    pub low: usize,
    /// Number of values above the upper fence.
    pub high: usize,
}

/// Which outliers BenchmarkDotNet's `OutlierMode` takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Removal {
    /// Keep every value.
    #[default]
    DontRemove,
    /// Take away values above the upper Tukey fence.
    RemoveUpper,
    /// Take away values below the lower Tukey fence.
    RemoveLower,
    /// Take away values outside either fence.
    RemoveAll,
}

/// Fences at `median - k·1.4826·lower MAD` and `median + k·1.4826·upper MAD` (method.md 7.2; k = 3).
///
/// `guard` is the smallest deviation believed, in the unit of the values: the timer resolution divided by the
/// operations of a visit. Without it a coarse timer gives a MAD of 0 and labels everything. `None` for an empty or
/// non-finite sample.
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

/// Counts outliers by the double MAD with k = 3 (method.md 7.2). For `guard` see [`double_mad_fences`], also for
/// when there is none.
pub fn label(xs: &[f64], guard: f64) -> Option<Outliers> {
    let fences = double_mad_fences(xs, 3.0, guard)?;
    let low = xs.iter().filter(|&&x| x < fences.lower).count();
    let high = xs.iter().filter(|&&x| x > fences.upper).count();
    Some(Outliers { fences, low, high })
}

/// The values that BenchmarkDotNet keeps under the given mode (Tukey, k = 1.5), in the order given.
///
/// Non-finite values are dropped under every mode but [`Removal::DontRemove`].
pub fn remove(xs: &[f64], mode: Removal) -> Vec<f64> {
    let (lower, upper) = match mode {
        Removal::DontRemove => return xs.to_vec(),
        Removal::RemoveUpper => (false, true),
        Removal::RemoveLower => (true, false),
        Removal::RemoveAll => (true, true),
    };
    let finite = finite_only(xs);
    let Some(fences) = tukey_fences(&finite, 1.5) else { return finite };
    finite.into_iter().filter(|&x| !(lower && x < fences.lower || upper && x > fences.upper)).collect()
}
