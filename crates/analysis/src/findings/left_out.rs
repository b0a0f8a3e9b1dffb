//! `left-out`: something of the data is in no row or in no mean. Readers report what they leave out.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::geometric_mean;

pub(super) const SEARCH: Search = Search::of_saved(find);

/// Ratios that are not in the geometric mean.
fn find(found: &Pairs) -> Vec<Finding> {
    let mean = geometric_mean(found.rows);
    if mean.left_out == 0 {
        return Vec::new();
    }
    let evidence = Sentence::new("{count} of {rows} ratios are not finite and are left out of the geometric mean")
        .count("count", mean.left_out)
        .count("rows", found.rows.len());
    let advice = "check the rows without a finite ratio";
    vec![Finding::new(Code::LeftOut, Severity::Warning, evidence, advice)]
}
