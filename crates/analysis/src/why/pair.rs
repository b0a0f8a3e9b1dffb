//! Two sides of a benchmark, as sources of evidence look at them.

use super::measured;
use crate::clock::reference_cycle_ns;
use crate::report::{CaseEstimates, CaseReport, Report};
use tare_model::{Artifact, Run};

/// Less than this of a count per operation is no difference.
const STEP: f64 = 0.001;
/// Share up to which two counts that need not be exact are equal.
const SHARE: f64 = 0.001;

/// Instructions that an allocation and its release take, and a byte that is written once more.
const OF_ALLOCATION: f64 = 120.0;
const OF_BYTE: f64 = 0.125;

/// Both sides of a benchmark.
pub struct Pair<'a> {
    /// The run that they were measured in.
    pub run: &'a Run,
    /// What it says.
    pub report: &'a Report,
    /// The base.
    pub base: &'a CaseReport,
    /// The new side.
    pub new: &'a CaseReport,
    /// What was measured of both.
    pub estimates: [&'a CaseEstimates; 2],
    /// Length of a cycle of the core, ns.
    pub cycle_ns: Option<f64>,
}

impl<'a> Pair<'a> {
    /// Two cases; None where one was not measured.
    pub fn of(run: &'a Run, report: &'a Report, [base, new]: [&'a CaseReport; 2]) -> Option<Pair<'a>> {
        let estimates = [measured(base)?, measured(new)?];
        Some(Pair { run, report, base, new, estimates, cycle_ns: reference_cycle_ns(run) })
    }

    /// The value of a metric on both sides, base first, in its own unit; `None` unless both have it.
    pub fn values(&self, name: &str) -> Option<[f64; 2]> {
        let of = |estimates: &CaseEstimates| {
            estimates.metric(name).or_else(|| estimates.metric_of_any_pass(name)).filter(|value| value.is_finite())
        };
        Some([of(self.estimates[0])?, of(self.estimates[1])?])
    }

    /// A number that a diagnoser knows of both sides, base first; `None` unless it knows both.
    pub fn facts(&self, diagnoser: &str, name: &str) -> Option<[f64; 2]> {
        let of = |case: &CaseReport| {
            let mut passes =
                self.run.diagnoses.iter().filter(|pass| pass.case == case.case && pass.diagnoser == diagnoser);
            passes.find_map(|pass| pass.facts.get(name)).copied()
        };
        Some([of(self.base)?, of(self.new)?])
    }

    /// The same as [`Pair::values`], where both sides differ.
    pub fn change(&self, name: &str) -> Option<[f64; 2]> {
        self.values(name).filter(|values| differ(*values))
    }

    /// New less base of a metric, in its own unit; 0 where nothing is known.
    pub fn difference(&self, name: &str) -> f64 {
        self.change(name).map_or(0.0, |[base, new]| new - base)
    }

    /// New less base of the instructions, without those that the allocator takes for what is allocated more or less.
    pub fn executed(&self) -> f64 {
        let executed = self.difference("instructions/executed");
        let allocated = self.difference("allocations") * OF_ALLOCATION + self.difference("allocated_bytes") * OF_BYTE;
        match executed > 0.0 {
            true => (executed - allocated.max(0.0)).max(0.0),
            false => (executed - allocated.min(0.0)).min(0.0),
        }
    }

    /// New less base of the time, ns; `None` unless both sides have one.
    pub fn time_ns(&self) -> Option<f64> {
        let [a, b] = self.estimates.map(|estimates| estimates.time.resolved_ns());
        let (base, new) = (self.estimates[0].centre_ns, self.estimates[1].centre_ns);
        // What is shown is without the loop; the difference is the same with it.
        let difference = a.zip(b).map_or(new - base, |(base, new)| new - base);
        difference.is_finite().then_some(difference)
    }

    /// Which way the time goes, if it is known: 1 the new side costs more, -1 less.
    pub fn direction(&self) -> Option<f64> {
        use crate::verdict::Verdict::{Faster, Slower};
        match self.estimates[1].ratio.as_ref()?.verdict {
            Slower => Some(1.0),
            Faster => Some(-1.0),
            _ => None,
        }
    }

    /// A cost without a base of its own, on the side that takes longer.
    pub fn toward(&self, cycles: f64) -> f64 {
        cycles * self.direction().unwrap_or(1.0)
    }

    /// A diagnoser that was asked for looked at it or tried to, or nothing could be.
    pub fn was_looked_at(&self) -> bool {
        let looked = |case: &CaseReport| self.run.diagnoses.iter().any(|pass| pass.case == case.case);
        looked(self.new) || self.direction().is_some() || self.run.plan.policy.diagnose_changed.is_empty()
    }

    /// The programs of both sides.
    pub fn programs(&self) -> Option<[&'a Artifact; 2]> {
        let of =
            |case: &CaseReport| self.run.artifacts.get(self.run.plan.cases.get(case.case as usize)?.artifact as usize);
        Some([of(self.base)?, of(self.new)?])
    }

    /// The work of both sides is the same, as far as it was counted.
    pub fn is_same_work(&self) -> bool {
        let counted = ["instructions/executed", "instructions/branches", "instructions/memory_accesses"];
        counted.iter().all(|name| self.values(name).is_some_and(|values| !differ(values)))
    }
}

/// Both counts are not the same.
pub fn differ([base, new]: [f64; 2]) -> bool {
    (new - base).abs() >= STEP && (new - base).abs() > SHARE * base.abs().max(new.abs())
}
