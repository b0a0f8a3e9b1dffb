//! Where evidence comes from: one file for each kind.

mod branches;
mod builds;
mod caches;
mod code;
mod counters;
mod inlining;
mod instructions;
mod layout;
mod memory;
mod sharing;

use super::pair::{differ, Pair};
use super::Evidence;

/// A source of evidence.
pub struct Source {
    /// The diagnoser whose metrics it reads: `tare why` runs it where it can. None: it reads what a run has anyway.
    pub diagnoser: Option<&'static str>,
    /// What it finds that differs between both sides.
    pub look: fn(&Pair) -> Vec<Evidence>,
}

/// All of them.
pub const SOURCES: &[Source] = &[
    branches::SOURCE,
    builds::SOURCE,
    caches::SOURCE,
    code::SOURCE,
    counters::SOURCE,
    inlining::SOURCE,
    instructions::SOURCE,
    layout::SOURCE,
    memory::SOURCE,
    sharing::SOURCE,
];

/// The diagnosers that sources read, each once.
pub fn wished() -> Vec<&'static str> {
    let mut all: Vec<&str> = SOURCES.iter().filter_map(|source| source.diagnoser).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Something that was counted per operation, with what one of it typically costs, in cycles.
struct Counted {
    kind: &'static str,
    metric: &'static str,
    text: &'static str,
    each: f64,
    is_specific: bool,
    diagnoser: &'static str,
}

impl Counted {
    fn look(&self, pair: &Pair) -> Option<Evidence> {
        let values = pair.change(self.metric)?;
        Some(Evidence {
            kind: self.kind,
            text: self.text.to_owned(),
            values: Some(values),
            is_simulated: self.diagnoser == "instructions",
            cycles: (values[1] - values[0]) * self.each,
            each: Some(self.each),
            ns: None,
            is_specific: self.is_specific,
            is_against: false,
            diagnoser: Some(self.diagnoser),
        })
    }
}

/// Evidence in a sentence, which nothing counted. A cost of 0 has no direction.
fn said(kind: &'static str, text: String, cycles: f64) -> Evidence {
    Evidence {
        kind,
        text,
        values: None,
        is_simulated: false,
        cycles,
        each: None,
        ns: None,
        is_specific: true,
        is_against: false,
        diagnoser: None,
    }
}

/// What was counted on both sides and is equal, by the names that people read.
pub fn equal(pair: &Pair) -> Vec<&'static str> {
    const COUNTS: [(&str, &str); 8] = [
        ("instructions/executed", "instructions"),
        ("instructions/branches", "branches"),
        ("instructions/mispredicted", "mispredictions"),
        ("instructions/memory_accesses", "memory accesses"),
        ("instructions/l1_misses", "cache misses"),
        ("instructions/last_level_misses", "misses of the last cache"),
        ("allocations", "allocations"),
        ("allocated_bytes", "allocated bytes"),
    ];
    let is_equal = |name: &str| pair.values(name).is_some_and(|values| !differ(values));
    let counted = COUNTS.iter().filter(|(name, _)| is_equal(name)).map(|(_, text)| *text);
    counted.chain(code::is_same(pair).then_some("machine code")).collect()
}
