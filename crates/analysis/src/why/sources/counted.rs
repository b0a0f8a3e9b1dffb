//! What is counted per operation: work, misses and mispredictions in a simulated processor, what the processor and the system count, what is
//! allocated, and what is asked of the system.

use super::super::costs;
use super::super::pair::OF_COLLECTED_BYTE;
use super::{code, said, Evidence, Pair, Says, Source, Unit};

pub const INSTRUCTIONS: Source = Source::simulated("instructions", in_simulation);
pub const COUNTERS: Source = Source::of("counters", |pair| mattering(&OF_COUNTERS, pair));
pub const EXCEPTIONS: Source = Source::of("exceptions", |pair| of(&[THROWN], pair));
pub const MEMORY: Source = Source::of("memory", memory);
pub const SYSCALLS: Source = Source::of("syscalls", |pair| mattering(&OF_SYSTEM, pair));

/// Something that was counted, with what one of it typically costs, in cycles.
#[derive(Clone, Copy)]
struct Counted {
    kind: &'static str,
    metric: &'static str,
    text: &'static str,
    each: f64,
    says: Says,
}

const fn what(kind: &'static str, metric: &'static str, text: &'static str, each: f64) -> Counted {
    Counted { kind, metric, text, each, says: Says::What }
}

const fn how_much(kind: &'static str, metric: &'static str, text: &'static str, each: f64) -> Counted {
    Counted { kind, metric, text, each, says: Says::HowMuch }
}

const OF_BRANCHES: [Counted; 2] = [
    what("mispredictions", "instructions/mispredicted", "mispredicted branches", 15.0),
    what(
        "indirect",
        "instructions/indirect_branches",
        "calls and jumps through a pointer (virtual calls, functions of shared libraries)",
        OF_POINTER,
    ),
];
/// What a call through a pointer costs, and the jump to a function of a shared library.
const OF_POINTER: f64 = 5.0;
const OF_LIBRARY: f64 = 1.0;
const BRANCHES: Counted = how_much("branches", "instructions/branches", "branches", 0.5);
/// The first: as long as one takes that nothing hides; most are hidden by half.
const OF_CACHES: [Counted; 2] = [
    what("misses", "instructions/l1_misses", "accesses that miss the first cache", 6.0),
    what("misses", "instructions/last_level_misses", "accesses that miss the last cache", 200.0),
];
/// A core executes a few instructions in a cycle. How much was executed is in almost every difference, and says the least.
const OF_WORK: [Counted; 2] = [
    how_much("instructions", "instructions/executed", "instructions", 0.3),
    how_much("accesses", "instructions/memory_accesses", "memory accesses", 0.5),
];
const OF_COUNTERS: [Counted; 4] = [
    what("mispredictions", "counters/mispredicted", "mispredicted branches, as the processor counts them", 15.0),
    what("faults", "counters/page_faults", "page faults", 2500.0),
    what("switches", "counters/context_switches", "switches to another thread", 5000.0),
    what("switches", "counters/migrations", "moves to another core", 20_000.0),
];
/// The least of all languages: runtimes that collect stacks take ten times as much.
const THROWN: Counted = what("exceptions", "exceptions/thrown", "exceptions thrown", 1000.0);
const ALLOCATIONS: Counted = what("allocations", "allocations", "allocations", 60.0);
const BYTES: Counted = what("allocations", "allocated_bytes", "allocated bytes", 0.05);
const OF_SYSTEM: [Counted; 2] = [
    what("syscalls", "syscalls/made", "system calls", 300.0),
    what("waits", "syscalls/futex_waits", "waits for a lock or for another thread", 10_000.0),
];

/// Share of the instructions that are branches, from which what was added is checks rather than work.
const CHECKS: f64 = 0.2;
/// Nothing hides a misprediction: more of them than take the difference times this were none.
const REFUTED: f64 = 1.25;
/// What is left of the cost of instructions where all of them are the allocator's.
const LEAST: f64 = 0.1;
/// Below this share a peak says nothing beside what is allocated.
const PEAK_SHARE: f64 = 0.01;

fn of(counted: &[Counted], pair: &Pair) -> Vec<Evidence> {
    let look = |counted: &Counted| {
        let values = pair.change(counted.metric)?;
        let calibrated = costs::calibrated(pair.new.run, counted.metric);
        let (is_calibrated, each) = (calibrated.is_some(), calibrated.unwrap_or(counted.each));
        let evidence = said(counted.kind, counted.text.to_owned(), (values[1] - values[0]) * each);
        Some(Evidence { values: Some(values), each: Some(each), is_calibrated, says: counted.says, ..evidence })
    };
    counted.iter().filter_map(look).collect()
}

fn mattering(counted: &[Counted], pair: &Pair) -> Vec<Evidence> {
    of(counted, pair).into_iter().filter(|found| pair.matters(found.cycles)).collect()
}

fn in_simulation(pair: &Pair) -> Vec<Evidence> {
    let mut found = of(&OF_BRANCHES, pair);
    // A real processor predicts more than the simulated one, such as the ends of short loops.
    let most = pair.direction().and(pair.time_ns()).map_or(f64::INFINITY, |ns| REFUTED * pair.cycles(ns).abs());
    for found in found.iter_mut().filter(|found| found.kind == "mispredictions" && found.cycles.abs() > most) {
        (found.cycles, found.each) = (0.0, None);
        found
            .text
            .push_str(", which would take longer than the whole difference: this processor predicts more of them");
    }
    // A function of a shared library is called through a pointer that is always the same.
    for found in found.iter_mut().filter(|found| found.kind == "indirect" && code::calls_no_pointer(pair)) {
        let each = Some(OF_LIBRARY);
        (found.cycles, found.each, found.says) = (found.cycles / OF_POINTER * OF_LIBRARY, each, Says::HowMuch);
        found.text = "calls of functions of shared libraries".to_owned();
    }
    let instructions = pair.difference("instructions/executed");
    let share = pair.difference("instructions/branches") / instructions;
    let are_checks = share >= CHECKS && pair.change("instructions/memory_accesses").is_none();
    found.extend(of(&[Counted { says: if are_checks { Says::What } else { Says::HowMuch }, ..BRANCHES }], pair));
    // Memory that was never used before is in no cache: what misses there is the allocations' once more.
    let collected = pair.collected();
    found.extend(of(&OF_CACHES, pair).into_iter().map(|found| match found.cycles * collected > 0.0 {
        true => {
            let cycles = found.cycles.clamp(-collected.abs(), collected.abs());
            Evidence { cycles, says: Says::HowMuch, ..found }
        }
        false => found,
    }));
    // What an allocator executes is the allocations' once more.
    let share = pair.executed() / instructions;
    let own = if share.is_finite() { share.clamp(LEAST, 1.0) } else { 1.0 };
    found.extend(of(&OF_WORK, pair).into_iter().map(|found| Evidence { cycles: found.cycles * own, ..found }));
    found
}

fn memory(pair: &Pair) -> Vec<Evidence> {
    let each = if pair.collected() == 0.0 { BYTES.each } else { OF_COLLECTED_BYTE };
    let counted = of(&[ALLOCATIONS, Counted { each, ..BYTES }], pair);
    // What lives at the same time costs nothing by itself: it is what the caches have to hold.
    let grew = |[base, new]: &[f64; 2]| (new - base).abs() > PEAK_SHARE * base.max(*new);
    let peak = pair.change("peak_bytes").filter(grew).map(|values| Evidence {
        values: Some(values),
        unit: Unit::Bytes,
        says: Says::HowMuch,
        ..said("peak", "memory in use at the peak of an iteration".to_owned(), 0.0)
    });
    counted.into_iter().chain(peak).collect()
}
