//! Two sides that hold the same values: one file given twice, or a copy. Nothing was measured anew, so nothing is said of a change.

use super::facts::finding;
use super::{SavedCase, SavedDesign};
use tare_model::{Finding, Severity};

/// Values from which equality is no chance: tools round, and a few rounded values may well be equal.
const VALUES_MIN: usize = 3;

/// What is to be said of pairs whose values are all equal.
pub(super) fn same_data(pairs: &[(&SavedCase, &SavedCase)]) -> Option<Finding> {
    let values: usize = pairs.iter().map(|(_, new)| numbers(new)).sum();
    if values < VALUES_MIN || !pairs.iter().all(|(base, new)| is_equal(base, new)) {
        return None;
    }
    let evidence = format!("both sides hold the same {values} values: one of them is a copy of the other");
    Some(finding("same-data", Severity::Warning, evidence, "give the results of two measurements"))
}

/// Numbers that a tool kept of a case.
fn numbers(case: &SavedCase) -> usize {
    match case.design {
        SavedDesign::Summary(s) => [s.mean_ns, s.median_ns, s.sd_ns].iter().flatten().count(),
        _ => case.values(),
    }
}

fn is_equal(base: &SavedCase, new: &SavedCase) -> bool {
    base.design == new.design && base.launches == new.launches
}
