//! The gate: what a build may not do to the times of its benchmarks, judged on the safe side of what is known. A limit has
//! been passed when the whole interval lies beyond it, and is kept when the whole interval lies within; what lies on both
//! sides is undecided, and says so.

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

/// Decides whether a pattern fits the name of a benchmark: the rule of `--filter`, which belongs to the engine.
pub type Fits = fn(pattern: &str, name: &str) -> bool;

/// What is asked of the benchmarks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    /// What must not happen.
    pub rules: Vec<Rule>,
    /// What each benchmark may cost.
    pub limits: Vec<Limit>,
    /// Which benchmarks there are to judge.
    pub scope: Scope,
}

/// Which benchmarks a gate is about: a limit that fits none of those that were measured may be of others, or of one that is gone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope {
    /// Everything that the project has was to be measured, but what the filters left out.
    pub is_whole: bool,
    /// Names that the filters left out.
    pub left_out: Vec<String>,
}

impl Gate {
    /// Nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.limits.is_empty()
    }

    /// The first rule whose change is smaller than the smallest that gets a verdict: it could never be broken by such a change.
    pub fn too_fine(&self, minimum_effect: f64) -> Option<&Rule> {
        let fine = |rule: &&Rule| rule.from().is_some_and(|from| from < minimum_effect - 1e-9);
        self.rules.iter().filter(|rule| !matches!(rule, Rule::Unclear { .. } | Rule::Counts { .. })).find(fine)
    }

    /// What cannot be decided ends in a code of its own.
    fn asks_for_decisions(&self) -> bool {
        self.rules.iter().any(|r| matches!(r, Rule::Unclear { .. }))
    }
}

/// One reason why a gate is not passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Violation {
    /// The benchmark; empty where it is about none.
    pub benchmark: String,
    /// The rule, as the user wrote it: `slower:3%`, `time <= 250 ns`.
    pub rule: String,
    /// The numbers behind it.
    pub evidence: String,
}

/// What a gate says.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judgement {
    /// Why it fails.
    pub failed: Vec<Violation>,
    /// What it could not decide although it was asked to.
    pub undecided: Vec<Violation>,
    /// What is good to know and decides nothing: limits that lie within an interval, limits of other benchmarks.
    pub notes: Vec<Violation>,
}

impl Judgement {
    /// What the process ends with.
    pub fn exit_code(&self) -> ExitCode {
        match (self.failed.is_empty(), self.undecided.is_empty()) {
            (false, _) => ExitCode::GateFailed,
            (true, false) => ExitCode::GateUndecided,
            (true, true) => ExitCode::Ok,
        }
    }
}
