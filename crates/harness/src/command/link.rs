//! The link of Tare's own children: requests in, replies out, as in `spec/protocol.md`. Its host is this very program.

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

/// How a child answers the requests that it supports.
pub trait Measures {
    /// Its facts. The protocol version is already checked.
    fn hello(&mut self) -> Value;
    fn list(&mut self) -> Result<Vec<Value>, Wrong>;
    fn open(&mut self, index: u64) -> Result<(), Wrong>;
    fn is_open(&self) -> bool;
    fn close(&mut self);
    /// Runs the benchmark once if necessary. Whole programs have no result to show.
    fn check(&mut self) -> Result<(), Wrong>;
    fn measure(&mut self, which: &str, iterations: u64, invocations: u64, lead: u64) -> Result<Value, Wrong>;
}

/// A refusal or a failure: kind, step, message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    kind: &'static str,
    step: Option<&'static str>,
    message: String,
}

impl Wrong {
    pub fn refused(kind: &'static str, message: impl Into<String>) -> Wrong {
        Wrong { kind, step: None, message: message.into() }
    }

    pub fn failed(step: &'static str, message: impl Into<String>) -> Wrong {
        Wrong { kind: "failed", step: Some(step), message: message.into() }
    }

    pub fn of_body(message: impl Into<String>) -> Wrong {
        Wrong { kind: "exception", step: Some("body"), message: message.into() }
    }

    fn reply(self) -> Value {
        let mut error = json!({"reply": "error", "kind": self.kind, "message": self.message});
        if let Some(step) = self.step {
            error["step"] = step.into();
        }
        if self.kind == "version" {
            error["versions"] = json!([1]);
        }
        error
    }
}

/// Answers requests until `bye` or the end of the link.
pub fn answer(child: &mut dyn Measures, mut requests: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        if requests.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answers = one(child, line.trim_end()).ok_or_else(|| unknown(line.trim_end()))?;
        let answers = answers.unwrap_or_else(|wrong| vec![wrong.reply()]);
        for answer in &answers {
            serde_json::to_writer(&mut replies, answer)?;
            replies.write_all(b"\n")?;
        }
        replies.flush()?;
        if answers.last().is_some_and(|answer| answer["reply"] == "bye") {
            return Ok(());
        }
    }
}

/// R9: a request that the host never sends is an error, which ends the process.
fn unknown(request: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("tare cannot answer `{request}` here"))
}

/// The replies to a request; None: the host never sends it.
fn one(child: &mut dyn Measures, request: &str) -> Option<Result<Vec<Value>, Wrong>> {
    let words: Vec<&str> = request.split(' ').collect();
    let number = |at: usize| words.get(at)?.parse().ok();
    Some(match (words[0], child.is_open()) {
        ("hello", _) => match number(1)? {
            1 => Ok(vec![child.hello()]),
            version => Err(Wrong::refused("version", format!("version {version} is not supported"))),
        },
        ("list", false) => child.list(),
        ("open", false) => child.open(number(1)?).map(|()| vec![json!({"reply": "opened"})]),
        ("check", true) => child.check().map(|()| vec![json!({"reply": "checked", "digest": null, "text": null})]),
        ("measure", true) => child.measure(words.get(1)?, number(2)?, number(3)?, number(4)?).map(|reply| vec![reply]),
        ("close", true) => {
            child.close();
            Ok(vec![json!({"reply": "closed"})])
        }
        ("bye", _) => Ok(vec![json!({"reply": "bye"})]),
        _ => return None,
    })
}
