//! BenchmarkDotNet's JSON, full and brief, which its ResultsComparer reads, and its XML, which is the JSON's content with a few
//! differences.
//!
//! `LaunchIndex` is the launch, an iteration is a counted visit. Like in BenchmarkDotNet, an iteration is written twice: as measured
//! (`Actual`), which includes the loop, at the reference clock, and without the loop and the upper outliers of its launch (`Result`).
//! Statistics are of the results. Every raw measurement is in `.measurements.csv`. Names are BenchmarkDotNet's names for the code, if the
//! front end reports its names. `FullName` is unique even across jobs and sides, as ResultsComparer requires.

use super::{escape, plain, XML_HEAD};
use crate::exporters::{exporter, Exporter, Needs, NoResult, Render};
use crate::subjects::values::{Case, Launch, Metric, Named, Values};
use tare_model::{Better, Metric as Model};
use tare_stats::outliers::without_upper;
use tare_stats::summary::Summary;

pub(crate) const FULL: Exporter = exporter(
    ["bdn-full", ".bdn-full.json", "JSON as BenchmarkDotNet writes it, full"],
    Needs::Measurements,
    Render::Values(|values| summary(values, Form::Json, true).json()),
    |failure| failed(failure).json(),
);

pub(crate) const BRIEF: Exporter = exporter(
    ["bdn-brief", ".bdn-brief.json", "JSON as BenchmarkDotNet writes it, brief"],
    Needs::Measurements,
    Render::Values(|values| summary(values, Form::Json, false).json()),
    |failure| failed(failure).json(),
);

pub(crate) const FULL_XML: Exporter = exporter(
    ["bdn-full-xml", ".bdn-full.xml", "XML as BenchmarkDotNet writes it, full"],
    Needs::Measurements,
    Render::Values(|values| document(&summary(values, Form::Xml, true))),
    |failure| document(&failed(failure)),
);

pub(crate) const BRIEF_XML: Exporter = exporter(
    ["bdn-brief-xml", ".bdn-brief.xml", "XML as BenchmarkDotNet writes it, brief"],
    Needs::Measurements,
    Render::Values(|values| document(&summary(values, Form::Xml, false))),
    |failure| document(&failed(failure)),
);

fn failed(failure: &NoResult) -> Tree {
    Tree::Object(vec![("Title", text(&failure.error)), ("Benchmarks", Tree::List("BenchmarkCase", Vec::new()))])
}

/// The two forms, which differ in a few fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Xml,
}

/// A document with ordered fields.
enum Tree {
    Null,
    Bool(bool),
    Number(f64),
    Integer(u64),
    Text(String),
    /// The XML name of an element, and the elements.
    List(&'static str, Vec<Tree>),
    Object(Vec<(&'static str, Tree)>),
}

fn text(text: &str) -> Tree {
    Tree::Text(plain(text))
}

impl Tree {
    fn json(&self) -> String {
        let mut text = String::new();
        self.write_json(0, &mut text);
        text + "\n"
    }

    fn write_json(&self, depth: usize, out: &mut String) {
        match self {
            Tree::Null => out.push_str("null"),
            Tree::Bool(value) => out.push_str(&value.to_string()),
            // BenchmarkDotNet's form of a non-finite number. No field has one, see below.
            Tree::Number(value) if !value.is_finite() => out.push_str("\"\""),
            Tree::Number(value) => out.push_str(&value.to_string()),
            Tree::Integer(value) => out.push_str(&value.to_string()),
            Tree::Text(value) => out.push_str(&serde_json::Value::from(value.as_str()).to_string()),
            Tree::List(_, items) => {
                let is_flat = items.iter().all(|item| matches!(item, Tree::Number(_)));
                enclosed(["[", "]"], items.iter().map(|item| (String::new(), item)), is_flat, depth, out);
            }
            Tree::Object(fields) => {
                // ResultsComparer rejects files with `""` or `null` in place of a number, but accepts missing fields.
                let is_known =
                    |value: &Tree| !matches!(value, Tree::Null) && !matches!(value, Tree::Number(n) if !n.is_finite());
                let is_there = |name: &str| ["Statistics", "Namespace"].contains(&name);
                let fields = || fields.iter().filter(|(name, value)| is_known(value) || is_there(name));
                let is_flat = depth >= 4 && fields().all(|(_, v)| !matches!(v, Tree::List(..) | Tree::Object(_)));
                let named = fields().map(|(name, value)| (format!("\"{name}\": "), value));
                enclosed(["{", "}"], named, is_flat, depth, out);
            }
        }
    }
}

fn enclosed<'a>(
    [open, close]: [&str; 2],
    items: impl Iterator<Item = (String, &'a Tree)>,
    is_flat: bool,
    depth: usize,
    out: &mut String,
) {
    let line = |depth: usize| if is_flat { String::new() } else { format!("\n{}", "  ".repeat(depth)) };
    let (mut between, mut end) = ("", String::new());
    out.push_str(open);
    for (name, value) in items {
        *out += &format!("{between}{}{name}", line(depth + 1));
        value.write_json(depth + 1, out);
        (between, end) = (if is_flat { ", " } else { "," }, line(depth));
    }
    *out += &format!("{end}{close}");
}

fn summary(values: &Values, form: Form, is_full: bool) -> Tree {
    let title = format!("Tare-{}", values.run);
    let cases = values.cases.iter().map(|case| benchmark(case, form, is_full)).collect();
    Tree::Object(vec![
        ("Title", text(&title)),
        ("HostEnvironmentInfo", host(values, form)),
        ("Benchmarks", Tree::List("BenchmarkCase", cases)),
    ])
}

fn host(values: &Values, form: Form) -> Tree {
    let machine = values.machine;
    let is_debug = values.programs.iter().any(|program| program.optimised == Some(false));
    let mut runtimes: Vec<&str> =
        values.cases.iter().map(|case| case.runtime).filter(|name| !name.is_empty()).collect();
    let compilers = || values.programs.iter().filter_map(|program| program.compiler.as_deref());
    // Programs without a runtime are identified by their compiler.
    runtimes.extend(if runtimes.is_empty() { compilers().collect() } else { Vec::new() });
    runtimes.dedup();
    let is_core_clr = runtimes.iter().any(|name| name.starts_with(".NET"));
    let count = |count: Option<u32>| count.map_or(Tree::Null, |count| Tree::Integer(count.into()));
    let architecture = match machine.map_or("", |m| m.architecture.as_str()) {
        "x86_64" => "X64",
        "aarch64" => "Arm64",
        other => other,
    };
    let sdk = if form == Form::Json { "DotNetCliVersion" } else { "DotNetSdkVersion" };
    Tree::Object(vec![
        ("BenchmarkDotNetCaption", text("Tare")),
        ("BenchmarkDotNetVersion", text(values.tare)),
        ("OsVersion", text(machine.map_or("", |m| &m.os))),
        ("ProcessorName", text(machine.map_or("", |m| &m.cpu))),
        ("PhysicalProcessorCount", Tree::Null),
        ("PhysicalCoreCount", count(machine.and_then(|m| m.cores))),
        ("LogicalCoreCount", count(machine.map(|m| m.processors))),
        ("RuntimeVersion", text(&runtimes.join(", "))),
        ("Architecture", text(architecture)),
        ("HasAttachedDebugger", Tree::Bool(false)),
        ("HasRyuJit", Tree::Bool(is_core_clr)),
        ("Configuration", text(if is_debug { "DEBUG" } else { "RELEASE" })),
        (sdk, text("")),
        // Times are in ns.
        ("ChronometerFrequency", Tree::Object(vec![("Hertz", Tree::Integer(1_000_000_000))])),
        ("HardwareTimerKind", text("Unknown")),
    ])
}

/// Namespace, type, method and full name: BenchmarkDotNet's names for the code, or else the names on the screen.
fn names(case: &Case) -> [String; 4] {
    match case.code {
        Some(code) => {
            let apart = joined(case.apart.iter(), ", ", ": ");
            let full = match (apart.is_empty(), code.full.strip_suffix(')')) {
                (true, _) => code.full.clone(),
                (false, Some(open)) => format!("{open}, {apart})"),
                (false, None) => format!("{}({apart})", code.full),
            };
            [code.namespace.clone(), code.class.clone(), code.method.clone(), full]
        }
        None => {
            let class = if case.group.is_empty() { case.program } else { case.group };
            let arguments = enclosed_or_nothing("(", joined(case.arguments(), ", ", ": "), ")");
            let full = format!("{class}.{}{arguments}", case.name);
            [String::new(), class.to_owned(), case.name.to_owned(), full]
        }
    }
}

/// Joins parts in a text that BenchmarkDotNet does not escape.
fn joined<'a, 'b: 'a>(named: impl Iterator<Item = &'a Named<'b>>, between: &str, equals: &str) -> String {
    let pairs: Vec<String> = named.map(|named| format!("{}{equals}{}", named.name, named.value)).collect();
    pairs.join(between)
}

fn enclosed_or_nothing(open: &str, inside: String, close: &str) -> String {
    Some(inside).filter(|it| !it.is_empty()).map_or_else(String::new, |inside| format!("{open}{inside}{close}"))
}

fn benchmark(case: &Case, form: Form, is_full: bool) -> Tree {
    let [namespace, kind, method, full] = names(case);
    let job = if case.job.is_empty() { "DefaultJob" } else { case.job };
    let title = if case.name.contains(' ') { format!("'{}'", case.name) } else { case.name.to_owned() };
    let arguments = enclosed_or_nothing(" [", joined(case.arguments(), ", ", "="), "]");
    let mut fields = vec![
        ("DisplayInfo", text(&format!("{kind}.{title}: {job}{arguments}"))),
        ("Namespace", if namespace.is_empty() { Tree::Null } else { text(&namespace) }),
        ("Type", text(&kind)),
        ("Method", text(&method)),
        ("MethodTitle", text(&title)),
        ("Parameters", text(&joined(case.arguments(), "&", "="))),
    ];
    if form == Form::Xml {
        // Empty fields are omitted there.
        fields
            .retain(|(_, value)| !matches!(value, Tree::Null) && !matches!(value, Tree::Text(text) if text.is_empty()));
    }
    if form == Form::Json {
        fields.push(("FullName", text(&full)));
        fields.push(("HardwareIntrinsics", text("")));
    }
    let all: Vec<f64> = case.launches.iter().flat_map(|launch| results(case, launch)).collect();
    let of_all = Summary::of(&all);
    fields.push(("Statistics", of_all.map_or(Tree::Null, |s| statistics(&s, &all, form))));
    let memory = case.metric(Model::ALLOCATED_BYTES).map(|metric| ("Memory", memory(case, metric.value)));
    let metrics = (is_full || form == Form::Xml)
        .then(|| ("Metrics", Tree::List("Item", case.metrics.iter().map(|metric| item(metric, form)).collect())));
    let measurements = is_full.then(|| ("Measurements", Tree::List("Measurement", measurements(case))));
    match form {
        Form::Json => fields.extend(memory.into_iter().chain(measurements).chain(metrics)),
        Form::Xml => fields.extend(metrics.into_iter().chain(memory).chain(measurements)),
    }
    Tree::Object(fields)
}

/// The visits of a launch without the loop and, for visits with many calls, without upper outliers, like in BenchmarkDotNet.
fn results(case: &Case, launch: &Launch) -> Vec<f64> {
    let results = case.without_loop(launch);
    if case.is_throughput {
        without_upper(&results)
    } else {
        results
    }
}

fn statistics(s: &Summary, results: &[f64], form: Form) -> Tree {
    let number = Tree::Number;
    let list = |values: &[f64]| Tree::List("Item", values.iter().copied().map(Tree::Number).collect());
    let or_nan = |value: Option<f64>| Tree::Number(value.unwrap_or(f64::NAN));
    let interval = s.ci_999.as_ref().map(|ci| &ci.interval);
    let level = if form == Form::Json { Tree::Integer(12) } else { text("L999") };
    let interval = Tree::Object(vec![
        ("N", Tree::Integer(s.n as u64)),
        ("Mean", number(s.mean)),
        ("StandardError", number(s.standard_error)),
        ("Level", level),
        ("Margin", or_nan(interval.map(|i| 0.5 * i.width()))),
        ("Lower", or_nan(interval.map(|i| i.lower))),
        ("Upper", or_nan(interval.map(|i| i.upper))),
    ]);
    let percentiles = s.percentiles.named();
    let mut fields = vec![
        ("OriginalValues", list(results)),
        ("N", Tree::Integer(s.n as u64)),
        ("Min", number(s.min)),
        ("LowerFence", number(s.lower_fence)),
        ("Q1", number(s.q1)),
        ("Median", number(s.median)),
        ("Mean", number(s.mean)),
        ("Q3", number(s.q3)),
        ("UpperFence", number(s.upper_fence)),
        ("Max", number(s.max)),
        ("InterquartileRange", number(s.iqr)),
    ];
    if form == Form::Json {
        let all: Vec<f64> = s.lower_outliers.iter().chain(&s.upper_outliers).copied().collect();
        fields.push(("LowerOutliers", list(&s.lower_outliers)));
        fields.push(("UpperOutliers", list(&s.upper_outliers)));
        fields.push(("AllOutliers", list(&all)));
    }
    fields.extend([
        ("StandardError", number(s.standard_error)),
        ("Variance", number(s.variance)),
        ("StandardDeviation", number(s.standard_deviation)),
        ("Skewness", or_nan(s.skewness)),
        ("Kurtosis", or_nan(s.kurtosis)),
        ("ConfidenceInterval", interval),
        ("Percentiles", Tree::Object(percentiles.map(|(name, value)| (name, number(value))).into())),
    ]);
    Tree::Object(fields)
}

fn memory(case: &Case, bytes: f64) -> Tree {
    let visits = case.launches.iter().map(|launch| launch.invocations * launch.visits_ns.len() as u64);
    let total = visits.sum::<u64>() * case.operations;
    // Older versions of ResultsComparer read 32 bits. The cost per operation stays the same.
    let total = total.min(i32::MAX as u64);
    let collections = |name: &str| {
        let per_operation = case.metric(name).map_or(0.0, |metric| metric.value);
        Tree::Integer((per_operation * total as f64).round() as u64)
    };
    Tree::Object(vec![
        ("Gen0Collections", collections("collections_0")),
        ("Gen1Collections", collections("collections_1")),
        ("Gen2Collections", collections("collections_2")),
        ("TotalOperations", Tree::Integer(total)),
        ("BytesAllocatedPerOperation", Tree::Integer(bytes.max(0.0).round() as u64)),
    ])
}

fn measurements(case: &Case) -> Vec<Tree> {
    let mut found = Vec::new();
    for stage in ["Actual", "Result"] {
        for launch in &case.launches {
            let operations = launch.invocations * case.operations;
            let values = if stage == "Actual" { launch.visits_ns.clone() } else { results(case, launch) };
            found.extend(values.iter().enumerate().map(|(at, ns)| {
                Tree::Object(vec![
                    ("IterationMode", text("Workload")),
                    ("IterationStage", text(stage)),
                    ("LaunchIndex", Tree::Integer(launch.number as u64)),
                    ("IterationIndex", Tree::Integer(at as u64 + 1)),
                    ("Operations", Tree::Integer(operations)),
                    ("Nanoseconds", Tree::Number(ns * operations as f64)),
                ])
            }));
        }
    }
    found
}

fn item(metric: &Metric, form: Form) -> Tree {
    let generation = metric.name.strip_prefix("collections_").and_then(|generation| generation.parse::<u64>().ok());
    let is_allocated = metric.name == Model::ALLOCATED_BYTES;
    // The names and descriptions in its diagnosers of threads and exceptions.
    let counted = match metric.name {
        Model::WORK_ITEMS => Some([
            "CompletedWorkItemCount",
            "Completed Work Items",
            "The number of work items that have been processed in ThreadPool (per single operation)",
        ]),
        Model::LOCK_CONTENTIONS => Some([
            "LockContentionCount",
            "Lock Contentions",
            "The number of times there was contention upon trying to take a Monitor's lock (per single operation)",
        ]),
        Model::EXCEPTIONS => Some(["ExceptionFrequency", "Exceptions", "Exceptions thrown per single operation"]),
        _ => None,
    };
    let legend = "Allocated memory per single operation (managed only, inclusive, 1KB = 1024B)";
    let [id, display, legend] = match (generation, counted) {
        (Some(generation), _) => [
            format!("Gen{generation}Collects"),
            format!("Gen{generation}"),
            format!("GC Generation {generation} collects per 1000 operations"),
        ],
        (_, Some(counted)) => counted.map(str::to_owned),
        _ if is_allocated => ["Allocated Memory", "Allocated", legend].map(str::to_owned),
        _ => [metric.name; 3].map(str::to_owned),
    };
    let (format, unit) = match generation.is_some() || counted.is_some() {
        true => ("#0.0000", "Count"),
        false => (if is_allocated { "0.##" } else { "0.####" }, metric.unit),
    };
    let kinds = [(0, "Dimensionless"), (1, "Time"), (2, "Size")];
    let (number, word) = kinds[if metric.unit == "ns" { 1 } else { 2 * usize::from(metric.unit == "B") }];
    let unit_type = if form == Form::Json { Tree::Integer(number) } else { text(word) };
    let fields = vec![
        ("Id", text(&id)),
        ("DisplayName", text(&display)),
        ("Legend", text(&legend)),
        ("NumberFormat", text(format)),
        ("UnitType", unit_type),
        ("Unit", text(unit)),
        ("TheGreaterTheBetter", Tree::Bool(metric.better == Better::Higher)),
        ("PriorityInCategory", Tree::Integer(generation.unwrap_or(if is_allocated { 3 } else { 0 }))),
    ];
    let value = Tree::Number(metric.value * if generation.is_some() { 1000.0 } else { 1.0 });
    Tree::Object(vec![("Value", value), ("Descriptor", Tree::Object(fields))])
}

fn document(root: &Tree) -> String {
    let mut text = XML_HEAD.to_owned();
    write("Summary", root, 0, &mut text);
    text
}

fn write(name: &str, tree: &Tree, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let children: Vec<(&str, &Tree)> = match tree {
        Tree::List(item, items) => items.iter().map(|tree| (*item, tree)).collect(),
        Tree::Object(fields) => fields.iter().map(|(name, tree)| (*name, tree)).collect(),
        Tree::Null => Vec::new(),
        Tree::Text(text) if text.is_empty() => Vec::new(),
        leaf => {
            out.push_str(&format!("{indent}<{name}>{}</{name}>\n", escape(&leaf_text(leaf))));
            return;
        }
    };
    if children.is_empty() {
        *out += &format!("{indent}<{name} />\n");
        return;
    }
    *out += &format!("{indent}<{name}>\n");
    children.into_iter().for_each(|(name, child)| write(name, child, depth + 1, out));
    *out += &format!("{indent}</{name}>\n");
}

/// Values as formatted by .NET.
fn leaf_text(leaf: &Tree) -> String {
    match leaf {
        Tree::Bool(true) => "True".to_owned(),
        Tree::Bool(false) => "False".to_owned(),
        Tree::Number(value) if value.is_nan() => "NaN".to_owned(),
        Tree::Number(value) => value.to_string(),
        Tree::Integer(value) => value.to_string(),
        Tree::Text(text) => text.clone(),
        Tree::Null | Tree::List(..) | Tree::Object(_) => String::new(),
    }
}
