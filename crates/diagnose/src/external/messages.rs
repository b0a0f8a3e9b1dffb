//! The lines of the dialogue with an external diagnoser, one JSON object each.

use crate::{Signal, Subject};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use tare_model::LaunchChange;

/// Version of the form: changes when a program that speaks the previous one cannot speak the new one.
const VERSION: u32 = 1;

#[derive(Debug, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub(crate) enum Reply {
    /// The pass can begin, with these changes to the launch.
    Ready(LaunchChange),
    /// It has received a signal.
    Ok,
    Result(Box<Result>),
    /// It cannot go on.
    Error {
        #[serde(default)]
        message: String,
    },
}

impl Reply {
    /// The error for a reply other than the expected one.
    pub(super) fn instead_of(&self, wanted: &str, signal: &str) -> String {
        let came = match self {
            Reply::Ready(_) => "ready",
            Reply::Ok => "ok",
            Reply::Result(_) => "result",
            Reply::Error { .. } => "error",
        };
        format!("it replied `{came}` to `{signal}` instead of `{wanted}`")
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Result {
    pub metrics: Vec<Metric>,
    pub attachments: Vec<Attached>,
    pub findings: Vec<FindingMessage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Metric {
    pub name: String,
    #[serde(default)]
    pub unit: String,
    pub better: Option<String>,
    pub per: Option<String>,
    pub values: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Attached {
    pub name: String,
    #[serde(default)]
    pub title: String,
    pub media_type: Option<String>,
    /// `case`, or `side` for all cases of a side.
    pub of: Option<String>,
    #[serde(flatten)]
    pub content: Content,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Content {
    pub text: Option<String>,
    pub file: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FindingMessage {
    pub severity: Option<String>,
    pub text: String,
    #[serde(default)]
    pub advice: String,
}

/// Parses a received line; the error says what is wrong with it.
pub(crate) fn heard(line: &[u8]) -> std::result::Result<Reply, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// The line that begins a pass.
pub(super) fn begin(subject: &Subject) -> String {
    let parameters: BTreeMap<&str, &str> =
        subject.parameters.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
    json!({
        "signal": "begin",
        "version": VERSION,
        "case": {"key": subject.key, "group": subject.group, "name": subject.name, "parameters": parameters},
        "program": subject.program,
        "language": subject.language,
        "side": subject.side.map(|side| side.name()),
        "iterations": subject.iterations,
        "invocations": subject.invocations,
        "folder": subject.folder,
    })
    .to_string()
}

/// The line of a signal, and its name.
pub(super) fn signal(signal: &Signal) -> (String, &'static str) {
    let (name, mut value) = match signal {
        Signal::Started { pid } => ("started", json!({"pid": pid})),
        Signal::Opened { .. } => ("opened", json!({})),
        Signal::Before { part } => ("before", json!({"iteration": part.iteration})),
        Signal::After { part, operations, .. } => {
            ("after", json!({"iteration": part.iteration, "operations": operations}))
        }
        // The first of these is not sent.
        Signal::Measured | Signal::Ended => ("ended", json!({})),
    };
    value["signal"] = name.into();
    (value.to_string(), name)
}
