//! The failed cases: which, how, by which command, what they printed last, and what to do.

use crate::advice::Hint;
use crate::failure_hint;
use crate::findings::{hint, SHOWN_MAX};
use crate::screen::View;
use crate::{case_label, clean, cut_end, Line, Role};
use tare_analysis::{CaseReport, Outcome, Report};
use tare_model::{Failure, FailureKind, Step};

/// Lines of a child's output that are shown without `-v`.
const OUTPUT_MAX: usize = 4;

/// What the child was doing when it failed.
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

/// What happened and where: `in the body: killed by SIGSEGV (signal 11)`.
pub fn failure_text(failure: &Failure) -> String {
    let what = clean(&failure.cause.text());
    match failure.cause {
        FailureKind::NotBuilt { .. } | FailureKind::NotStarted { .. } | FailureKind::Declaration { .. } => what,
        FailureKind::Unsupported { .. } | FailureKind::Refused { .. } => what,
        // It is the front end's mistake, whatever the user's code was doing.
        FailureKind::NoValidVisits | FailureKind::Clock { .. } | FailureKind::Protocol { .. } => what,
        _ => format!("{}: {what}", step_text(failure.step)),
    }
}

/// The failed cases of a report.
pub(crate) fn failed(report: &Report) -> impl Iterator<Item = (&CaseReport, &Failure)> {
    report.cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Failed { failure } => Some((case, failure)),
        _ => None,
    })
}

/// The block of failures.
pub(crate) fn failures(report: &Report, view: &View) -> Vec<Line> {
    let all: Vec<_> = failed(report).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let shown = if view.is_verbose() { all.len() } else { SHOWN_MAX.min(all.len()) };
    let mut lines = vec![Line::of(Role::Heading, format!("failures ({})", all.len()))];
    let mut above = None;
    for (case, failure) in &all[..shown] {
        // The command is the program's: it is said once for failures that stand together.
        entry(report, case, failure, above != Some(case.program), view, &mut lines);
        above = Some(case.program);
    }
    if shown < all.len() {
        let more = format!("  {} more: ", all.len() - shown);
        lines.push(Line::of(Role::Quiet, more).with(Role::Command, format!("`tare show {} -v`", clean(&report.run))));
    }
    lines
}

fn entry(report: &Report, case: &CaseReport, failure: &Failure, fresh: bool, view: &View, lines: &mut Vec<Line>) {
    let start = Line::of(Role::Plain, "  ")
        .with(Role::Error, "error:")
        .with(Role::Plain, format!(" {}  ", case_label(report, case.case)));
    crate::findings::paragraph(start, &failure_text(failure), 4, view, lines);
    let command = report.programs.get(case.program as usize).map(|p| p.command.as_slice()).unwrap_or_default();
    if fresh && !command.is_empty() {
        let command: Vec<String> = command.iter().map(|word| shell_word(&clean(word))).collect();
        lines.push(Line::of(Role::Quiet, "    command: ").with(Role::Command, format!("`{}`", command.join(" "))));
    }
    let from = if view.is_verbose() { 0 } else { failure.output.len().saturating_sub(OUTPUT_MAX) };
    for (at, text) in failure.output[from..].iter().enumerate() {
        let label = if at == 0 { "    output:  " } else { "             " };
        let text = cut_end(&clean(text), view.columns.saturating_sub(13), view.glyphs);
        lines.push(Line::of(Role::Quiet, label).with(Role::Plain, text));
    }
    lines.extend(hint(&Hint::words(failure_hint(&failure.cause)), 4, view));
}

/// A word as a shell reads it back: quoted when it holds more than plain characters.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn words_come_back_from_a_shell_as_they_were() {
        assert_eq!(shell_word("/tmp/a-b.c"), "/tmp/a-b.c");
        assert_eq!(shell_word("two words"), "'two words'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
