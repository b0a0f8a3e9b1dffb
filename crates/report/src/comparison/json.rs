//! The comparison as JSON for programs; `docs/reference/comparison.md` says what stands in it.

use super::Compared;
use crate::advice::{said, Said};
use crate::again::decide;
use crate::context;
use crate::exporters::json::pretty;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_analysis::gate::Judgement;
use tare_analysis::{AttachmentReport, Comparison, CoreSummary, Verdict};
use tare_model::Environment;

/// Version of the form: the first number changes when a reader must change.
pub const COMPARISON_VERSION: &str = "1.0";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    verdict: Verdict,
    counts: Counts,
    comparison: &'a Comparison,
    environment: Option<&'a Environment>,
    core: Option<&'a CoreSummary>,
    /// What programs say of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<context::Said<'a>>,
    /// Files that belong to parts of the run.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    attachments: &'a [AttachmentReport],
    gate: Option<Gate<'a>>,
    said: Vec<Said>,
    /// The command that decides each comparison that is unclear, by key.
    decide_with: BTreeMap<&'a str, String>,
}

#[derive(Serialize)]
struct Counts {
    slower: usize,
    faster: usize,
    same: usize,
    unclear: usize,
    failed: usize,
    not_measured: usize,
    only_base: usize,
    only_new: usize,
    skipped: usize,
}

#[derive(Serialize)]
struct Gate<'a> {
    passed: bool,
    exit_code: i32,
    #[serde(flatten)]
    judgement: &'a Judgement,
}

/// The comparison as one JSON document with a line end. Infinite ends of intervals are `null`.
pub fn comparison_json(compared: &Compared) -> String {
    let comparison = compared.comparison;
    let document = Document {
        format: "tare-comparison",
        version: COMPARISON_VERSION,
        verdict: comparison.overall(),
        counts: Counts {
            slower: comparison.count(Verdict::Slower),
            faster: comparison.count(Verdict::Faster),
            same: comparison.count(Verdict::Same),
            unclear: comparison.count(Verdict::Unclear),
            failed: comparison.benchmarks_failed(),
            not_measured: comparison.not_measured.len(),
            only_base: comparison.only_base.len(),
            only_new: comparison.only_new.len(),
            skipped: comparison.skipped.len(),
        },
        comparison,
        environment: compared.report.map(|r| &r.environment),
        core: compared.report.and_then(|r| r.core.as_ref()),
        context: compared.report.map_or_else(Vec::new, context::said),
        attachments: compared.report.map_or(&[], |r| &r.attachments),
        gate: compared.judgement.map(|judgement| {
            let exit_code = judgement.exit_code().number();
            Gate { passed: exit_code == 0, exit_code, judgement }
        }),
        said: said(&comparison.findings, &comparison.request),
        decide_with: comparison
            .rows
            .iter()
            .filter_map(|row| Some((row.key.as_str(), decide(&comparison.request, row.decide_with.as_ref()?))))
            .collect(),
    };
    pretty(&document)
}
