//! `preempted`: many visits of a case were dropped because its thread did not have the CPU, or so many that CPU time stands
//! for wall time.

use super::facts::Context;
use super::Severity;
use super::{Found, How, Rule, Sentence, Unit};
use crate::report::Quantity;

/// Share of dropped visits that is worth a note.
const SHARE: f64 = 0.25;

pub(super) const RULE: Rule = Rule::of_run(find);

fn find(context: &Context) -> Vec<Found> {
    context
        .measured()
        .filter_map(|m| {
            let counts = m.times.counts;
            let share = counts.preempted as f64 / counts.measured.max(1) as f64;
            let lost = Sentence::new("{preempted} of {visits} visits were preempted")
                .number("preempted", share, Unit::Share)
                .count("visits", counts.measured);
            let found = Found {
                case: Some(m.case),
                severity: Severity::Note,
                evidence: lost.clone().then(" and are left out".into()),
                weight: share,
                advice: "the machine was busy: run again when it is less busy".into(),
                again: Some(How::AsBefore),
                with_baseline: true,
            };
            match m.estimates.quantity {
                Quantity::Cpu => Some(Found {
                    severity: Severity::Warning,
                    evidence: lost.then(": the CPU time of the thread is shown, not wall time".into()),
                    ..found
                }),
                Quantity::Wall => (share >= SHARE).then_some(found),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::{Finding, Severity};

    fn findings(in_ten: usize) -> Vec<Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            let elapsed = launch.series[0].columns.elapsed_ns.iter_mut().enumerate();
            elapsed.filter(|(i, _)| (7 * i) % 10 < in_ten).for_each(|(_, e)| *e *= 2.0);
        }
        let found = crate::analyse(&builder.run()).findings;
        found.into_iter().filter(|f| f.code.name() == "preempted").collect()
    }

    #[test]
    fn cpu_time_is_named_as_such() {
        let found = findings(6);
        assert_eq!(found[0].severity, Severity::Warning);
        assert!(found[0].evidence.to_string().ends_with("the CPU time of the thread is shown, not wall time"));
    }

    #[test]
    fn a_third_is_a_note_and_a_tenth_is_nothing() {
        assert_eq!(findings(3)[0].severity, Severity::Note);
        assert!(findings(1).is_empty());
    }
}
