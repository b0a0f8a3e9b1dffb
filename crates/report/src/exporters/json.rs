//! JSON for programs: the report, not the run that it is made from.

use super::{exporter, Exporter, Needs, NoResult, Render};
use crate::advice::{said, FindingText};
use crate::again::resume;
use serde::Serialize;
use tare_analysis::Report;

pub(super) const JSON: Exporter = exporter(
    ["json", ".json", "the report as JSON"],
    Needs::Nothing,
    Render::Text(|shown| shown.subject.json(shown)),
    render_failure,
);

/// A document as JSON with a line end. Infinite ends of intervals are `null`.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // All keys are strings and the writer is memory: nothing can fail.
    serde_json::to_string_pretty(document).expect("plain data") + "\n"
}

pub fn json(report: &Report) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        report: &'a Report,
        /// The findings in words.
        said: Vec<FindingText>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resume_with: Option<String>,
    }
    let said = said(&report.findings, &report.request);
    pretty(&Document { format: "tare-report", version: "1.0", report, said, resume_with: resume(report) })
}

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
