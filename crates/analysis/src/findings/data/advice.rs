//! What to do, as a value.

use super::Sentence;
use serde::Serialize;

/// What to do about a finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// One line.
    pub text: Sentence,
    /// The run to make, where one helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
}

/// The same run once more, with one thing changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Again {
    /// What changes.
    pub how: How,
    /// Patterns of the benchmarks that are needed; empty: all that the run had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

/// What changes in a run that is made again.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Nothing.
    AsBefore,
    /// It takes the long plan.
    Longer,
    /// It makes so many launches of each case, or of each side.
    Launches(u64),
    /// Nothing cuts its time short: no short plan, no budget.
    InFull,
    /// It has no budget.
    WithoutBudget,
    /// The number of invocations is found and not given.
    FreeInvocations,
    /// The number of code layouts is not given, if it was too small.
    FreeLayouts,
    /// This is the smallest change that counts, as a share.
    MinimumEffect(f64),
}

/// What decides a comparison that is unclear.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decide {
    /// The same run once more.
    Again(Again),
    /// A run that measures both sides in turn.
    Interleaved {
        /// The revisions of both sides, where they are known.
        sides: Option<[String; 2]>,
        /// Names of the benchmarks.
        only: Vec<String>,
    },
}

impl Again {
    /// Again in this way, for all that the run had.
    pub fn new(how: How) -> Again {
        Again { how, only: Vec::new() }
    }

    /// Only these benchmarks.
    pub fn only<S: Into<String>>(how: How, names: impl IntoIterator<Item = S>) -> Again {
        Again { how, only: names.into_iter().map(Into::into).collect() }
    }
}

impl Decide {
    /// The benchmarks that it is about.
    pub fn only(&self) -> &[String] {
        match self {
            Decide::Again(again) => &again.only,
            Decide::Interleaved { only, .. } => only,
        }
    }

    /// The same for other benchmarks.
    #[must_use]
    pub fn with_only(&self, only: Vec<String>) -> Decide {
        match self {
            Decide::Again(again) => Decide::Again(Again { how: again.how, only }),
            Decide::Interleaved { sides, .. } => Decide::Interleaved { sides: sides.clone(), only },
        }
    }
}
