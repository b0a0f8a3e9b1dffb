//! A sentence with values: programs read the values, people read the sentence.

use super::{Number, Unit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Most names of a list that are written out.
const NAMED: usize = 5;

/// Name of the value that is a quoted text.
const QUOTED: &str = "text";

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sentence {
    pub pattern: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    Number(Number),
    /// A quoted text, or the name of something.
    Text(String),
    /// The name of a benchmark or program. It may be very long; screens shorten it.
    #[serde(rename = "text")]
    Name(String),
    Names(Vec<String>),
    /// Something that Tare offers; the edge knows the flag or command.
    Means(Means),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Units {
    Processes,
    /// Files that were recorded at different times.
    Sessions,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    Processor,
    Doctor,
    Invocations,
    Conformance,
    Rename,
    WallClock,
    CpuTime,
    LongVisits(u32),
    Optimise(String),
    Direction(String),
    /// More processes on both sides with the tools that measured them, base and new side.
    MoreProcesses {
        tools: [String; 2],
        /// Whether processes or sessions of them are missing.
        of: Units,
        now: usize,
    },
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Means::Processor => "a processor of your choice",
            Means::Doctor => "the doctor",
            Means::Invocations => "a number of invocations",
            Means::Conformance => "a test of the front end",
            Means::Rename => "a rename",
            Means::WallClock => "wall clock",
            Means::CpuTime => "CPU time",
            Means::LongVisits(_) => "longer visits",
            Means::Optimise(_) => "optimised",
            Means::Direction(_) => "a direction",
            Means::MoreProcesses { .. } => "measure both sides with more processes",
        })
    }
}

impl Sentence {
    /// A sentence with values to follow. Tare writes the pattern; foreign names are values.
    pub fn new(pattern: &str) -> Sentence {
        Sentence { pattern: pattern.to_owned(), values: BTreeMap::new() }
    }

    pub fn quoting(text: impl Into<String>) -> Sentence {
        Sentence::new("{text}").text(QUOTED, text)
    }

    fn with(mut self, name: &str, value: Value) -> Sentence {
        self.values.insert(name.to_owned(), value);
        self
    }

    pub fn number(self, name: &str, value: f64, unit: Unit) -> Sentence {
        self.with(name, Value::Number(Number { value, unit }))
    }

    pub fn count(self, name: &str, value: usize) -> Sentence {
        self.number(name, value as f64, Unit::Count)
    }

    pub fn text(self, name: &str, text: impl Into<String>) -> Sentence {
        self.with(name, Value::Text(text.into()))
    }

    pub fn name(self, name: &str, of: impl Into<String>) -> Sentence {
        self.with(name, Value::Name(of.into()))
    }

    pub fn names(self, name: &str, names: Vec<String>) -> Sentence {
        self.with(name, Value::Names(names))
    }

    pub fn means(self, name: &str, means: Means) -> Sentence {
        self.with(name, Value::Means(means))
    }

    /// Appends another sentence. A value whose name is taken gets a new one.
    pub fn then(mut self, other: Sentence) -> Sentence {
        let mut pattern = other.pattern;
        for (name, value) in other.values {
            let mut free = name.clone();
            while self.values.contains_key(&free) {
                free.push('\'');
            }
            if free != name {
                pattern = pattern.replace(&format!("{{{name}}}"), &format!("{{{free}}}"));
            }
            self.values.insert(free, value);
        }
        self.pattern.push_str(&pattern);
        self
    }

    pub fn value(&self, name: &str) -> Option<f64> {
        match self.values.get(name)? {
            Value::Number(quantity) => Some(quantity.value),
            _ => None,
        }
    }

    /// The text apart from its values; a quoted text counts as a sentence of its own.
    pub fn template(&self) -> (&str, Option<&str>) {
        let quoted = match self.values.get(QUOTED) {
            Some(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        (&self.pattern, quoted)
    }

    /// The sentence as text; `means` renders what Tare offers, `named` a name.
    pub fn say(&self, means: impl Fn(&Means) -> String, named: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        let mut rest = self.pattern.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match self.values.get(name) {
                Some(Value::Number(quantity)) => text.push_str(&quantity.to_string()),
                Some(Value::Text(value)) => text.push_str(value),
                Some(Value::Name(name)) => text.push_str(&named(name)),
                Some(Value::Names(names)) => text.push_str(&some_of(names, &named)),
                Some(Value::Means(what)) => text.push_str(&means(what)),
                None => text.push_str(name),
            }
            rest = after;
        }
        text + rest
    }
}

impl From<&str> for Sentence {
    fn from(pattern: &str) -> Sentence {
        Sentence::new(pattern)
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Means::to_string, str::to_owned))
    }
}

fn some_of(names: &[String], named: impl Fn(&str) -> String) -> String {
    let first: Vec<String> = names.iter().take(NAMED).map(|n| format!("`{}`", named(n))).collect();
    match names.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_their_names_do() {
        let said = Sentence::new("{share} of {launches}, {who}: {names} ({cpu})")
            .number("share", 0.25, Unit::Share)
            .number("launches", 1.0, Unit::Launches)
            .text("who", "{share}")
            .names("names", ["a", "b"].map(str::to_owned).to_vec())
            .means("cpu", Means::Processor);
        assert_eq!(said.say(|_| "--cpu".to_owned(), str::to_owned), "25 % of 1 launch, {share}: `a`, `b` (--cpu)");
        assert_eq!(said.value("share"), Some(0.25));
    }

    #[test]
    fn a_long_list_is_cut() {
        let names = (0..7).map(|n| n.to_string()).collect();
        assert_eq!(Sentence::new("{n}").names("n", names).to_string(), "`0`, `1`, `2`, `3`, `4` and 2 more");
    }
}
