//! Runs of Tare. The analysis trusts their indices, so documents from files are checked first.

use super::{Format, Read};
use crate::error::{Problem, TextPlace};
use crate::node::shortened;
use std::collections::HashSet;
use tare_analysis::Saved;
use tare_model::{Run, Series, SCHEMA_VERSION};

/// Limit on invocations of a run: at one per picosecond they take two hours.
const INVOCATIONS_MAX: u64 = 1 << 53;

const WAVES_MAX: u32 = 1_000_000;

pub(crate) const FORMAT: Format = Format {
    tool: "tare",
    known_as: "runs of Tare (`run.json`)",
    is_json: |head| head.has(&["schema", "plan"]) || head.has(&["schema", "launches"]),
    read: Read::Text(|text, at| read(&text[at..])),
    ..Format::NONE
};

fn read(text: &str) -> Result<Saved, Problem> {
    let run = Run::from_json(text.as_bytes()).map_err(|e| described(text, &e))?;
    check(&run).map_err(|reason| Problem::BadRun { reason })?;
    let saved = Saved::from_run(&run);
    match saved.cases.iter().all(|case| case.values() == 0) && saved.failed.is_empty() {
        true => Err(Problem::NoBenchmarks { tool: "tare" }),
        false => Ok(saved),
    }
}

fn described(text: &str, error: &serde_json::Error) -> Problem {
    let place = TextPlace { line: error.line().max(1), column: error.column().max(1) };
    if error.is_eof() {
        return Problem::CutOff { place, begin: TextPlace { line: 1, column: 1 } };
    }
    if let Some(version) = schema(text).filter(|v| major(v) != major(SCHEMA_VERSION)) {
        return Problem::BadRun { reason: other_schema(&version) };
    }
    let full = error.to_string();
    const WHAT_MAX: usize = 200;
    let what: String = full.split(" at line ").next().unwrap_or(&full).chars().take(WHAT_MAX).collect();
    match error.is_syntax() {
        true => Problem::Syntax { place, what, tool: "tare" },
        false => Problem::BadRun { reason: format!("{what} ({place})") },
    }
}

/// The version of a document that could not be parsed as a whole.
fn schema(text: &str) -> Option<String> {
    let after = text.split_once("\"schema\"")?.1.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    after.split_once('"').map(|(version, _)| version.chars().take(16).collect())
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

fn other_schema(version: &str) -> String {
    format!("it is written in schema {}, this version reads {}.x", shortened(version), major(SCHEMA_VERSION))
}

/// Checks everything that the analysis relies on: values, and indices and lengths, which the model checks.
fn check(run: &Run) -> Result<(), String> {
    if major(&run.schema) != major(SCHEMA_VERSION) {
        return Err(other_schema(&run.schema));
    }
    run.validate().map_err(|invalid| invalid.reason)?;
    let mut keys = HashSet::new();
    for (number, case) in run.plan.cases.iter().enumerate() {
        if case.benchmark.operations == 0 {
            return Err(format!("case {number} has 0 operations per invocation"));
        }
        if !keys.insert((&case.key, case.job, case.side)) {
            return Err(format!("two cases have the key `{}`", shortened(&case.key)));
        }
    }
    let positive = |value: Option<f64>| value.is_none_or(|v| v.is_finite() && v > 0.0);
    for (number, child) in run.artifacts.iter().enumerate().filter_map(|(n, a)| Some((n, a.child.as_ref()?))) {
        if child.unroll == 0 || child.rolled_unroll == Some(0) || !positive(child.probe_cycles) {
            return Err(format!("program {number} has a loop or clock probe of length 0"));
        }
    }
    if !positive(run.environment().clock_reference.as_ref().map(|c| c.cycle_ns)) {
        return Err("the reference clock has no cycle time".to_owned());
    }
    check_launches(run)
}

fn check_launches(run: &Run) -> Result<(), String> {
    let (mut values, mut invocations) = (0, 0u64);
    for (number, launch) in run.launches.iter().enumerate() {
        if launch.wave > WAVES_MAX {
            return Err(format!("launch {number} is of wave {}", launch.wave));
        }
        for series in &launch.series {
            check_values(series).map_err(|what| format!("launch {number} has {what}"))?;
            values += series.columns.len();
            let more = series.invocations.checked_mul(series.columns.len() as u64);
            invocations = more
                .and_then(|more| invocations.checked_add(more))
                .filter(|all| *all <= INVOCATIONS_MAX)
                .ok_or_else(|| format!("launch {number} has more invocations than its time allows"))?;
        }
    }
    match values > crate::VALUES_MAX {
        true => Err(format!("it has {values} iterations, the limit is {}", crate::VALUES_MAX)),
        false => Ok(()),
    }
}

fn check_values(series: &Series) -> Result<(), String> {
    let elapsed = ("elapsed_ns", &series.columns.elapsed_ns);
    let columns = std::iter::once(elapsed).chain(series.columns.optional());
    for (name, column) in columns {
        if let Some(value) = column.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return Err(format!("a value of `{name}` that is {value}"));
        }
    }
    Ok(())
}
