//! pyperf's JSON: each run with values is a process of its own, hence a launch; values are in seconds, already divided by loops and inner
//! loops. Runs without values only calibrated.
//!
//! If there is one benchmark, its name is in the metadata of the file. Benchmarks of memory or counts have another unit: they are a metric
//! without a time. nanobench writes this form too, with a single run whose values are epochs of one process.

use super::{Format, Read};
use crate::builder::{calls, Builder, PEAK_MEMORY};
use crate::node::{Fault, Node, Value};
use tare_analysis::{fact, Better, Location, Saved, SavedCase, SavedDesign};

const NS: f64 = 1e9;
const SECOND: &str = "second";

pub(crate) const FORMAT: Format = Format {
    tool: "pyperf",
    known_as: "pyperf (`-o FILE`)",
    is_json: |head| {
        let is_of_it = head.has(&["benchmarks", "version"]) || head.has(&["benchmarks", "metadata"]);
        is_of_it && !head.has(&["machine_info"])
    },
    read: Read::Json(read),
    too_little: &[
        (&["Mean +- std dev:"], "pyperf's text, which is rounded", "run the script with `-o FILE`"),
        (
            &["| Benchmark ", " |"],
            "a table of `pyperf compare_to`, which is rounded",
            "compare the files that it was made of",
        ),
    ],
    ..Format::NONE
};

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("pyperf");
    let common = root.get("metadata");
    let benchmarks = root.need("benchmarks")?.list()?;
    facts(&mut builder, root);
    for (place, benchmark) in benchmarks.iter().enumerate() {
        let metadata = |field: &str| {
            let own = benchmark.get("metadata").and_then(|m| m.get(field));
            own.or_else(|| common?.get(field)).and_then(Node::plain)
        };
        let name = metadata("name").unwrap_or_else(|| format!("benchmark {}", place + 1));
        let unit = metadata("unit").unwrap_or_else(|| SECOND.to_owned());
        let inner = metadata("inner_loops").and_then(|loops| loops.parse().ok()).unwrap_or(1.0);
        let mut case = SavedCase {
            language: "python".to_owned(),
            operations: Some(inner),
            calls: loops(benchmark, common).map(|loops| loops.map(|loops| loops * inner)),
            location: Location::OverCalls,
            ..SavedCase::new(name.as_str(), name.as_str())
        };
        let launches = match launches(benchmark, if unit == SECOND { NS } else { 1.0 }) {
            Ok(launches) => launches,
            Err(fault) => {
                builder.unreadable(&case, fault, root)?;
                continue;
            }
        };
        if launches.len() == 1 {
            case.design = SavedDesign::Iterations;
        }
        if unit == SECOND || launches.is_empty() {
            case.launches = launches;
        } else {
            case.metrics = vec![metric(&case, &unit, launches)];
        }
        builder.case(case, "")?;
    }
    let version = common.and_then(|m| m.text_at("perf_version")).map(|v| format!(" {v}")).unwrap_or_default();
    builder.finish(format!("pyperf{version}"))
}

/// Loops behind the values, from the file, the benchmark or each run.
fn loops(benchmark: &Node, common: Option<&Node>) -> Option<[f64; 2]> {
    let of = |node: &Node| node.get("metadata").and_then(|metadata| metadata.number_at("loops"));
    let all = of(benchmark).or_else(|| common?.number_at("loops"));
    let runs = benchmark.get("runs")?.list().ok()?.iter().filter(|run| run.get("values").is_some());
    calls(runs.map(|run| of(run).or(all)))
}

/// The metric that is measured instead of a time.
fn metric(case: &SavedCase, unit: &str, launches: Vec<Vec<f64>>) -> SavedCase {
    let (quantity, better) = match unit {
        "byte" => (PEAK_MEMORY, Better::Lower),
        // pyperf always calls smaller values faster, but only the user knows.
        other => (other, Better::Unknown),
    };
    Builder::metric(case, quantity, better, launches)
}

fn launches(benchmark: &Node, factor: f64) -> Result<Vec<Vec<f64>>, Fault> {
    let mut launches = Vec::new();
    for run in benchmark.need("runs")?.list()? {
        if !matches!(run.value, Value::Object(_)) {
            return Err(run.wrong("an object"));
        }
        let Some(values) = run.get("values") else { continue };
        let values: Vec<f64> = values.numbers()?.into_iter().map(|s| s * factor).collect();
        if !values.is_empty() {
            launches.push(values);
        }
    }
    Ok(launches)
}

/// Facts are in the metadata of the file or, if they differ, in those of benchmarks.
fn facts(builder: &mut Builder, root: &Node) {
    let first = root.get("benchmarks").and_then(|b| b.list().ok()?.first()?.get("metadata"));
    let text = |field: &str| {
        let found = root.get("metadata").and_then(|m| m.get(field)).or_else(|| first?.get(field));
        found.and_then(Node::plain)
    };
    builder.fact(fact::CPU, text("cpu_model_name"));
    builder.fact(fact::PROCESSORS, text("cpu_count"));
    builder.fact(fact::OS, text("platform"));
    builder.fact(fact::ASLR, text("aslr"));
    builder.fact(fact::GOVERNOR, text("cpu_config"));
    builder.fact(fact::TOOL_VERSION, text("perf_version"));
    builder.fact(fact::COMPILER, text("python_compiler"));
    builder.fact(fact::FLAGS, text("python_cflags"));
    builder.fact(fact::CLOCK, text("timer"));
    builder.fact(fact::REVISION, text("commit_id"));
    let runtime = text("python_implementation").zip(text("python_version"));
    builder.fact(fact::RUNTIME, runtime.map(|(name, version)| format!("{name} {version}")));
}
