//! Compares two sides: builds whose children were interleaved in one run, or two saved results.

mod cost;
mod merge;
mod pairing;
mod run;
mod saved;
mod skips;

#[cfg(test)]
mod tests;

pub use run::{compare_run, finding_of_side, is_comparison};
pub use saved::compare_saved;

use crate::report::ComparisonRow;

/// Geometric mean of the ratios of times; excludes bytes and ratios that are 0 or infinite.
fn geometric_mean(rows: &[ComparisonRow]) -> Option<f64> {
    let logs = rows.iter().filter(|row| row.metric.is_none()).map(|row| row.ratio.ln());
    let logs: Vec<f64> = logs.filter(|log| log.is_finite()).collect();
    tare_stats::location::mean(&logs).map(f64::exp)
}
