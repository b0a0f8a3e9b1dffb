//! What a reading of the width probe must be to be looked at: compilers fold loops whose result they can compute.

use tare_model::ChildFacts;
use tare_stats::location::median;

/// A shorter reading is a few steps of a clock, ns.
const READING_MIN_NS: f64 = 500.0;
/// The same of the native loop, which is known to be whole: the widest cores take 0.4 µs.
const NATIVE_MIN_NS: f64 = 350.0;
/// No core does more steps in a cycle: what seems to was folded, or divided by a clock probe that was too long.
pub(crate) const STEPS_MAX: f64 = 10.0;

/// Why the readings of a width probe show nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeFault {
    /// A reading takes so long, ns, which is too short for a clock.
    Short(f64),
    /// It does so many steps in a cycle, which no core does.
    Folded(f64),
    /// Readings that would be of a shared core are only this share longer than the others.
    Flat(f64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Readable {
    min_ns: f64,
    in_cycles: bool,
}

impl Readable {
    pub(crate) fn of(facts: &ChildFacts) -> Readable {
        let min_ns = if facts.width_per_process { READING_MIN_NS } else { NATIVE_MIN_NS };
        Readable { min_ns, in_cycles: facts.probe_cycles.is_some() }
    }

    pub(crate) fn fault(self, width_ns: &[f64], cycles: &[f64]) -> Option<ProbeFault> {
        let short = || median(width_ns).filter(|ns| *ns < self.min_ns).map(ProbeFault::Short);
        let steps = || median(cycles).filter(|_| self.in_cycles).map(|cycles| 1.0 / cycles);
        short().or_else(|| steps().filter(|steps| *steps > STEPS_MAX).map(ProbeFault::Folded))
    }
}
