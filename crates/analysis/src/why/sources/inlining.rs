//! A function that one build inlines into the measuring loop and the other calls, as the finding `inlined-differently` has it.

use super::{said, Evidence, Pair, Source};
use crate::finding::{Code, Finding};
use crate::findings::inlined_differently::{BASE_CALLS, NEW_CALLS};

pub const SOURCE: Source = Source::of_run(look);

/// What a call and what it keeps the compiler from typically cost, at least, in cycles.
const LEAST: f64 = 4.0;

fn look(pair: &Pair) -> Vec<Evidence> {
    if !pair.is_of_one_run() {
        return Vec::new();
    }
    let its = pair.new.report.findings.iter().filter(|found| found.code == Code::InlinedDifferently);
    let its = its.filter(|found| found.case.is_none() || found.concerns(pair.new.case.case));
    let executed = pair.executed();
    let cycles = (executed.abs() * 0.5).max(LEAST);
    its.map(|found| said("inlining", found.evidence.to_string(), cycles * calling(found, executed))).collect()
}

/// Which side pays for calls: the one that calls what the other has inlined; where both do, the one that executes more.
fn calling(found: &Finding, executed: f64) -> f64 {
    let calls = |name: &str| found.evidence.values.contains_key(name);
    match (calls(BASE_CALLS), calls(NEW_CALLS)) {
        (true, false) => -1.0,
        (false, true) => 1.0,
        _ if executed < 0.0 => -1.0,
        _ => 1.0,
    }
}
