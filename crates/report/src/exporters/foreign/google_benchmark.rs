//! Google Benchmark's JSON, which its `compare.py` reads.
//!
//! A repetition is a launch with a single value, because `compare.py` treats repetitions as independent, which visits of one process are
//! not. Google Benchmark itself makes repetitions in one process, so its own files are weaker evidence. Aggregates follow the repetitions,
//! as with `--benchmark_repetitions`. The CPU time is the value times the launch's CPU share, or the value itself if that is unknown, since
//! `compare.py` requires one.

use super::{mean_and_deviation, median, plain, pretty};
use crate::exporters::{exporter, Exporter, Needs, NoResult, Render};
use crate::parts::jobs::entries;
use crate::subjects::values::{Case, Launch, Values};
use serde_json::{json, Map, Value};
use std::iter;

pub(crate) const GOOGLE_BENCHMARK: Exporter = exporter(
    ["google-benchmark", ".google-benchmark.json", "JSON as Google Benchmark writes it"],
    Needs::Measurements,
    Render::Values(render),
    render_failure,
);

fn render(values: &Values) -> String {
    let mut families: Vec<String> = Vec::new();
    let mut members: Vec<usize> = Vec::new();
    let mut rows = Vec::new();
    for case in &values.cases {
        let name = case.full_name();
        let family = families.iter().position(|known| *known == name).unwrap_or_else(|| {
            families.push(name);
            members.push(0);
            families.len() - 1
        });
        benchmark(case, family, members[family], &mut rows);
        members[family] += 1;
    }
    pretty(&json!({ "context": context(values), "benchmarks": rows }))
}

/// Unknown values are omitted.
fn context(values: &Values) -> Value {
    let mut context = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            context.insert(name.to_owned(), value);
        }
    };
    put("json_schema_version", json!(1));
    put("library_version", json!(format!("tare {}", values.tare)));
    put("date", json!(values.created));
    put("executable", json!(plain(&values.command)));
    put("tare_run", json!(values.run));
    let is_debug = values.programs.iter().any(|program| program.optimised == Some(false));
    put("library_build_type", json!(if is_debug { "debug" } else { "release" }));
    if let Some(machine) = values.machine {
        put("num_cpus", json!(machine.processors));
        put("mhz_per_cpu", json!(machine.clock_reference.as_ref().map(|clock| (1000.0 / clock.cycle_ns).round())));
        let capital = |kind: &str| match kind {
            "data" => "Data",
            "instruction" => "Instruction",
            _ => "Unified",
        };
        let cache = |cache: &tare_model::Cache| json!({ "type": capital(&cache.kind), "level": cache.level, "size": cache.size_bytes });
        put("caches", machine.caches.iter().map(cache).collect());
        put("load_avg", machine.load_1min.iter().copied().collect());
        put("cpu_scaling_enabled", json!(machine.governor.as_ref().map(|governor| governor != "performance")));
        put("aslr_enabled", json!(machine.aslr.map(|aslr| aslr > 0)));
        put("cpu", json!(plain(&machine.cpu)));
        put("os", json!(plain(&machine.os)));
        put("governor", json!(machine.governor.as_deref().map(plain)));
        put("revision", json!(machine.git.as_ref().map(|git| &git.revision)));
    }
    // Entries of `AddCustomContext` and `--benchmark_context` are in the same object.
    for (entry, program) in entries(values.programs) {
        let name = match program {
            Some(at) => format!("{} ({})", entry.name, values.programs[at].name),
            None => entry.name.clone(),
        };
        let name = plain(&name);
        // Standard entries and other programs' entries are not overwritten.
        let again = (2..).map(|n| format!("{name} #{n}"));
        let key = iter::once(name.clone()).chain(again).find(|key| !context.contains_key(key));
        context.extend(key.map(|key| (key, json!(plain(&entry.value)))));
    }
    Value::Object(context)
}

/// `family/n:10`: arguments are joined to the name as in Google Benchmark.
fn name(case: &Case) -> String {
    let mut name = case.full_name();
    for argument in case.arguments() {
        name.push_str(&format!("/{}:{}", argument.name, argument.value));
    }
    if case.threads > 1 {
        name.push_str(&format!("/threads:{}", case.threads));
    }
    plain(&name)
}

fn benchmark(case: &Case, family: usize, instance: usize, rows: &mut Vec<Value>) {
    let own = name(case);
    let row = |kind: &str, name: &str, times: Value, more: Value| {
        let mut row = json!({
            "name": name,
            "family_index": family,
            "per_family_instance_index": instance,
            "run_name": own,
            "run_type": kind,
            "repetitions": case.launches.len(),
            "threads": case.threads,
        });
        for fields in [times, more] {
            fields.as_object().into_iter().flatten().for_each(|(name, value)| row[name] = value.clone());
        }
        row
    };
    if case.launches.is_empty() {
        // Times are 0 then, as in Google Benchmark: `compare.py` fails if a row has none.
        rows.push(row("iteration", &own, times(0, 0.0, 0.0), why_not(case)));
        return;
    }
    let cpu = |launch: &Launch| launch.value_ns * launch.cpu_share.unwrap_or(1.0);
    for (at, launch) in case.launches.iter().enumerate() {
        let iterations = launch.invocations * launch.visits_ns.len() as u64;
        let times = times(iterations, launch.value_ns, cpu(launch));
        let mut row = row("iteration", &own, times, json!({ "repetition_index": at }));
        for (name, value) in counters(case, at, launch) {
            let is_field = row.get(&name).is_some()
                || ["aggregate_", "error_", "skip"].iter().any(|start| name.starts_with(start))
                || ["label", "rms", "big_o", "cpu_coefficient"].contains(&name.as_str());
            if !is_field && value.is_finite() {
                row[name] = value.into();
            }
        }
        rows.push(row);
    }
    let wall: Vec<f64> = case.launches.iter().map(|launch| launch.value_ns).collect();
    let cpu: Vec<f64> = case.launches.iter().map(cpu).collect();
    let [(wall_mean, wall_sd), (cpu_mean, cpu_sd)] = [mean_and_deviation(&wall), mean_and_deviation(&cpu)];
    let aggregates = [
        ("mean", "time", wall_mean, cpu_mean),
        ("median", "time", median(&wall), median(&cpu)),
        ("stddev", "time", wall_sd, cpu_sd),
        ("cv", "percentage", wall_sd / wall_mean, cpu_sd / cpu_mean),
    ];
    for (aggregate, unit, wall, cpu) in aggregates.into_iter().filter(|_| case.launches.len() > 1) {
        let more = json!({ "aggregate_name": aggregate, "aggregate_unit": unit });
        let times = times(case.launches.len() as u64, wall, cpu);
        rows.push(row("aggregate", &format!("{own}_{aggregate}"), times, more));
    }
}

fn times(iterations: u64, real_time: f64, cpu_time: f64) -> Value {
    json!({ "iterations": iterations, "real_time": real_time, "cpu_time": cpu_time, "time_unit": "ns" })
}

fn why_not(case: &Case) -> Value {
    let reason = if case.reason.is_empty() { "not measured" } else { &case.reason };
    match case.outcome {
        "failed" => json!({ "error_occurred": true, "error_message": plain(reason) }),
        _ => json!({ "skipped": true, "skip_message": plain(reason) }),
    }
}

/// Rates of this launch, and the metrics that every launch has.
fn counters(case: &Case, at: usize, launch: &Launch) -> Vec<(String, f64)> {
    let per_second = |amount: f64| amount / case.operations as f64 / launch.value_ns * 1e9;
    let rates = case.rates.iter().map(|rate| (format!("{}_per_second", rate.name), per_second(rate.per_invocation)));
    let metrics = case.metrics.iter().filter(|metric| metric.launches.len() == case.launches.len());
    rates.chain(metrics.map(|metric| (metric.name.to_owned(), metric.launches[at]))).collect()
}

fn render_failure(failure: &NoResult) -> String {
    pretty(&json!({ "context": { "json_schema_version": 1, "tare_error": failure.error }, "benchmarks": [] }))
}
