//! JMH's JSON: `rawData[fork][iteration]`; every fork is a process, so a launch.
//!
//! Traps: numbers that are none are texts (`"NaN"`); in mode `thrpt` the score is operations for a time, and its inverse is what costs;
//! in mode `sample` there are histograms of single calls instead of values of iterations, of which the mean is taken, as JMH's own
//! score does; with several threads a throughput is that of all of them. It lacks: processor, system, time. `params` is not
//! there without parameters; `forks` 0 means JMH's own process. The mode is part of the key: a file has several of one benchmark,
//! and those of another file are joined with them mode by mode.

use crate::builder::{joined, parameter, parameter_suffix, unit_ns, Builder};
use crate::node::{Fault, Node};
use tare_analysis::{fact, Saved, SavedCase, SavedDesign, SavedSummary};
use tare_analysis::{Code, Sentence, Severity};
use tare_model::Parameter;

pub(crate) fn read(root: &Node) -> Result<Saved, Fault> {
    let mut builder = Builder::new("jmh");
    let results = root.list()?;
    facts(&mut builder, results);
    for result in results {
        let full = result.need("benchmark")?.text()?;
        let mode = result.need("mode")?.text()?;
        let metric = result.need("primaryMetric")?;
        let score_unit = metric.need("scoreUnit")?;
        let parameters = parameters(result);
        let (group, name) = full.rsplit_once('.').unwrap_or(("", full));
        let key = format!("{full}{}:{mode}", parameter_suffix(&parameters));
        let Some(unit) = Unit::of(score_unit.text()?) else {
            let evidence = Sentence::new("`{benchmark}` is measured in {unit}, and was left out")
                .text("benchmark", key)
                .text("unit", score_unit.text()?);
            builder.finding(Code::LeftOut, Severity::Note, evidence, "only times and throughputs can be read");
            continue;
        };
        let mut case = SavedCase {
            group: group.to_owned(),
            parameters,
            language: "java".to_owned(),
            operations: result.number_at("measurementBatchSize").filter(|b| *b > 0.0),
            quantity: quantity(mode, unit).to_owned(),
            allocated_bytes: allocated(result),
            ..SavedCase::new(key, name)
        };
        case.launches = launches(metric, unit)?;
        if case.launches.is_empty() {
            let summary = |field: &str| metric.number_at(field).map(|v| unit.ns(v));
            case.design = SavedDesign::Summary(SavedSummary {
                mean_ns: summary("score"),
                median_ns: None,
                sd_ns: None,
                values: None,
            });
        } else if case.launches.len() == 1 {
            case.design = SavedDesign::Iterations;
        }
        builder.case(case, "")?;
    }
    let version = joined(results.iter().filter_map(|r| r.text_at("jmhVersion"))).unwrap_or_default();
    builder.finish(format!("JMH {version}").trim_end().to_owned())
}

/// The unit of a score: a time for an operation, or operations for a time.
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

    /// Time of an operation, ns.
    fn ns(self, score: f64) -> f64 {
        if self.is_throughput {
            self.time_ns / score
        } else {
            self.time_ns * score
        }
    }
}

/// What kind of time a mode measures: those of different modes are not compared.
fn quantity(mode: &str, unit: Unit) -> &'static str {
    match mode {
        _ if unit.is_throughput => "1 / throughput",
        "sample" => "wall time of single calls",
        "ss" => "wall time of cold calls",
        _ => "wall time",
    }
}

fn launches(metric: &Node, unit: Unit) -> Result<Vec<Vec<f64>>, Fault> {
    let forks = match (metric.get("rawData"), metric.get("rawDataHistogram")) {
        (Some(forks), _) => forks.list()?.iter().map(Node::numbers).collect::<Result<Vec<_>, Fault>>()?,
        (None, Some(forks)) => {
            let means = |fork: &Node| fork.list()?.iter().map(histogram_mean).collect::<Result<Vec<f64>, Fault>>();
            forks.list()?.iter().map(means).collect::<Result<Vec<_>, Fault>>()?
        }
        (None, None) => Vec::new(),
    };
    let filled = forks.into_iter().filter(|fork| !fork.is_empty());
    Ok(filled.map(|fork| fork.into_iter().map(|score| unit.ns(score)).collect()).collect())
}

/// Mean of a list of pairs of value and count.
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

/// Bytes an operation, where JMH ran with `-prof gc`; older versions put a dot before the name.
fn allocated(result: &Node) -> Option<f64> {
    let metrics = result.get("secondaryMetrics")?;
    let rate = metrics.get("gc.alloc.rate.norm").or_else(|| metrics.get("·gc.alloc.rate.norm"))?;
    rate.number_at("score").filter(|b| *b >= 0.0)
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
    let settings = ["warmupIterations", "warmupTime", "measurementTime"];
    let settings = settings.iter().filter_map(|f| Some(format!("{f} {}", results.first()?.get(f)?.plain()?)));
    builder.fact(fact::SETTINGS, Some(settings.collect::<Vec<_>>().join(", ")));
}
