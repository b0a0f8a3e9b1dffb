//! `not-compared`: benchmarks or metrics, on one or both sides, without a ratio.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::on_one_side;
use std::collections::BTreeMap;
use tare_model::text::plural;

pub(super) const SEARCH: Search = Search::of_saved(metrics_of_one_side);

pub(crate) enum Why {
    Units,
    Quantities,
    /// The values of one side are single calls, those of the other means of many.
    Calls,
    NoValues,
    /// One side has a time, the other only metrics.
    NoTime,
}

pub(crate) fn not_compared(why: Why, names: Vec<String>) -> Finding {
    let (what, advice) = match why {
        Why::Units => ("not compared, because the units differ: {names}", "count the same thing on both sides"),
        Why::Quantities => {
            ("not compared, because the kinds of time differ: {names}", "measure the same kind of time on both sides")
        }
        Why::Calls => (
            "not compared, because a time of one side is of a single call, and of the other the mean of many: {names}",
            "measure both sides with the same number of calls: the first calls of a process are slower",
        ),
        Why::NoTime => {
            ("times not compared, because only one side has them: {names}", "measure both sides with the same options")
        }
        Why::NoValues => ("not compared, because a side has no usable value: {names}", "measure again"),
    };
    Finding::new(Code::NotCompared, Severity::Error, Sentence::new(what).names("names", names), advice)
}

/// Metrics that one side did not measure cannot be compared.
fn metrics_of_one_side(found: &Pairs) -> Vec<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in found.pairs.iter().flat_map(|(base, new)| on_one_side(base, new)) {
        *counts.entry(unit).or_default() += 1;
    }
    if counts.is_empty() {
        return Vec::new();
    }
    let text: Vec<String> =
        counts.iter().map(|(unit, count)| format!("`{unit}` of {}", plural(*count as u64, "benchmark"))).collect();
    let evidence =
        Sentence::new("not compared, because only one side has them: {metrics}").text("metrics", text.join(", "));
    let advice = "measure both sides with the same options";
    vec![Finding::new(Code::NotCompared, Severity::Warning, evidence, advice)]
}
