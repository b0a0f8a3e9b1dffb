//! CSV: one row a case.

use super::{Exporter, Needs, NoResult, Rendered};

pub(super) const CSV: Exporter = Exporter {
    name: "csv",
    extension: ".csv",
    about: "CSV, one row per case",
    common: true,
    needs: Needs::Nothing,
    render: |shown| Rendered::Text(shown.subject.csv()),
    render_failure,
};

/// Why there is no result, as a line of names and a row.
pub(super) fn render_failure(failure: &NoResult) -> String {
    let error = failure.error.replace('"', "\"\"");
    format!("state,exit_code,reason\nnot-measured,{},\"{error}\"\n", failure.exit_code.number())
}
