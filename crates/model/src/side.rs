//! The two sides of a comparison, and what a run or a side lacks.

use crate::Failure;
use serde::{Deserialize, Serialize};

/// One of the two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side with which the other is compared.
    Base,
    /// What is compared.
    New,
}

impl Side {
    /// Its name in a Run.
    pub fn name(self) -> &'static str {
        match self {
            Side::Base => "base",
            Side::New => "new",
        }
    }
}

/// What is known about a side: its identity and what it lacks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideFacts {
    /// As the user asked for it: a revision, a path, a run.
    pub name: String,
    /// More about it in one line, such as the full revision.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What of it may be other than was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What it lacks.
    #[serde(default, skip_serializing_if = "Missing::is_empty")]
    pub missing: Missing,
}

/// Both sides of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sides {
    /// The side with which the other is compared.
    pub base: SideFacts,
    /// What is compared.
    pub new: SideFacts,
}

impl Sides {
    pub fn of(&self, side: Side) -> &SideFacts {
        match side {
            Side::Base => &self.base,
            Side::New => &self.new,
        }
    }

    /// Both sides, base first.
    pub fn both(&self) -> [(Side, &SideFacts); 2] {
        [(Side::Base, &self.base), (Side::New, &self.new)]
    }
}

/// What was requested and could not be measured or compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// Benchmarks without a partner: for a side, those that only it has; for a plain run, those whose baseline was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<String>,
    /// Programs that could not be built or listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedProgram>,
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        self.alone.is_empty() && self.failed.is_empty()
    }

    pub(crate) fn add(&mut self, other: Missing) {
        self.alone.extend(other.alone.into_iter().filter(|name| !self.alone.contains(name)).collect::<Vec<_>>());
        self.failed
            .extend(other.failed.into_iter().filter(|program| !self.failed.contains(program)).collect::<Vec<_>>());
    }
}

/// A program that could not be built or listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedProgram {
    /// Its name: the file or the bench target.
    pub program: String,
    /// Why.
    pub failure: Failure,
    /// Names of the benchmarks that the same program of the other side has: without this one they could not be compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
}
