//! `unknown-direction`: metrics of two saved sides differ, and it is unknown which of their values are better.

use super::{Code, Finding, Means, Pairs, Search, Sentence, Severity};
use crate::report::ComparisonRow;
use crate::verdict::Verdict;
use std::collections::BTreeSet;

pub(super) const SEARCH: Search = Search::of_saved(find);

fn find(found: &Pairs) -> Vec<Finding> {
    let unit = |row: &ComparisonRow| {
        let metric = row.metric.as_ref().filter(|_| row.has_unknown_direction())?;
        // A gate on slower and faster uses it, so it is named, however little the data says.
        (row.verdict == Verdict::Unclear && metric.base != metric.new).then(|| metric.unit.clone())
    };
    let units: BTreeSet<String> = found.rows.iter().filter_map(unit).collect();
    let Some(first) = units.first().cloned() else { return Vec::new() };
    let evidence = Sentence::new("without a verdict, because it is unknown whether more of them is better: {metrics}")
        .names("metrics", units.into_iter().collect());
    let advice = Sentence::new("say which values are better: {direction}").means("direction", Means::Direction(first));
    vec![Finding::new(Code::UnknownDirection, Severity::Note, evidence, advice)]
}
