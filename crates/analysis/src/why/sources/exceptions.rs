//! Exceptions, which cost a thousand times what a return costs.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::of("exceptions", look);

const THROWN: Counted = Counted {
    kind: "exceptions",
    metric: "exceptions/thrown",
    text: "exceptions thrown",
    // The least of all languages: runtimes that collect stacks take ten times as much.
    each: 1000.0,
    says: Says::What,
};

fn look(pair: &Pair) -> Vec<Evidence> {
    THROWN.look(pair).into_iter().collect()
}
