//! JSON values with their places, and accessors that report what is wrong.

use crate::error::{Problem, TextPlace};

/// A value with the offset in the text at which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub at: usize,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// May be infinite or not a number.
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// What is wrong with a node, before its place is known in words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    Missing { at: usize, field: &'static str },
    WrongType { at: usize, expected: &'static str },
    TooManyValues,
    NoBenchmarks,
}

impl Node {
    /// Stands for a missing object.
    pub const NOTHING: Node = Node { at: 0, value: Value::Null };

    /// The value if it is written as a number.
    pub fn plain_number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The field of an object; None if it is missing or null.
    pub fn get(&self, field: &str) -> Option<&Node> {
        let Value::Object(fields) = &self.value else { return None };
        fields.iter().find(|(key, _)| key == field).map(|(_, node)| node).filter(|n| n.value != Value::Null)
    }

    pub fn need(&self, field: &'static str) -> Result<&Node, Fault> {
        match &self.value {
            Value::Object(_) => self.get(field).ok_or(Fault::Missing { at: self.at, field }),
            _ => Err(self.wrong("an object")),
        }
    }

    pub fn list(&self) -> Result<&[Node], Fault> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(self.wrong("a list")),
        }
    }

    pub fn text(&self) -> Result<&str, Fault> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong("a text")),
        }
    }

    /// A number; texts such as `"NaN"` and `""` stand for missing numbers (JMH, BenchmarkDotNet).
    pub fn number(&self) -> Result<f64, Fault> {
        match &self.value {
            Value::Number(number) => Ok(*number),
            Value::Text(text) if text.is_empty() => Ok(f64::NAN),
            Value::Text(text) => crate::json::number(text).ok_or_else(|| self.wrong("a number")),
            _ => Err(self.wrong("a number")),
        }
    }

    pub fn numbers(&self) -> Result<Vec<f64>, Fault> {
        self.list()?.iter().map(Node::number).collect()
    }

    pub fn text_at(&self, field: &str) -> Option<&str> {
        self.get(field)?.text().ok()
    }

    pub fn number_at(&self, field: &str) -> Option<f64> {
        self.get(field)?.number().ok().filter(|n| n.is_finite())
    }

    pub fn is_true(&self, field: &str) -> bool {
        self.get(field).is_some_and(|n| n.value == Value::Bool(true))
    }

    pub fn fields(&self) -> &[(String, Node)] {
        match &self.value {
            Value::Object(fields) => fields,
            _ => &[],
        }
    }

    /// The value of a parameter or fact for display; None for lists, objects and null.
    pub fn plain(&self) -> Option<String> {
        match &self.value {
            Value::Bool(yes) => Some(if *yes { "true" } else { "false" }.to_owned()),
            Value::Number(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::Null | Value::List(_) | Value::Object(_) => None,
        }
    }

    pub fn wrong(&self, expected: &'static str) -> Fault {
        Fault::WrongType { at: self.at, expected }
    }

    fn describe(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(yes) => yes.to_string(),
            Value::Number(number) => format!("the number {number}"),
            Value::Text(text) => format!("the text \"{}\"", shortened(text)),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Object(fields) => format!("an object of {}", fields.len()),
        }
    }
}

impl Fault {
    pub fn text(&self, root: &Node) -> String {
        match self {
            Fault::Missing { at, field } => format!("`{}` has no `{field}`", path_of(root, *at).0),
            Fault::WrongType { at, expected } => {
                let (path, node) = path_of(root, *at);
                format!("`{path}` is {}, not {expected}", node.describe())
            }
            Fault::TooManyValues => "too many values".to_owned(),
            Fault::NoBenchmarks => "no benchmarks".to_owned(),
        }
    }

    pub fn problem(self, tool: &'static str, root: &Node, text: &str) -> Problem {
        match self {
            Fault::Missing { at, field } => {
                Problem::Missing { tool, path: path_of(root, at).0, field, place: TextPlace::of(text, at) }
            }
            Fault::WrongType { at, expected } => {
                let (path, node) = path_of(root, at);
                Problem::WrongType { tool, path, expected, found: node.describe(), place: TextPlace::of(text, at) }
            }
            Fault::TooManyValues => Problem::TooMany { what: "measured values", limit: crate::VALUES_MAX },
            Fault::NoBenchmarks => Problem::NoBenchmarks { tool },
        }
    }
}

/// The path from the root to the node at an offset, such as `benchmarks[3].real_time`.
fn path_of(root: &Node, at: usize) -> (String, &Node) {
    let (mut path, mut node) = (String::new(), root);
    // Children are in the order of the file, so the last one that begins at or before `at` contains it.
    while node.at != at {
        let next = match &node.value {
            Value::List(items) => {
                let place = items.partition_point(|n| n.at <= at);
                place.checked_sub(1).map(|i| (format!("[{i}]"), &items[i]))
            }
            Value::Object(fields) => {
                let place = fields.partition_point(|(_, n)| n.at <= at);
                place.checked_sub(1).map(|i| (format!(".{}", shortened(&fields[i].0)), &fields[i].1))
            }
            _ => None,
        };
        let Some((step, child)) = next else { break };
        path.push_str(&step);
        node = child;
    }
    let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
    (if path.is_empty() { "the file".to_owned() } else { path }, node)
}

/// The beginning of foreign text, for one line.
pub(crate) fn shortened(text: &str) -> String {
    const MAX: usize = 32;
    let mut short: String = text.chars().take(MAX).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(MAX).is_some() {
        short.push_str("...");
    }
    short
}
