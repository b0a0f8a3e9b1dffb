//! Failed cases: which, how, the command, the last output, and advice.

use crate::elements::document::{Content, Entry, List, Medium};
use crate::words::advice::Hint;
use crate::words::again::show;
use crate::words::label::{alike, short, Naming};
use crate::words::text::{clean, plural};
use std::collections::HashMap;
use tare_analysis::{CaseReport, Outcome, Report, Severity};
use tare_model::text::shell_word;
use tare_model::{Crash, FailedProgram, Failure, FailureKind, LanguageFacts, Step};

pub fn step_text(step: Step) -> &'static str {
    match step {
        Step::Start => "while starting",
        Step::List => "while listing its benchmarks",
        Step::SetUp => "in the set-up",
        Step::Body => "in the body",
        Step::IterationSetUp => "in the iteration set-up",
        Step::IterationCleanUp => "in the iteration clean-up",
        Step::CleanUp => "in the clean-up",
        Step::End => "while exiting",
    }
}

/// The failure and its place: `in the body: killed by SIGSEGV (signal 11)`.
pub fn failure_text(failure: &Failure) -> String {
    text_at(failure, step_text(failure.step))
}

/// The same without the place, if a saved result (`is_saved`) does not contain it.
pub(crate) fn text_of(failure: &Failure, is_saved: bool) -> String {
    match is_saved && is_of_file(failure) {
        true => clean(&failure.cause.text()),
        false => failure_text(failure),
    }
}

/// The place of a failure; `prepares`: something may be prepared for each iteration.
fn place(step: Step, prepares: bool) -> &'static str {
    match step {
        // Which of the two failed is unknown.
        Step::Body if prepares => "in the body or its preparation (its input, an iteration set-up)",
        step => step_text(step),
    }
}

fn text_at(failure: &Failure, place: &str) -> String {
    let what = clean(&failure.cause.text());
    match failure.cause {
        FailureKind::NotBuilt { .. } | FailureKind::NotStarted { .. } | FailureKind::Declaration { .. } => what,
        FailureKind::Unsupported { .. } | FailureKind::Refused { .. } | FailureKind::Failed { .. } => what,
        // The front end is at fault, whatever the user's code was doing.
        FailureKind::NoValidVisits | FailureKind::Clock { .. } | FailureKind::Protocol { .. } => what,
        _ => format!("{place}: {what}"),
    }
}

pub(crate) fn failed(report: &Report) -> impl Iterator<Item = (&CaseReport, &Failure)> {
    report.cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Failed { failure } => Some((case, failure)),
        _ => None,
    })
}

/// Advice if processes of both sides, which always run at the same time, may conflict.
const ONE_EACH: &str =
    "if it needs something exclusive (a port, a file), give each process its own: processes of both sides run at the same time";

/// The failure without its place; a whole command sends no replies.
pub fn cause_text(cause: &FailureKind, is_command: bool) -> String {
    match cause {
        FailureKind::Timeout { seconds } if is_command => format!("did not end within {seconds} s"),
        _ => clean(&cause.text()),
    }
}

pub(crate) fn command_failure_text(failure: &Failure) -> String {
    match (&failure.cause, failure.step) {
        (cause @ FailureKind::Timeout { .. }, _) => cause_text(cause, true),
        (FailureKind::Failed { .. }, Step::IterationSetUp) => {
            format!("the preparation failed: {}", failure_text(failure))
        }
        _ => failure_text(failure),
    }
}

fn command_failure_hint(failure: &Failure) -> &str {
    match (&failure.cause, failure.step) {
        (FailureKind::StrayProcess { .. }, _) => {
            "end everything it starts in the background: use `wait` in the command, or `--conclude`"
        }
        (FailureKind::Timeout { .. }, _) => "raise the limit with `--timeout SECONDS`, or find out what it waits for",
        (FailureKind::Failed { .. }, Step::IterationSetUp) => {
            "run the command of `--prepare` on its own to see why: a command is measured only after its preparation succeeds"
        }
        (FailureKind::Failed { .. }, Step::IterationCleanUp) => "run the command of `--conclude` on its own to see why",
        (FailureKind::Failed { message }, _) if message.starts_with("cannot open") => {
            "check the paths of `--stdin` and `--stdout`"
        }
        (FailureKind::Failed { .. }, _) => {
            "run the command on its own to see why; `--ignore-failure` accepts every exit status"
        }
        _ => failure_hint(&failure.cause),
    }
}

pub(crate) fn failures(report: &Report, medium: &Medium) -> Content {
    let naming = Naming::of(report);
    let programs = report.not_built.iter().map(not_built);
    let cases = failed(report).map(|(case, failure)| {
        let command = report.programs.get(case.program as usize).map(|p| p.command.as_slice()).unwrap_or_default();
        let words: Vec<String> = command.iter().map(|word| shell_word(&clean(word))).collect();
        // A whole command reports its own failure.
        let has_command = !words.is_empty() && !case.is_command() && ended_otherwise(&failure.cause);
        let command = has_command.then(|| words.join(" "));
        let entry = entry(short(&naming.label(report, case.case)), failure, &case.language);
        if case.is_command() {
            let hint = Some(Hint::words(command_failure_hint(failure)));
            return Entry { command, hint, text: command_failure_text(failure), ..entry };
        }
        if report.other_tool().is_some() && is_of_file(failure) {
            return without_step(entry, failure);
        }
        let hint = failure_hint_for(failure, &case.language);
        let is_of_both = !case.side.is_empty() && failure.may_be_of_another();
        let all = [hint, ONE_EACH].into_iter().take(1 + usize::from(is_of_both)).filter(|hint| !hint.is_empty());
        let text = text_at(failure, place(failure.step, case.prepares));
        Entry { command, hint: words_of(&all.collect::<Vec<_>>().join("; ")), text, ..entry }
    });
    list(programs.chain(cases).collect(), medium, &show(&report.run, "-v"))
}

/// Whether the process misbehaved, so that its command is worth showing. Invalid declarations and exceptions are described completely.
pub fn ended_otherwise(cause: &FailureKind) -> bool {
    !matches!(cause, FailureKind::Declaration { .. } | FailureKind::Exception { .. })
}

fn words_of(hint: &str) -> Option<Hint> {
    (!hint.is_empty()).then(|| Hint::words(&clean(hint)))
}

/// More than this many equal failures become one entry even if their output differs.
const ALIKE_MAX: usize = 5;
const NAMED: usize = 3;

/// A list of failures. Equal ones form one entry with their names; the count includes all.
pub(crate) fn list(entries: Vec<Entry>, medium: &Medium, command: &str) -> Content {
    let count = entries.len();
    let mut groups = alike(entries, |entry| (said(entry), entry.command.clone(), entry.output.clone()));
    if !medium.is_verbose() {
        let mut sizes: HashMap<_, usize> = HashMap::new();
        groups.iter().for_each(|group| *sizes.entry(said(&group[0])).or_default() += 1);
        // Only these are merged; the others stay in order.
        let is_crowd = |group: &Vec<Entry>| sizes[&said(&group[0])] > ALIKE_MAX;
        let (crowds, mut few): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_crowd);
        few.extend(alike(crowds.into_iter().flatten(), said));
        groups = few;
    }
    let sizes: Vec<usize> = groups.iter().map(Vec::len).take(medium.most()).collect();
    groups.truncate(medium.most());
    let hidden = count - sizes.iter().sum::<usize>();
    let named = if medium.is_verbose() && !medium.is_page { usize::MAX } else { NAMED };
    Content::List(List {
        title: "failures".to_owned(),
        count: Some(count),
        entries: groups.into_iter().map(|group| one_for(group, named)).collect(),
        hidden,
        command: command.to_owned(),
    })
}

fn said(entry: &Entry) -> (String, Option<(String, Option<String>)>) {
    (entry.text.clone(), entry.hint.as_ref().map(|hint| (hint.text.clone(), hint.command.clone())))
}

fn one_for(mut group: Vec<Entry>, named: usize) -> Entry {
    let others = group.split_off(1);
    let Some(mut first) = group.pop() else { return Entry::default() };
    let is_other = |entry: &Entry| entry.output != first.output || entry.command != first.command;
    let is_of_first = others.iter().any(is_other) && !first.output.is_empty();
    let count = others.len() + 1;
    others.into_iter().take(named - 1).for_each(|other| first.about += &format!(", {}", other.about));
    if count > named {
        first.about.push_str(&format!(" and {} more", count - named));
    }
    if is_of_first {
        first.text.push_str(" (with the output of the first)");
    }
    first
}

/// Failures of cases in brief, with equal ones in one line with their names.
pub(crate) fn in_brief(report: &Report) -> Vec<(String, String)> {
    let naming = Naming::of(report);
    let of_case = |(case, failure): (&CaseReport, &Failure)| Entry {
        about: short(&naming.label(report, case.case)),
        text: failure_text(failure),
        ..Entry::default()
    };
    let entries = alike(failed(report).map(of_case), said).into_iter().map(|group| one_for(group, NAMED));
    entries.map(|entry| (entry.about, entry.text)).collect()
}

/// Cases with the same failure, if they are so many that their rows would hide the others: the failure, and the cases.
pub(crate) fn crowds(report: &Report, rows_max: usize) -> Vec<(String, Vec<u32>)> {
    let groups = alike(failed(report), |(_, failure)| failure_text(failure)).into_iter();
    let of = |all: Vec<(&CaseReport, &Failure)>| (failure_text(all[0].1), all.iter().map(|(of, _)| of.case).collect());
    groups.filter(|all| all.len() > rows_max).map(of).collect()
}

/// A program without results, and therefore without a row in any table.
fn not_built(failed: &FailedProgram) -> Entry {
    let entry = entry(clean(&failed.program), &failed.failure, "");
    match failed.failure.cause {
        FailureKind::NotBuilt { hint: None, .. } => {
            Entry { hint: Some(Hint::words("fix the compiler errors, or leave the file out")), ..entry }
        }
        _ => entry,
    }
}

/// Programs without results in brief: ``1 program not built (`bad.cpp`)``.
pub fn not_built_text(failed: &[FailedProgram]) -> Option<String> {
    let mut names: Vec<String> = failed.iter().take(NAMED).map(|f| format!("`{}`", clean(&f.program))).collect();
    if failed.len() > NAMED {
        names.push(format!("{} more", failed.len() - NAMED));
    }
    // A program that was built but could not be listed failed in another way.
    let is_built = |f: &FailedProgram| !matches!(f.failure.cause, FailureKind::NotBuilt { .. });
    let is_listed = |f: &FailedProgram| f.failure.step == Step::End;
    let word = match (failed.iter().all(is_listed), failed.iter().any(is_built)) {
        (true, _) => "failed while exiting",
        (false, true) => "not built or listed",
        (false, false) => "not built",
    };
    (!failed.is_empty()).then(|| format!("{} {word} ({})", plural(failed.len(), "program"), names.join(", ")))
}

pub(crate) fn entry(about: String, failure: &Failure, language: &str) -> Entry {
    Entry {
        severity: Some(Severity::Error),
        about,
        text: failure_text(failure),
        output: failure.printed().cloned().collect(),
        hint: words_of(failure_hint_for(failure, language)),
        ..Entry::default()
    }
}

/// Read from a file rather than observed by Tare.
pub(crate) fn is_of_file(failure: &Failure) -> bool {
    matches!(failure.cause, FailureKind::Exception { exception: None, place: None, .. })
}

/// In a saved result, the step of a failure is unknown, and no program can be run.
pub(crate) fn without_step(entry: Entry, failure: &Failure) -> Entry {
    let hint = "fix it and measure again; `--exclude NAME` leaves it out";
    Entry { text: text_of(failure, true), hint: Some(Hint::words(hint)), ..entry }
}

/// Signals caused by the code itself: illegal instruction, abort, invalid address, arithmetic error.
const CRASHES: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// Advice in one line for a program of this language; empty if the exception says enough.
pub fn failure_hint_for<'a>(failure: &'a Failure, language: &str) -> &'a str {
    if let Some(advised) = failure.advised() {
        return advised;
    }
    let of_crash = |signal| crash_hint(failure, signal, language).unwrap_or_else(|| failure_hint(&failure.cause));
    match failure.cause {
        FailureKind::Signal { signal, .. } if CRASHES.contains(&signal) => of_crash(signal),
        FailureKind::EarlyExit { status }
            if LanguageFacts::of(language).is_some_and(|facts| facts.crash_statuses.contains(&status)) =>
        {
            of_crash(0)
        }
        // It ended before any benchmark.
        FailureKind::EarlyExit { .. } if failure.step == Step::Start => match LanguageFacts::of(language) {
            Some(facts) => facts.main,
            None => "see what it printed: it ended before it had named a benchmark",
        },
        ref cause => failure_hint(cause),
    }
}

/// Whether another tool's failure is about a command, named in its text: its exit, or that it did not start.
fn names_a_command(message: &str) -> bool {
    message.contains('`') && ["exit", "killed", "stopped", "started"].iter().any(|how| message.contains(how))
}

/// Advice about a crash, if the language or the output is more specific than the signal.
fn crash_hint(failure: &Failure, signal: i32, language: &str) -> Option<&'static str> {
    let facts = LanguageFacts::of(language);
    // A program may contain another language's runtime.
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
        // The system's message, which is stable.
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
            "correct the file: until it loads, none of its benchmarks can be measured; if you named a folder, name its other files instead"
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
        // Its message and line are shown.
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
        FailureKind::StrayProcess { .. } => {
            "in the clean-up, wait for every process that the benchmark started; one that it forked must not return from the body"
        }
        FailureKind::Clock { .. } => {
            "use a monotonic clock and report nanoseconds: check with `tare conformance PROGRAM`"
        }
        FailureKind::NoValidVisits => "the machine is too busy: see `uptime`, or run again with `--long`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::document::Volume;
    use crate::words::text::Glyphs;

    #[test]
    fn a_command_has_no_body_and_gives_no_answers() {
        let of = |cause, step| Failure { cause, step, output: Vec::new() };
        let late = of(FailureKind::Timeout { seconds: 1.0 }, Step::Body);
        assert_eq!(command_failure_text(&late), "did not end within 1 s");
        let message = "`--prepare`: `false` exited with status 1".to_owned();
        let unprepared = of(FailureKind::Failed { message }, Step::IterationSetUp);
        assert!(command_failure_text(&unprepared).starts_with("the preparation failed: `--prepare`: `false` exited"));
        assert!(command_failure_hint(&unprepared).contains("`--prepare`"));
        let failed = of(FailureKind::Failed { message: "`x` exited with status 1".to_owned() }, Step::Body);
        assert!(command_failure_hint(&failed).contains("`--ignore-failure`"));
    }

    fn failed_alike(outputs: impl Iterator<Item = String>) -> Vec<Entry> {
        let entry = |(at, output): (usize, String)| Entry {
            about: format!("g/n{at}"),
            output: vec![output],
            ..Entry::text("in the body: exited unexpectedly with status 1".to_owned())
        };
        outputs.enumerate().map(entry).collect()
    }

    fn listed(entries: Vec<Entry>, volume: Volume) -> List {
        let medium = Medium { volume, is_page: false, glyphs: Glyphs::Unicode, saved: false, columns: 80 };
        match list(entries, &medium, "-v") {
            Content::List(list) => list,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn failures_that_say_the_same_are_one_entry() {
        let same = || failed_alike((0..500).map(|_| "bad".to_owned()));
        let shown = listed(same(), Volume::Default);
        assert_eq!((shown.count, shown.entries.len(), shown.hidden), (Some(500), 1, 0));
        let text = |list: &List| list.entries[0].about.clone();
        assert_eq!(text(&shown), "g/n0, g/n1, g/n2 and 497 more");
        let shown = listed(same(), Volume::Verbose);
        assert!(shown.entries.len() == 1 && text(&shown).ends_with(", g/n499"), "all are named");
        // With different output, a few failures are separate entries, but many are one.
        let few = listed(failed_alike((0..4).map(|at| format!("bad {at}"))), Volume::Default);
        assert_eq!((few.count, few.entries.len()), (Some(4), 4));
        let differing = || failed_alike((0..500).map(|at| format!("bad {at}")));
        let many = listed(differing(), Volume::Default);
        assert_eq!(
            (many.count, many.entries.len(), many.entries[0].output.as_slice()),
            (Some(500), 1, &["bad 0".to_owned()][..])
        );
        assert!(many.entries[0].text.ends_with(" (with the output of the first)"), "{:?}", many.entries[0]);
        assert_eq!(listed(differing(), Volume::Verbose).entries.len(), 500);
        // Others stay unchanged, and all omitted failures are counted.
        let mut mixed = failed_alike((0..7).map(|_| "bad".to_owned()));
        mixed.extend((0..9).map(|at| Entry { text: format!("other {at}"), ..Entry::default() }));
        let shown = listed(mixed, Volume::Default);
        assert_eq!((shown.count, shown.entries.len(), shown.hidden), (Some(16), 5, 5));
    }

    #[test]
    fn what_is_prepared_is_not_called_the_body() {
        let cause = FailureKind::MemoryGrowth { bytes: 300 << 20, invocations: 1000 };
        let leak = Failure { cause, step: Step::Body, output: Vec::new() };
        let text = text_at(&leak, place(leak.step, true));
        assert!(
            text.starts_with("in the body or its preparation (its input, an iteration set-up): memory grew"),
            "{text}"
        );
        assert_eq!(text_at(&leak, place(leak.step, false)), failure_text(&leak));
        assert_eq!(place(Step::SetUp, true), "in the set-up");
    }

    #[test]
    fn a_build_that_knows_what_to_do_says_it() {
        let hint = |hint: Option<&str>| {
            let cause = FailureKind::NotBuilt { reason: "no".to_owned(), hint: hint.map(str::to_owned) };
            let failure = Failure { cause, step: Step::Start, output: Vec::new() };
            not_built(&FailedProgram { program: "a".to_owned(), failure, partners: Vec::new() }).hint
        };
        assert_eq!(hint(Some("add `net8.0`\u{1b}[2J")), Some(Hint::words(&clean("add `net8.0`\u{1b}[2J"))));
        assert_eq!(hint(None), Some(Hint::words("fix the compiler errors, or leave the file out")));
    }

    #[test]
    fn what_a_front_end_advises_about_a_file_is_the_hint_and_no_output() {
        let output = vec!["hint: did you mean `tare`?".to_owned(), "Error: no `tarre`".to_owned()];
        let cause = FailureKind::EarlyExit { status: 1 };
        let failure = Failure { cause, step: Step::Start, output };
        let shown = entry(String::new(), &failure, "typescript");
        assert_eq!(shown.output, ["Error: no `tarre`"]);
        assert_eq!(shown.hint, Some(Hint::words("did you mean `tare`?")));
        // Later output of the user's code is not advice.
        let later = entry(String::new(), &Failure { step: Step::Body, ..failure }, "typescript");
        assert_eq!(later.output.len(), 2);
        let reason = "the file cannot be imported: there is no module `x` (a.py:1)".to_owned();
        let cause = FailureKind::Declaration { reason };
        let hint = failure_hint_for(&Failure { cause, step: Step::List, output: Vec::new() }, "python").to_owned();
        assert!(hint.starts_with("correct the file"), "{hint}");
    }

    #[test]
    fn a_crash_is_told_in_the_words_of_its_language() {
        let hint = |language: &str, signal, output: &[&str]| {
            let cause = FailureKind::Signal { signal, name: String::new() };
            let output = output.iter().map(|line| (*line).to_owned()).collect();
            failure_hint_for(&Failure { cause, step: Step::Body, output }, language).to_owned()
        };
        let overflow = ["thread 'main' (1) has overflowed its stack", "fatal runtime error: stack overflow, aborting"];
        assert!(hint("rust", 6, &overflow).starts_with("look for endless recursion"));
        assert!(hint("rust", 6, &["thread 'main' panicked at src/b.rs:3:5:"]).contains("see its location above"));
        assert!(hint("rust", 11, &[]).contains("`cargo miri test`") && hint("c#", 11, &[]).contains("native code"));
        assert!(hint("c#", 6, &["Stack overflow."]).contains("a larger stack"));
        assert!(hint("f#", 6, &["Unhandled exception. System.Exception: x"]).contains("was not caught"));
        let missing =
            ["Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'System.Runtime"];
        assert!(hint("vb", 6, &missing).contains("is missing or has another version"));
        for language in ["rust", "c#", "f#", "vb", "python"] {
            assert!(!hint(language, 11, &[]).contains("-fsanitize"), "{language}");
        }
        assert!(hint("c++", 11, &[]).contains("-fsanitize=address,undefined"));
        assert_eq!(hint("rust", 9, &[]), hint("c++", 9, &[]), "killed from outside, whatever it is written in");
    }

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
