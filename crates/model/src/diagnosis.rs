//! Passes of diagnosers, which never run beside timing because they slow or change the code.

use crate::{Failure, Metric, Stacks};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a child can look for in a separate pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnoser {
    /// Its name: lower-case letters, digits and `_`.
    pub name: String,
    /// What it gives for each iteration.
    pub metrics: Vec<Metric>,
    /// What it gives beside numbers, by the words of the protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<String>,
}

/// What the diagnoser of a child has found beside numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChildFindings {
    pub stacks: Stacks,
    pub files: Vec<ChildFile>,
    /// Numbers that are not measured, by name.
    pub facts: BTreeMap<String, f64>,
    /// What it says in words.
    pub remarks: Vec<Remark>,
}

/// A file that a child hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildFile {
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    pub media_type: String,
    pub content: Vec<u8>,
}

/// How a launch that a diagnoser looks at differs from one that is timed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct LaunchChange {
    /// Libraries that are loaded before all others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preload: Vec<String>,
    /// Variables of the environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// A command that runs the program, with its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrapper: Vec<String>,
    /// Arguments behind those that the program has anyway.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

impl LaunchChange {
    pub fn is_empty(&self) -> bool {
        *self == LaunchChange::default()
    }

    pub fn add(&mut self, other: LaunchChange) {
        self.preload.extend(other.preload);
        self.environment.extend(other.environment);
        self.wrapper.extend(other.wrapper);
        self.arguments.extend(other.arguments);
    }
}

/// Why a diagnoser cannot look at a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lack {
    /// What is missing; empty: the program does not say that it has the diagnoser.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What gives it to the program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

/// What a diagnoser says of a case in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remark {
    /// It may mean that something is wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_warning: bool,
    /// What was found.
    pub text: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

/// A pass of a diagnoser over a case: a separate process, after the times were measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    /// Index of the case.
    pub case: u32,
    /// Name of the diagnoser.
    pub diagnoser: String,
    /// The part of the run that it was made in: index into [`Run::parts`](crate::Run::parts).
    pub part: u32,
    /// Invocations of each iteration.
    pub invocations: u64,
    /// Operations that one invocation of each iteration did, where they differ from iteration to iteration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<f64>,
    /// The values of each metric, one for each iteration; empty if it failed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Vec<f64>>,
    /// The metrics, where the diagnoser and not the program says which it gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<Metric>,
    /// What it knows of the case in numbers that are not measured, such as the size of its code, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, f64>,
    /// What the diagnoser says of the case in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// What the program printed in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// Why it failed. The times of the case stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Diagnosis {
    /// The fact with the number of all samples of a profile.
    pub const SAMPLES: &'static str = "samples";
    /// The same for a function, whose name follows.
    pub const SAMPLES_IN: &'static str = "samples in ";
    /// The same, including callees.
    pub const SAMPLES_UNDER: &'static str = "samples under ";
    /// The same for a kind of work, recognised by function names: followed by the kind, ` in ` and the function.
    pub const SAMPLES_OF: &'static str = "samples of ";
    /// The same for a line: followed by file and line, ` in ` and the function.
    pub const SAMPLES_AT: &'static str = "samples at ";
    /// A fact about the data that code works on: followed by a name, ` in ` and the function that reads it, `: ` and the type.
    pub const VALUES_OF: &'static str = "values of ";
    /// The same for objects that a runtime stores in an unusual form, followed by a description.
    pub const IN_MEMORY: &'static str = "in memory: ";
    /// Samples in unnamed code called by named code.
    pub const SAMPLES_UNNAMED: &'static str = "samples without a name";
    /// A fact of machine code: loops of one side call what the other inlines. Followed by the name.
    pub const CALLED_NOW: &'static str = "called now ";
    pub const INLINED_NOW: &'static str = "inlined now ";
    /// A fact of machine code: the calls of a kind of work in its loops. Followed by the kind.
    pub const CALLS_OF: &'static str = "calls of ";
    /// The same for a function called by or inlined into another: followed by it, ` from ` and the caller.
    pub const SAMPLES_CALLED: &'static str = "samples called ";
    pub const SAMPLES_INLINED: &'static str = "samples inlined ";

    pub fn new(case: u32, diagnoser: &str, part: u32, invocations: u64) -> Diagnosis {
        Diagnosis {
            case,
            diagnoser: diagnoser.to_owned(),
            part,
            invocations,
            operations: Vec::new(),
            metrics: BTreeMap::new(),
            gives: Vec::new(),
            facts: BTreeMap::new(),
            remarks: Vec::new(),
            output: Vec::new(),
            failure: None,
        }
    }

    /// Operations of all iterations: counted by the child, else `declared` per invocation.
    pub fn all_operations(&self, declared: u64) -> f64 {
        let iterations = self.metrics.values().next().map_or(0, Vec::len);
        let each = match self.operations.is_empty() {
            true => declared as f64 * iterations as f64,
            false => self.operations.iter().sum(),
        };
        each * self.invocations as f64
    }
}
