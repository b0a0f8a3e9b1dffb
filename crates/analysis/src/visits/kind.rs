//! Kinds of time: what a case is compared and shown in.

use crate::clock::Exponent;
use serde::Serialize;
use tare_model::VisitTraits;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    #[default]
    Wall,
    /// CPU time of the thread, or of the process where it collects: too few undisturbed visits for wall time, and the body neither blocks nor uses threads.
    Cpu,
}

/// A kind of time, where the visits of a case are not to choose it by themselves: both sides of a comparison are compared in the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeKind {
    pub quantity: Option<Quantity>,
    pub all_windows: bool,
    /// What the body is taken to do beside computing; None: what its visits show, or as it was chosen before.
    pub traits: Option<VisitTraits>,
    /// How the clock is taken out; None: as closely as the case itself follows it, or as it was chosen before.
    pub follows: Option<FollowsClock>,
}

impl TimeKind {
    pub fn all_windows(quantity: Quantity) -> TimeKind {
        TimeKind { quantity: Some(quantity), all_windows: true, ..TimeKind::default() }
    }
}

/// How the clock is taken out of the times of a case, where others decide it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FollowsClock {
    As(Exponent),
    /// Not at all: the times are those of the wall clock.
    NotCorrected,
}

/// Why a ratio is of all windows although a side has times alone on the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllWindows {
    OneSide,
    /// The code changes what is kept of its windows.
    SharesDiffer,
    /// In fewer than a third of the waves were there two launches of each that were alone on the core.
    FewWaves,
}
