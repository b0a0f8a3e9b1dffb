//! Every raw measurement as CSV.

use super::{csv, Exporter, Needs, Rendered};
use crate::measurements::measurements_csv;

pub(super) const MEASUREMENTS: Exporter = Exporter {
    name: "measurements",
    extension: ".measurements.csv",
    about: "every raw measurement as CSV",
    common: false,
    needs: Needs::Measurements,
    render: |shown| match shown.subject.measured() {
        Some((run, _)) => Rendered::Pieces(Box::new(measurements_csv(run))),
        None => Rendered::Text(String::new()),
    },
    render_failure: csv::render_failure,
};
