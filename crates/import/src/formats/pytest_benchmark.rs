//! pytest-benchmark's JSON: rounds of one process (pytest's own), in seconds, already divided by the iterations of a round.
//!
//! `data` exists with `--benchmark-json` and `--benchmark-save-data`; otherwise there is only a summary. It lacks: governor, flags of the
//! interpreter, order of the tests, though they share one process. `fullname` begins with the path from pytest's root folder: both sides
//! must be run from the same one.

use super::{Format, Read};
use crate::builder::{calls, parameter, settings, Builder};
use crate::node::{Fault, Node};
use std::collections::BTreeSet;
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_model::Parameter;

const NS: f64 = 1e9;
/// Settings that affect how a round is measured.
const SETTINGS: [&str; 4] = ["disable_gc", "min_time", "timer", "warmup"];

pub(crate) const FORMAT: Format = Format {
    tool: "pytest-benchmark",
    known_as: "pytest-benchmark (`--benchmark-json=FILE`)",
    is_json: |head| head.has(&["machine_info", "benchmarks"]),
    read: Read::Json(read),
    too_little: &[
        (&["Name (time in "], "pytest-benchmark's table, which is rounded", "run pytest with `--benchmark-json=FILE`"),
        (
            &["name,", ",rounds,", ",iterations"],
            "pytest-benchmark's CSV, which lacks the machine and the time",
            "compare the JSON that it was made from: `--benchmark-json=FILE`, `.benchmarks/`",
        ),
    ],
    ..Format::NONE
};

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("pytest-benchmark");
    facts(&mut builder, root);
    let mut notes = BTreeSet::new();
    for (at, benchmark) in root.need("benchmarks")?.list()?.iter().enumerate() {
        let case = described(benchmark, at);
        match measured(&case, benchmark) {
            Ok(Some(case)) => {
                let extra = benchmark.get("extra_info").map(Node::fields).unwrap_or_default();
                let numbers = extra.iter().filter(|(_, value)| value.plain_number().is_some());
                notes.extend(numbers.map(|(name, _)| name.clone()));
                builder.case(case, "")?;
            }
            Ok(None) => builder.lost(&case, "pytest-benchmark recorded no times"),
            Err(fault) => builder.unreadable(&case, fault, root)?,
        }
    }
    builder.metrics_left_out(notes, "nothing says whether `extra_info` was measured", "compare them by hand");
    let version = root.text_at("version").unwrap_or("of unknown version");
    let when = root.text_at("datetime").unwrap_or("unknown time");
    builder.finish(format!("pytest-benchmark {version}, {when}"))
}

fn described(benchmark: &Node, at: usize) -> SavedCase {
    let place = format!("benchmarks[{at}]");
    let name = benchmark.text_at("name");
    let key = benchmark.text_at("fullname").or(name).unwrap_or(&place);
    let bare = name.and_then(|name| name.split('[').next()).unwrap_or(key);
    let options = benchmark.get("options");
    let timer = options.and_then(|options| options.text_at("timer")).unwrap_or_default();
    let of_cpu = CPU_TIMERS.iter().any(|name| timer.ends_with(name));
    let case = SavedCase::new(key, bare);
    SavedCase {
        quantity: if of_cpu { "CPU time".to_owned() } else { case.quantity.clone() },
        group: benchmark.text_at("group").unwrap_or_default().to_owned(),
        parameters: parameters(benchmark),
        language: "python".to_owned(),
        design: SavedDesign::Iterations,
        settings: options.map(|options| settings(options, &SETTINGS)).unwrap_or_default(),
        calls: calls([benchmark.get("stats").and_then(|stats| stats.number_at("iterations"))]),
        ..case
    }
}

/// Functions of `time` that return CPU time.
const CPU_TIMERS: [&str; 2] = ["process_time", "thread_time"];

fn measured(described: &SavedCase, benchmark: &Node) -> Result<Option<SavedCase>, Fault> {
    benchmark.need("name")?.text()?;
    let Some(stats) = benchmark.get("stats") else { return Ok(None) };
    let mut case = described.clone();
    match stats.get("data") {
        Some(data) => case.launches = vec![data.numbers()?.into_iter().map(|s| s * NS).collect()],
        None => {
            let ns = |field: &str| stats.number_at(field).map(|s| s * NS);
            stats.need("mean")?.number()?;
            case.design = SavedDesign::Summary(SavedSummary {
                mean_ns: ns("mean"),
                median_ns: ns("median"),
                sd_ns: ns("stddev"),
                values: stats.number_at("rounds").map(|n| n as u64),
            });
        }
    }
    Ok(Some(case))
}

fn parameters(benchmark: &Node) -> Vec<Parameter> {
    let fields = benchmark.get("params").map(Node::fields).unwrap_or_default();
    let is_simple = |text: &String| !text.starts_with("UNSERIALIZABLE[");
    let named = |(name, value): (&String, String)| parameter(name.as_str(), value);
    let named: Vec<Parameter> =
        fields.iter().filter_map(|(name, value)| Some((name, value.plain().filter(is_simple)?))).map(named).collect();
    // For parameters that are objects, only pytest's own name is known.
    match benchmark.text_at("param") {
        Some(id) if named.len() < fields.len() || fields.is_empty() => match fields {
            [(name, _)] => vec![parameter(name.as_str(), id)],
            _ => vec![parameter("param", id)],
        },
        _ => named,
    }
}

fn facts(builder: &mut Builder, root: &Node) {
    builder.fact(fact::TOOL_VERSION, root.text_at("version"));
    builder.fact(fact::DATE, root.text_at("datetime"));
    if let Some(machine) = root.get("machine_info") {
        let text = |field: &str| machine.text_at(field);
        builder.fact(fact::ARCHITECTURE, text("machine"));
        builder.fact(fact::OS, text("system"));
        builder.fact(fact::KERNEL, text("release"));
        builder.fact(fact::COMPILER, text("python_compiler"));
        let runtime = text("python_implementation").zip(text("python_version"));
        builder.fact(fact::RUNTIME, runtime.map(|(name, version)| format!("{name} {version}")));
        if let Some(cpu) = machine.get("cpu") {
            builder.fact(fact::CPU, cpu.text_at("brand_raw").or_else(|| cpu.text_at("brand")));
            builder.fact(fact::PROCESSORS, cpu.get("count").and_then(Node::plain));
        }
    }
    if let Some(commit) = root.get("commit_info") {
        builder.fact(fact::REVISION, commit.text_at("id").filter(|id| *id != "unversioned"));
        builder.fact(fact::DIRTY, commit.is_true("dirty").then_some("yes"));
    }
}
