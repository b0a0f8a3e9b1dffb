//! The named failures of a case.

use serde::{Deserialize, Serialize};

/// What the child was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Process start until `hello` is answered.
    Start,
    /// `list`: which benchmarks exist.
    List,
    /// `open`: global set-up.
    SetUp,
    /// `measure` or `check`.
    Body,
    /// Iteration set-up, if the child says so.
    IterationSetUp,
    /// Iteration clean-up, if the child says so.
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
        /// What to do, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
    /// The benchmark is declared in a way that cannot be measured; no child was started for it.
    Declaration {
        /// What is wrong, and how to fix it.
        reason: String,
    },
    /// The benchmark declares that it cannot be measured here or now. This is not a failure.
    Skipped {
        /// Why.
        reason: String,
    },
    /// It requires something that this version of Tare cannot do; no child was started for it.
    Unsupported {
        /// The requirements that Tare lacks.
        requires: Vec<String>,
    },
    /// The child answered a request with an error that is neither from the user's code nor a broken rule: it refuses, or cannot do it.
    Refused {
        /// The `kind` of the error, as the child named it.
        error: String,
        /// The message of the child.
        message: String,
        /// The request that it was sent.
        request: String,
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
        /// Its type, if known.
        exception: Option<String>,
        /// `file:line`, if known.
        place: Option<String>,
    },
    /// A program that the benchmark runs, such as a whole command, failed.
    Failed {
        /// Which, and how it ended.
        message: String,
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
    /// The front end broke a rule of the protocol; the user's code is not to blame.
    Protocol {
        /// The rule and what is wrong.
        reason: String,
        /// The request that it was sent last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<String>,
        /// The name that the front end reports, once known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        front_end: Option<String>,
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
    /// Its program was replaced during the run.
    Replaced {
        /// The file.
        program: String,
    },
    /// Left processes behind.
    StrayProcess {
        /// How many.
        count: u32,
    },
    /// The diagnoser failed, not the program that it looked at.
    Diagnoser {
        /// How.
        reason: String,
    },
    /// Too few valid visits.
    NoValidVisits,
    /// Its clock does not advance, or reports impossible times.
    Clock {
        /// The duration of the request that it reported, ns.
        said_ns: f64,
        /// How long the host waited for the answer, ns.
        took_ns: f64,
        /// Invocations of the request.
        invocations: u64,
    },
}

/// A failure of one case, with everything needed to fix it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What happened.
    pub cause: FailureKind,
    /// What the child was doing.
    pub step: Step,
    /// The last lines that it printed; from a crash report the first and the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
}

/// Whether this line of output starts a runtime's crash report: the reason, followed by stack frames.
pub fn begins_crash_report(line: &str) -> bool {
    // .NET, Mono, the JVM, Go, Python, Node, Swift.
    const BEGINNINGS: [&str; 12] = [
        "Unhandled exception. ",
        "Unhandled Exception:",
        "Stack overflow.",
        "Fatal error. ",
        "Process terminated.",
        "Exception in thread \"",
        "# A fatal error has been detected by ",
        "panic: ",
        "fatal error: ",
        "Fatal Python error: ",
        "FATAL ERROR: ",
        "Fatal error: ",
    ];
    let is_rust = line.starts_with("thread '") && line.contains(" panicked at ");
    // Of C and C++: `==123==ERROR: AddressSanitizer: ...`, `WARNING: ThreadSanitizer: ...`.
    let is_sanitizer = (line.starts_with("==") || line.starts_with("WARNING: ")) && line.contains("Sanitizer: ");
    is_rust || is_sanitizer || BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

/// Prefix of the reason if all declarations of a file are missing.
const NOT_IMPORTED: &str = "the file cannot be imported";

/// Prefix of a front end's advice about a file that it cannot load.
const HINT: &str = "hint: ";

impl FailureKind {
    /// All declarations of a file are missing because it cannot be imported.
    pub fn is_not_imported(&self) -> bool {
        matches!(self, FailureKind::Declaration { reason } if reason.starts_with(NOT_IMPORTED))
    }
}

impl Failure {
    /// Advice of a front end that could not load the user's file.
    pub fn advised(&self) -> Option<&str> {
        let is_loading = self.step == Step::Start && matches!(self.cause, FailureKind::EarlyExit { .. });
        self.output.iter().filter(|_| is_loading).find_map(|line| line.strip_prefix(HINT))
    }

    /// The file with the benchmarks could not be loaded: an interpreter's equivalent of a failed build.
    pub fn is_not_loaded(&self) -> bool {
        self.cause.is_not_imported() || self.advised().is_some()
    }

    /// Its output without the advice.
    pub fn printed(&self) -> impl Iterator<Item = &String> {
        let is_advised = self.advised().is_some();
        self.output.iter().filter(move |line| !(is_advised && line.starts_with(HINT)))
    }

    /// Why the benchmark should be skipped, if it says so. This is not a failure.
    pub fn skipped(&self) -> Option<&str> {
        match &self.cause {
            FailureKind::Skipped { reason } => Some(reason),
            _ => None,
        }
    }

    /// Whether another process may be the cause, by holding something that this one needs: a port, a file, a lock, memory.
    pub fn may_be_of_another(&self) -> bool {
        match &self.cause {
            FailureKind::MemoryGrowth { invocations, .. } => *invocations == 0,
            FailureKind::Exception { .. }
            | FailureKind::EarlyExit { .. }
            | FailureKind::Signal { .. }
            | FailureKind::Timeout { .. } => matches!(self.step, Step::Start | Step::SetUp),
            _ => false,
        }
    }
}

impl FailureKind {
    /// Stable code for people and machines.
    pub fn code(&self) -> &'static str {
        match self {
            FailureKind::NotStarted { .. } => "not-started",
            FailureKind::NotBuilt { .. } => "not-built",
            FailureKind::Declaration { .. } => "declaration",
            FailureKind::Skipped { .. } => "skipped",
            FailureKind::Unsupported { .. } => "unsupported",
            FailureKind::Refused { .. } => "refused",
            FailureKind::Signal { .. } => "signal",
            FailureKind::EarlyExit { .. } => "early-exit",
            FailureKind::Exception { .. } => "exception",
            FailureKind::Failed { .. } => "failed",
            FailureKind::Timeout { .. } => "timeout",
            FailureKind::OutputFlood { .. } => "output-flood",
            FailureKind::Protocol { .. } => "protocol",
            FailureKind::Version { .. } => "version",
            FailureKind::MemoryGrowth { .. } => "memory-growth",
            FailureKind::Replaced { .. } => "replaced",
            FailureKind::StrayProcess { .. } => "stray-process",
            FailureKind::Diagnoser { .. } => "diagnoser",
            FailureKind::NoValidVisits => "no-valid-visits",
            FailureKind::Clock { .. } => "clock",
        }
    }

    pub fn text(&self) -> String {
        match self {
            FailureKind::NotBuilt { reason, .. } => format!("could not be built: {reason}"),
            FailureKind::NotStarted { reason } => format!("could not be started: {reason}"),
            FailureKind::Declaration { reason } => format!("invalid declaration: {reason}"),
            FailureKind::Skipped { reason } => reason.clone(),
            FailureKind::Unsupported { requires } => {
                let names: Vec<String> = requires.iter().map(|name| format!("`{name}`")).collect();
                format!("requires {}, which this version of `tare` does not support", names.join(", "))
            }
            FailureKind::Refused { error, message, request } => {
                let message = if message.is_empty() { String::new() } else { format!(": {message}") };
                format!("refused the request `{request}` with the error `{error}`{message}")
            }
            FailureKind::Signal { name, signal } => format!("killed by {name} (signal {signal})"),
            FailureKind::EarlyExit { status } => format!("exited unexpectedly with status {status}"),
            FailureKind::Exception { message, exception, place } => {
                let place = place.as_deref().map(|p| format!(" at {p}")).unwrap_or_default();
                let how = match exception.as_deref() {
                    // No exception: the front end reports the reason, or the benchmark called a failure by name.
                    None => String::new(),
                    Some("panic") => "panicked: ".to_owned(),
                    Some("Err") => "returned an error: ".to_owned(),
                    Some(kind) if message.is_empty() => format!("threw {kind}"),
                    Some(kind) => format!("threw {kind}: "),
                };
                format!("{how}{message}{place}")
            }
            FailureKind::Failed { message } => message.clone(),
            FailureKind::Timeout { seconds } => format!("did not answer within {seconds} s"),
            FailureKind::OutputFlood { bytes } => format!("printed {} MiB of output", bytes >> 20),
            FailureKind::Protocol { reason, request, front_end } => {
                // The rule comes first, as a table row may truncate the rest.
                let who = if front_end.is_some() { "the front end " } else { "" };
                let asked = request.as_deref().map(|line| format!("asked `{line}`"));
                let named = front_end.as_deref().map(|name| format!("`{name}`"));
                let beside: Vec<String> = named.into_iter().chain(asked).collect();
                let beside = if beside.is_empty() { String::new() } else { format!(" ({})", beside.join(", ")) };
                format!("{who}broke the protocol: {reason}{beside}")
            }
            FailureKind::Version { versions } => {
                let versions: Vec<String> = versions.iter().map(u64::to_string).collect();
                format!("speaks protocol {}, but this `tare` speaks protocol 1", versions.join(", "))
            }
            // The limit was reached within one request.
            FailureKind::MemoryGrowth { bytes, invocations: 0 } => format!("memory grew by {} MiB", bytes >> 20),
            FailureKind::MemoryGrowth { bytes, invocations } => {
                format!("memory grew by {} MiB in {invocations} invocations", bytes >> 20)
            }
            FailureKind::Replaced { program } => format!("its program was replaced during the run: `{program}`"),
            FailureKind::StrayProcess { count: 1 } => "left 1 process running".to_owned(),
            FailureKind::StrayProcess { count } => format!("left {count} processes running"),
            FailureKind::Diagnoser { reason } => reason.clone(),
            FailureKind::NoValidVisits => "too few undisturbed visits".to_owned(),
            FailureKind::Clock { said_ns, took_ns, invocations } => {
                let what = if said_ns < took_ns { "does not advance" } else { "is wrong" };
                let seconds = |ns: f64| match ns * 1e-9 {
                    s if s == 0.0 || (1e-3..1e4).contains(&s) => format!("{s:.3} s"),
                    s => format!("{s:.1e} s"),
                };
                let (said, took) = (seconds(*said_ns), seconds(*took_ns));
                format!("its clock {what}: it reported {said} for {invocations} invocations, but the reply took {took}")
            }
        }
    }
}
