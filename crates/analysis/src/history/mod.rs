//! What a run adds to the history of its project, and conclusions from a history: values, never files. `tare-history` stores them.

mod marks;
mod trend;
mod values;

pub use marks::Accepted;
pub use trend::history;
pub use values::{
    Basis, Change, Commit, CommitsBetween, History, HistoryOptions, Kept, LeftOut, Level, NamedRun, OtherMachine,
    Trend, TrendCreep, TrendPoint, TrendStep, NOISE_RUNS_MIN,
};

use crate::estimate::NetTime;
use crate::report::{CaseEstimates, CaseReport, Outcome, Report};
use crate::visits::Quantity;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tare_model::{Case, FailedProgram, GitState, Run, Side};
use tare_stats::interval::Interval;

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct HistoryMachine {
    pub cpu: String,
    pub processors: u32,
    /// `x86_64`, `aarch64`.
    pub architecture: String,
}

/// A run in a history, without its measurements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HistoryRun {
    pub run: String,
    pub created: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub project: String,
    pub tare: String,
    pub method: String,
    pub machine: HistoryMachine,
    pub os: String,
    /// The measured revision; for a comparison, the new side's.
    pub revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    pub dirty: bool,
    pub cycle_ns: Option<f64>,
    /// Smallest change called faster or slower, as a share.
    pub minimum_effect: f64,
    pub command: Vec<String>,
    /// Without a value: programs that could not be built or listed, and benchmarks that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<HistoryFailure>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HistoryFailure {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub job: String,
    pub why: String,
}

/// The base of a case in the same waves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryBase {
    /// Its display name: a benchmark of the same run, or a side of a comparison.
    pub name: String,
    /// Its identity: ratios to different bases form no series.
    pub identity: String,
    pub ratio: f64,
    pub interval: Interval,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryPoint {
    pub key: String,
    /// `group/name[n=10]`.
    pub name: String,
    pub job: String,
    pub compiler: String,
    pub flags: String,
    /// Time of an operation, ns; `None` if it cannot be distinguished from nothing.
    pub time_ns: Option<f64>,
    pub interval: Option<Interval>,
    pub is_cpu_time: bool,
    pub is_shared: bool,
    pub at_reference: bool,
    pub base: Option<HistoryBase>,
}

/// What a run adds to a history; for a comparison the new side, with its ratios to the base.
pub fn history_of_run(run: &Run, report: &Report) -> (HistoryRun, Vec<HistoryPoint>) {
    let environment = &report.environment;
    let git = environment.git.as_ref();
    let side_revision = run.sides.as_ref().and_then(|sides| revision_in(&sides.new.detail));
    let is_checked_out = |git: &GitState| side_revision.as_ref().is_none_or(|side| git.revision.starts_with(side));
    let of_run = HistoryRun {
        run: run.id.clone(),
        created: run.created.clone(),
        project: String::new(),
        tare: run.tare.clone(),
        method: run.method.clone(),
        machine: HistoryMachine {
            cpu: environment.cpu.clone(),
            processors: environment.processors,
            architecture: environment.architecture.clone(),
        },
        os: environment.os.clone(),
        dirty: side_revision.is_none() && git.is_some_and(|git| git.dirty),
        // The new side of a comparison may be from any branch.
        branch: git.filter(|git| is_checked_out(git)).and_then(|git| git.branch.clone()),
        revision: side_revision.or_else(|| git.map(|git| git.revision.clone())),
        cycle_ns: environment.clock_reference.as_ref().map(|clock| clock.cycle_ns),
        minimum_effect: report.minimum_effect,
        command: run.command.clone(),
        failed: failed(run, report),
    };
    let elsewhere = elsewhere(run);
    let points = kept(run, report).filter_map(|case| match &case.outcome {
        Outcome::Measured(_) if elsewhere.contains(&case.case) => None,
        Outcome::Measured(estimates) => Some(point(run, report, case, estimates)),
        _ => None,
    });
    (of_run, points.collect())
}

/// Cases measured on another kind of machine than the run's, for example on nodes of a cluster: they belong to none of its series.
fn elsewhere(run: &Run) -> HashSet<u32> {
    let is_elsewhere: Vec<bool> = run.parts.iter().map(|part| !part.environment.is_like(run.environment())).collect();
    let launches = run.launches.iter().filter(|launch| launch.is_visited() && is_elsewhere[launch.part as usize]);
    launches.map(|launch| launch.case).collect()
}

/// The cases for a history; for a comparison, those of the new side.
fn kept<'a>(run: &'a Run, report: &'a Report) -> impl Iterator<Item = &'a CaseReport> {
    report.cases.iter().filter(|case| run.plan.cases[case.case as usize].side != Some(Side::Base))
}

fn failed(run: &Run, report: &Report) -> Vec<HistoryFailure> {
    let of_side = run.sides.iter().flat_map(|sides| &sides.new.missing.failed);
    let program = |failed: &FailedProgram| HistoryFailure {
        name: failed.program.clone(),
        job: String::new(),
        why: failed.failure.cause.text(),
    };
    let cases = kept(run, report).filter_map(|case| match &case.outcome {
        Outcome::Failed { failure } => {
            Some(HistoryFailure { name: case.selector(), job: case.job.clone(), why: failure.cause.text() })
        }
        _ => None,
    });
    report.not_built.iter().chain(of_side).map(program).chain(cases).collect()
}

/// The commit at the start of a side's detail.
fn revision_in(detail: &str) -> Option<String> {
    const SHORTEST: usize = 7;
    let word = detail.split(' ').next()?;
    (word.len() >= SHORTEST && word.bytes().all(|b| b.is_ascii_hexdigit())).then(|| word.to_owned())
}

fn point(run: &Run, report: &Report, case: &CaseReport, estimates: &CaseEstimates) -> HistoryPoint {
    let program = &report.programs[case.program as usize];
    let (time_ns, interval) = match estimates.time {
        NetTime::Resolved { value_ns, interval } => (Some(value_ns), interval),
        NetTime::Below { upper_ns } => (None, Some(Interval { lower: 0.0, upper: upper_ns })),
    };
    HistoryPoint {
        key: case.key.clone(),
        name: case.selector(),
        job: case.job.clone(),
        compiler: program.compiler.clone().unwrap_or_default(),
        flags: program.flags.clone().unwrap_or_default(),
        time_ns,
        interval,
        is_cpu_time: estimates.quantity == Quantity::Cpu,
        is_shared: estimates.core.is_some_and(|core| core.is_shared_time()),
        at_reference: estimates.at_reference_clock,
        base: estimates.ratio.as_ref().map(|ratio| {
            let base = &run.plan.cases[ratio.baseline as usize];
            let (name, identity) = base_of(run, base, &report.cases[ratio.baseline as usize]);
            HistoryBase { name, identity, ratio: ratio.ratio, interval: ratio.interval }
        }),
    }
}

/// Name and identity of a base: for a comparison the code of the side, else the benchmark.
fn base_of(run: &Run, base: &Case, report: &CaseReport) -> (String, String) {
    match &run.sides {
        Some(sides) => {
            let hash = run.artifacts.get(base.artifact as usize).map_or("", |artifact| artifact.hash.as_str());
            (sides.base.name.clone(), format!("side {} {hash}", sides.base.name))
        }
        None => (report.selector(), format!("{}{}", marks::OF_CASE, base.key)),
    }
}
