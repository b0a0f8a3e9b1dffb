//! Chains: turns of the hot loop that wait for results of the turn before, as the machine code shows.

use super::super::pair::Side;
use super::{said, Evidence, Pair, Source};

pub const SOURCE: Source = Source::of("code", look);

/// A core executes as many instructions in a cycle, where nothing waits.
const WIDTH: f64 = 4.0;
/// What waits for nothing else is no longer than this beyond its chain.
const OVER: f64 = 1.1;

struct Chain {
    turn: f64,
    instructions: f64,
    /// Cycles of an operation, if all of its instructions are turns of this loop.
    cycles: f64,
    /// They are more than its instructions take otherwise.
    holds: bool,
}

fn look(pair: &Pair) -> Vec<Evidence> {
    let (Some(base), Some(new)) = (chain(&pair.base, pair, 0), chain(&pair.new, pair, 1)) else { return Vec::new() };
    if base.turn / base.instructions == new.turn / new.instructions || !(base.holds || new.holds) {
        return Vec::new();
    }
    let text = format!(
        "the hot loop waits for its own results: of {} instructions each turn takes {} cycles at least on the base, of {} it takes {} on the new \
         side (loop-carried dependency)",
        base.instructions, base.turn, new.instructions, new.turn
    );
    vec![said("chain", text, new.cycles - base.cycles)]
}

/// None: it is not known, or longer than the time.
fn chain(side: &Side, pair: &Pair, at: usize) -> Option<Chain> {
    let fact = |name| side.fact("code", name).filter(|value| *value > 0.0);
    let (turn, instructions) = (fact("chain")?, fact("hot_loop")?);
    let executed = side.value("instructions/executed")?;
    let waits = executed / instructions * turn;
    let cycles = waits.max(executed / WIDTH);
    let is_possible = waits <= OVER * pair.cycles(pair.times_ns[at]?);
    is_possible.then_some(Chain { turn, instructions, cycles, holds: waits > executed / WIDTH })
}
