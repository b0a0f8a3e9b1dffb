//! The screen: on a terminal with colours, in a file without.

use super::{Exporter, Rendered, Subject};
use crate::comparison::{comparison_screen, matrix_screen};
use crate::screen::screen;

pub(super) const TABLE: Exporter = Exporter {
    name: "table",
    extension: ".txt",
    about: "the screen",
    details: "the screen without colours",
    needs_run: false,
    render: |shown| {
        Rendered::Lines(match &shown.subject {
            Subject::Run(_, report) => screen(report, &shown.view),
            Subject::Comparison(c, run) => comparison_screen(&shown.compared(c, run), &shown.view),
            Subject::Matrix(matrix, ..) => matrix_screen(matrix, &shown.view),
        })
    },
    render_failure: |failure| failure.text.clone(),
};
