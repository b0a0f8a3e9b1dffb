//! What a form of results is to the readers.

use super::ALL;
use crate::error::Problem;
use crate::node::{Fault, Node};
use crate::sniff::top_keys;
use tare_analysis::Saved;

/// A form: how it is recognised, read and named, and what to do where a file of it cannot be read.
pub(crate) struct Format {
    /// The tool, as errors call it.
    pub tool: &'static str,
    /// For people: the tool, and what makes it write this form. Empty of a form that need not be told.
    pub known_as: &'static str,
    /// JSON that begins so is of it.
    pub is_json: fn(&Head) -> bool,
    /// Where it begins in a text that is no JSON.
    pub begins: fn(&str) -> Option<usize>,
    pub read: Read,
    /// What the tool prints or saves beside it, which holds too little.
    pub too_little: &'static [TooLittle],
    /// What to do where its JSON is broken.
    pub broken: Option<&'static str>,
    /// What to do where it has no benchmarks.
    pub empty: Option<&'static str>,
}

pub(crate) enum Read {
    Json(fn(&Node) -> Result<Saved, Fault>),
    /// The whole text, in which it begins at a byte.
    Text(fn(&str, usize) -> Result<Saved, Problem>),
    /// Of several files: see [`crate::read_folder`].
    Folder,
}

/// Words of one line that tell a form which cannot be read, what it is called, and what to give instead.
pub(crate) type TooLittle = (&'static [&'static str], &'static str, &'static str);

impl Format {
    /// One that nothing is known of.
    pub(crate) const NONE: Format = Format {
        tool: "",
        known_as: "",
        is_json: |_| false,
        begins: |_| None,
        read: Read::Folder,
        too_little: &[],
        broken: None,
        empty: None,
    };

    pub(crate) fn of_tool(tool: &str) -> Option<&'static Format> {
        ALL.into_iter().find(|format| format.tool == tool)
    }

    /// That of JSON that begins so.
    pub(crate) fn of_json(head: &Head) -> Option<&'static Format> {
        ALL.into_iter().find(|format| (format.is_json)(head))
    }
}

/// How JSON begins: an object with these keys, or a list whose first element has them.
pub(crate) struct Head<'a> {
    pub text: &'a str,
    pub is_list: bool,
    pub keys: &'a [String],
}

impl Head<'_> {
    /// An object with all of these keys.
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        !self.is_list && self.has_keys(keys)
    }

    /// A list whose first element has all of these keys.
    pub(crate) fn lists(&self, keys: &[&str]) -> bool {
        self.is_list && self.has_keys(keys)
    }

    /// An object with a list in this field whose first element has this key.
    pub(crate) fn holds(&self, field: &str, key: &str) -> bool {
        let first =
            || self.value_of(field)?.strip_prefix('[').map(str::trim_start).filter(|first| first.starts_with('{'));
        self.has(&[field]) && first().is_some_and(|first| top_keys(first).0.iter().any(|known| known == key))
    }

    fn has_keys(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.keys.iter().any(|known| known == key))
    }

    /// Whether the first value of this field begins so.
    pub(crate) fn begins(&self, field: &str, start: char) -> bool {
        self.value_of(field).is_some_and(|value| value.starts_with(start))
    }

    pub(crate) fn is_empty_list(&self, field: &str) -> bool {
        let inner = self.value_of(field).and_then(|value| value.strip_prefix('['));
        inner.is_some_and(|inner| inner.trim_start().starts_with(']'))
    }

    /// The text from the first value of a field on.
    fn value_of(&self, field: &str) -> Option<&str> {
        Some(self.text.split_once(&format!("\"{field}\""))?.1.trim_start().strip_prefix(':')?.trim_start())
    }
}

/// All that can be read, for people.
pub(crate) fn known() -> String {
    let all: Vec<&str> = ALL.iter().map(|format| format.known_as).filter(|known| !known.is_empty()).collect();
    match all.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What a text is that a tool prints or saves beside results.
pub(crate) fn too_little(text: &str) -> Option<Problem> {
    let is_of = |words: &[&str]| text.lines().any(|line| words.iter().all(|word| line.contains(word)));
    let all = ALL.iter().flat_map(|format| format.too_little).chain(super::refused::TOO_LITTLE);
    let found = { all }.find(|(words, ..)| is_of(words));
    found.map(|(_, form, instead)| Problem::Unsupported { form, instead })
}
