//! `same-data`: values that are a copy of others: two sides that are one file, or a file that was given twice. Nothing was measured anew.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::{SavedCase, SavedDesign};

pub(super) const SEARCH: Search = Search::of_saved(find);

/// Number of equal values that is not a coincidence: tools round, and a few rounded values may be equal.
const VALUES_MIN: usize = 3;

/// A file of a side holds the values of another one, for these benchmarks.
pub(crate) fn given_twice(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("left out, because another file has the same values: {names}").names("names", names);
    Finding::new(Code::SameData, Severity::Warning, evidence, "pass each file once")
}

/// Both sides hold the same values of these benchmarks, and others of the rest.
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
    let values: usize = found.pairs.iter().map(|(_, new)| numbers(new)).sum();
    if values < VALUES_MIN || !found.pairs.iter().all(|(base, new)| is_equal(base, new)) {
        return Vec::new();
    }
    let evidence = Sentence::new("both sides have the same {values} values: one is a copy of the other");
    let evidence = evidence.count("values", values);
    vec![Finding::new(Code::SameData, Severity::Warning, evidence, "compare the results of two measurements")]
}

fn numbers(case: &SavedCase) -> usize {
    match case.design {
        SavedDesign::Summary(s) => [s.mean_ns, s.median_ns, s.sd_ns].iter().flatten().count(),
        _ => case.values(),
    }
}

fn is_equal(base: &SavedCase, new: &SavedCase) -> bool {
    base.design == new.design && base.launches == new.launches
}
