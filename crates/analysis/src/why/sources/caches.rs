//! Cache misses, in caches that are the same on every machine.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::simulated("instructions", look);

const FIRST: Counted = Counted {
    kind: "misses",
    metric: "instructions/l1_misses",
    text: "accesses that miss the first cache",
    // As long as one takes that nothing hides; most are hidden by half.
    each: 6.0,
    says: Says::What,
};
const LAST: Counted = Counted {
    kind: "misses",
    metric: "instructions/last_level_misses",
    text: "accesses that miss the last cache",
    each: 200.0,
    says: Says::What,
};

fn look(pair: &Pair) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = [FIRST, LAST].iter().filter_map(|counted| counted.look(pair)).collect();
    // Memory that was never used before is in no cache: what misses there is the allocations' once more.
    let collected = pair.collected();
    for evidence in found.iter_mut().filter(|found| found.cycles * collected > 0.0) {
        evidence.cycles = evidence.cycles.clamp(-collected.abs(), collected.abs());
        evidence.says = Says::HowMuch;
    }
    found
}
