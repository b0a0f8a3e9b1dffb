//! A benchmark as a program reports it. A flaw makes a single benchmark invalid, not the whole reply.

use super::operations;
use crate::declared::{policy, rates, PolicyLine, RateLine};
use serde::Deserialize;
use std::collections::BTreeMap;
use tare_model::{Benchmark, CodeName, DeclaredJob, LaunchOptions, Parameter, Strategy};

#[derive(Deserialize)]
struct ParameterLine {
    name: String,
    value: String,
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl From<ParameterLine> for Parameter {
    fn from(line: ParameterLine) -> Parameter {
        let kind = line.kind.as_deref().and_then(tare_model::named);
        Parameter { name: line.name, value: visible(&line.value), kind }
    }
}

/// Makes a line break distinguishable from a space.
fn visible(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.into() }).collect()
}

#[derive(Deserialize)]
pub(super) struct BenchmarkLine {
    index: u32,
    key: Option<String>,
    group: String,
    name: String,
    parameters: Vec<ParameterLine>,
    file: Option<String>,
    line: Option<u32>,
    #[serde(default)]
    baseline: bool,
    operations: Option<serde_json::Value>,
    unit: Option<String>,
    #[serde(default)]
    rates: Vec<RateLine>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    set_ups: Vec<String>,
    returns: Option<bool>,
    threads: Option<u32>,
    invalid: Option<String>,
    skipped: Option<String>,
    #[serde(default)]
    waits: bool,
    #[serde(default)]
    own_time: bool,
    #[serde(default)]
    restarts: bool,
    results: Option<String>,
    #[serde(default)]
    policy: PolicyLine,
    strategy: Option<String>,
    invocations_max: Option<serde_json::Number>,
    #[serde(default)]
    launch: LaunchOptions,
    #[serde(default)]
    diagnosers: Vec<String>,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    jobs: Vec<JobLine>,
    code: Option<CodeName>,
}

#[derive(Deserialize)]
struct JobLine {
    #[serde(default)]
    name: String,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    runtime: Option<String>,
    strategy: Option<String>,
    #[serde(default)]
    base: bool,
}

/// A job of a benchmark; Err: what is wrong with it.
fn job(line: JobLine) -> Result<DeclaredJob, String> {
    let JobLine { name, environment, runtime, strategy, base } = line;
    if name.is_empty() {
        return Err("one of its jobs has no name; give it one".to_owned());
    }
    let strategy = match strategy {
        Some(given) => Some(strategy_of(&given).map_err(|reason| format!("its job {name:?}: {reason}"))?),
        None => None,
    };
    Ok(DeclaredJob { name, environment, runtime, strategy, is_base: base })
}

fn strategy_of(given: &str) -> Result<Strategy, String> {
    tare_model::named(given)
        .ok_or_else(|| format!("`strategy` is {given:?}; it must be `throughput`, `monitoring` or `cold-start`"))
}

/// A benchmark with an unusable name or number of operations is invalid, which is no reason to refuse the whole list.
pub(super) fn benchmark(b: BenchmarkLine) -> Benchmark {
    let operations = b.operations.as_ref().map(operations).transpose();
    let most = b.invocations_max.as_ref().map(serde_json::Number::as_u64);
    let strategy = b.strategy.as_deref().map_or(Ok(Strategy::default()), strategy_of);
    let jobs: Result<Vec<DeclaredJob>, String> = b.jobs.into_iter().map(job).collect();
    let rates = rates(b.rates);
    let policy = policy(b.policy);
    let invalid = match &operations {
        _ if b.invalid.is_some() => b.invalid,
        _ if b.name.is_empty() => Some("its name is empty; give it one".to_owned()),
        Err(reason) => Some(reason.clone()),
        _ if rates.is_err() => rates.as_ref().err().cloned(),
        _ if policy.is_err() => policy.as_ref().err().cloned(),
        _ if matches!(most, Some(None | Some(0))) => {
            let given = b.invocations_max.map(|number| number.to_string()).unwrap_or_default();
            Some(format!("`invocations_max` is {given}; it must be a whole number of at least 1"))
        }
        _ if strategy.is_err() => strategy.as_ref().err().cloned(),
        _ if jobs.is_err() => jobs.as_ref().err().cloned(),
        _ => b.launch.bad_variable().map(|name| {
            format!("`launch` sets the variable {name:?}; give it another name: no `=` in it, and no `TARE_` before it")
        }),
    };
    Benchmark {
        index: b.index,
        key: b.key,
        group: b.group,
        name: b.name,
        parameters: b.parameters.into_iter().map(Parameter::from).collect(),
        file: b.file,
        line: b.line,
        baseline: b.baseline,
        operations: operations.ok().flatten().unwrap_or(1),
        unit: b.unit.unwrap_or_else(|| "op".to_owned()),
        rates: rates.unwrap_or_default(),
        categories: b.categories,
        description: b.description,
        set_ups: b.set_ups.iter().filter_map(|name| tare_model::named(name)).collect(),
        returns: b.returns,
        threads: b.threads.unwrap_or(1),
        invalid,
        skipped: b.skipped,
        waits: b.waits,
        own_time: b.own_time,
        restarts: b.restarts,
        results: b.results.as_deref().and_then(tare_model::named).unwrap_or_default(),
        policy: policy.unwrap_or_default(),
        strategy: strategy.unwrap_or_default(),
        launch: b.launch,
        // Reported by `opened`.
        input_bytes: None,
        invocations_max: most.flatten().filter(|&n| n >= 1),
        diagnosers: b.diagnosers,
        requires: b.requires,
        jobs: jobs.unwrap_or_default(),
        // Incomplete names are useless.
        code: b.code.filter(|code| !code.method.is_empty() && !code.full.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_of_a_value_are_shown() {
        let shown = ["x\ny", "x y", "a\tb", "\u{1b}[31m", "x\0y", "é"].map(visible);
        assert_eq!(shown, ["x\\ny", "x y", "a\\tb", "\\u{1b}[31m", "x\\u{0}y", "é"]);
    }
}
