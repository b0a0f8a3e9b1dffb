//! Why a gate is not passed.

use crate::document::{Content, Entry, List, More};
use crate::{clean, violation_text};
use tare_analysis::gate::{Judgement, Violation};

/// Entries of a list of names that a page shows.
pub(crate) const LISTED_MAX: usize = 20;

/// `7 more`, in a list that no flag makes longer.
pub(crate) fn others(count: usize) -> More {
    More { text: format!("{count} more"), command: String::new() }
}

/// The lists of violations.
pub(crate) fn gate(judgement: &Judgement) -> [Content; 3] {
    let list = |title: &str, violations: &[Violation]| {
        let entries = violations.iter().map(|violation| Entry::text(clean(&violation_text(violation)))).collect();
        List::of(title, None, entries, LISTED_MAX, others)
    };
    [
        list("the gate failed", &judgement.failed),
        list("the gate could not decide", &judgement.undecided),
        list("undecided limits not requested by `--fail-on`", &judgement.notes),
    ]
}
