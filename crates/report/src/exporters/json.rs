//! JSON for programs: the report, not the run that it is made from.

use super::{Exporter, Needs, NoResult, Rendered};
use serde::Serialize;

pub(super) const JSON: Exporter = Exporter {
    name: "json",
    extension: ".json",
    about: "the report as JSON",
    common: true,
    needs: Needs::Nothing,
    render: |shown| Rendered::Text(shown.subject.json(shown)),
    render_failure,
};

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    exit_code: i32,
    error: &'a str,
    causes: &'a [String],
    hints: &'a [String],
}

fn render_failure(failure: &NoResult) -> String {
    let document = Document {
        format: "tare-failure",
        version: "1.0",
        exit_code: failure.exit_code.number(),
        error: &failure.error,
        causes: &failure.causes,
        hints: &failure.hints,
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
