//! `mixed-side`: the files of a side are not of one kind.

use super::{Code, Finding, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::ELSEWHERE;

/// They differ in these facts, each with its values.
pub(crate) fn facts_differ(facts: &[String]) -> Finding {
    let evidence = Sentence::new("the files differ in {facts}").text("facts", facts.join("; "));
    let advice = "use files of one machine, build and tool for each side";
    Finding::new(Code::MixedSide, Severity::Warning, evidence, advice)
}

/// A file has another unit or kind of time of these benchmarks.
pub(crate) fn another_kind(names: Vec<String>) -> Finding {
    let evidence =
        Sentence::new("left out, because the files differ in unit, kind of time or number of calls: {names}").names("names", names);
    Finding::new(
        Code::MixedSide,
        Severity::Warning,
        evidence,
        "use files that were measured in one way for each side",
    )
}
