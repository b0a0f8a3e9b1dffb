//! A JSON reader that tolerates the output of benchmark tools: bare `NaN` and `Infinity` (Google Benchmark), `nan`, `inf` and `-nan(ind)`
//! (nanobench), numbers beyond the range of a float, control characters within texts. It keeps the place of every value for messages, and
//! limits depth and number of values. Of duplicate keys the first counts: Google Benchmark writes counters after its own fields, under
//! names that the user chose.
//!
//! Programs that set a locale write `1,000,000` and `4,01e+01`: such numbers are ambiguous and are refused.

use crate::error::{Problem, TextPlace};
use crate::node::{shortened, Node, Value};

pub(crate) fn parse(text: &str, tool: &'static str) -> Result<Node, Problem> {
    let (root, end) = parse_at(text, 0, tool)?;
    let mut behind = Parser { text, at: end, nodes: 0, tool };
    behind.space();
    if behind.at < text.len() {
        return Err(behind.syntax(format!("{} after the end", behind.here())));
    }
    Ok(root)
}

/// The value at an offset of a text, and the offset after it.
pub(crate) fn parse_at(text: &str, at: usize, tool: &'static str) -> Result<(Node, usize), Problem> {
    let mut parser = Parser { text, at, nodes: 0, tool };
    parser.value(0, at).map(|root| (root, parser.at))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    nodes: usize,
    tool: &'static str,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn place(&self) -> TextPlace {
        TextPlace::of(self.text, self.at)
    }

    fn syntax(&self, what: String) -> Problem {
        Problem::Syntax { place: self.place(), what, tool: self.tool }
    }

    fn cut_off(&self, begin: usize) -> Problem {
        Problem::CutOff { place: TextPlace::of(self.text, self.text.len()), begin: TextPlace::of(self.text, begin) }
    }

    fn here(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() => format!("the character {:#04x}", c as u32),
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        }
    }

    /// `begin` is the start of the enclosing list or object.
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
            self.refuse_comma(&value)?;
            fields.push((key, value));
            if self.more(b'}', begin)? {
                return Ok(Value::Object(fields));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Problem> {
        let begin = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1, begin)?);
            if self.more(b']', begin)? {
                return Ok(Value::List(items));
            }
        }
    }

    /// In an object, a comma precedes a key: digits after it belong to the number.
    fn refuse_comma(&self, node: &Node) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        let is_within = rest.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !matches!(node.value, Value::Number(_)) || !is_within {
            return Ok(());
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.,".contains(c)).unwrap_or(rest.len());
        let word = self.text[node.at..self.at + end].trim_end_matches(',');
        Err(self.syntax(format!("a number was expected, found `{}`", shortened(word))))
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
                // Google Benchmark up to 1.4.1 did not escape Windows paths.
                None => text.push('\\'),
            }
        }
    }

    /// None for a literal backslash.
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

    /// Whether `u` is followed by four digits, or by fewer at the end of a truncated text.
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

    fn word(&mut self, begin: usize) -> Result<Value, Problem> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.()_#".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() {
            return Err(self.syntax(format!("a value was expected, found {}", self.here())));
        }
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => match number(word) {
                Some(number) => Value::Number(number),
                // Half a word at the very end means a truncated file, not a wrong one.
                None if end == rest.len() => return Err(self.cut_off(begin)),
                None => return Err(self.syntax(format!("a value was expected, found `{}`", shortened(word)))),
            },
        };
        self.at += end;
        Ok(value)
    }
}

/// A number, including those that JSON lacks.
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
