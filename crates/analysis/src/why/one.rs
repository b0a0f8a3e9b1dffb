//! What the time of one benchmark consists of, as far as it is visible.

use super::pair::Side;
use super::{costs, missing, sources, CaseWhy};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    pub text: String,
    pub value: f64,
    /// What it is of another quantity: `instructions per cycle`; empty: it is a count.
    pub unit: &'static str,
    pub is_simulated: bool,
    /// What so many of it typically cost, as a share of the time; None where that is not known.
    pub share: Option<f64>,
    pub each: Option<f64>,
    pub is_calibrated: bool,
}

/// Counts with what one typically costs, in cycles; 0: that depends.
const COUNTS: [(&str, &str, f64); 14] = [
    ("instructions/executed", "instructions", 0.0),
    ("instructions/branches", "branches", 0.0),
    ("instructions/mispredicted", "mispredicted branches", 15.0),
    ("instructions/memory_accesses", "memory accesses", 0.0),
    ("instructions/l1_misses", "accesses that miss the first cache", 6.0),
    ("instructions/last_level_misses", "accesses that miss the last cache", 200.0),
    ("allocations", "allocations", 60.0),
    ("allocated_bytes", "allocated bytes", 0.0),
    ("peak_bytes", "bytes in use at the peak of an iteration", 0.0),
    ("exceptions/thrown", "exceptions thrown", 1000.0),
    ("syscalls/made", "system calls", 300.0),
    ("syscalls/futex_waits", "waits for a lock or for another thread", 0.0),
    ("counters/page_faults", "page faults", 2500.0),
    ("counters/context_switches", "switches to another thread", 5000.0),
];

/// Functions that are named.
const FUNCTIONS: usize = 3;

pub fn alone(side: &Side) -> CaseWhy {
    let cycles = cycles(side);
    let value = |name: &str| side.value(name);
    let part = |text: String, value: f64| Part {
        text,
        value,
        unit: "",
        is_simulated: false,
        share: None,
        each: None,
        is_calibrated: false,
    };
    let mut parts: Vec<Part> = Vec::new();
    let mut ratio = |text: &str, unit, value: Option<f64>, is_simulated| {
        let value = value.filter(|value| value.is_finite());
        parts.extend(value.map(|value| Part { unit, is_simulated, ..part(text.to_owned(), value) }));
    };
    let executed = value("instructions/executed");
    ratio("cycles of the core", "", cycles, false);
    ratio("instructions for each cycle", "ratio", executed.zip(cycles).map(|(n, cycles)| n / cycles), true);
    let branches = value("instructions/branches").filter(|branches| *branches > 0.0);
    let mispredicted = branches.and_then(|branches| Some(value("instructions/mispredicted")? / branches));
    ratio("branches are mispredicted", "share", mispredicted, true);
    for (metric, text, each) in COUNTS {
        let Some(value) = value(metric) else { continue };
        let calibrated = costs::calibrated(side.run, metric);
        let (is_calibrated, each) = (calibrated.is_some(), calibrated.or(Some(each).filter(|each| *each > 0.0)));
        let share = each.zip(cycles).map(|(each, cycles)| each * value / cycles);
        let is_simulated = metric.starts_with("instructions/");
        parts.push(Part { is_simulated, share, each, is_calibrated, ..part(text.to_owned(), value) });
    }
    if let Some(found) = sources::functions(side) {
        let mut own: Vec<(String, u64)> = found.own.into_iter().collect();
        own.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let share = |samples: u64| samples as f64 / found.total as f64;
        let named = own.into_iter().take(FUNCTIONS);
        parts.extend(
            named.map(|(name, samples)| Part {
                unit: "share",
                ..part(format!("samples are in `{name}`"), share(samples))
            }),
        );
    }
    CaseWhy {
        key: side.case.key.clone(),
        name: side.case.selector(),
        time_ns: side.estimates.time.resolved_ns(),
        parts,
        missing: missing(side),
        ..CaseWhy::default()
    }
}

/// Cycles of an operation: as the processor counts them, else as the clock probe has them.
fn cycles(side: &Side) -> Option<f64> {
    let counted = side.estimates.metric("counters/cycles");
    let probed = || side.estimates.cycles.as_ref().map(|cycles| cycles.value);
    let by_clock = || Some(side.estimates.time.resolved_ns()? / crate::clock::reference_cycle_ns(side.run)?);
    counted.or_else(probed).or_else(by_clock).filter(|cycles| *cycles > 0.0)
}
