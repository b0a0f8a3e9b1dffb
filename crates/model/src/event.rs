//! Events of a run. The recorder appends each to `events.jsonl`; a Run is the fold of its events.

use crate::{
    Artifact, Attachment, Columns, CommandLine, Diagnosis, Draw, Environment, Failure, InstanceWork, Job,
    LaunchOutcome, Missing, Plan, RunStatus, Sides, Stage,
};
use serde::{Deserialize, Serialize};

/// An event. Events are facts and never withdrawn. [`Event::to_json`] writes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// First event of a run; contains everything known before the first launch.
    RunStarted {
        schema: String,
        id: String,
        created: String,
        tare: String,
        method: String,
        command: Vec<String>,
        #[serde(default, skip_serializing_if = "CommandLine::is_unknown")]
        request: CommandLine,
        environment: Box<Environment>,
        artifacts: Vec<Artifact>,
        jobs: Vec<Job>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sides: Option<Box<Sides>>,
        #[serde(default, skip_serializing_if = "Missing::is_empty")]
        missing: Missing,
        plan: Box<Plan>,
    },
    /// A killed or interrupted run is resumed, which starts another part.
    RunResumed {
        at: String,
        environment: Box<Environment>,
        /// Total time of the earlier parts, in s, including one that was killed and did not report.
        before_s: f64,
    },
    /// A child was started.
    LaunchStarted {
        launch: u32,
        case: u32,
        group: u32,
        wave: u32,
        #[serde(flatten)]
        draw: Draw,
        /// Time since the start of the run, in ns.
        start_ns: f64,
    },
    /// A child answered `open`.
    LaunchOpened {
        launch: u32,
        start_up_ns: f64,
        /// Work of one invocation, if known only from the set-up. Applies to the case from now on.
        #[serde(flatten)]
        work: InstanceWork,
    },
    /// The measuring thread of a child is pinned from now on.
    LaunchPlaced { launch: u32, processor: u32 },
    /// `check` was answered, for the first time or, directly after it, for the second.
    Checked { case: u32, digest: Option<String>, text: Option<String> },
    /// The invocations of a visit were found.
    Calibrated { launch: u32, invocations: u64 },
    /// Iterations were measured.
    Measured { launch: u32, stage: Stage, round: u32, invocations: u64, columns: Columns },
    LaunchFinished {
        launch: u32,
        outcome: LaunchOutcome,
        /// Greatest resident memory, bytes.
        peak_memory_bytes: Option<u64>,
        /// Growth of resident memory that continues with the invocations, bytes; what the first ones allocate and keep is not included.
        memory_growth_bytes: Option<i64>,
    },
    /// Output of the user's code.
    Output { launch: u32, lines: Vec<String> },
    /// Everything planned for a case is done.
    CaseFinished { case: u32 },
    /// A case failed and is not run again.
    CaseFailed { case: u32, failure: Failure },
    /// A case failed beside other processes and will be measured again alone, in a new group of the plan.
    CaseRepeated { case: u32, failure: Failure },
    /// A case is too short for a loop of single turns.
    CaseUnrolled { case: u32 },
    /// The first launches show that a run without a time limit needs longer than announced.
    Expected {
        /// New value of [`crate::Policy::expected_s`].
        total_s: f64,
    },
    /// A diagnoser's pass ended.
    Diagnosed { diagnosis: Box<Diagnosis> },
    /// A file was stored in the run's folder, or could not be.
    Attached { attachment: Box<Attachment> },
    /// The reference clock was derived from this run's own probes.
    ClockSettled { cycle_ns: f64 },
    /// The width of an unshared core was derived from this run's own readings, before any time was considered.
    WidthSettled {
        cycles_per_addition: f64,
        /// Front end and runtime of the width probe; None: native.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        runtime: Option<String>,
    },
    /// Last event.
    RunFinished {
        status: RunStatus,
        elapsed_s: f64,
        /// Share of time stolen by the hypervisor, 0 to 1.
        steal: Option<f64>,
        /// Share of time in which tasks waited for a CPU, 0 to 1.
        cpu_pressure: Option<f64>,
    },
}

impl Event {
    /// The launch of the event, if it has one.
    pub fn launch(&self) -> Option<u32> {
        match self {
            Event::LaunchStarted { launch, .. }
            | Event::LaunchOpened { launch, .. }
            | Event::LaunchPlaced { launch, .. }
            | Event::Calibrated { launch, .. }
            | Event::Measured { launch, .. }
            | Event::LaunchFinished { launch, .. }
            | Event::Output { launch, .. } => Some(*launch),
            _ => None,
        }
    }
}
