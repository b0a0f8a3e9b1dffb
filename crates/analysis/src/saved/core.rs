//! Times alone on the core and times of all windows: both sides of a comparison are of one kind, and what a neighbour may have done to
//! times of all windows is in the interval.

use super::facts::{finding, some_of};
use super::SavedCase;
use std::collections::HashSet;
use tare_model::{Finding, Severity};

/// A pair in times of one kind: alone on the core where both sides have that, else of all windows.
pub(super) fn in_same_windows<'a>(base: &'a SavedCase, new: &'a SavedCase) -> (&'a SavedCase, &'a SavedCase) {
    let all = |case: &'a SavedCase| case.all_windows.as_deref().unwrap_or(case);
    match (base.is_alone(), new.is_alone()) {
        (true, false) => (all(base), new),
        (false, true) => (base, all(new)),
        _ => (base, new),
    }
}

/// How far a ratio of all windows may be off because others used the core on one side more than on the other (log).
pub(super) fn bound(base: &SavedCase, new: &SavedCase) -> f64 {
    let excess = |case: &SavedCase| case.core.map_or(0.0, |core| core.others_at_most().ln());
    excess(base).max(excess(new))
}

/// What is to be said of pairs whose times are of all windows; `given_up`: keys of those that have times alone on the core on one side.
pub(super) fn findings(pairs: &[(&SavedCase, &SavedCase)], given_up: &HashSet<&str>) -> Vec<Finding> {
    let is_shared = |pair: &&(&SavedCase, &SavedCase)| pair.0.is_shared() || pair.1.is_shared();
    let shared: Vec<_> = pairs.iter().filter(is_shared).collect();
    let is_given_up = |pair: &&(&SavedCase, &SavedCase)| given_up.contains(pair.1.key.as_str()) && !is_shared(pair);
    let given_up: Vec<_> = pairs.iter().filter(is_given_up).collect();
    let names = |pairs: &[&(&SavedCase, &SavedCase)]| {
        some_of(&pairs.iter().map(|(_, new)| new.key.clone()).collect::<Vec<String>>())
    };
    let mut found = Vec::new();
    if !shared.is_empty() {
        let most = |side: fn(&(&SavedCase, &SavedCase)) -> f64| {
            format!("{:.0} %", 100.0 * shared.iter().map(|pair| side(pair)).fold(0.0, f64::max))
        };
        let (of_base, of_new) = (most(|pair| shared_share(pair.0)), most(|pair| shared_share(pair.1)));
        found.push(finding(
            "core-shared",
            Severity::Warning,
            format!(
                "times of a core that others used, up to {of_base} of the time on the base and {of_new} on the new side, so that it takes a \
                 larger change for a verdict: {}",
                names(&shared)
            ),
            "measure both sides again when the core is not shared, or interleaved in one run",
        ));
    }
    if !given_up.is_empty() {
        found.push(finding(
            "core-shared",
            Severity::Note,
            format!("compared in all windows, as one side has no times alone on the core: {}", names(&given_up)),
            "nothing: the core was hardly shared where that is known",
        ));
    }
    found
}

fn shared_share(case: &SavedCase) -> f64 {
    case.core.map_or(0.0, |core| core.shared_share())
}
