//! Compares both sides alone on the core, or both in all windows; a neighbour's effect is then in the interval.

use super::SavedCase;

/// A pair in times of one kind: alone on the core if both sides have that, else of all windows.
pub(crate) fn in_same_windows<'a>(base: &'a SavedCase, new: &'a SavedCase) -> (&'a SavedCase, &'a SavedCase) {
    let all = |case: &'a SavedCase| case.all_windows.as_deref().unwrap_or(case);
    match (base.is_alone(), new.is_alone()) {
        (true, false) => (all(base), new),
        (false, true) => (base, all(new)),
        _ => (base, new),
    }
}

/// Bound for the error of a ratio of all windows because others used the core more on one side (log).
pub(crate) fn bound(base: &SavedCase, new: &SavedCase) -> f64 {
    let excess = |case: &SavedCase| case.core.map_or(0.0, |core| core.others_at_most().ln());
    excess(base).max(excess(new))
}
