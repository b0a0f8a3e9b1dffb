//! What the child measures: a JSON text that the host passes as an argument.

use serde::{Deserialize, Serialize};
use tare_model::Parameter;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spec {
    pub commands: Vec<Command>,
    /// The shell that runs the commands, with its arguments before the command; empty: no shell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shell: Vec<String>,
    pub ignored: Ignored,
    /// Warm-up runs before the first measurement of a command, at least 1.
    pub warm_ups: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Command {
    pub name: String,
    /// The values filled in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Whether the others are compared with it.
    pub baseline: bool,
    /// As it would be typed.
    pub text: String,
    /// Run before each measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prepare: Option<String>,
    /// Run after each measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conclude: Option<String>,
    /// Run by the host before the first measurement of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_up: Option<String>,
    /// Run by the host after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clean_up: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    pub stdout: Sink,
}

/// Where the standard output of a command goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sink {
    #[default]
    Null,
    /// Into a pipe that is read and discarded.
    Pipe,
    /// To a file, which each run overwrites.
    File(String),
    /// With standard error, to descriptor 2 of this process, where the user sees it.
    Shown(u32),
}

/// Exit statuses that are not failures, besides 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ignored {
    /// All others are failures.
    #[default]
    None,
    /// No status and no signal is a failure.
    All,
    /// These are not failures.
    Statuses(Vec<i32>),
}

impl Spec {
    pub fn parse(text: &str) -> Result<Spec, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The text that [`Spec::parse`] reads.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
