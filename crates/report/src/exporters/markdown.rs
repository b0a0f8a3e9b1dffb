//! Markdown for GitHub and GitLab.

use super::{Exporter, Needs, NoResult, Rendered};
use crate::document::{Content, Document, Entry, List, More, Part, Piece};
use crate::findings::severity;
use crate::markdown::{block_table, code, code_block, escape, prose};
use crate::shorten::shortened;
use crate::text::capital;
use crate::{Glyphs, Medium, Volume};

pub(super) const MARKDOWN: Exporter = Exporter {
    name: "md",
    extension: ".md",
    about: "Markdown",
    details: "Markdown for GitHub",
    schema: "",
    readers: "GitHub, GitLab: comments, job summaries, files",
    common: true,
    needs: Needs::Nothing,
    render: |shown| {
        let glyphs = shown.view.glyphs;
        Rendered::Text(markdown(&shown.document(&Medium::page(Volume::Default, glyphs)), glyphs, shown.md_limit))
    },
    render_failure,
};

/// A document for pasting into GitHub or for the comment below a pull request, of at most `most` characters.
pub fn markdown(document: &Document, glyphs: Glyphs, most: Option<usize>) -> String {
    shortened(document, most, &|document| whole(document, glyphs))
}

fn whole(document: &Document, glyphs: Glyphs) -> String {
    let (folded, open): (Vec<&Part>, Vec<&Part>) = document.parts.iter().partition(|part| part.folded.is_some());
    let parts: Vec<String> = open.into_iter().chain(folded).map(part_text).collect();
    glyphs.of(&parts.join("\n"))
}

/// GitHub and GitLab want blank lines around Markdown in HTML.
fn part_text(part: &Part) -> String {
    let texts: Vec<String> = part.contents.iter().map(|content| content_text(content, part)).collect();
    let text = texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    match &part.folded {
        None => text,
        Some(title) => {
            format!("<details><summary>{}</summary>\n\n{}\n\n</details>\n", escape(title), text.trim_end())
        }
    }
}

fn content_text(content: &Content, part: &Part) -> String {
    match content {
        Content::Headline { verdict: Some((word, _)), text } => format!("### {}: {}\n", escape(word), escape(text)),
        Content::Headline { verdict: None, text } => format!("### {}\n", escape(text)),
        // The title of what is folded says it.
        Content::Heading(_) if part.folded.is_some() => String::new(),
        Content::Heading(text) => format!("**{}**\n", escape(text)),
        Content::Counts { of, items } => {
            let items: Vec<String> = items.iter().map(|(text, _)| escape(text)).collect();
            format!("{}: {}\n", pieces(of), items.join(", "))
        }
        Content::Facts(facts) if part.folded.is_none() => {
            facts.iter().map(|fact| format!("{}  \n", prose(&fact.text()))).collect()
        }
        Content::Facts(facts) | Content::Sheet(facts) => {
            facts.iter().map(|fact| format!("- {}\n", prose(&fact.text()))).collect()
        }
        Content::Table(table) => {
            let blocks: Vec<String> = table.blocks.iter().map(|block| block_table(table, block)).collect();
            blocks.join("\n")
        }
        Content::Note(text) => format!("{}\n", prose(text)),
        Content::List(list) => list_text(list),
        Content::More(found) => format!("{}\n", more(found)),
        // What a page does not have, and charts.
        Content::Brief(_) | Content::Hint(_) | Content::Next { .. } => String::new(),
        Content::Histogram { .. } | Content::Chart(_) | Content::Listing(_) => String::new(),
    }
}

fn pieces(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Words(words) => escape(words),
        Piece::Code(text) => code(text),
    };
    pieces.iter().map(text).collect()
}

fn list_text(list: &List) -> String {
    let mut items: Vec<String> = list.entries.iter().map(entry_text).collect();
    items.extend(list.more.iter().map(|found| format!("- {}", more(found))));
    format!("**{}**\n\n{}\n", prose(&capital(&list.title)), items.join("\n"))
}

fn more(more: &More) -> String {
    // A flag alone is for a terminal.
    let command = Some(&more.command).filter(|command| command.contains(' '));
    format!("{}{}", escape(&more.text), command.map(|command| format!(": {}", code(command))).unwrap_or_default())
}

fn entry_text(entry: &Entry) -> String {
    let start = match (entry.code, entry.severity) {
        (Some(name), Some(of)) => format!("{}: {}, ", severity(of).0, code(name.name())),
        _ if entry.about.is_empty() => String::new(),
        _ => format!("{}: ", pieces(&entry.about)),
    };
    let mut text = format!("- {start}{}", prose(&entry.text));
    if let Some(hint) = &entry.hint {
        let word = if entry.code.is_some() { "" } else { "hint: " };
        let command = hint.command.as_ref().map(|command| format!(": {}", code(command))).unwrap_or_default();
        match hint.text.is_empty() {
            true => text.push_str(&command),
            false => text.push_str(&format!(" ({word}{}{command})", prose(&hint.text))),
        }
    }
    if let Some(command) = &entry.command {
        text.push_str(&format!("\n\n  {}\n", code(command)));
    }
    if !entry.output.is_empty() {
        text.push_str(if entry.command.is_some() { "\n" } else { "\n\n" });
        text.push_str(&code_block(&entry.output));
    }
    text
}

fn render_failure(failure: &NoResult) -> String {
    let longest = failure.text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("### Tare: nothing was measured\n\n{fence}text\n{}{fence}\n", failure.text)
}
