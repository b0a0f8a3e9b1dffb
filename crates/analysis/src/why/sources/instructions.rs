//! How much was executed. It is in almost every difference, and says the least about what was done differently.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::simulated("instructions", look);

/// A core executes a few of them in a cycle.
const EACH: f64 = 0.3;
/// What is left of their cost where all of them are the allocator's.
const LEAST: f64 = 0.1;

fn look(pair: &Pair) -> Vec<Evidence> {
    let executed = Counted {
        kind: "instructions",
        metric: "instructions/executed",
        text: "instructions",
        each: EACH,
        says: Says::HowMuch,
    };
    let accesses = Counted {
        kind: "accesses",
        metric: "instructions/memory_accesses",
        text: "memory accesses",
        each: 0.5,
        says: Says::HowMuch,
    };
    let mut found: Vec<Evidence> = executed.look(pair).into_iter().chain(accesses.look(pair)).collect();
    // What an allocator executes is the allocations' once more.
    let share = pair.executed() / pair.difference("instructions/executed");
    for evidence in found.iter_mut().filter(|_| share.is_finite()) {
        evidence.cycles *= share.clamp(LEAST, 1.0);
    }
    found
}
