//! The comment below a pull request: the verdict, why the gate failed, the rows that changed; all else is folded.

use super::notes::groups;
use super::tabulate::tabulate;
use super::words::{counts, decide_with, design, headline, remarks, rows_of, side_text, some_of, violation_text};
use super::Compared;
use crate::advice::Hint;
use crate::findings::severity;
use crate::header::{header, plural};
use crate::markdown::{block_table, code, code_block, escape, section};
use crate::screen::{View, Volume};
use crate::{clean, failure_hint, failure_text, sentence_text, Glyphs};
use tare_analysis::gate::{Judgement, Violation};
use tare_analysis::{Comparison, Finding, Verdict};

/// Charges and benchmarks of one side that are listed.
const LISTED_MAX: usize = 20;

/// The comparison as Markdown for GitHub and GitLab.
pub fn comparison_markdown(compared: &Compared, glyphs: Glyphs) -> String {
    let comparison = compared.comparison;
    let (word, what, _) = headline(comparison);
    let mut text = format!("### {word}: {}\n\n", escape(&what));
    let counts: Vec<String> = counts(comparison, glyphs).into_iter().map(|(t, _)| escape(&t)).collect();
    let sides = format!("{} against {}", code(&comparison.new.name), code(&comparison.base.name));
    text.push_str(&format!("{sides}: {}\n", counts.join(", ")));
    let parts = [
        compared.judgement.and_then(gate_markdown),
        tables(compared, &[Verdict::Slower, Verdict::Faster, Verdict::Unclear], glyphs),
        notes(comparison),
        section("Failures", failures(comparison)),
        section("Findings", findings(&comparison.findings, &comparison.command)),
        folded_tables(compared, glyphs),
        one_sided(comparison),
        Some(environment(compared, glyphs)),
    ];
    for part in parts.into_iter().flatten() {
        text.push('\n');
        text.push_str(&part);
    }
    glyphs.of(&text)
}

/// Why a gate is not passed, as Markdown; None when there is nothing to say.
pub fn gate_markdown(judgement: &Judgement) -> Option<String> {
    let item = |violation: &Violation| format!("- {}", escape(&violation_text(violation)));
    let listed = |violations: &[Violation]| {
        let mut items: Vec<String> = violations.iter().take(LISTED_MAX).map(item).collect();
        if violations.len() > LISTED_MAX {
            items.push(format!("- {} more", violations.len() - LISTED_MAX));
        }
        items
    };
    let parts = [
        section("The gate failed", listed(&judgement.failed)),
        section("The gate could not decide", listed(&judgement.undecided)),
        section("Undecided limits not requested by `--fail-on`", listed(&judgement.notes)),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

fn tables(compared: &Compared, words: &[Verdict], glyphs: Glyphs) -> Option<String> {
    let table = tabulate(compared.comparison, words, compared.top, false, glyphs);
    let mut parts = Vec::new();
    for block in &table.blocks {
        let mut text = String::new();
        block_table(&table, block, &mut text);
        parts.push(text);
    }
    (!parts.is_empty()).then(|| parts.join("\n"))
}

fn notes(comparison: &Comparison) -> Option<String> {
    let rows = rows_of(comparison, Verdict::Unclear, None).0;
    let changed: Vec<_> = comparison.rows.iter().filter(|r| r.verdict != Verdict::Same).collect();
    let mut items: Vec<String> = remarks(comparison, &changed)
        .into_iter()
        .map(|(remark, labels)| format!("- {}: {}", escape(&some_of(&labels)), escape(&clean(remark))))
        .collect();
    if let Some(command) = decide_with(comparison, &rows) {
        items.push(format!("- what decides the unclear ones: {}", code(&command)));
    }
    section("Remarks", items)
}

fn failures(comparison: &Comparison) -> Vec<String> {
    let item = |row: &tare_analysis::FailedRow| {
        let side = if row.side == 0 { &comparison.base } else { &comparison.new };
        let (what, hint) = (escape(&failure_text(&row.failure)), escape(failure_hint(&row.failure.cause)));
        let mut text = format!("- {} of {}: {what} (hint: {hint})", escape(&clean(&row.key)), code(&side.name));
        let output = &row.failure.output;
        if !output.is_empty() {
            text.push_str("\n\n");
            text.push_str(&code_block(output));
        }
        text
    };
    comparison.failed.iter().map(item).collect()
}

pub(crate) fn findings(all: &[Finding], command: &[String]) -> Vec<String> {
    let item = |(finding, others): (&Finding, usize)| {
        let (word, _) = severity(finding.severity);
        let hint = Hint::of(&finding.advice, command);
        let command = hint.command.map(|c| format!(": {}", code(&c))).unwrap_or_default();
        let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        let (evidence, advice) = (escape(&sentence_text(&finding.evidence)), escape(&hint.text));
        format!("- {word}: {}, {evidence}{more} ({advice}{command})", code(finding.code.name()))
    };
    groups(all.iter(), false).into_iter().map(item).collect()
}

/// Everything below a title that opens with a click. GitHub and GitLab want blank lines around Markdown in HTML.
fn folded(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{}\n\n</details>\n", text.trim_end())
}

fn folded_tables(compared: &Compared, glyphs: Glyphs) -> Option<String> {
    let same = Compared { top: None, ..*compared };
    let text = tables(&same, &[Verdict::Same], glyphs)?;
    Some(folded(&format!("{} the same", plural(compared.comparison.count(Verdict::Same), "benchmark")), &text))
}

fn one_sided(comparison: &Comparison) -> Option<String> {
    let lists = [
        ("Only in base", &comparison.only_base),
        ("Only in new", &comparison.only_new),
        (if comparison.why_not.is_empty() { "Not measured" } else { "Not compared" }, &comparison.not_measured),
    ];
    let listed = |(title, names): (&str, &Vec<String>)| {
        let mut items: Vec<String> =
            names.iter().take(LISTED_MAX).map(|n| format!("- {}", escape(&clean(n)))).collect();
        if names.len() > LISTED_MAX {
            items.push(format!("- {} more", names.len() - LISTED_MAX));
        }
        section(title, items)
    };
    let total: usize = lists.iter().map(|(_, names)| names.len()).sum();
    let text = lists.into_iter().filter_map(listed).collect::<Vec<_>>().join("\n");
    (total > 0).then(|| folded(&format!("{} could not be compared", plural(total, "benchmark")), &text))
}

fn environment(compared: &Compared, glyphs: Glyphs) -> String {
    let comparison = compared.comparison;
    let mut lines = vec![
        format!("base: {}", side_text(&comparison.base)),
        format!("new: {}", side_text(&comparison.new)),
        design(comparison).join(", "),
    ];
    if let Some(report) = compared.report {
        let view = View { columns: 400, glyphs, volume: Volume::Verbose, saved: false };
        lines.extend(header(report, &view).iter().map(|line| line.plain()));
    }
    let items: Vec<String> = lines.iter().filter(|l| !l.is_empty()).map(|l| format!("- {}", escape(l))).collect();
    folded("How and where it was measured", &items.join("\n"))
}
