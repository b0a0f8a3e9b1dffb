//! hyperfine's JSON, in the format of `--export-json`.
//!
//! For a whole command, a time is a visit: one run of the command, as in hyperfine. For other benchmarks, it is a launch with its single
//! value.
//!
//! The document combines both formats: the fields of hyperfine 1 (`times`, their mean) for existing readers, and those of hyperfine 2
//! (`measurements`, `summary`) for its own scripts. Only `parameters` conflicts, and follows hyperfine 2.

use super::{mean_and_deviation, median, plain, pretty};
use crate::exporters::{exporter, Exporter, Needs, Render};
use crate::subjects::values::{Case, Values};
use serde_json::{json, Map, Value};
use tare_model::ChildFacts;

pub(crate) const HYPERFINE: Exporter = exporter(
    ["hyperfine", ".hyperfine.json", "JSON as hyperfine writes it"],
    Needs::Measurements,
    Render::Values(render),
    |failure| pretty(&json!({ "schema_version": SCHEMA_VERSION, "results": [], "tare_error": failure.error })),
);

const SCHEMA_VERSION: u32 = 2;

fn render(values: &Values) -> String {
    let results: Vec<Value> = values.cases.iter().filter(|c| !c.launches.is_empty()).map(result).collect();
    pretty(&json!({ "schema_version": SCHEMA_VERSION, "primary_metric": WALL, "results": results }))
}

const WALL: &str = "time_wall_clock";
const MEMORY: &str = "memory_peak_resident";

fn summary(values: &[f64], unit: &str) -> Value {
    let (mean, deviation) = mean_and_deviation(values);
    json!({
        "unit": unit,
        "count": values.len(),
        "mean": mean,
        "stddev": (values.len() > 1).then_some(deviation),
        "median": median(values),
        "min": values.iter().copied().fold(f64::INFINITY, f64::min),
        "max": values.iter().copied().fold(0.0, f64::max),
    })
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
    let wall = summary(&times, "second");
    let mut measurements: Vec<Value> =
        times.iter().map(|time| json!({ WALL: { "value": time, "unit": "second" } })).collect();
    let mut result = json!({
        "command": plain(&command),
        "mean": mean,
        "stddev": (times.len() > 1).then_some(deviation),
        "median": median(&times),
        "user": metric("user_time"),
        "system": metric("system_time"),
        "min": wall["min"],
        "max": wall["max"],
        "times": times,
        "summary": { WALL: wall },
    });
    let memory: Vec<u64> = case.launches.iter().filter_map(|launch| launch.peak_memory_bytes).collect();
    if case.language != ChildFacts::COMMANDS && memory.len() == case.launches.len() {
        for (measurement, bytes) in measurements.iter_mut().zip(&memory) {
            measurement[MEMORY] = json!({ "value": bytes, "unit": "byte" });
        }
        let values: Vec<f64> = memory.iter().map(|bytes| *bytes as f64).collect();
        result["summary"][MEMORY] = summary(&values, "byte");
        result["memory_usage_byte"] = memory.into();
    }
    result["measurements"] = measurements.into();
    let parameters: Map<String, Value> =
        case.arguments().map(|named| (plain(named.name), json!({ "value": plain(named.value) }))).collect();
    if !parameters.is_empty() {
        result["parameters"] = Value::Object(parameters);
    }
    result
}
