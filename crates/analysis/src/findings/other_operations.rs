//! `other-operations`: an invocation does another number of operations on each side.

use super::{Code, Finding, Rule, Sentence, Severity};

pub(super) const RULE: Rule = Rule::TOLD;

/// Of these benchmarks.
pub(crate) fn other_operations(names: Vec<String>) -> Finding {
    let evidence = Sentence::new("operations of an invocation differ: {names}").names("names", names);
    let advice = "the values are for one operation, but an invocation of another size has another share of overhead";
    Finding::new(Code::OtherOperations, Severity::Warning, evidence, advice)
}
