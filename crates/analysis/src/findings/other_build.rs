//! `other-build`: both sides were built in different ways.

use super::{Code, Finding, Pairs, Search};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

const FACTS: &[&str] = &[fact::COMPILER, fact::FLAGS, fact::RUNTIME, fact::OPTIMISED, fact::JOB];
const ADVICE: &str = "build both sides the same way, unless you are comparing builds";

fn find(found: &Pairs) -> Vec<Finding> {
    // If a side has several jobs, each is compared with the same job of the other side.
    let several_jobs = [found.base, found.new].iter().any(|side| side.jobs().len() > 1);
    let facts: Vec<&str> = FACTS.iter().copied().filter(|name| *name != fact::JOB || !several_jobs).collect();
    differing(Code::OtherBuild, &facts, ADVICE, found.base, found.new).into_iter().collect()
}
