//! One value per launch: which visits count, their centre, and the correction by the core's clock.

use super::kind::{FollowsClock, Quantity};
use super::launches::LaunchVisits;
use crate::clock::{among_kinds, slope, Exponent, Sample, Slope};
use crate::core::CoreUse;
use tare_model::{Draw, Visit, VisitTraits, Windows};
use tare_stats::location::{centre, mean};

/// With this many calls per visit, slow calls are in every visit in proportion.
pub(crate) const CALLS_MIN: f64 = 10.0;

/// An event with this mean count is absent in one of twenty samples (Poisson).
const ALIKE_BY_CHANCE: f64 = 3.0;

#[derive(Debug, Clone)]
pub struct LaunchTimes {
    pub launch: u32,
    pub group: u32,
    pub wave: u32,
    pub draw: Draw,
    pub rounds: Vec<u32>,
    /// Log times of an operation (log ns), with the loop, in the valid visits; at the reference clock.
    pub log_ns: Vec<f64>,
    /// Log length of a cycle (log ns) in each valid visit; empty without a clock probe.
    pub log_cycle: Vec<f64>,
    /// Mean over the visits of how far the clock moved between their probes ([`Visit::probe_moved`]).
    pub clock_moved: f64,
    pub measured: usize,
    pub windows: Option<Windows>,
    /// The one value of the launch: the case's `location` of `log_ns`.
    pub value: f64,
    /// Time of an operation as the clock gave it, not corrected by the core's clock, ns.
    pub wall_ns: f64,
    /// Operations per invocation: as declared, or the mean that the child counted in these visits.
    pub operations: f64,
}

/// How certain the exponent of a body is; empty if times are not given at the reference clock.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExponentError {
    pub error: f64,
    /// Log of the longest over the shortest cycle of a launch.
    pub cycle_range: f64,
}

/// Which visits of a case count, and what their time is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection {
    pub(super) traits: VisitTraits,
    pub(super) quantity: Quantity,
    pub(super) core: CoreUse,
    /// Operations per invocation, if the child does not count them.
    pub(super) operations: f64,
    pub(super) location: Location,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Location {
    #[default]
    Trimmed,
    /// The mean of the logs. Each visit has its own place in memory: rare slow places are part of the code's time.
    Mean,
    /// The log of the mean over calls, for visits of few calls of which some are slow for a reason.
    OverCalls,
}

impl Location {
    /// The location for a case with these visits; trimmed if each visit is a process of its own.
    pub(super) fn of(
        visits: &[Visit],
        traits: VisitTraits,
        memory_was_randomized: bool,
        are_commands: bool,
    ) -> Location {
        let has_few_calls = || visits.iter().all(|visit| visit.invocations < CALLS_MIN);
        match memory_was_randomized {
            true => Location::Mean,
            false if are_commands => Location::Trimmed,
            false if traits.keeps_all || traits.collects || has_few_calls() => Location::OverCalls,
            false => Location::Trimmed,
        }
    }

    /// A common location for both: the trimmed mean only if both use it.
    pub(crate) fn of_both(base: Location, new: Location) -> Location {
        if base == Location::Trimmed {
            new
        } else {
            base
        }
    }

    pub(crate) fn centre(self, logs: &[f64]) -> Option<f64> {
        match self {
            Location::Trimmed => centre(logs),
            Location::Mean => mean(logs),
            Location::OverCalls => over_calls(logs),
        }
    }

    /// Smallest half-width of an interval over visits of few calls (log): by chance all launches may have the same number of slow ones.
    pub(crate) fn least_half(self, logs: &[f64]) -> f64 {
        let times: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
        let Some(mean) = mean(&times).filter(|_| self == Location::OverCalls) else { return 0.0 };
        let away = || times.iter().map(|time| time - mean);
        // With two kinds of visits, this is the distance between them.
        let apart = 2.0 * away().map(|away| away * away).sum::<f64>() / away().map(f64::abs).sum::<f64>();
        if apart > 0.0 {
            ALIKE_BY_CHANCE * apart / (mean * times.len() as f64)
        } else {
            0.0
        }
    }

    pub(crate) fn over_launches(self, values: &[f64]) -> Option<f64> {
        match self {
            Location::Trimmed | Location::Mean => mean(values),
            Location::OverCalls => over_calls(values),
        }
    }
}

/// Log of the mean of the exponentiated values.
fn over_calls(logs: &[f64]) -> Option<f64> {
    mean(&logs.iter().map(|log| log.exp()).collect::<Vec<f64>>()).map(f64::ln)
}

impl Selection {
    /// Whether some of its visits of few calls are slow: those are preempted more often, and count by their CPU time.
    fn has_slow_visits(&self) -> bool {
        self.location == Location::OverCalls && self.traits.computes && self.core != CoreUse::Alone
    }

    pub(super) fn time_of(&self, visit: &Visit) -> Option<f64> {
        let time = match (self.quantity, self.core) {
            (Quantity::Cpu, _) => {
                visit.cpu_per_operation_ns(self.operations, self.traits).filter(|_| visit.is_timed(self.traits))
            }
            (Quantity::Wall, _) if visit.is_preempted() && visit.is_timed(self.traits) && self.has_slow_visits() => {
                visit.cpu_per_operation_ns(self.operations, self.traits)
            }
            (Quantity::Wall, _) if !visit.is_valid(self.traits) => None,
            (Quantity::Wall, CoreUse::Alone) => visit.alone_per_operation_ns(self.operations),
            (Quantity::Wall, CoreUse::Any | CoreUse::NotJudged) => Some(visit.wall_per_operation_ns(self.operations)),
        };
        time.filter(|ns| *ns > 0.0)
    }
}

pub(super) fn launch_times(
    launch: &LaunchVisits,
    selection: Selection,
    probe_cycles: Option<f64>,
    valid_min: usize,
) -> Option<LaunchTimes> {
    let visits = &launch.visits;
    let mut times = LaunchTimes {
        launch: launch.id,
        group: launch.group,
        wave: launch.wave,
        draw: launch.draw,
        rounds: Vec::new(),
        log_ns: Vec::new(),
        log_cycle: Vec::new(),
        clock_moved: 0.0,
        measured: visits.len(),
        windows: launch.windows(),
        value: 0.0,
        wall_ns: 0.0,
        operations: selection.operations,
    };
    let mut log_wall = Vec::new();
    let (mut counted, mut invocations) = (0.0, 0.0);
    for visit in visits.iter() {
        let Some(time) = selection.time_of(visit) else { continue };
        log_wall.push(time.ln());
        if let Some(cycles) = probe_cycles {
            // A visit without a usable probe cannot be corrected by the clock.
            let Some(probe) = visit.probe_ns else { continue };
            times.log_cycle.push((probe / cycles).ln());
            times.clock_moved += visit.probe_moved;
        }
        times.rounds.push(visit.round);
        times.log_ns.push(time.ln());
        counted += visit.operations(selection.operations);
        invocations += visit.invocations;
    }
    times.operations = if invocations > 0.0 { counted / invocations } else { selection.operations };
    times.clock_moved /= times.log_ns.len().max(1) as f64;
    // Half of few long visits are as good as four of many short ones.
    let enough = times.log_ns.len() >= valid_min.min(visits.len().div_ceil(2));
    times.value = selection.location.centre(&times.log_ns)?;
    times.wall_ns = selection.location.centre(&log_wall)?.exp();
    enough.then_some(times)
}

/// How the times of a case were converted to the reference clock.
#[derive(Clone, Copy)]
pub(super) struct AtReference {
    pub(super) exponent: Exponent,
    pub(super) slope: Slope,
    /// Mean log of the length of a cycle over the reference clock's.
    pub(super) away: f64,
    /// Log range of the length of a cycle over launches.
    pub(super) cycle_range: f64,
}

impl AtReference {
    pub(super) fn error(&self) -> ExponentError {
        ExponentError { error: self.exponent.variance.sqrt(), cycle_range: self.cycle_range }
    }
}

/// Takes the drift of the clock out of the launches. `None` if a launch has no probe, or the times stay wall times.
pub(super) fn at_reference(
    launches: &mut [LaunchTimes],
    cycle_ns: f64,
    location: Location,
    follows: Option<FollowsClock>,
) -> Option<AtReference> {
    let cycles: Vec<f64> = launches.iter().map(|l| l.sample().cycle()).collect::<Option<_>>()?;
    let slope = slope(&launches.iter().map(LaunchTimes::sample).collect::<Vec<_>>());
    let exponent = match follows {
        None => among_kinds(slope),
        Some(FollowsClock::As(exponent)) => exponent,
        Some(FollowsClock::NotCorrected) => return None,
    };
    let away = mean(&cycles).map_or(0.0, |cycle| cycle - cycle_ns.ln());
    let cycle_range =
        cycles.iter().copied().fold(f64::NEG_INFINITY, f64::max) - cycles.iter().copied().fold(f64::INFINITY, f64::min);
    for launch in launches {
        for (time, cycle) in launch.log_ns.iter_mut().zip(&launch.log_cycle) {
            *time -= exponent.value * (cycle - cycle_ns.ln());
        }
        launch.value = location.centre(&launch.log_ns)?;
    }
    Some(AtReference { exponent, slope, away, cycle_range: cycle_range.max(0.0) })
}

impl LaunchTimes {
    /// The evidence of how closely the body follows the clock.
    fn sample(&self) -> Sample<'_> {
        Sample { log_ns: &self.log_ns, log_cycle: &self.log_cycle, moved: self.clock_moved }
    }
}

#[cfg(test)]
mod tests {
    use crate::comparison::compare_saved;
    use crate::core::CoreUse;
    use crate::findings::common::{share, twelve_launches, RunBuilder};
    use crate::saved::{Saved, SavedOptions};
    use crate::{analyse, CaseEstimates, NetTime, Outcome, Verdict};
    use tare_model::{Run, Strategy};

    /// Two bodies of `ns`; every eighth visit of the second takes twelve times as long.
    fn rarely_slow(ns: f64, change: impl Fn(&mut RunBuilder, u32)) -> Run {
        rarely_slow_in(|_| true, ns, change)
    }

    /// The same, only in these launches.
    fn rarely_slow_in(in_launch: fn(u32) -> bool, ns: f64, change: impl Fn(&mut RunBuilder, u32)) -> Run {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            let is_slow = move |n, visit: usize| name == "b" && visit % 8 == 3 && in_launch(n);
            let slow = move |_, n, visit: usize| if is_slow(n, visit) { 12.0_f64.ln() } else { 0.0 };
            twelve_launches(&mut builder, case, ns, slow);
            change(&mut builder, case);
        }
        builder.run()
    }

    fn measured(run: &Run) -> Vec<CaseEstimates> {
        let of_case = |outcome| match outcome {
            Outcome::Measured(estimates) => *estimates,
            other => panic!("{other:?}"),
        };
        analyse(run).cases.into_iter().map(|case| of_case(case.outcome)).collect()
    }

    fn time_ns(estimates: &CaseEstimates) -> f64 {
        match estimates.time {
            NetTime::Resolved { value_ns, .. } => value_ns,
            NetTime::Below { .. } => panic!("a time"),
        }
    }

    /// One of eight is twelve times as long.
    const MEAN: f64 = 19.0 / 8.0;

    #[test]
    fn where_a_visit_is_a_call_slow_ones_count_in_full() {
        let run = rarely_slow(5e6, |_, _| ());
        let [a, b] = measured(&run).try_into().expect("two");
        assert!((time_ns(&b) / (MEAN * 5e6) - 1.0).abs() < 0.01, "{}", time_ns(&b));
        let ratio = b.ratio.expect("compared");
        assert!((ratio.ratio / MEAN - 1.0).abs() < 0.01 && ratio.verdict == Verdict::Slower, "{ratio:?}");
        assert!((time_ns(&a) / 5e6 - 1.0).abs() < 0.01);
        // The same applies when runs are compared.
        let saved = Saved::from_run(&run);
        let swapped = Saved { cases: saved.cases.iter().rev().cloned().collect(), ..saved.clone() };
        let only = |saved: &Saved| {
            let mut case = saved.cases[0].clone();
            (case.key, case.stem) = ("x".to_owned(), "x".to_owned());
            Saved { cases: vec![case], ..saved.clone() }
        };
        let compared = compare_saved(&only(&saved), &only(&swapped), &SavedOptions::default());
        let ratio = compared.rows[0].ratio;
        assert!((ratio / MEAN - 1.0).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn slow_calls_count_where_they_are_preempted_and_never_alone() {
        let mut builder = RunBuilder::new().with_windows();
        let case = builder.case("g", "a", false);
        let is_slow = |visit: usize| visit % 8 == 3;
        twelve_launches(&mut builder, case, 5e6, |_, _, visit| if is_slow(visit) { 12.0_f64.ln() } else { 0.0 });
        for launch in &mut builder.run.launches {
            share(launch, 1.0, |visit, _| is_slow(visit));
            let columns = &mut launch.series[0].columns;
            (0..columns.elapsed_ns.len())
                .filter(|&visit| is_slow(visit))
                .for_each(|visit| columns.elapsed_ns[visit] += 1e7);
        }
        let [found] = measured(&builder.run()).try_into().expect("one");
        assert_eq!(found.core.map(|core| core.times), Some(CoreUse::Any));
        assert!((time_ns(&found) / (MEAN * 5e6) - 1.0).abs() < 0.01, "{}", time_ns(&found));
    }

    #[test]
    fn visits_of_many_calls_are_trimmed_unless_each_launch_has_slow_ones_or_some_of_them_collect() {
        let disturbed = measured(&rarely_slow_in(|n| n % 3 == 0, 100.0, |_, _| ()));
        assert!((time_ns(&disturbed[1]) / 100.0 - 1.0).abs() < 0.02, "{}", time_ns(&disturbed[1]));
        let in_turn = measured(&rarely_slow(100.0, |_, _| ()));
        assert!((time_ns(&in_turn[1]) / (MEAN * 100.0) - 1.0).abs() < 0.01, "{}", time_ns(&in_turn[1]));
        let collecting = rarely_slow_in(
            |n| n % 3 == 0,
            100.0,
            |builder, case| {
                for launch in builder.run.launches.iter_mut().filter(|launch| launch.case == case) {
                    let columns = &mut launch.series[0].columns;
                    let counts = (0..columns.elapsed_ns.len()).map(|visit| if visit % 8 == 3 { 1.0 } else { 0.0 });
                    columns.metrics.insert("collections_0".to_owned(), counts.collect());
                }
            },
        );
        let [a, b] = measured(&collecting).try_into().expect("two");
        let mean_ns = 100.0 * (MEAN + 2.0) / 3.0;
        assert!((time_ns(&b) / mean_ns - 1.0).abs() < 0.01, "{}", time_ns(&b));
        assert!((time_ns(&a) / 100.0 - 1.0).abs() < 0.01 && b.ratio.is_some());
    }

    /// A body that waits in about half of its visits, with others preempting most of the rest, and its twin: by chance one is taken for
    /// waiting and the other is not.
    #[test]
    fn two_bodies_near_the_line_lose_their_visits_alike() {
        let mut builder = RunBuilder::new();
        for (name, waits, clean) in [("a", 10, 2), ("b", 13, 0)] {
            let case = builder.case("g", name, name == "a");
            let place = |visit: usize| visit * 7 % 24;
            twelve_launches(&mut builder, case, 100.0, |_, _, visit| if place(visit) < waits { 1.0 } else { 1.7 });
            for launch in builder.run.launches.iter_mut().filter(|launch| launch.case == case) {
                let columns = &mut launch.series[0].columns;
                columns.waits = (0..24).map(|visit| f64::from(u8::from(place(visit) < waits))).collect();
                let is_clean = |visit| place(visit) >= 24 - clean;
                columns.cpu_ns =
                    (0..24).map(|visit| if is_clean(visit) { columns.elapsed_ns[visit] } else { 4e5 }).collect();
            }
        }
        let [a, b] = measured(&builder.run()).try_into().expect("two");
        let ratio = b.ratio.expect("compared").ratio;
        assert!((0.8..1.0).contains(&ratio), "{ratio}");
        assert_eq!((a.visits.valid, b.visits.valid, a.quantity), (288, 288, b.quantity));
    }

    #[test]
    fn few_visits_that_count_are_more_than_none() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        for wave in 0..12 {
            // Something was compiled in every second of six.
            let launch = builder.launch(case, wave, &[100.0_f64.ln(); 6]);
            launch.series[0].columns.compilations = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0].to_vec();
        }
        let [found] = measured(&builder.run()).try_into().expect("one");
        assert!((time_ns(&found) / 100.0 - 1.0).abs() < 0.01);
        assert_eq!((found.visits.valid, found.launches.len()), (36, 12));
    }

    #[test]
    fn every_call_of_a_body_that_is_monitored_counts() {
        let run = rarely_slow(5e6, |builder, case| {
            builder.run.plan.cases[case as usize].benchmark.strategy = Strategy::Monitoring;
            for launch in builder.run.launches.iter_mut().filter(|launch| launch.case == case) {
                let columns = &mut launch.series[0].columns;
                columns.compilations = (0..columns.elapsed_ns.len()).map(|visit| f64::from(visit as u32 % 8)).collect();
            }
        });
        let found = measured(&run);
        assert!((time_ns(&found[1]) / (MEAN * 5e6) - 1.0).abs() < 0.01, "{}", time_ns(&found[1]));
        assert_eq!((found[1].visits.valid, found[1].visits.measured), (288, 288));
    }
}
