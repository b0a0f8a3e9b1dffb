//! The histogram of Tare's own reports, and spark lines.

use super::Bin;
use crate::quantile::type7;
use crate::sample::{median_of_sorted, sorted};

const MIN_BINS: usize = 8;
const MAX_BINS: usize = 40;
/// Limit on steps while the width has not been coarsened yet.
const STEPS: usize = 200;

/// A histogram whose bins have equal width on the log axis; values outside it are only counted.
#[derive(Debug, Clone, PartialEq)]
pub struct LogHistogram {
    /// The bins, ascending; ends in the unit of the values.
    pub bins: Vec<Bin>,
    /// Values below the first bin.
    pub below: usize,
    /// Values above the last bin.
    pub above: usize,
    /// Width of a bin on the log axis (0.01 is about 1 %).
    pub log_width: f64,
}

/// Histogram of positive values over `[q.005, q.99]` on a log axis.
///
/// The width is the largest of Freedman-Diaconis', two timer quanta and 0.1 % of the median, rounded up to 1, 2 or 5 times a power of ten,
/// and coarsened until there are at most 40 bins. A range that would give fewer than 8 is split finer as far as the quanta allow. `quantum`
/// is the timer resolution divided by the operations of a visit, in the unit of the values. `None` for an empty sample or a value that is
/// not positive and finite.
pub fn log_histogram(xs: &[f64], quantum: f64) -> Option<LogHistogram> {
    let logs = logs_of(xs)?;
    let (low, high) = (type7(&logs, 0.005)?, type7(&logs, 0.99)?);
    let iqr = type7(&logs, 0.75)? - type7(&logs, 0.25)?;
    let median = median_of_sorted(&logs).exp();
    let relative_quantum = if quantum.is_finite() && quantum > 0.0 { 2.0 * quantum / median } else { 0.0 };
    // 0.1 % of the median and the quanta are hard limits of resolution; Freedman-Diaconis is a choice.
    let finest = relative_quantum.max(0.001);
    let diaconis = 2.0 * iqr / (logs.len() as f64).cbrt();
    let mut width = nice_above(diaconis.max(finest))?;
    let bins_at = |w: f64| ((high / w).floor() - (low / w).floor()) as usize + 1;
    for _ in 0..STEPS {
        if bins_at(width) <= MAX_BINS {
            break;
        }
        width = nice_above(width * 1.01)?;
    }
    for _ in 0..STEPS {
        let finer = nice_below(width)?;
        if bins_at(width) >= MIN_BINS || finer < finest || bins_at(finer) > MAX_BINS {
            break;
        }
        width = finer;
    }
    let first = (low / width).floor();
    Some(count(&logs, first, bins_at(width), width))
}

fn logs_of(xs: &[f64]) -> Option<Vec<f64>> {
    let s = sorted(xs)?;
    (s[0] > 0.0).then(|| s.iter().map(|x| x.ln()).collect())
}

fn count(logs: &[f64], first: f64, n: usize, width: f64) -> LogHistogram {
    let edge = |i: usize| (first + i as f64) * width;
    let before = |x: f64| logs.partition_point(|&l| l < x);
    let bins = (0..n).map(|i| Bin {
        lower: edge(i).exp(),
        upper: edge(i + 1).exp(),
        count: before(edge(i + 1)) - before(edge(i)),
    });
    LogHistogram { bins: bins.collect(), below: before(edge(0)), above: logs.len() - before(edge(n)), log_width: width }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `x` (up to rounding).
fn nice_above(x: f64) -> Option<f64> {
    let power = 10f64.powf(x.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&m| m >= x * (1.0 - 1e-9))?;
    (nice.is_finite() && nice > 0.0).then_some(nice)
}

/// The next smaller of 1, 2, 5 times a power of ten.
fn nice_below(x: f64) -> Option<f64> {
    let power = 10f64.powf((x * (1.0 - 1e-9)).log10().floor());
    let nice = [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|&m| m < x * (1.0 - 1e-9))?;
    (nice.is_finite() && nice > 0.0).then_some(nice)
}

/// Counts in `bins` equal bins over `[q.005, q.99]`, ignoring values outside: the shape in a few characters.
///
/// Constant values all fall in the middle bin. Empty when `bins` is 0 or the sample is empty or non-finite.
pub fn spark_counts(xs: &[f64], bins: usize) -> Vec<usize> {
    let Some(s) = sorted(xs) else { return Vec::new() };
    // More bins than values would be noise; the limit keeps a wrong argument harmless.
    if bins == 0 || bins > 10_000 {
        return Vec::new();
    }
    let mut counts = vec![0; bins];
    let (Some(low), Some(high)) = (type7(&s, 0.005), type7(&s, 0.99)) else { return counts };
    let width = high - low;
    if width <= 0.0 || !width.is_finite() {
        counts[bins / 2] = s.iter().filter(|&&x| x >= low && x <= high).count();
        return counts;
    }
    for &x in s.iter().filter(|&&x| x >= low && x <= high) {
        counts[(((x - low) / width * bins as f64) as usize).min(bins - 1)] += 1;
    }
    counts
}
