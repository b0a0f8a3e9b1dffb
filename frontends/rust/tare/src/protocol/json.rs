//! Replies as lines of JSON.

use std::fmt::{Display, Write as _};

/// A JSON object under construction. (Little here is generic or inlined, to keep builds fast.)
pub(super) struct Json(String);

impl Json {
    #[inline(never)]
    pub(super) fn new(reply: &str) -> Json {
        let mut json = Json(String::from("{"));
        json.text("reply", reply);
        json
    }

    /// Writes a comma, except before the first element and after a name.
    fn next(&mut self) {
        if !self.0.ends_with(['{', '[', ':']) {
            self.0.push(',');
        }
    }

    /// A number, a truth value or null.
    #[inline(never)]
    pub(super) fn value(&mut self, value: &dyn Display) {
        self.next();
        let _ = write!(self.0, "{value}");
    }

    #[inline(never)]
    pub(super) fn quote(&mut self, text: &str) {
        self.next();
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
    pub(super) fn name(&mut self, name: &str) -> &mut Json {
        self.quote(name);
        self.0.push(':');
        self
    }

    /// An object or a list with the content that `write` adds.
    #[inline(never)]
    fn within(&mut self, [open, close]: [char; 2], write: &mut dyn FnMut(&mut Json)) {
        self.next();
        self.0.push(open);
        write(self);
        self.0.push(close);
    }

    pub(super) fn object(&mut self, mut write: impl FnMut(&mut Json)) {
        self.within(['{', '}'], &mut write);
    }

    pub(super) fn list(&mut self, mut write: impl FnMut(&mut Json)) {
        self.within(['[', ']'], &mut write);
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str, text: &str) -> &mut Json {
        self.name(name).quote(text);
        self
    }

    #[inline(never)]
    pub(super) fn member(&mut self, name: &str, value: &dyn Display) -> &mut Json {
        self.name(name).value(value);
        self
    }

    /// A text, left out unless `has`.
    pub(super) fn text_if(&mut self, has: bool, name: &str, text: &str) -> &mut Json {
        if has {
            self.text(name, text);
        }
        self
    }

    pub(super) fn member_if(&mut self, name: &str, value: Option<u64>) -> &mut Json {
        if let Some(value) = value {
            self.member(name, &value);
        }
        self
    }

    pub(super) fn texts(&mut self, name: &str, texts: &[&str]) -> &mut Json {
        self.name(name).list(|json| texts.iter().for_each(|text| json.quote(text)));
        self
    }

    pub(super) fn values<T: Display>(&mut self, name: &str, mut values: impl Iterator<Item = T>) {
        self.name(name).list(|json| values.by_ref().for_each(|value| json.value(&value)));
    }

    pub(super) fn line(&mut self) -> String {
        self.0.push_str("}\n");
        std::mem::take(&mut self.0)
    }
}
