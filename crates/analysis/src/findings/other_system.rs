//! `other-system`: both sides were measured under different systems or system settings.

use super::{Code, Finding, Pairs, Search};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

const FACTS: &[&str] = &[fact::OS, fact::KERNEL, fact::LIBC, fact::GOVERNOR, fact::TURBO, fact::ASLR, fact::HUGE_PAGES];
const ADVICE: &str = "measure both sides on one system with the same settings, unless you are comparing systems";

fn find(found: &Pairs) -> Vec<Finding> {
    differing(Code::OtherSystem, FACTS, ADVICE, found.base, found.new).into_iter().collect()
}
