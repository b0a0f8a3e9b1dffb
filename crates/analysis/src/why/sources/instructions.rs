//! How much was executed. It is in almost every difference, and says the least about what was done differently.

use super::{Counted, Evidence, Pair, Source};

pub const SOURCE: Source = Source { diagnoser: Some("instructions"), look };

/// A core executes a few of them in a cycle.
const EACH: f64 = 0.3;
/// What an allocation and its release execute, and what a byte takes that is written once more.
const OF_ALLOCATION: f64 = 120.0;
const OF_BYTE: f64 = 0.125;

fn look(pair: &Pair) -> Vec<Evidence> {
    let executed = Counted {
        kind: "instructions",
        metric: "instructions/executed",
        text: "instructions",
        each: EACH,
        is_specific: false,
        diagnoser: "instructions",
    };
    let accesses = Counted {
        kind: "accesses",
        metric: "instructions/memory_accesses",
        text: "memory accesses",
        each: 0.5,
        is_specific: false,
        diagnoser: "instructions",
    };
    let mut found: Vec<Evidence> = executed.look(pair).into_iter().chain(accesses.look(pair)).collect();
    // What an allocator executes is the allocations' once more.
    let allocated = pair.difference("allocations") * OF_ALLOCATION + pair.difference("allocated_bytes") * OF_BYTE;
    for evidence in &mut found {
        let Some([base, new]) = evidence.values else { continue };
        let rest = (new - base) - allocated;
        if allocated != 0.0 && (rest * (new - base) <= 0.0 || rest.abs() < 0.5 * (new - base).abs()) {
            evidence.cycles = rest.abs().min((new - base).abs()) * (new - base).signum() * 0.1;
        }
    }
    found
}
