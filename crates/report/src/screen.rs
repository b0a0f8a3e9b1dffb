//! The whole screen of a run in the three volumes.

use crate::advice::{command_of, worst_command};
use crate::command::{again, resume};
use crate::failures::{failed, failures};
use crate::findings::{findings, ratios, sentence, severity};
use crate::header::{header, plural};
use crate::layout::table_lines;
use crate::number::ratio_interval;
use crate::tabulate::{measured, separate_passes, tabulate, verdict_role};
use crate::{case_label, clean, failure_text, ratio, statistics, Glyphs, Line, Role};
use tare_analysis::{Code, Outcome, Report, Severity, Verdict};

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volume {
    /// Verdicts, failures and findings alone.
    Quiet,
    /// About a line a case.
    Default,
    /// Stages, launches, the full statistics of each case with its histogram.
    Verbose,
}

/// How a report is looked at. The same report and the same view give the same screen, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Columns of the screen.
    pub columns: usize,
    /// The characters.
    pub glyphs: Glyphs,
    /// How much is said.
    pub volume: Volume,
    /// The run is in the store, so that a command can name it.
    pub saved: bool,
}

impl View {
    pub(crate) fn is_verbose(&self) -> bool {
        self.volume == Volume::Verbose
    }
}

/// The screen of a report, line by line.
pub fn screen(report: &Report, view: &View) -> Vec<Line> {
    if view.volume == Volume::Quiet {
        return view.glyphs.of_lines(quiet(report, view));
    }
    let mut parts = vec![header(report, view), table_lines(&tabulate(report, view.glyphs), view.columns, view.glyphs)];
    let passes = separate_passes(report).map(|text| Line::of(Role::Quiet, text).fit(view.columns, view.glyphs));
    parts.push(passes.into_iter().collect());
    if view.is_verbose() {
        parts.extend(
            report.cases.iter().filter_map(|case| Some(statistics::block(report, case, measured(case)?, view))),
        );
    }
    parts.push(findings(report, view));
    parts.push(failures(report, view));
    parts.push(closing(report, view));
    let mut lines: Vec<Line> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(part);
    }
    view.glyphs.of_lines(lines)
}

/// The counts in words: `1 faster, 2 slower, 1 failed`.
fn tally(report: &Report) -> Vec<(String, Role)> {
    let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unclear];
    let mut parts: Vec<(String, Role)> = Vec::new();
    for verdict in verdicts {
        let n = ratios(report).filter(|(_, r)| r.verdict == verdict).count();
        if n > 0 {
            parts.push((format!("{n} {}", verdict.word()), verdict_role(verdict)));
        }
    }
    let failed = failed(report).count();
    if failed > 0 {
        parts.push((format!("{failed} failed"), Role::Error));
    }
    let missing = report.cases.iter().filter(|c| matches!(c.outcome, Outcome::NotMeasured)).count();
    if missing > 0 {
        parts.push((format!("{missing} not measured"), Role::Warning));
    }
    parts
}

fn tally_lines(report: &Report, view: &View) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Plain, plural(report.cases.len(), "case"))];
    for (at, (text, role)) in tally(report).into_iter().enumerate() {
        let line = lines.last_mut().expect("there is always a line");
        line.push(Role::Plain, if at == 0 { ":" } else { "," });
        if line.width() + 2 + crate::width(&text) > view.columns {
            lines.push(Line::of(Role::Plain, "  ").with(role, text));
        } else {
            line.push(Role::Plain, " ");
            line.push(role, text);
        }
    }
    lines
}

/// The counts, where the table is too long to count, and the next command.
fn closing(report: &Report, view: &View) -> Vec<Line> {
    const COUNTED_AT_A_GLANCE: usize = 6;
    let mut lines = Vec::new();
    if report.cases.len() > COUNTED_AT_A_GLANCE || failed(report).next().is_some() {
        lines.extend(tally_lines(report, view));
    }
    lines.extend(next(report, view).map(|command| Line::of(Role::Quiet, "next: ").with(Role::Command, command)));
    lines
}

/// The command that a careful user would type now.
fn next(report: &Report, view: &View) -> Option<String> {
    let run = clean(&report.run);
    if let Some(command) = resume(report).filter(|_| view.saved) {
        return Some(clean(&command));
    }
    // What the finding advises, so that the screen says one thing.
    let decides = report
        .findings
        .iter()
        .filter(|f| f.code == Code::FailedToDecide)
        .find_map(|f| command_of(&f.advice, &report.command));
    let undecided = || {
        let unclear = || ratios(report).filter(|(_, r)| r.verdict == Verdict::Unclear);
        decides.or_else(|| unclear().find_map(|(_, r)| Some(again(&report.command, r.decide_with.as_ref()?))))
    };
    let advised = || worst_command(&report.findings, &report.command);
    let show = view.saved.then(|| format!("tare show {run} {}", if view.is_verbose() { "--md" } else { "-v" }));
    undecided().or_else(advised).map(|c| clean(&c)).or(show)
}

/// Verdicts, failures and serious findings, a line each.
fn quiet(report: &Report, view: &View) -> Vec<Line> {
    let mut lines = tally_lines(report, view);
    for (case, r) in ratios(report).filter(|(_, r)| r.verdict != Verdict::Same) {
        let mut line = Line::of(verdict_role(r.verdict), format!("{:<7}", r.verdict.word()));
        line.push(Role::Plain, format!("  {:<5} {}", ratio(r.ratio, &r.interval), ratio_interval(&r.interval)));
        line.push(Role::Plain, format!("  {}", case_label(report, case)));
        lines.push(line);
    }
    for (case, failure) in failed(report) {
        let what = failure_text(failure);
        let text = format!(" {}  {what}", case_label(report, case.case));
        lines.push(Line::of(Role::Error, "error:").with(Role::Plain, text));
    }
    for finding in report.findings.iter().filter(|f| f.severity >= Severity::Warning) {
        let (word, role) = severity(finding.severity);
        let text = format!(" {}  {}", finding.code, sentence(report, finding, 0));
        lines.push(Line::of(role, format!("{word}:")).with(Role::Plain, text));
    }
    lines.into_iter().map(|line| line.fit(view.columns, view.glyphs)).collect()
}
