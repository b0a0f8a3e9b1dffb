//! `other-machine`: both sides are of different machines, or may be.

use super::{Code, Finding, Pairs, Search, Sentence, Severity};
use crate::saved::{differing, fact};

pub(super) const SEARCH: Search = Search::of_saved(find);

const FACTS: &[&str] = &[fact::CPU, fact::PROCESSORS, fact::ARCHITECTURE, fact::FREQUENCY];
const ADVICE: &str = "measure both sides on one machine: a ratio between machines is not a ratio between programs";

fn find(found: &Pairs) -> Vec<Finding> {
    let known = differing(Code::OtherMachine, FACTS, ADVICE, found.base, found.new);
    known.into_iter().chain(unknown(found)).collect()
}

/// A side does not say of which machine it is.
fn unknown(found: &Pairs) -> Option<Finding> {
    let silent = [found.base, found.new].into_iter().filter(|side| !side.machine.contains_key(fact::CPU));
    let names: Vec<&str> = silent.map(|side| side.name.as_str()).collect();
    let pattern = match names.len() {
        0 => return None,
        1 => "{sides} does not say which processor it was measured on",
        _ => "{sides} do not say which processor they were measured on",
    };
    let evidence = Sentence::new(pattern).text("sides", names.join(" and "));
    let advice = "make sure that both sides were measured on one machine: this data does not show it";
    Some(Finding::new(Code::OtherMachine, Severity::Note, evidence, advice))
}
