//! The fate of the visits of a case.

use serde::Serialize;
use tare_model::{Visit, VisitTraits};

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct VisitCounts {
    pub measured: usize,
    /// Visits that the result is computed from.
    pub valid: usize,
    pub preempted: usize,
    /// Visits in which the thread lost the processor to other threads of the program: they count.
    pub to_own_threads: usize,
    /// Dropped because no window of them was alone on the core.
    pub shared: usize,
    /// Dropped because the core's clock jumped or the runtime compiled during them.
    pub disturbed: usize,
    /// Valid visits that double MAD labels as low outliers (labelled, never dropped).
    pub outliers_low: usize,
    /// Valid visits that double MAD labels as high outliers (labelled, never dropped).
    pub outliers_high: usize,
}

/// Counts the fates of the visits; `counted` visits count, and `shared` ones were dropped because others used the core.
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
