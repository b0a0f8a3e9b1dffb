//! Checks whether readings of the width probe are usable: compilers fold loops whose result they can compute.

use tare_model::ChildFacts;
use tare_stats::location::median;

/// Shorter readings are only a few steps of a clock, ns.
const READING_MIN_NS: f64 = 500.0;
/// The same for the native loop, which is known to be intact: the widest cores take 0.4 µs.
const NATIVE_MIN_NS: f64 = 350.0;
/// No core does more steps per cycle: a reading that seems to was folded, or divided by an overlong clock probe.
pub(crate) const STEPS_MAX: f64 = 10.0;

/// Why the readings of a width probe show nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeFault {
    /// Time of a reading, ns, which is too short for a clock.
    Short(f64),
    /// Steps per cycle, more than any core does.
    Folded(f64),
    /// Readings that would indicate a shared core are longer than the others by only this share.
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
