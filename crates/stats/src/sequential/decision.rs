//! From a look to a verdict (method.md 5.2, stop rules).

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

/// What counts as a difference, and how sure one must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopRule {
    /// Smallest effect worth reporting, on the log scale: `ln(1 + m)`. Positive.
    pub minimum_effect_log: f64,
    /// Two-sided error of Slower and Faster over all looks, in `(0, 1)`.
    pub alpha_difference: f64,
    /// One-sided error of Same over all looks, in `(0, 0.5)`.
    pub alpha_same: f64,
    /// Number of looks after which no wave follows; normally [`super::Design::max_looks`]. Not to be changed after look 1.
    pub max_looks: usize,
}

impl Default for StopRule {
    /// 1 % minimum effect, 1 % and 5 % errors, 8 looks (method.md 5.1).
    fn default() -> Self {
        StopRule { minimum_effect_log: 0.01_f64.ln_1p(), alpha_difference: 0.01, alpha_same: 0.05, max_looks: 8 }
    }
}

impl StopRule {
    fn difference_interval(&self, look: &Look) -> Option<Interval> {
        tabled(look, self.alpha_difference)
    }

    fn same_interval(&self, look: &Look) -> Option<Interval> {
        tabled(look, 2.0 * self.alpha_same)
    }

    /// Critical values `(difference, same)` at the last look, with the degrees of freedom extrapolated.
    fn final_critical(&self, look: &Look) -> Option<(f64, f64)> {
        let design = look.design();
        let last = self.max_looks.min(design.max_looks()?);
        let df = look.df / look.look.max(1) as f64 * last as f64;
        let at = |alpha: f64| design.p_level(last, alpha).map(|level| t_isf(level / 2.0, df));
        Some((at(self.alpha_difference)?, at(2.0 * self.alpha_same)?))
    }
}

/// The repeated interval at level 1 - alpha: those of the look itself where it carries them, so that a plan
/// which the degrees of freedom do not show is respected.
fn tabled(look: &Look, alpha: f64) -> Option<Interval> {
    let is = |level: f64| (alpha - level).abs() < 1e-9;
    match () {
        () if is(0.10) => Some(look.rci_90),
        () if is(0.05) => Some(look.rci_95),
        () if is(0.01) => Some(look.rci_99),
        () => look.repeated_interval(alpha),
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
    /// Tried in the order difference, same (method.md 5.2). A value that is not a number is [`Decision::Undecided`].
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

/// The decision at this look. A rule outside its domain is [`Decision::Undecided`], as is a value that is not a number.
pub fn decide(look: &Look, rule: &StopRule) -> Decision {
    let (difference, same) = (rule.difference_interval(look), rule.same_interval(look));
    Bounds { estimate: look.estimate, difference, same, agrees: look.waves_agree }.decide(rule.minimum_effect_log)
}

/// True when the rule allows no further look, by its own limit or the table's.
pub fn is_last(look: &Look, rule: &StopRule) -> bool {
    look.look >= rule.max_looks || look.design().max_looks().is_none_or(|limit| look.look >= limit)
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
