//! What to do about a failure.

use tare_model::{Crash, Failure, FailureKind, LanguageFacts, Step};

/// Signals that code raises against itself: a wrong instruction, an abort, a wrong address, a wrong division.
const CRASHES: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// One line: what to do, in a program of this language; empty: what was thrown says it.
pub fn failure_hint_for<'a>(failure: &'a Failure, language: &str) -> &'a str {
    if let Some(advised) = failure.advised() {
        return advised;
    }
    match failure.cause {
        FailureKind::Signal { signal, .. } if CRASHES.contains(&signal) => {
            crash_hint(failure, signal, language).unwrap_or_else(|| failure_hint(&failure.cause))
        }
        FailureKind::EarlyExit { status } if is_crash(status, language) => {
            crash_hint(failure, 0, language).unwrap_or_else(|| failure_hint(&failure.cause))
        }
        // It has not come to a benchmark.
        FailureKind::EarlyExit { .. } if failure.step == Step::Start => match LanguageFacts::of(language) {
            Some(facts) => facts.main,
            None => "see what it printed: it ended before it had named a benchmark",
        },
        ref cause => failure_hint(cause),
    }
}

/// Whether a failure of another tool is that of a command, which its text names: how it ended, or that it did not start.
fn names_a_command(message: &str) -> bool {
    message.contains('`') && ["exit", "killed", "stopped", "started"].iter().any(|how| message.contains(how))
}

/// Whether the runtime of the language ends a program that crashed with this status.
fn is_crash(status: i32, language: &str) -> bool {
    LanguageFacts::of(language).is_some_and(|facts| facts.crash_statuses.contains(&status))
}

/// What to do about a crash, where the language or what it printed tells more than the signal.
fn crash_hint(failure: &Failure, signal: i32, language: &str) -> Option<&'static str> {
    let facts = LanguageFacts::of(language);
    // The runtime of another language may be part of the program.
    let mut overflows = LanguageFacts::ALL.iter().filter_map(|facts| facts.overflow.as_ref());
    if overflows.any(|overflow| overflow.fits(signal, &failure.output)) {
        let own = facts.and_then(|facts| facts.overflow.as_ref());
        return Some(own.map_or(Crash::OVERFLOW, |overflow| overflow.hint));
    }
    let known = facts.and_then(|facts| facts.crashes.iter().find(|crash| crash.fits(signal, &failure.output)));
    match known {
        Some(crash) => Some(crash.hint),
        None if language.is_empty() => None,
        None => Some("run the program under a debugger: the crash is in native code or in the runtime"),
    }
}

pub fn failure_hint(cause: &FailureKind) -> &str {
    match cause {
        FailureKind::NotBuilt { hint: Some(hint), .. } => hint,
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
        FailureKind::NotStarted { reason } if reason.contains("turning huge pages off") => {
            "this system does not let a process do without huge pages: leave `huge-pages` out of the job"
        }
        FailureKind::NotStarted { reason } if reason.contains("choosing the processors") => {
            "leave `cpus` out of the job, or name some that `taskset -p $$` lists"
        }
        FailureKind::NotStarted { .. } => "check that the program exists and is executable",
        cause if cause.is_not_imported() => {
            "correct the file: until it loads, none of its benchmarks can be measured; or name the other files in place of the folder"
        }
        FailureKind::Declaration { .. } => "fix the declaration; `tare list` shows what the program declares",
        FailureKind::Skipped { .. } => "nothing to do: the benchmark declares that it cannot be measured here",
        FailureKind::Unsupported { .. } => "update `tare`, or use an older front end: see `tare --version`",
        FailureKind::Refused { .. } => {
            "look up this error in the front end's documentation, and run `tare conformance PROGRAM`"
        }
        FailureKind::Signal { signal: 4, .. } => "illegal instruction: build for this machine",
        FailureKind::Signal { signal: 9, .. } => "killed from outside, perhaps out of memory: see `dmesg`",
        FailureKind::Signal { .. } => "run the program under a debugger",
        FailureKind::EarlyExit { .. } => "do not call `exit` in a benchmark: its body and set-ups must return",
        // Its message and its line are there.
        FailureKind::Exception { .. } => "",
        FailureKind::Failed { message } if !names_a_command(message) => {
            "run the program without Tare, and look at what it prints"
        }
        FailureKind::Failed { .. } => "run that command on its own: it fails in the same way without Tare",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_is_no_missing_program() {
        let hint = |reason: &str| failure_hint(&FailureKind::NotStarted { reason: reason.to_owned() }).to_owned();
        assert!(hint("turning huge pages off failed: Invalid argument (os error 22)").contains("`huge-pages`"));
        assert!(hint("choosing the processors failed: Invalid argument (os error 22)").contains("`cpus`"));
        assert!(hint("No such file or directory").contains("executable"));
    }

    #[test]
    fn what_ends_before_it_has_named_a_benchmark_is_no_body_that_calls_exit() {
        let of = |step| Failure { cause: FailureKind::EarlyExit { status: 1 }, step, output: Vec::new() };
        assert!(failure_hint_for(&of(Step::Start), "javascript").contains("could not be loaded"));
        assert!(failure_hint_for(&of(Step::Start), "").starts_with("see what it printed"));
        assert!(failure_hint_for(&of(Step::Body), "javascript").contains("`exit`"));
    }

    #[test]
    fn a_command_is_run_on_its_own_where_one_is_named() {
        let hint = |message: &str| failure_hint(&FailureKind::Failed { message: message.to_owned() }).to_owned();
        let of_command = ["`make all` exited with status 2", "its process was killed by signal 6: `./b x`"];
        assert!(of_command.iter().all(|message| hint(message).starts_with("run that command")));
        assert!(hint("its result has 2 benchmarks, and none of them is called `a`").starts_with("run the program"));
    }
}
