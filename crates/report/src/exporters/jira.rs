//! Atlassian's wiki markup: Jira and old Confluence.

use super::markup::{Head, Markup, WIKI};
use super::{exporter, Exporter, Needs, Render};

pub(super) const JIRA: Exporter = exporter(
    ["jira", ".jira.txt", "wiki markup of Jira and Confluence"],
    Needs::Nothing,
    Render::Text(|shown| MARKUP.shown(shown)),
    |failure| format!("h2. Tare: nothing was measured\n\n{}\n", code(&failure.text)),
);

const MARKUP: Markup = Markup { escape, inline, code, title, table, ..WIKI };

/// A backslash escapes the next character.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        // `(!)` is a sign, `:)` a smiley, `~name` a person, `#1` an item.
        if "\\|*_-+^~{}[]!?@#&<>()".contains(c) || (c == ':' && !escaped.ends_with('\\')) {
            match c {
                // Character references, as a backslash does not escape these.
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '&' => escaped.push_str("&amp;"),
                ':' => escaped.push_str("&#58;"),
                '\\' => escaped.push_str("&#92;"),
                '@' => escaped.push_str("&#64;"),
                c => escaped.extend(['\\', c]),
            }
        } else {
            escaped.push(c);
        }
    }
    // `h1.` and `bq.` have a meaning at the start of a line.
    let is_word =
        |word: &str| ["h1.", "h2.", "h3.", "h4.", "h5.", "h6.", "bq."].iter().any(|head| word.starts_with(head));
    match is_word(&escaped) {
        true => format!("\\{escaped}"),
        false => escaped,
    }
}

/// Braces of the text itself are escaped.
fn inline(text: &str) -> String {
    format!("{{{{{}}}}}", escape(text))
}

/// Program output that cannot end the block.
fn code(text: &str) -> String {
    format!("{{noformat}}\n{}\n{{noformat}}", text.trim_end().replace("{noformat}", "{noformat }"))
}

fn title(text: &str, level: usize) -> String {
    format!("h{}. {text}\n", level.max(1) + 1)
}

fn table(heads: &[Head], rows: &[Vec<String>]) -> String {
    // An empty cell would merge with its neighbours.
    let cell = |cell: &str| if cell.is_empty() { " ".to_owned() } else { cell.to_owned() };
    let heads: Vec<String> = heads.iter().map(|(head, _)| cell(head)).collect();
    let mut text = format!("||{}||\n", heads.join("||"));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        text.push_str(&format!("|{}|\n", cells.join("|")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{code, escape};

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape("a|b {color:red} [~admin]"), "a\\|b \\{color&#58;red\\} \\[\\~admin\\]");
        assert_eq!(escape("h1. big"), "\\h1. big");
        assert_eq!(code("{noformat} x\n"), "{noformat}\n{noformat } x\n{noformat}");
    }
}
