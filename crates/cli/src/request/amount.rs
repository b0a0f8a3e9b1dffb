//! How much to measure, and how.

use crate::args::EffortArgs;
use crate::failure::Failure;
use tare_engine::{Budget, Effort, Precision};
use tare_model::{Artifact, Clocking, Policy, Profile};

/// The requested amount and the project's default: the rules of a plan follow once it is known what is measured.
#[derive(Debug, Clone, Default)]
pub struct Amount {
    pub effort: Effort,
    pub budget: Option<Budget>,
    /// The project's budget, if none was requested.
    pub usual_budget: Option<Budget>,
    /// Total time of several comparisons, s.
    pub of_all_s: Option<f64>,
    pub keep_order: bool,
    pub seed: Option<u64>,
}

pub fn profile(quick: bool, long: bool) -> Profile {
    match (quick, long) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Long,
        _ => Profile::Default,
    }
}

impl Amount {
    pub fn of(
        args: &EffortArgs,
        precision: Option<Precision>,
        usual_budget: Option<Budget>,
    ) -> Result<Amount, Failure> {
        check_processor(args.cpu, &tare_process::allowed_processors())?;
        let effort = Effort {
            profile: profile(args.quick, args.long),
            precision,
            launches: args.launches,
            rounds: args.rounds,
            invocations: args.invocations,
            minimum_effect: args.min_effect,
            timeout_s: args.timeout,
            processor: args.cpu,
            clocking: if args.wall { Clocking::Wall } else { Clocking::Reference },
            memory_randomization: args.memory_randomization,
        };
        Ok(Amount {
            effort,
            budget: args.budget,
            usual_budget,
            of_all_s: None,
            keep_order: args.keep_order,
            seed: args.seed,
        })
    }

    pub fn or_quick(mut self) -> Amount {
        let is_asked = self.effort.launches.is_some() || self.effort.rounds.is_some() || self.budget.is_some();
        if self.effort.profile == Profile::Default && !is_asked {
            self.effort.profile = Profile::Quick;
        }
        self
    }

    pub fn policy(&self) -> Policy {
        Policy { keep_order: self.keep_order, ..self.effort.policy() }
    }

    /// For one of several comparisons: a total time is not that of each.
    #[must_use]
    pub fn of_several(self) -> Amount {
        match self.budget {
            Some(Budget::Total(seconds)) => Amount { budget: None, of_all_s: Some(seconds), ..self },
            _ => self,
        }
    }

    pub fn set_budget(&self, policy: &mut Policy, cases: usize) {
        self.effort.set_budget(policy, self.budget, self.usual_budget, cases);
    }

    /// The rules of a comparison of this many pairs, with its time. `calibrated`: see [`Effort::comparison_policy_of`].
    pub fn comparison_policy(
        &self,
        artifacts: &[Artifact],
        pairs: usize,
        calibrated: impl Fn(f64, bool) -> f64,
    ) -> Policy {
        let mut policy = self.effort.comparison_policy_of(artifacts, calibrated);
        policy.keep_order = self.keep_order;
        self.set_budget(&mut policy, pairs);
        policy
    }

    /// Random if none was given; stored in the run, so that the run can be repeated.
    pub fn seed(&self) -> u64 {
        use std::hash::{BuildHasher, Hasher};
        let random = || std::collections::hash_map::RandomState::new().build_hasher().finish();
        self.seed.unwrap_or_else(random)
    }
}

/// Checks that `tare` may use the named processor.
fn check_processor(named: Option<u32>, allowed: &[u32]) -> Result<(), Failure> {
    let Some(processor) = named.filter(|processor| !allowed.contains(processor)) else { return Ok(()) };
    let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
    let hint = match list.is_empty() {
        true => "leave it out: this system cannot pin threads".to_owned(),
        false => format!("use one of {}", list.join(", ")),
    };
    Err(Failure::Usage { what: format!("`tare` may not use processor {processor}"), hint })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_one_that_may_be_used() {
        assert!(check_processor(None, &[]).is_ok() && check_processor(Some(3), &[1, 3]).is_ok());
        let refused = |named, allowed: &[u32]| match check_processor(Some(named), allowed) {
            Err(Failure::Usage { what, hint }) => (what, hint),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(2, &[1, 3]), ("`tare` may not use processor 2".to_owned(), "use one of 1, 3".to_owned()));
        assert!(refused(0, &[]).1.starts_with("leave it out"));
    }
}
