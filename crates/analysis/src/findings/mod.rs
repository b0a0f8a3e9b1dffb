//! Coded remarks with evidence and advice, one file each.

use crate::report::CaseReport;
use crate::times::CaseTimes;
use tare_model::{Finding, Run};

/// What a finding may look at.
pub struct Facts<'a> {
    /// The run.
    pub run: &'a Run,
    /// Valid visits by index of the case.
    pub times: &'a [CaseTimes],
    /// Reports by index of the case.
    pub cases: &'a [CaseReport],
}

/// All findings, the worst first, then in the order of the cases.
pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut found = facts.run.findings.clone();
    found.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.case.cmp(&b.case)));
    found
}
