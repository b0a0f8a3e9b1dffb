//! Does a sample have more than one mode, and where?
//!
//! Within processes, the residuals of many visits are pooled and given to two detectors ([`within_modes`]); between processes,
//! [`between_gap`] looks for a gap among the effects. The second is more useful: it shows that launches differ. Neither changes a verdict,
//! as the t interval over launches is valid with modes too.

mod dip;
mod lowland;

pub use dip::{dip_p_value, dip_statistic, dip_test, DipTest};
pub use lowland::lowland;

use crate::histogram::adaptive_histogram_of_sorted;
use crate::interval::Interval;
use crate::outliers::tukey_fences;
use crate::rng::Rng;
use crate::sample::{median_of_sorted, sorted, thin};
use crate::spread::sd;

/// The m-value thins larger samples to this many evenly spaced order statistics.
const M_VALUE_LIMIT: usize = 20_000;
/// Fewest values for the test within processes.
const WITHIN_VALUES: usize = 200;
/// Fewest processes for the test between them.
const BETWEEN_PROCESSES: usize = 16;
/// Smallest share of the processes on each side of a gap.
const LEAST_SHARE: f64 = 0.1;
/// Smallest gap, in pooled standard errors.
const GAP_ERRORS: f64 = 4.0;
/// Smallest gap, in median gaps: for normal effects the largest gap exceeds it in about 1 % of cases (n = 16 to 128).
const GAP_RATIO: f64 = 14.0;
/// Sensitivity of the lowland detector.
const SENSITIVITY: f64 = 0.5;
/// Level of the dip test.
const DIP_LEVEL: f64 = 0.01;

/// A mode: its peak, its range and its share of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// The peak of the density (of a gap's side: the median). In the unit of the values.
    pub location: f64,
    /// The values that belong to the mode.
    pub range: Interval,
    /// Share of the values in the mode, in `(0, 1]`.
    pub share: f64,
}

/// Result of [`within_modes`].
#[derive(Debug, Clone, PartialEq)]
pub struct WithinModes {
    /// True if the lowland detector finds two modes or the dip test rejects one at 1 %.
    pub modal: bool,
    /// The modes of the lowland detector; one when it finds no lowland.
    pub modes: Vec<Mode>,
    /// The dip test of the dithered values.
    pub dip: DipTest,
}

/// BenchmarkDotNet's m-value: 2 for one mode; 2.8, 3.2 and 4.2 are its thresholds.
///
/// Values in nanoseconds. After removing Tukey outliers: the largest sum of steps over the highest bin among adaptive histograms of
/// doubling width. Like BenchmarkDotNet, 1 if it cannot be computed. Above 20,000 values it uses that many evenly spaced order statistics.
pub fn m_value(xs: &[f64]) -> f64 {
    sorted(xs).map_or(1.0, |s| m_value_of_sorted(&s))
}

pub(crate) fn m_value_of_sorted(sorted: &[f64]) -> f64 {
    let thinned = thin(sorted, M_VALUE_LIMIT);
    // The width is taken from the whole sample: thinning would otherwise blur what the many values can show.
    let scale = (thinned.len() as f64 / sorted.len() as f64).cbrt();
    let Some(fences) = tukey_fences(&thinned, 1.5) else { return 1.0 };
    let kept: Vec<f64> = thinned.into_iter().filter(|x| fences.contains(*x)).collect();
    let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else { return 1.0 };
    let spread = sd(&kept).unwrap_or(0.0);
    let mut width = crate::histogram::adaptive_width(kept.len(), spread) * if spread > 0.0 { scale } else { 1.0 };
    let mut largest: f64 = 0.0;
    // The width doubles, so the range of a float bounds the loop.
    loop {
        let Some(bins) = adaptive_histogram_of_sorted(&kept, width) else { return 1.0 };
        let highest = bins.iter().map(|b| b.count).max().unwrap_or(0).max(1);
        let heights = || std::iter::once(0).chain(bins.iter().map(|b| b.count)).chain(std::iter::once(0));
        let steps: usize = heights().zip(heights().skip(1)).map(|(a, b)| a.abs_diff(b)).sum();
        largest = largest.max(steps as f64 / highest as f64);
        if width > last - first {
            return largest;
        }
        width *= 2.0;
    }
}

/// Moves each value by a uniform amount of up to half a timer quantum either way, so that a coarse timer does not look like modes.
/// `quantum` in the unit of the values; nothing is moved unless it is positive and finite.
pub fn dither(xs: &[f64], quantum: f64, seed: u64) -> Vec<f64> {
    if !(quantum > 0.0 && quantum.is_finite()) {
        return xs.to_vec();
    }
    let mut rng = Rng::new(seed);
    xs.iter().map(|x| x + quantum * (rng.uniform() - 0.5)).collect()
}

/// Modes within processes: pooled residuals of clean visits, dithered, then lowland and dip.
///
/// `quantum` is the timer resolution divided by the operations of a visit and, for log residuals, by the time of an
/// operation. `None` below 200 values or for a non-finite one.
pub fn within_modes(residuals: &[f64], quantum: f64, seed: u64) -> Option<WithinModes> {
    if residuals.len() < WITHIN_VALUES {
        return None;
    }
    let dithered = dither(residuals, quantum, seed);
    let modes = lowland(&dithered, SENSITIVITY)?;
    let dip = dip_test(&dithered)?;
    Some(WithinModes { modal: modes.len() > 1 || dip.p < DIP_LEVEL, modes, dip })
}

/// Two modes between processes: the largest gap among the effects that leaves at least 10 % on each side, if it exceeds 4
/// pooled standard errors within processes and 14 median gaps.
///
/// The second condition is the ratio of the largest to the median gap, which gives the method's test its name. Without it, nearly every
/// sample of precise processes has "two modes": at a standard error of a tenth of the spread, 88 % of samples of 16 normal effects.
///
/// `None` when there is no such gap, below 16 effects, or for a non-finite value.
pub fn between_gap(effects: &[f64], pooled_se: f64) -> Option<[Mode; 2]> {
    let s = sorted(effects)?;
    let n = s.len();
    if n < BETWEEN_PROCESSES || !(pooled_se.is_finite() && pooled_se >= 0.0) {
        return None;
    }
    let least = (LEAST_SHARE * n as f64).ceil() as usize;
    let cut = (least..=n - least).max_by(|&i, &j| (s[i] - s[i - 1]).total_cmp(&(s[j] - s[j - 1])))?;
    let gap = s[cut] - s[cut - 1];
    let mut gaps: Vec<f64> = s.windows(2).map(|w| w[1] - w[0]).collect();
    gaps.sort_unstable_by(f64::total_cmp);
    if gap <= GAP_ERRORS * pooled_se || gap <= GAP_RATIO * median_of_sorted(&gaps) || gap <= 0.0 {
        return None;
    }
    let mode = |part: &[f64]| Mode {
        location: median_of_sorted(part),
        range: Interval { lower: part[0], upper: part[part.len() - 1] },
        share: part.len() as f64 / n as f64,
    };
    Some([mode(&s[..cut]), mode(&s[cut..])])
}
