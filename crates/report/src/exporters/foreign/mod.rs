//! Formats of other tools. Each file explains how processes and visits map to its tool's terms: a tool that treats its values as
//! independent gets one value per launch, since visits of one process are not independent.

pub(super) mod benchmarkdotnet;
pub(super) mod github_action;
pub(super) mod go;
pub(super) mod google_benchmark;
pub(super) mod hyperfine;
pub(super) mod junit;
pub(super) mod openmetrics;
pub(super) mod pyperf;

use crate::elements::chart::svg::escape;
use crate::elements::data::pretty;
use crate::words::text::clean as plain;

const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

/// Mean and standard deviation (divisor n - 1).
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 })
}

/// The median; 0 without values.
fn median(values: &[f64]) -> f64 {
    tare_stats::location::median(values).unwrap_or(0.0)
}
