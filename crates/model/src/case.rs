//! What a row of the table is: a benchmark with its parameters filled in, run in one way (its job).

use crate::Failure;
use serde::{Deserialize, Serialize};

/// A named input of a benchmark with one of its values, as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Name of the parameter.
    pub name: String,
    /// Value as the front end writes it.
    pub value: String,
}

/// The set-ups and clean-ups that a benchmark can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetUp {
    /// Once a launch, before everything.
    Global,
    /// Once a launch, at the end.
    GlobalCleanUp,
    /// Before each iteration, untimed.
    Iteration,
    /// After each iteration, untimed.
    IterationCleanUp,
}

impl SetUp {
    /// By its name in the protocol; None for one that this version does not know.
    pub fn named(name: &str) -> Option<SetUp> {
        Some(match name {
            "global" => SetUp::Global,
            "global-clean-up" => SetUp::GlobalCleanUp,
            "iteration" => SetUp::Iteration,
            "iteration-clean-up" => SetUp::IterationCleanUp,
            _ => return None,
        })
    }
}

/// A benchmark of an artifact with its parameters filled in, as its front end listed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Benchmark {
    /// Its number in the child's list: the argument of `open`.
    pub index: u32,
    /// Benchmarks of one group are compared with each other; may be empty.
    pub group: String,
    /// Name within the group.
    pub name: String,
    /// The parameters with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Source file of the declaration, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line of the declaration, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The others of its group with the same parameters are compared with it.
    #[serde(default)]
    pub baseline: bool,
    /// Operations that one invocation does, at least 1.
    #[serde(default = "one")]
    pub operations: u64,
    /// Name of an operation.
    #[serde(default = "op")]
    pub unit: String,
    /// For filters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// One line for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Which set-ups and clean-ups it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_ups: Vec<SetUp>,
    /// The body returns a value that goes to the sink; None when not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<bool>,
    /// Threads that the body uses; 0 when not known.
    #[serde(default = "one_thread")]
    pub threads: u32,
    /// What is wrong with its declaration: it is not measured and fails by name, and the others are measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// What it requires of the host: a host that lacks one of them fails it by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
}

impl Default for Benchmark {
    fn default() -> Benchmark {
        Benchmark {
            index: 0,
            group: String::new(),
            name: String::new(),
            parameters: Vec::new(),
            file: None,
            line: None,
            baseline: false,
            operations: one(),
            unit: op(),
            categories: Vec::new(),
            description: String::new(),
            set_ups: Vec::new(),
            returns: None,
            threads: one_thread(),
            invalid: None,
            requires: Vec::new(),
        }
    }
}

fn one() -> u64 {
    1
}

fn one_thread() -> u32 {
    1
}

fn op() -> String {
    "op".to_owned()
}

impl Benchmark {
    /// `group/name`, or the name alone where there is no group.
    pub fn full_name(&self) -> String {
        if self.group.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.group, self.name)
        }
    }

    /// `n=10, kind=sorted`; empty without parameters.
    pub fn parameter_text(&self) -> String {
        let parts: Vec<String> = self.parameters.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
        parts.join(", ")
    }

    /// True when an iteration set-up or clean-up runs around each iteration.
    pub fn has_iteration_set_up(&self) -> bool {
        self.set_ups.iter().any(|s| matches!(s, SetUp::Iteration | SetUp::IterationCleanUp))
    }
}

/// How to run a case: what differs between two rows of the same benchmark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Job {
    /// Name that the user sees; empty for the only job of a plain run.
    pub name: String,
    /// More about it in one line, such as the full revision.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Of a side of a comparison: names of the benchmarks that it alone has, so that they could not be compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<String>,
    /// Of a side of a comparison: its programs that could not be built or listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedProgram>,
}

/// A program of a side that could not be built or listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedProgram {
    /// Its name: the file or the bench target.
    pub program: String,
    /// Why.
    pub failure: Failure,
    /// Names of the benchmarks that the same program of the other side has: for want of this one they could not be compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
}

/// A row of the table: a benchmark of an artifact under a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// Index into [`crate::Run::artifacts`].
    pub artifact: u32,
    /// Index into [`crate::Run::jobs`].
    pub job: u32,
    /// The benchmark with its parameters.
    pub benchmark: Benchmark,
    /// Unique and stable name of the row: language, group, name, parameters and job.
    pub key: String,
}
