//! How much to measure, and how.

use crate::args::EffortArgs;
use crate::failure::Failure;
use tare_engine::{Amount, Budget, Precision};
use tare_model::{Clocking, Effort};

pub fn effort(quick: bool, long: bool) -> Effort {
    match (quick, long) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Long,
        _ => Effort::Default,
    }
}

pub fn amount(
    args: &EffortArgs,
    precision: Option<Precision>,
    usual_budget: Option<Budget>,
) -> Result<Amount, Failure> {
    check_processor(args.cpu, &tare_process::allowed_processors())?;
    Ok(Amount {
        effort: effort(args.quick, args.long),
        precision,
        launches: args.launches,
        rounds: args.rounds,
        invocations: args.invocations,
        minimum_effect: args.min_effect,
        timeout_s: args.timeout,
        processor: args.cpu,
        clocking: if args.wall { Clocking::Wall } else { Clocking::Reference },
        memory_randomization: args.memory_randomization,
        budget: args.budget,
        usual_budget,
        of_all_s: None,
        keep_order: args.keep_order,
        seed: args.seed,
    })
}

/// Random if none was given; stored in the run, so that the run can be repeated.
pub fn seed(amount: &Amount) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let random = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    amount.seed.unwrap_or_else(random)
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
