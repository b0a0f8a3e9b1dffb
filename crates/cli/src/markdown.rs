//! Prints this repository's documents on a terminal, without the Markdown marks that only a page needs.

use tare_report::{Line, Role};

/// The lines of a document: titles are emphasised, code is unchanged, a link is reduced to its text.
pub fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        lines.push(match line.trim_start_matches('#').strip_prefix(' ') {
            _ if is_code => Line::of(Role::Plain, format!("    {line}").trim_end()),
            Some(title) if line.starts_with('#') => Line::of(Role::Heading, words(title)),
            _ => Line::of(Role::Plain, words(line)),
        });
    }
    lines
}

fn words(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.replace("**", ""),
        _ => format!("`{part}`"),
    });
    let mut left = parts.collect::<String>();
    let mut said = String::new();
    while let Some((before, text, target, after)) = link(&left) {
        let target = if target.starts_with("http") { format!(" ({target})") } else { String::new() };
        said.push_str(&format!("{before}{text}{target}"));
        left = after.to_owned();
    }
    said + &left
}

/// Splits at the first link: the text before it, its text, its target, and the rest.
fn link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once("](")?;
    let (before, shown) = before.rsplit_once('[')?;
    let (target, after) = rest.split_once(')')?;
    Some((before, shown, target, after))
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_document_is_shown_without_the_marks_of_a_page() {
        let text =
            "# Title\n**One** `a**b` [two](x.md), [three](https://x.y).\n\n```sh\ntare  run\n\n```\n| a | [b](c) |\n";
        let shown: String = lines(text).iter().map(|line| line.plain() + "\n").collect();
        assert_eq!(shown, "Title\nOne `a**b` two, three (https://x.y).\n\n    tare  run\n\n| a | b |\n");
    }
}
