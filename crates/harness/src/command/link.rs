//! The link of a child of Tare's own: requests in, replies out, states and refusals as `spec/protocol.md` has them.

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

/// Longest request with its line end, bytes (R6).
const REQUEST_BYTES_MAX: usize = 255;
const ITERATIONS_MAX: u64 = 100_000;

/// What a child does about the requests that it understands.
pub trait Measures {
    /// What it says of itself. The version is right.
    fn hello(&mut self) -> Value;
    fn list(&mut self) -> Result<Vec<Value>, Wrong>;
    fn open(&mut self, index: u64) -> Result<(), Wrong>;
    fn is_open(&self) -> bool;
    fn close(&mut self);
    /// Runs the benchmark once where it needs that. Whole programs have no result to show.
    fn check(&mut self) -> Result<(), Wrong>;
    /// Measures; all numbers are within their limits.
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

    /// A program failed in a step.
    pub fn failed(step: &'static str, message: impl Into<String>) -> Wrong {
        Wrong { kind: "failed", step: Some(step), message: message.into() }
    }

    /// A program says that a benchmark of it failed.
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
    let mut link = Link { child, greeted: false };
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request = String::from_utf8_lossy(&line);
        let is_long = line.len() > REQUEST_BYTES_MAX;
        let answers = link.answer(if is_long { "" } else { request.trim_end_matches('\n') });
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

struct Link<'a> {
    child: &'a mut dyn Measures,
    greeted: bool,
}

fn wrong<T>(kind: &'static str, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong::refused(kind, message))
}

impl Link<'_> {
    fn answer(&mut self, request: &str) -> Vec<Value> {
        let answers = match request == "list" && self.greeted && !self.child.is_open() {
            true => self.child.list(),
            false => self.one(request).map(|answer| vec![answer]),
        };
        answers.unwrap_or_else(|wrong| vec![wrong.reply()])
    }

    fn one(&mut self, request: &str) -> Result<Value, Wrong> {
        let mut words = request.split(' ');
        let verb = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        if verb == "hello" {
            return self.hello(&arguments);
        }
        if !self.greeted {
            return wrong("bad-state", "the first request is `hello`");
        }
        let is_open = self.child.is_open();
        match verb {
            "list" | "open" if is_open => wrong("bad-state", format!("`{verb}` while a benchmark is open")),
            "check" | "measure" | "close" if !is_open => wrong("bad-state", format!("`{verb}` before `open`")),
            "open" => {
                self.child.open(numbers(&arguments, 2)?[0])?;
                Ok(json!({"reply": "opened"}))
            }
            "check" if arguments.is_empty() => {
                self.child.check()?;
                Ok(json!({"reply": "checked", "digest": null, "text": null}))
            }
            "measure" => self.measure(&arguments),
            "close" | "bye" if arguments.is_empty() => {
                self.child.close();
                Ok(json!({"reply": if verb == "bye" { "bye" } else { "closed" }}))
            }
            "list" | "check" | "close" | "bye" => wrong("bad-request", format!("`{verb}` has no arguments")),
            "" => wrong("bad-request", "the request is empty or too long"),
            _ => wrong("unknown-request", format!("unknown request `{verb}`")),
        }
    }

    fn hello(&mut self, arguments: &[&str]) -> Result<Value, Wrong> {
        let version = arguments.first().map(|word| number(word)).transpose()?;
        match version {
            Some(1) => {}
            Some(version) => return wrong("version", format!("version {version} is not supported")),
            None => return wrong("bad-request", "`hello` needs a version"),
        }
        self.greeted = true;
        Ok(self.child.hello())
    }

    fn measure(&mut self, arguments: &[&str]) -> Result<Value, Wrong> {
        let (which, counts) = arguments.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
        let counts = numbers(counts, 3)?;
        let (iterations, invocations, lead) = (counts[0], counts[1], counts[2]);
        if !(1..=ITERATIONS_MAX).contains(&iterations) || invocations == 0 {
            return wrong("bad-request", "iterations are 1 to 100000, invocations at least 1");
        }
        match which {
            "workload" | "overhead" => self.child.measure(which, iterations, invocations, lead),
            "rolled" => wrong("not-supported", "there is no rolled loop"),
            other => wrong("bad-request", format!("there is no loop `{other}`")),
        }
    }
}

fn number(word: &str) -> Result<u64, Wrong> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    match word.parse().ok().filter(|_| digits) {
        Some(number) => Ok(number),
        None => wrong("bad-request", format!("`{word}` is not a number")),
    }
}

fn numbers(words: &[&str], count: usize) -> Result<Vec<u64>, Wrong> {
    if words.len() != count {
        return wrong("bad-request", format!("{count} numbers are needed"));
    }
    words.iter().map(|word| number(word)).collect()
}
