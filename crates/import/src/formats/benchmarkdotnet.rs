//! BenchmarkDotNet's JSON, full or brief.
//!
//! The full form holds every iteration: of mode `Workload` and stage `Actual` as measured, `Result` with the overhead subtracted and
//! the outliers of the upper side removed. The first is taken: ratios never subtract the loop, and no value is removed by its
//! size (method 7.2, 7.4). Values are joined by `LaunchIndex`: most files have one launch. The brief form has
//! `OriginalValues` alone, with all launches in one list, so it counts as one process.
//!
//! Its own mean and the margin of its interval, of `Result`, are what is shown as the time and its error.
//!
//! Traps: `Statistics` is null when a benchmark failed; numbers that are none are written as `""`; `FullName` is not unique across jobs,
//! and the job stands in `DisplayInfo` alone, with a name such as `Job-XKZQWE` that is drawn anew each time, so that what it sets is the name; before 0.11 there was one field for mode and stage. It lacks: time, revision, job as data,
//! the runtime of each job, governor (bdn.md 4.1).

use crate::builder::{joined, parameter, Builder};
use crate::node::{Fault, Node};
use std::collections::BTreeMap;
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary, Shown};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::Parameter;

/// Launches of one benchmark.
const LAUNCHES_MAX: usize = 10_000;

pub(crate) fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("benchmarkdotnet");
    let host = root.need("HostEnvironmentInfo")?;
    let benchmarks = root.need("Benchmarks")?.list()?;
    facts(&mut builder, host);
    builder.fact(fact::JOB, joined(benchmarks.iter().filter_map(job)));
    let mut without_launches = 0;
    for benchmark in benchmarks {
        let key = benchmark.need("FullName")?.text()?;
        let job = job(benchmark).unwrap_or_default();
        let (launches, is_brief) = launches(benchmark)?;
        without_launches += usize::from(is_brief);
        let statistics = benchmark.get("Statistics");
        let of = |field: &str| statistics.and_then(|s| s.number_at(field));
        let mut case = SavedCase {
            group: benchmark.text_at("Type").unwrap_or_default().to_owned(),
            parameters: parameters(benchmark),
            language: "c#".to_owned(),
            job: job.to_owned(),
            shown: of("Mean").filter(|mean| *mean > 0.0).map(Shown::Time),
            own_error: own_error(statistics),
            allocated_bytes: benchmark.get("Memory").and_then(|m| m.number_at("BytesAllocatedPerOperation")),
            ..SavedCase::new(key, benchmark.text_at("Method").unwrap_or(key))
        };
        if launches.is_empty() {
            let summary = SavedSummary {
                mean_ns: of("Mean"),
                median_ns: of("Median"),
                sd_ns: of("StandardDeviation"),
                values: of("N").filter(|n| *n >= 1.0).map(|n| n as u64),
            };
            if statistics.is_none() {
                builder.failed(key, "BenchmarkDotNet recorded no result: the benchmark failed or did not build");
                continue;
            }
            case.design = SavedDesign::Summary(summary);
        } else if launches.len() == 1 {
            case.design = SavedDesign::Iterations;
        }
        case.launches = launches;
        builder.case(case, format!("@{job}"))?;
    }
    if without_launches > 0 {
        let evidence = Sentence::new(
            "{count} of {benchmarks} benchmarks have values that do not say their launch, with upper outliers removed",
        )
        .count("count", without_launches)
        .count("benchmarks", benchmarks.len());
        builder.finding(
            Code::LeftOut,
            Severity::Note,
            evidence,
            "export with `JsonExporter.Full`: it has every iteration",
        );
    }
    let version = host.text_at("BenchmarkDotNetVersion").map(|v| format!(" {v}")).unwrap_or_default();
    let title = root.text_at("Title").map(|t| format!(", {t}")).unwrap_or_default();
    builder.finish(format!("BenchmarkDotNet{version}{title}"))
}

/// The values of each launch in order, ns an operation, and whether launches could not be told apart.
fn launches(benchmark: &Node) -> Result<(Vec<Vec<f64>>, bool), Fault> {
    let (mut actual, mut result) = (BTreeMap::new(), BTreeMap::new());
    if let Some(measurements) = benchmark.get("Measurements") {
        for measurement in measurements.list()? {
            let mode = measurement.need("IterationMode")?.text()?;
            let stage = measurement.text_at("IterationStage").unwrap_or_default();
            let launches: &mut BTreeMap<u64, Vec<f64>> = match (mode, stage) {
                ("Workload", "Actual") | ("MainTarget", _) => &mut actual,
                ("Workload", "Result") | ("Result", _) => &mut result,
                _ => continue,
            };
            let launch = measurement.number_at("LaunchIndex").unwrap_or(1.0).max(0.0) as u64;
            let operations = measurement.need("Operations")?.number()?;
            let elapsed = measurement.need("Nanoseconds")?.number()?;
            if launches.len() < LAUNCHES_MAX || launches.contains_key(&launch) {
                launches.entry(launch).or_default().push(elapsed / operations);
            }
        }
    }
    let raw = if actual.is_empty() { result } else { actual };
    if !raw.is_empty() {
        return Ok((raw.into_values().collect(), false));
    }
    match benchmark.get("Statistics").and_then(|s| s.get("OriginalValues")) {
        Some(values) => {
            let values = values.numbers()?;
            Ok(if values.is_empty() { (Vec::new(), false) } else { (vec![values], true) })
        }
        None => Ok((Vec::new(), false)),
    }
}

/// The job of `Type.Method: Job(characteristics) [parameters]`.
fn job(benchmark: &Node) -> Option<&str> {
    let (_, rest) = benchmark.text_at("DisplayInfo")?.split_once(": ")?;
    // Parameters of a job may have brackets too: those of the benchmark stand last.
    let job = match rest.rfind(" [") {
        Some(end) if rest.ends_with(']') => &rest[..end],
        _ => rest,
    };
    let drawn = job.strip_prefix("Job-").and_then(|rest| rest.split_once('('));
    Some(drawn.and_then(|(_, sets)| sets.strip_suffix(')')).unwrap_or(job))
}

/// Half of its interval of confidence over its mean, as BenchmarkDotNet prints it in the column `Error`.
fn own_error(statistics: Option<&Node>) -> Option<f64> {
    let (mean, interval) = (statistics?.number_at("Mean")?, statistics?.get("ConfidenceInterval")?);
    interval.number_at("Margin").map(|margin| margin / mean).filter(|share| share.is_finite() && *share >= 0.0)
}

/// `N=1&S=abc`. Values are not escaped: a piece without `=` belongs to the value before it.
fn parameters(benchmark: &Node) -> Vec<Parameter> {
    let mut found: Vec<Parameter> = Vec::new();
    for piece in benchmark.text_at("Parameters").unwrap_or_default().split('&') {
        match (piece.split_once('='), found.last_mut()) {
            (Some((name, value)), _) => found.push(parameter(name, value)),
            (None, Some(last)) => last.value.push_str(&format!("&{piece}")),
            (None, None) => {}
        }
    }
    found
}

fn facts(builder: &mut Builder, host: &Node) {
    let text = |field: &str| host.text_at(field);
    builder.fact(fact::CPU, text("ProcessorName"));
    builder.fact(fact::PROCESSORS, host.get("LogicalCoreCount").and_then(Node::plain));
    builder.fact(fact::ARCHITECTURE, text("Architecture"));
    builder.fact(fact::OS, text("OsVersion"));
    builder.fact(fact::RUNTIME, text("RuntimeVersion"));
    builder.fact(fact::COMPILER, text("DotNetCliVersion").map(|v| format!("dotnet sdk {v}")));
    builder.fact(fact::TOOL_VERSION, text("BenchmarkDotNetVersion"));
    builder.fact(fact::CLOCK, text("HardwareTimerKind").filter(|k| *k != "Unknown"));
    let configuration = text("Configuration").unwrap_or_default();
    builder.fact(
        fact::OPTIMISED,
        (!configuration.is_empty()).then(|| if configuration == "DEBUG" { "no" } else { "yes" }),
    );
    if configuration == "DEBUG" {
        let advice = "build with `-c Release` and measure again";
        builder.finding(Code::DebugBuild, Severity::Error, "the host was built without optimisation".into(), advice);
    }
    if host.is_true("HasAttachedDebugger") {
        let advice = "measure without the debugger";
        builder.finding(Code::Debugger, Severity::Error, "a debugger was attached".into(), advice);
    }
}
