//! A history: its document, data and texts.

pub(crate) mod chart;
mod data;
pub(crate) mod document;
mod spark;
mod tables;
mod words;

pub(crate) use data::{csv, json};
pub(crate) use words::{creep_text, left_out, runs as run_count, step_text, value_text};

use crate::words::text::clean;
use tare_analysis::history::{History, Trend};

/// The machine of a history, as the end of a sentence.
pub(crate) fn on_machine(history: &History) -> String {
    if history.runs.is_empty() {
        return String::new();
    }
    format!(" on {}", clean(&history.machine.label()))
}

/// Most charts in a picture, and most charts on a page with all values. Charts with steps come first.
pub(crate) const CHARTS_MAX: usize = 100;
/// Most charts on a page. Without values, a chart is a few kB.
const CHARTS_OF_PAGE: usize = 1000;

pub(crate) fn drawn(history: &History, most: usize) -> Vec<&Trend> {
    let mut trends: Vec<&Trend> = history.trends.iter().collect();
    trends.sort_by_key(|trend| trend.steps.is_empty() && trend.creep.is_none());
    trends.truncate(most);
    trends
}
