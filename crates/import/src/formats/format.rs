use super::ALL;
use crate::error::Problem;
use crate::node::{Fault, Node};
use crate::sniff::top_keys;
use tare_analysis::Saved;

/// A form: how it is recognised, read and named, and advice for files that cannot be read.
pub(crate) struct Format {
    /// The tool, as named in errors.
    pub tool: &'static str,
    /// For people: the tool, and how to make it write this form. Empty if the form is not listed.
    pub known_as: &'static str,
    /// Recognises JSON by its beginning.
    pub is_json: fn(&Head) -> bool,
    /// Finds its beginning in a text that is not JSON.
    pub begins: fn(&str) -> Option<usize>,
    pub read: Read,
    /// Other output of the tool, which has too little information.
    pub too_little: &'static [TooLittle],
    /// Advice for broken JSON.
    pub broken: Option<&'static str>,
    /// Advice for a file without benchmarks.
    pub empty: Option<&'static str>,
}

pub(crate) enum Read {
    Json(fn(&Node) -> Result<Saved, Fault>),
    /// Reads the whole text; the form begins at this byte.
    Text(fn(&str, usize) -> Result<Saved, Problem>),
    /// Several files: see [`crate::read_folder`].
    Folder,
}

/// Words in one line that identify an unreadable form, its name, and what to use instead.
pub(crate) type TooLittle = (&'static [&'static str], &'static str, &'static str);

impl Format {
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

    pub(crate) fn of_json(head: &Head) -> Option<&'static Format> {
        ALL.into_iter().find(|format| (format.is_json)(head))
    }
}

/// The beginning of JSON: an object with these keys, or a list whose first element has them.
pub(crate) struct Head<'a> {
    pub text: &'a str,
    pub is_list: bool,
    pub keys: &'a [String],
}

impl Head<'_> {
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        !self.is_list && self.has_keys(keys)
    }

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

    pub(crate) fn begins(&self, field: &str, start: char) -> bool {
        self.value_of(field).is_some_and(|value| value.starts_with(start))
    }

    pub(crate) fn is_empty_list(&self, field: &str) -> bool {
        let inner = self.value_of(field).and_then(|value| value.strip_prefix('['));
        inner.is_some_and(|inner| inner.trim_start().starts_with(']'))
    }

    fn value_of(&self, field: &str) -> Option<&str> {
        Some(self.text.split_once(&format!("\"{field}\""))?.1.trim_start().strip_prefix(':')?.trim_start())
    }
}

pub(crate) fn known() -> String {
    let all: Vec<&str> = ALL.iter().map(|format| format.known_as).filter(|known| !known.is_empty()).collect();
    match all.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The problem of a text that a tool prints or saves besides results.
pub(crate) fn too_little(text: &str) -> Option<Problem> {
    let is_of = |words: &[&str]| text.lines().any(|line| words.iter().all(|word| line.contains(word)));
    let all = ALL.iter().flat_map(|format| format.too_little).chain(super::refused::TOO_LITTLE);
    let found = { all }.find(|(words, ..)| is_of(words));
    found.map(|(_, form, instead)| Problem::Unsupported { form, instead })
}
