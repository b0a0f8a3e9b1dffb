//! The report as JSON for programs.

use crate::advice::{said, Said};
use crate::again::resume;
use serde::Serialize;
use tare_analysis::Report;

/// Version of the JSON report's form: the first number changes when a reader must change.
pub const REPORT_VERSION: &str = "1.0";

/// The report with what tells a reader what it holds.
#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    report: &'a Report,
    said: Vec<Said>,
    /// The command that goes on with a run that was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume_with: Option<String>,
}

/// The report as one JSON document with a line end. Infinite ends of intervals are `null`.
pub fn json(report: &Report) -> String {
    let document = Document {
        format: "tare-report",
        version: REPORT_VERSION,
        report,
        said: said(&report.findings, &report.request),
        resume_with: resume(report),
    };
    // All keys are strings and the writer is memory: nothing can fail.
    let mut text = serde_json::to_string_pretty(&document).expect("a report is plain data");
    text.push('\n');
    text
}
