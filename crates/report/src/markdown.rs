//! The report as Markdown that can be pasted into GitHub: one table a group, then findings and failures.

use crate::failures::{failed, shell_word};
use crate::findings::{sentence, severity, speaks_up};
use crate::header::header;
use crate::screen::{View, Volume};
use crate::table::{Align, Block, Body, Table};
use crate::{case_label, clean, failure_text, tabulate, Glyphs};
use tare_analysis::Report;

/// The report as Markdown.
pub fn markdown(report: &Report, glyphs: Glyphs) -> String {
    let table = tabulate(report, glyphs);
    let view = View { columns: 400, glyphs, volume: Volume::Default, saved: false };
    let mut text = String::new();
    for line in header(report, &view) {
        text.push_str(&escape(&line.plain()));
        text.push_str("  \n");
    }
    for block in &table.blocks {
        text.push('\n');
        block_table(&table, block, &mut text);
    }
    for section in [findings(report), failures(report)].into_iter().flatten() {
        text.push('\n');
        text.push_str(&section);
    }
    glyphs.of(&text)
}

/// Names of others must not become markup; a bar would end the cell.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// Inline code whose fence is longer than any run of backquotes in it.
pub(crate) fn code(text: &str) -> String {
    let text = clean(text);
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

pub(crate) fn block_table(table: &Table, block: &Block, text: &mut String) {
    let shown: Vec<usize> = (0..table.columns.len()).filter(|&at| has_content(block, at)).collect();
    let mut titles: Vec<String> = block.heads.clone();
    if !block.constants.is_empty() {
        titles[0] = format!("{} ({})", titles[0], block.constants);
    }
    titles.extend(shown.iter().map(|&at| block.titles[at].long.clone()));
    let mut rules: Vec<&str> = vec!["---"];
    rules.extend(block.heads.iter().skip(1).map(|_| "---:"));
    rules.extend(shown.iter().map(|&at| if table.columns[at].align == Align::Right { "---:" } else { "---" }));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push_str(&line(titles.iter().map(|t| escape(t)).collect()));
    text.push_str(&format!("|{}|\n", rules.join("|")));
    for row in &block.rows {
        let mut cells: Vec<String> = row.heads.iter().map(|c| escape(&c.plain())).collect();
        match &row.body {
            Body::Cells(body) => cells.extend(shown.iter().map(|&at| escape(&body[at].plain()))),
            Body::Message { named, text, .. } => {
                let named: Vec<String> =
                    shown.iter().filter(|&&at| at < table.naming).map(|&at| escape(&named[at].plain())).collect();
                let missing = shown.len() - named.len();
                cells.extend(named);
                if missing > 0 {
                    cells.push(escape(text));
                    cells.extend(std::iter::repeat_n(String::new(), missing - 1));
                }
            }
        }
        text.push_str(&line(cells));
    }
}

fn has_content(block: &Block, at: usize) -> bool {
    let filled = |row: &crate::Row| match &row.body {
        Body::Cells(cells) => !cells[at].plain().is_empty(),
        Body::Message { .. } => false,
    };
    !block.titles[at].long.is_empty() || block.rows.iter().any(filled)
}

pub(crate) fn section(title: &str, items: Vec<String>) -> Option<String> {
    (!items.is_empty()).then(|| format!("**{title}**\n\n{}\n", items.join("\n")))
}

fn findings(report: &Report) -> Option<String> {
    let item = |finding: &tare_model::Finding| {
        let (word, _) = severity(finding.severity);
        let command = finding.advice.command.as_deref().map(|c| format!(": {}", code(c))).unwrap_or_default();
        let advice = escape(&clean(&finding.advice.text));
        format!("- {word}: {}, {} ({advice}{command})", code(&finding.code), escape(&sentence(report, finding, 0)))
    };
    section("Findings", report.findings.iter().filter(|f| speaks_up(f)).map(item).collect())
}

fn failures(report: &Report) -> Option<String> {
    let item = |(case, failure): (&tare_analysis::CaseReport, &tare_model::Failure)| {
        let what = failure_text(failure);
        let mut text = format!(
            "- {}: {} (hint: {})",
            escape(&case_label(report, case.case)),
            escape(&what),
            escape(failure.cause.hint())
        );
        let command = report.programs.get(case.program as usize).map(|p| p.command.as_slice()).unwrap_or_default();
        if !command.is_empty() {
            let words: Vec<String> = command.iter().map(|w| shell_word(&clean(w))).collect();
            text.push_str(&format!("\n\n  {}\n", code(&words.join(" "))));
        }
        if !failure.output.is_empty() {
            let fence = if failure.output.iter().any(|l| l.contains("```")) { "~~~~" } else { "```" };
            let lines: Vec<String> = failure.output.iter().map(|l| format!("  {}", clean(l))).collect();
            text.push_str(&format!("\n  {fence}text\n{}\n  {fence}\n", lines.join("\n")));
        }
        text
    };
    section("Failures", failed(report).map(item).collect())
}
