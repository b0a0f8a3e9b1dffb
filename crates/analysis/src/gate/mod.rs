//! The gate: what a build may not do to the times of its benchmarks, judged on the safe side of what is known. A limit has
//! been passed when the whole interval lies beyond it, and is kept when the whole interval lies within; what lies on both
//! sides is undecided, and says so.

mod judge;
mod limit;
mod rule;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_saved;

pub use judge::{judge_comparison, judge_matrix, judge_report};
pub use limit::{Limit, LimitError};
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
}

impl Gate {
    /// Nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.limits.is_empty()
    }

    /// The first rule whose change is smaller than the smallest that gets a word: it could never be broken by such a change.
    pub fn too_fine(&self, minimum_effect: f64) -> Option<&Rule> {
        let fine = |rule: &&Rule| rule.from().is_some_and(|from| from < minimum_effect - 1e-9);
        self.rules.iter().filter(|rule| !matches!(rule, Rule::Unclear { .. })).find(fine)
    }

    /// What cannot be decided ends in a code of its own.
    fn asks_for_decisions(&self) -> bool {
        self.rules.iter().any(|r| matches!(r, Rule::Unclear { .. }))
    }
}

/// One reason why a gate is not passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Charge {
    /// The benchmark; empty where it is about none.
    pub benchmark: String,
    /// The rule, as the user wrote it: `slower:3%`, `time <= 250 ns`.
    pub rule: String,
    /// The numbers that show it.
    pub evidence: String,
}

/// What a gate says.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judgement {
    /// Why it fails.
    pub failed: Vec<Charge>,
    /// What it could not decide although it was asked to.
    pub undecided: Vec<Charge>,
    /// What is good to know and decides nothing: limits that could not be judged, patterns that fit no benchmark.
    pub notes: Vec<Charge>,
}

impl Judgement {
    /// Charges contestants whose baselines were left out of a run: nobody knows what a rule about ratios would say of them.
    pub fn charge_without_baseline(&mut self, gate: &Gate, names: &[String]) {
        for rule in gate.rules.iter().filter(|rule| rule.is_about_ratios()) {
            let charge = |name: &String| Charge {
                benchmark: name.clone(),
                rule: rule.to_string(),
                evidence: judge::NO_BASELINE.to_owned(),
            };
            self.undecided.extend(names.iter().map(charge));
        }
    }

    /// What the process ends with.
    pub fn exit_code(&self) -> ExitCode {
        match (self.failed.is_empty(), self.undecided.is_empty()) {
            (false, _) => ExitCode::GateFailed,
            (true, false) => ExitCode::GateUndecided,
            (true, true) => ExitCode::Ok,
        }
    }
}
