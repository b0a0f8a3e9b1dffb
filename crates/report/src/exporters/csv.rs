//! CSV: one row a case.

use super::{Exporter, Needs, NoResult, Rendered};

pub(super) const CSV: Exporter = Exporter {
    name: "csv",
    extension: ".csv",
    about: "CSV, one row per case",
    details: "one row per case; times in ns per operation, shares from 0 to 1, full precision (RFC 4180). Metrics of front ends \
              (allocations, collections, ...) come last, one column each, under the name that the front end gives them; those of a diagnoser under `DIAGNOSER/NAME`",
    schema: "columns by name: new ones may be added",
    readers: "spreadsheets, pandas, R",
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
