//! What the processor and the system count, where they do.

use super::{Counted, Evidence, Pair, Says, Source};

pub const SOURCE: Source = Source::of("counters", look);

const fn counted(kind: &'static str, metric: &'static str, text: &'static str, each: f64) -> Counted {
    Counted { kind, metric, text, each, says: Says::What }
}

const ALL: [Counted; 4] = [
    counted("mispredictions", "counters/mispredicted", "mispredicted branches, as the processor counts them", 15.0),
    counted("faults", "counters/page_faults", "page faults", 2500.0),
    counted("switches", "counters/context_switches", "switches to another thread", 5000.0),
    counted("switches", "counters/migrations", "moves to another core", 20_000.0),
];

/// What the system does changes from run to run: what would cost less than this share of the time says nothing.
const LEAST: f64 = 0.01;

fn look(pair: &Pair) -> Vec<Evidence> {
    let most_ns = pair.times_ns.iter().flatten().copied().fold(0.0, f64::max);
    let costs = |found: &Evidence| pair.ns(found.cycles).abs() >= LEAST * most_ns;
    ALL.iter().filter_map(|counted| counted.look(pair)).filter(costs).collect()
}
