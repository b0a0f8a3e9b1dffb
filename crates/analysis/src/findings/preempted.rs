//! `preempted`: many visits of a case were dropped because its thread did not have the CPU, or so many that CPU time stands
//! for wall time.

use super::facts::{Context, Measured};
use super::Severity;
use super::{How, Observation, Search, Sentence, Unit};
use crate::visits::Quantity;
use tare_stats::location::median;

/// Share of dropped visits that is worth a note.
const SHARE: f64 = 0.25;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    // `noisy-host` says what others did; which time is shown for it is said here.
    let is_said = |f: &Observation| context.noisy && f.severity == Severity::Note;
    let by_others = |m: &Measured| by_others(m).filter(|f| !is_said(f));
    context.measured().flat_map(|m| [by_others(&m), by_own_threads(&m)]).flatten().collect()
}

/// Other programs had the processor in many of its visits.
fn by_others(m: &Measured) -> Option<Observation> {
    let counts = m.times.counts;
    let share = counts.preempted as f64 / counts.measured.max(1) as f64;
    let lost = Sentence::new("{preempted} of {visits} visits were preempted")
        .number("preempted", share, Unit::Share)
        .count("visits", counts.measured);
    // Of visits of which some are slow those would be left out most often.
    let fate = if counts.valid + counts.preempted > counts.measured {
        " and count by their CPU time"
    } else {
        " and are left out"
    };
    let found = Observation {
        case: Some(m.case),
        severity: Severity::Note,
        evidence: lost.clone().then(fate.into()),
        weight: share,
        advice: "the machine was busy: run again when it is less busy".into(),
        again: Some(How::AsBefore),
    };
    match m.estimates.quantity {
        Quantity::Cpu => Some(Observation {
            severity: Severity::Warning,
            evidence: match wall_ns(m) {
                Some(ns) => lost.then(Sentence::new(": CPU time is shown; the wall time was {wall}").number(
                    "wall",
                    ns,
                    Unit::Ns,
                )),
                None => lost.then(": CPU time is shown, not wall time".into()),
            },
            advice: "run again when the machine is less busy; declare a body that waits or follows the wall clock \
                (`waits`), and its wall time is shown"
                .into(),
            ..found
        }),
        Quantity::Wall => (share >= SHARE).then_some(found),
    }
}

/// Other threads of the program had the processor in many of its visits: that is a part of its time.
fn by_own_threads(m: &Measured) -> Option<Observation> {
    let counts = m.times.counts;
    let share = counts.to_own_threads as f64 / counts.measured.max(1) as f64;
    let found = || Observation {
        case: Some(m.case),
        severity: Severity::Note,
        evidence: Sentence::new(
            "in {share} of {visits} visits other threads of the program had the processor; the time includes that",
        )
        .number("share", share, Unit::Share)
        .count("visits", counts.measured),
        weight: share,
        advice: "if the body does not need these threads, start fewer of them".into(),
        again: None,
    };
    (share >= SHARE).then(found)
}

/// Median wall time of an operation over all visits, the preempted ones too.
fn wall_ns(measured: &Measured) -> Option<f64> {
    let visits = measured.times.all_visits().flat_map(|(_, visits)| visits);
    let operations = measured.times.operations();
    let usable = visits.filter(|visit| visit.is_usable());
    let times: Vec<f64> = usable.map(|visit| visit.wall_per_operation_ns(operations)).collect();
    median(&times)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::{Finding, Severity};

    fn findings(in_ten: usize) -> Vec<Finding> {
        findings_of(in_ten, false)
    }

    /// With what the process used of the time that its thread did not have the CPU.
    fn findings_of(in_ten: usize, own_threads: bool) -> Vec<Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            let elapsed = launch.series[0].columns.elapsed_ns.iter_mut().enumerate();
            elapsed.filter(|(i, _)| (7 * i) % 10 < in_ten).for_each(|(_, e)| *e *= 2.0);
            let columns = &mut launch.series[0].columns;
            columns.process_cpu_ns = if own_threads { &columns.elapsed_ns } else { &columns.cpu_ns }.clone();
        }
        let found = crate::analyse(&builder.run()).findings;
        found.into_iter().filter(|f| f.code.name() == "preempted").collect()
    }

    #[test]
    fn cpu_time_is_named_as_such() {
        let found = findings(6);
        assert_eq!(found[0].severity, Severity::Warning);
        let evidence = found[0].evidence.to_string();
        assert!(evidence.contains("CPU time is shown; the wall time was 199."), "{evidence}");
    }

    #[test]
    fn what_its_own_threads_did_is_not_blamed_on_the_machine() {
        let machine = &findings_of(3, false)[0];
        assert!(machine.advice.text.to_string().starts_with("the machine was busy"), "{machine:?}");
        let own = &findings_of(3, true)[0];
        let evidence = own.evidence.to_string();
        assert!(
            evidence.ends_with("other threads of the program had the processor; the time includes that"),
            "{evidence}"
        );
        assert!(evidence.starts_with("in 33 %") || evidence.starts_with("in 29 %"), "{evidence}");
        assert!(own.advice.again.is_none() && findings_of(3, true).len() == 1);
    }

    #[test]
    fn a_third_is_a_note_and_a_tenth_is_nothing() {
        assert_eq!(findings(3)[0].severity, Severity::Note);
        assert!(findings(1).is_empty());
    }
}
