//! Styled text independent of a terminal: spans with roles, widths in columns, and two glyph sets.

pub use tare_model::text::{plural, shell_word};

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The role of a piece of text; the caller maps it to a colour. The words must be complete without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Plain,
    Heading,
    Value,
    Quiet,
    Good,
    Bad,
    Warning,
    Error,
    Hint,
    Command,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text, without control characters.
    pub text: String,
    pub role: Role,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub spans: Vec<Span>,
}

impl Line {
    pub fn new() -> Line {
        Line::default()
    }

    pub fn of(role: Role, text: impl Into<String>) -> Line {
        Line::new().with(role, text)
    }

    pub fn with(mut self, role: Role, text: impl Into<String>) -> Line {
        self.push(role, text);
        self
    }

    pub fn push(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, role });
        }
    }

    pub fn pad_to(&mut self, columns: usize) {
        let missing = columns.saturating_sub(self.width());
        self.push(Role::Plain, " ".repeat(missing));
    }

    pub fn width(&self) -> usize {
        self.spans.iter().map(|s| width(&s.text)).sum()
    }

    /// The text without roles and without spaces at its end.
    pub fn plain(&self) -> String {
        let whole: String = self.spans.iter().map(|s| s.text.as_str()).collect();
        whole.trim_end().to_owned()
    }

    /// Cuts everything beyond `columns` and trailing spaces.
    pub fn fit(mut self, columns: usize, glyphs: Glyphs) -> Line {
        let mut used = 0;
        for at in 0..self.spans.len() {
            let own = width(&self.spans[at].text);
            if used + own > columns {
                self.spans[at].text = cut_end(&self.spans[at].text, columns - used, glyphs);
                self.spans.truncate(at + 1);
                break;
            }
            used += own;
        }
        while let Some(last) = self.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.spans.pop();
        }
        self
    }
}

/// The screen's symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyphs {
    Unicode,
    Ascii,
}

impl Glyphs {
    /// One of eight heights in a small histogram, 0 the lowest.
    pub fn spark(self, level: usize) -> char {
        const UNICODE: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        const ASCII: [char; 8] = ['_', '.', ':', '-', '=', '+', '*', '#'];
        let level = level.min(7);
        match self {
            Glyphs::Unicode => UNICODE[level],
            Glyphs::Ascii => ASCII[level],
        }
    }

    pub fn bar(self, eighths: usize) -> String {
        const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        match self {
            Glyphs::Unicode => "█".repeat(eighths / 8) + PARTS[eighths % 8],
            Glyphs::Ascii => "#".repeat((eighths + 4) / 8),
        }
    }
}

pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Makes foreign text safe for a terminal: no control characters, escapes or bidirectional marks.
pub fn clean(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
        c if c.is_control() => '?',
        c => c,
    };
    without_sequences(text).chars().map(harmless).collect()
}

/// Removes terminal sequences (ECMA-48): colours, cursor movements, titles, links.
fn without_sequences(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(ESCAPE) {
        shown.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let length = match rest.chars().next() {
            Some('[') => rest[1..].find(|c| ('@'..='~').contains(&c)).map(|end| end + 2),
            Some(']' | 'P' | 'X' | '^' | '_') => {
                let ends = ["\u{7}", "\u{1b}\\"].into_iter();
                ends.filter_map(|end| Some(rest.find(end)? + end.len())).min()
            }
            Some('(' | ')' | '#' | '%') => (rest.len() > 1).then_some(2).filter(|&end| rest.is_char_boundary(end)),
            Some('0'..='~') => Some(1),
            _ => None,
        };
        match length {
            Some(length) => rest = &rest[length..],
            // Not a sequence, or an unterminated one.
            None => shown.push('?'),
        }
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

const ESCAPE: char = '\u{1b}';

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// Splits a text into pieces, with a flag for those between backquotes. With an unpaired backquote, all of it is plain.
pub(crate) fn quoted(text: &str) -> Vec<(&str, bool)> {
    let pieces: Vec<&str> = text.split('`').collect();
    // Two adjacent backquotes enclose nothing.
    let is_paired = pieces.len() % 2 == 1 && pieces.iter().skip(1).step_by(2).all(|code| !code.trim().is_empty());
    match is_paired {
        true => pieces.into_iter().enumerate().map(|(at, piece)| (piece, at % 2 == 1)).collect(),
        false => vec![(text, false)],
    }
}

/// Fits a text into `columns` by cutting its middle: both ends of a long name help to distinguish it.
pub fn cut_middle(text: &str, columns: usize, glyphs: Glyphs) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = glyphs.of("…");
    let Some(room) = columns.checked_sub(width(&mark)).filter(|&room| room >= 2) else {
        return head(text, columns);
    };
    let tail = room / 2;
    let end: String = head_of(text.chars().rev(), tail).chars().rev().collect();
    head(text, room - tail) + &mark + &end
}

/// Fits each of these different texts into `columns`. If some would become equal, their differing parts follow the mark.
pub(crate) fn cut_apart(texts: &[&str], columns: usize, glyphs: Glyphs) -> Vec<String> {
    let mut cut: Vec<String> = texts.iter().map(|text| cut_middle(text, columns, glyphs)).collect();
    for at in 0..texts.len() {
        let alike: Vec<usize> = (at..texts.len()).filter(|other| cut[*other] == cut[at]).collect();
        if alike.len() == 1 {
            continue;
        }
        let shared = alike.iter().map(|other| common(texts[at], texts[*other])).filter(|n| *n < texts[at].len()).min();
        for (number, other) in alike.into_iter().enumerate() {
            let (front, rest) = texts[other].split_at(shared.unwrap_or(0));
            let room = columns.saturating_sub(width(&glyphs.of("…")));
            let kept = cut_end(rest, room - room / 3, glyphs);
            let front = head(front, room.saturating_sub(width(&kept)));
            cut[other] = format!("{front}{}{kept}", glyphs.of("…"));
            // The differing part is itself too long.
            if number > 0 && cut[at] == cut[other] {
                let mark = format!("#{}", number + 1);
                cut[other] = cut_end(&cut[other], columns.saturating_sub(width(&mark)), glyphs) + &mark;
            }
        }
    }
    cut
}

fn common(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

pub fn cut_end(text: &str, columns: usize, glyphs: Glyphs) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = glyphs.of("…");
    match columns.checked_sub(width(&mark)) {
        Some(room) => head(text, room) + &mark,
        None => head(text, columns),
    }
}

fn head(text: &str, columns: usize) -> String {
    head_of(text.chars(), columns)
}

fn head_of(chars: impl Iterator<Item = char>, columns: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// Wraps prose at spaces: at most `first` columns, which may be empty, on the first line and `rest` on others. Words are not cut, nor is
/// anything in backquotes, since a broken command cannot be copied.
pub(crate) fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut left = text.split(' ').filter(|w| !w.is_empty());
    while let Some(word) = left.next() {
        let mut word = word.to_owned();
        // An unclosed backquote does not start a command.
        while is_open(&word) && left.clone().any(|w| w.contains('`')) {
            let Some(more) = left.next() else { break };
            word = format!("{word} {more}");
        }
        // A number and its unit stay together.
        match words.last_mut().filter(|last| is_unit(&word) && last.ends_with(|c: char| c.is_ascii_digit())) {
            Some(number) => *number = format!("{number} {word}"),
            None => words.push(word),
        }
    }
    let mut lines = vec![String::new()];
    for word in &words {
        let room = if lines.len() == 1 { first } else { rest };
        let line = lines.last_mut().expect("there is always a line");
        let space = usize::from(!line.is_empty());
        if width(line) + space + width(word) <= room {
            line.push_str(&" "[..space]);
            line.push_str(word);
        } else {
            lines.push(word.clone());
        }
    }
    lines
}

fn is_open(word: &str) -> bool {
    word.matches('`').count() % 2 == 1
}

fn is_unit(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', '.', ':', ')']);
    matches!(word, "%" | "ns" | "µs" | "us" | "ms" | "s" | "B" | "KiB" | "MiB" | "GiB" | "GHz" | "MHz")
}

impl Glyphs {
    /// Converts the text to this character set. Characters without an ASCII equivalent become `?` of the same width, which still matches in
    /// a pattern of `--filter`.
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
    use crate::words::text::{width, Role};

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(cut_middle("deserialise-large-document", 13, Glyphs::Unicode), "deseri…cument");
        assert_eq!(cut_middle("deserialise-large-document", 13, Glyphs::Ascii), "deseri..ument");
        assert_eq!(cut_middle("short", 13, Glyphs::Unicode), "short");
        let parsers = ["ParseColEnds[filler=0_Avx2___ 00032643]", "ParseColEnds[filler=0_Sse2___ 00032643]", "Sum"];
        let cut = cut_apart(&parsers, 24, Glyphs::Unicode);
        assert_eq!(cut, ["ParseCo…Avx2___ 0003264…", "ParseCo…Sse2___ 0003264…", "Sum"]);
        assert!(cut.iter().all(|text| width(text) <= 24), "{cut:?}");
        let long = ["x".repeat(50) + "a", "x".repeat(50) + "b", "x".repeat(50)];
        let cut = cut_apart(&long.each_ref().map(String::as_str), 12, Glyphs::Ascii);
        assert!(cut[0] != cut[1] && cut[1] != cut[2] && cut[0] != cut[2], "{cut:?}");
        assert!(cut.iter().all(|text| width(text) <= 12), "{cut:?}");
    }

    #[test]
    fn wide_characters_are_never_cut_in_two() {
        for columns in 0..12 {
            assert!(width(&cut_middle("構文解析ベンチマーク", columns, Glyphs::Unicode)) <= columns);
            assert!(width(&cut_end("構文解析ベンチマーク", columns, Glyphs::Unicode)) <= columns);
        }
    }

    #[test]
    fn text_of_others_cannot_drive_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\nc\u{202e}d\u{7}"), "ab c?d?");
        for (printed, shown) in [
            ("\x1b[0m[ERROR] \x1b[1;31mno\x1b[m", "[ERROR] no"),
            ("\x1b[38;5;196mred\x1b[0;1m\x1b[K", "red"),
            ("\x1b]8;;https://a.b\x1b\\link\x1b]8;;\x1b\\ \x1b]0;title\u{7}x", "link x"),
            ("\x1b(Ba\x1b7b\x1bMc", "abc"),
            ("a\x1b", "a?"),
            ("\x1b[12", "?[12"),
            ("\x1b]0;no end", "?]0;no end"),
            ("\x1b(é\x1bé", "?(é?é"),
        ] {
            assert_eq!(clean(printed), shown, "{printed:?}");
        }
    }

    #[test]
    fn a_command_in_prose_stays_in_one_line() {
        let text = "see whether it stays when built with `-falign-functions=64 -falign-loops=64`, say";
        assert_eq!(
            wrap(text, 60, 60),
            ["see whether it stays when built with", "`-falign-functions=64 -falign-loops=64`, say"]
        );
        // A command longer than a line gets its own line, and a single backquote does not start a command.
        assert_eq!(wrap("a `b c d`, e `f` g", 5, 5), ["a", "`b c d`,", "e `f`", "g"]);
        assert_eq!(wrap("it's ` lone", 6, 6), ["it's `", "lone"]);
    }

    #[test]
    fn a_line_is_cut_at_its_end() {
        let line = Line::of(Role::Plain, "ab").with(Role::Value, "cdef").with(Role::Quiet, "gh");
        assert_eq!(line.clone().fit(5, Glyphs::Unicode).plain(), "abcd…");
        assert_eq!(line.fit(8, Glyphs::Unicode).plain(), "abcdefgh");
    }

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
