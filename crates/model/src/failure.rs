//! The named failures of a case.

use serde::{Deserialize, Serialize};

/// What the child was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Process start until `hello` is answered.
    Start,
    /// `list`.
    List,
    /// `open`: global set-up.
    SetUp,
    /// `measure` or `check`.
    Body,
    /// Iteration set-up, where the child says so.
    IterationSetUp,
    /// Iteration clean-up, where the child says so.
    IterationCleanUp,
    /// `close`: global clean-up.
    CleanUp,
    /// `bye` until the process is gone.
    End,
}

/// How a child misbehaved. Each kind has one hint and one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum FailureKind {
    /// The program could not be started.
    NotStarted {
        /// The system's reason.
        reason: String,
    },
    /// The program could not be built; the output is the compiler's.
    NotBuilt {
        /// How the build ended.
        reason: String,
    },
    /// Killed by a signal that the host did not send.
    Signal {
        /// Number of the signal.
        signal: i32,
        /// Name, such as `SIGSEGV`.
        name: String,
    },
    /// Ended before `bye`.
    EarlyExit {
        /// Exit status.
        status: i32,
    },
    /// The user's code threw or panicked and the front end caught it.
    Exception {
        /// Message of the exception.
        message: String,
        /// Its type, where known.
        exception: Option<String>,
        /// `file:line`, where known.
        place: Option<String>,
    },
    /// A step took longer than its deadline.
    Timeout {
        /// The deadline, s.
        seconds: f64,
    },
    /// Wrote more output than allowed.
    OutputFlood {
        /// What it had written, bytes.
        bytes: u64,
    },
    /// Wrote something on the link that is not a reply.
    Protocol {
        /// What is wrong with it.
        reason: String,
    },
    /// Speaks another version of the protocol.
    Version {
        /// What it speaks.
        versions: Vec<u64>,
    },
    /// Memory grew with every invocation.
    MemoryGrowth {
        /// Growth since `opened`, bytes.
        bytes: u64,
        /// Invocations since `opened`.
        invocations: u64,
    },
    /// Left processes behind.
    StrayProcess {
        /// How many.
        count: u32,
    },
    /// Fewer than the needed number of valid visits could be had.
    NoValidVisits,
    /// Its clock does not move, or says what cannot be.
    Clock {
        /// What it said that the request took, ns.
        said_ns: f64,
        /// What the host waited for the answer, ns.
        took_ns: f64,
        /// Invocations of the request.
        invocations: u64,
    },
}

/// A failure of one case with all that is needed to mend it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What happened.
    pub cause: FailureKind,
    /// What the child was doing.
    pub step: Step,
    /// The last lines that it printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
}

impl FailureKind {
    /// Stable code for people and machines.
    pub fn code(&self) -> &'static str {
        match self {
            FailureKind::NotStarted { .. } => "not-started",
            FailureKind::NotBuilt { .. } => "not-built",
            FailureKind::Signal { .. } => "signal",
            FailureKind::EarlyExit { .. } => "early-exit",
            FailureKind::Exception { .. } => "exception",
            FailureKind::Timeout { .. } => "timeout",
            FailureKind::OutputFlood { .. } => "output-flood",
            FailureKind::Protocol { .. } => "protocol",
            FailureKind::Version { .. } => "version",
            FailureKind::MemoryGrowth { .. } => "memory-growth",
            FailureKind::StrayProcess { .. } => "stray-process",
            FailureKind::NoValidVisits => "no-valid-visits",
            FailureKind::Clock { .. } => "clock",
        }
    }

    /// One line: what happened.
    pub fn text(&self) -> String {
        match self {
            FailureKind::NotBuilt { reason } => format!("could not be built: {reason}"),
            FailureKind::NotStarted { reason } => format!("could not be started: {reason}"),
            FailureKind::Signal { name, signal } => format!("killed by {name} (signal {signal})"),
            FailureKind::EarlyExit { status } => format!("exited with status {status} before it was told to"),
            FailureKind::Exception { message, exception, place } => {
                let kind = exception.as_deref().map(|e| format!("{e}: ")).unwrap_or_default();
                let place = place.as_deref().map(|p| format!(" at {p}")).unwrap_or_default();
                format!("threw {kind}{message}{place}")
            }
            FailureKind::Timeout { seconds } => format!("did not answer within {seconds} s"),
            FailureKind::OutputFlood { bytes } => format!("printed {} MiB", bytes >> 20),
            FailureKind::Protocol { reason } => format!("broke the protocol: {reason}"),
            FailureKind::Version { versions } => format!("speaks protocol versions {versions:?}, the host speaks 1"),
            FailureKind::MemoryGrowth { bytes, invocations } => {
                format!("memory grew by {} MiB in {invocations} invocations", bytes >> 20)
            }
            FailureKind::StrayProcess { count } => format!("left {count} process(es) behind"),
            FailureKind::NoValidVisits => "too few undisturbed visits".to_owned(),
            FailureKind::Clock { said_ns, took_ns, invocations } => {
                let what = if said_ns < took_ns { "does not move" } else { "runs wild" };
                let seconds = |ns: f64| match ns * 1e-9 {
                    s if s == 0.0 || (1e-3..1e4).contains(&s) => format!("{s:.3} s"),
                    s => format!("{s:.1e} s"),
                };
                let (said, took) = (seconds(*said_ns), seconds(*took_ns));
                format!("its clock {what}: {said} for {invocations} invocations, answered within {took}")
            }
        }
    }

    /// One line: what to do.
    pub fn hint(&self) -> &'static str {
        match self {
            FailureKind::NotBuilt { .. } => "mend what the compiler says, or compare what can be built on both sides",
            FailureKind::NotStarted { .. } => "check that the program exists and may be executed",
            FailureKind::Signal { signal: 4, .. } => "illegal instruction: build for this machine (-march)",
            FailureKind::Signal { signal: 9, .. } => "killed from outside, perhaps for want of memory: see `dmesg`",
            FailureKind::Signal { .. } => "run the program under a debugger or with -fsanitize=address,undefined",
            FailureKind::EarlyExit { .. } => "the body must return; do not call exit in it",
            FailureKind::Exception { .. } => "run the program directly to see the whole message",
            FailureKind::Timeout { .. } => "give it more time with `--timeout SECONDS`, or look for an endless loop",
            FailureKind::OutputFlood { .. } => "remove the printing from the body: it would be what is measured",
            FailureKind::Protocol { .. } => "check the front end with `tare conformance PROGRAM`",
            FailureKind::Version { .. } => "use a front end and a `tare` of the same major version",
            FailureKind::MemoryGrowth { .. } => {
                "reset the state in an iteration set-up, or fix the operations of an invocation (`--invocations N`)"
            }
            FailureKind::StrayProcess { .. } => "wait for every process that the benchmark starts in its clean-up",
            FailureKind::Clock { .. } => "time with a monotonic clock, in nanoseconds: try `tare conformance PROGRAM`",
            FailureKind::NoValidVisits => "the machine is too busy: see `uptime`, or run again with `--long`",
        }
    }
}
