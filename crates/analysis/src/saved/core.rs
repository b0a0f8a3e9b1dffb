//! Both sides of a comparison are alone on the core or of all windows; what a neighbour did is in the interval.

use super::SavedCase;

/// A pair in times of one kind: alone on the core where both sides have that, else of all windows.
pub(crate) fn in_same_windows<'a>(base: &'a SavedCase, new: &'a SavedCase) -> (&'a SavedCase, &'a SavedCase) {
    let all = |case: &'a SavedCase| case.all_windows.as_deref().unwrap_or(case);
    match (base.is_alone(), new.is_alone()) {
        (true, false) => (all(base), new),
        (false, true) => (base, all(new)),
        _ => (base, new),
    }
}

/// How far a ratio of all windows may be off because others used the core on one side more than on the other (log).
pub(crate) fn bound(base: &SavedCase, new: &SavedCase) -> f64 {
    let excess = |case: &SavedCase| case.core.map_or(0.0, |core| core.others_at_most().ln());
    excess(base).max(excess(new))
}
