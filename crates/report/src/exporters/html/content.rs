//! The parts of a document as HTML elements.

use super::base64;
use super::{role, table};
use crate::elements::chart::svg::{chart, escape, is_wide};
use crate::elements::chart::Chart;
use crate::elements::document::{Content, Entry, Fact, List, ListingRow, More, Part};
use crate::words::advice::{severity, Hint};
use crate::words::text::{capital, clean, quoted};

pub(super) fn lines(text: &str) -> String {
    text.lines().map(|line| escape(line) + "\n").collect()
}

pub(super) fn part(part: &Part, page: &mut String) {
    let folded = |class: &str, title: String, id: &str| {
        format!("<details class=\"{class}\"><summary>{title}</summary><div class=\"body\"{id}>\n")
    };
    let (start, end) = match (&part.folded, &part.anchor) {
        // The anchor is on the content, because a browser opens the element around a link's target.
        (Some(title), Some(anchor)) => {
            (folded("case", name(title), &format!(" id=\"{}\"", escape(anchor))), "</div></details>\n")
        }
        (Some(title), None) => (folded("fold", escape(title), ""), "</div></details>\n"),
        _ => ("<section>\n".to_owned(), "</section>\n"),
    };
    page.push_str(&start);
    contents(part, page);
    page.push_str(end);
}

/// A sentence, with text in backquotes as code.
fn prose(text: &str) -> String {
    // A number and its unit stay together.
    let text = &text.replace(" %", "\u{a0}%");
    let piece = |(piece, is_code)| match is_code {
        true => format!("<code>{}</code>", unbroken(piece)),
        false => unbroken(piece),
    };
    quoted(text).into_iter().map(piece).collect()
}

/// A text with unbreakable flags: a browser would break a line after any `-`.
pub(super) fn unbroken(text: &str) -> String {
    let word = |word: &str| {
        let flag = word.split('=').next().filter(|flag| flag.starts_with('-') && flag.len() > 1).unwrap_or_default();
        let (flag, rest) = (escape(flag), escape(&word[flag.len()..]));
        if flag.is_empty() {
            rest
        } else {
            format!("<span>{flag}</span>{rest}")
        }
    };
    text.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

/// A line of the head: with many programs only their number, since they are listed below.
fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Programs { short: Some(short), size, .. } => prose(&format!("{short}; {size}")),
        // These are separated by spaces on a screen.
        other => {
            let text = other.text();
            let items: Vec<&str> = text.split("  ").map(str::trim).filter(|item| !item.is_empty()).collect();
            prose(&items.join(" · "))
        }
    }
}

/// A case's name: isolated from the surrounding writing direction, with break opportunities.
pub(super) fn name(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text).replace('/', "/<wbr>").replace('[', "<wbr>["))
}

fn contents(part: &Part, page: &mut String) {
    let mut at = 0;
    while let Some(content) = part.contents.get(at) {
        if let Content::Chart(_) = content {
            // Consecutive charts share rows.
            let charts = part.contents[at..].iter().map_while(|content| match content {
                Content::Chart(chart) => Some(chart.as_ref()),
                _ => None,
            });
            let charts: Vec<&Chart> = charts.collect();
            at += charts.len();
            page.push_str("<div class=\"charts\">\n");
            charts.into_iter().for_each(|chart| figure(chart, page));
            page.push_str("</div>\n");
            continue;
        }
        one(content, page);
        at += 1;
    }
}

fn figure(drawn: &Chart, page: &mut String) {
    let start = if is_wide(drawn) { "<figure class=\"wide\">" } else { "<figure>" };
    page.push_str(&format!(
        "{start}<figcaption><b>{}</b> {}</figcaption>{}</figure>\n",
        escape(&drawn.title),
        escape(&drawn.reading),
        chart(drawn)
    ));
}

fn one(content: &Content, page: &mut String) {
    match content {
        Content::Headline { verdict, text } => {
            let word = verdict
                .as_ref()
                .map(|(word, of)| format!("<b class=\"{}\">{}</b> ", role(*of).unwrap_or("r-same"), escape(word)));
            page.push_str(&format!("<h1 class=\"verdict\">{}{}</h1>\n", word.unwrap_or_default(), escape(text)));
        }
        Content::Heading(text) => page.push_str(&format!("<h2>{}</h2>\n", escape(text))),
        Content::Counts { of, items } => {
            let chips = items.iter().map(|(text, of)| {
                format!("<li class=\"chip {}\">{}</li>", role(*of).unwrap_or("r-same"), escape(text))
            });
            page.push_str(&format!(
                "<p class=\"of\">{}</p><ul class=\"counts\">{}</ul>\n",
                prose(of),
                chips.collect::<String>()
            ));
        }
        Content::Facts(facts) => {
            page.push_str("<div class=\"facts\">");
            facts.iter().for_each(|one| page.push_str(&format!("<p>{}</p>", fact(one))));
            page.push_str("</div>\n");
        }
        Content::Sheet(facts) => sheet(facts, page),
        Content::Table(found) => table::table(found, page),
        Content::Note(text) => page.push_str(&format!("<p class=\"note\">{}</p>\n", prose(text))),
        Content::Brief(_) | Content::Histogram { .. } | Content::Next { .. } => {}
        Content::List(found) => list(found, page),
        Content::Hint(found) => page.push_str(&format!("<p class=\"hint\">{}</p>\n", hint(found))),
        Content::More(found) => page.push_str(&format!("<p class=\"note\">{}</p>\n", more(found))),
        Content::Chart(chart) => figure(chart, page),
        Content::Listing(rows) => code(rows, page),
    }
}

/// Machine code, darker with more samples.
fn code(rows: &[ListingRow], page: &mut String) {
    let has_samples = rows.iter().flat_map(|row| &row.cells).any(|cell| cell.samples > 0);
    page.push_str("<div class=\"scroll\"><table class=\"code\">\n");
    for row in rows {
        page.push_str(if row.sign.is_empty() { "<tr>" } else { "<tr class=\"differs\">" });
        for (at, cell) in row.cells.iter().enumerate() {
            if at > 0 {
                page.push_str(&format!("<td class=\"sign\">{}</td>", escape(row.sign)));
            }
            if has_samples {
                let numbers = match cell.samples {
                    0 => String::new(),
                    samples => format!("{:.1}\u{a0}% <small>{samples}</small>", 100.0 * cell.share),
                };
                page.push_str(&format!("<td class=\"n\">{numbers}</td>"));
            }
            let text = if cell.is_hottest { format!("<b>{}</b>", escape(&cell.text)) } else { escape(&cell.text) };
            page.push_str(&format!("<td{}>{text}</td>", heat(cell.share)));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// The class for a share, in visibly different steps.
fn heat(share: f64) -> &'static str {
    match share {
        share if share >= 0.3 => " class=\"heat5\"",
        share if share >= 0.15 => " class=\"heat4\"",
        share if share >= 0.07 => " class=\"heat3\"",
        share if share >= 0.03 => " class=\"heat2\"",
        share if share >= 0.01 => " class=\"heat1\"",
        _ => "",
    }
}

fn sheet(facts: &[Fact], page: &mut String) {
    page.push_str("<dl class=\"sheet\">");
    for fact in facts {
        let (label, items) = match fact {
            Fact::Items { label, items, .. } => (label.clone(), items.clone()),
            Fact::Title { lead, items } => {
                ("run".to_owned(), std::iter::once(lead.plain()).chain(items.iter().cloned()).collect())
            }
            Fact::Programs { items, size, .. } => {
                ("programs".to_owned(), items.iter().cloned().chain([size.clone()]).collect())
            }
        };
        let items: Vec<String> = items.iter().map(|item| escape(item)).collect();
        let label = if label.is_empty() { "facts" } else { &label };
        page.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(label), items.join(" · ")));
    }
    page.push_str("</dl>\n");
}

fn list(list: &List, page: &mut String) {
    let count = list.count.map(|count| format!(" <span class=\"r-quiet\">{count}</span>")).unwrap_or_default();
    page.push_str(&format!("<h2>{}{count}</h2>\n<ul class=\"list\">\n", prose(&capital(&list.title))));
    list.entries.iter().for_each(|found| entry(found, page));
    page.push_str("</ul>\n");
    if let Some(found) = list.more() {
        page.push_str(&format!("<p class=\"note\">{}</p>\n", more(&found)));
    }
}

fn entry(entry: &Entry, page: &mut String) {
    page.push_str("<li>");
    if let Some((word, of)) = entry.severity.map(severity) {
        page.push_str(&format!("<span class=\"badge {}\">{word}</span> ", role(of).unwrap_or("r-quiet")));
    }
    if let Some(code) = entry.code {
        page.push_str(&format!("<b>{}</b> ", escape(code.name())));
    }
    if !entry.about.is_empty() {
        page.push_str(&format!("<b>{}</b>: ", prose(&entry.about)));
    }
    page.push_str(&prose(&entry.text));
    if let Some(anchor) = &entry.anchor {
        page.push_str(&format!(" <a href=\"#{0}\" data-case=\"{0}\">show</a>", escape(anchor)));
    } else if let Some(of_site) = &entry.page {
        page.push_str(&format!(" <a href=\"{}\">show</a>", escape(of_site)));
    }
    if let Some(command) = &entry.command {
        page.push_str(&format!("<br><code>{}</code>", unbroken(command)));
    }
    if !entry.output.is_empty() {
        let output: Vec<String> = entry.output.iter().map(|line| clean(line)).collect();
        page.push_str(&format!("<pre>{}</pre>", lines(&output.join("\n"))));
    }
    if let Some(picture) = &entry.picture {
        // As an image, it cannot run or load anything.
        page.push_str(&format!("<img alt=\"\" src=\"data:image/svg+xml;base64,{}\">", base64(picture)));
    }
    if let Some(found) = &entry.hint {
        page.push_str(&format!("<p class=\"hint\">{}</p>", hint(found)));
    }
    page.push_str("</li>\n");
}

fn hint(hint: &Hint) -> String {
    let command = hint.command.as_ref().map(|command| format!(" <code class=\"command\">{}</code>", unbroken(command)));
    format!("{}{}", prose(&hint.text), command.unwrap_or_default())
}

fn more(more: &More) -> String {
    let command =
        if more.command.is_empty() { String::new() } else { format!(": <code>{}</code>", unbroken(&more.command)) };
    format!("{}{command}", escape(&more.text))
}
