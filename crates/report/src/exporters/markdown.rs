//! Markdown for GitHub and GitLab.

use super::markup::{Head, Markup};
use super::{exporter, Exporter, Needs, NoResult, Render, Rendered};
use crate::elements::document::{Document, Entry, Medium, Volume};
use crate::elements::shorten::shortened;
use crate::words::advice::severity;
use crate::words::text::{clean, quoted, Glyphs};

pub(super) const MARKDOWN: Exporter = exporter(
    ["md", ".md", "Markdown"],
    Needs::Nothing,
    Render::Any(|shown| {
        let glyphs = shown.view.glyphs;
        Rendered::Text(markdown(&shown.document(&Medium::page(Volume::Default, glyphs)), glyphs, shown.md_limit))
    }),
    render_failure,
);

const MARKUP: Markup = Markup {
    escape,
    inline: code,
    code: |text| code_block(&text.lines().map(str::to_owned).collect::<Vec<_>>()),
    title: |text, level| if level == 0 { format!("### {text}\n") } else { format!("**{text}**\n") },
    table,
    // GitHub and GitLab require blank lines around Markdown in HTML.
    fold: Some(|title, text| format!("<details><summary>{title}</summary>\n\n{}\n\n</details>\n", text.trim_end())),
    fact: |text| format!("{text}  \n"),
    item: |text| format!("- {text}\n"),
    colon: ": ",
    // A `|` would end the cell, even in code.
    message: |text, _| if text.contains('|') { escape(text) } else { prose(text) },
    entry: |entry, _| entry_text(entry),
    more: |more, _| {
        // A flag alone is meant for a terminal.
        let command = Some(&more.command).filter(|command| command.contains(' '));
        format!("{}{}", escape(&more.text), command.map(|command| format!(": {}", code(command))).unwrap_or_default())
    },
};

/// A document to paste into GitHub or to post as a pull request comment, with at most `most` characters.
pub fn markdown(document: &Document, glyphs: Glyphs, most: Option<usize>) -> String {
    shortened(document, most, &|document| MARKUP.document(document, glyphs))
}

fn table(heads: &[Head], rows: &[Vec<String>]) -> String {
    let rules: Vec<&str> = heads.iter().map(|(_, is_right)| if *is_right { "---:" } else { "---" }).collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let titles: Vec<String> = heads.iter().map(|(title, _)| title.clone()).collect();
    let rows: String = rows.iter().map(|cells| line(cells)).collect();
    format!("{}|{}|\n{rows}", line(&titles), rules.join("|"))
}

fn entry_text(entry: &Entry) -> String {
    let start = match (entry.code, entry.severity) {
        (Some(name), Some(of)) => format!("{}: {}, ", severity(of).0, code(name.name())),
        _ if entry.about.is_empty() => String::new(),
        _ => format!("{}: ", prose(&entry.about)),
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
    text + "\n"
}

fn render_failure(failure: &NoResult) -> String {
    let fence = "`".repeat(backquotes(&failure.text).max(2) + 1);
    format!("### Tare: nothing was measured\n\n{fence}text\n{}{fence}\n", failure.text)
}

/// Separates two characters invisibly. A backslash would not help: forges search for mentions in the text without markup.
const APART: &str = "<!-- -->";

/// Escapes foreign text: no markup, cell ends, people, issues, commits or links that a forge would notify or mark.
pub(crate) fn escape(text: &str) -> String {
    let text = clean(text);
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let from = text.len() - rest.len();
        let word_begins = !text[..from].ends_with(|before: char| before.is_ascii_alphanumeric());
        if let Some(length) = reference(rest).filter(|_| word_begins) {
            escaped.push_str(&rest[..length]);
            escaped.push_str(APART);
            rest = &rest[length..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => escaped.extend(['\\', c]),
            '-' | '+' if from == 0 && rest.starts_with(' ') => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
        // `@name`, `#12`, and GitLab's other references; `scheme://host`.
        let is_sigil =
            "@#!%$&~^".contains(c) && rest.starts_with(|after: char| after.is_alphanumeric() || after == '"');
        if is_sigil || (c == ':' && rest.starts_with("//")) {
            escaped.push_str(APART);
        }
    }
    escaped
}

/// If a word is a reference to an issue, a commit or a host, the position at which to split it.
fn reference(text: &str) -> Option<usize> {
    let begins = |with: &str| text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    if begins("gh-") && text[3..].starts_with(|c: char| c.is_ascii_digit()) || begins("www.") {
        return Some(3);
    }
    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_hash = (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let both = word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    (is_hash && both).then_some(1)
}

fn backquotes(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Inline code with a fence longer than any run of backquotes in it.
fn code(text: &str) -> String {
    let text = clean(text);
    match backquotes(&text) {
        0 if !text.is_empty() => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// A sentence with foreign texts, in which text in backquotes is code.
fn prose(text: &str) -> String {
    quoted(text).into_iter().map(|(piece, is_code)| if is_code { code(piece) } else { escape(piece) }).collect()
}

/// A code block below a list item, with a fence longer than any run of backquotes in it.
fn code_block(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| clean(line)).collect();
    let longest = lines.iter().map(|line| backquotes(line)).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("  {fence}text\n{body}  {fence}\n")
}

#[cfg(test)]
mod tests {
    use super::{code, code_block, escape, prose};

    #[test]
    fn nobody_is_notified_and_nothing_is_linked() {
        for (text, escaped) in [
            ("@torvalds", "@<!-- -->torvalds"),
            ("a@b.example", "a@<!-- -->b.example"),
            ("org/repo#12", "org/repo\\#<!-- -->12"),
            ("GH-7 gh-7 agh-7", "GH-<!-- -->7 gh-<!-- -->7 agh-7"),
            ("!12 %1 &3 $9 ~bug", "!<!-- -->12 %<!-- -->1 &amp;<!-- -->3 $<!-- -->9 \\~<!-- -->bug"),
            ("https://x.example/1", "https:<!-- -->//x.example/1"),
            ("WWW.x.example", "WWW<!-- -->.x.example"),
            ("at 1a2b3c4d5", "at 1<!-- -->a2b3c4d5"),
            ("n=1000000 deadbeef 100 ns", "n=1000000 deadbeef 100 ns"),
            ("5 % ± 3 @ 2 # !", "5 % ± 3 @ 2 \\# !"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn nothing_is_markup_and_a_cell_stays_a_cell() {
        assert_eq!(escape("a|b\n| c |\r\n<script>"), "a\\|b \\| c \\|  &lt;script&gt;");
        assert_eq!(escape("- item"), "\\- item");
        assert_eq!(escape("![x](y)"), "!\\[x\\](y)");
        assert_eq!(escape("\u{1b}[2J|\u{7}"), "\\|?");
    }

    #[test]
    fn what_stands_in_backquotes_is_code() {
        assert_eq!(prose("see `--job visit=20ms` and `a_b`"), "see `--job visit=20ms` and `a_b`");
        assert_eq!(prose("@x `@y` *z*"), "@<!-- -->x `@y` \\*z\\*");
        // A name that contains a backquote.
        assert_eq!(prose("`a`b` is slow"), "\\`a\\`b\\` is slow");
        assert_eq!(prose("a `` b"), "a \\`\\` b");
    }

    #[test]
    fn code_is_closed_by_its_own_fence_alone() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code(""), "`  `");
        let block = code_block(&["```".into(), "~~~~ @x".into(), "````".into()]);
        assert_eq!(block, "  `````text\n  ```\n  ~~~~ @x\n  ````\n  `````\n");
    }
}
