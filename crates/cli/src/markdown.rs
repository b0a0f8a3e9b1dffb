//! Markdown for a terminal, as far as the documents of this repository use it: titles, paragraphs, lists, tables, code.

use tare_report::{width, Line, Role, View};

/// Longer lines are hard to read.
const COLUMNS_MAX: usize = 100;
/// Code stands this far inside.
const CODE: usize = 4;
/// Between two columns of a table.
const GAP: usize = 2;
/// The last column of a table is wrapped if it has this much room.
const LAST_MIN: usize = 36;

/// The lines of a document, none longer than the screen except code and words that are.
pub fn lines(text: &str, view: &View) -> Vec<Line> {
    let view = View { columns: view.columns.min(COLUMNS_MAX), ..*view };
    let mut page = Page { view: &view, lines: Vec::new() };
    let mut left = text.lines().peekable();
    while let Some(line) = left.next() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() {
            page.gap();
        } else if trimmed.starts_with("```") {
            let code = left.by_ref().take_while(|line| !line.trim_start().starts_with("```"));
            let code: Vec<&str> = code.map(|line| line.get(indent..).unwrap_or_else(|| line.trim_start())).collect();
            code.into_iter().for_each(|line| page.code(indent, line));
        } else if indent >= CODE && page.is_start() {
            page.code(0, &line[CODE..]);
            while let Some(line) = left.next_if(|line| line.starts_with("    ")) {
                page.code(0, &line[CODE..]);
            }
        } else if let Some(title) = title(line) {
            page.gap();
            page.lines.push(Line::of(Role::Heading, words(title)));
        } else if trimmed.starts_with('|') {
            let mut rows = vec![cells(trimmed)];
            while let Some(row) = left.next_if(|line| line.trim_start().starts_with('|')) {
                rows.push(cells(row.trim_start()));
            }
            page.table(rows);
        } else {
            let (mark, first) = item(trimmed);
            let mut said = first.to_owned();
            while let Some(line) = left.next_if(|line| continues(line)) {
                said.push(' ');
                said.push_str(line.trim());
            }
            let start = " ".repeat(indent) + mark;
            let hanging = indent + mark.len();
            page.paragraph(Line::of(Role::Plain, start), &words(&said), hanging);
        }
    }
    while page.lines.last().is_some_and(|line| line.width() == 0) {
        page.lines.pop();
    }
    page.lines
}

struct Page<'a> {
    view: &'a View,
    lines: Vec<Line>,
}

impl Page<'_> {
    /// Whether a block begins here.
    fn is_start(&self) -> bool {
        self.lines.last().is_none_or(|line| line.width() == 0)
    }

    /// One empty line, unless there is one.
    fn gap(&mut self) {
        if !self.is_start() {
            self.lines.push(Line::new());
        }
    }

    fn code(&mut self, indent: usize, line: &str) {
        let line = if line.is_empty() { String::new() } else { " ".repeat(indent + CODE) + line };
        self.lines.push(Line::of(Role::Plain, line));
    }

    fn paragraph(&mut self, start: Line, text: &str, hanging: usize) {
        let is_bare = start.width() == 0;
        let at = self.lines.len();
        tare_report::paragraph(start, text, hanging, self.view, &mut self.lines);
        // Of a first word that is longer than the line.
        if is_bare && self.lines[at].width() == 0 && self.lines.len() > at + 1 {
            self.lines.remove(at);
        }
    }

    /// Rows below each other where they fit, and otherwise a list.
    fn table(&mut self, rows: Vec<Vec<String>>) {
        let mut rows = rows.into_iter().filter(|row| !is_rule(row));
        let head = rows.next().unwrap_or_default();
        let rows: Vec<Vec<String>> = rows.collect();
        let columns = rows.iter().chain([&head]).map(Vec::len).max().unwrap_or(0);
        let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
        let widest = |at: usize| rows.iter().chain([&head]).map(|row| width(&cell(row, at))).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(widest).collect();
        let Some((last, before)) = widths.split_last() else { return };
        let left: usize = before.iter().map(|width| width + GAP).sum();
        if left + (*last).min(LAST_MIN) > self.view.columns {
            return self.list(&head, &rows);
        }
        let has_head = head.iter().any(|cell| !cell.is_empty());
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        for (at, row) in has_head.then_some([&head, &rule]).into_iter().flatten().chain(&rows).enumerate() {
            let role = match (has_head, at) {
                (true, 0) => Role::Heading,
                (true, 1) => Role::Quiet,
                _ => Role::Plain,
            };
            let mut line = Line::new();
            let mut end = 0;
            for (at, width) in before.iter().enumerate() {
                line.push(role, cell(row, at));
                end += width + GAP;
                line.pad_to(end);
            }
            let last = cell(row, columns - 1);
            if role == Role::Plain {
                self.paragraph(line, &last, left);
            } else {
                let shown: String = last.chars().take(self.view.columns - left).collect();
                line.push(role, shown);
                self.lines.push(line);
            }
        }
    }

    /// `first: second` of each row, or the first with the others below it.
    fn list(&mut self, head: &[String], rows: &[Vec<String>]) {
        for row in rows {
            let (first, others) = row.split_first().map_or((String::new(), &row[..0]), |(f, o)| (f.clone(), o));
            let start = Line::of(Role::Plain, "- ");
            if let [only] = others {
                let separator = if first.is_empty() { "" } else { ": " };
                self.paragraph(start, &format!("{first}{separator}{only}"), 2);
                continue;
            }
            self.paragraph(start, &first, 2);
            for (at, other) in others.iter().enumerate().filter(|(_, other)| !other.is_empty()) {
                let name = head.get(at + 1).filter(|name| !name.is_empty());
                let text = name.map_or_else(|| other.clone(), |name| format!("{name}: {other}"));
                self.paragraph(Line::of(Role::Plain, "  "), &text, 4);
            }
        }
    }
}

fn title(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len() && rest.starts_with(' ')).then(|| rest.trim())
}

/// The mark of an item of a list, with its space, and what follows.
fn item(line: &str) -> (&str, &str) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match digits {
        0 if ["- ", "* ", "> "].iter().any(|mark| line.starts_with(mark)) => 2,
        1..=3 if line[digits..].starts_with(". ") => digits + 2,
        _ => 0,
    };
    line.split_at(mark)
}

/// Whether a line belongs to the paragraph before it.
fn continues(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty()
        && !line.starts_with("```")
        && !line.starts_with('|')
        && title(line).is_none()
        && item(line).0.is_empty()
}

/// The cells of a row, as words.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').filter(|row| !row.ends_with('\\')).unwrap_or(row);
    let (mut cells, mut cell, mut before) = (Vec::new(), String::new(), ' ');
    for c in row.chars() {
        match (before, c) {
            ('\\', '|') => {
                cell.pop();
                cell.push('|');
            }
            (_, '|') => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(c),
        }
        before = c;
    }
    cells.push(cell);
    cells.iter().map(|cell| words(cell.trim())).collect()
}

/// The line between the head of a table and its rows.
fn is_rule(row: &[String]) -> bool {
    row.iter().all(|cell| cell.contains("---") && cell.chars().all(|c| "-: ".contains(c)))
}

/// The words of a text: a link is its text, and that it stands out is not said; code keeps its backquotes, and what is in it.
fn words(text: &str) -> String {
    let mut said = String::new();
    let mut left = text;
    while let Some(c) = left.chars().next() {
        let rest = &left[c.len_utf8()..];
        left = match c {
            '`' => {
                let ticks = left.bytes().take_while(|b| *b == b'`').count();
                let end = left[ticks..].find(&left[..ticks]).map_or(ticks, |end| end + 2 * ticks);
                said.push_str(&left[..end]);
                &left[end..]
            }
            '\\' if rest.starts_with(|c: char| c.is_ascii_punctuation()) => {
                said.push_str(&rest[..1]);
                &rest[1..]
            }
            '!' if rest.starts_with('[') && link(rest).is_some() => {
                let (alternative, _, after) = link(rest).expect("it was looked at");
                said.push_str(&format!("(picture: {})", words(alternative)));
                after
            }
            '[' if link(left).is_some() => {
                let (text, target, after) = link(left).expect("it was looked at");
                said.push_str(&words(text));
                if target.starts_with("http") {
                    said.push_str(&format!(" ({target})"));
                }
                after
            }
            '*' => {
                let stars = left.bytes().take_while(|b| *b == b'*').count();
                let after = &left[stars..];
                // Between spaces it is a product.
                let is_mark = !(said.ends_with([' ', '(']) || said.is_empty()) || !after.starts_with(' ');
                said.push_str(if is_mark && stars <= 3 { "" } else { &left[..stars] });
                after
            }
            _ => {
                said.push(c);
                rest
            }
        };
    }
    said
}

/// Text and target of the link that a text begins with, and what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let mut depth = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let target = text[end + 1..].strip_prefix('(')?;
    let (target, after) = target.split_once(')')?;
    (!target.contains(' ')).then_some((&text[1..end], target, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_report::{Glyphs, Volume};

    fn shown(text: &str, columns: usize) -> String {
        let view = View { columns, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: false };
        lines(text, &view).iter().map(|line| line.plain() + "\n").collect()
    }

    #[test]
    fn marks_and_links_become_words() {
        for (text, said) in [
            ("**A body** that [waits](../x.md#y), *often*", "A body that waits, often"),
            ("`a*b*c` and `[x](y)` stay", "`a*b*c` and `[x](y)` stay"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("[`code`](a.md) of [us](https://example.org)", "`code` of us (https://example.org)"),
            ("an index [0] and f[i](x + 1)", "an index [0] and f[i](x + 1)"),
            ("![a wave](w.svg)", "(picture: a wave)"),
            ("a \\* b", "a * b"),
        ] {
            assert_eq!(words(text), said);
        }
    }

    #[test]
    fn paragraphs_items_and_code() {
        let text = "# Title\nOne two three four five six\nseven eight.\n\n- first item that is long\n  and goes on\n1. second\n   ```c\n   \
                    int x;\n\n   f(x);\n   ```\n\n    as it is   |  here\n";
        let said = "Title\nOne two three four five\nsix seven eight.\n\n- first item that is long\n  and goes on\n1. second\n       \
                    int x;\n\n       f(x);\n\n    as it is   |  here\n";
        assert_eq!(shown(text, 26), said);
    }

    #[test]
    fn tables_are_aligned_wrapped_or_lists() {
        let table = "| flag | what for |\n|---|---:|\n| `-a \\| b` | [all](x.md) |\n| `-c` | some |\n";
        assert_eq!(shown(table, 80), "flag      what for\n────────  ────────\n`-a | b`  all\n`-c`      some\n");
        let long = format!("| a | b |\n|---|---|\n| x | {} |\n", "word ".repeat(20).trim());
        assert_eq!(shown(&long, 50).lines().count(), 5, "{}", shown(&long, 50));
        let wide = format!("| a | b |\n|---|---|\n| {} | why |\n", "word ".repeat(8).trim());
        assert_eq!(shown(&wide, 40), format!("- {}\n  word: why\n", "word ".repeat(7).trim()));
        let three =
            "| name | size in bytes | why |\n|---|---|---|\n| aaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbb | cccccccccccc |\n";
        assert_eq!(shown(three, 40), "- aaaaaaaaaaaaaaaa\n  size in bytes: bbbbbbbbbbbbbbb\n  why: cccccccccccc\n");
        assert_eq!(shown("| | example |\n|---|---|\n| a | b |\n", 40), "   example\n─  ───────\na  b\n");
    }
}
