//! What the processes that a child has started have used.

/// What the descendants of a process have used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Descendants {
    /// CPU time, ns: of those that live as of the last tick of the scheduler, 1 to 10 ms, of those that were waited for in steps of 10 ms.
    pub cpu_ns: u64,
    /// How many are there now, those included that have ended and were not waited for.
    pub living: usize,
}
