//! Classical tests. Two-sided unless said otherwise.
//!
//! Give them one value for each launch. On the iterations of one launch they raise 30-99 % false alarms at a
//! nominal 5 % (method.md 2.5, 3.2).

mod means;
mod ranks;
mod table;

pub(crate) use means::welch_parts;
pub use means::{difference_interval, pooled_t, welch, yuen};
pub use ranks::{mann_whitney, mann_whitney_asymptotic, shift_bounds, wilcoxon};
pub use table::fisher_exact;

/// Result of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestResult {
    /// The test statistic; positive when the first sample lies higher (t tests), U of the first sample
    /// (Mann-Whitney), the smaller rank sum (Wilcoxon), the odds ratio (Fisher; may be infinite).
    pub statistic: f64,
    /// Degrees of freedom, where the test has them.
    pub df: Option<f64>,
    /// Two-sided p-value in `[0, 1]`.
    pub p: f64,
}
