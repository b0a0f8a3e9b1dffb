//! The results of a Run as values: every screen and file is rendered only from these types.

mod attachments;
mod case;
mod comparison;
mod core_use;
mod estimates;
mod metrics;
mod of_run;
mod row_order;
pub mod scaling;
mod statistic;
mod trace;

pub use attachments::AttachmentReport;
pub(crate) use case::{estimates, histogram, SHAPE_BARS};
pub(crate) use comparison::{selector, NOTHING};
pub use comparison::{
    Comparison, ComparisonRow, CountRow, Design, FailedRow, Labels, RowMetric, SavedCost, Side, SkippedOn, SkippedRow,
};
pub(crate) use core_use::{core_summary, without_others};
pub use core_use::{CoreReport, CoreSummary};
pub use estimates::{CaseEstimates, LaunchReport, StageReport};
pub use metrics::{EventReport, MetricRatio, MetricReport};
pub(crate) use of_run::{case_reports, display_groups, report};
pub use row_order::RowOrder;
pub use scaling::ScalingReport;
pub use statistic::{statistics, CaseStatistics, Statistic, StatisticKind, STATISTICS};
pub use trace::{traces, CaseTrace, Fate, LaunchTrace, VisitTrace};

use crate::estimate::NetTime;
use crate::finding::Finding;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_model::{
    ChildFacts, CommandLine, ContextEntry, Environment, FailedProgram, Failure, Parameter, RunStatus, Setting, Strategy,
};

#[derive(Debug, Clone, Serialize, Default)]
pub struct Report {
    pub run: String,
    pub created: String,
    /// Version of Tare that measured; empty if another tool did.
    pub tare: String,
    /// Version of the measuring method; for another tool, a one-line description.
    pub method: String,
    pub environment: Environment,
    pub status: RunStatus,
    #[serde(skip)]
    pub request: CommandLine,
    #[serde(skip)]
    pub is_comparison: bool,
    pub elapsed_s: f64,
    #[serde(skip)]
    pub launches: LaunchCount,
    pub core: Option<CoreSummary>,
    pub minimum_effect: f64,
    pub cases: Vec<CaseReport>,
    pub groups: Vec<GroupReport>,
    /// How times grow with a parameter, if there are enough sizes.
    #[serde(rename = "growth", skip_serializing_if = "Vec::is_empty")]
    pub scaling: Vec<ScalingReport>,
    pub findings: Vec<Finding>,
    /// Data for the environment header's columns: one entry per artifact.
    pub programs: Vec<ProgramReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_built: Vec<FailedProgram>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<AttachmentReport>,
    /// Benchmarks that would have been compared with a baseline that the filters left out.
    #[serde(skip)]
    pub without_baseline: Vec<String>,
}

impl Report {
    /// The tool that measured, if not Tare; `run` is then the file that it wrote.
    pub fn other_tool(&self) -> Option<&str> {
        self.tare.is_empty().then_some(self.method.as_str())
    }

    /// The selector of a case, with its job if there are several: `sort/std[n=10]@fast`, which filters understand.
    pub fn name_of(&self, case: &CaseReport) -> String {
        match self.jobs.len() {
            0 | 1 => case.selector(),
            _ => format!("{}@{}", case.selector(), case.job),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct GroupReport {
    pub name: String,
    /// Indices into [`Report::cases`] in the order of the table.
    pub cases: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobReport {
    pub name: String,
    pub settings: Vec<Setting>,
}

#[derive(Debug, Clone, Serialize, Default)]
pub struct ProgramReport {
    pub name: String,
    pub language: String,
    pub compiler: Option<String>,
    pub runtime: Option<String>,
    pub flags: Option<String>,
    /// `false`: built without optimisation.
    pub optimised: Option<bool>,
    /// Program and arguments of a launch, shown with failures.
    pub command: Vec<String>,
    /// Context from the program and the user, each name once.
    pub context: Vec<ContextEntry>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaunchCount {
    pub made: usize,
    /// Number planned; `None` if that is decided during the measurement.
    pub planned: Option<usize>,
}

#[derive(Debug, Clone, Serialize, Default)]
pub struct CaseReport {
    pub case: u32,
    pub key: String,
    pub group: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub language: String,
    pub program: u32,
    /// Name of the job; empty for the only one.
    pub job: String,
    /// Name of the side of a comparison; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub side: String,
    pub unit: String,
    pub description: String,
    /// Environment variables of its processes that its declaration sets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Strategy::is_throughput")]
    pub strategy: Strategy,
    pub baseline: bool,
    #[serde(skip)]
    pub contestant: bool,
    /// For a contestant: the results of it and its baseline are known, so a difference would have been found.
    #[serde(skip)]
    pub results_known: bool,
    /// For a contestant: its time or its baseline's cannot be distinguished from nothing.
    #[serde(skip)]
    pub of_nothing: bool,
    /// Something is made for each of its iterations: inputs, or by an iteration set-up.
    #[serde(skip)]
    pub prepares: bool,
    pub outcome: Outcome,
}

impl CaseReport {
    pub fn new(key: &str, group: &str, name: &str, outcome: Outcome) -> CaseReport {
        CaseReport {
            key: key.to_owned(),
            group: group.to_owned(),
            name: name.to_owned(),
            outcome,
            ..CaseReport::default()
        }
    }

    /// `group/name[n=10, kind=sorted]`: `--filter` compares its globs with it.
    pub fn selector(&self) -> String {
        selector(&self.group, &self.name, &self.parameters)
    }

    pub fn estimates(&self) -> Option<&CaseEstimates> {
        match &self.outcome {
            Outcome::Measured(estimates) => Some(estimates),
            _ => None,
        }
    }

    pub fn is_command(&self) -> bool {
        self.language == ChildFacts::COMMANDS
    }

    pub fn is_nothing(&self) -> bool {
        self.estimates().is_some_and(|e| matches!(e.time, NetTime::Below { .. }))
    }
}

#[derive(Debug, Clone, Serialize, Default)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Outcome {
    Measured(Box<CaseEstimates>),
    Failed {
        failure: Failure,
    },
    Skipped {
        reason: String,
    },
    #[default]
    NotMeasured,
}

impl Outcome {
    /// The outcome for this failure: a case that asks not to be measured is skipped.
    pub fn of_failure(failure: &Failure) -> Outcome {
        match failure.skipped() {
            Some(reason) => Outcome::Skipped { reason: reason.to_owned() },
            None => Outcome::Failed { failure: failure.clone() },
        }
    }
}
