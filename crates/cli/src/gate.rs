//! The gate on the command line: its rules from flags and `tare.toml`, its messages on stderr, its exit code.

use crate::console::Console;
use crate::failure::Failure;
use std::collections::HashSet;
use tare_analysis::gate::{Gate, Judgement, Rule, Scope, Violation};
use tare_model::{ExitCode, Run};
use tare_report::{violation_text, Line, Role, Volume};

/// Violations listed without `-v`.
const SHOWN_MAX: usize = 10;

/// The benchmarks that a gate covers. `is_project`: no paths were given, so it covers the whole project.
pub fn scope(is_project: bool, all: Vec<String>, taken: &[String]) -> Scope {
    let taken: HashSet<&String> = taken.iter().collect();
    Scope { is_whole: is_project, left_out: all.into_iter().filter(|name| !taken.contains(name)).collect() }
}

/// The gate of a stored run, with the scope of the command that made it.
pub fn of_run(gate: Gate, run: &Run) -> Gate {
    Gate { scope: Scope { is_whole: run.request.whole, left_out: Vec::new() }, ..gate }
}

/// Source of the smallest change that gets a verdict.
#[derive(Clone, Copy)]
pub enum Least {
    MinimumEffect,
    OfRun,
    Threshold,
}

/// Refuses rules that no change could break.
pub fn check(gate: &Gate, least: f64, of: Least) -> Result<(), Failure> {
    if gate.rules.iter().any(|rule| matches!(rule, Rule::Creep { .. })) {
        return Err(Failure::Usage {
            what: "`--fail-on creep` needs many runs, but this command looks at one or two".to_owned(),
            hint: "ask the history: `tare history --fail-on creep`".to_owned(),
        });
    }
    let Some(rule) = gate.too_fine(least) else { return Ok(()) };
    let wanted = tare_report::percent_set(rule.from().unwrap_or(least)).replace(' ', "");
    let least = tare_report::percent_set(least);
    let write = format!("write `--fail-on {}`", word(rule));
    let (of, hint) = match of {
        Least::MinimumEffect => ("minimum effect", format!("add `--min-effect {wanted}`, or {write}")),
        Least::OfRun => ("run's minimum effect", write),
        Least::Threshold => ("threshold of saved data", format!("add `--threshold {wanted}`, or {write}")),
    };
    Err(Failure::Usage { what: format!("`--fail-on {rule}` is below the {of} of {least}"), hint })
}

fn word(rule: &Rule) -> String {
    let text = rule.to_string();
    text.split(':').next().unwrap_or(&text).to_owned()
}

/// Explains on stderr why the gate failed, and what to do if it could not decide.
pub fn say(judgement: &Judgement, what_decides: &str, console: &Console) {
    let parts = [
        ("the gate failed", Role::Error, "error:", &judgement.failed),
        ("the gate could not decide", Role::Warning, "warning:", &judgement.undecided),
        ("undecided limits that `--fail-on` does not cover", Role::Quiet, "note:", &judgement.notes),
    ];
    for (title, role, label, violations) in parts {
        if violations.is_empty() || (label == "note:" && console.volume == Volume::Quiet) {
            continue;
        }
        let mut lines = vec![Line::of(role, label).with(Role::Plain, format!(" {title}"))];
        let shown = if console.volume == Volume::Verbose { violations.len() } else { violations.len().min(SHOWN_MAX) };
        lines.extend(
            violations[..shown].iter().map(|c: &Violation| Line::of(Role::Plain, format!("  {}", violation_text(c)))),
        );
        if shown < violations.len() {
            lines.push(Line::of(Role::Plain, format!("  {} more: `-v`", violations.len() - shown)));
        }
        console.say(&lines);
    }
    if !judgement.undecided.is_empty() {
        console.say(&[Line::of(Role::Hint, "hint:").with(Role::Plain, format!(" {what_decides}"))]);
    }
}

/// The exit code of benchmarks that failed: a file that could not be loaded may contain others.
pub fn of_failures<'a>(mut failures: impl Iterator<Item = &'a tare_model::Failure>) -> ExitCode {
    let Some(first) = failures.next() else { return ExitCode::Ok };
    match first.is_not_loaded() || failures.any(tare_model::Failure::is_not_loaded) {
        true => ExitCode::BuildFailed,
        false => ExitCode::CaseFailed,
    }
}

/// The code that takes precedence, by the order in `spec/exit-codes.md`.
pub fn worst(codes: &[ExitCode]) -> ExitCode {
    const ORDER: [ExitCode; 12] = [
        ExitCode::Interrupted,
        ExitCode::Bug,
        ExitCode::Usage,
        ExitCode::SetUp,
        ExitCode::BuildFailed,
        ExitCode::ListFailed,
        ExitCode::NothingMatched,
        ExitCode::CannotWrite,
        ExitCode::CaseFailed,
        ExitCode::ProtocolBroken,
        ExitCode::GateFailed,
        ExitCode::GateUndecided,
    ];
    ORDER.into_iter().find(|code| codes.contains(code)).unwrap_or(ExitCode::Ok)
}
