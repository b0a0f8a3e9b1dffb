//! `preempted`: many visits of a case were dropped because its thread did not have the CPU.

use super::{Context, How, Measured, Observation, Search, Sentence, Unit};
use crate::visits::Quantity;
use tare_stats::location::median;

/// Smallest share of dropped visits that is reported.
const SHARE: f64 = 0.25;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let counts = m.times.counts;
    // What it is compared with may have been: then that says so.
    if counts.preempted == 0 {
        return None;
    }
    let share = counts.preempted as f64 / counts.measured.max(1) as f64;
    let lost = Sentence::new("{preempted} of {visits} visits were preempted")
        .number("preempted", share, Unit::Share)
        .count("visits", counts.measured);
    let found = match m.estimates.quantity {
        Quantity::Cpu => {
            let shown = match wall_ns(&m) {
                Some(ns) => Sentence::new(": CPU time is shown; the wall time was {wall}").number("wall", ns, Unit::Ns),
                None => ": CPU time is shown, not wall time".into(),
            };
            let advice =
                "run again when the machine is less busy; declare a body that waits or follows the wall clock \
                          (`waits`), and its wall time is shown";
            Observation::warning(lost.then(shown), advice)
        }
        // `noisy-host` reports what others did; this reports which time is shown because of it.
        Quantity::Wall if share < SHARE || context.noisy => return None,
        Quantity::Wall => {
            // If some visits are slow, those would be left out most often.
            let fate = match counts.valid + counts.preempted > counts.measured {
                true => " and count by their CPU time",
                false => " and are left out",
            };
            Observation::note(lost.then(fate.into()), "the machine was busy: run again when it is less busy")
        }
    };
    Some(found.weighing(share).again(How::AsBefore))
}

/// Median wall time of an operation over all visits, including preempted ones.
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

    /// With the CPU use of the process while its thread did not have the CPU.
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
        assert!(findings_of(3, true).is_empty());
    }

    #[test]
    fn a_third_is_a_note_and_a_tenth_is_nothing() {
        assert_eq!(findings(3)[0].severity, Severity::Note);
        assert!(findings(1).is_empty());
    }
}
