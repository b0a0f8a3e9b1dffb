//! Markup for wikis: a document in one of several languages that differ in little more than their signs.

use super::Presentation;
use crate::document::{Content, Entry, List, Part, Piece};
use crate::findings::severity;
use crate::table::{Align, Block, Body, Table};
use crate::text::{capital, quoted};
use crate::{clean, Medium, Volume};

/// The title of a column, and whether it is aligned right.
pub(super) type Head = (String, bool);

pub(super) struct Wiki {
    /// Text of others made harmless; it has no control characters.
    pub escape: fn(&str) -> String,
    /// The same as what is typed, inside a sentence.
    pub inline: fn(&str) -> String,
    /// What a program printed, as it is.
    pub code: fn(&str) -> String,
    /// A title of this level, from 1.
    pub title: fn(&str, usize) -> String,
    /// An item of a list.
    pub item: fn(&str) -> String,
    /// Titles of columns, and rows.
    pub table: fn(&[Head], &[Vec<String>]) -> String,
}

/// What is shown, with folded parts last.
pub(super) fn document(shown: &Presentation, wiki: &Wiki) -> String {
    let glyphs = shown.view.glyphs;
    let document = shown.document(&Medium::page(Volume::Default, glyphs));
    let (folded, open): (Vec<&Part>, Vec<&Part>) = document.parts.iter().partition(|part| part.folded.is_some());
    // Below a headline; where there is none they are the first ones, since no level may be left out.
    let has_headline = document
        .parts
        .iter()
        .flat_map(|part| &part.contents)
        .any(|content| matches!(content, Content::Headline { .. }));
    let level = if has_headline { 2 } else { 1 };
    let parts: Vec<String> = open.into_iter().chain(folded).map(|part| part_text(part, level, wiki)).collect();
    glyphs.of(&parts.join("\n"))
}

/// `level`: of the titles of parts and lists.
fn part_text(part: &Part, level: usize, wiki: &Wiki) -> String {
    let title = part.folded.iter().map(|title| (wiki.title)(&words(title, wiki), level));
    let contents = part.contents.iter().map(|content| content_text(content, part, level, wiki));
    title.chain(contents).filter(|text| !text.is_empty()).collect::<Vec<String>>().join("\n")
}

/// Text of others, harmless.
fn words(text: &str, wiki: &Wiki) -> String {
    (wiki.escape)(&clean(text))
}

/// A sentence: what stands in backquotes is code.
fn prose(text: &str, wiki: &Wiki) -> String {
    let text = clean(text);
    let piece = |(piece, is_code)| if is_code { (wiki.inline)(piece) } else { (wiki.escape)(piece) };
    quoted(&text).into_iter().map(piece).collect()
}

fn content_text(content: &Content, part: &Part, level: usize, wiki: &Wiki) -> String {
    match content {
        Content::Headline { verdict: Some((word, _)), text } => {
            (wiki.title)(&format!("{}, {}", words(word, wiki), words(text, wiki)), 1)
        }
        Content::Headline { verdict: None, text } => (wiki.title)(&words(text, wiki), 1),
        // The title of what is folded says it.
        Content::Heading(_) if part.folded.is_some() => String::new(),
        Content::Heading(text) => (wiki.title)(&words(text, wiki), level),
        Content::Counts { of, items } => {
            let items: Vec<String> = items.iter().map(|(text, _)| words(text, wiki)).collect();
            format!("{}, {}\n", pieces(of, wiki), items.join(", "))
        }
        Content::Facts(facts) | Content::Sheet(facts) => {
            facts.iter().map(|fact| (wiki.item)(&prose(&fact.text(), wiki))).collect()
        }
        Content::Table(table) => {
            let blocks: Vec<String> = table.blocks.iter().map(|block| block_text(table, block, wiki)).collect();
            blocks.join("\n")
        }
        Content::Note(text) => format!("{}\n", prose(text, wiki)),
        Content::List(list) => list_text(list, level, wiki),
        Content::More(more) => format!("{}\n", words(&more.text, wiki)),
        // What a page does not have, and charts.
        Content::Brief(_) | Content::Hint(_) | Content::Next { .. } => String::new(),
        Content::Histogram { .. } | Content::Chart(_) | Content::Listing(_) => String::new(),
    }
}

fn pieces(pieces: &[Piece], wiki: &Wiki) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Words(text) => words(text, wiki),
        Piece::Code(text) => (wiki.inline)(&clean(text)),
    };
    pieces.iter().map(text).collect()
}

fn block_text(table: &Table, block: &Block, wiki: &Wiki) -> String {
    let is_filled = |at: usize| {
        let filled = |row: &crate::Row| matches!(&row.body, Body::Cells(cells) if !cells[at].plain().is_empty());
        !block.titles[at].long.is_empty() || block.rows.iter().any(filled)
    };
    let shown: Vec<usize> = (0..table.columns.len()).filter(|&at| is_filled(at)).collect();
    let mut heads: Vec<Head> = block.heads.iter().enumerate().map(|(at, head)| (words(head, wiki), at > 0)).collect();
    if !block.constants.is_empty() {
        heads[0].0 = format!("{} {}", heads[0].0, words(&format!("({})", block.constants), wiki));
    }
    let of_column = |&at: &usize| (words(&block.titles[at].long, wiki), table.columns[at].align == Align::Right);
    heads.extend(shown.iter().map(of_column));
    let cells = |row: &crate::Row| {
        let mut cells: Vec<String> = row.heads.iter().map(|cell| words(&cell.plain(), wiki)).collect();
        match &row.body {
            Body::Cells(body) => cells.extend(shown.iter().map(|&at| words(&body[at].plain(), wiki))),
            Body::Message { named, text, .. } => {
                let named = shown.iter().filter(|&&at| at < table.naming).map(|&at| words(&named[at].plain(), wiki));
                cells.extend(named);
                cells.push(words(text, wiki));
            }
        }
        cells.resize(heads.len().max(1), String::new());
        cells
    };
    let rows: Vec<Vec<String>> = block.rows.iter().map(cells).collect();
    (wiki.table)(&heads, &rows)
}

fn list_text(list: &List, level: usize, wiki: &Wiki) -> String {
    let mut text = (wiki.title)(&prose(&capital(&list.title), wiki), level) + "\n";
    for entry in &list.entries {
        text.push_str(&entry_text(entry, wiki));
    }
    if let Some(more) = &list.more {
        text.push_str(&(wiki.item)(&words(&more.text, wiki)));
    }
    text
}

fn entry_text(entry: &Entry, wiki: &Wiki) -> String {
    let start = match (entry.code, entry.severity) {
        (Some(name), Some(of)) => words(&format!("{} {}, ", severity(of).0, name.name()), wiki),
        _ if entry.about.is_empty() => String::new(),
        _ => pieces(&entry.about, wiki) + ", ",
    };
    let mut text = format!("{start}{}", prose(&entry.text, wiki));
    if let Some(hint) = &entry.hint {
        let command = hint.command.as_ref().map(|command| (wiki.inline)(&clean(command)));
        let text_of_hint = Some(prose(&hint.text, wiki)).filter(|text| !text.is_empty());
        let parts: Vec<String> = text_of_hint.into_iter().chain(command).collect();
        if !parts.is_empty() {
            text.push_str(&format!(" ({})", parts.join(", ")));
        }
    }
    let mut text = (wiki.item)(&text);
    let output: Vec<String> = entry.command.iter().chain(&entry.output).map(|line| clean(line)).collect();
    if !output.is_empty() {
        text.push_str(&format!("\n{}\n\n", (wiki.code)(&output.join("\n"))));
    }
    text
}
