//! The comparison for programs, as JSON (`docs/reference/comparison.md` describes it) and as CSV (RFC 4180): a row per benchmark, including
//! those that could not be compared.

use super::Compared;
use crate::elements::data::{pretty, Fields};
use crate::parts::jobs;
use crate::words::advice::{said, FindingText};
use crate::words::again::decide;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_analysis::gate::Judgement;
use tare_analysis::{AttachmentReport, Comparison, ComparisonRow, CoreSummary, CountRow, Verdict};
use tare_model::Environment;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    verdict: Verdict,
    counts: Counts,
    comparison: &'a Comparison,
    environment: Option<&'a Environment>,
    core: Option<&'a CoreSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<jobs::ContextEntryJson<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    attachments: &'a [AttachmentReport],
    gate: Option<Gate<'a>>,
    said: Vec<FindingText>,
    /// The commands that decide unclear comparisons, by key.
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

/// The comparison as one JSON document with a line end. Infinite interval ends are `null`.
pub fn comparison_json(compared: &Compared) -> String {
    let comparison = compared.comparison;
    let document = Document {
        format: "tare-comparison",
        version: "1.0",
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
        context: compared.report.map_or_else(Vec::new, jobs::said),
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

/// The comparison as CSV: a line per benchmark in the order of the new side. Times are in ns per operation, shares from 0 to 1.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let of_row = |row: &ComparisonRow| fields(comparison, "compared", &row.key, Some(row));
    let mut rows: Vec<Fields> = comparison.rows.iter().map(of_row).collect();
    rows.extend(comparison.counted.iter().map(|count| counted(comparison, count)));
    let missing = [
        ("only-base", &comparison.only_base),
        ("only-new", &comparison.only_new),
        ("not-measured", &comparison.not_measured),
    ];
    for (state, names) in missing {
        let why = |name| comparison.why_not.get(name).map_or("", String::as_str);
        rows.extend(names.iter().map(|name| other(comparison, state, name, why(name))));
    }
    rows.extend(comparison.skipped.iter().map(|row| other(comparison, "skipped", &row.key, &row.text())));
    for failed in &comparison.failed {
        let state = if failed.side == 0 { "failed-base" } else { "failed-new" };
        rows.push(other(comparison, state, &failed.key, &failed.failure.cause.text()));
    }
    match rows.is_empty() {
        true => fields(comparison, "", "", None).header(),
        false => Fields::csv(rows),
    }
}

fn fields(comparison: &Comparison, state: &str, key: &str, row: Option<&ComparisonRow>) -> Fields {
    let mut f = Fields::default();
    let parameters = row.iter().flat_map(|row| &row.parameters).map(|p| format!("{}={}", p.name, p.value));
    let metric = row.and_then(|row| row.metric.as_ref());
    let decide = row.and_then(|row| row.decide_with.as_ref()).map(|how| decide(&comparison.request, how));
    f.put("run", &comparison.run);
    f.put("base", &comparison.base.name);
    f.put("new", &comparison.new.name);
    f.put("state", state);
    f.put("benchmark", key);
    f.put("group", row.map_or("", |row| &row.group));
    f.put("name", row.map_or("", |row| &row.name));
    f.put("parameters", parameters.collect::<Vec<_>>().join(", "));
    f.put("language", row.map_or("", |row| &row.language));
    f.number("base_ns", row.and_then(|row| row.base_ns));
    f.number("new_ns", row.and_then(|row| row.new_ns));
    f.number("ratio", row.map(|row| row.ratio));
    f.interval("ratio", row.and_then(|row| row.interval.as_ref()));
    f.put("verdict", row.map_or("", |row| row.verdict.word()));
    f.number("p", row.and_then(|row| row.p));
    f.number("q", row.and_then(|row| row.q));
    f.number("certified_margin", row.and_then(|row| row.certified_margin));
    f.number("minimum_effect", row.map(|row| row.minimum_effect));
    f.count("looks", row.map(|row| row.looks as usize));
    f.count("launches_base", row.map(|row| row.launches[0]));
    f.count("launches_new", row.map(|row| row.launches[1]));
    f.put("several_modes", row.map(|row| row.several_modes.to_string()).unwrap_or_default());
    f.put("remark", row.map_or("", |row| &row.remark));
    f.put("metric", metric.map_or("", |metric| &metric.unit));
    f.number("base_metric", metric.map(|metric| metric.base));
    f.number("new_metric", metric.map(|metric| metric.new));
    f.put("decide_with", decide.unwrap_or_default());
    f
}

fn counted(comparison: &Comparison, CountRow { key, metric, launches, .. }: &CountRow) -> Fields {
    let mut f = fields(comparison, "counted", key, None);
    f.set("metric", &metric.unit);
    f.set("base_metric", metric.base);
    f.set("new_metric", metric.new);
    f.set("launches_base", launches[0]);
    f.set("launches_new", launches[1]);
    f
}

fn other(comparison: &Comparison, state: &str, key: &str, remark: &str) -> Fields {
    let mut f = fields(comparison, state, key, None);
    f.set("remark", remark);
    f
}
