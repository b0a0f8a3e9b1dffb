//! CSV at full precision (RFC 4180), for spreadsheets and scripts.

use super::{exporter, Exporter, Needs, NoResult, Render, Rendered};
use crate::documents::run::data::measurements_csv;

pub(super) const CSV: Exporter = exporter(
    ["csv", ".csv", "CSV, one row per case"],
    Needs::Nothing,
    Render::Text(|shown| shown.subject.csv()),
    render_failure,
);

pub(super) const MEASUREMENTS: Exporter = exporter(
    ["measurements", ".measurements.csv", "every raw measurement as CSV"],
    Needs::Measurements,
    Render::Any(|shown| match shown.subject.measured() {
        Some((run, _)) => Rendered::Pieces(Box::new(measurements_csv(run))),
        None => Rendered::Text(String::new()),
    }),
    render_failure,
);

fn render_failure(failure: &NoResult) -> String {
    let error = failure.error.replace('"', "\"\"");
    format!("state,exit_code,reason\nnot-measured,{},\"{error}\"\n", failure.exit_code.number())
}
