//! Geometric means that say how many ratios they could not take in.

use crate::report::ComparisonRow;

/// A geometric mean with what is not in it.
pub(crate) struct GeometricMean {
    pub value: Option<f64>,
    /// Ratios that are 0, infinite or not a number.
    pub left_out: usize,
}

/// Geometric mean of ratios; what cannot be in it is counted, not hidden.
pub(crate) fn geometric_mean<'a>(rows: impl IntoIterator<Item = &'a ComparisonRow>) -> GeometricMean {
    // Bytes have no place in a mean of times.
    let all: Vec<f64> = rows.into_iter().filter(|r| r.metric.is_none()).map(|r| r.ratio.ln()).collect();
    let logs: Vec<f64> = all.iter().copied().filter(|log| log.is_finite()).collect();
    GeometricMean { value: tare_stats::location::mean(&logs).map(f64::exp), left_out: all.len() - logs.len() }
}
