//! The one comparison: evidence in, verdict out, for all suppliers of evidence.
//!
//! | supplier | evidence |
//! |---|---|
//! | `ratio` | the newest look at the waves that two cases share: contestants of a run, and the sides of `tare compare` |
//! | `progress` | the same, while the run goes on |
//! | `saved` | Welch's interval over the sessions or processes of two saved sides |
//! | `saved::metric` | the same for counts |
//!
//! They differ in their knowledge and in their requirements; both are values: [`Evidence`] and [`Minimum`].

mod reason;
mod remedy;
mod suite;
#[cfg(test)]
mod tests;
mod uncertainty;

pub use reason::{NoiseSource, Objection, Reason};
pub(crate) use remedy::{minimum_effect_for, Remedy};
pub(crate) use suite::{judge_all, judge_alone, Suite};
pub(crate) use uncertainty::{Purpose, Student, Uncertainty};

use serde::Serialize;
use tare_stats::interval::Interval;
use tare_stats::sequential::Bounds;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Faster,
    Slower,
    /// The whole interval lies within the minimum effect.
    Same,
    /// Neither of these can be concluded.
    Unclear,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unclear => "unclear",
        }
    }

    /// For `same` with an interval that excludes no change: the minimum effect that the difference is below.
    pub(crate) fn small_difference(self, interval: Option<Interval>, minimum_effect: f64) -> Option<f64> {
        let excludes_one = interval.is_some_and(|interval| interval.lower > 1.0 || interval.upper < 1.0);
        (self == Verdict::Same && excludes_one && minimum_effect.is_finite()).then_some(minimum_effect)
    }
}

/// The evidence of a comparison. Logs are of new / base of the cost: positive is slower.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evidence {
    pub estimate: f64,
    pub uncertainty: Option<Uncertainty>,
    pub p: Option<f64>,
    /// Whether this kind of data can be `same`.
    pub may_be_same: bool,
    pub looks: u32,
    /// An objection to a verdict, however certain the numbers.
    pub objection: Option<Objection>,
    /// New minus base, ns; `None` if no difference is too small in ns.
    pub difference_ns: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Minimum {
    pub effect_log: f64,
    /// Differences up to this never get a verdict, ns.
    pub noise_ns: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ruling {
    pub verdict: Verdict,
    pub reason: Option<Reason>,
    pub q: Option<f64>,
    /// Whether there are so many comparisons that the verdict depends on q.
    pub is_corrected: bool,
    /// Smallest change that gets a verdict, as a share; infinite if none gets one.
    pub minimum_effect: f64,
    /// Smallest margin within which both are the same, as a share; `None` if this data cannot show that.
    pub margin: Option<f64>,
}

impl Evidence {
    pub fn interval(&self, purpose: Purpose) -> Option<Interval> {
        self.uncertainty.as_ref().map(|uncertainty| uncertainty.interval(self.estimate, purpose))
    }

    pub fn shown(&self) -> Option<Interval> {
        let interval = self.interval(Purpose::Shown).filter(|_| self.estimate.is_finite())?.map(f64::exp);
        (interval.lower.is_finite() && interval.upper.is_finite()).then_some(interval)
    }

    fn bounds(&self) -> Bounds {
        let agrees = !matches!(self.objection, Some(Objection::WavesDisagree | Objection::Unconfirmed));
        Bounds { estimate: self.estimate, difference: self.interval(Purpose::Difference), same: self.same(), agrees }
    }

    /// The interval that decides `same`; `None` if this data cannot show that.
    fn same(&self) -> Option<Interval> {
        self.interval(Purpose::Same).filter(|_| self.may_be_same)
    }

    /// Whether any verdict needs more processes.
    pub fn is_of_few(&self) -> bool {
        matches!(self.objection, Some(Objection::FewProcesses { .. }))
    }
}
