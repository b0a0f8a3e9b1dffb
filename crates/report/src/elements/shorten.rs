//! Shortens a document: changes are kept first, and omissions are counted.

use crate::elements::document::{Content, Document, List, Part};
use crate::elements::table::{Body, Cell, Row, Table};
use crate::words::text::{plural, Role};

/// GitHub's limit for a comment.
pub const COMMENT_MAX: usize = 65_536;

/// Entries of a list that are as important as changed rows.
const ENTRIES: usize = 30;

const ROW_MIN: usize = 8;

/// Renders a document, with fewer rows and entries if the text would be longer than `most`.
pub(crate) fn shortened(document: &Document, most: Option<usize>, render: &dyn Fn(&Document) -> String) -> String {
    let text = render(document);
    let Some(most) = most.filter(|most| text.chars().count() > *most) else { return text };
    let ranks = ranks(document);
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|&item| ranks[item]);
    let attempt = |count: usize| {
        let mut is_kept = vec![false; order.len()];
        order[..count].iter().for_each(|&item| is_kept[item] = true);
        render(&with_items(document, &is_kept, most))
    };
    let fits = |text: &str| text.chars().count() <= most;
    // The first number is assumed to fit, the second not to.
    let (mut fitting, mut too_many) = (0, order.len().min(most / ROW_MIN) + 1);
    while fitting + 1 < too_many {
        let middle = fitting.midpoint(too_many);
        match fits(&attempt(middle)) {
            true => fitting = middle,
            false => too_many = middle,
        }
    }
    let text = attempt(fitting);
    if fits(&text) {
        return text;
    }
    // Only names and sentences of extraordinary length remain.
    let open = document.parts.iter().filter(|part| part.folded.is_none()).cloned().collect();
    let text = render(&with_items(&Document { parts: open }, &vec![false; order.len()], most));
    cut(&text, most)
}

/// The rank of each row and entry in document order; smaller is more important.
fn ranks(document: &Document) -> Vec<(u8, usize)> {
    let mut ranks = Vec::new();
    for part in &document.parts {
        for content in &part.contents {
            match content {
                Content::Table(table) => table.blocks.iter().for_each(|block| {
                    let class = |row| match (part.folded.is_some(), is_change(row)) {
                        (true, _) => 3,
                        (false, true) => 0,
                        (false, false) => 1,
                    };
                    ranks.extend(block.rows.iter().enumerate().map(|(place, row)| (class(row), place)));
                }),
                Content::List(list) => {
                    let class = |place| if part.folded.is_none() && place < ENTRIES { 0 } else { 2 };
                    ranks.extend((0..list.entries.len()).map(|place| (class(place), place)));
                }
                _ => {}
            }
        }
    }
    ranks
}

fn is_change(row: &Row) -> bool {
    let says = |role: Role| matches!(role, Role::Good | Role::Bad | Role::Error);
    match &row.body {
        Body::Message { role, .. } => says(*role),
        Body::Cells(cells) => cells.iter().any(|cell| match cell {
            Cell::Number { role, suffix_role, .. } => says(*role) || says(*suffix_role),
            Cell::Text { role, .. } => says(*role),
            Cell::Empty => false,
        }),
    }
}

/// The document with only these rows and entries, and a note below its headline.
fn with_items(document: &Document, is_kept: &[bool], most: usize) -> Document {
    let mut items = is_kept.iter().copied();
    let mut shown = document.clone();
    for part in &mut shown.parts {
        let contents = std::mem::take(&mut part.contents).into_iter().flat_map(|content| match content {
            Content::Table(table) => table_with(table, &mut items),
            Content::List(list) => vec![Content::List(list_with(list, &mut items))],
            other => vec![other],
        });
        part.contents = contents.collect();
    }
    let hidden = is_kept.iter().filter(|kept| !**kept).count();
    let text = format!(
        "shortened to {most} characters: the {hidden} least important of {} are left out; `--md-limit none` keeps all",
        plural(is_kept.len(), "row")
    );
    let note = Part { folded: None, anchor: None, contents: vec![Content::Note(text)] };
    shown.parts.insert(shown.parts.len().min(1), note);
    shown
}

fn table_with(mut table: Table, items: &mut dyn Iterator<Item = bool>) -> Vec<Content> {
    let (mut rows_hidden, mut blocks_hidden) = (0, 0);
    table.blocks.retain_mut(|block| {
        let all = block.rows.len();
        block.rows.retain(|_| items.next().unwrap_or(false));
        let hidden = all - block.rows.len();
        if block.rows.is_empty() {
            (rows_hidden, blocks_hidden) = (rows_hidden + hidden, blocks_hidden + 1);
            return false;
        }
        block.rows.extend((hidden > 0).then(|| more_row(hidden, block.heads.len())));
        true
    });
    let of =
        if table.blocks.is_empty() { String::new() } else { format!(" in {}", plural(blocks_hidden, "other table")) };
    let note = (blocks_hidden > 0).then(|| Content::Note(plural(rows_hidden, "more row") + &of));
    (!table.blocks.is_empty()).then_some(Content::Table(table)).into_iter().chain(note).collect()
}

fn more_row(hidden: usize, heads: usize) -> Row {
    let mut cells = vec![Cell::text(format!("{hidden} more"))];
    cells.resize(heads.max(1), Cell::Empty);
    Row {
        gap: false,
        heads: cells,
        body: Body::Message { named: Vec::new(), text: String::new(), role: Role::Quiet },
        drawn: None,
    }
}

fn list_with(mut list: List, items: &mut dyn Iterator<Item = bool>) -> List {
    let all = list.entries.len();
    list.entries.retain(|_| items.next().unwrap_or(false));
    if list.entries.len() < all {
        list.hidden += all - list.entries.len();
        list.command.clear();
    }
    list
}

fn cut(text: &str, most: usize) -> String {
    const CUT: &str = "\n\nCut here: see `--md-limit`.\n";
    let room = most.saturating_sub(CUT.chars().count());
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!("{}{CUT}", &text[..end]).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::document::Entry;
    use crate::elements::table::Filled;
    use crate::exporters::markdown;
    use crate::words::text::Glyphs;

    fn table(word: &str, role: Role, rows: usize) -> Content {
        let cells = (0..rows).map(|_| Cell::styled("1.30", role));
        let names = (0..rows).map(|at| format!("{word}/{at}"));
        Content::Table(Table::of(&format!("{word} ({rows})"), names, vec![Filled::right("ratio", 0, cells)]))
    }

    fn document(names: usize) -> Document {
        let mut document = Document::default();
        document.add([Content::Headline { verdict: None, text: "of it".to_owned() }]);
        let entries = (0..names).map(|at| Entry::text(format!("a name {at}"))).collect();
        document.add([List::whole("names", entries)]);
        document.add([table("unclear", Role::Warning, 3000)]);
        document.add([table("slower", Role::Bad, 30)]);
        document.fold("the same".to_owned(), [table("same", Role::Quiet, 3000)]);
        document
    }

    #[test]
    fn what_changed_is_kept_and_the_rest_is_counted() {
        let document = document(500);
        let whole = markdown(&document, Glyphs::Unicode, None);
        assert!(whole.contains("| same/2999 |") && !whole.contains("shortened"));
        let text = markdown(&document, Glyphs::Unicode, Some(8000));
        let length = text.chars().count();
        assert!((7900..=8000).contains(&length), "as much as has room: {length}");
        assert!(text.starts_with("### of it\n\nshortened to 8000 characters: "), "{text}");
        assert!((0..30).all(|at| text.contains(&format!("| slower/{at} |"))), "{text}");
        let counted = |word: &str| text.matches(&format!("{word}/")).count();
        let (unclear, same) = (counted("unclear"), counted("same"));
        assert!(unclear > 100 && same == 0, "{unclear} {same}");
        for more in [format!("| {} more |  |", 3000 - unclear), "3000 more rows".to_owned(), "- 470 more".to_owned()] {
            assert!(text.contains(&more), "{more}: {text}");
        }
        assert!(
            text.contains(&format!("the {} least important of 6530 rows are left out", 3000 - unclear + 3000 + 470)),
            "{text}"
        );
    }

    #[test]
    fn a_text_that_fits_stays_as_it_is_and_none_is_too_long() {
        let document = document(3);
        let whole = markdown(&document, Glyphs::Unicode, None);
        assert_eq!(markdown(&document, Glyphs::Unicode, Some(whole.chars().count())), whole);
        for most in [100, 500, 5000, 20_000] {
            let text = markdown(&document, Glyphs::Unicode, Some(most));
            assert!(text.chars().count() <= most && text.ends_with('\n'), "{most}: {text}");
        }
        let mut long = Document::default();
        long.add([Content::Headline { verdict: None, text: "é".repeat(3000) }]);
        let text = markdown(&long, Glyphs::Unicode, Some(1000));
        assert!(text.chars().count() <= 1000 && text.contains("--md-limit"), "{text}");
    }
}
