//! The coded remarks below the table.

use crate::advice::{sentence_text, Hint};
use crate::header::plural;
use crate::screen::View;
use crate::tabulate::measured;
use crate::text::wrap;
use crate::{case_label, clean, Line, Role};
use tare_analysis::{Code, Finding, RatioReport, Report, Severity};

/// What is shown of a kind before `-v` is needed.
pub(crate) const SHOWN_MAX: usize = 5;

/// A finding with the number of further cases that have the same.
struct Group<'a> {
    first: &'a Finding,
    others: usize,
}

/// Notes about what is right more often than wrong: `-v` shows them.
const ASKED_FOR: [Code; 1] = [Code::DifferentResults];

/// Whether a finding is worth a line without `-v`.
pub(crate) fn speaks_up(finding: &Finding) -> bool {
    finding.severity > Severity::Note || !ASKED_FOR.contains(&finding.code)
}

/// The findings, one entry a code (with `-v` one entry each).
pub(crate) fn findings(report: &Report, view: &View) -> Vec<Line> {
    let reported: Vec<&Finding> = report.findings.iter().filter(|f| view.is_verbose() || speaks_up(f)).collect();
    let groups = grouped(&reported, view.is_verbose());
    if groups.is_empty() {
        return Vec::new();
    }
    let shown = if view.is_verbose() { groups.len() } else { SHOWN_MAX.min(groups.len()) };
    let mut lines = vec![Line::of(Role::Heading, format!("findings ({})", reported.len()))];
    for group in &groups[..shown] {
        entry(report, group, view, &mut lines);
    }
    if shown < groups.len() {
        let more = format!("  {} more kinds: ", groups.len() - shown);
        lines.push(Line::of(Role::Quiet, more).with(Role::Command, format!("`tare show {} -v`", clean(&report.run))));
    }
    lines
}

fn grouped<'a>(findings: &[&'a Finding], each: bool) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for finding in findings {
        let same = |g: &&mut Group| !each && g.first.code == finding.code && g.first.severity == finding.severity;
        match groups.iter_mut().find(same) {
            Some(group) => group.others += 1,
            None => groups.push(Group { first: finding, others: 0 }),
        }
    }
    groups
}

/// Word and role of a severity.
pub(crate) fn severity(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Note => ("note", Role::Quiet),
        Severity::Warning => ("warning", Role::Warning),
        Severity::Error => ("error", Role::Error),
    }
}

/// `group/name: evidence (and 2 other cases)`.
pub(crate) fn sentence(report: &Report, finding: &Finding, others: usize) -> String {
    let place = finding.case.map(|case| format!("{}: ", case_label(report, case))).unwrap_or_default();
    let more = match others {
        0 => String::new(),
        n => format!(" (and {})", plural(n, "other case")),
    };
    format!("{place}{}{more}", sentence_text(&finding.evidence))
}

fn entry(report: &Report, group: &Group, view: &View, lines: &mut Vec<Line>) {
    let (word, role) = severity(group.first.severity);
    let mut line = Line::of(Role::Plain, "  ").with(role, format!("{word}:")).with(Role::Plain, " ");
    line.push(Role::Heading, group.first.code.name());
    line.push(Role::Plain, "  ");
    paragraph(line, &sentence(report, group.first, group.others), 4, view, lines);
    lines.extend(hint(&Hint::of(&group.first.advice, &report.command), 4, view));
}

/// Prose behind the start of a line, broken at the width and indented from the second line on.
pub fn paragraph(start: Line, text: &str, indent: usize, view: &View, lines: &mut Vec<Line>) {
    let (mut line, text) = (start, view.glyphs.of(text));
    let first = view.columns.saturating_sub(line.width());
    let mut parts = wrap(&text, first, view.columns.saturating_sub(indent).max(20)).into_iter();
    line.push(Role::Plain, parts.next().unwrap_or_default());
    lines.push(line);
    lines.extend(parts.map(|part| Line::of(Role::Plain, " ".repeat(indent) + &part)));
}

/// `hint: what to do: command`; the command stands in one piece, also when it is longer than the line.
pub(crate) fn hint(hint: &Hint, indent: usize, view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    let start = Line::of(Role::Plain, " ".repeat(indent)).with(Role::Hint, "hint:").with(Role::Plain, " ");
    let text = clean(&hint.text);
    let Some(command) = hint.command.as_deref().map(|c| format!("`{}`", clean(c))) else {
        paragraph(start, &text, indent + 6, view, &mut lines);
        return lines;
    };
    if text.is_empty() {
        return vec![start.with(Role::Command, command)];
    }
    paragraph(start, &format!("{text}:"), indent + 6, view, &mut lines);
    let last = lines.last_mut().expect("a paragraph has a line");
    if last.width() + 1 + crate::width(&command) <= view.columns {
        last.push(Role::Plain, " ");
        last.push(Role::Command, command);
    } else {
        lines.push(Line::of(Role::Plain, " ".repeat(indent + 6)).with(Role::Command, command));
    }
    lines
}

/// The comparisons of a report with the index of their case.
pub(crate) fn ratios(report: &Report) -> impl Iterator<Item = (u32, &RatioReport)> {
    report.cases.iter().filter_map(|c| Some((c.case, measured(c)?.ratio.as_ref()?)))
}
