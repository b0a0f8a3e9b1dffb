//! Wraps text to the width of a terminal.

use crate::elements::document::View;
use crate::words::advice::Hint;
use crate::words::text::{clean, width, wrap, Line, Role};

/// Wraps prose after the start of a line, indented from the second line.
pub fn paragraph(start: Line, text: &str, indent: usize, view: &View, lines: &mut Vec<Line>) {
    let (mut line, text) = (start, view.glyphs.of(text));
    let first = view.columns.saturating_sub(line.width());
    let mut parts = wrap(&text, first, view.columns.saturating_sub(indent).max(20)).into_iter();
    line.push(Role::Plain, parts.next().unwrap_or_default());
    lines.push(line);
    lines.extend(parts.map(|part| Line::of(Role::Plain, " ".repeat(indent) + &part)));
}

/// `hint: what to do: command`. The command is never broken, even if it is longer than the line.
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
    if last.width() + 1 + width(&command) <= view.columns {
        last.push(Role::Plain, " ");
        last.push(Role::Command, command);
    } else {
        lines.push(Line::of(Role::Plain, " ".repeat(indent + 6)).with(Role::Command, command));
    }
    lines
}

/// Adds as many of the texts as fit, most important first.
pub(crate) fn filled(mut line: Line, texts: &[String], view: &View) -> Line {
    for (at, text) in texts.iter().enumerate() {
        let text = if at == 0 { text.clone() } else { format!(", {text}") };
        if at > 0 && line.width() + width(&text) > view.columns {
            break;
        }
        line.push(Role::Plain, text);
    }
    line.fit(view.columns, view.glyphs)
}

/// Texts after the start of a line, on as many lines as needed, without breaking any; a comma stays at the end of its line.
pub(crate) fn flow(start: Line, indent: usize, texts: &[(String, Role)], separator: &str, columns: usize) -> Vec<Line> {
    let comma = if separator.starts_with(',') { "," } else { "" };
    let mut lines = vec![start];
    for (at, (text, role)) in texts.iter().enumerate() {
        let line = lines.last_mut().expect("there is always a line");
        if at > 0 && line.width() + width(separator) + width(text) + comma.len() > columns {
            line.push(Role::Plain, comma);
            lines.push(Line::of(Role::Plain, " ".repeat(indent)).with(*role, text.clone()));
        } else {
            line.push(Role::Plain, if at > 0 { separator } else { "" });
            line.push(*role, text.clone());
        }
    }
    lines
}

/// `name  item, item` on as many lines as needed. Items longer than a line are broken; nothing is cut.
pub(crate) fn labelled(name: &str, items: &[String], indent: usize, view: &View) -> Vec<Line> {
    const LABEL: usize = 10;
    let start = |name: &str| {
        let mut line = Line::of(Role::Plain, " ".repeat(indent)).with(Role::Quiet, name);
        line.pad_to(indent + LABEL);
        line
    };
    let mut lines = vec![start(name)];
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 < items.len() { "," } else { "" };
        let item = format!("{item}{comma}");
        let line = lines.last_mut().expect("there is always a line");
        let fresh = line.width() == indent + LABEL;
        if !fresh && line.width() + 1 + width(&item) > view.columns || indent + LABEL + width(&item) > view.columns {
            let room = view.columns.saturating_sub(indent + LABEL).max(20);
            let first = if fresh { room } else { 0 };
            let mut parts = wrap(&item, first, room).into_iter();
            line.push(Role::Plain, parts.next().unwrap_or_default());
            lines.extend(parts.map(|part| start("").with(Role::Plain, part)));
        } else {
            line.push(Role::Plain, if fresh { item } else { format!(" {item}") });
        }
    }
    lines
}
