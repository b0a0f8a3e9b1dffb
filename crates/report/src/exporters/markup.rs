//! A document in one of several markup languages that differ in little more than their signs.

use crate::elements::document::{Content, Document, Entry, List, Medium, More, Part, Volume};
use crate::elements::table::{Align, Block, Body, Row, Table};
use crate::subjects::presentation::Presentation;
use crate::words::advice::severity;
use crate::words::text::{capital, clean, quoted, Glyphs};

/// The title of a column, and whether it is right-aligned.
pub(super) type Head = (String, bool);

pub(super) struct Markup {
    pub escape: fn(&str) -> String,
    pub inline: fn(&str) -> String,
    pub code: fn(&str) -> String,
    /// Formats a title of this level, from 1; 0 is a headline.
    pub title: fn(&str, usize) -> String,
    pub table: fn(&[Head], &[Vec<String>]) -> String,
    /// Folds a part, given title and content; None: the content follows the title.
    pub fold: Option<fn(&str, &str) -> String>,
    pub fact: fn(&str) -> String,
    pub item: fn(&str) -> String,
    /// Separates a subject from its text.
    pub colon: &'static str,
    /// Formats text in place of a row's numbers.
    pub message: fn(&str, &Markup) -> String,
    pub entry: fn(&Entry, &Markup) -> String,
    pub more: fn(&More, &Markup) -> String,
}

/// The common parts of wiki languages.
pub(super) const WIKI: Markup = Markup {
    escape: str::to_owned,
    inline: str::to_owned,
    code: str::to_owned,
    title: |text, _| text.to_owned(),
    table: |_, _| String::new(),
    fold: None,
    fact: star,
    item: star,
    colon: ", ",
    message: |text, markup| markup.words(text),
    entry: wiki_entry,
    more: |more, markup| markup.words(&more.text),
};

fn star(text: &str) -> String {
    format!("* {text}\n")
}

impl Markup {
    pub fn shown(&self, shown: &Presentation) -> String {
        let glyphs = shown.view.glyphs;
        self.document(&shown.document(&Medium::page(Volume::Default, glyphs)), glyphs)
    }

    pub fn document(&self, document: &Document, glyphs: Glyphs) -> String {
        let (folded, open): (Vec<&Part>, Vec<&Part>) = document.parts.iter().partition(|part| part.folded.is_some());
        // Below a headline; without one they are top-level titles, since levels must not be skipped.
        let mut contents = document.parts.iter().flat_map(|part| &part.contents);
        let level = if contents.any(|content| matches!(content, Content::Headline { .. })) { 2 } else { 1 };
        let parts: Vec<String> = open.into_iter().chain(folded).map(|part| self.part(part, level)).collect();
        glyphs.of(&parts.join("\n"))
    }

    /// `level`: of the titles of parts and lists.
    fn part(&self, part: &Part, level: usize) -> String {
        let texts = part.contents.iter().map(|content| self.content(content, part, level));
        let text = texts.filter(|text| !text.is_empty()).collect::<Vec<String>>().join("\n");
        match (&part.folded, self.fold) {
            (None, _) => text,
            (Some(title), Some(fold)) => fold(&self.words(title), &text),
            (Some(title), None) => format!("{}\n{text}", (self.title)(&self.words(title), level)),
        }
    }

    pub fn words(&self, text: &str) -> String {
        (self.escape)(&clean(text))
    }

    /// A sentence, with text in backquotes as code.
    pub fn prose(&self, text: &str) -> String {
        let text = clean(text);
        let piece = |(piece, is_code)| if is_code { (self.inline)(piece) } else { (self.escape)(piece) };
        quoted(&text).into_iter().map(piece).collect()
    }

    fn content(&self, content: &Content, part: &Part, level: usize) -> String {
        match content {
            Content::Headline { verdict, text } => {
                let verdict = verdict.as_ref().map(|(word, _)| self.words(word) + self.colon).unwrap_or_default();
                (self.title)(&(verdict + &self.words(text)), 0)
            }
            // The folded part's title says it.
            Content::Heading(_) if part.folded.is_some() => String::new(),
            Content::Heading(text) => (self.title)(&self.words(text), level),
            Content::Counts { of, items } => {
                let items: Vec<String> = items.iter().map(|(text, _)| self.words(text)).collect();
                format!("{}{}{}\n", self.prose(of), self.colon, items.join(", "))
            }
            Content::Facts(facts) if part.folded.is_none() => {
                facts.iter().map(|fact| (self.fact)(&self.prose(&fact.text()))).collect()
            }
            Content::Facts(facts) | Content::Sheet(facts) => {
                facts.iter().map(|fact| (self.item)(&self.prose(&fact.text()))).collect()
            }
            Content::Table(table) => {
                let blocks: Vec<String> = table.blocks.iter().map(|block| self.block(table, block)).collect();
                blocks.join("\n")
            }
            Content::Note(text) => format!("{}\n", self.prose(text)),
            Content::List(list) => self.list(list, level),
            Content::More(more) => format!("{}\n", (self.more)(more, self)),
            // Not part of pages, and charts.
            Content::Brief(_) | Content::Hint(_) | Content::Next { .. } => String::new(),
            Content::Histogram { .. } | Content::Chart(_) | Content::Listing(_) => String::new(),
        }
    }

    fn block(&self, table: &Table, block: &Block) -> String {
        let is_filled = |at: usize| {
            let filled = |row: &Row| matches!(&row.body, Body::Cells(cells) if !cells[at].plain().is_empty());
            !block.titles[at].long.is_empty() || block.rows.iter().any(filled)
        };
        let shown: Vec<usize> = (0..table.columns.len()).filter(|&at| is_filled(at)).collect();
        let mut heads: Vec<Head> =
            block.heads.iter().enumerate().map(|(at, head)| (self.words(head), at > 0)).collect();
        if !block.constants.is_empty() {
            heads[0].0 = format!("{} {}", heads[0].0, self.words(&format!("({})", block.constants)));
        }
        let of_column = |&at: &usize| (self.words(&block.titles[at].long), table.columns[at].align == Align::Right);
        heads.extend(shown.iter().map(of_column));
        let cells = |row: &Row| {
            let mut cells: Vec<String> = row.heads.iter().map(|cell| self.words(&cell.plain())).collect();
            match &row.body {
                Body::Cells(body) => cells.extend(shown.iter().map(|&at| self.words(&body[at].plain()))),
                Body::Message { named, text, .. } => {
                    let named = shown.iter().filter(|&&at| at < table.naming).map(|&at| self.words(&named[at].plain()));
                    cells.extend(named);
                    cells.push((self.message)(text, self));
                }
            }
            cells.resize(heads.len().max(1), String::new());
            cells
        };
        let rows: Vec<Vec<String>> = block.rows.iter().map(cells).collect();
        (self.table)(&heads, &rows)
    }

    fn list(&self, list: &List, level: usize) -> String {
        let title = (self.title)(&self.prose(&capital(&list.title)), level) + "\n";
        let entries = list.entries.iter().map(|entry| (self.entry)(entry, self));
        let more = list.more().map(|more| (self.item)(&(self.more)(&more, self)));
        std::iter::once(title).chain(entries).chain(more).collect()
    }
}

fn wiki_entry(entry: &Entry, markup: &Markup) -> String {
    let start = match (entry.code, entry.severity) {
        (Some(name), Some(of)) => markup.words(&format!("{} {}, ", severity(of).0, name.name())),
        _ if entry.about.is_empty() => String::new(),
        _ => markup.prose(&entry.about) + markup.colon,
    };
    let mut text = format!("{start}{}", markup.prose(&entry.text));
    if let Some(hint) = &entry.hint {
        let command = hint.command.as_ref().map(|command| (markup.inline)(&clean(command)));
        let words = Some(markup.prose(&hint.text)).filter(|text| !text.is_empty());
        let parts: Vec<String> = words.into_iter().chain(command).collect();
        if !parts.is_empty() {
            text.push_str(&format!(" ({})", parts.join(", ")));
        }
    }
    let mut text = (markup.item)(&text);
    let output: Vec<String> = entry.command.iter().chain(&entry.output).map(|line| clean(line)).collect();
    if !output.is_empty() {
        text.push_str(&format!("\n{}\n\n", (markup.code)(&output.join("\n"))));
    }
    text
}
