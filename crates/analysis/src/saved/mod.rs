//! Comparison of saved data: two runs of Tare from different times, or the results of other tools. Sequential sessions of the same code
//! differ by 2 to 7 % on busy machines, and tests over the iterations of one process find differences in identical code. So verdicts are
//! given over processes, from four per side on, with the difference of sessions included in the interval.

mod calls;
mod clock;
mod core;
mod evidence;
mod facts;
mod identity;
mod job;
mod metric;
mod options;
mod quantity;
mod report;
mod run;
mod within_run;

pub(crate) use calls::Calls;
pub(crate) use core::in_same_windows;
pub(crate) use evidence::{
    assumed_bound, centre_ns, evidence, has_several_modes, launch_logs, shown_ns, Sides, PROCESSES_MIN,
};
pub use facts::fact;
pub(crate) use facts::{differing, same_machine};
pub(crate) use identity::{of_one_code, of_other_machine, Identities, Identity};
pub(crate) use metric::{counts as metric_counts, on_one_side, rows as metric_rows, COUNT_STEP};
pub use options::{SavedOptions, NOISE_NS, THRESHOLD};
pub use quantity::SavedTime;
pub(crate) use run::{key_of, saved_metric};
pub(crate) use within_run::compare_metrics;

use crate::clock::Exponent;
use crate::core::CoreUse;
use crate::finding::{Finding, Means, Sentence, Units};
use crate::report::selector;
use crate::report::CoreReport;
use crate::visits::{Location, LoopCost};
use serde::Serialize;
use std::collections::BTreeMap;
pub use tare_model::Better;
use tare_model::{ChildFacts, Failure, FailureKind, Parameter, Step};
use tare_stats::interval::Interval;

/// Kinds of time of a run, in [`SavedCase::quantity`].
pub(crate) const WALL_TIME: &str = "wall time";
pub(crate) const CPU_TIME: &str = "CPU time";

/// How to get more processes, or more sessions once there are enough processes for a verdict.
pub(crate) fn more_processes(base: &Saved, new: &Saved, of: Units) -> Sentence {
    let tools = [base.measured_with(), new.measured_with()];
    let count = |case: &SavedCase| match of {
        Units::Processes => case.processes(),
        Units::Sessions => case.sessions.len(),
    };
    let now = [base, new].into_iter().flat_map(|side| &side.cases).map(count).max().unwrap_or(0);
    Sentence::new("{more}").means("more", Means::MoreProcesses { tools, of, now })
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Saved {
    pub name: String,
    pub tool: String,
    pub detail: String,
    /// Known facts about machine, system, compiler and method, by the names of [`fact`].
    pub machine: BTreeMap<String, String>,
    pub cases: Vec<SavedCase>,
    /// Benchmarks that failed when measured, or left nothing comparable.
    pub failed: Vec<SavedFailure>,
    /// Categories of the benchmarks that have some, by key. Empty if the tool knows none.
    pub categories: BTreeMap<String, Vec<String>>,
    /// Findings from reading the data: what was left out, and why.
    pub findings: Vec<Finding>,
}

impl Saved {
    /// The tool, or for whole commands the relevant part of it.
    fn measured_with(&self) -> String {
        let is_command = |case: &SavedCase| case.language == ChildFacts::COMMANDS;
        match !self.cases.is_empty() && self.cases.iter().all(is_command) {
            true => TIMED_COMMANDS.to_owned(),
            false => self.tool.clone(),
        }
    }
}

/// The tool for whole commands, in [`Means::MoreProcesses`].
const TIMED_COMMANDS: &str = "tare time";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedFailure {
    pub key: String,
    /// `group/name[n=10]` if known; else the key.
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub stem: String,
    #[serde(skip)]
    pub job: String,
    /// As [`SavedCase::code_name`].
    #[serde(skip)]
    pub code_name: String,
    /// As [`SavedCase::portable_key`].
    #[serde(skip)]
    pub portable_key: String,
    #[serde(skip)]
    pub language: String,
    pub failure: Failure,
}

impl SavedFailure {
    pub fn new(key: impl Into<String>, name: impl Into<String>, failure: Failure) -> SavedFailure {
        let key = key.into();
        let (stem, name) = (key.clone(), name.into());
        let [job, code_name, portable_key, language] = [const { String::new() }; 4];
        SavedFailure { key, name, stem, job, code_name, portable_key, language, failure }
    }

    /// The same for a reason in words that no program reported.
    pub fn because(key: impl Into<String>, name: impl Into<String>, message: impl Into<String>) -> SavedFailure {
        let cause = FailureKind::Exception { message: message.into(), exception: None, place: None };
        SavedFailure::new(key, name, Failure { cause, step: Step::Body, output: Vec::new() })
    }

    /// Entries that a side lists once; being skipped does not hide another failure.
    pub fn identity(&self) -> (String, String, bool) {
        (self.key.clone(), self.job.clone(), self.failure.skipped().is_some())
    }
}

/// How the values of a case were made, which decides what they can show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum SavedDesign {
    #[default]
    Launches,
    /// All values are from one process: they share its luck, and count as one launch however many they are.
    Iterations,
    Summary(SavedSummary),
}

/// A tool's summary of values that it did not keep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SavedSummary {
    pub mean_ns: Option<f64>,
    pub median_ns: Option<f64>,
    pub sd_ns: Option<f64>,
    pub values: Option<u64>,
}

/// Processes that were started consecutively, and share the machine's state at the time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedSession {
    pub launches: usize,
    /// Its date, as written by the tool, if known.
    pub date: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct SavedCase {
    /// Unique and stable display name of the benchmark with its parameters: [`SavedCase::stem`], plus the distinction if its side has other
    /// cases of this stem.
    pub key: String,
    /// The name without the distinction; both sides are joined by this field and the next one (see `identity`).
    #[serde(skip)]
    pub stem: String,
    /// Distinguishes cases of one stem: a job, settings, a program; with its leading sign, as in `@net8`. May also be set if the keys of
    /// its side do not need it.
    #[serde(skip)]
    pub distinction: String,
    /// The name of its code in other tools of its language, with the values of the parameters; empty if unknown.
    #[serde(skip)]
    pub code_name: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub language: String,
    pub unit: String,
    /// Operations per invocation, if known; values are per operation anyway. For a rate metric: the amount per operation.
    pub operations: Option<f64>,
    /// The kind of time: `wall time`, `CPU time`, `1 / throughput`.
    pub quantity: String,
    pub design: SavedDesign,
    /// ns per operation, greater than 0: the values of each launch in order of time. Empty for a summary.
    pub launches: Vec<Vec<f64>>,
    #[serde(skip)]
    pub location: Location,
    /// The sessions of the launches, in order; empty if there is one for all.
    pub sessions: Vec<SavedSession>,
    /// Length of a core cycle at which the values are given, ns; `None` for wall time as measured.
    pub reference_cycle_ns: Option<f64>,
    /// How closely the times follow the clock, if they are given at a reference clock.
    #[serde(skip)]
    pub exponent: Option<Exponent>,
    /// Variance that the error of the clock's correction, common to all launches of a session, adds to the log of a time.
    pub clock_variance: f64,
    /// Log of the session's cycle length over the reference clock's.
    pub clock_away: f64,
    /// Time to show, ns per operation, without the loop around the body; `None` for the centre of the values.
    pub shown: Option<ShownTime>,
    /// 95 % interval of the time to show, if it has its own; for an unresolved time, up to its upper bound.
    #[serde(skip)]
    pub shown_interval: Option<Interval>,
    /// The cost of the loop around the body, which the values include, if known as in a run.
    #[serde(skip)]
    pub loop_cost: Option<LoopCost>,
    pub own_error: Option<f64>,
    #[serde(skip)]
    pub description: String,
    /// The step to which its tool rounds times, ns per operation, if known.
    #[serde(skip)]
    pub resolution_ns: Option<f64>,
    /// The tool's settings for measuring it, under the tool's own names.
    #[serde(skip)]
    pub settings: BTreeMap<&'static str, String>,
    /// Calls averaged by a value, if known: the minimum and maximum over all values.
    #[serde(skip)]
    pub calls: Option<[f64; 2]>,
    /// The key without the machine's text; empty if there is none.
    #[serde(skip)]
    pub portable_key: String,
    pub job: String,
    #[serde(skip)]
    pub allocations: Option<f64>,
    pub allocated_bytes: Option<f64>,
    /// Other measurements of the benchmark, each with its unit as [`SavedCase::quantity`] and values of at least 0; they are compared in
    /// separate rows.
    pub metrics: Vec<SavedCase>,
    /// For a metric, the share of the iterations in which it was above 0, if known.
    #[serde(skip)]
    pub occurs: Option<f64>,
    /// Which values are better, for a metric; otherwise the values are times.
    pub better: Better,
    /// For a metric: it is a time or a rate, which drift with the machine. Others are counts, which do not.
    #[serde(skip)]
    pub drifts: bool,
    /// For a metric: the user specified which values are better, and so asks for a verdict.
    #[serde(skip)]
    pub asked: bool,
    /// For a metric: its tool says that the values have no noise, so any two different values differ.
    #[serde(skip)]
    pub exact: bool,
    /// For a metric: the same code gives the same count in every process, as far as its processes show.
    #[serde(skip)]
    pub steady: bool,
    /// The same benchmark in the other kind of time, if measured too: both sides are compared in one kind.
    #[serde(skip)]
    pub otherwise: Option<Box<SavedCase>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<CoreReport>,
    /// The benchmark chose wall time itself: it waits for something, so its CPU time is no objection.
    #[serde(skip)]
    pub wall_is_meant: bool,
    /// How the command ended, if most of its runs failed: `with status 1`.
    #[serde(skip)]
    pub ended: Option<String>,
    /// The same benchmark in the times of all windows, if its own are alone on the core: both sides are compared in one kind.
    #[serde(skip)]
    pub all_windows: Option<Box<SavedCase>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "ns")]
pub enum ShownTime {
    Time(f64),
    /// It cannot be distinguished from the empty loop.
    Nothing,
}

impl SavedCase {
    pub fn new(key: impl Into<String>, name: impl Into<String>) -> SavedCase {
        let key = key.into();
        SavedCase {
            stem: key.clone(),
            key,
            name: name.into(),
            unit: "op".to_owned(),
            quantity: WALL_TIME.to_owned(),
            better: Better::Lower,
            ..SavedCase::default()
        }
    }

    pub fn selector(&self) -> String {
        selector(&self.group, &self.name, &self.parameters)
    }

    pub(crate) fn in_quantity(&self, quantity: &str) -> Option<&SavedCase> {
        [Some(self), self.otherwise.as_deref()].into_iter().flatten().find(|case| case.quantity == quantity)
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.core.is_some_and(|core| core.times == CoreUse::Alone)
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.core.as_ref().is_some_and(CoreReport::is_shared_time)
    }

    /// Number of processes behind the case: at least 1.
    pub fn processes(&self) -> usize {
        match self.design {
            SavedDesign::Launches => self.launches.len().max(1),
            SavedDesign::Iterations | SavedDesign::Summary(_) => 1,
        }
    }

    /// Whether its time was measured. A benchmark may have only metrics: bytes of text, instructions.
    pub fn has_time(&self) -> bool {
        self.metrics.is_empty() || self.values() > 0 || matches!(self.design, SavedDesign::Summary(_))
    }

    pub fn values(&self) -> usize {
        self.launches.iter().map(Vec::len).sum()
    }
}
