use super::markup::{Head, Markup, WIKI};
use super::{exporter, Exporter, Needs, Render};

pub(super) const ASCIIDOC: Exporter =
    exporter(["asciidoc", ".adoc", "AsciiDoc"], Needs::Nothing, Render::Text(|shown| MARKUP.shown(shown)), |failure| {
        format!("== Tare: nothing was measured\n\n{}\n", code(&failure.text))
    });

const MARKUP: Markup = Markup { escape, inline, code, title, table, ..WIKI };

/// Character references are safe everywhere, while a pass-through could be ended by the text. A `:` or `-` between words has no meaning.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    let (mut before, mut rest) = (' ', text.chars().peekable());
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(c);
        let is_first = escaped.is_empty();
        let is_plain = match c {
            '<' | '>' | '&' => false,
            ',' | '%' | '(' | ')' => true,
            '/' if before == ':' => false,
            '=' | '.' | '/' => !is_first,
            ':' | '-' => !is_first && !":-/>".contains(before) && !":-/>".contains(after),
            c => !c.is_ascii_punctuation(),
        };
        match (c, is_plain) {
            (c, true) => escaped.push(c),
            ('<', _) => escaped.push_str("&lt;"),
            ('>', _) => escaped.push_str("&gt;"),
            ('&', _) => escaped.push_str("&amp;"),
            (c, _) => escaped.push_str(&format!("&#{};", c as u32)),
        }
        before = c;
    }
    escaped
}

/// Doubled signs work inside words too; character references are not signs.
fn inline(text: &str) -> String {
    format!("``{}``", escape(text))
}

/// Preprocessor directives, which take effect even inside listings.
const DIRECTIVES: [&str; 5] = ["include::", "ifdef::", "ifndef::", "ifeval::", "endif::"];

/// Escapes a line for the preprocessor, which removes one backslash.
fn line_of_code(line: &str) -> String {
    let bare = line.trim_start_matches('\\');
    match DIRECTIVES.iter().any(|directive| bare.starts_with(directive)) {
        true => format!("\\{line}"),
        false => line.to_owned(),
    }
}

/// Program output that can neither end the listing nor include a file.
fn code(text: &str) -> String {
    let longest = text.lines().filter(|line| line.starts_with("----")).map(str::len).max().unwrap_or(0);
    let fence = "-".repeat((longest + 1).max(4));
    let lines: Vec<String> = text.trim_end().lines().map(line_of_code).collect();
    format!("{fence}\n{}\n{fence}", lines.join("\n"))
}

fn title(text: &str, level: usize) -> String {
    format!("{} {text}\n", "=".repeat(level.max(1) + 1))
}

fn table(heads: &[Head], rows: &[Vec<String>]) -> String {
    let columns: Vec<&str> = heads.iter().map(|(_, is_right)| if *is_right { ">1" } else { "<1" }).collect();
    let mut text = format!("[%autowidth,cols=\"{}\",options=\"header\"]\n|===\n", columns.join(","));
    let line = |cells: Vec<&str>| {
        cells.iter().map(|cell| format!("|{cell} ")).collect::<String>().trim_end().to_owned() + "\n"
    };
    text.push_str(&line(heads.iter().map(|(head, _)| head.as_str()).collect()));
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text + "|===\n"
}

#[cfg(test)]
mod tests {
    use super::{code, escape};

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape("a|b *c* <d> https://x"), "a&#124;b &#42;c&#42; &lt;d&gt; https&#58;&#47;/x");
        assert_eq!(
            (escape("= title").as_str(), escape("-- a -> b").as_str()),
            ("&#61; title", "&#45;&#45; a &#45;&gt; b")
        );
        assert_eq!((escape(":a: x").as_str(), escape("a:: x").as_str()), ("&#58;a: x", "a&#58;&#58; x"));
        assert_eq!(escape("json-large: 1.05"), "json-large: 1.05");
        assert_eq!(escape("sort[n=10], 5.2 %"), "sort&#91;n=10&#93;, 5.2 %");
        assert_eq!(code("a\n-----\n"), "------\na\n-----\n------");
        // The preprocessor would read the file or drop lines, even in a listing.
        assert_eq!(
            code("include::/etc/passwd[]\n\\include::x[]\nifdef::a[]\nifndef::a[]\nifeval::[1]\nendif::[]\nan include::x[]\n"),
            "----\n\\include::/etc/passwd[]\n\\\\include::x[]\n\\ifdef::a[]\n\\ifndef::a[]\n\\ifeval::[1]\n\\endif::[]\nan include::x[]\n----"
        );
    }
}
