//! Comparison of saved data: two runs of Tare that were made at different times, or the results of other tools. Sequential sessions of the same
//! code differ by 2 to 7 % on busy machines, and tests over the iterations of one process call identical code different. So verdicts are
//! given over processes, from four a side, with the difference of sessions inside the interval.

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

/// What to do for more processes, or for more sessions once there are enough processes for a verdict.
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
    /// What is known of machine, system, compiler and method, by the names of [`fact`]. What is not known is not there.
    pub machine: BTreeMap<String, String>,
    pub cases: Vec<SavedCase>,
    /// What failed when it was measured, or left nothing that can be compared.
    pub failed: Vec<SavedFailure>,
    /// Categories of the benchmarks that have some, by key. Empty where the tool knows none.
    pub categories: BTreeMap<String, Vec<String>>,
    /// What was found while the data was read: what was left out, and why.
    pub findings: Vec<Finding>,
}

impl Saved {
    /// The tool, and of whole commands the part of it.
    fn measured_with(&self) -> String {
        let is_command = |case: &SavedCase| case.language == ChildFacts::COMMANDS;
        match !self.cases.is_empty() && self.cases.iter().all(is_command) {
            true => TIMED_COMMANDS.to_owned(),
            false => self.tool.clone(),
        }
    }
}

/// What measures whole commands, in [`Means::MoreProcesses`].
const TIMED_COMMANDS: &str = "tare time";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedFailure {
    pub key: String,
    /// `group/name[n=10]`, where it is known; else the key.
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

    /// The same for a reason in words: no program reported it.
    pub fn because(key: impl Into<String>, name: impl Into<String>, message: impl Into<String>) -> SavedFailure {
        let cause = FailureKind::Exception { message: message.into(), exception: None, place: None };
        SavedFailure::new(key, name, Failure { cause, step: Step::Body, output: Vec::new() })
    }

    /// What a side lists once: what is skipped does not hide that it failed otherwise.
    pub fn identity(&self) -> (String, String, bool) {
        (self.key.clone(), self.job.clone(), self.failure.skipped().is_some())
    }
}

/// How the values of a case came about: it decides what can be concluded from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum SavedDesign {
    #[default]
    Launches,
    /// All values are of one process: they share its luck, and are one launch however many they are.
    Iterations,
    Summary(SavedSummary),
}

/// What a tool kept of values that it threw away.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SavedSummary {
    pub mean_ns: Option<f64>,
    pub median_ns: Option<f64>,
    pub sd_ns: Option<f64>,
    pub values: Option<u64>,
}

/// Processes that were started one after the other, and share what the machine did at the time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedSession {
    pub launches: usize,
    /// When it was made, as its tool writes it, where that is known.
    pub date: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct SavedCase {
    /// Unique and stable name of the benchmark with its parameters, for people: [`SavedCase::stem`], and what tells it apart from
    /// others of this stem where its side has some.
    pub key: String,
    /// The name without what tells it apart: both sides are joined by this field and the next one (see `identity`).
    #[serde(skip)]
    pub stem: String,
    /// What tells cases of one stem apart: a job, settings, a program; with its sign in front, such as `@net8`. It may be there on a
    /// side that does not need it in its keys.
    #[serde(skip)]
    pub distinction: String,
    /// What other tools of its language call its code, with the values of the parameters; empty where that is not known.
    #[serde(skip)]
    pub code_name: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub language: String,
    pub unit: String,
    /// Operations of an invocation, where known; values are for one operation all the same. Of a metric that is a rate: how much of
    /// it an operation does.
    pub operations: Option<f64>,
    /// Which time it is: `wall time`, `CPU time`, `1 / throughput`.
    pub quantity: String,
    pub design: SavedDesign,
    /// ns an operation, greater than 0: for each launch its values in the order of time. Empty for a summary.
    pub launches: Vec<Vec<f64>>,
    #[serde(skip)]
    pub location: Location,
    /// The sessions in which the launches were made, in their order. Empty: all in one.
    pub sessions: Vec<SavedSession>,
    /// Length of a core cycle at which the values are given, ns; None: as the wall clock gave them.
    pub reference_cycle_ns: Option<f64>,
    /// How closely the times follow the clock, where they are given at a reference clock.
    #[serde(skip)]
    pub exponent: Option<Exponent>,
    /// What the error of the clock's correction, which all launches of a session share, adds to the variance of the log of a time.
    pub clock_variance: f64,
    /// Log of the length of a cycle of the session over that at the reference clock.
    pub clock_away: f64,
    /// Time to show, ns an operation, where it is not the centre of the values: without the loop around the body.
    pub shown: Option<ShownTime>,
    /// 95 % interval of the time to show, where it is known of its own; of a time that cannot be resolved, up to what it may be.
    #[serde(skip)]
    pub shown_interval: Option<Interval>,
    /// What the loop around the body costs, which the values are with, where it is known as in a run.
    #[serde(skip)]
    pub loop_cost: Option<LoopCost>,
    pub own_error: Option<f64>,
    #[serde(skip)]
    pub description: String,
    /// What its tool rounds times to, ns an operation, where that is known.
    #[serde(skip)]
    pub resolution_ns: Option<f64>,
    /// What its tool was told about how to measure it, by the tool's own names.
    #[serde(skip)]
    pub settings: BTreeMap<&'static str, String>,
    /// Calls that a value is the mean of, where that is known: the fewest and the most of any value.
    #[serde(skip)]
    pub calls: Option<[f64; 2]>,
    /// The key without what the machine put into it; empty where it put nothing.
    #[serde(skip)]
    pub portable_key: String,
    pub job: String,
    #[serde(skip)]
    pub allocations: Option<f64>,
    pub allocated_bytes: Option<f64>,
    /// Other things that were measured of the benchmark, each with its unit as [`SavedCase::quantity`] and values in it, 0 or
    /// greater: they are compared in rows of their own.
    pub metrics: Vec<SavedCase>,
    /// Of a metric, the share of the iterations in which it was more than 0, where that is known.
    #[serde(skip)]
    pub occurs: Option<f64>,
    /// Which values are better; without it the values are times.
    pub better: Better,
    /// Of a metric: it is a time or a rate, which drift with the machine. Others are counts, which do not.
    #[serde(skip)]
    pub drifts: bool,
    /// Of a metric: the user says which of its values are better, and so asks for a verdict.
    #[serde(skip)]
    pub asked: bool,
    /// Of a metric: its tool says that the values have no noise, so that any two that differ are different.
    #[serde(skip)]
    pub exact: bool,
    /// Of a metric: the same code gives the same count in every process, as far as its processes show.
    #[serde(skip)]
    pub steady: bool,
    /// The same benchmark in the other kind of time, where it was measured too: both sides are compared in one.
    #[serde(skip)]
    pub otherwise: Option<Box<SavedCase>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<CoreReport>,
    /// The benchmark itself chose wall time: it waits for something, and its CPU time says nothing against it.
    #[serde(skip)]
    pub wall_is_meant: bool,
    /// How the command ended, where most of its runs failed: `with status 1`.
    #[serde(skip)]
    pub ended: Option<String>,
    /// The same benchmark in the times of all windows, where its own are alone on the core: both sides are compared in one.
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

    /// Whether its time was measured. A benchmark may have metrics alone: bytes of text, instructions.
    pub fn has_time(&self) -> bool {
        self.metrics.is_empty() || self.values() > 0 || matches!(self.design, SavedDesign::Summary(_))
    }

    pub fn values(&self) -> usize {
        self.launches.iter().map(Vec::len).sum()
    }
}
