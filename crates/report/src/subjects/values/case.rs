//! A row of a run's table, with its launches.

use super::row::group_part;
use crate::parts::failures::{command_failure_text, text_of};
use crate::words::text::clean;
use serde::Serialize;
use std::collections::HashMap;
use tare_analysis::history::{HistoryFailure, Trend};
use tare_analysis::{traces, CaseEstimates, CaseReport, CaseTrace, Fate, NetTime, Outcome, Quantity, Report};
use tare_model::{Benchmark, Better, CodeName, Parameter, Per, Run, Stage, Strategy};
use tare_stats::interval::Interval;
use tare_stats::location::median;
use tare_stats::summary::Summary;

/// A case. Times are in ns per operation; unknown values are None.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Case<'a> {
    /// Unique within the result: `group/name[n=10]` and further distinctions.
    pub label: String,
    pub key: &'a str,
    pub group: &'a str,
    pub name: &'a str,
    pub parameters: Vec<Named<'a>>,
    /// Distinctions besides its parameters: side, language, program, job.
    pub apart: Vec<Named<'a>>,
    pub language: &'a str,
    pub program: &'a str,
    pub job: &'a str,
    pub side: &'a str,
    pub unit: &'a str,
    pub description: &'a str,
    pub baseline: bool,
    pub threads: u32,
    pub operations: u64,
    /// `measured`, `failed`, `skipped` or `not-measured`.
    pub outcome: &'static str,
    pub reason: String,
    /// The time without the loop.
    pub time_ns: Option<f64>,
    pub time_lower_ns: Option<f64>,
    pub time_upper_ns: Option<f64>,
    /// The time cannot be distinguished from zero: it is less than this.
    pub below_ns: Option<f64>,
    /// The time with the loop, as in the visits.
    pub raw_ns: Option<f64>,
    pub raw_lower_ns: Option<f64>,
    pub raw_upper_ns: Option<f64>,
    pub loop_ns: Option<f64>,
    pub wall_ns: Option<f64>,
    pub cycles: Option<f64>,
    /// `wall` or `cpu`.
    pub quantity: &'static str,
    pub at_reference_clock: bool,
    pub base: Option<String>,
    pub ratio: Option<f64>,
    pub ratio_lower: Option<f64>,
    pub ratio_upper: Option<f64>,
    pub verdict: &'static str,
    pub p: Option<f64>,
    pub q: Option<f64>,
    pub visits_measured: usize,
    pub visits_valid: usize,
    /// Total time of its stages, s.
    pub measuring_s: f64,
    pub peak_memory_bytes: Option<u64>,
    /// Over counted visits.
    pub statistics: Option<&'a Summary>,
    pub rates: Vec<Rate<'a>>,
    pub metrics: Vec<Metric<'a>>,
    /// Counted visits of all launches in order: time per operation with the loop, ns.
    pub visits_ns: Vec<f64>,
    pub launches: Vec<Launch>,
    /// The names of its code, if the front end reports them.
    #[serde(skip)]
    pub code: Option<&'a CodeName>,
    /// Each visit has many calls.
    #[serde(skip)]
    pub is_throughput: bool,
    /// The runtime of its processes; empty if unknown.
    #[serde(skip)]
    pub runtime: &'a str,
}

impl<'a> Case<'a> {
    /// The newest value of a benchmark in a history; None if it has none.
    pub fn of_trend(trend: &'a Trend) -> Option<Case<'a>> {
        let newest = trend.points.last()?;
        let ends = |interval: Option<Interval>| interval.map_or([None; 2], |i| [finite(i.lower), finite(i.upper)]);
        let [lower, upper] = ends(newest.time_interval);
        let [ratio_lower, ratio_upper] = ends(newest.ratio_interval);
        Some(Case {
            key: &trend.key,
            job: &trend.job,
            unit: "op",
            outcome: "measured",
            time_ns: newest.time_ns,
            time_lower_ns: lower.filter(|_| newest.time_ns.is_some()),
            time_upper_ns: upper.filter(|_| newest.time_ns.is_some()),
            below_ns: upper.filter(|_| newest.time_ns.is_none()),
            base: newest.base.clone(),
            ratio: newest.ratio,
            ratio_lower,
            ratio_upper,
            ..Case::of_name(&trend.name)
        })
    }

    pub fn of_history_failure(failed: &'a HistoryFailure) -> Case<'a> {
        Case { job: &failed.job, outcome: "failed", reason: clean(&failed.why), ..Case::of_name(&failed.name) }
    }

    fn of_name(name: &'a str) -> Case<'a> {
        Case {
            label: name.to_owned(),
            key: name,
            group: group_part(name),
            name,
            threads: 1,
            operations: 1,
            ..Case::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Named<'a> {
    pub name: &'a str,
    pub value: &'a str,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Rate<'a> {
    pub name: &'a str,
    pub unit: &'a str,
    pub per_second: f64,
    #[serde(serialize_with = "tare_model::serialize_amount")]
    pub per_invocation: f64,
}

/// A quantity measured besides the time.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Metric<'a> {
    pub name: &'a str,
    pub unit: &'a str,
    pub better: Better,
    pub per: Per,
    pub value: f64,
    pub launches: &'a [f64],
}

/// A finished launch with counted visits.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Launch {
    /// Its number within the case, from 1.
    pub number: usize,
    /// Its number within the run, from 0.
    pub id: u32,
    pub wave: u32,
    /// Time since the start of the run, s.
    pub start_s: f64,
    pub invocations: u64,
    /// Its single value: time per operation with the loop, ns.
    pub value_ns: f64,
    /// CPU time of the measuring thread over wall time, the median over its visits; None if unknown.
    pub cpu_share: Option<f64>,
    pub start_up_ns: Option<f64>,
    pub peak_memory_bytes: Option<u64>,
    /// Counted visits in order: time per operation with the loop, ns.
    pub visits_ns: Vec<f64>,
    pub dropped: usize,
}

impl<'a> Case<'a> {
    /// Parameters, then further distinctions.
    pub fn arguments<'s>(&'s self) -> impl Iterator<Item = &'s Named<'a>> {
        self.parameters.iter().chain(&self.apart)
    }

    /// `group/name`, or the name alone.
    pub fn full_name(&self) -> String {
        match self.group {
            "" => self.name.to_owned(),
            group => format!("{group}/{}", self.name),
        }
    }

    /// Counted visits of a launch without the loop, like the shown time; at least 0.
    pub fn without_loop(&self, launch: &Launch) -> Vec<f64> {
        let loop_ns = self.time_ns.zip(self.raw_ns).map(|(net, raw)| raw - net).or(self.loop_ns).unwrap_or(0.0);
        launch.visits_ns.iter().map(|ns| (ns - loop_ns).max(0.0)).collect()
    }

    /// The metric with this name, including metrics of diagnosers.
    pub fn metric(&self, name: &str) -> Option<&Metric<'a>> {
        let is_its =
            |metric: &&Metric| metric.name == name || metric.name.rsplit_once('/').is_some_and(|m| m.1 == name);
        self.metrics.iter().find(is_its)
    }
}

pub(crate) fn cases<'a>(run: &'a Run, report: &'a Report) -> Vec<Case<'a>> {
    let traces: HashMap<u32, CaseTrace> = traces(run).into_iter().map(|trace| (trace.case, trace)).collect();
    let apart = apart(report);
    let labels: Vec<String> = report.cases.iter().zip(&apart).map(|(case, apart)| label(case, apart)).collect();
    let cases = report.cases.iter().zip(apart).enumerate();
    cases
        .map(|(at, (found, apart))| {
            let planned = run.plan.cases.get(found.case as usize);
            let mut case = described(report, found, planned.map(|case| &case.benchmark), labels[at].clone(), apart);
            let child = planned.and_then(|case| run.artifacts.get(case.artifact as usize)?.child.as_ref());
            case.runtime = child.and_then(|child| child.runtime.as_deref()).unwrap_or_default();
            match &found.outcome {
                Outcome::Measured(estimates) => {
                    fill(&mut case, estimates, &labels);
                    case.launches = traces.get(&found.case).map(|trace| launches(run, trace)).unwrap_or_default();
                    case.visits_ns = case.launches.iter().flat_map(|launch| launch.visits_ns.iter().copied()).collect();
                }
                Outcome::Failed { failure } => {
                    let is_saved = report.other_tool().is_some();
                    let text = match found.is_command() && !is_saved {
                        true => command_failure_text(failure),
                        false => text_of(failure, is_saved),
                    };
                    (case.outcome, case.reason) = ("failed", text);
                }
                Outcome::Skipped { reason } => (case.outcome, case.reason) = ("skipped", reason.clone()),
                Outcome::NotMeasured => {}
            }
            case
        })
        .collect()
}

/// Distinctions of cases with the same name and parameters.
const APART: [&str; 4] = ["side", "language", "program", "job"];

/// The distinctions that each case needs besides name and parameters.
fn apart(report: &Report) -> Vec<Vec<Named<'_>>> {
    let mut same: HashMap<String, Vec<&CaseReport>> = HashMap::new();
    for case in &report.cases {
        same.entry(case.selector()).or_default().push(case);
    }
    let mut all = Vec::new();
    for case in &report.cases {
        let others = same.get(&case.selector()).map(Vec::as_slice).unwrap_or_default();
        let differs = |name: &str| others.iter().any(|other| fact(report, other, name) != fact(report, case, name));
        let named = |name| Named { name, value: fact(report, case, name) };
        all.push(APART.into_iter().filter(|name| differs(name)).map(named).collect());
    }
    all
}

fn fact<'a>(report: &'a Report, case: &'a CaseReport, name: &str) -> &'a str {
    match name {
        "side" => &case.side,
        "language" => &case.language,
        "job" => &case.job,
        _ => report.programs.get(case.program as usize).map_or("", |program| &program.name),
    }
}

fn label(case: &CaseReport, apart: &[Named]) -> String {
    let apart: Vec<&str> = apart.iter().map(|named| named.value).filter(|value| !value.is_empty()).collect();
    match apart.is_empty() {
        true => case.selector(),
        false => format!("{} ({})", case.selector(), apart.join(", ")),
    }
}

fn described<'a>(
    report: &'a Report,
    case: &'a CaseReport,
    benchmark: Option<&'a Benchmark>,
    label: String,
    apart: Vec<Named<'a>>,
) -> Case<'a> {
    let named = |parameter: &'a Parameter| Named { name: &parameter.name, value: &parameter.value };
    Case {
        label,
        key: &case.key,
        group: &case.group,
        name: &case.name,
        parameters: case.parameters.iter().map(named).collect(),
        apart,
        language: &case.language,
        program: report.programs.get(case.program as usize).map_or("", |p| &p.name),
        job: &case.job,
        side: &case.side,
        unit: &case.unit,
        description: &case.description,
        baseline: case.baseline,
        threads: benchmark.map_or(1, |b| b.threads),
        operations: benchmark.map_or(1, |b| b.operations).max(1),
        outcome: "not-measured",
        quantity: "wall",
        code: benchmark.and_then(|b| b.code.as_ref()),
        is_throughput: benchmark.is_none_or(|b| b.strategy == Strategy::Throughput),
        ..Case::default()
    }
}

pub(super) fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn fill<'a>(case: &mut Case<'a>, e: &'a CaseEstimates, labels: &[String]) {
    case.outcome = "measured";
    match &e.time {
        NetTime::Resolved { value_ns, interval } => {
            case.time_ns = finite(*value_ns);
            case.time_lower_ns = interval.and_then(|i| finite(i.lower));
            case.time_upper_ns = interval.and_then(|i| finite(i.upper));
        }
        NetTime::Below { upper_ns } => case.below_ns = finite(*upper_ns),
    }
    case.raw_ns = e.raw.as_ref().map(|raw| raw.value).or(Some(e.centre_ns)).and_then(finite);
    case.raw_lower_ns = e.raw.as_ref().and_then(|raw| finite(raw.interval.lower));
    case.raw_upper_ns = e.raw.as_ref().and_then(|raw| finite(raw.interval.upper));
    case.loop_ns = e.overhead.as_ref().and_then(|cost| finite(cost.value));
    case.wall_ns = finite(e.wall_ns);
    case.cycles = e.cycles.as_ref().and_then(|cycles| finite(cycles.value));
    case.quantity = if e.quantity == Quantity::Cpu { "cpu" } else { "wall" };
    case.at_reference_clock = e.at_reference_clock;
    if let Some(r) = &e.ratio {
        case.base = labels.get(r.baseline as usize).cloned();
        case.ratio = finite(r.ratio);
        case.ratio_lower = finite(r.interval.lower);
        case.ratio_upper = finite(r.interval.upper);
        case.verdict = r.verdict.word();
        (case.p, case.q) = (finite(r.p), finite(r.q));
    }
    (case.visits_measured, case.visits_valid) = (e.visits.measured, e.visits.valid);
    case.measuring_s = e.stages.iter().map(|stage| stage.elapsed_ns).sum::<f64>() * 1e-9 + 0.0;
    case.peak_memory_bytes = e.peak_memory_bytes;
    case.statistics = e.summary.as_ref();
    let rate = |rate: &'a tare_analysis::RateReport| Rate {
        name: &rate.name,
        unit: &rate.unit,
        per_second: rate.per_second,
        per_invocation: rate.per_invocation,
    };
    case.rates = e.rates.iter().filter(|rate| rate.per_second.is_finite()).map(rate).collect();
    let metric = |found: &'a tare_analysis::MetricReport| Metric {
        name: &found.metric.name,
        unit: &found.metric.unit,
        better: found.metric.better,
        per: found.metric.per,
        value: found.value,
        launches: &found.launches,
    };
    case.metrics = e.metrics.iter().filter(|metric| metric.value.is_finite()).map(metric).collect();
}

fn launches(run: &Run, trace: &CaseTrace) -> Vec<Launch> {
    let counted = trace.launches.iter().filter_map(|launch| Some((launch, launch.value_ns?)));
    counted
        .enumerate()
        .map(|(at, (trace, value_ns))| {
            let found = run.launches.get(trace.launch as usize);
            let visits_ns: Vec<f64> =
                trace.visits.iter().filter(|visit| visit.fate == Fate::Counted).map(|visit| visit.ns).collect();
            Launch {
                number: at + 1,
                id: trace.launch,
                wave: trace.wave,
                start_s: trace.start_s,
                invocations: found.and_then(|launch| launch.invocations).unwrap_or(1),
                value_ns,
                cpu_share: found.and_then(cpu_share),
                start_up_ns: found.and_then(|launch| launch.start_up_ns),
                peak_memory_bytes: found.and_then(|launch| launch.peak_memory_bytes),
                dropped: trace.visits.len() - visits_ns.len(),
                visits_ns,
            }
        })
        .collect()
}

/// CPU time of the measuring thread over wall time: the median over its visits, as preempted ones do not count.
fn cpu_share(launch: &tare_model::Launch) -> Option<f64> {
    let mut shares = Vec::new();
    for series in launch.series.iter().filter(|series| series.stage == Stage::Actual) {
        let (cpu, wall) = (&series.columns.cpu_ns, &series.columns.elapsed_ns);
        shares.extend(cpu.iter().zip(wall).filter(|(_, wall)| **wall > 0.0).map(|(cpu, wall)| cpu / wall));
    }
    median(&shares)
}
