//! The gate, judged on the safe side: a limit is exceeded if the whole interval lies beyond it, and kept if the whole interval lies within;
//! anything else is undecided.

mod absent;
mod checker;
mod history;
mod judge;
mod limit;
mod rule;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_absent;
#[cfg(test)]
mod tests_saved;

pub use history::{judge_history, RECENT_RUNS};
pub use judge::{judge_comparison, judge_report};
pub use limit::{CountLimit, Limit, LimitError};
pub use rule::Rule;

use serde::Serialize;
use tare_model::ExitCode;

/// Whether a pattern fits the name of a benchmark: the rule of `--filter`, which belongs to the engine.
pub type Fits = fn(pattern: &str, name: &str) -> bool;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    pub rules: Vec<Rule>,
    pub limits: Vec<Limit>,
    pub scope: Scope,
}

/// The benchmarks of a gate: a limit that fits none of the measured ones may concern others, or one that is gone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope {
    /// Everything in the project was to be measured, except for what the filters left out.
    pub is_whole: bool,
    pub left_out: Vec<String>,
}

impl Gate {
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.limits.is_empty()
    }

    /// The first rule whose change is below the smallest that gets a verdict: such a change could never break it.
    pub fn too_fine(&self, minimum_effect: f64) -> Option<&Rule> {
        let fine = |rule: &&Rule| rule.from().is_some_and(|from| from < minimum_effect - 1e-9);
        self.rules.iter().filter(|rule| !matches!(rule, Rule::Unclear { .. } | Rule::Counts { .. })).find(fine)
    }

    /// Whether undecidable comparisons end with their own exit code.
    fn asks_for_decisions(&self) -> bool {
        self.rules.iter().any(|r| matches!(r, Rule::Unclear { .. }))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Violation {
    pub benchmark: String,
    /// The rule, as the user wrote it: `slower:3%`, `time <= 250 ns`.
    pub rule: String,
    pub evidence: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judgement {
    pub failed: Vec<Violation>,
    pub undecided: Vec<Violation>,
    /// Information that decides nothing: limits that lie within an interval, limits of other benchmarks.
    pub notes: Vec<Violation>,
}

impl Judgement {
    pub fn exit_code(&self) -> ExitCode {
        match (self.failed.is_empty(), self.undecided.is_empty()) {
            (false, _) => ExitCode::GateFailed,
            (true, false) => ExitCode::GateUndecided,
            (true, true) => ExitCode::Ok,
        }
    }
}
