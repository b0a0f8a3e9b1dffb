//! `other-operations`: the operations per turn of the loop differ between the sides.

use super::{Code, Finding, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::ELSEWHERE;

pub(crate) fn other_operations(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("operations per invocation differ: {names}").names("names", names);
    let advice = "use the same number on both sides: the overhead of an invocation is divided by its operations";
    Finding::new(Code::OtherOperations, Severity::Warning, evidence, advice)
}

/// The invocations per turn of the loop differ between the sides for these benchmarks.
pub(crate) fn other_turns(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("invocations per turn of the loop differ: {names}").names("names", names);
    let advice = "branches are predicted differently where a turn has several copies of the body: measure both sides again, together";
    Finding::new(Code::OtherOperations, Severity::Warning, evidence, advice)
}
