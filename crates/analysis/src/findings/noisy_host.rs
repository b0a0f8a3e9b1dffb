//! `noisy-host`: the machine had much else to do while it measured. What the method does about it keeps results right; it
//! costs time, and intervals are wider.

use super::facts::Context;
use super::Severity;
use super::{Code, Finding, Found, Means, Pairs, Rule, Sentence, Unit};
use crate::saved::{SavedCase, CPU_TIME, WALL_TIME};

/// Share of visits of code that computes which others preempted, over the whole run.
const PREEMPTED: f64 = 0.25;
/// Share of time that the hypervisor took away; the gap between wall and CPU time does not show it.
const STEAL: f64 = 0.05;
/// Share of time in which something waited for a CPU; the children of a wave start together, which is some of it.
const PRESSURE: f64 = 0.5;
/// Share of preempted visits that must come with that pressure.
const PREEMPTED_UNDER_PRESSURE: f64 = 0.10;
/// Time of a whole command over what it had of the processors: between these it may have waited for one under that pressure. Beyond them
/// it waits for something else, such as a timer or another program.
const WAITED: std::ops::Range<f64> = 1.5..15.0;
/// Visits that must have been made.
const VISITS_MIN: usize = 48;

/// Spread of wall times between processes from which it is worth avoiding, log.
const SCATTER: f64 = 0.02;
/// CPU times must spread by at most this share of it.
const LESS: f64 = 0.5;
/// CPU time of a benchmark that computes, as a share of its wall time: below it, it waits by itself, and above it has threads.
const COMPUTES: std::ops::Range<f64> = 0.25..1.05;

pub(super) const RULE: Rule = Rule::of_run(find).and_of_saved(of_saved);

fn find(context: &Context) -> Vec<Found> {
    let waited = commands_waited(context);
    let computing = || context.times.iter().filter(|t| !t.traits.blocks && !t.traits.threaded);
    let visits: usize = computing().map(|t| t.counts.measured).sum();
    let preempted: usize = computing().map(|t| t.counts.preempted_by_others()).sum();
    if visits < VISITS_MIN && waited.is_none() {
        return Vec::new();
    }
    let share = if visits < VISITS_MIN { 0.0 } else { preempted as f64 / visits as f64 };
    let steal = context.run.steal().unwrap_or(0.0);
    let cpu_pressure = context.run.cpu_pressure();
    let pressure = cpu_pressure.unwrap_or(0.0);
    let busy = share >= PREEMPTED || steal >= STEAL || (pressure >= PRESSURE && share >= PREEMPTED_UNDER_PRESSURE);
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
    vec![Found {
        case: None,
        severity: Severity::Warning,
        evidence,
        weight: if busy { share } else { pressure },
        advice: match waited {
            Some(_) => Sentence::new("times may include waiting for a processor: stop other work, or use another machine ({doctor} shows what is busy)"),
            None => Sentence::new("results remain valid but take longer: stop other work, or use another machine ({doctor} shows what is busy)"),
        }
        .means("doctor", Means::Doctor),
        ..Found::default()
    }]
}

/// Files of tools that measure both times: what waited for its processor scatters in wall time alone.
fn of_saved(found: &Pairs) -> Vec<Finding> {
    let is_foreign = [found.base, found.new].iter().any(|side| side.tool != "tare");
    let calmer: Vec<[f64; 2]> = found.pairs.iter().filter_map(|(base, new)| calmer_in_cpu_time(base, new)).collect();
    let Some(worst) = calmer.iter().copied().max_by(|a, b| a[0].total_cmp(&b[0])).filter(|_| is_foreign) else {
        return Vec::new();
    };
    let evidence = Sentence::new(
        "wall times of {count} of {pairs} benchmarks spread up to {wall} between processes, where CPU times spread {cpu}",
    )
    .count("count", calmer.len())
    .count("pairs", found.pairs.len())
    .number("wall", worst[0], Unit::Share)
    .number("cpu", worst[1], Unit::Share);
    let advice = Sentence::new("compare {cpu-time}, which has no waiting for a processor in it").means("cpu-time", Means::CpuTime);
    vec![Finding::new(Code::NoisyHost, Severity::Note, evidence, advice)]
}

/// Spreads of wall and CPU times of a pair that is compared in wall time, where the latter are much calmer.
fn calmer_in_cpu_time(base: &SavedCase, new: &SavedCase) -> Option<[f64; 2]> {
    let of = |case: &SavedCase| {
        let cpu = case.otherwise.as_deref().filter(|other| other.quantity == CPU_TIME && case.quantity == WALL_TIME)?;
        let [wall, cpu] = [case, cpu].map(|case| {
            let means = case.launches.iter().filter_map(|values| tare_stats::location::mean(values));
            means.filter(|mean| *mean > 0.0).map(f64::ln).collect::<Vec<f64>>()
        });
        let share = (tare_stats::location::mean(&cpu)? - tare_stats::location::mean(&wall)?).exp();
        let spreads = [tare_stats::spread::sd(&wall)?, tare_stats::spread::sd(&cpu)?];
        COMPUTES.contains(&share).then_some(spreads)
    };
    let (base, new) = (of(base)?, of(new)?);
    let spreads = [base[0].max(new[0]), base[1].max(new[1])];
    (spreads[0] >= SCATTER && spreads[1] <= LESS * spreads[0]).then_some(spreads)
}

/// Whole commands are not preempted by the visit: a run that waits for a processor half of the time is as long as it is, and stays. By how
/// much the time of one is longer than what it had of the processors, where that may be waiting for one.
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
        assert!(findings(0, 0.9, 0.0).is_empty());
        assert!(findings(0, 0.0, 0.0).is_empty());
    }
}
