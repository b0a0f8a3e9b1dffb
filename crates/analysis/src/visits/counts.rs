//! What became of the visits of a case.

use serde::Serialize;
use tare_model::{Visit, VisitTraits};

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct VisitCounts {
    pub measured: usize,
    /// Those that the result is computed from.
    pub valid: usize,
    pub preempted: usize,
    /// Those in which the thread lost the processor to other threads of the program: they count.
    pub to_own_threads: usize,
    /// Dropped because no window of them had the core to itself.
    pub shared: usize,
    /// Dropped because the core's clock jumped or the runtime compiled in them.
    pub disturbed: usize,
    /// Valid visits that double MAD labels as low outliers (labelled, never dropped).
    pub outliers_low: usize,
    /// Valid visits that double MAD labels as high outliers (labelled, never dropped).
    pub outliers_high: usize,
}

/// What became of the visits: so many counted, and so many were dropped because others used the core.
pub(super) fn visit_counts(visits: &[Visit], traits: VisitTraits, counted: usize, shared: usize) -> VisitCounts {
    let preempted = visits.iter().filter(|v| v.has_gap() && !v.is_valid(traits)).count();
    let to_own_threads = visits.iter().filter(|v| v.is_valid(traits) && v.is_lost_to_own_threads()).count();
    VisitCounts {
        measured: visits.len(),
        valid: counted,
        preempted,
        to_own_threads: if traits.blocks || traits.threaded { 0 } else { to_own_threads },
        shared,
        disturbed: (visits.len() - counted).saturating_sub(preempted + shared),
        ..VisitCounts::default()
    }
}
