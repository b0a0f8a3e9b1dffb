/// Resource use of a child's descendants so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Descendants {
    /// CPU time, in ns. Precise to the last scheduler tick, 1 to 10 ms, for living processes, and in steps of 10 ms for those that were
    /// waited for.
    pub cpu_ns: u64,
    /// How many exist now, including those that have ended but were not waited for.
    pub living: usize,
}
