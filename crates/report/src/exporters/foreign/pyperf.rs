//! pyperf's JSON.
//!
//! A run is a launch with one value. pyperf too starts a process per run, but its comparison treats all values of all runs as independent,
//! which visits of one process are not, and reports a difference if the numbers of values differ. With equal numbers of launches on both
//! sides, its test is used as intended.

use super::{plain, pretty};
use crate::exporters::{exporter, Exporter, Needs, NoResult, Render};
use crate::subjects::values::{Case, Launch, Values};
use serde_json::{json, Map, Value};

pub(crate) const PYPERF: Exporter = exporter(
    ["pyperf", ".pyperf.json", "JSON as pyperf writes it"],
    Needs::Measurements,
    Render::Values(render),
    render_failure,
);

fn render(values: &Values) -> String {
    let measured: Vec<Value> = values.cases.iter().filter(|c| !c.launches.is_empty()).map(benchmark).collect();
    pretty(&json!({ "version": "1.0", "metadata": metadata(values), "benchmarks": measured }))
}

/// Unknown values are omitted.
fn metadata(values: &Values) -> Value {
    let mut metadata = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() && value != "" {
            metadata.insert(name.to_owned(), value);
        }
    };
    put("unit", json!("second"));
    put("tare_version", json!(values.tare));
    put("tare_run", json!(values.run));
    put("command", json!(plain(&values.command)));
    if let Some(machine) = values.machine {
        put("cpu_model_name", json!(plain(&machine.cpu)));
        put("cpu_count", json!(machine.processors));
        put("platform", json!(plain(&format!("{} {}, {}", machine.kernel, machine.architecture, machine.os))));
        put("cpu_config", json!(machine.governor.as_ref().map(|governor| format!("governor:{}", plain(governor)))));
        put("commit_id", json!(machine.git.as_ref().map(|git| &git.revision)));
    }
    Value::Object(metadata)
}

fn benchmark(case: &Case) -> Value {
    let run = |launch: &Launch| {
        // The loops behind the value, so that pyperf does not assume that it measured a nanosecond.
        let loops = launch.invocations * launch.visits_ns.len() as u64;
        let mut metadata = json!({ "loops": loops, "tare_visits": launch.visits_ns.len(), "tare_wave": launch.wave });
        if let Some(bytes) = launch.peak_memory_bytes.filter(|bytes| *bytes > 0) {
            metadata["mem_max_rss"] = bytes.into();
        }
        json!({ "metadata": metadata, "values": [launch.value_ns * 1e-9] })
    };
    let mut metadata = json!({ "name": plain(&case.label) });
    if case.operations > 1 {
        metadata["inner_loops"] = case.operations.into();
    }
    if !case.description.is_empty() {
        metadata["description"] = plain(case.description).into();
    }
    json!({ "metadata": metadata, "runs": case.launches.iter().map(run).collect::<Vec<Value>>() })
}

fn render_failure(failure: &NoResult) -> String {
    pretty(&json!({ "version": "1.0", "metadata": { "tare_error": failure.error }, "benchmarks": [] }))
}
