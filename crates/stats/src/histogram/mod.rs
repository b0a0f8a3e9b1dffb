//! Histograms: BenchmarkDotNet's adaptive one, Tare's own on a log axis, and the few bins of a spark line.

mod adaptive;
mod log_axis;

pub use adaptive::adaptive_histogram;
pub(crate) use adaptive::{adaptive_histogram_of_sorted, width_of as adaptive_width};
pub use log_axis::{log_histogram, spark_counts, LogHistogram};

/// One bin: values from `lower` up to but not including `upper`, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bin {
    /// Lower end, included.
    pub lower: f64,
    /// Upper end, not included except in the last bin.
    pub upper: f64,
    /// Number of values.
    pub count: usize,
}
