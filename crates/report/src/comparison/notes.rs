//! What stands below the tables: remarks, benchmarks of one side, failures, findings.

use super::words::{remarks as grouped_remarks, rows_of, some_of};
use crate::advice::{sentence_text, Hint};
use crate::findings::{hint, paragraph, severity, SHOWN_MAX};
use crate::screen::{View, Volume};
use crate::{clean, cut_end, failure_hint, failure_text, Line, Role};
use tare_analysis::{Comparison, Finding, Severity, Verdict};

/// Lines of a child's output that are shown without `-v`.
const OUTPUT_MAX: usize = 4;

/// Why words are not stronger, one entry a reason.
pub(crate) fn remarks(comparison: &Comparison, words: &[Verdict], top: Option<usize>, view: &View) -> Vec<Line> {
    let rows: Vec<_> = words.iter().flat_map(|&verdict| rows_of(comparison, verdict, top).0).collect();
    let found = grouped_remarks(comparison, &rows);
    if found.is_empty() {
        return Vec::new();
    }
    let shown = limit(found.len(), view);
    let mut lines = vec![Line::of(Role::Heading, "remarks")];
    for (remark, labels) in &found[..shown] {
        let start = Line::of(Role::Plain, format!("  {}: ", some_of(labels)));
        paragraph(start, &clean(remark), 4, view, &mut lines);
    }
    lines.extend(more(found.len() - shown));
    lines
}

/// Benchmarks that one side alone has, and those that were not reached.
pub(crate) fn one_sided(comparison: &Comparison, view: &View) -> Vec<Line> {
    let (only_base, only_new) = (&comparison.only_base, &comparison.only_new);
    let mut lines = listed("only in base", only_base, view);
    lines.extend(listed("only in new", only_new, view));
    if let (Some(old), Some(new)) = (only_base.first(), only_new.first()) {
        let example = format!("--rename {}", quoted(&format!("{}={}", clean(old), clean(new))));
        let advice = Hint { text: "to compare a renamed benchmark".to_owned(), command: Some(example) };
        lines.extend(hint(&advice, 2, view));
    }
    lines.extend(listed(comparison.not_measured_word(), &comparison.not_measured, view));
    lines
}

/// A word for a shell, always in quotes: names hold brackets, spaces and `=`.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn listed(title: &str, names: &[String], view: &View) -> Vec<Line> {
    if names.is_empty() {
        return Vec::new();
    }
    let shown = limit(names.len(), view);
    let mut lines = vec![Line::of(Role::Heading, format!("{title} ({})", names.len()))];
    let line = |name: &String| Line::of(Role::Plain, format!("  {}", clean(name))).fit(view.columns, view.glyphs);
    lines.extend(names[..shown].iter().map(line));
    lines.extend(more(names.len() - shown));
    lines
}

/// What failed, on which side and how.
pub(crate) fn failures(comparison: &Comparison, view: &View) -> Vec<Line> {
    let all = &comparison.failed;
    if all.is_empty() {
        return Vec::new();
    }
    let shown = limit(all.len(), view);
    let mut lines = vec![Line::of(Role::Heading, format!("failures ({})", all.len()))];
    for row in &all[..shown] {
        let side = if row.side == 0 { &comparison.base } else { &comparison.new };
        let start = Line::of(Role::Plain, "  ")
            .with(Role::Error, "error:")
            .with(Role::Plain, format!(" {} of `{}`  ", clean(&row.key), clean(&side.name)));
        paragraph(start, &failure_text(&row.failure), 4, view, &mut lines);
        let output = &row.failure.output;
        let from = if view.volume == Volume::Verbose { 0 } else { output.len().saturating_sub(OUTPUT_MAX) };
        for (at, text) in output[from..].iter().enumerate() {
            let label = if at == 0 { "    output:  " } else { "             " };
            let text = cut_end(&clean(text), view.columns.saturating_sub(13), view.glyphs);
            lines.push(Line::of(Role::Quiet, label).with(Role::Plain, text));
        }
        lines.extend(hint(&Hint::words(failure_hint(&row.failure.cause)), 4, view));
    }
    lines.extend(more(all.len() - shown));
    lines
}

/// The coded remarks, one entry a code.
pub(crate) fn findings(all: &[Finding], command: &[String], view: &View) -> Vec<Line> {
    let quiet = view.volume == Volume::Quiet;
    let reported = |f: &&Finding| !quiet || f.severity >= Severity::Warning;
    let groups = groups(all.iter().filter(reported), view.volume == Volume::Verbose);
    if groups.is_empty() {
        return Vec::new();
    }
    let shown = limit(groups.len(), view);
    let mut lines = vec![Line::of(Role::Heading, format!("findings ({})", all.len()))];
    for (finding, others) in &groups[..shown] {
        let (word, role) = severity(finding.severity);
        let mut line = Line::of(Role::Plain, "  ").with(role, format!("{word}:")).with(Role::Plain, " ");
        line.push(Role::Heading, finding.code.name());
        line.push(Role::Plain, "  ");
        let more = if *others > 0 { format!(" (and {others} more)") } else { String::new() };
        paragraph(line, &format!("{}{more}", sentence_text(&finding.evidence)), 4, view, &mut lines);
        if !quiet {
            lines.extend(hint(&Hint::of(&finding.advice, command), 4, view));
        }
    }
    lines.extend(more(groups.len() - shown));
    lines
}

/// Findings with the number of further ones of the same code.
pub(crate) fn groups<'a>(findings: impl Iterator<Item = &'a Finding>, each: bool) -> Vec<(&'a Finding, usize)> {
    let mut groups: Vec<(&Finding, usize)> = Vec::new();
    for finding in findings {
        let same = |(f, _): &&mut (&Finding, usize)| !each && f.code == finding.code && f.severity == finding.severity;
        match groups.iter_mut().find(same) {
            Some((_, others)) => *others += 1,
            None => groups.push((finding, 0)),
        }
    }
    groups
}

fn limit(count: usize, view: &View) -> usize {
    if view.volume == Volume::Verbose {
        count
    } else {
        count.min(SHOWN_MAX)
    }
}

fn more(count: usize) -> Option<Line> {
    (count > 0).then(|| Line::of(Role::Quiet, format!("  {count} more: ")).with(Role::Command, "`-v`"))
}
