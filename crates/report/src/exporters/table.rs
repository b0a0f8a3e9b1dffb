//! The screen: coloured on a terminal, plain in a file, as a code block in Markdown.

use super::{exporter, Exporter, Needs, Render, Rendered};
use crate::elements::chart::text;
use crate::elements::chart::text::histogram;
use crate::elements::document::{Content, Document, Entry, Fact, List, Medium, More, Part, View, Volume};
use crate::elements::flow::{filled, flow, hint, labelled, paragraph};
use crate::elements::layout::{table_lines, without_room};
use crate::elements::table::{Cell, Table};
use crate::parts::findings::gate;
use crate::subjects::presentation::Presentation;
use crate::words::advice::severity;
use crate::words::text::{clean, cut_end, width, wrap, Line, Role};
use tare_analysis::gate::Judgement;
use tare_model::begins_crash_report;

pub(super) const TABLE: Exporter = exporter(
    ["table", ".txt", "the screen"],
    Needs::Nothing,
    Render::Any(|shown| Rendered::Lines(screen(&shown.document(&Medium::screen(&shown.view)), &shown.view))),
    |failure| failure.text.clone(),
);

pub fn screen(document: &Document, view: &View) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for part in &document.parts {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(part.contents.iter().flat_map(|content| content_lines(content, part, view)));
    }
    view.glyphs.of_lines(lines)
}

fn content_lines(content: &Content, part: &Part, view: &View) -> Vec<Line> {
    let fit = |line: Line| line.fit(view.columns, view.glyphs);
    // Content below a heading is indented.
    let below = matches!(part.contents.first(), Some(Content::Heading(_)));
    let indent = if below { 2 } else { 0 };
    match content {
        // A sentence is never cut, but text after a verdict may be.
        Content::Headline { verdict: None, text } => vec![Line::of(Role::Heading, text.clone())],
        Content::Headline { verdict: Some((word, role)), text } => {
            vec![fit(Line::of(*role, word.clone()).with(Role::Heading, format!("  {text}")))]
        }
        Content::Heading(text) => vec![fit(Line::of(Role::Heading, text.clone()))],
        Content::Counts { of, items } => counts(of, items, view),
        Content::Facts(facts) => facts.iter().flat_map(|fact| fact_lines(fact, view)).map(fit).collect(),
        Content::Sheet(facts) => facts.iter().flat_map(|fact| sheet_lines(fact, indent, view)).collect(),
        Content::Table(table) if below => table_with_note(&indented(table), view),
        Content::Table(table) => table_with_note(table, view),
        Content::Note(text) => note(text, view),
        Content::Brief(lines) => lines.iter().cloned().map(fit).collect(),
        Content::List(list) => list_lines(list, view),
        Content::Hint(advice) => hint(advice, 2, view),
        Content::More(what) => vec![more(what, "")],
        Content::Listing(_) => Vec::new(),
        Content::Chart(chart) => text::lines(chart, indent * 2, view),
        Content::Histogram { bins, unit } => histogram(bins, *unit, indent * 2, view),
        Content::Next { run, command } => {
            let run = run.iter().map(|run| Line::of(Role::Quiet, "run   ").with(Role::Command, run.clone()));
            let next = command.iter().map(|next| Line::of(Role::Quiet, "next: ").with(Role::Command, next.clone()));
            run.chain(next).collect()
        }
    }
}

fn table_with_note(table: &Table, view: &View) -> Vec<Line> {
    let left_out = without_room(table, view.columns).map(|text| note(&text, view));
    let lines = table_lines(table, view.columns, view.glyphs);
    lines.into_iter().chain(left_out.into_iter().flatten()).collect()
}

/// A note is never cut, as it may end in a command.
fn note(text: &str, view: &View) -> Vec<Line> {
    let parts = wrap(&view.glyphs.of(text), view.columns, view.columns);
    parts.into_iter().filter(|part| !part.is_empty()).map(|part| Line::of(Role::Quiet, part)).collect()
}

fn counts(of: &str, items: &[(String, Role)], view: &View) -> Vec<Line> {
    // Counts without a label are spread out, with some room at the right.
    const SPARE: usize = 7;
    if of.is_empty() {
        return flow(Line::of(Role::Plain, "  "), 2, items, "   ", view.columns.saturating_sub(SPARE));
    }
    let colon = if items.is_empty() { "" } else { ": " };
    flow(Line::of(Role::Plain, of.to_owned() + colon), 2, items, ", ", view.columns)
}

fn fact_lines(fact: &Fact, view: &View) -> Vec<Line> {
    const LABEL: usize = 6;
    match fact {
        Fact::Title { lead, items } => vec![filled(lead.clone(), items, view)],
        Fact::Programs { items, short, size } => {
            let (all, room) = (items.join("; "), view.columns.saturating_sub(width(size) + 3));
            let text = short.as_ref().filter(|_| width(&all) > room).unwrap_or(&all);
            let text = cut_end(text, room, view.glyphs);
            vec![Line::of(Role::Plain, text).with(Role::Quiet, format!("   {size}"))]
        }
        Fact::Items { label, items, separator } => {
            let indent = if label.is_empty() { 0 } else { LABEL };
            let items: Vec<(String, Role)> = items.iter().map(|item| (item.clone(), Role::Plain)).collect();
            flow(Line::of(Role::Quiet, format!("{label:<indent$}")), indent, &items, separator, view.columns)
        }
    }
}

fn sheet_lines(fact: &Fact, indent: usize, view: &View) -> Vec<Line> {
    match fact {
        Fact::Items { label, items, .. } => labelled(label, items, indent, view),
        other => fact_lines(other, view),
    }
}

/// A table below a heading, with its title aligned with the rows.
fn indented(table: &Table) -> Table {
    let mut table = table.clone();
    for block in &mut table.blocks {
        block.heads[0].insert_str(0, "    ");
        for row in &mut block.rows {
            row.heads[0] = Cell::text(format!("  {}", row.heads[0].plain()));
        }
    }
    table
}

fn list_lines(list: &List, view: &View) -> Vec<Line> {
    if let (true, Some(what)) = (list.entries.is_empty(), list.more()) {
        let title = if list.hidden == 1 { list.title.trim_end_matches('s') } else { &list.title };
        return vec![more(&More { text: format!("{} {title}", list.hidden), ..what }, "")];
    }
    let count = list.count.map(|count| format!(" ({count})")).unwrap_or_default();
    let mut lines = vec![Line::of(Role::Heading, format!("{}{count}", list.title))];
    let mut above = None;
    for entry in &list.entries {
        // Adjacent failures of one program share its command.
        let command = entry.command.as_ref().filter(|command| above != Some(*command));
        entry_lines(entry, command, view, &mut lines);
        above = entry.command.as_ref();
    }
    lines.extend(list.more().iter().map(|what| more(what, "  ")));
    lines
}

fn more(more: &More, indent: &str) -> Line {
    let line = Line::of(Role::Quiet, format!("{indent}{}", more.text));
    if more.command.is_empty() {
        return line;
    }
    line.with(Role::Quiet, ": ").with(Role::Command, format!("`{}`", more.command))
}

fn entry_lines(entry: &Entry, command: Option<&String>, view: &View, lines: &mut Vec<Line>) {
    let mut start = Line::of(Role::Plain, "  ");
    if let Some((word, role)) = entry.severity.map(severity) {
        start.push(role, format!("{word}:"));
        start.push(Role::Plain, " ");
    }
    if let Some(code) = entry.code {
        start.push(Role::Heading, code.name());
        start.push(Role::Plain, "  ");
    }
    if !entry.about.is_empty() {
        let behind = if entry.severity.is_some() { "  " } else { ": " };
        start.push(Role::Plain, entry.about.clone() + behind);
    } else if entry.severity.is_none() {
        lines.push(start.with(Role::Plain, entry.text.clone()).fit(view.columns, view.glyphs));
        return;
    }
    paragraph(start, &entry.text, 4, view, lines);
    lines.extend(
        command.map(|command| Line::of(Role::Quiet, "    command: ").with(Role::Command, format!("`{command}`"))),
    );
    output(&entry.output, view, lines);
    lines.extend(entry.hint.iter().flat_map(|advice| hint(advice, 4, view)));
}

/// A child's output: the last lines, or the first ones of a crash report; with `-v` everything kept.
fn output(output: &[String], view: &View, lines: &mut Vec<Line>) {
    let shown_max = if view.volume == Volume::Verbose { usize::MAX } else { 4 };
    let is_crash = output.first().is_some_and(|line| begins_crash_report(line));
    let from = if is_crash { 0 } else { output.len().saturating_sub(shown_max) };
    for (at, text) in output[from..].iter().take(shown_max).enumerate() {
        let label = if at == 0 { "    output:  " } else { "             " };
        let text = cut_end(&clean(text), view.columns.saturating_sub(13), view.glyphs);
        lines.push(Line::of(Role::Quiet, label).with(Role::Plain, text));
    }
}

pub(super) const STACK_OVERFLOW: Exporter = exporter(
    ["stack-overflow", ".stackoverflow.md", "Markdown with the table as a code block"],
    Needs::Nothing,
    Render::Text(stack_overflow),
    |failure| code_block(&failure.text),
);

fn stack_overflow(shown: &Presentation) -> String {
    let view = View { columns: 100, ..shown.view };
    let mut document = shown.document(&Medium { saved: false, ..Medium::screen(&view) });
    // Readers did not run the command.
    for part in &mut document.parts {
        part.contents.retain(|content| !matches!(content, Content::Next { .. }));
    }
    document.parts.retain(|part| !part.contents.is_empty());
    let text: String = screen(&document, &view).iter().map(|line| line.plain() + "\n").collect();
    code_block(&text)
}

fn code_block(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

/// The screen's text about the gate, for a file whose readers do not see standard error.
pub fn gate_lines(judgement: &Judgement, view: &View) -> Vec<Line> {
    let mut document = Document::default();
    document.add(gate(Some(judgement)));
    screen(&document, view)
}
