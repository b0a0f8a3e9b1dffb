//! JSON for programs: the report, not its run.

use super::{exporter, Exporter, Needs, NoResult, Render};
use crate::elements::data::pretty;
use serde::Serialize;

pub(super) const JSON: Exporter = exporter(
    ["json", ".json", "the report as JSON"],
    Needs::Nothing,
    Render::Text(|shown| shown.subject.json(shown)),
    render_failure,
);

fn render_failure(failure: &NoResult) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        exit_code: i32,
        error: &'a str,
        causes: &'a [String],
        hints: &'a [String],
    }
    let NoResult { error, causes, hints, .. } = failure;
    let exit_code = failure.exit_code.number();
    pretty(&Document { format: "tare-failure", version: "1.0", exit_code, error, causes, hints })
}
