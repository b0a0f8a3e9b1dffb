//! A function that one build inlines into the measuring loop and the other calls, as the finding `inlined-differently` has it.

use super::{said, Evidence, Pair, Source};
use crate::finding::Code;

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
    let cycles = (executed.abs() * 0.5).max(LEAST) * if executed < 0.0 { -1.0 } else { 1.0 };
    its.map(|found| said("inlining", found.evidence.to_string(), cycles)).collect()
}
