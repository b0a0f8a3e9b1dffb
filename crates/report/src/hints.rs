//! What to do about a failure.

use tare_model::{Failure, FailureKind};

/// Signals that code raises against itself: a wrong instruction, an abort, a wrong address, a wrong division.
const CRASHES: [i32; 6] = [4, 5, 6, 7, 8, 11];
/// What runtimes print when the stack has no more room: Rust's, .NET's.
const OVERFLOWS: [&str; 2] = ["has overflowed its stack", "Stack overflow."];

/// One line: what to do, in a program of this language.
pub fn failure_hint_for(failure: &Failure, language: &str) -> &'static str {
    match failure.cause {
        FailureKind::Signal { signal, .. } if CRASHES.contains(&signal) => {
            crash_hint(failure, language).unwrap_or_else(|| failure_hint(&failure.cause))
        }
        ref cause => failure_hint(cause),
    }
}

/// What to do about a crash, where the language or what it printed tells more than the signal.
fn crash_hint(failure: &Failure, language: &str) -> Option<&'static str> {
    let printed = |text: &str| failure.output.iter().any(|line| line.contains(text));
    if OVERFLOWS.into_iter().any(printed) {
        return Some(match language {
            "rust" => "look for endless recursion, or run the body in a thread with a larger stack (`std::thread::Builder::stack_size`)",
            _ => "look for endless recursion, or run the body in a thread with a larger stack",
        });
    }
    match language {
        "rust" if printed("panicked at") => {
            Some("the panic could not be caught (a second panic, or `panic = \"abort\"`): see its location above")
        }
        "rust" => {
            Some("run the program under a debugger; if the cause is `unsafe` code, test that with `cargo miri test`")
        }
        "c#" | "f#" | "vb" if printed("Could not load file or assembly") => Some(
            "an assembly that the program was built with is missing or has another version: build the program again",
        ),
        "c#" | "f#" | "vb" if printed("Unhandled exception") => {
            Some("an exception in `Main` or in another thread was not caught: see its location above")
        }
        "c" | "c++" | "" => None,
        _ => Some("run the program under a debugger: the crash is in native code or in the runtime"),
    }
}

/// One line: what to do.
pub fn failure_hint(cause: &FailureKind) -> &'static str {
    match cause {
        FailureKind::NotBuilt { .. } => "fix the compiler errors, or compare only what builds on both sides",
        // The system's words, which do not change.
        FailureKind::NotStarted { reason } if reason.contains("Resource temporarily unavailable") => {
            "the process limit is reached: raise it with `ulimit -u`"
        }
        FailureKind::NotStarted { reason } if reason.contains("Too many open files") => {
            "the limit of open files is reached: raise it with `ulimit -n 4096`"
        }
        FailureKind::NotStarted { reason } if reason.contains("was not loaded") => {
            "link the program dynamically, or link the allocator into it and remove `allocator` from the job"
        }
        FailureKind::NotStarted { reason } if reason.contains("setting the priority") => {
            "a priority below 0 needs a privilege: run as root, or raise the limit with `ulimit -e`"
        }
        FailureKind::NotStarted { .. } => "check that the program exists and is executable",
        FailureKind::Declaration { .. } => "fix the declaration; `tare list` shows what the program declares",
        FailureKind::Skipped { .. } => "nothing to do: the benchmark declares that it cannot be measured here",
        FailureKind::Unsupported { .. } => "update `tare`, or use an older front end: see `tare --version`",
        FailureKind::Refused { .. } => {
            "look up this error in the front end's documentation, and run `tare conformance PROGRAM`"
        }
        FailureKind::Signal { signal: 4, .. } => "illegal instruction: build for this machine (-march)",
        FailureKind::Signal { signal: 9, .. } => "killed from outside, perhaps out of memory: see `dmesg`",
        FailureKind::Signal { .. } => "run the program under a debugger or with -fsanitize=address,undefined",
        FailureKind::EarlyExit { .. } => "do not call `exit` in a benchmark: its body and set-ups must return",
        FailureKind::Exception { .. } => "run the program directly to see the whole message",
        FailureKind::Failed { .. } => {
            "run the command on its own to see why; `--ignore-failure` accepts every exit status"
        }
        FailureKind::Timeout { .. } => "raise the limit with `--timeout SECONDS`, or look for an endless loop",
        FailureKind::OutputFlood { .. } => "do not print in the body: printing would be measured too",
        FailureKind::Protocol { .. } => "check the front end with `tare conformance PROGRAM`",
        FailureKind::Version { .. } => "use a front end and a `tare` of the same major version",
        FailureKind::MemoryGrowth { .. } => {
            "reset the state in an iteration set-up, or set the number of invocations (`--invocations N`)"
        }
        FailureKind::Replaced { .. } => "run again, and do not rebuild the program during the run",
        FailureKind::Diagnoser { .. } => {
            "`tare help diagnosers` explains what a diagnoser needs and how `tare` talks to it"
        }
        FailureKind::StrayProcess { .. } => "in the clean-up, wait for every process that the benchmark started",
        FailureKind::Clock { .. } => {
            "use a monotonic clock and report nanoseconds: check with `tare conformance PROGRAM`"
        }
        FailureKind::NoValidVisits => "the machine is too busy: see `uptime`, or run again with `--long`",
    }
}
