//! The one document: everything that a screen, a file or a comparison shows is a function of it.

use crate::{Artifact, Environment, Failure, Finding, Job, Plan, Series};
use serde::{Deserialize, Serialize};

/// Version of the document's form: readers refuse a greater first number.
pub const SCHEMA_VERSION: &str = "1.0";

/// Version of the method: numbers of two runs with different versions are not comparable without saying so.
pub const METHOD_VERSION: &str = "waves-1";

/// How a launch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LaunchOutcome {
    /// It still runs, or the run was cut off while it ran; its measurements are kept and not used for results.
    Unfinished,
    /// It did all that was asked.
    Finished,
    /// It failed; see the case's failure.
    Failed,
}

/// One child process for one case with all that it measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Launch {
    /// Number within the run, from 0.
    pub id: u32,
    /// Index of the case.
    pub case: u32,
    /// Index of the case group within the plan.
    pub group: u32,
    /// Wave of the group, from 0.
    pub wave: u32,
    /// Seed of `open` and of everything random about the launch.
    pub seed: u64,
    /// Time of its start since the start of the run, ns.
    pub start_ns: f64,
    /// Invocations of a visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u64>,
    /// How it ended.
    pub outcome: LaunchOutcome,
    /// Process start until it was opened, ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up_ns: Option<f64>,
    /// Greatest resident memory, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Growth of resident memory between `opened` and the last visit, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_growth_bytes: Option<i64>,
    /// Raw measurements.
    pub series: Vec<Series>,
}

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseResult {
    /// All waves that were planned for it are done.
    pub complete: bool,
    /// The one failure that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What `check` told: digest of the result of one invocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What `check` told: the result as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// State of the run as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Events still come, or it was killed: `tare run --resume ID` goes on.
    Open,
    /// Stopped by the user: `tare run --resume ID` goes on.
    Interrupted,
    /// Done.
    Finished,
}

/// One execution of a plan with every raw measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema: String,
    /// Hexadecimal, unique.
    pub id: String,
    /// UTC, RFC 3339.
    pub created: String,
    /// Version of Tare.
    pub tare: String,
    /// [`METHOD_VERSION`] of the writer.
    pub method: String,
    /// The command line that made it.
    pub command: Vec<String>,
    /// The machine.
    pub environment: Environment,
    /// What was built.
    pub artifacts: Vec<Artifact>,
    /// How things were run.
    pub jobs: Vec<Job>,
    /// What was to be run.
    pub plan: Plan,
    /// How each case of the plan ended; same order as `plan.cases`.
    pub results: Vec<CaseResult>,
    /// Every launch with its measurements.
    pub launches: Vec<Launch>,
    /// What the host found while it ran; findings from values are computed, not stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// State as a whole.
    pub status: RunStatus,
    /// Duration so far, s; all parts of a resumed run together.
    pub elapsed_s: f64,
}
