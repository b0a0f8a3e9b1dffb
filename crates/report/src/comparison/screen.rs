//! The screen of a comparison in the three volumes.

use super::notes;
use super::tabulate::tabulate;
use super::words::{counts, decide_with, design, headline, rows_of, side_text, ORDER};
use super::Compared;
use crate::advice::worst_command;
use crate::command::resume;
use crate::layout::table_lines;
use crate::screen::{View, Volume};
use crate::{clean, width, Line, Role};
use tare_analysis::Verdict;

/// The screen of a comparison, line by line. The same comparison and the same view give the same screen, byte for byte.
pub fn comparison_screen(compared: &Compared, view: &View) -> Vec<Line> {
    let comparison = compared.comparison;
    let verbose = view.volume == Volume::Verbose;
    let quiet = view.volume == Volume::Quiet;
    let words: &[Verdict] = match view.volume {
        Volume::Verbose => &ORDER,
        _ => &[Verdict::Slower, Verdict::Faster, Verdict::Unclear],
    };
    let table = tabulate(comparison, words, compared.top, verbose, view.glyphs);
    let mut parts = vec![head(compared, view), table_lines(&table, view.columns, view.glyphs)];
    if !quiet {
        parts.push(notes::remarks(comparison, words, compared.top, view));
        parts.push(notes::one_sided(comparison, view));
    }
    parts.push(notes::failures(comparison, view));
    parts.push(notes::findings(&comparison.findings, &comparison.command, view));
    parts.push(closing(compared, view));
    let mut lines: Vec<Line> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(part);
    }
    view.glyphs.of_lines(lines)
}

/// Columns of the labels above the tables.
const LABEL: usize = 6;

fn head(compared: &Compared, view: &View) -> Vec<Line> {
    let comparison = compared.comparison;
    let (word, what, role) = headline(comparison);
    let mut lines = vec![Line::of(role, word).with(Role::Heading, format!("  {what}")).fit(view.columns, view.glyphs)];
    let counts = counts(comparison, view.glyphs);
    if counts.len() > 1 {
        lines.extend(filled(&counts, "  ", "   ", view));
    }
    if view.volume == Volume::Quiet {
        return lines;
    }
    lines.push(Line::new());
    let mut named = |name: &str, text: String| {
        lines.push(Line::of(Role::Quiet, format!("{name:<6}")).with(Role::Plain, text).fit(view.columns, view.glyphs));
    };
    named("base", side_text(&comparison.base));
    named("new", side_text(&comparison.new));
    let how: Vec<(String, Role)> = design(comparison).into_iter().map(|text| (text, Role::Plain)).collect();
    let mut first = true;
    for line in filled(&how, "", ", ", view) {
        let start = Line::of(Role::Quiet, format!("{:<6}", if first { "how" } else { "" }));
        lines.push(line.spans.into_iter().fold(start, |line, span| line.with(span.role, span.text)));
        first = false;
    }
    if let Some(report) = compared.report {
        let machine = crate::header::machine_line(report);
        lines.push(Line::of(Role::Quiet, "on    ").with(Role::Plain, machine).fit(view.columns, view.glyphs));
        let core = crate::header::core(report, "with exceptions: see `core-shared`");
        let core = if LABEL + width(&core.join("; ")) <= view.columns { vec![core.join("; ")] } else { core };
        for (at, text) in core.into_iter().filter(|text| !text.is_empty()).enumerate() {
            let label = if at == 0 { "core" } else { "" };
            let line = Line::of(Role::Quiet, format!("{label:<LABEL$}")).with(Role::Plain, text);
            lines.push(line.fit(view.columns, view.glyphs));
        }
    }
    lines
}

/// Texts over as many lines as they need; none is broken.
fn filled(texts: &[(String, Role)], indent: &str, separator: &str, view: &View) -> Vec<Line> {
    // What stands before such lines, and the comma behind them.
    const MARGIN: usize = 7;
    let mut lines = vec![Line::of(Role::Plain, indent)];
    for (at, (text, role)) in texts.iter().enumerate() {
        let line = lines.last_mut().expect("there is always a line");
        if at > 0 && line.width() + width(separator) + width(text) + MARGIN > view.columns {
            line.push(Role::Plain, separator.trim_end());
            lines.push(Line::of(Role::Plain, indent).with(*role, text.clone()));
        } else {
            line.push(Role::Plain, if at > 0 { separator } else { "" });
            line.push(*role, text.clone());
        }
    }
    lines
}

/// The next command: go on where it was stopped, decide what is unclear, follow the worst advice, or look closer.
fn closing(compared: &Compared, view: &View) -> Vec<Line> {
    let comparison = compared.comparison;
    let run = clean(&comparison.run);
    let resume = compared.report.and_then(resume).filter(|_| view.saved);
    let unclear = || decide_with(comparison, &rows_of(comparison, Verdict::Unclear, None).0);
    let advised = || worst_command(&comparison.findings, &comparison.command);
    let more = || match (view.saved && !run.is_empty(), view.volume) {
        (true, Volume::Default | Volume::Quiet) => Some(format!("tare show {run} -v")),
        (true, Volume::Verbose) => Some(format!("tare show {run} --md")),
        _ => None,
    };
    let next = resume.or_else(unclear).or_else(advised).or_else(more);
    let mut lines = Vec::new();
    if view.saved && !run.is_empty() && view.volume != Volume::Quiet {
        lines.push(Line::of(Role::Quiet, "run   ").with(Role::Command, run.clone()));
    }
    lines.extend(next.map(|command| Line::of(Role::Quiet, "next: ").with(Role::Command, clean(&command))));
    lines
}
