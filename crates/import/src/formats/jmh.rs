//! JMH's JSON: `rawData[fork][iteration]`; every fork is a process, hence a launch.
//!
//! Traps: missing numbers are texts (`"NaN"`). In mode `thrpt` the score is operations per time, and its inverse is the cost. In mode
//! `sample` there are histograms of single calls instead of values of iterations; their mean is used, as in JMH's own score. With
//! `measurementBatchSize`, an operation is a batch of calls. With several threads, a throughput is that of all of them. `params` is missing
//! without parameters; `forks` 0 means JMH's own process. It lacks: processor, system, time.
//!
//! The mode is part of the key: a file has several modes of one benchmark, and they are joined with other files mode by mode.
//! `secondaryMetrics`, with raw data of each fork, contains results of profilers, `@AuxCounters` and the methods of a `@Group`.

use super::{Format, Read};
use crate::builder::{joined, parameter, parameter_suffix, settings, unit_ns, Builder, COLD};
use crate::node::{Fault, Node};
use std::collections::BTreeSet;
use tare_analysis::{fact, Better, Location, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_model::Parameter;

/// Bytes per operation below which the operation itself allocated nothing.
const LEAST_BYTES: f64 = 1.0;
/// The bytes that an operation allocates, a metric of `-prof gc`.
const ALLOCATED: &str = "gc.alloc.rate.norm";
/// Settings that affect a score.
const SETTINGS: [&str; 5] =
    ["warmupIterations", "warmupTime", "warmupBatchSize", "measurementTime", "opsPerInvocation"];

pub(crate) const FORMAT: Format = Format {
    tool: "jmh",
    known_as: "JMH (`-rf json`)",
    // JMH writes an empty list if nothing matched.
    is_json: |head| {
        let is_empty = head.is_list && head.text[1..].trim_start().starts_with(']');
        is_empty || head.lists(&["jmhVersion"]) || head.lists(&["benchmark", "primaryMetric"])
    },
    read: Read::Json(read),
    too_little: &[
        (&["Benchmark,Mode"], "JMH's CSV, which has no single iterations", INSTEAD),
        (&["\"Benchmark\"", "\"Mode\""], "JMH's CSV, which has no single iterations", INSTEAD),
        (&["# JMH version"], "JMH's text, which is rounded", INSTEAD),
        (&["Benchmark", "Mode", "Score", "Units"], "JMH's table, which is rounded", INSTEAD),
    ],
    ..Format::NONE
};
const INSTEAD: &str = "run JMH with `-rf json -rff FILE`";

fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("jmh");
    let results = root.list()?;
    facts(&mut builder, results);
    let mut left_out = BTreeSet::new();
    for (at, result) in results.iter().enumerate() {
        let described = described(result, at);
        match measured(&described, result) {
            Ok(Ok(case)) => {
                let (metrics, others) = secondary(&case, result);
                left_out.extend(others);
                let allocated_bytes = allocated(&metrics);
                builder.case(SavedCase { metrics, allocated_bytes, ..case }, distinction(result))?;
            }
            Ok(Err(unit)) => {
                builder.lost(&described, format!("it is measured in {unit}, which is neither a time nor a throughput"))
            }
            Err(fault) => builder.unreadable(&described, fault, root)?,
        }
    }
    let why = "their units do not show whether more is better";
    builder.metrics_left_out(left_out, why, "compare them by hand");
    let version = joined(results.iter().filter_map(|r| r.text_at("jmhVersion"))).unwrap_or_default();
    builder.finish(format!("JMH {version}").trim_end().to_owned())
}

fn described(result: &Node, at: usize) -> SavedCase {
    let full = result.text_at("benchmark").map_or_else(|| format!("[{at}]"), str::to_owned);
    let parameters = parameters(result);
    let (group, name) = full.rsplit_once('.').unwrap_or(("", &full));
    let mode = result.text_at("mode").map(|mode| format!(":{mode}")).unwrap_or_default();
    let key = format!("{full}{}{mode}", parameter_suffix(&parameters));
    SavedCase {
        group: group.to_owned(),
        parameters,
        language: "java".to_owned(),
        unit: unit_of(result),
        settings: settings(result, &SETTINGS),
        ..SavedCase::new(key, name)
    }
}

/// The unit of a score: JMH calls a whole batch of calls one operation.
fn unit_of(result: &Node) -> String {
    match result.number_at("measurementBatchSize").filter(|calls| *calls > 1.0) {
        Some(calls) => format!("batch of {calls} calls"),
        None => "op".to_owned(),
    }
}

/// A benchmark with its values; Err with its unit if that is neither a time nor a throughput.
fn measured(described: &SavedCase, result: &Node) -> Result<Result<SavedCase, String>, Fault> {
    result.need("benchmark")?.text()?;
    let mode = result.need("mode")?.text()?;
    let metric = result.need("primaryMetric")?;
    let score_unit = metric.need("scoreUnit")?.text()?;
    let Some(unit) = Unit::of(score_unit) else { return Ok(Err(score_unit.to_owned())) };
    let quantity = quantity(mode, unit).to_owned();
    // Its score is the mean of all iterations.
    let mut case = SavedCase { quantity, location: Location::OverCalls, ..described.clone() };
    case.launches = launches(metric, |score| unit.ns(score))?;
    if case.launches.is_empty() {
        let summary = |field: &str| metric.number_at(field).map(|v| unit.ns(v));
        let mean_ns = summary("score");
        case.design = SavedDesign::Summary(SavedSummary { mean_ns, median_ns: None, sd_ns: None, values: None });
    } else if case.launches.len() == 1 {
        case.design = SavedDesign::Iterations;
    }
    Ok(Ok(case))
}

/// Distinguishes results of one benchmark: files may be joined from runs with different JVMs or options.
fn distinction(result: &Node) -> String {
    let words = result.get("jvmArgs").and_then(|words| words.list().ok()).unwrap_or_default();
    let java = ["vmName", "jdkVersion"].iter().filter_map(|field| result.text_at(field));
    let all: Vec<&str> = java.chain(words.iter().filter_map(|word| word.text().ok())).collect();
    if all.is_empty() {
        String::new()
    } else {
        format!("@{}", all.join(" "))
    }
}

/// Quantities other than the time: as rows if the unit tells the direction, and the names of the others.
fn secondary(case: &SavedCase, result: &Node) -> (Vec<SavedCase>, Vec<String>) {
    let (mut metrics, mut others) = (Vec::new(), Vec::new());
    for (name, metric) in result.get("secondaryMetrics").map(Node::fields).unwrap_or_default() {
        // Older versions put a dot before the names of their own metrics.
        let name = name.trim_start_matches('·');
        let unit = metric.text_at("scoreUnit").unwrap_or_default();
        let (label, better, drifts) = match (name, unit, Unit::of(unit)) {
            (ALLOCATED, "B/op", _) => ("B/op".to_owned(), Better::Lower, false),
            (_, _, Some(of)) if of.is_throughput => (format!("{name} {unit}"), Better::Higher, true),
            (_, _, Some(_)) => (format!("{name} {unit}"), Better::Lower, true),
            // Processor events per operation.
            (_, "#/op", _) => (format!("{name}/op"), Better::Lower, false),
            _ => {
                others.extend(metric.number_at("score").filter(|score| *score != 0.0).map(|_| name.to_owned()));
                continue;
            }
        };
        let values = launches(metric, |value| value).unwrap_or_default();
        let values = if values.is_empty() {
            metric.number_at("score").map(|v| vec![vec![v]]).unwrap_or_default()
        } else {
            values
        };
        // Allocations of the JVM itself are divided by the operations too.
        let whole = |value: f64| if label == "B/op" && value < LEAST_BYTES { 0.0 } else { value };
        let values: Vec<Vec<f64>> = values.into_iter().map(|fork| fork.into_iter().map(whole).collect()).collect();
        let is_usable = |value: &f64| value.is_finite() && *value >= 0.0;
        match !values.is_empty() && values.iter().flatten().all(is_usable) {
            true => metrics.push(SavedCase { drifts, ..Builder::metric(case, &label, better, values) }),
            false => others.push(name.to_owned()),
        }
    }
    (metrics, others)
}

/// Bytes per operation, if JMH ran with `-prof gc`.
fn allocated(metrics: &[SavedCase]) -> Option<f64> {
    let values = metrics.iter().find(|metric| metric.quantity == "B/op")?.launches.concat();
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// The unit of a score: time per operation, or operations per time.
#[derive(Debug, Clone, Copy)]
struct Unit {
    time_ns: f64,
    is_throughput: bool,
}

impl Unit {
    fn of(text: &str) -> Option<Unit> {
        let (top, bottom) = text.split_once('/')?;
        match (top, bottom) {
            ("ops", time) => Some(Unit { time_ns: unit_ns(time)?, is_throughput: true }),
            (time, "op") => Some(Unit { time_ns: unit_ns(time)?, is_throughput: false }),
            _ => None,
        }
    }

    fn ns(self, score: f64) -> f64 {
        if self.is_throughput {
            self.time_ns / score
        } else {
            self.time_ns * score
        }
    }
}

/// The kind of time that a mode measures: different modes are not compared.
fn quantity(mode: &str, unit: Unit) -> &'static str {
    match mode {
        _ if unit.is_throughput => "1 / throughput",
        "sample" => "wall time of single calls",
        "ss" => COLD,
        _ => "wall time",
    }
}

fn launches(metric: &Node, wanted: impl Fn(f64) -> f64) -> Result<Vec<Vec<f64>>, Fault> {
    let forks = match (metric.get("rawData"), metric.get("rawDataHistogram")) {
        (Some(forks), _) => forks.list()?.iter().map(Node::numbers).collect::<Result<Vec<_>, Fault>>()?,
        (None, Some(forks)) => {
            let means = |fork: &Node| fork.list()?.iter().map(histogram_mean).collect::<Result<Vec<f64>, Fault>>();
            forks.list()?.iter().map(means).collect::<Result<Vec<_>, Fault>>()?
        }
        (None, None) => Vec::new(),
    };
    let filled = forks.into_iter().filter(|fork| !fork.is_empty());
    Ok(filled.map(|fork| fork.into_iter().map(&wanted).collect()).collect())
}

fn histogram_mean(iteration: &Node) -> Result<f64, Fault> {
    let (mut sum, mut count) = (0.0, 0.0);
    for pair in iteration.list()? {
        let [value, times] = pair.list()? else { return Err(pair.wrong("a pair of value and count")) };
        let times = times.number()?;
        sum += value.number()? * times;
        count += times;
    }
    Ok(sum / count)
}

fn parameters(result: &Node) -> Vec<Parameter> {
    let fields = result.get("params").map(Node::fields).unwrap_or_default();
    let mut parameters: Vec<Parameter> =
        fields.iter().filter_map(|(name, value)| Some(parameter(name.as_str(), value.plain()?))).collect();
    if let Some(threads) = result.number_at("threads").filter(|t| *t != 1.0) {
        parameters.push(parameter("threads", threads.to_string()));
    }
    parameters
}

fn facts(builder: &mut Builder, results: &[Node]) {
    let all = |field: &'static str| joined(results.iter().filter_map(move |r| r.text_at(field)));
    builder.fact(fact::TOOL_VERSION, all("jmhVersion"));
    let runtime: Vec<String> = ["vmName", "vmVersion"].iter().filter_map(|f| all(f)).collect();
    builder.fact(fact::RUNTIME, Some(runtime.join(" ")));
    let arguments: Vec<String> = results
        .iter()
        .filter_map(|r| r.get("jvmArgs")?.list().ok())
        .map(|words| words.iter().filter_map(|w| w.text().ok()).collect::<Vec<_>>().join(" "))
        .collect();
    builder.fact(fact::FLAGS, joined(arguments.iter().map(String::as_str)));
}
