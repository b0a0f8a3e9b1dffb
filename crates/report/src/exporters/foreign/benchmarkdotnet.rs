//! BenchmarkDotNet's JSON, full and brief, which its ResultsComparer reads, and its XML: what its JSON holds, with a few differences.
//!
//! `LaunchIndex` is the launch, an iteration a visit that counts. As BenchmarkDotNet does, an iteration is written twice: as measured (`Actual`), which is
//! with the loop at the reference clock, and without the loop and the upper outliers of its launch (`Result`). Statistics are of the results.
//! Every raw measurement is in `.measurements.csv`. Names are those that BenchmarkDotNet gives to the code, where the front end says what it is called.
//! `FullName` is unique, also across jobs and sides: ResultsComparer wants that.

use super::{escape, plain, XML_HEAD};
use crate::exporters::{Exporter, Needs, NoResult, Rendered};
use crate::values::{Case, Launch, Metric, Named, Values};
use tare_model::{Better, Metric as Model};
use tare_stats::outliers::{remove, Removal};
use tare_stats::summary::Summary;

pub(crate) const FULL: Exporter = Exporter {
    name: "bdn-full",
    extension: ".bdn-full.json",
    about: "JSON as BenchmarkDotNet writes it, full",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(summary(&Values::of(shown), Form::Json, true).json()),
    render_failure: |failure| failed(failure).json(),
};

pub(crate) const BRIEF: Exporter = Exporter {
    name: "bdn-brief",
    extension: ".bdn-brief.json",
    about: "JSON as BenchmarkDotNet writes it, brief",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(summary(&Values::of(shown), Form::Json, false).json()),
    render_failure: |failure| failed(failure).json(),
};

pub(crate) const FULL_XML: Exporter = Exporter {
    name: "bdn-full-xml",
    extension: ".bdn-full.xml",
    about: "XML as BenchmarkDotNet writes it, full",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(document(&summary(&Values::of(shown), Form::Xml, true))),
    render_failure: |failure| document(&failed(failure)),
};

pub(crate) const BRIEF_XML: Exporter = Exporter {
    name: "bdn-brief-xml",
    extension: ".bdn-brief.xml",
    about: "XML as BenchmarkDotNet writes it, brief",
    common: false,
    needs: Needs::Measurements,
    render: |shown| Rendered::Text(document(&summary(&Values::of(shown), Form::Xml, false))),
    render_failure: |failure| document(&failed(failure)),
};

fn failed(failure: &NoResult) -> Tree {
    Tree::Object(vec![("Title", text(&failure.error)), ("Benchmarks", Tree::List("BenchmarkCase", Vec::new()))])
}

/// The two forms differ in a few fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Xml,
}

/// A document whose fields keep their order.
enum Tree {
    Null,
    Bool(bool),
    Number(f64),
    Integer(u64),
    Text(String),
    /// What an element is called in XML, and the elements.
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
            // As BenchmarkDotNet writes what is no number. No field has such a value, see below.
            Tree::Number(value) if !value.is_finite() => out.push_str("\"\""),
            Tree::Number(value) => out.push_str(&value.to_string()),
            Tree::Integer(value) => out.push_str(&value.to_string()),
            Tree::Text(value) => out.push_str(&serde_json::Value::from(value.as_str()).to_string()),
            Tree::List(_, items) => {
                let is_flat = items.iter().all(|item| matches!(item, Tree::Number(_)));
                enclosed('[', ']', items.iter().map(|item| (None, item)), is_flat, depth, out);
            }
            Tree::Object(fields) => {
                // ResultsComparer refuses a file that has `""` or `null` where it reads a number; what is not there is fine.
                let is_known =
                    |value: &Tree| !matches!(value, Tree::Null) && !matches!(value, Tree::Number(n) if !n.is_finite());
                let is_there = |name: &str| ["Statistics", "Namespace"].contains(&name);
                let fields = || fields.iter().filter(|(name, value)| is_known(value) || is_there(name));
                // A measurement is a line.
                let is_flat = depth >= 4 && fields().all(|(_, v)| !matches!(v, Tree::List(..) | Tree::Object(_)));
                enclosed('{', '}', fields().map(|(name, value)| (Some(*name), value)), is_flat, depth, out);
            }
        }
    }
}

fn enclosed<'a>(
    open: char,
    close: char,
    items: impl Iterator<Item = (Option<&'static str>, &'a Tree)>,
    is_flat: bool,
    depth: usize,
    out: &mut String,
) {
    let line = |depth: usize| if is_flat { String::new() } else { format!("\n{}", "  ".repeat(depth)) };
    out.push(open);
    let mut is_empty = true;
    for (name, value) in items {
        if !is_empty {
            out.push_str(if is_flat { ", " } else { "," });
        }
        is_empty = false;
        out.push_str(&line(depth + 1));
        out.extend(name.map(|name| format!("\"{name}\": ")));
        value.write_json(depth + 1, out);
    }
    if !is_empty {
        out.push_str(&line(depth));
    }
    out.push(close);
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
    // What has no runtime was made by its compiler alone.
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

struct Names {
    namespace: String,
    class: String,
    method: String,
    full: String,
}

/// As BenchmarkDotNet calls the code; of what does not say what it is called, from the names on the screen. What tells it from others of its
/// name and parameters is in the full name.
fn names(case: &Case) -> Names {
    match case.code {
        Some(code) => {
            let apart = joined(case.apart.iter(), ", ", ": ");
            let full = match (apart.is_empty(), code.full.strip_suffix(')')) {
                (true, _) => code.full.clone(),
                (false, Some(open)) => format!("{open}, {apart})"),
                (false, None) => format!("{}({apart})", code.full),
            };
            Names { namespace: code.namespace.clone(), class: code.class.clone(), method: code.method.clone(), full }
        }
        None => {
            let class = if case.group.is_empty() { case.program } else { case.group };
            let arguments = enclosed_or_nothing("(", joined(case.arguments(), ", ", ": "), ")");
            Names {
                namespace: String::new(),
                class: class.to_owned(),
                method: case.name.to_owned(),
                full: format!("{class}.{}{arguments}", case.name),
            }
        }
    }
}

/// Between parts of a text that BenchmarkDotNet does not escape.
fn joined<'a, 'b: 'a>(named: impl Iterator<Item = &'a Named<'b>>, between: &str, equals: &str) -> String {
    let pairs: Vec<String> = named.map(|named| format!("{}{equals}{}", named.name, named.value)).collect();
    pairs.join(between)
}

fn enclosed_or_nothing(open: &str, inside: String, close: &str) -> String {
    if inside.is_empty() {
        inside
    } else {
        format!("{open}{inside}{close}")
    }
}

fn benchmark(case: &Case, form: Form, is_full: bool) -> Tree {
    let Names { namespace, class: kind, method, full } = names(case);
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
        // What is empty is left out there.
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

/// The results of a launch: its visits without the loop. As BenchmarkDotNet does, upper outliers are left out of what is measured in visits of many
/// calls.
fn results(case: &Case, launch: &Launch) -> Vec<f64> {
    let removal = if case.is_throughput { Removal::RemoveUpper } else { Removal::DontRemove };
    remove(&case.without_loop(launch), removal)
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

fn operations(case: &Case, launch: &Launch) -> u64 {
    launch.invocations * case.operations
}

fn memory(case: &Case, bytes: f64) -> Tree {
    let total: u64 = case.launches.iter().map(|launch| operations(case, launch) * launch.visits_ns.len() as u64).sum();
    // Older versions of ResultsComparer read 32 bits. What matters is what an operation costs, which stays the same.
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
            let operations = operations(case, launch);
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

struct Descriptor {
    id: String,
    display: String,
    legend: String,
    format: &'static str,
    unit: String,
    priority: u64,
    /// Its value for one in Tare.
    factor: f64,
}

fn item(metric: &Metric, form: Form) -> Tree {
    let described = descriptor(metric);
    let kinds = [(0, "Dimensionless"), (1, "Time"), (2, "Size")];
    let (number, word) = kinds[if metric.unit == "ns" { 1 } else { 2 * usize::from(metric.unit == "B") }];
    let unit_type = if form == Form::Json { Tree::Integer(number) } else { text(word) };
    let fields = vec![
        ("Id", text(&described.id)),
        ("DisplayName", text(&described.display)),
        ("Legend", text(&described.legend)),
        ("NumberFormat", text(described.format)),
        ("UnitType", unit_type),
        ("Unit", text(&described.unit)),
        ("TheGreaterTheBetter", Tree::Bool(metric.better == Better::Higher)),
        ("PriorityInCategory", Tree::Integer(described.priority)),
    ];
    let value = Tree::Number(metric.value * described.factor);
    Tree::Object(vec![("Value", value), ("Descriptor", Tree::Object(fields))])
}

fn descriptor(metric: &Metric) -> Descriptor {
    /// Collections are counted per this many operations.
    const OPERATIONS: f64 = 1000.0;
    let of = |id: String, display: String, legend: String| Descriptor {
        id,
        display,
        legend,
        format: "0.####",
        unit: metric.unit.to_owned(),
        priority: 0,
        factor: 1.0,
    };
    let generation = metric.name.strip_prefix("collections_").and_then(|generation| generation.parse::<u64>().ok());
    match generation {
        Some(generation) => {
            let legend = format!("GC Generation {generation} collects per 1000 operations");
            Descriptor {
                format: "#0.0000",
                unit: "Count".to_owned(),
                priority: generation,
                factor: OPERATIONS,
                ..of(format!("Gen{generation}Collects"), format!("Gen{generation}"), legend)
            }
        }
        None if metric.name == Model::ALLOCATED_BYTES => {
            let legend = "Allocated memory per single operation (managed only, inclusive, 1KB = 1024B)".to_owned();
            let described = of("Allocated Memory".to_owned(), "Allocated".to_owned(), legend);
            Descriptor { format: "0.##", priority: 3, ..described }
        }
        None => counted(metric.name)
            .map(|(id, display, legend)| Descriptor {
                format: "#0.0000",
                unit: "Count".to_owned(),
                ..of(id.to_owned(), display.to_owned(), legend.to_owned())
            })
            .unwrap_or_else(|| of(metric.name.to_owned(), metric.name.to_owned(), metric.name.to_owned())),
    }
}

/// What its diagnosers of threads and of exceptions call a metric, and what they say of it.
fn counted(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match name {
        Model::WORK_ITEMS => (
            "CompletedWorkItemCount",
            "Completed Work Items",
            "The number of work items that have been processed in ThreadPool (per single operation)",
        ),
        Model::LOCK_CONTENTIONS => (
            "LockContentionCount",
            "Lock Contentions",
            "The number of times there was contention upon trying to take a Monitor's lock (per single operation)",
        ),
        Model::EXCEPTIONS => ("ExceptionFrequency", "Exceptions", "Exceptions thrown per single operation"),
        _ => return None,
    })
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
        out.push_str(&format!("{indent}<{name} />\n"));
        return;
    }
    out.push_str(&format!("{indent}<{name}>\n"));
    for (name, child) in children {
        write(name, child, depth + 1, out);
    }
    out.push_str(&format!("{indent}</{name}>\n"));
}

/// Values as .NET writes them.
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
