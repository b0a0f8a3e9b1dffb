//! `mixed-side`: the files of a side are not of one kind.

use super::{Code, Finding, Rule, Sentence, Severity};

pub(super) const RULE: Rule = Rule::TOLD;

/// They differ in these facts, each with its values.
pub(crate) fn facts_differ(facts: &[String]) -> Finding {
    let evidence = Sentence::new("the files differ in {facts}").text("facts", facts.join("; "));
    let advice = "put files of one machine, build and tool together on a side";
    Finding::new(Code::MixedSide, Severity::Warning, evidence, advice)
}

/// A file has another unit or kind of time of these benchmarks.
pub(crate) fn another_kind(names: Vec<String>) -> Finding {
    let evidence =
        Sentence::new("a file has another unit or kind of time, and was left out: {names}").names("names", names);
    Finding::new(Code::MixedSide, Severity::Warning, evidence, "put files of one kind together on a side")
}
