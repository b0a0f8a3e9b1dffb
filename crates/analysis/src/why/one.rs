//! What the time of one benchmark consists of, as far as it is visible.

use super::{measured, missing, CaseWhy};
use crate::report::{CaseEstimates, CaseReport};
use serde::Serialize;
use tare_model::Run;

/// A quantity of an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// What it is.
    pub text: &'static str,
    /// How much of it an operation has.
    pub value: f64,
    /// What it is of another quantity: `instructions per cycle`; empty: it is a count.
    pub unit: &'static str,
    /// It was counted in a simulated processor.
    pub is_simulated: bool,
    /// What so many of it typically cost, as a share of the time; None where that is not known.
    pub share: Option<f64>,
    /// What one of it is taken to cost, in cycles.
    pub each: Option<f64>,
}

/// Counts with what one typically costs, in cycles; 0: that depends.
const COUNTS: [(&str, &str, f64); 10] = [
    ("instructions/executed", "instructions", 0.0),
    ("instructions/branches", "branches", 0.0),
    ("instructions/mispredicted", "mispredicted branches", 15.0),
    ("instructions/memory_accesses", "memory accesses", 0.0),
    ("instructions/l1_misses", "accesses that miss the first cache", 12.0),
    ("instructions/last_level_misses", "accesses that miss the last cache", 200.0),
    ("allocations", "allocations", 60.0),
    ("allocated_bytes", "allocated bytes", 0.0),
    ("counters/page_faults", "page faults", 2500.0),
    ("counters/context_switches", "switches to another thread", 5000.0),
];

/// One benchmark; None where it was not measured.
pub fn alone(run: &Run, case: &CaseReport) -> Option<CaseWhy> {
    let estimates = measured(case)?;
    let cycles = cycles(estimates, run);
    let value = |name: &str| estimates.metric(name).or_else(|| estimates.metric_of_any_pass(name));
    let mut parts: Vec<Part> = Vec::new();
    let mut ratio = |text, unit, value: Option<f64>, is_simulated| {
        parts.extend(value.filter(|value| value.is_finite()).map(|value| Part {
            text,
            value,
            unit,
            is_simulated,
            share: None,
            each: None,
        }));
    };
    let executed = value("instructions/executed");
    ratio("cycles of the core", "", cycles, false);
    ratio("instructions for each cycle", "ratio", executed.zip(cycles).map(|(n, cycles)| n / cycles), true);
    let branches = value("instructions/branches").filter(|branches| *branches > 0.0);
    ratio(
        "branches that are mispredicted",
        "share",
        branches.and_then(|branches| Some(value("instructions/mispredicted")? / branches)),
        true,
    );
    for (metric, text, each) in COUNTS {
        let Some(value) = value(metric).filter(|value| value.is_finite()) else { continue };
        let each = Some(each).filter(|each| *each > 0.0);
        let share = each.zip(cycles).map(|(each, cycles)| each * value / cycles);
        parts.push(Part { text, value, unit: "", is_simulated: metric.starts_with("instructions/"), share, each });
    }
    Some(CaseWhy {
        key: case.key.clone(),
        name: case.selector(),
        compared: None,
        time_ns: estimates.time.resolved_ns(),
        evidence: Vec::new(),
        equal: Vec::new(),
        parts,
        missing: missing(run, case),
        conclusion: None,
    })
}

/// Cycles of an operation: as the processor counts them, else as the clock probe has them.
fn cycles(estimates: &CaseEstimates, run: &Run) -> Option<f64> {
    let counted = estimates.metric("counters/cycles");
    let probed = || estimates.cycles.as_ref().map(|cycles| cycles.value);
    let by_clock = || Some(estimates.time.resolved_ns()? / crate::clock::reference_cycle_ns(run)?);
    counted.or_else(probed).or_else(by_clock).filter(|cycles| *cycles > 0.0)
}
