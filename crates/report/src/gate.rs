//! Why a gate is not passed.

use crate::document::{Content, Document, Entry, List};
use crate::{clean, screen, violation_text, Line, Role, View};
use tare_analysis::gate::{Judgement, Violation};

pub(crate) const LISTED_MAX: usize = 20;

/// What a headline says of a gate that is not passed, with whether it failed.
pub(crate) fn in_headline(judgement: Option<&Judgement>) -> Option<(&'static str, bool)> {
    let judgement = judgement?;
    match (judgement.failed.is_empty(), judgement.undecided.is_empty()) {
        (false, _) => Some(("the gate failed", true)),
        (true, false) => Some(("the gate could not decide", false)),
        (true, true) => None,
    }
}

/// A headline with what the gate says. Nothing praises what failed: then the gate is the verdict, and the other one is in the text.
pub(crate) fn follow(
    judgement: Option<&Judgement>,
    verdict: Option<(String, Role)>,
    text: String,
) -> (Option<(String, Role)>, String) {
    let Some((said, has_failed)) = in_headline(judgement) else { return (verdict, text) };
    match verdict {
        Some((word, role)) if has_failed && role != Role::Bad => {
            (Some(("GATE FAILED".to_owned(), Role::Error)), format!("{}: {text}", word.to_lowercase()))
        }
        None if has_failed => (Some(("GATE FAILED".to_owned(), Role::Error)), text),
        verdict => (verdict, format!("{text}; {said}")),
    }
}

/// The same as the screen shows it, for a file that is passed on without what stands on the standard error.
pub fn gate_lines(judgement: &Judgement, view: &View) -> Vec<Line> {
    let mut document = Document::default();
    document.add(gate(Some(judgement)));
    screen(&document, view)
}

pub(crate) fn gate(judgement: Option<&Judgement>) -> Vec<Content> {
    let Some(judgement) = judgement else { return Vec::new() };
    let list = |title: &str, violations: &[Violation]| {
        let entries = violations.iter().map(|violation| Entry::text(clean(&violation_text(violation)))).collect();
        List::of(title, None, entries, LISTED_MAX, "")
    };
    vec![
        list("the gate failed", &judgement.failed),
        list("the gate could not decide", &judgement.undecided),
        list("undecided limits not requested by `--fail-on`", &judgement.notes),
    ]
}
