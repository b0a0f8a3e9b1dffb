//! Kinds of time in which a case is compared and shown.

use crate::clock::Exponent;
use serde::Serialize;
use tare_model::VisitTraits;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    #[default]
    Wall,
    /// CPU time of the thread, or of the process if it collects: too few undisturbed visits for wall time, and the body neither blocks nor
    /// uses threads.
    Cpu,
}

/// A kind of time imposed on the visits of a case, so that both sides of a comparison use the same one.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeKind {
    pub quantity: Option<Quantity>,
    pub all_windows: bool,
    /// Assumed traits of the body beside computing; `None` for those that its visits show, or that were chosen before.
    pub traits: Option<VisitTraits>,
    /// How the clock is taken out; `None`: as closely as the case itself follows it, or as chosen before.
    pub follows: Option<FollowsClock>,
}

impl TimeKind {
    pub fn all_windows(quantity: Quantity) -> TimeKind {
        TimeKind { quantity: Some(quantity), all_windows: true, ..TimeKind::default() }
    }
}

/// How the clock is taken out of the times of a case, if imposed on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FollowsClock {
    As(Exponent),
    /// Not at all: the times are wall times.
    NotCorrected,
}

/// Why a ratio uses all windows although a side has times alone on the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllWindows {
    OneSide,
    /// The code affects which of its windows are kept.
    SharesDiffer,
    /// Fewer than a third of the waves had two launches of each that were alone on the core.
    FewWaves,
}
