//! Passes of diagnosers: what must never run beside timing, because it makes the code slower or another one.

use crate::{Failure, Metric};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a child can look for in a pass of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnoser {
    /// Its name: lower-case letters, digits and `_`.
    pub name: String,
    /// What it gives for each iteration.
    pub metrics: Vec<Metric>,
}

/// A pass of a diagnoser over a case: a process of its own, after the times were measured.
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
    /// The values of each metric, one for each iteration; empty where it failed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Vec<f64>>,
    /// Why it failed. The times of the case stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Diagnosis {
    /// Operations of all its iterations: those that the child counted, else `declared` an invocation.
    pub fn all_operations(&self, declared: u64) -> f64 {
        let iterations = self.metrics.values().next().map_or(0, Vec::len);
        let each = match self.operations.is_empty() {
            true => declared as f64 * iterations as f64,
            false => self.operations.iter().sum(),
        };
        each * self.invocations as f64
    }
}
