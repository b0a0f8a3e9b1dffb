//! Branches: those that a simulated predictor gets wrong, those to a place that is computed, and how many there are.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::simulated("instructions", look);

/// Share of the instructions that are branches, from which what was added is checks rather than work.
const CHECKS: f64 = 0.2;

const MISPREDICTED: Counted = Counted {
    kind: "mispredictions",
    metric: "instructions/mispredicted",
    text: "mispredicted branches",
    each: 15.0,
    says: Says::What,
};
const INDIRECT: Counted = Counted {
    kind: "indirect",
    metric: "instructions/indirect_branches",
    text: "calls and jumps through a pointer, such as virtual calls",
    each: 5.0,
    says: Says::What,
};
const BRANCHES: Counted =
    Counted { kind: "branches", metric: "instructions/branches", text: "branches", each: 0.5, says: Says::HowMuch };

fn look(pair: &Pair) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = [MISPREDICTED, INDIRECT].iter().filter_map(|counted| counted.look(pair)).collect();
    if let Some(branches) = BRANCHES.look(pair) {
        let instructions = pair.difference("instructions/executed");
        let share = pair.difference("instructions/branches") / instructions;
        let are_checks = share >= CHECKS && pair.change("instructions/memory_accesses").is_none();
        found.push(Evidence { says: if are_checks { Says::What } else { Says::HowMuch }, ..branches });
    }
    found
}
