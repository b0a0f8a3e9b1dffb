//! The block of descriptive statistics, as BenchmarkDotNet prints it.

use crate::interval::{t_interval, Estimate};
use crate::location::mean;
use crate::modes::m_value_of_sorted;
use crate::quantile::type7;
use crate::sample::{finite, median_of_sorted, sorted, sum};
use crate::spread::variance;

/// Type-7 percentiles of the sample, in the unit of the values.
///
/// The sample is visits or iterations, so a percentile here is not the latency of single operations.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Percentiles {
    /// Minimum.
    pub p0: f64,
    /// 25th percentile.
    pub p25: f64,
    /// Median.
    pub p50: f64,
    /// 67th percentile.
    pub p67: f64,
    /// 80th percentile.
    pub p80: f64,
    /// 85th percentile.
    pub p85: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile; `None` below 100 values, which cannot show it.
    pub p99: Option<f64>,
    /// Maximum.
    pub p100: f64,
}

impl Percentiles {
    /// All but the 99th, which not every sample shows, with their usual names, in order.
    pub fn named(&self) -> [(&'static str, f64); 9] {
        [
            ("P0", self.p0),
            ("P25", self.p25),
            ("P50", self.p50),
            ("P67", self.p67),
            ("P80", self.p80),
            ("P85", self.p85),
            ("P90", self.p90),
            ("P95", self.p95),
            ("P100", self.p100),
        ]
    }
}

/// Descriptive statistics of a sample; locations and spreads have the unit of the values.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Summary {
    /// Number of values.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation over the root of n; 0 for a single value.
    pub standard_error: f64,
    /// Standard deviation, divisor n - 1; 0 for a single value.
    pub standard_deviation: f64,
    /// Variance, divisor n - 1; 0 for a single value.
    pub variance: f64,
    /// Smallest value.
    pub min: f64,
    /// Tukey's lower fence, q1 - 1.5 iqr.
    pub lower_fence: f64,
    /// First quartile, type 7.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile, type 7.
    pub q3: f64,
    /// Tukey's upper fence, q3 + 1.5 iqr.
    pub upper_fence: f64,
    /// Largest value.
    pub max: f64,
    /// Interquartile range.
    pub iqr: f64,
    /// Third central moment (divisor n) over the standard deviation (divisor n - 1) cubed, as BenchmarkDotNet
    /// defines it; `None` for constant values.
    pub skewness: Option<f64>,
    /// Fourth central moment (divisor n) over the variance (divisor n - 1) squared, not reduced by 3; `None` for
    /// constant values.
    pub kurtosis: Option<f64>,
    /// Modality value: 2 for one mode, above 2.8 suspicious (see [`crate::modes::m_value`]).
    pub m_value: f64,
    /// The percentiles.
    pub percentiles: Percentiles,
    /// 95 % t interval of the mean; `None` below two values. Honest only if the values are independent: use it on
    /// launches, not on iterations of one launch.
    pub ci_95: Option<Estimate>,
    /// 99 % t interval of the mean.
    pub ci_99: Option<Estimate>,
    /// 99.9 % t interval of the mean (BenchmarkDotNet's Error column).
    pub ci_999: Option<Estimate>,
    /// Values below the lower fence, ascending.
    pub lower_outliers: Vec<f64>,
    /// Values above the upper fence, ascending.
    pub upper_outliers: Vec<f64>,
}

impl Summary {
    /// Describes a sample; `None` when it is empty, holds a non-finite value, or spans more than a float can hold.
    pub fn of(xs: &[f64]) -> Option<Summary> {
        let s = sorted(xs)?;
        let n = s.len();
        let mean = mean(&s)?;
        let variance = if n < 2 { 0.0 } else { variance(&s)? };
        let (skewness, kurtosis) = shape(&s, mean, variance);
        let percentiles = percentiles(&s)?;
        let (q1, q3) = (percentiles.p25, type7(&s, 0.75)?);
        let iqr = finite(q3 - q1)?;
        let (lower_fence, upper_fence) = (q1 - 1.5 * iqr, q3 + 1.5 * iqr);
        Some(Summary {
            n,
            mean,
            standard_error: (variance / n as f64).sqrt(),
            standard_deviation: variance.sqrt(),
            variance,
            min: s[0],
            lower_fence,
            q1,
            median: median_of_sorted(&s),
            q3,
            upper_fence,
            max: s[n - 1],
            iqr,
            skewness,
            kurtosis,
            m_value: m_value_of_sorted(&s),
            percentiles,
            ci_95: t_interval(&s, 0.95),
            ci_99: t_interval(&s, 0.99),
            ci_999: t_interval(&s, 0.999),
            lower_outliers: s.iter().copied().take_while(|&x| x < lower_fence).collect(),
            upper_outliers: s[s.partition_point(|&x| x <= upper_fence)..].to_vec(),
        })
    }
}

fn percentiles(s: &[f64]) -> Option<Percentiles> {
    Some(Percentiles {
        p0: type7(s, 0.0)?,
        p25: type7(s, 0.25)?,
        p50: type7(s, 0.5)?,
        p67: type7(s, 0.67)?,
        p80: type7(s, 0.8)?,
        p85: type7(s, 0.85)?,
        p90: type7(s, 0.9)?,
        p95: type7(s, 0.95)?,
        p99: if s.len() >= 100 { type7(s, 0.99) } else { None },
        p100: type7(s, 1.0)?,
    })
}

fn shape(s: &[f64], mean: f64, variance: f64) -> (Option<f64>, Option<f64>) {
    if variance <= 0.0 || s[0] == s[s.len() - 1] {
        return (None, None);
    }
    let n = s.len() as f64;
    let moment = |power: i32| sum(s.iter().map(|x| ((x - mean) / variance.sqrt()).powi(power))) / n;
    (finite(moment(3)), finite(moment(4)))
}
