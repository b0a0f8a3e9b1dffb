//! How wide a sample is. Spreads have the unit of the values, variances its square.
//!
//! All functions return `None` for an empty sample and for one that holds a non-finite value.

use crate::location::{mean, trim_count};
use crate::pairs;
use crate::quantile::type7;
use crate::sample::{finite, median_of_sorted, sorted, sum};

/// Variance with the divisor n - 1; `None` below two values.
pub fn variance(xs: &[f64]) -> Option<f64> {
    if xs.len() < 2 {
        return None;
    }
    let centre = mean(xs)?;
    // The second sum is zero in exact arithmetic; it corrects the rounding of the mean (Chan et al. 1983).
    let squares = sum(xs.iter().map(|x| (x - centre) * (x - centre)));
    let rest = sum(xs.iter().map(|x| x - centre));
    let n = xs.len() as f64;
    finite(((squares - rest * rest / n) / (n - 1.0)).max(0.0))
}

/// Standard deviation with the divisor n - 1; `None` below two values.
pub fn sd(xs: &[f64]) -> Option<f64> {
    variance(xs).map(f64::sqrt)
}

/// Median absolute deviation from the median, unscaled (times 1.4826 it estimates the sd of normal data).
pub fn mad(xs: &[f64]) -> Option<f64> {
    let s = sorted(xs)?;
    let centre = median_of_sorted(&s);
    crate::location::median(&s.iter().map(|x| (x - centre).abs()).collect::<Vec<_>>())
}

/// Lower and upper median absolute deviation, unscaled: of the values at or below, and at or above, the median.
///
/// For skewed data, where a single MAD labels the long tail as outliers (Rosenmai 2013; Akinshin).
pub fn double_mad(xs: &[f64]) -> Option<(f64, f64)> {
    let s = sorted(xs)?;
    let centre = median_of_sorted(&s);
    let of = |side: &dyn Fn(f64) -> bool| {
        let distances: Vec<f64> = s.iter().filter(|x| side(**x)).map(|x| (x - centre).abs()).collect();
        crate::location::median(&distances)
    };
    Some((of(&|x| x <= centre)?, of(&|x| x >= centre)?))
}

/// Shamos spread: the median of all `|x_i - x_j|`, i < j, unscaled (Shamos 1976; Pragmastat Spread).
///
/// `None` below two values.
pub fn shamos(xs: &[f64]) -> Option<f64> {
    let s = sorted(xs)?;
    (s.len() >= 2).then(|| pairs::median_distance(&s)).and_then(finite)
}

/// Interquartile range by type-7 quantiles, in the unit of the values; `None` for an empty or non-finite sample.
pub fn iqr(xs: &[f64]) -> Option<f64> {
    let s = sorted(xs)?;
    finite(type7(&s, 0.75)? - type7(&s, 0.25)?)
}

/// Variance after replacing `floor(proportion * n)` values at each end by their nearest kept neighbour.
///
/// Divisor n - 1; `proportion` in `[0, 0.5)`; `None` below two values.
pub fn winsorised_variance(xs: &[f64], proportion: f64) -> Option<f64> {
    let mut s = sorted(xs)?;
    let n = s.len();
    let cut = trim_count(n, proportion)?;
    let (low, high) = (s[cut], s[n - 1 - cut]);
    s.iter_mut().for_each(|x| *x = x.clamp(low, high));
    variance(&s)
}
