//! What a body asks of the system.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::of("syscalls", look);

const MADE: Counted =
    Counted { kind: "syscalls", metric: "syscalls/made", text: "system calls", each: 300.0, says: Says::What };
const WAITS: Counted = Counted {
    kind: "waits",
    metric: "syscalls/futex_waits",
    text: "waits for a lock or for another thread",
    each: 10_000.0,
    says: Says::What,
};

fn look(pair: &Pair) -> Vec<Evidence> {
    [MADE, WAITS].iter().filter_map(|counted| counted.look(pair)).filter(|found| pair.matters(found.cycles)).collect()
}
