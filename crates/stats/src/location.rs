//! Where a sample lies: means, medians, and the robust centres between them.
//!
//! All functions return `None` for an empty sample and for one that holds a non-finite value.

use crate::pairs;
use crate::sample::{finite, median_of_sorted, sorted, sum, usable};
use crate::spread::winsorised_variance;

/// Arithmetic mean, in the unit of the values.
pub fn mean(xs: &[f64]) -> Option<f64> {
    if !usable(xs) {
        return None;
    }
    let n = xs.len() as f64;
    let total = sum(xs.iter().copied());
    // The sum of values near the largest float overflows, though their mean does not.
    finite(if total.is_finite() { total / n } else { sum(xs.iter().map(|x| x / n)) })
}

/// Median, in the unit of the values; the middle of the two central values for an even count.
pub fn median(xs: &[f64]) -> Option<f64> {
    sorted(xs).map(|s| median_of_sorted(&s))
}

/// Mean after cutting `floor(proportion * n)` values from each end.
///
/// `proportion` lies in `[0, 0.5)`; anything else gives `None`.
pub fn trimmed_mean(xs: &[f64], proportion: f64) -> Option<f64> {
    let s = sorted(xs)?;
    let cut = trim_count(s.len(), proportion)?;
    mean(&s[cut..s.len() - cut])
}

/// Share trimmed from each end of the visits of a launch.
pub(crate) const TRIM: f64 = 0.2;
/// Below this many values the median replaces the trimmed mean.
pub(crate) const ENOUGH_TO_TRIM: usize = 10;

/// The centre of the visits of a launch, in their unit: the 20 % trimmed mean, or the median below 10 values.
pub fn centre(xs: &[f64]) -> Option<f64> {
    if xs.len() >= ENOUGH_TO_TRIM {
        trimmed_mean(xs, TRIM)
    } else {
        median(xs)
    }
}

/// Standard error of the trimmed mean, in the unit of the values: winsorised sd / ((1 - 2 proportion) sqrt n) (Tukey & McLaughlin 1963).
///
/// `None` also below two values.
pub fn trimmed_se(xs: &[f64], proportion: f64) -> Option<f64> {
    let variance = winsorised_variance(xs, proportion)?;
    finite(variance.sqrt() / ((1.0 - 2.0 * proportion) * (xs.len() as f64).sqrt()))
}

/// How many values a trim takes from each end; `None` for a proportion outside `[0, 0.5)`.
pub(crate) fn trim_count(n: usize, proportion: f64) -> Option<usize> {
    (0.0..0.5).contains(&proportion).then(|| (proportion * n as f64).floor() as usize)
}

/// Hodges-Lehmann centre: the median of all `(x_i + x_j) / 2`, i <= j (Hodges & Lehmann 1963; Pragmastat Center).
///
/// In the unit of the values, in O(n log n) time and O(n) memory.
pub fn hodges_lehmann_centre(xs: &[f64]) -> Option<f64> {
    sorted(xs).map(|s| pairs::median_walsh(&s))
}
