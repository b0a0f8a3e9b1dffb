//! Every raw measurement as CSV.

use super::{csv, Exporter, Needs, Rendered};
use crate::measurements::measurements_csv;

pub(super) const MEASUREMENTS: Exporter = Exporter {
    name: "measurements",
    extension: ".measurements.csv",
    about: "every raw measurement as CSV",
    details: "one row per iteration, with everything that was measured. Its windows and the readings between them are one cell each (`window_ns`, `width_ns`), separated by spaces. Metrics of front ends come last. Passes of diagnosers are left out",
    schema: "columns by name: new ones may be added",
    readers: "spreadsheets, pandas, R",
    common: false,
    needs: Needs::Measurements,
    render: |shown| match shown.subject.measured() {
        Some((run, _)) => Rendered::Pieces(Box::new(measurements_csv(run))),
        None => Rendered::Text(String::new()),
    },
    render_failure: csv::render_failure,
};
