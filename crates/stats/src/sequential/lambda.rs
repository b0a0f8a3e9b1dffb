//! Is the design what the analysis believes? Variance between waves against what the spread within predicts.

use super::look::{reduce, PooledSpread, Reduced, Wave};
use crate::special::{chi2_isf, f_sf, t_sf};
use crate::spread::variance;

/// Fewer benchmarks than this do not inflate anyone's intervals.
const ENOUGH_BENCHMARKS: usize = 20;

/// The calibration ratio, pooled over a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lambda {
    /// Variance of wave differences over its prediction: 1 expected; above 1.3 the design is broken (order
    /// effects, shared caches, idle children that run).
    pub value: f64,
    /// One-sided lower 99 % bound.
    pub lower_99: f64,
    /// Effective degrees of freedom of the estimate.
    pub df: f64,
    /// Number of benchmarks that could be used.
    pub benchmarks: usize,
}

impl Lambda {
    /// The factor for the variance of every look: the value itself when at least 20 benchmarks show it above 1
    /// with 99 % confidence, else 1.
    pub fn inflation(&self) -> f64 {
        if self.benchmarks >= ENOUGH_BENCHMARKS && self.lower_99 > 1.0 {
            self.value.max(1.0)
        } else {
            1.0
        }
    }
}

/// Ratio of variances of one benchmark, its two degrees of freedom.
fn ratio(waves: &[Wave]) -> Option<(f64, f64, f64)> {
    let usable: Vec<Reduced> = waves.iter().filter_map(reduce).collect();
    let mut spread = PooledSpread::default();
    usable.iter().for_each(|r| spread.add(r));
    let df = spread.df_with(1.0);
    // What is expected of each wave: one that lost a process has a larger variance, hence a smaller weight.
    let expected: Vec<f64> = usable.iter().map(|r| spread.of_wave(r)).collect();
    if usable.len() < 2 || df < 1.0 || !expected.iter().all(|&variance| variance > 0.0) {
        return None;
    }
    let differences: Vec<(f64, f64)> = usable.iter().zip(&expected).map(|(r, v)| (r.difference, 1.0 / v)).collect();
    let (_, squares) = centre(&differences);
    let between_df = (usable.len() - 1) as f64;
    let ratio = squares / between_df;
    ratio.is_finite().then_some((ratio, between_df, df))
}

/// Mean of the differences of waves by these weights, and the sum of the weighted squares about it.
pub(super) fn centre(differences: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = differences.iter().map(|(_, weight)| weight).sum();
    let centre = differences.iter().map(|(difference, weight)| difference * weight).sum::<f64>() / total;
    let squares: f64 = differences.iter().map(|(difference, weight)| weight * (difference - centre).powi(2)).sum();
    // The second sum is zero in exact arithmetic; it takes back the rounding of the centre.
    let rest: f64 = differences.iter().map(|(difference, weight)| weight * (difference - centre)).sum();
    (centre, (squares - rest * rest / total).max(0.0))
}

/// p-value that the waves of one benchmark differ more than its processes explain (F test).
///
/// Only a warning at p < .01: used as a switch it repairs almost nothing. `None` below two usable waves.
pub fn between_wave_p(waves: &[Wave]) -> Option<f64> {
    ratio(waves).map(|(f, d1, d2)| f_sf(f, d1, d2))
}

/// The error of an estimate as its waves show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// Standard error of the mean difference of waves (log scale).
    pub standard_error: f64,
    /// Usable waves less one.
    pub df: f64,
}

/// Standard error of the mean over waves of their differences, whatever the launches within them say. It also holds where the
/// launches of a wave share something that favours one side. `None` below two usable waves.
pub fn between_waves(waves: &[Wave]) -> Option<Between> {
    Between::of(&waves.iter().filter_map(|wave| Some(reduce(wave)?.difference)).collect::<Vec<f64>>())
}

impl Between {
    /// Of the differences of waves; `None` below two.
    pub(super) fn of(differences: &[f64]) -> Option<Between> {
        let k = differences.len() as f64;
        let standard_error = (variance(differences)? / k).sqrt();
        standard_error.is_finite().then_some(Between { standard_error, df: k - 1.0 })
    }

    /// Two-sided p-value of no effect by a t test over the waves. Without any spread a difference is certain, and none is none.
    pub fn p(&self, estimate: f64) -> f64 {
        match (estimate == 0.0, self.standard_error == 0.0) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            _ => 2.0 * t_sf((estimate / self.standard_error).abs(), self.df),
        }
    }
}

/// `var(d) / (s² · (1/nA + 1/nB))` pooled over benchmarks by their degrees of freedom.
///
/// Each benchmark's ratio follows lambda times an F distribution, whose mean is `d2 / (d2 - 2)`; that bias is taken out.
/// The bound matches the variance of the pooled value with a scaled chi-square. Benchmarks with one usable wave, or with
/// at most four degrees of freedom within (their F has no variance), are left out; `None` when none is left.
pub fn lambda_of<'a>(benchmarks: impl Iterator<Item = &'a [Wave]>) -> Option<Lambda> {
    let usable: Vec<(f64, f64, f64)> = benchmarks.filter_map(ratio).filter(|(_, _, d2)| *d2 > 4.0).collect();
    let weight: f64 = usable.iter().map(|(_, d1, _)| d1).sum();
    if usable.is_empty() || weight <= 0.0 {
        return None;
    }
    let value = usable.iter().map(|(f, d1, d2)| d1 * f * (d2 - 2.0) / d2).sum::<f64>() / weight;
    let relative_variance =
        usable.iter().map(|(_, d1, d2)| d1 * d1 * 2.0 * (d1 + d2 - 2.0) / (d1 * (d2 - 4.0))).sum::<f64>()
            / (weight * weight);
    let df = 2.0 / relative_variance;
    let lower_99 = value * df / chi2_isf(0.01, df);
    lower_99.is_finite().then_some(Lambda { value, lower_99, df, benchmarks: usable.len() })
}

/// The smallest effect worth calling a difference when builds differ by layout luck: `3 sqrt(2) s_b` on the log scale.
///
/// `estimates` and `standard_errors` are those of A/A' comparisons, one for each padded or shuffled rebuild. `s_b`
/// squared is the variance of the estimates minus the mean squared standard error, at least 0. `None` below two
/// rebuilds, for slices of different length or non-finite values.
pub fn layout_margin(estimates: &[f64], standard_errors: &[f64]) -> Option<f64> {
    if estimates.len() != standard_errors.len() {
        return None;
    }
    let squares: Vec<f64> = standard_errors.iter().map(|e| e * e).collect();
    let between = variance(estimates)? - crate::location::mean(&squares)?;
    Some(3.0 * std::f64::consts::SQRT_2 * between.max(0.0).sqrt())
}
