//! From a look to a verdict.

use super::look::Look;
use crate::interval::Interval;
use crate::special::t_isf;

/// What a look allows to say about the candidate against the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The repeated interval excludes no change, the estimate is at least the minimum effect up, and the waves agree.
    Slower,
    /// The same, down.
    Faster,
    /// The repeated interval of the equivalence test lies inside the minimum effect.
    Same,
    /// None of these: take another wave, or report the certified margin.
    Undecided,
}

/// What counts as a difference, and when the looks end. Slower and Faster are decided on the repeated 99 % interval, Same on the 90 % one: a
/// one-sided error of 5 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopRule {
    /// Smallest effect worth reporting, on the log scale: `ln(1 + m)`. Positive.
    pub minimum_effect_log: f64,
    /// Number of looks after which no wave follows; normally [`super::Design::max_looks`]. Not to be changed after look 1.
    pub max_looks: usize,
}

impl Default for StopRule {
    /// 1 % minimum effect, 8 looks.
    fn default() -> Self {
        StopRule { minimum_effect_log: 0.01_f64.ln_1p(), max_looks: 8 }
    }
}

impl StopRule {
    /// Critical values `(difference, same)` at the last look, with the degrees of freedom extrapolated.
    fn final_critical(&self, look: &Look) -> Option<(f64, f64)> {
        let design = look.design();
        let last = self.max_looks.min(design.max_looks()?);
        let df = look.df / look.look.max(1) as f64 * last as f64;
        let at = |alpha: f64| design.p_level(last, alpha).map(|level| t_isf(level / 2.0, df));
        Some((at(0.01)?, at(0.10)?))
    }
}

/// What decides, of whatever data: an effect with its intervals, on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The estimate.
    pub estimate: f64,
    /// The interval that a difference is decided on; `None` where the data has none.
    pub difference: Option<Interval>,
    /// The interval that the same is decided on; `None` where the data has none, or cannot say it.
    pub same: Option<Interval>,
    /// Nothing in the data speaks against the estimate ([`Look::waves_agree`]).
    pub agrees: bool,
}

impl Bounds {
    /// Tried in the order difference, same. A value that is not a number is [`Decision::Undecided`].
    pub fn decide(&self, minimum_effect_log: f64) -> Decision {
        let m = minimum_effect_log;
        if self.excludes_zero() && self.estimate.abs() >= m && self.agrees {
            return if self.estimate > 0.0 { Decision::Slower } else { Decision::Faster };
        }
        match self.same {
            Some(i) if -m < i.lower && i.upper < m => Decision::Same,
            _ => Decision::Undecided,
        }
    }

    /// The interval of a difference excludes no change.
    pub fn excludes_zero(&self) -> bool {
        self.difference.is_some_and(|i| i.lower > 0.0 || i.upper < 0.0)
    }
}

/// About how many launches a side would decide, if the estimate stayed as it is; for the closing hint.
///
/// At least the launches already made. `None` when the estimate is exactly at the minimum effect and inside it, or the
/// arithmetic has no answer.
pub fn launches_needed(look: &Look, rule: &StopRule) -> Option<f64> {
    let (difference, same) = rule.final_critical(look)?;
    let size = look.estimate.abs();
    let ratio = if size >= rule.minimum_effect_log {
        difference * look.standard_error / size
    } else {
        same * look.standard_error / (rule.minimum_effect_log - size)
    };
    let made = (look.processes_per_side * look.look) as f64;
    let needed = (made * (ratio * ratio).max(1.0)).ceil();
    needed.is_finite().then_some(needed)
}
