//! Who used the core while a case, or a whole run, was measured.

use serde::Serialize;

/// In which windows the time was taken that is compared and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreUse {
    /// In windows in which nobody else used the core.
    Alone,
    /// In all windows, since too few of them were alone, or since CPU time or the other side has no others: what the code takes on
    /// a core that is shared as much as it was then.
    Any,
    /// It was not judged: the child has no width probe, or an invocation is too long.
    NotJudged,
}

/// Who used the core while a case was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CoreReport {
    /// Which windows the time is of.
    pub times: CoreUse,
    /// Windows in all finished launches.
    pub windows: u32,
    /// Share of them in which nobody else used the core, 0 to 1.
    pub alone_share: f64,
    /// Time in shared windows over time in windows alone, within launches; None where either kind is too rare.
    pub slow_down: Option<f64>,
    /// Time of an operation in windows alone, ns; None where they are too rare, or the time cannot be distinguished from nothing.
    pub alone_ns: Option<f64>,
    /// Time of an operation in windows that were shared from end to end, ns; None as above.
    pub shared_ns: Option<f64>,
}

/// Share of shared windows from which they matter: a tenth of them at 1.9 times the time is a time that is 9 % off.
const SHARED_MIN: f64 = 0.1;

/// How much slower code is in shared windows where that is not known of it: the most that was seen of ordinary code
/// (`docs/concepts/neighbour.md`).
const SLOW_DOWN_MOST: f64 = 1.9;

impl CoreReport {
    /// The time is of a core that others used for a part of it that matters.
    pub fn is_shared_time(&self) -> bool {
        self.times == CoreUse::Any && self.shared_share() > SHARED_MIN
    }

    /// Share of the windows in which others used the core, 0 to 1.
    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }

    /// How many times as long as alone the shown time may be because of others: 1 for one alone on the core.
    pub fn others_at_most(&self) -> f64 {
        match self.is_shared_time() {
            true => 1.0 + self.shared_share() * (self.slow_down.unwrap_or(SLOW_DOWN_MOST).max(1.0) - 1.0),
            false => 1.0,
        }
    }
}

/// Who used the core during a whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoreSummary {
    /// Windows of all cases.
    pub windows: u64,
    /// Share of them in which nobody else used the core, 0 to 1.
    pub alone_share: f64,
    /// Cycles that an independent addition takes while nobody else uses the core: what windows are judged by. None where each
    /// process has a level of its own.
    pub cycles_per_addition: Option<f64>,
    /// Where that comes from: `machine profile` or `this run`.
    pub source: Option<String>,
    /// Cases whose time is of windows alone.
    pub cases_alone: usize,
    /// Cases whose time is of all windows.
    pub cases_any: usize,
    /// Cases without windows: their children have no width probe, or an invocation is too long.
    pub cases_not_judged: usize,
}

impl CoreSummary {
    /// Others used the core for a part of the run that matters.
    pub fn is_shared(&self) -> bool {
        self.shared_share() > SHARED_MIN
    }

    /// Share of the windows in which others used the core, 0 to 1.
    pub fn shared_share(&self) -> f64 {
        1.0 - self.alone_share
    }
}
