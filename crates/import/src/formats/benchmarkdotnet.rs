//! BenchmarkDotNet's JSON, full or brief.
//!
//! The full form holds every iteration of mode `Workload`: those of stage `Actual` as measured, those of `Result` with the overhead
//! subtracted and high outliers removed. The mean that it shows and compares is that of `Result`, whose values are used; `Actual` replaces
//! them if a result is 0 or a launch has none. Values are grouped by `LaunchIndex`: most files have one launch. The brief form only has
//! `OriginalValues`, with all launches in one list, so it counts as one process.
//!
//! A mean of 0 is less than what can be distinguished from the empty loop. A benchmark without statistics failed, no matter how many
//! iterations it has.
//!
//! Traps: `Statistics` is null when a benchmark failed; missing numbers are written as `""`; `FullName` is not unique across jobs. The job
//! is only in `DisplayInfo`, where it often has a random name such as `Job-XKZQWE`, so it is identified by its settings; before 0.11 there
//! was one field for mode and stage. It lacks: time, revision, job as data, the runtime of each job, governor (bdn.md 4.1).

use super::{Format, Read};
use crate::builder::{calls, joined, parameter, Builder, COLD};
use crate::node::{Fault, Node, Value};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{fact, Better, Interval, Location, Saved, SavedCase, SavedDesign, SavedSummary, ShownTime};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::{Metric, Parameter};

/// The metric of the memory diagnoser that duplicates the field `Memory`.
const ALLOCATED: &str = "Allocated Memory";
const LIBRARY: &str = "BenchmarkDotNet";
const LAUNCHES_MAX: usize = 10_000;

pub(crate) const FORMAT: Format = Format {
    tool: "benchmarkdotnet",
    known_as: "BenchmarkDotNet (`*-report-full.json`)",
    is_json: |head| head.has(&["HostEnvironmentInfo"]) || head.has(&["Benchmarks"]),
    read: Read::Json(read),
    too_little: &[
        (&["Method,Job,"], "BenchmarkDotNet's CSV, whose values are rounded", INSTEAD),
        (&["Method;Job;"], "BenchmarkDotNet's CSV, whose values are rounded", INSTEAD),
        (&["| Method", "Mean"], "BenchmarkDotNet's table, whose values are rounded", INSTEAD),
    ],
    ..Format::NONE
};
const INSTEAD: &str = "add `[JsonExporterAttribute.Full]` or `--exporters json`";

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("benchmarkdotnet");
    // Missing in files that were assembled by hand, or from hosts that could not be queried.
    let host = root.get("HostEnvironmentInfo").unwrap_or(&Node::NOTHING);
    let benchmarks = root.need("Benchmarks")?.list()?;
    facts(&mut builder, host);
    builder.fact(fact::JOB, joined(benchmarks.iter().filter_map(job)));
    let (mut without_launches, mut without_spread) = (0, BTreeSet::new());
    let several = in_several_namespaces(benchmarks);
    for (at, benchmark) in benchmarks.iter().enumerate() {
        let case = described(benchmark, at, &several);
        match measured(&case, benchmark) {
            Ok(Err(Without::Result(reason))) => builder.lost(&case, reason),
            Ok(Err(Without::Time)) => {
                builder.skipped(&case, "BenchmarkDotNet could not distinguish its time from an empty loop");
            }
            Ok(Ok((case, is_brief))) => {
                without_launches += usize::from(is_brief);
                without_spread.extend(other_metrics(benchmark));
                let distinction = format!("@{}", case.job);
                builder.case(case, distinction)?;
            }
            Err(fault) => builder.unreadable(&case, fault, root)?,
        }
    }
    if without_launches > 0 {
        let evidence = Sentence::new(
            "{count} of {benchmarks} benchmarks have values that do not name their launch, with upper outliers removed",
        )
        .count("count", without_launches)
        .count("benchmarks", benchmarks.len());
        let advice = "export with `JsonExporter.Full`: it has every iteration";
        builder.finding(Code::LeftOut, Severity::Note, evidence, advice);
    }
    let why = "BenchmarkDotNet keeps one value of each for all launches, which does not show how much it varies";
    builder.metrics_left_out(without_spread, why, "compare them by hand");
    // Tare writes this form too, with its own name here.
    let caption = host.text_at("BenchmarkDotNetCaption").filter(|caption| !caption.is_empty());
    let tool = caption.unwrap_or(LIBRARY);
    builder.fact(fact::TOOL, (tool != LIBRARY).then(|| tool.to_lowercase()));
    let version = host.text_at("BenchmarkDotNetVersion").map(|v| format!(" {v}")).unwrap_or_default();
    let title = root.text_at("Title").map(|t| format!(", {t}")).unwrap_or_default();
    builder.finish(format!("{tool}{version}{title}"))
}

enum Without {
    Result(String),
    /// Its time is too short to measure, with no upper limit known.
    Time,
}

fn reason(values: &[Vec<f64>]) -> String {
    let how = match values.iter().map(Vec::len).sum() {
        0 => "failed or did not build".to_owned(),
        1 => "failed after 1 iteration".to_owned(),
        count => format!("failed after {count} iterations"),
    };
    format!("BenchmarkDotNet recorded no result: the benchmark {how}")
}

fn in_several_namespaces(benchmarks: &[Node]) -> BTreeSet<&str> {
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for benchmark in benchmarks {
        let namespace = benchmark.text_at("Namespace").unwrap_or_default();
        found.entry(benchmark.text_at("Type").unwrap_or_default()).or_default().insert(namespace);
    }
    found.into_iter().filter(|(_, namespaces)| namespaces.len() > 1).map(|(class, _)| class).collect()
}

/// A benchmark without its values. If it lacks a full name, the one that BenchmarkDotNet would give it; without any name, its position.
fn described(benchmark: &Node, at: usize, several: &BTreeSet<&str>) -> SavedCase {
    let text = |field: &str| benchmark.text_at(field).filter(|text| !text.is_empty());
    let parameters = parameters(benchmark);
    let parts: Vec<&str> = ["Namespace", "Type", "Method"].iter().filter_map(|field| text(field)).collect();
    let arguments: Vec<String> = parameters.iter().map(|p| format!("{}: {}", p.name, p.value)).collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    let key = match (text("FullName"), text("Method"), text("DisplayInfo")) {
        (Some(full), ..) => full.to_owned(),
        (None, Some(_), _) => format!("{}{arguments}", parts.join(".")),
        (None, None, Some(display)) => display.split(": ").next().unwrap_or(display).to_owned(),
        (None, None, None) => format!("Benchmarks[{at}]"),
    };
    let mut case = SavedCase {
        group: match (text("Type").unwrap_or_default(), text("Namespace")) {
            (class, Some(namespace)) if several.contains(class) => format!("{namespace}.{class}"),
            (class, _) => class.to_owned(),
        },
        parameters,
        language: "c#".to_owned(),
        settings: settings_of_job(benchmark),
        job: job(benchmark).unwrap_or_default().to_owned(),
        ..SavedCase::new(key.clone(), text("Method").unwrap_or(&key))
    };
    if is_cold(benchmark) {
        COLD.clone_into(&mut case.quantity);
    }
    case
}

/// A benchmark with its values, and whether its launches are indistinguishable; or why it has no values.
fn measured(described: &SavedCase, benchmark: &Node) -> Result<Result<(SavedCase, bool), Without>, Fault> {
    let is_failed = benchmark.fields().iter().any(|(name, field)| name == "Statistics" && field.value == Value::Null);
    let Launches { values, is_brief, overhead, counts } = launches(benchmark)?;
    let statistics = benchmark.get("Statistics");
    if is_failed || (values.is_empty() && statistics.is_none()) {
        return Ok(Err(Without::Result(reason(&values))));
    }
    let of = |field: &str| statistics.and_then(|s| s.number_at(field));
    let shown = of("Mean").filter(|mean| *mean >= 0.0);
    let is_nothing = shown == Some(0.0) && !is_brief && !values.is_empty();
    if shown == Some(0.0) && !is_nothing {
        return Ok(Err(Without::Time));
    }
    let mut case = SavedCase {
        shown: if is_nothing {
            Some(ShownTime::Nothing)
        } else {
            shown.filter(|mean| *mean > 0.0).map(ShownTime::Time)
        },
        shown_interval: is_nothing.then(|| Interval { lower: 0.0, upper: most(&values.concat(), &overhead) }),
        own_error: own_error(statistics),
        allocated_bytes: allocated(benchmark),
        calls: calls(counts.into_iter().map(Some)),
        location: Location::OverCalls,
        ..described.clone()
    };
    // Results of 0 have no ratio, so only the overall mean is used.
    if values.is_empty() || (is_brief && values.iter().flatten().any(|value| *value == 0.0)) {
        case.design = SavedDesign::Summary(SavedSummary {
            mean_ns: of("Mean"),
            median_ns: of("Median").filter(|_| values.is_empty()),
            sd_ns: of("StandardDeviation"),
            values: of("N").filter(|n| *n >= 1.0).map(|n| n as u64),
        });
    } else {
        case.design = if values.len() == 1 { SavedDesign::Iterations } else { SavedDesign::Launches };
        case.launches = values;
    }
    let processes = case.processes();
    case.metrics = case.allocated_bytes.map(|bytes| allocation(&case, bytes, processes)).into_iter().collect();
    let counted = |(name, count): (String, f64), processes| SavedCase {
        exact: Metric::is_of_the_body(&name) && count.fract() == 0.0,
        ..Builder::metric(&case, &format!("{name}/op"), Better::Lower, vec![vec![count]; processes])
    };
    let mut all: Vec<SavedCase> = collections(benchmark).into_iter().map(|one| counted(one, processes)).collect();
    // Counted once, in one iteration of one process: the variation between processes is unknown.
    all.extend(diagnosed(benchmark).into_iter().map(|one| counted(one, 1)));
    case.metrics.extend(all);
    Ok(Ok((case, is_brief)))
}

/// Upper limit of a time that BenchmarkDotNet could not distinguish from its empty loop: that of the 95 % interval of their difference, or
/// the whole loop if nothing is known about the empty one.
fn most(actual: &[f64], overhead: &[f64]) -> f64 {
    /// Of the normal distribution.
    const Z: f64 = 1.96;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let variance = |values: &[f64]| {
        let mean = mean(values);
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
    };
    if actual.len() < 2 || overhead.len() < 2 {
        return mean(actual);
    }
    let error = (variance(actual) / actual.len() as f64 + variance(overhead) / overhead.len() as f64).sqrt();
    let most = (mean(actual) - mean(overhead)).max(0.0) + Z * error;
    if most > 0.0 && most.is_finite() {
        most
    } else {
        mean(actual)
    }
}

/// The bytes that a benchmark allocates, counted once for all of its launches.
fn allocation(case: &SavedCase, bytes: f64, processes: usize) -> SavedCase {
    /// Sizes of .NET objects are multiples of this. Other threads' allocations, divided by the operations, are usually not.
    const OBJECT_BYTES: f64 = 8.0;
    let exact = bytes % OBJECT_BYTES == 0.0;
    SavedCase { exact, ..Builder::metric(case, "B/op", Better::Lower, vec![vec![bytes]; processes]) }
}

fn metrics(benchmark: &Node) -> impl Iterator<Item = (&str, &str, f64)> {
    let all = benchmark.get("Metrics").and_then(|metrics| metrics.list().ok()).unwrap_or_default();
    all.iter().filter_map(|metric| {
        let descriptor = metric.get("Descriptor")?;
        let id = descriptor.text_at("Id")?;
        Some((id, descriptor.text_at("DisplayName").unwrap_or(id), metric.number_at("Value")?))
    })
}

fn allocated(benchmark: &Node) -> Option<f64> {
    let in_memory = benchmark.get("Memory").and_then(|memory| memory.number_at("BytesAllocatedPerOperation"));
    let bytes = in_memory.or_else(|| metrics(benchmark).find(|(id, ..)| *id == ALLOCATED).map(|(_, _, bytes)| bytes));
    bytes.filter(|bytes| *bytes >= 0.0)
}

const GENERATIONS: u32 = 3;

fn collections(benchmark: &Node) -> Vec<(String, f64)> {
    /// Operations per unit of the metrics.
    const OPERATIONS: f64 = 1000.0;
    let memory = benchmark.get("Memory");
    let operations = memory.and_then(|memory| memory.number_at("TotalOperations")).filter(|count| *count > 0.0);
    let of = |generation: u32| {
        let in_memory = || Some(memory?.number_at(&format!("Gen{generation}Collections"))? / operations?);
        let in_metrics =
            || metrics(benchmark).find(|(id, ..)| *id == collects(generation)).map(|(.., count)| count / OPERATIONS);
        in_memory().or_else(in_metrics).filter(|count| *count >= 0.0)
    };
    (0..GENERATIONS).filter_map(|generation| Some((Metric::collections_of(generation), of(generation)?))).collect()
}

fn collects(generation: u32) -> String {
    format!("Gen{generation}Collects")
}

const DIAGNOSED: [(&str, &str); 3] = [
    ("CompletedWorkItemCount", Metric::WORK_ITEMS),
    ("LockContentionCount", Metric::LOCK_CONTENTIONS),
    ("ExceptionFrequency", Metric::EXCEPTIONS),
];

fn diagnosed(benchmark: &Node) -> Vec<(String, f64)> {
    let name_of = |id: &str| DIAGNOSED.iter().find(|(known, _)| *known == id).map(|(_, name)| (*name).to_owned());
    let counted = metrics(benchmark).filter_map(|(id, _, count)| Some((name_of(id)?, count)));
    counted.filter(|(_, count)| *count >= 0.0).collect()
}

/// Names of a benchmark's metrics that are in no row.
fn other_metrics(benchmark: &Node) -> Vec<String> {
    let is_known = |id: &str| {
        let is_diagnosed = DIAGNOSED.iter().any(|(known, _)| *known == id);
        id == ALLOCATED || is_diagnosed || (0..GENERATIONS).any(|generation| id == collects(generation))
    };
    let others = metrics(benchmark).filter(|(id, _, value)| !is_known(id) && *value != 0.0);
    others.map(|(_, name, _)| name.to_owned()).collect()
}

#[derive(Default)]
struct Launches {
    /// Times of the body, for each launch in order.
    values: Vec<Vec<f64>>,
    /// Launches are indistinguishable.
    is_brief: bool,
    overhead: Vec<f64>,
    /// Operations of each iteration of the body.
    counts: Vec<f64>,
}

fn launches(benchmark: &Node) -> Result<Launches, Fault> {
    let (mut actual, mut result, mut overhead, mut counts) = (BTreeMap::new(), BTreeMap::new(), Vec::new(), Vec::new());
    if let Some(measurements) = benchmark.get("Measurements") {
        for measurement in measurements.list()? {
            let mode = measurement.need("IterationMode")?.text()?;
            let stage = measurement.text_at("IterationStage").unwrap_or_default();
            let is_overhead = matches!((mode, stage), ("Overhead", "Actual") | ("IdleTarget", _));
            let launches: Option<&mut BTreeMap<u64, Vec<f64>>> = match (mode, stage) {
                ("Workload", "Actual") | ("MainTarget", _) => Some(&mut actual),
                ("Workload", "Result") | ("Result", _) => Some(&mut result),
                _ => None,
            };
            if launches.is_none() && !is_overhead {
                continue;
            }
            let launch = measurement.number_at("LaunchIndex").unwrap_or(1.0).max(0.0) as u64;
            let operations = measurement.need("Operations")?.number()?;
            let elapsed = measurement.need("Nanoseconds")?.number()?;
            match launches {
                Some(launches) if launches.len() < LAUNCHES_MAX || launches.contains_key(&launch) => {
                    launches.entry(launch).or_default().push(elapsed / operations);
                    counts.push(operations);
                }
                Some(_) => {}
                None => overhead.push(elapsed / operations),
            }
        }
    }
    let is_whole = result.len() >= actual.len() && result.values().flatten().all(|value| *value > 0.0);
    let values = if is_whole || actual.is_empty() { result } else { actual };
    if !values.is_empty() {
        return Ok(Launches { values: values.into_values().collect(), is_brief: false, overhead, counts });
    }
    match benchmark.get("Statistics").and_then(|s| s.get("OriginalValues")) {
        Some(values) => {
            let values = values.numbers()?;
            Ok(match values.is_empty() {
                true => Launches::default(),
                false => Launches { values: vec![values], is_brief: true, overhead, counts },
            })
        }
        None => Ok(Launches::default()),
    }
}

/// The job in `Type.Method: Job(characteristics) [parameters]`.
fn job(benchmark: &Node) -> Option<&str> {
    let (_, rest) = benchmark.text_at("DisplayInfo")?.split_once(": ")?;
    // Job parameters may contain brackets too; those of the benchmark come last.
    let job = match rest.rfind(" [") {
        Some(end) if rest.ends_with(']') => &rest[..end],
        _ => rest,
    };
    let drawn = job.strip_prefix("Job-").and_then(|rest| rest.split_once('('));
    Some(drawn.and_then(|(_, sets)| sets.strip_suffix(')')).unwrap_or(job))
}

/// The value of a job's setting.
fn of_job<'a>(benchmark: &'a Node, wanted: &str) -> Option<&'a str> {
    let (_, sets) = job(benchmark)?.rsplit_once('(').unwrap_or(("", job(benchmark)?));
    let all = sets.trim_end_matches(')').split(", ").filter_map(|set| set.split_once('='));
    all.into_iter().find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// Whether each iteration is one call, including the first of a process.
fn is_cold(benchmark: &Node) -> bool {
    of_job(benchmark, "RunStrategy") == Some("ColdStart")
}

/// Settings that affect how an iteration is measured.
fn settings_of_job(benchmark: &Node) -> BTreeMap<&'static str, String> {
    const NAMES: [&str; 6] =
        ["RunStrategy", "InvocationCount", "UnrollFactor", "IterationTime", "WarmupCount", "EvaluateOverhead"];
    NAMES.iter().map(|name| (*name, of_job(benchmark, name).unwrap_or("not set").to_owned())).collect()
}

/// Half its confidence interval over its mean, as in BenchmarkDotNet's column `Error`.
fn own_error(statistics: Option<&Node>) -> Option<f64> {
    let (mean, interval) = (statistics?.number_at("Mean")?, statistics?.get("ConfidenceInterval")?);
    interval.number_at("Margin").map(|margin| margin / mean).filter(|share| share.is_finite() && *share >= 0.0)
}

/// `N=1&S=abc`. Values are not escaped: a piece without `=`, or with a name that is not in the full name, belongs to the value before it.
fn parameters(benchmark: &Node) -> Vec<Parameter> {
    let full = benchmark.text_at("FullName").filter(|full| full.ends_with(')'));
    let is_name = |name: &str| {
        full.is_none_or(|full| ["(", ", "].iter().any(|before| full.contains(&format!("{before}{name}: "))))
    };
    let mut found: Vec<Parameter> = Vec::new();
    for piece in benchmark.text_at("Parameters").unwrap_or_default().split('&') {
        match (piece.split_once('=').filter(|(name, _)| is_name(name)), found.last_mut()) {
            (Some((name, value)), _) => found.push(parameter(name, value)),
            (None, Some(last)) => last.value.push_str(&format!("&{piece}")),
            (None, None) => {}
        }
    }
    found
}

/// The usual name on other tools and systems.
fn architecture(own: &str) -> String {
    match own {
        "X64" => "x86_64".to_owned(),
        "Arm64" => "aarch64".to_owned(),
        other => other.to_lowercase(),
    }
}

fn facts(builder: &mut Builder, host: &Node) {
    let text = |field: &str| host.text_at(field);
    builder.fact(fact::CPU, text("ProcessorName"));
    builder.fact(fact::PROCESSORS, host.get("LogicalCoreCount").and_then(Node::plain));
    builder.fact(fact::ARCHITECTURE, text("Architecture").map(architecture));
    builder.fact(fact::OS, text("OsVersion").map(|os| os.strip_prefix("Linux ").unwrap_or(os)));
    builder.fact(fact::RUNTIME, text("RuntimeVersion"));
    builder.fact(fact::COMPILER, text("DotNetCliVersion").filter(|v| !v.is_empty()).map(|v| format!("dotnet sdk {v}")));
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
