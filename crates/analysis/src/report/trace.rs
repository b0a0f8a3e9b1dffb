//! Every visit of a case with its role: the data for pictures of a run.

use crate::core::CoreUse;
use crate::estimate::over;
use crate::ratio::shown_times;
use crate::visits::{CaseTimes, Location};
use tare_model::{Run, Visit};
use tare_stats::interval::Estimate;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Counted,
    Preempted,
    /// No window of it was alone on the core.
    Shared,
    /// The core's clock changed or the runtime compiled during it, or its launch has too few visits that count.
    Disturbed,
}

impl Fate {
    /// All of them, beginning with the one that counts.
    pub const ALL: [Fate; 4] = [Fate::Counted, Fate::Preempted, Fate::Shared, Fate::Disturbed];
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VisitTrace {
    /// Time of an operation with the loop, ns: as it counts, or as the clock gave it if the visit does not count.
    pub ns: f64,
    pub fate: Fate,
    /// Share of its windows dropped because others used the core, 0 to 1.
    pub dropped_windows: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LaunchTrace {
    pub launch: u32,
    /// Its group: a case that was measured again alone has launches in two.
    pub group: u32,
    pub wave: u32,
    pub start_s: f64,
    /// Its one value: time of an operation with the loop, ns; `None` if too few visits count.
    pub value_ns: Option<f64>,
    pub visits: Vec<VisitTrace>,
}

/// The finished launches of a case, in the order of their start.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTrace {
    pub case: u32,
    pub launches: Vec<LaunchTrace>,
    pub location: Location,
}

impl CaseTrace {
    /// Estimated time of an operation with the loop from the first `n` launches that count, ns; `None` below two.
    pub fn estimate_after(&self, n: usize) -> Option<Estimate> {
        let logs = |l: &LaunchTrace| -> Vec<f64> {
            l.visits.iter().filter(|v| v.fate == Fate::Counted).map(|v| v.ns.ln()).collect()
        };
        let counted = self.launches.iter().filter_map(|l| Some(((l.group, l.wave), l.value_ns?.ln(), logs(l))));
        let counted: Vec<_> = counted.take(n).collect();
        over(counted.iter().map(|(wave, value, logs)| (*wave, *value, &logs[..])), self.location)
    }
}

/// The visits of all cases of a run, one entry per case of its plan.
pub fn traces(run: &Run) -> Vec<CaseTrace> {
    shown_times(run).0.iter().map(|times| trace(run, times)).collect()
}

fn trace(run: &Run, times: &CaseTimes) -> CaseTrace {
    let mut launches: Vec<LaunchTrace> =
        times.all_visits().map(|(id, visits)| launch(run, times, id, visits)).collect();
    launches.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.launch.cmp(&b.launch)));
    CaseTrace { case: times.case, launches, location: times.location }
}

fn launch(run: &Run, times: &CaseTimes, id: u32, visits: &[Visit]) -> LaunchTrace {
    let operations = run.plan.cases[times.case as usize].benchmark.operations as f64;
    let counted = times.launches.iter().find(|launch| launch.launch == id);
    let mut values = counted.iter().flat_map(|launch| &launch.log_ns).map(|log| log.exp());
    let needs_probe = counted.is_some_and(|launch| !launch.log_cycle.is_empty());
    let of_visit = |visit: &Visit| {
        let counts = times.has_time(visit) && (visit.probe_ns.is_some() || !needs_probe);
        let value = if counts { values.next() } else { None };
        let fate = match value {
            Some(_) => Fate::Counted,
            None if visit.has_gap() && !visit.is_valid(times.traits) => Fate::Preempted,
            None if visit.is_valid(times.traits) && !times.has_time(visit) => Fate::Shared,
            None => Fate::Disturbed,
        };
        let dropped = match visit.windows.filter(|_| times.core == CoreUse::Alone) {
            Some(windows) if windows.are_alone() => 1.0 - windows.alone_share(),
            Some(_) => 1.0,
            None => 0.0,
        };
        let ns = value.unwrap_or_else(|| visit.wall_per_operation_ns(operations));
        VisitTrace { ns, fate, dropped_windows: dropped }
    };
    let found = run.launches.get(id as usize);
    LaunchTrace {
        launch: id,
        group: found.map_or(0, |launch| launch.group),
        wave: found.map_or(0, |launch| launch.wave),
        start_s: found.map_or(0.0, |launch| launch.start_ns * 1e-9),
        value_ns: counted.map(|launch| launch.value.exp()),
        visits: visits.iter().map(of_visit).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::Outcome;

    #[test]
    fn visits_that_count_are_those_of_the_report() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        // One visit in which the thread had the processor for a tenth of the time.
        let columns = &mut builder.run.launches[3].series[0].columns;
        columns.elapsed_ns[5] *= 10.0;
        let run = builder.run();
        let report = crate::analyse(&run);
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        let trace = &traces(&run)[0];
        let of = |fate: Fate| trace.launches.iter().flat_map(|l| &l.visits).filter(|v| v.fate == fate).count();
        let found = (of(Fate::Counted), of(Fate::Preempted), of(Fate::Shared), of(Fate::Disturbed));
        let counts = &estimates.visits;
        assert_eq!(found, (counts.valid, counts.preempted, counts.shared, counts.disturbed));
        let values: Vec<f64> = trace.launches.iter().filter_map(|l| l.value_ns).collect();
        assert_eq!(values, estimates.launches.iter().map(|l| l.raw_ns).collect::<Vec<f64>>());
        assert!(trace.launches.windows(2).all(|pair| pair[0].start_s <= pair[1].start_s));
    }

    #[test]
    fn after_the_last_launch_the_estimate_is_that_of_the_result() {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        // Both launches of a wave agree, and the waves do not.
        twelve_launches(&mut builder, case, 100.0, |_, launch, _| 0.01 * f64::from(launch / 2 % 3));
        builder.run.launches.iter_mut().for_each(|launch| launch.wave = launch.id / 2);
        let run = builder.run();
        let report = crate::analyse(&run);
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        let trace = &traces(&run)[0];
        let ends = |estimate: Option<Estimate>| estimate.map(|e| [e.interval.lower, e.value, e.interval.upper]);
        let (at_the_end, result) = (ends(trace.estimate_after(12)), ends(estimates.raw));
        let far = at_the_end.zip(result).map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max));
        assert!(far.is_some_and(|far| far < 1e-9), "{at_the_end:?} {result:?}");
        assert_eq!((trace.estimate_after(1), estimates.waves), (None, 6));
    }
}
