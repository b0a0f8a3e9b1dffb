//! Metrics other than time: functions marked `#[tare::metric]`, read before and after each iteration.

use crate::list::List;

/// A metric as `#[tare::metric]` describes it.
pub struct Metric {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// `B` for bytes, otherwise shown as is; may be empty.
    pub unit: &'static str,
    /// `lower`, `higher` or empty.
    pub better: &'static str,
    /// The value is the one read after an iteration, instead of the increase during it.
    pub per_iteration: bool,
    /// Reads the metric.
    pub read: fn() -> f64,
}

/// All metrics of this program, in no order.
pub static METRICS: List<Metric> = List::new();

/// All metrics of this program, in the same order in every process.
pub(crate) fn metrics() -> Vec<&'static Metric> {
    let mut all = METRICS.items();
    all.sort_by_key(|metric| metric.name);
    all
}

/// Appends the values of an iteration, given the readings `before` it, or returns what is wrong with one.
pub(crate) fn values(metrics: &[&Metric], before: &[f64], into: &mut Vec<f64>) -> Result<(), String> {
    for (metric, before) in metrics.iter().zip(before) {
        let read = (metric.read)();
        let value = if metric.per_iteration { read } else { read - before };
        if !value.is_finite() || value < 0.0 {
            return Err(format!("the metric {} is {value}: it must be a number, and must not decrease", metric.name));
        }
        into.push(value);
    }
    Ok(())
}
