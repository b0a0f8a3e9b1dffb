//! `other-operations`: an invocation does another number of operations on each side.

use super::{Code, Finding, Search, Sentence, Severity};

pub(super) const SEARCH: Search = Search::ELSEWHERE;

/// Of these benchmarks.
pub(crate) fn other_operations(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("operations per invocation differ: {names}").names("names", names);
    let advice = "use the same number on both sides: the overhead of an invocation is divided by its operations";
    Finding::new(Code::OtherOperations, Severity::Warning, evidence, advice)
}
