//! A reader of JSON that tolerates what benchmark tools write: bare `NaN` and `Infinity` (Google Benchmark), `nan`, `inf` and
//! `-nan(ind)` (nanobench), numbers beyond the range of a float, control characters within texts. It keeps the place of every
//! value for messages, and bounds depth and number. Where a key stands twice the first one counts: Google Benchmark writes counters
//! after its own fields, under whatever name the user gave.
//!
//! Programs that set a locale write `1,000,000` and `4,01e+01`. In an object a comma is followed by a key, so that digits behind it belong
//! to the number. `4,012` alone may be either; what else the file has tells, and where nothing does it is not a number.

use crate::error::{Place, Problem};
use crate::node::{shortened, Node, Value};

/// The value that a text holds. `tool` is for messages.
pub(crate) fn parse(text: &str, tool: &'static str) -> Result<Node, Problem> {
    let (root, end) = parse_at(text, 0, tool)?;
    let mut behind = Parser { at: end, ..Parser::new(text, tool, Comma::Unknown) };
    behind.space();
    if behind.at < text.len() {
        return Err(behind.syntax(format!("{} after the end", behind.here())));
    }
    Ok(root)
}

/// The value that begins at a byte of a text, and the byte behind it.
pub(crate) fn parse_at(text: &str, at: usize, tool: &'static str) -> Result<(Node, usize), Problem> {
    let read = |comma| {
        let mut parser = Parser { at, ..Parser::new(text, tool, comma) };
        parser.value(0, at).map(|root| (root, parser))
    };
    let (root, parser) = read(Comma::Unknown)?;
    let comma = match (parser.is_decimal, parser.is_grouped) {
        (true, false) => Comma::Decimal,
        (false, true) => Comma::Groups,
        _ => return Ok((root, parser.at)),
    };
    read(comma).map(|(root, parser)| (root, parser.at))
}

/// What a comma within a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comma {
    Unknown,
    /// `4,5` is four and a half.
    Decimal,
    /// `4,500` is four thousand five hundred.
    Groups,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    nodes: usize,
    tool: &'static str,
    comma: Comma,
    /// A number was seen that has a decimal comma for certain.
    is_decimal: bool,
    /// A number was seen whose digits are grouped for certain.
    is_grouped: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tool: &'static str, comma: Comma) -> Parser<'a> {
        Parser { text, at: 0, nodes: 0, tool, comma, is_decimal: false, is_grouped: false }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn place(&self) -> Place {
        Place::of(self.text, self.at)
    }

    fn syntax(&self, what: String) -> Problem {
        Problem::Syntax { place: self.place(), what, tool: self.tool }
    }

    fn cut_off(&self, begin: usize) -> Problem {
        Problem::CutOff { place: Place::of(self.text, self.text.len()), begin: Place::of(self.text, begin) }
    }

    /// What stands here, for messages.
    fn here(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() => format!("the character {:#04x}", c as u32),
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        }
    }

    /// `begin` is where the list or object starts that this value is in.
    fn value(&mut self, depth: usize, begin: usize) -> Result<Node, Problem> {
        self.space();
        let at = self.at;
        self.nodes += 1;
        if self.nodes > crate::NODES_MAX {
            return Err(Problem::TooMany { what: "JSON values", limit: crate::NODES_MAX });
        }
        if depth > crate::DEPTH_MAX {
            return Err(Problem::TooDeep { place: self.place() });
        }
        let value = match self.peek() {
            None => return Err(self.cut_off(begin)),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(_) => self.word(begin)?,
        };
        Ok(Node { at, value })
    }

    fn object(&mut self, depth: usize) -> Result<Value, Problem> {
        let begin = self.at;
        self.at += 1;
        let mut fields = Vec::new();
        loop {
            self.space();
            match self.peek() {
                None => return Err(self.cut_off(begin)),
                Some(b'}') if fields.is_empty() => {
                    self.at += 1;
                    return Ok(Value::Object(fields));
                }
                Some(b'"') => {}
                Some(_) => return Err(self.syntax(format!("a key was expected, found {}", self.here()))),
            }
            let key = self.string()?;
            self.space();
            match self.peek() {
                None => return Err(self.cut_off(begin)),
                Some(b':') => self.at += 1,
                Some(_) => return Err(self.syntax(format!("`:` was expected after a key, found {}", self.here()))),
            }
            let value = self.value(depth + 1, begin)?;
            let value = self.with_comma(value)?;
            fields.push((key, value));
            if self.more(b'}', begin)? {
                return Ok(Value::Object(fields));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Problem> {
        let begin = self.at;
        self.at += 1;
        let (mut items, mut is_torn) = (Vec::new(), false);
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1, begin)?);
            // Where a comma is decimal nothing tells it from one between numbers.
            is_torn |= self.comma == Comma::Decimal && self.is_comma_in_number();
            if self.more(b']', begin)? {
                return Ok(match is_torn {
                    true => Value::Text(self.text[begin..self.at].to_owned()),
                    false => Value::List(items),
                });
            }
        }
    }

    /// A comma with digits on both sides stands here.
    fn is_comma_in_number(&self) -> bool {
        let bytes = self.text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        self.peek() == Some(b',') && is_digit(self.at.wrapping_sub(1)) && is_digit(self.at + 1)
    }

    /// The value of a field with what stands behind its comma, where that is a part of the number.
    fn with_comma(&mut self, node: Node) -> Result<Node, Problem> {
        if !matches!(node.value, Value::Number(_)) || !self.is_comma_in_number() {
            return Ok(node);
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.,".contains(c)).unwrap_or(rest.len());
        let end = self.at + rest[..end].trim_end_matches(',').len();
        // Where something else groups the digits the comma is decimal.
        let whole = &self.text[node.at..end];
        let (word, is_decimal) = (whole.replace(GROUPING, ""), whole.contains(GROUPING));
        let value = match (is_grouped(&word, ',') && !is_decimal, word.matches(',').count(), self.comma) {
            (true, 1, Comma::Unknown) if !word.contains('.') => Value::Text(word),
            (true, 1, Comma::Decimal) | (false, 1, _) => {
                self.is_decimal = true;
                Value::Number(number(&word.replace(',', ".")).ok_or_else(|| self.no_number(&word))?)
            }
            (true, ..) => {
                self.is_grouped = true;
                Value::Number(number(&word.replace(',', "")).ok_or_else(|| self.no_number(&word))?)
            }
            (false, ..) => return Err(self.no_number(&word)),
        };
        self.at = end;
        Ok(Node { value, ..node })
    }

    fn no_number(&self, word: &str) -> Problem {
        self.syntax(format!("a number was expected, found `{}`", shortened(word)))
    }

    /// After an item: true at the end of the list or object.
    fn more(&mut self, close: u8, begin: usize) -> Result<bool, Problem> {
        self.space();
        match self.peek() {
            None => Err(self.cut_off(begin)),
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) => Err(self.syntax(format!("`,` or `{}` was expected, found {}", close as char, self.here()))),
        }
    }

    fn string(&mut self) -> Result<String, Problem> {
        let begin = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else { return Err(self.cut_off(begin)) };
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(text);
            }
            match self.escape(begin)? {
                Some(c) => text.push(c),
                // Google Benchmark up to 1.4.1 wrote the paths of Windows as they are.
                None => text.push('\\'),
            }
        }
    }

    /// None where the backslash stands for itself.
    fn escape(&mut self, begin: usize) -> Result<Option<char>, Problem> {
        let byte = self.peek().ok_or_else(|| self.cut_off(begin))?;
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' if self.is_code_point() => return self.unicode(begin).map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(plain))
    }

    /// `u` is followed by four digits, or by the end of a text that is cut off.
    fn is_code_point(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at + 1..];
        rest[..rest.len().min(4)].iter().all(u8::is_ascii_hexdigit)
    }

    fn unicode(&mut self, begin: usize) -> Result<char, Problem> {
        self.at += 1;
        let first = self.hex(begin)?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if !self.text[self.at..].starts_with("\\u") {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        self.at += 2;
        let second = self.hex(begin)?;
        let joined = 0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00).min(0x3ff);
        Ok(char::from_u32(joined).filter(|_| (0xdc00..0xe000).contains(&second)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self, begin: usize) -> Result<u32, Problem> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).ok_or_else(|| self.cut_off(begin))?;
        let mut code = 0;
        for digit in digits {
            let Some(value) = (*digit as char).to_digit(16) else {
                return Err(self.syntax("four hexadecimal digits were expected after `\\u`".to_owned()));
            };
            code = code * 16 + value;
        }
        self.at += 4;
        Ok(code)
    }

    /// A number, `true`, `false`, `null`, or what tools write for a missing number.
    fn word(&mut self, begin: usize) -> Result<Value, Problem> {
        let rest = &self.text[self.at..];
        let end = end_of_word(rest);
        let word = &rest[..end];
        if word.is_empty() {
            return Err(self.syntax(format!("a value was expected, found {}", self.here())));
        }
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => match self.number(word) {
                Some(number) => Value::Number(number),
                // Half a word at the very end is a file that was cut off, not one that is wrong.
                None if end == rest.len() => return Err(self.cut_off(begin)),
                None => return Err(self.syntax(format!("a value was expected, found `{}`", shortened(word)))),
            },
        };
        self.at += end;
        Ok(value)
    }

    /// A number whose digits may be grouped: by points where a comma is decimal, else by what no number has.
    fn number(&self, word: &str) -> Option<f64> {
        let points = word.matches('.').count();
        if is_grouped(word, '.') && (points > 1 || (points == 1 && self.comma == Comma::Decimal)) {
            return number(&word.replace('.', ""));
        }
        match word.contains(GROUPING) {
            true => number(&word.replace(GROUPING, "")),
            false => number(word),
        }
    }
}

/// What stands between groups of digits in some locales and in no number otherwise: apostrophes and narrow spaces.
const GROUPING: [char; 5] = ['\'', '\u{2019}', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Where a word of a text ends. A character that groups digits is in it where three digits follow.
fn end_of_word(text: &str) -> usize {
    let is_group = |at: usize, c: char| {
        let behind = text.as_bytes()[at + c.len_utf8()..].iter().take_while(|b| b.is_ascii_digit()).count();
        GROUPING.contains(&c) && behind == 3 && text[..at].ends_with(|c: char| c.is_ascii_digit())
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.()_#".contains(c);
    text.char_indices().find(|(at, c)| !is_part(*c) && !is_group(*at, *c)).map_or(text.len(), |(at, _)| at)
}

/// Whether the digits of a number before its point and exponent are in groups of three.
fn is_grouped(word: &str, separator: char) -> bool {
    let bare = word.strip_prefix(['-', '+']).unwrap_or(word);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = bare.split(separator);
    let first = groups.next().unwrap_or_default();
    let mut count = 0;
    let are_three = groups.all(|group| {
        count += 1;
        let whole = if separator == '.' { group } else { group.split('.').next().unwrap_or(group) };
        digits(whole) && whole.len() == 3
    });
    count > 0 && are_three && digits(first) && first.len() <= 3 && !first.starts_with('0')
}

/// A number as a program may write it that has set a locale: with a decimal comma or groups of digits. None where it may be either.
pub(crate) fn number_of_locale(word: &str) -> Option<f64> {
    match word.matches(',').count() {
        0 => number(word),
        1 if !is_grouped(word, ',') && !word.contains('.') => number(&word.replace(',', ".")),
        commas if is_grouped(word, ',') && (commas > 1 || word.contains('.')) => number(&word.replace(',', "")),
        _ => None,
    }
}

/// A number, also one of those that JSON does not have.
pub(crate) fn number(word: &str) -> Option<f64> {
    let (sign, bare) = match word.strip_prefix('-') {
        Some(bare) => (-1.0, bare),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    let lower = bare.to_ascii_lowercase();
    match lower.as_str() {
        "nan" => Some(f64::NAN),
        "inf" | "infinity" => Some(sign * f64::INFINITY),
        _ if lower.starts_with("nan(") || lower.starts_with("1.#") => Some(f64::NAN),
        _ if !bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') => None,
        _ => bare.parse::<f64>().ok().map(|n| sign * n),
    }
}
