//! ASCII alone: what evidence, names and output of others hold beyond it is written with other characters.

use crate::{Glyphs, Line};
use unicode_width::UnicodeWidthChar;

impl Glyphs {
    /// The text in these characters. What ASCII has no like of becomes `?`, as wide as it was, so that columns stay aligned;
    /// in a pattern of `--filter` a `?` still fits it.
    pub fn of(self, text: &str) -> String {
        match self {
            Glyphs::Ascii if !text.is_ascii() => text.chars().map(ascii).collect(),
            _ => text.to_owned(),
        }
    }

    pub fn of_lines(self, mut lines: Vec<Line>) -> Vec<Line> {
        for span in lines.iter_mut().flat_map(|line| &mut line.spans) {
            if self == Glyphs::Ascii && !span.text.is_ascii() {
                span.text = self.of(&span.text);
            }
        }
        lines
    }
}

fn ascii(c: char) -> String {
    let like = match c {
        c if c.is_ascii() => return c.to_string(),
        'µ' | 'μ' => "u",
        '±' => "+-",
        '−' | '–' | '—' | '─' | '·' => "-",
        '…' => "..",
        '×' => "x",
        '≤' => "<=",
        '≥' => ">=",
        '→' => "->",
        '↑' => "^",
        '↓' => "v",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        '│' => "|",
        '├' | '└' | '╰' => "+",
        '\u{a0}' | '\u{202f}' => " ",
        other => return "?".repeat(other.width().unwrap_or(1)),
    };
    like.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{width, Role};

    #[test]
    fn nothing_beyond_ascii_is_left_and_widths_stay() {
        let text = "größe 構文: 12.5 µs × 3";
        let shown = Glyphs::Ascii.of(text);
        assert_eq!(shown, "gr??e ????: 12.5 us x 3");
        assert_eq!(width(&shown), width(text));
        assert_eq!(Glyphs::Ascii.of("±1 % … −2"), "+-1 % .. -2");
        assert_eq!(Glyphs::Unicode.of(text), text);
        let lines = Glyphs::Ascii.of_lines(vec![Line::of(Role::Value, "1 µs").with(Role::Plain, "…")]);
        assert_eq!(lines[0].plain(), "1 us..");
    }
}
