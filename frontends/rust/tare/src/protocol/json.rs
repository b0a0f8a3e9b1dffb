//! Replies as lines of JSON.

use std::fmt::Write as _;

use crate::instance::Sample;

/// A JSON object that is being written. (Nothing here is generic or inlined, for the sake of build time.)
pub(super) struct Json(pub(super) String);

impl Json {
    #[inline(never)]
    pub(super) fn new(reply: &str) -> Json {
        let mut json = Json(String::from("{"));
        json.quote("reply");
        json.0.push(':');
        json.quote(reply);
        json
    }

    #[inline(never)]
    pub(super) fn quote(&mut self, text: &str) {
        self.0.push('"');
        for c in text.chars() {
            match c {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '\n' => self.0.push_str("\\n"),
                '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(c));
                }
                c => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    #[inline(never)]
    pub(super) fn name(&mut self, name: &str) {
        self.0.push(',');
        self.quote(name);
        self.0.push(':');
    }

    #[inline(never)]
    pub(super) fn text(mut self, name: &str, text: &str) -> Json {
        self.name(name);
        self.quote(text);
        self
    }

    /// A number, a boolean, null or a list of numbers.
    #[inline(never)]
    pub(super) fn bare(mut self, name: &str, value: &str) -> Json {
        self.name(name);
        self.0.push_str(value);
        self
    }

    #[inline(never)]
    pub(super) fn number(mut self, name: &str, value: u64) -> Json {
        self.name(name);
        let _ = write!(self.0, "{value}");
        self
    }

    pub(super) fn truth(self, name: &str, value: bool) -> Json {
        self.bare(name, if value { "true" } else { "false" })
    }

    #[inline(never)]
    pub(super) fn texts(mut self, name: &str, texts: &[&str]) -> Json {
        self.name(name);
        self.0.push('[');
        for (number, text) in texts.iter().enumerate() {
            if number != 0 {
                self.0.push(',');
            }
            self.quote(text);
        }
        self.0.push(']');
        self
    }

    #[inline(never)]
    pub(super) fn list(mut self, name: &str, numbers: &mut dyn Iterator<Item = u64>) -> Json {
        self.name(name);
        self.values(numbers)
    }

    /// R25: the operations of each iteration, where the benchmark counts them.
    #[inline(never)]
    pub(super) fn counted(mut self, samples: &[Sample]) -> Json {
        if samples.iter().any(|sample| sample.operations > 0.0) {
            self.name("operations");
            for (at, sample) in samples.iter().enumerate() {
                let _ = write!(self.0, "{}{}", if at == 0 { '[' } else { ',' }, sample.operations);
            }
            self.0.push(']');
        }
        self
    }

    pub(super) fn values(mut self, numbers: &mut dyn Iterator<Item = u64>) -> Json {
        self.0.push('[');
        for (position, number) in numbers.enumerate() {
            if position != 0 {
                self.0.push(',');
            }
            let _ = write!(self.0, "{number}");
        }
        self.0.push(']');
        self
    }

    /// An object of numbers.
    #[inline(never)]
    pub(super) fn numbered(mut self, members: &mut dyn Iterator<Item = (&str, u64)>) -> Json {
        self.0.push('{');
        for (position, (name, number)) in members.enumerate() {
            if position != 0 {
                self.0.push(',');
            }
            self.quote(name);
            let _ = write!(self.0, ":{number}");
        }
        self.0.push('}');
        self
    }

    #[inline(never)]
    pub(super) fn numbers(self, name: &str, samples: &[Sample], column: fn(&Sample) -> u64) -> Json {
        self.list(name, &mut samples.iter().map(column))
    }

    /// A member of a list of metrics.
    #[inline(never)]
    pub(super) fn metric(mut self, number: usize, name: &str, unit: &str, better: &str, per: &str) -> Json {
        self.0.push_str(if number == 0 { "{\"name\":" } else { ",{\"name\":" });
        self.quote(name);
        self = self.text("unit", unit);
        if !better.is_empty() {
            self = self.text("better", better);
        }
        self = self.text("per", per);
        self.0.push('}');
        self
    }

    pub(super) fn line(mut self) -> String {
        self.0.push_str("}\n");
        self.0
    }
}
