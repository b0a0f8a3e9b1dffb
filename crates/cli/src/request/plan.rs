//! What a plan is made from: how much is measured, and how.

use crate::args::EffortArgs;
use crate::failure::Failure;
use tare_engine::{Budget, Effort, Precision};
use tare_model::{Artifact, Clocking, Policy, Profile};

#[derive(Debug, Clone)]
pub struct PlanRequest {
    pub effort: Effort,
    pub budget: Option<Budget>,
    usual_budget: Option<Budget>,
    keep_order: bool,
    seed: Option<u64>,
}

impl PlanRequest {
    pub fn of(args: &EffortArgs, precision: Option<Precision>) -> Result<PlanRequest, Failure> {
        check_processor(args.cpu, &tare_process::allowed_processors())?;
        let profile = match (args.quick, args.long) {
            (true, _) => Profile::Quick,
            (_, true) => Profile::Long,
            _ => Profile::Default,
        };
        let effort = Effort {
            profile,
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
        let EffortArgs { budget, usual_budget, keep_order, seed, .. } = *args;
        Ok(PlanRequest { effort, budget, usual_budget, keep_order, seed })
    }

    pub fn policy(&self) -> Policy {
        Policy { keep_order: self.keep_order, ..self.effort.policy() }
    }

    /// Of one of several comparisons: a time for all of them is not that of each.
    #[must_use]
    pub fn for_one_comparison(self) -> PlanRequest {
        PlanRequest { budget: self.budget.filter(|budget| !matches!(budget, Budget::Total(_))), ..self }
    }

    pub fn set_budget(&self, policy: &mut Policy, cases: usize) {
        self.effort.set_budget(policy, self.budget, self.usual_budget, cases);
    }

    /// The rules of a comparison of so many pairs of these programs, with its time. `calibrated`: see [`Effort::comparison_policy_of`].
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

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(crate::recording::random_seed)
    }
}

/// The processor that the user named is one that `tare` may use.
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
