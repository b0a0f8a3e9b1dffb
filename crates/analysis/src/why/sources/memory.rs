//! What is allocated.

use super::{Counted, Evidence, Pair, Source};

pub const SOURCE: Source = Source { diagnoser: Some("memory"), look };

const ALLOCATIONS: Counted = Counted {
    kind: "allocations",
    metric: "allocations",
    text: "allocations",
    each: 60.0,
    is_specific: true,
    diagnoser: "memory",
};
const BYTES: Counted = Counted {
    kind: "allocations",
    metric: "allocated_bytes",
    text: "allocated bytes",
    each: 0.05,
    is_specific: true,
    diagnoser: "memory",
};

fn look(pair: &Pair) -> Vec<Evidence> {
    [ALLOCATIONS, BYTES].iter().filter_map(|counted| counted.look(pair)).collect()
}
