//! `noisy-host`: the machine had much else to do while it measured. What the method does about it keeps results right; it
//! costs time, and intervals are wider.

use super::facts::Context;
use super::Severity;
use super::{Found, Means, Rule, Sentence, Unit};

/// Share of visits of code that computes which others preempted, over the whole run.
const PREEMPTED: f64 = 0.25;
/// Share of time that the hypervisor took away; the gap between wall and CPU time does not show it.
const STEAL: f64 = 0.05;
/// Share of time in which something waited for a CPU; the children of a wave start together, which is some of it.
const PRESSURE: f64 = 0.5;
/// Share of preempted visits that must come with that pressure.
const PREEMPTED_UNDER_PRESSURE: f64 = 0.10;
/// Visits that must have been made.
const VISITS_MIN: usize = 48;

pub(super) const RULE: Rule = Rule::of_run(find);

fn find(context: &Context) -> Vec<Found> {
    let computing = || context.times.iter().filter(|t| !t.traits.blocks && !t.traits.threaded);
    let visits: usize = computing().map(|t| t.counts.measured).sum();
    let preempted: usize = computing().map(|t| t.counts.preempted_by_others()).sum();
    if visits < VISITS_MIN {
        return Vec::new();
    }
    let share = preempted as f64 / visits as f64;
    let steal = context.run.steal().unwrap_or(0.0);
    let cpu_pressure = context.run.cpu_pressure();
    let pressure = cpu_pressure.unwrap_or(0.0);
    let busy = share >= PREEMPTED || steal >= STEAL || (pressure >= PRESSURE && share >= PREEMPTED_UNDER_PRESSURE);
    if !busy {
        return Vec::new();
    }
    let mut evidence =
        Sentence::new("{preempted} of the visits were preempted").number("preempted", share, Unit::Share);
    if let Some(pressure) = cpu_pressure {
        let waited = Sentence::new(", tasks waited for a CPU {pressure} of the time");
        evidence = evidence.then(waited.number("pressure", pressure, Unit::Share));
    }
    if steal >= 0.01 {
        evidence = evidence.then(Sentence::new(", the hypervisor took {steal}").number("steal", steal, Unit::Share));
    }
    vec![Found {
        case: None,
        severity: Severity::Warning,
        evidence,
        weight: share,
        advice: Sentence::new("results remain valid but take longer: stop other work, or use another machine ({doctor} shows what is busy)")
            .means("doctor", Means::Doctor),
        ..Found::default()
    }]
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(preempted_in_ten: usize, pressure: f64, steal: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        for launch in &mut builder.run.launches {
            let elapsed = launch.series[0].columns.elapsed_ns.iter_mut().enumerate();
            elapsed.filter(|(i, _)| (7 * i) % 10 < preempted_in_ten).for_each(|(_, e)| *e *= 2.5);
        }
        builder.run.environment_mut().cpu_pressure = Some(pressure);
        builder.run.environment_mut().steal = Some(steal);
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_busy_machine_is_told_once() {
        let found = findings(3, 0.61, 0.02);
        assert_eq!(codes(&found)[0], "noisy-host");
        let evidence = &found[0].evidence;
        assert!(
            evidence.to_string().contains("of the visits were preempted, tasks waited for a CPU 61 % of the time"),
            "{evidence}"
        );
        assert_eq!(codes(&findings(0, 0.1, 0.2)), ["noisy-host"], "stolen time is not seen in visits");
    }

    #[test]
    fn a_quiet_one_and_one_that_only_started_children_is_not() {
        assert!(findings(0, 0.9, 0.0).is_empty());
        assert!(findings(0, 0.0, 0.0).is_empty());
    }
}
