//! `noisy-host`: the machine had much else to do while it measured, and this run's results are worse for it.

use super::clock_speed;
use super::{Context, Means, Observation, Search, Sentence, Unit};
use crate::estimate::half_width;
use crate::report::Outcome;
use crate::verdict::Verdict;
use crate::visits::Quantity;

/// Share of visits of computing code, over the whole run, that others preempted.
const PREEMPTED: f64 = 0.25;
/// Share of time taken by the hypervisor; the gap between wall and CPU time does not show it.
const STEAL: f64 = 0.05;
/// Share of time in which something waited for a CPU; the children of a wave start together, which causes some of it.
const PRESSURE: f64 = 0.5;
/// Smallest share of preempted visits along with that pressure.
const PREEMPTED_UNDER_PRESSURE: f64 = 0.10;
/// Time of a whole command over its processor time: in this range it may have waited for a processor.
const WAITED: std::ops::Range<f64> = 1.5..15.0;
/// Half-width of an interval, as a share of its time, from which a quiet machine would be more precise.
const WIDE: f64 = 0.02;
const VISITS_MIN: usize = 48;
/// Added if such findings are left out.
const UNLISTED: &str = "; what differs from launch to launch, or over time, may come from that and is not listed";

pub(super) const SEARCH: Search = Search::of_run(find);

pub(super) fn is_told(context: &Context) -> bool {
    !find(context).is_empty()
}

fn find(context: &Context) -> Vec<Observation> {
    let waited = commands_waited(context);
    let computing = || context.times.iter().filter(|t| !t.traits.blocks && !t.traits.threaded);
    let visits: usize = computing().map(|t| t.counts.measured).sum();
    let preempted: usize = computing().map(|t| t.counts.preempted).sum();
    if visits < VISITS_MIN && waited.is_none() {
        return Vec::new();
    }
    let share = if visits < VISITS_MIN { 0.0 } else { preempted as f64 / visits as f64 };
    let steal = context.run.steal().unwrap_or(0.0);
    let cpu_pressure = context.run.cpu_pressure();
    let pressure = cpu_pressure.unwrap_or(0.0);
    let is_busy = share >= PREEMPTED || steal >= STEAL || (pressure >= PRESSURE && share >= PREEMPTED_UNDER_PRESSURE);
    let suffers = is_busy.then(|| suffers(context)).filter(|suffers| !suffers.is_nothing());
    let busy = suffers.is_some();
    if !busy && waited.is_none() {
        return Vec::new();
    }
    let preempted = Sentence::new("{preempted} of the visits were preempted").number("preempted", share, Unit::Share);
    let under = |text| Sentence::new(text).number("pressure", pressure, Unit::Share);
    let mut evidence = match (busy, cpu_pressure) {
        (true, Some(_)) => preempted.then(under(", tasks waited for a CPU {pressure} of the time")),
        (true, None) => preempted,
        (false, _) => under("tasks waited for a CPU {pressure} of the time"),
    };
    if let Some(times) = waited {
        let commands = Sentence::new(", commands took up to {times} times their CPU time");
        evidence = evidence.then(commands.number("times", times, Unit::Times));
    }
    if steal >= 0.01 {
        evidence = evidence.then(Sentence::new(", the hypervisor took {steal}").number("steal", steal, Unit::Share));
    }
    if let Some(clock) = clock_speed::off_profile_in_brief(context) {
        evidence = evidence.then(clock);
    }
    if let Some(suffers) = suffers {
        evidence = evidence.then(suffers.sentence());
    }
    if context.unlisted > 0 {
        evidence = evidence.then(UNLISTED.into());
    }
    let advice = match waited {
            Some(_) => Sentence::new("times may include waiting for a processor: stop other work, or use another machine ({doctor} shows what is busy)"),
            None => Sentence::new("results remain valid but are less certain: stop other work, or use another machine ({doctor} shows what is busy)"),
        }
        .means("doctor", Means::Doctor);
    vec![Observation::warning(evidence, advice).weighing(if busy { share } else { pressure })]
}

#[derive(Default)]
struct Suffers {
    lost: usize,
    by_cpu: usize,
    wide: usize,
    unclear: usize,
}

impl Suffers {
    fn is_nothing(&self) -> bool {
        self.lost + self.by_cpu + self.wide + self.unclear == 0
    }

    /// The consequences, with a number for each that occurred.
    fn sentence(&self) -> Sentence {
        let parts = [
            (self.lost, Sentence::new("{lost} missing").count("lost", self.lost)),
            (self.by_cpu, Sentence::new("{by-cpu} in CPU time").count("by-cpu", self.by_cpu)),
            (
                self.wide,
                Sentence::new("{wide} with an interval wider than {limit}").count("wide", self.wide).number(
                    "limit",
                    WIDE,
                    Unit::Limit,
                ),
            ),
            (self.unclear, Sentence::new("{unclear} unclear").count("unclear", self.unclear)),
        ];
        let head = Sentence::new("; results: ");
        let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part);
        let (all, _) = parts.fold((head, ""), |(all, comma), part| (all.then(comma.into()).then(part), ", "));
        all
    }
}

fn suffers(context: &Context) -> Suffers {
    let mut suffers = Suffers::default();
    for (times, report) in context.times.iter().zip(context.cases) {
        match &report.outcome {
            Outcome::NotMeasured => suffers.lost += usize::from(times.counts.preempted > 0),
            Outcome::Measured(estimates) => {
                suffers.by_cpu += usize::from(estimates.quantity == Quantity::Cpu);
                suffers.wide += usize::from(half_width(times).is_some_and(|share| share > WIDE));
                suffers.unclear += usize::from(estimates.ratio.as_ref().is_some_and(|r| r.verdict == Verdict::Unclear));
            }
            _ => {}
        }
    }
    suffers
}

/// How much longer whole commands took than their processor time, if they may have waited for a processor.
fn commands_waited(context: &Context) -> Option<f64> {
    context.run.cpu_pressure().filter(|pressure| *pressure >= PRESSURE)?;
    let times = context.measured().filter_map(|m| {
        let used = m.estimates.metric("user_time")? + m.estimates.metric("system_time")?;
        Some(m.estimates.wall_ns / used).filter(|times| WAITED.contains(times))
    });
    times.max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use tare_model::{Metric, Per};

    /// For launches that differ by up to 12 %.
    fn findings(preempted_in_ten: usize, pressure: f64, steal: f64) -> Vec<crate::Finding> {
        findings_of(0.12, preempted_in_ten, pressure, steal)
    }

    fn findings_of(differ: f64, preempted_in_ten: usize, pressure: f64, steal: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, n, _| differ * (f64::from((n * 5) % 12) / 11.0 - 0.5));
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
        assert_eq!(codes(&found), ["noisy-host"], "{found:?}");
        let evidence = &found[0].evidence;
        assert!(
            evidence.to_string().contains("of the visits were preempted, tasks waited for a CPU 61 % of the time"),
            "{evidence}"
        );
        let what = "; results: 1 with an interval wider than 2 %; what differs from launch to launch, or over time, may come from that \
                    and is not listed";
        assert!(evidence.to_string().ends_with(what), "{evidence}");
        assert!(codes(&findings(0, 0.1, 0.2)).contains(&"noisy-host"), "stolen time is not seen in visits");
    }

    #[test]
    fn results_that_are_as_precise_as_ever_need_no_remark() {
        for found in [findings_of(0.0, 3, 0.61, 0.02), findings_of(0.0, 0, 0.1, 0.2)] {
            assert!(!codes(&found).contains(&"noisy-host"), "{found:?}");
        }
        // So many visits were preempted that CPU time is shown.
        let found = findings_of(0.0, 6, 0.61, 0.02);
        let noisy = found.iter().find(|f| f.code.name() == "noisy-host").expect("it is told");
        assert!(noisy.evidence.to_string().ends_with("; results: 1 in CPU time"), "{}", noisy.evidence);
    }

    #[test]
    fn commands_that_wait_for_a_processor_are_no_quiet_ones() {
        let found = |used_ns: f64, pressure: f64| {
            let mut builder = RunBuilder::new();
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            let metric = |name: &str| Metric { name: name.to_owned(), per: Per::Iteration, ..Metric::default() };
            builder.child().metrics = vec![metric("user_time"), metric("system_time")];
            for launch in &mut builder.run.launches {
                let columns = &mut launch.series[0].columns;
                let each = |share: f64| vec![share * used_ns; columns.elapsed_ns.len()];
                columns.metrics = [("user_time".to_owned(), each(0.9)), ("system_time".to_owned(), each(0.1))].into();
            }
            builder.run.environment_mut().cpu_pressure = Some(pressure);
            crate::analyse(&builder.run()).findings
        };
        let waited = found(25.0, 0.8);
        assert_eq!(codes(&waited), ["noisy-host"]);
        let evidence = waited[0].evidence.to_string();
        assert!(evidence.starts_with("tasks waited for a CPU 80 % of the time, commands took up to 4"), "{evidence}");
        assert!(evidence.ends_with(" times their CPU time"), "{evidence}");
        assert!(found(0.5, 0.8).is_empty(), "they wait for something else");
        assert!(found(25.0, 0.1).is_empty(), "they sleep, and the machine does not");
        assert!(found(95.0, 0.8).is_empty(), "somebody else waits");
    }

    #[test]
    fn a_quiet_one_and_one_that_only_started_children_is_not() {
        for pressure in [0.9, 0.0] {
            assert!(!codes(&findings(0, pressure, 0.0)).contains(&"noisy-host"));
        }
    }
}
