//! Geometric means that say how many ratios they are of, and how many they could not take in.

use crate::report::ComparisonRow;
use serde::Serialize;

/// A geometric mean with what it is of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GeometricMean {
    /// The mean, in the unit of the values; `None` of nothing.
    pub value: Option<f64>,
    pub count: usize,
    /// Ratios that are 0, infinite or not a number, and not in it.
    pub left_out: usize,
}

/// Geometric mean of ratios; what cannot be in it is counted, not hidden.
pub fn geometric_mean<'a>(rows: impl IntoIterator<Item = &'a ComparisonRow>) -> GeometricMean {
    // Bytes have no place in a mean of times.
    of(rows.into_iter().filter(|r| r.metric.is_none()).map(|r| r.ratio))
}

pub(crate) fn of(ratios: impl Iterator<Item = f64>) -> GeometricMean {
    let (mut logs, mut left_out) = (Vec::new(), 0);
    for ratio in ratios {
        let log = ratio.ln();
        if log.is_finite() {
            logs.push(log);
        } else {
            left_out += 1;
        }
    }
    GeometricMean { value: tare_stats::location::mean(&logs).map(f64::exp), count: logs.len(), left_out }
}
