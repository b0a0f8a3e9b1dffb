//! Cache misses, in caches that are the same on every machine.

use super::{Counted, Evidence, Pair, Source};

pub const SOURCE: Source = Source { diagnoser: Some("instructions"), look };

const FIRST: Counted = Counted {
    kind: "misses",
    metric: "instructions/l1_misses",
    text: "accesses that miss the first cache",
    each: 12.0,
    is_specific: true,
    diagnoser: "instructions",
};
const LAST: Counted = Counted {
    kind: "misses",
    metric: "instructions/last_level_misses",
    text: "accesses that miss the last cache",
    each: 200.0,
    is_specific: true,
    diagnoser: "instructions",
};

fn look(pair: &Pair) -> Vec<Evidence> {
    [FIRST, LAST].iter().filter_map(|counted| counted.look(pair)).collect()
}
