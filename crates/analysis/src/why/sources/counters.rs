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

fn look(pair: &Pair) -> Vec<Evidence> {
    ALL.iter().filter_map(|counted| counted.look(pair)).filter(|found| pair.matters(found.cycles)).collect()
}
