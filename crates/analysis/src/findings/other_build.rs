//! `other-build`: both sides were built in different ways.

use super::{Code, Finding, Pairs, Rule};
use crate::saved::{differing, fact};

pub(super) const RULE: Rule = Rule::of_saved(find);

const FACTS: &[&str] = &[fact::COMPILER, fact::FLAGS, fact::RUNTIME, fact::OPTIMISED, fact::JOB];
const ADVICE: &str = "build both sides the same way, unless you are comparing builds";

fn find(found: &Pairs) -> Vec<Finding> {
    differing(Code::OtherBuild, FACTS, ADVICE, found.base, found.new).into_iter().collect()
}
