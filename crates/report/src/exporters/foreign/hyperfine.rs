//! hyperfine's JSON, as `--export-json` writes it and its scripts read it.
//!
//! A time of a whole command is a visit, which is one run of the command: what hyperfine means by it. Of other benchmarks it is a launch, with
//! its one value.

use super::{mean_and_deviation, median, plain, pretty, values};
use crate::exporters::{Exporter, NoResult, Rendered};
use crate::values::{Case, Values};
use serde_json::{json, Map, Value};
use tare_model::ChildFacts;

pub(crate) const HYPERFINE: Exporter = Exporter {
    name: "hyperfine",
    extension: ".hyperfine.json",
    about: "JSON as hyperfine writes it",
    details: "hyperfine's JSON, in seconds: a time per run of a command, or per launch of a benchmark; user and system time and peak memory where they were measured",
    schema: "that of hyperfine 1.20",
    readers: "the `plot_*.py` scripts of hyperfine, Bencher, `tare compare`",
    common: false,
    needs_run: true,
    render: |shown| Rendered::Text(render(&values(shown))),
    render_failure: |failure: &NoResult| pretty(&json!({ "results": [], "tare_error": failure.error })),
};

fn render(values: &Values) -> String {
    let results: Vec<Value> = values.cases.iter().filter(|c| !c.launches.is_empty()).map(result).collect();
    pretty(&json!({ "results": results }))
}

fn result(case: &Case) -> Value {
    const S: f64 = 1e-9;
    let times: Vec<f64> = match case.language == ChildFacts::COMMANDS {
        true => case.launches.iter().flat_map(|launch| &launch.visits_ns).map(|ns| ns * S).collect(),
        false => case.launches.iter().map(|launch| launch.value_ns * S).collect(),
    };
    let (mean, deviation) = mean_and_deviation(&times);
    let command = match case.language == ChildFacts::COMMANDS && case.apart.is_empty() {
        true => case.name.to_owned(),
        false => case.full_name(),
    };
    let metric = |name: &str| case.metric(name).map(|metric| metric.value * S);
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let most = times.iter().copied().fold(0.0, f64::max);
    let mut result = json!({
        "command": plain(&command),
        "mean": mean,
        "stddev": (times.len() > 1).then_some(deviation),
        "median": median(&times),
        "user": metric("user_time"),
        "system": metric("system_time"),
        "min": least,
        "max": most,
        "times": times,
    });
    let memory: Vec<u64> = case.launches.iter().filter_map(|launch| launch.peak_memory_bytes).collect();
    if case.language != ChildFacts::COMMANDS && memory.len() == case.launches.len() {
        result["memory_usage_byte"] = memory.into();
    }
    let parameters: Map<String, Value> =
        case.arguments().map(|named| (plain(named.name), plain(named.value).into())).collect();
    if !parameters.is_empty() {
        result["parameters"] = Value::Object(parameters);
    }
    result
}
