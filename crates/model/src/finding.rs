//! Coded remarks with evidence and advice.

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// The number may mislead.
    Warning,
    /// The number must not be used.
    Error,
}

/// What to do about a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Advice {
    /// One line.
    pub text: String,
    /// An exact command, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// A coded remark with evidence and advice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Stable code, such as `two-modes`.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// Index of the case; None for the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<u32>,
    /// Indices of all its cases where one remark stands for several; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<u32>,
    /// One line with the numbers that show it.
    pub evidence: String,
    /// What to do.
    pub advice: Advice,
}

impl Finding {
    /// Whether it speaks about this case.
    pub fn concerns(&self, case: u32) -> bool {
        self.case == Some(case) || self.cases.contains(&case)
    }
}
