//! The user's request: every flag and word of the command line, and the effective lines of `tare.toml`. A run stores it, and commands that
//! resume or repeat the run are derived from it. This crate knows no flag by name: each carries its concern.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a flag is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    /// What is measured or compared: paths, programs, commands, sides.
    Subject,
    /// Which of its benchmarks.
    Selection,
    /// How much is measured.
    Amount,
    /// How it is measured and judged.
    Method,
    /// How it is built.
    Build,
    /// How saved results are read and compared.
    Saved,
    /// What must not happen.
    Gate,
    /// Where the result goes, and in which form.
    Output,
    /// What is shown of the result.
    View,
    /// How the run goes on and ends.
    Conduct,
    /// What is kept of it.
    Record,
    /// How much is said, and how.
    Talk,
    /// The stored run that it is about.
    Stored,
}

/// A flag with its value, or a word by its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Argument {
    /// `--launches`; empty for a word by its place, and [`Argument::BEHIND`] for one behind `--`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub flag: String,
    /// Its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What it is about.
    pub concern: Concern,
    /// The value is only understood in one word with the flag: `--filter=-x`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joined: bool,
}

impl Argument {
    /// The flag of words after `--`.
    pub const BEHIND: &'static str = "--";

    pub fn flag(flag: &str, concern: Concern) -> Argument {
        Argument { flag: flag.to_owned(), value: None, concern, joined: false }
    }

    pub fn value(flag: &str, value: impl Into<String>, concern: Concern) -> Argument {
        let value: String = value.into();
        Argument { joined: value.starts_with('-'), value: Some(value), ..Argument::flag(flag, concern) }
    }

    pub fn word(value: impl Into<String>) -> Argument {
        Argument { value: Some(value.into()), ..Argument::flag("", Concern::Subject) }
    }

    pub fn is_word(&self) -> bool {
        self.flag.is_empty() || self.flag == Argument::BEHIND
    }

    pub fn words(&self) -> Vec<String> {
        match &self.value {
            None => vec![self.flag.clone()],
            Some(value) if self.is_word() => vec![value.clone()],
            Some(value) if self.joined => vec![format!("{}={value}", self.flag)],
            Some(value) => vec![self.flag.clone(), value.clone()],
        }
    }
}

/// What the user wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandLine {
    /// The command: `run`, `compare`; empty if it is unknown who wanted what.
    pub verb: String,
    /// The command line, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Argument>,
    /// The lines of `tare.toml` that count where the command line says nothing: `run.budget` is `30s`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub project: BTreeMap<String, String>,
    /// Everything that the project has was wanted: neither a path or a program was named, nor a selection.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

impl CommandLine {
    pub fn new(verb: &str) -> CommandLine {
        CommandLine { verb: verb.to_owned(), ..CommandLine::default() }
    }

    /// A command line that was not parsed: the concerns of its words are unknown.
    pub fn verbatim(words: &[String]) -> CommandLine {
        let given = words.get(2..).unwrap_or_default().iter().map(Argument::word);
        CommandLine {
            verb: words.get(1).cloned().unwrap_or_default(),
            given: given.collect(),
            ..CommandLine::default()
        }
    }

    /// Whether it is unknown, as for results of other tools.
    pub fn is_unknown(&self) -> bool {
        self.verb.is_empty()
    }

    pub fn has(&self, flag: &str) -> bool {
        self.given.iter().any(|given| given.flag == flag)
    }

    pub fn value_of(&self, flag: &str) -> Option<&str> {
        self.given.iter().rev().find(|given| given.flag == flag)?.value.as_deref()
    }

    pub fn is_about(&self, concern: Concern) -> bool {
        self.given.iter().any(|given| given.concern == concern)
    }

    pub fn with(mut self, given: Argument) -> CommandLine {
        self.given.push(given);
        self
    }

    pub fn only(mut self, kept: impl Fn(&Argument) -> bool) -> CommandLine {
        self.given.retain(kept);
        self
    }

    /// The words for tare, `tare run` if unknown, and the words after `--`.
    pub fn parts(&self) -> [Vec<String>; 2] {
        let is_behind = |given: &&Argument| given.flag == Argument::BEHIND;
        let verb = if self.verb.is_empty() { "run" } else { &self.verb };
        let own = self.given.iter().filter(|given| !is_behind(given)).flat_map(Argument::words);
        let behind = self.given.iter().filter(is_behind).flat_map(Argument::words);
        [["tare", verb].into_iter().map(str::to_owned).chain(own).collect(), behind.collect()]
    }

    /// The command line; empty if unknown.
    pub fn words(&self) -> Vec<String> {
        if self.is_unknown() {
            return Vec::new();
        }
        let [mut words, behind] = self.parts();
        if !behind.is_empty() {
            words.push(Argument::BEHIND.to_owned());
            words.extend(behind);
        }
        words
    }
}
