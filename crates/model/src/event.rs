//! What the runner reports while it runs. The recorder appends every event to `events.jsonl`; a Run is the fold of its events.

use crate::{
    Amounts, Artifact, Attachment, Columns, Diagnosis, Draw, Environment, Failure, Job, LaunchOutcome, Missing, Plan,
    Request, RunStatus, Sides, Stage,
};
use serde::{Deserialize, Serialize};

/// One thing that happened. Events are facts: they are never taken back. [`Event::to_json`] writes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// First event of a run; it holds all that is known before the first launch.
    RunStarted {
        schema: String,
        id: String,
        created: String,
        tare: String,
        method: String,
        command: Vec<String>,
        #[serde(default, skip_serializing_if = "Request::is_unknown")]
        request: Request,
        environment: Box<Environment>,
        artifacts: Vec<Artifact>,
        jobs: Vec<Job>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sides: Option<Box<Sides>>,
        #[serde(default, skip_serializing_if = "Missing::is_empty")]
        missing: Missing,
        plan: Box<Plan>,
    },
    /// A killed or interrupted run goes on: a further part begins.
    RunResumed {
        at: String,
        environment: Box<Environment>,
        /// What the parts before it took together, s; also of one that was killed and reported nothing.
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
        /// Since the start of the run, ns.
        start_ns: f64,
    },
    /// A child answered `open`.
    LaunchOpened {
        launch: u32,
        start_up_ns: f64,
        /// What one invocation does, if only the set-up knows: it applies to the case from now on.
        #[serde(flatten)]
        amounts: Amounts,
    },
    /// The measuring thread of a child is kept on a processor from now on.
    LaunchPlaced { launch: u32, processor: u32 },
    /// `check` was answered, for the first time or, right after it, for the second.
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
    /// Something that the user's code printed.
    Output { launch: u32, lines: Vec<String> },
    /// All that was planned for a case is done.
    CaseFinished { case: u32 },
    /// A case failed and is not run any more.
    CaseFailed { case: u32, failure: Failure },
    /// A case failed beside other processes and is measured again alone, in a separate group that is added to the plan.
    CaseRepeated { case: u32, failure: Failure },
    /// A case is too short for a loop of single turns.
    CaseUnrolled { case: u32 },
    /// The first launches show that a run without a time of its own needs longer than was announced.
    Expected {
        /// From now on [`crate::Policy::expected_s`].
        total_s: f64,
    },
    /// A pass of a diagnoser ended.
    Diagnosed { diagnosis: Box<Diagnosis> },
    /// A file was kept in the folder of the run, or could not be.
    Attached { attachment: Box<Attachment> },
    /// The reference clock was taken from this run's own probes.
    ClockSettled { cycle_ns: f64 },
    /// The width of a core that is not shared was taken from this run's own readings, before any time was looked at.
    WidthSettled {
        cycles_per_addition: f64,
        /// By the width probe of this front end and runtime; None: by the native one.
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
    /// The launch that it is about, where it is about one.
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
