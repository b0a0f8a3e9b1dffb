//! Replies of a child, checked as far as possible with a single line; the conversation checks the rest.

mod benchmark;
mod found;
mod hello;
mod measured;
#[cfg(test)]
mod tests;

use crate::declared::amount;
use crate::REPLY_BYTES_MAX;
use benchmark::{benchmark, BenchmarkLine};
use hello::hello;
use measured::{diagnosed, measured};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tare_model::{Benchmark, ChildFacts, ChildFindings, Columns, InstanceWork};

/// Characters shown of the start of a reason ...
const REASON_START: usize = 200;
/// ... and its end.
const REASON_END: usize = 100;

/// Why a line is not a reply. The text names the broken rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Longer than allowed.
    #[error("R7: a reply is longer than 16 MiB")]
    TooLong,
    #[error("R7: a reply is not UTF-8")]
    NotUtf8,
    /// Not JSON or not an object.
    #[error("R7: a reply is not a JSON object: {reason} in {start:?}")]
    NotJson {
        /// The parser's message.
        reason: String,
        /// First characters of the line.
        start: String,
    },
    /// A member is missing or of a wrong type.
    #[error("a `{reply}` reply: {reason}")]
    Member {
        /// Kind of the reply.
        reply: String,
        reason: String,
    },
    /// A reply of a kind that does not exist.
    #[error("R7: unknown reply {0:?}")]
    UnknownKind(String),
}

/// Kind of an `error` reply.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum ErrorKind {
    /// A parameter does not accept the user's value.
    BadValue,
    /// It does not speak the host's version.
    Version,
    /// The user's code threw.
    Exception,
    /// A program that the benchmark runs failed.
    Failed,
    /// It lacks this optional part.
    NotSupported,
    /// The benchmark should not be measured, here or now.
    Skipped,
    /// A kind unknown to this version: a refusal.
    Other(String),
}

impl From<String> for ErrorKind {
    fn from(name: String) -> ErrorKind {
        match name.as_str() {
            "bad-value" => ErrorKind::BadValue,
            "version" => ErrorKind::Version,
            "exception" => ErrorKind::Exception,
            "failed" => ErrorKind::Failed,
            "not-supported" => ErrorKind::NotSupported,
            "skipped" => ErrorKind::Skipped,
            _ => ErrorKind::Other(name),
        }
    }
}

impl ErrorKind {
    /// Its name in the protocol.
    pub fn name(&self) -> &str {
        match self {
            ErrorKind::BadValue => "bad-value",
            ErrorKind::Version => "version",
            ErrorKind::Exception => "exception",
            ErrorKind::Failed => "failed",
            ErrorKind::NotSupported => "not-supported",
            ErrorKind::Skipped => "skipped",
            ErrorKind::Other(name) => name,
        }
    }
}

/// An `error` reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReply {
    pub kind: ErrorKind,
    pub message: String,
    /// `set-up`, `iteration-set-up`, `body`, `iteration-clean-up` or `clean-up`.
    pub step: Option<String>,
    pub exception: Option<String>,
    /// Where it was thrown: `file:line`, as far as known.
    pub place: Option<String>,
    /// Versions that the child speaks.
    pub versions: Vec<u64>,
}

/// A reply of a child.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// To `hello`.
    Hello(Box<ChildFacts>),
    /// To `list`, one of many.
    Benchmark(Box<Benchmark>),
    /// To `list`, the last.
    End {
        count: u64,
        /// Remarks for the user about declarations, one per line.
        notes: Vec<String>,
    },
    /// To `set`.
    Set {
        /// Benchmarks that have the parameter.
        benchmarks: u64,
    },
    /// To `open`.
    Opened {
        /// The work of one invocation, if only the set-up reveals it.
        work: InstanceWork,
        /// Address of the function with the measuring loop.
        loop_address: Option<u64>,
    },
    /// To `check`.
    Checked {
        /// Equal for equal results.
        digest: Option<String>,
        text: Option<String>,
    },
    /// To `measure`.
    Measured(Box<Columns>),
    /// To `diagnose`: the values of each metric.
    Diagnosed {
        /// Operations per invocation of each iteration, if they differ.
        operations: Vec<f64>,
        /// The values of each metric, one for each iteration.
        metrics: BTreeMap<String, Vec<f64>>,
        /// Its other findings.
        findings: Box<ChildFindings>,
    },
    /// To `randomize`.
    Randomized,
    /// To `collect`.
    Collected {
        /// Live memory, in bytes, if the runtime knows it.
        live_bytes: Option<u64>,
    },
    /// To `close`.
    Closed,
    /// To `bye`.
    Bye,
    Error(ErrorReply),
}

impl Reply {
    /// The value of the member `reply`.
    pub fn kind(&self) -> &'static str {
        match self {
            Reply::Hello(_) => "hello",
            Reply::Benchmark(_) => "benchmark",
            Reply::End { .. } => "end",
            Reply::Set { .. } => "set",
            Reply::Opened { .. } => "opened",
            Reply::Checked { .. } => "checked",
            Reply::Measured(_) => "measured",
            Reply::Diagnosed { .. } => "diagnosed",
            Reply::Randomized => "randomized",
            Reply::Collected { .. } => "collected",
            Reply::Closed => "closed",
            Reply::Bye => "bye",
            Reply::Error(_) => "error",
        }
    }
}

/// Parses one line without its line end.
/// Err: when the line is not a reply of version 1; the text says why.
pub fn decode(line: &[u8]) -> Result<Reply, DecodeError> {
    if line.len() >= REPLY_BYTES_MAX {
        return Err(DecodeError::TooLong);
    }
    let text = std::str::from_utf8(line).map_err(|_| DecodeError::NotUtf8)?;
    let start = || text.chars().take(60).collect::<String>();
    let value: Value =
        serde_json::from_str(text).map_err(|e| DecodeError::NotJson { reason: e.to_string(), start: start() })?;
    let Value::Object(mut members) = value else {
        return Err(DecodeError::NotJson { reason: "not an object".to_owned(), start: start() });
    };
    let Some(Value::String(kind)) = members.remove("reply") else {
        return Err(DecodeError::NotJson { reason: "no member `reply`".to_owned(), start: start() });
    };
    by_kind(&kind, members)
}

fn by_kind(kind: &str, members: Map<String, Value>) -> Result<Reply, DecodeError> {
    Ok(match kind {
        "hello" => Reply::Hello(Box::new(hello(read(kind, members)?)?)),
        "benchmark" => Reply::Benchmark(Box::new(listed(members)?)),
        "end" => {
            let End { count, notes } = read(kind, members)?;
            Reply::End { count, notes }
        }
        "set" => Reply::Set { benchmarks: read::<SetReply>(kind, members)?.benchmarks },
        "opened" => opened(read(kind, members)?)?,
        "checked" => {
            let checked: Checked = read(kind, members)?;
            Reply::Checked { digest: checked.digest, text: checked.text }
        }
        "measured" => Reply::Measured(Box::new(measured(read(kind, members)?)?)),
        "diagnosed" => diagnosed(read(kind, members)?)?,
        "randomized" => Reply::Randomized,
        "collected" => {
            let collected: CollectedReply = read(kind, members)?;
            Reply::Collected { live_bytes: collected.live_bytes }
        }
        "closed" => Reply::Closed,
        "bye" => Reply::Bye,
        "error" => Reply::Error(error(read(kind, members)?)),
        other => return Err(DecodeError::UnknownKind(other.chars().take(60).collect())),
    })
}

/// An option with a value that cannot be read makes its benchmark invalid, and not the whole list.
fn listed(members: Map<String, Value>) -> Result<Benchmark, DecodeError> {
    let kind = "benchmark";
    if let Ok(line) = read(kind, members.clone()) {
        return Ok(benchmark(line));
    }
    let is_needed = |name: &str| ["index", "key", "group", "name", "parameters", "invalid"].contains(&name);
    let (needed, others): (Map<_, _>, Map<_, _>) = members.into_iter().partition(|(name, _)| is_needed(name));
    let mut found = benchmark(read(kind, needed.clone())?);
    let wrong = others.into_iter().filter_map(|(name, given)| {
        let reason = shortened(format!("`{name}` cannot be {given}"));
        let with = needed.clone().into_iter().chain([(name, given)]).collect();
        read::<BenchmarkLine>(kind, with).is_err().then_some(reason)
    });
    let wrong: Vec<String> = wrong.collect();
    found.invalid.get_or_insert_with(|| wrong.join(", "));
    Ok(found)
}

fn read<T: for<'a> Deserialize<'a>>(kind: &str, members: Map<String, Value>) -> Result<T, DecodeError> {
    T::deserialize(Value::Object(members)).map_err(|e| member(kind, e.to_string()))
}

pub(crate) fn member(reply: &str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Member { reply: reply.to_owned(), reason: shortened(reason.into()) }
}

/// A reason may quote an arbitrarily long value of the child's: its start and end are enough.
fn shortened(reason: String) -> String {
    let characters: Vec<char> = reason.chars().collect();
    if characters.len() <= REASON_START + REASON_END {
        return reason;
    }
    let end = characters.len() - REASON_END;
    characters[..REASON_START].iter().chain(&['…']).chain(&characters[end..]).collect()
}

#[derive(Deserialize)]
struct End {
    count: u64,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct CollectedReply {
    live_bytes: Option<u64>,
}

#[derive(Deserialize)]
struct SetReply {
    benchmarks: u64,
}

#[derive(Deserialize)]
struct Opened {
    operations: Option<serde_json::Value>,
    #[serde(default)]
    rates: BTreeMap<String, serde_json::Number>,
    input_bytes: Option<serde_json::Value>,
    loop_address: Option<serde_json::Value>,
}

/// Operations per invocation; Err: what is wrong with them.
fn operations(given: &serde_json::Value) -> Result<u64, String> {
    let wrong = || format!("`operations` is {given}; it must be a whole number of at least 1");
    given.as_u64().filter(|&n| n >= 1).ok_or_else(wrong)
}

fn opened(opened: Opened) -> Result<Reply, DecodeError> {
    let wrong = |reason: String| member("opened", format!("R25: {reason}"));
    let operations = opened.operations.as_ref().map(operations).transpose().map_err(wrong)?;
    let rates = opened.rates.iter().map(|(name, given)| Ok((name.clone(), amount(name, given)?)));
    let rates = rates.collect::<Result<_, String>>().map_err(wrong)?;
    let wrong = |given: &serde_json::Value| {
        member("opened", format!("R28: `input_bytes` is {given}; it must be a whole number of at least 0"))
    };
    let bytes = |given: &serde_json::Value| given.as_u64().ok_or_else(|| wrong(given));
    let input_bytes = opened.input_bytes.as_ref().map(bytes).transpose()?;
    let wrong = |given: &serde_json::Value| {
        member("opened", format!("R29: `loop_address` is {given}; it must be a whole number above 0"))
    };
    let address = |given: &serde_json::Value| given.as_u64().filter(|&n| n > 0).ok_or_else(|| wrong(given));
    let loop_address = opened.loop_address.as_ref().map(address).transpose()?;
    Ok(Reply::Opened { work: InstanceWork { operations, rates, input_bytes }, loop_address })
}

#[derive(Deserialize)]
struct Checked {
    digest: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct ErrorLine {
    kind: ErrorKind,
    #[serde(default)]
    message: String,
    step: Option<String>,
    #[serde(rename = "type")]
    exception: Option<String>,
    file: Option<String>,
    line: Option<u64>,
    #[serde(default)]
    versions: Vec<u64>,
}

fn error(e: ErrorLine) -> ErrorReply {
    let place = match (e.file, e.line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        (Some(file), None) => Some(file),
        _ => None,
    };
    ErrorReply { kind: e.kind, message: e.message, step: e.step, exception: e.exception, place, versions: e.versions }
}
