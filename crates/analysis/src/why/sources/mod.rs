//! Where evidence comes from: one file for each kind.

mod builds;
mod chain;
mod code;
mod counted;
mod denormals;
mod inlining;
mod layout;
mod profile;
mod sharing;
mod stalls;
mod threads;
mod values;

pub(super) use profile::{functions, is_function, is_on_one, is_work, places, COLLECTION};

use super::pair::Pair;
use super::{Evidence, Role, Says, Unit};

pub struct Source {
    /// The diagnoser whose metrics it reads: `tare why` runs it where it can. None: it reads what a run has anyway.
    pub diagnoser: Option<&'static str>,
    is_simulated: bool,
    look: fn(&Pair) -> Vec<Evidence>,
}

pub const SOURCES: &[Source] = &[
    counted::INSTRUCTIONS,
    builds::SOURCE,
    chain::SOURCE,
    code::SOURCE,
    counted::COUNTERS,
    denormals::SOURCE,
    counted::EXCEPTIONS,
    inlining::SOURCE,
    layout::SOURCE,
    counted::MEMORY,
    profile::SOURCE,
    profile::RUNTIME,
    sharing::SOURCE,
    stalls::SOURCE,
    counted::SYSCALLS,
    threads::SOURCE,
    values::SOURCE,
];

/// The diagnosers that sources read, each once.
pub fn wished() -> Vec<&'static str> {
    let mut all: Vec<&str> = SOURCES.iter().filter_map(|source| source.diagnoser).collect();
    all.sort_unstable();
    all.dedup();
    all
}

pub(super) fn all(pair: &Pair) -> Vec<Evidence> {
    let of = |source: &Source| {
        let found = (source.look)(pair).into_iter();
        let (diagnoser, is_simulated) = (source.diagnoser, source.is_simulated);
        found.map(|found| Evidence { diagnoser, is_simulated, ..found }).collect::<Vec<_>>()
    };
    SOURCES.iter().flat_map(of).collect()
}

impl Source {
    /// One that reads what a run has anyway.
    const fn of_run(look: fn(&Pair) -> Vec<Evidence>) -> Source {
        Source { diagnoser: None, is_simulated: false, look }
    }

    /// One that reads what a diagnoser finds.
    const fn of(diagnoser: &'static str, look: fn(&Pair) -> Vec<Evidence>) -> Source {
        Source { diagnoser: Some(diagnoser), is_simulated: false, look }
    }

    /// The same, of a diagnoser that simulates a processor.
    const fn simulated(diagnoser: &'static str, look: fn(&Pair) -> Vec<Evidence>) -> Source {
        Source { is_simulated: true, ..Source::of(diagnoser, look) }
    }
}

/// Evidence in a sentence, which nothing counted. A cost of 0 has no direction.
fn said(kind: &'static str, text: String, cycles: f64) -> Evidence {
    Evidence {
        kind,
        text,
        values: None,
        unit: Unit::Count,
        is_simulated: false,
        cycles,
        each: None,
        is_calibrated: false,
        ns: None,
        says: Says::What,
        is_measured: false,
        share: None,
        weight: 0.0,
        role: Role::Remark,
        is_against: false,
        diagnoser: None,
    }
}

/// What is left of the difference of the times, in cycles, where there is one and what was counted explains little of it.
fn unexplained(pair: &Pair) -> Option<f64> {
    unexplained_by(pair, 1.0)
}

/// The same where how much is done counts as a share of its cost.
fn unexplained_by(pair: &Pair, of_work: f64) -> Option<f64> {
    const LITTLE: f64 = 0.1;
    pair.values("instructions/executed").and(pair.tendency())?;
    let difference = pair.cycles(pair.time_ns()?).abs();
    let sources = SOURCES.iter().filter(|source| source.diagnoser.is_some());
    let counted = sources
        .flat_map(|source| (source.look)(pair))
        .filter(explains)
        .map(|found| found.cycles.abs() * if found.says == Says::HowMuch { of_work } else { 1.0 });
    // Costs of one kind contain those of another: the greatest alone counts.
    let counted = counted.filter(|cycles| cycles.is_finite()).fold(0.0, f64::max);
    (counted < LITTLE * difference).then_some(difference - counted)
}

/// Whether evidence says what was done. Atomic instructions take long because of what others do, and threads that wait too.
fn explains(found: &Evidence) -> bool {
    found.says != Says::Where && !["atomics", "waits", "switches"].contains(&found.kind)
}

/// What was counted on both sides and is equal, by the names that people read.
pub(super) fn equal(pair: &Pair) -> Vec<&'static str> {
    const COUNTS: [(&str, &str); 11] = [
        ("instructions/executed", "instructions"),
        ("instructions/branches", "branches"),
        ("instructions/mispredicted", "mispredictions"),
        ("instructions/memory_accesses", "memory accesses"),
        ("instructions/l1_misses", "cache misses"),
        ("instructions/last_level_misses", "misses of the last cache"),
        ("allocations", "allocations"),
        ("allocated_bytes", "allocated bytes"),
        ("peak_bytes", "peak memory"),
        ("syscalls/made", "system calls"),
        ("exceptions/thrown", "exceptions"),
    ];
    let counted = COUNTS.iter().filter(|(name, _)| pair.is_equal(name)).map(|(_, text)| *text);
    counted.chain(code::is_same(pair).then_some("machine code")).collect()
}
