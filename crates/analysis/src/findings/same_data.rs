//! `same-data`: values that are copies of others: both sides are one file, or a file was given twice. There is no new measurement.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::{SavedCase, SavedDesign};
use std::collections::HashSet;

pub(super) const SEARCH: Search = Search::of_saved(find);

/// So many different values that both sides share are no coincidence; tools round, so a few may be equal by chance.
pub(crate) const DIFFERENT_MIN: usize = 3;

/// A file of a side has the same values as another one, for these benchmarks.
pub(crate) fn given_twice(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("left out, because another file has the same values: {names}").names("names", names);
    Finding::new(Code::SameData, Severity::Warning, evidence, "pass each file once")
}

/// Both sides have the same values for these benchmarks, and different ones for the rest.
pub(crate) fn leftover(names: Vec<String>) -> Finding {
    let evidence = Sentence::new(
        "not compared, because both sides have the same values: {names}. They were not measured again, so one side is left over from an earlier run",
    )
    .names("names", names);
    let advice =
        "remove old results before measuring (for criterion: `rm -r target/criterion`), and measure both sides again";
    Finding::new(Code::SameData, Severity::Warning, evidence, advice)
}

fn find(found: &Pairs) -> Vec<Finding> {
    let values: Vec<u64> = found.pairs.iter().flat_map(|(_, new)| numbers(new)).map(f64::to_bits).collect();
    let different: HashSet<&u64> = values.iter().collect();
    if different.len() < DIFFERENT_MIN || !found.pairs.iter().all(|(base, new)| is_equal(base, new)) {
        return Vec::new();
    }
    let evidence = Sentence::new("both sides have the same {values} values: one is a copy of the other");
    let evidence = evidence.count("values", values.len());
    vec![Finding::new(Code::SameData, Severity::Warning, evidence, "compare the results of two measurements")]
}

fn numbers(case: &SavedCase) -> Vec<f64> {
    match case.design {
        SavedDesign::Summary(s) => [s.mean_ns, s.median_ns, s.sd_ns].into_iter().flatten().collect(),
        _ => case.launches.iter().flatten().copied().collect(),
    }
}

fn is_equal(base: &SavedCase, new: &SavedCase) -> bool {
    base.design == new.design && base.launches == new.launches
}
