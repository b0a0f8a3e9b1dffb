//! From the raw series of a case to valid visits on the log scale, at the reference clock.

use super::counts::{visit_counts, VisitCounts};
use super::kind::{AllWindows, Quantity, TimeKind};
use super::launches::{finished_by_case, KeptVisits, LaunchVisits};
use super::loop_cost::LoopCost;
use super::neighbour::{is_alone, window_times, WindowTimes};
use super::value::{at_reference, launch_times, ExponentError, LaunchTimes, Location, Selection};
use crate::clock::{probe_cycles, Slope};
use crate::core::{hidden, CoreUse, Judge, VALID_MIN};
use std::collections::BTreeMap;
use tare_model::{Launch, Run, Strategy, Visit, VisitTraits, Windows, CLEAN_SHARE_MIN};
use tare_stats::location::{mean, median};
use tare_stats::spread::sd;

/// A trimmed mean leaves out at least this much (log), summed over launches ...
const LEFT_OUT_MIN: f64 = 0.02;
/// ... with a standard deviation of at most this share of it: one or two slow visits give a third ...
const LEFT_OUT_SD: f64 = 0.5;
/// ... in at least this many launches, as two may agree by chance ...
const LAUNCHES_MIN: usize = 3;
/// ... of at least this many visits: with fewer, median and mean are further apart by chance.
const VISITS_MIN: usize = 10;

#[derive(Debug, Clone)]
pub struct CaseTimes {
    pub case: u32,
    pub launches: Vec<LaunchTimes>,
    pub traits: VisitTraits,
    pub memory_randomized: bool,
    pub location: Location,
    pub quantity: Quantity,
    pub core: CoreUse,
    /// Windows of all launches by who used the core; `None` if they were not judged.
    pub windows: Option<Windows>,
    /// Times of windows alone and shared windows, within its launches.
    pub window_times: WindowTimes,
    /// By how much (log) the times may be too long because a neighbour may hide within windows.
    pub hidden: f64,
    /// By how much (log) the times may be off because their harness rounds them, in the same way for all its processes.
    pub rounded: f64,
    /// The exponent with which times follow the length of a cycle; `None` if they are not given at the reference clock.
    pub exponent: Option<f64>,
    /// How certain that is.
    pub exponent_error: ExponentError,
    /// The evidence of its own launches about the exponent; empty if times are not given at the reference clock.
    pub slope: Slope,
    /// Why its times are of all windows although it has times alone on the core: those compared with it have none.
    pub all_windows_because: Option<AllWindows>,
    /// The loop's cost for it and the cases compared with it, if that may be the same.
    pub loop_in_common: Option<LoopCost>,
    kind: TimeKind,
    /// Variance that the error of the exponent adds to the log of a time; 0 if not at the reference clock.
    pub clock_variance: f64,
    /// Log of the session's cycle length over the reference clock's; 0 if times are not given at it.
    pub clock_away: f64,
    /// Log length of a cycle at the reference clock (log ns); 0 if times are not given at it.
    pub log_reference: f64,
    pub counts: VisitCounts,
    reference_cycle_ns: Option<f64>,
    visits: Vec<LaunchVisits>,
}

/// The times of all cases at once, reading each launch once, however many cases there are.
pub fn all_times(run: &Run, reference_cycle_ns: Option<f64>) -> Vec<CaseTimes> {
    let mut kept = KeptVisits::default();
    let of =
        |(case, launches): (usize, Vec<&Launch>)| times_of(run, case as u32, &launches, reference_cycle_ns, &mut kept);
    finished_by_case(run).into_iter().enumerate().map(of).collect()
}

/// The times of a case from its finished launches, in the quantity that suits it. Reuses what `kept` knows.
pub(crate) fn times_of(
    run: &Run,
    case: u32,
    launches: &[&Launch],
    reference_cycle_ns: Option<f64>,
    kept: &mut KeptVisits,
) -> CaseTimes {
    times_from(run, case, kept.of(run, case, launches), reference_cycle_ns, TimeKind::default())
}

fn times_from(
    run: &Run,
    case: u32,
    launches: Vec<LaunchVisits>,
    reference_cycle_ns: Option<f64>,
    kind: TimeKind,
) -> CaseTimes {
    let all: Vec<Visit> = launches.iter().flat_map(|l| l.visits.iter().copied()).collect();
    let benchmark = &run.plan.cases[case as usize].benchmark;
    let traits = kind.traits.unwrap_or_else(|| VisitTraits::of(&all, benchmark));
    let quantity = quantity(&all, traits, kind);
    // For a body that waits, the activity of others on its core does not count.
    let windows = all.iter().filter_map(|v| v.windows).reduce(Windows::plus).filter(|_| !traits.idles);
    let core = match windows {
        None => CoreUse::NotJudged,
        Some(_) if kind.all_windows || quantity == Quantity::Cpu => CoreUse::Any,
        Some(_) if is_alone(&launches, traits) => CoreUse::Alone,
        Some(_) => CoreUse::Any,
    };
    let operations = benchmark.operations as f64;
    let memory_randomized = run.randomizes_memory(case);
    let are_commands = run.plan.policy.launch_ns.is_some();
    let location = Location::of(&all, traits, memory_randomized, are_commands);
    let selection = Selection { traits, quantity, core, operations, location };
    let location = match location == Location::Trimmed && !are_commands && trimming_leaves_out(&launches, selection) {
        true => Location::OverCalls,
        false => location,
    };
    let selection = Selection { location, ..selection };
    let probed = all.iter().filter(|v| v.probe_ns.is_some()).count();
    let probe = probe_cycles(run, case)
        .filter(|_| reference_cycle_ns.is_some() && !traits.blocks && !traits.keeps_all && 2 * probed > all.len());
    let counts = |launch: &&LaunchVisits| core != CoreUse::Alone || !launch.is_restless();
    let with_at_least = |visits: usize| -> Vec<LaunchTimes> {
        launches.iter().filter(counts).filter_map(|l| launch_times(l, selection, probe, visits)).collect()
    };
    // If no launch has enough, few are better than none: the interval shows the uncertainty.
    let mut times = with_at_least(VALID_MIN);
    if times.is_empty() {
        times = with_at_least(1);
    }
    let at_reference = probe
        .zip(reference_cycle_ns)
        .and_then(|(_, cycle_ns)| at_reference(&mut times, cycle_ns, location, kind.follows));
    let exponent = at_reference.map(|found| found.exponent.value);
    let window_times = windows.map(|_| window_times(&launches, traits, operations, &times)).unwrap_or_default();
    let counted_windows = times.iter().filter_map(|l| l.windows).reduce(Windows::plus);
    let counted: usize = times.iter().map(|l| l.log_ns.len()).sum();
    let shared_in = |launch: &LaunchVisits| {
        let none = !counts(&launch);
        launch.visits.iter().filter(|v| v.is_valid(traits) && (none || selection.time_of(v).is_none())).count()
    };
    let sharing = launches.iter().map(shared_in).sum();
    CaseTimes {
        case,
        traits,
        memory_randomized,
        location,
        quantity,
        core,
        windows,
        window_times,
        hidden: counted_windows
            .filter(|_| core == CoreUse::Alone)
            .map_or(0.0, |windows| hidden(windows, window_times.slow_down)),
        rounded: rounded(run, case, &all),
        exponent,
        exponent_error: at_reference.map(|found| found.error()).unwrap_or_default(),
        slope: at_reference.map(|found| found.slope).unwrap_or_default(),
        all_windows_because: None,
        loop_in_common: None,
        kind,
        clock_variance: at_reference.map_or(0.0, |found| found.away * found.away * found.exponent.variance),
        clock_away: at_reference.map_or(0.0, |found| found.away),
        reference_cycle_ns,
        log_reference: exponent.and(reference_cycle_ns).map_or(0.0, f64::ln),
        counts: visit_counts(&all, traits, counted, sharing),
        launches: times,
        visits: launches,
    }
}

/// Half a clock step of a harness, on the log scale; 0 for times taken by Tare, whose steps average out.
fn rounded(run: &Run, case: u32, visits: &[Visit]) -> f64 {
    let case = &run.plan.cases[case as usize];
    if case.benchmark.strategy != Strategy::Process {
        return 0.0;
    }
    let child = run.artifacts.get(case.artifact as usize).and_then(|artifact| artifact.child.as_ref());
    let timed = median(&visits.iter().map(|visit| visit.wall_ns).collect::<Vec<f64>>()).filter(|ns| *ns > 0.0);
    child.zip(timed).map_or(0.0, |(child, ns)| (0.5 * child.clock_resolution_ns / ns).ln_1p())
}

/// Whether a trimmed mean leaves out about as much in each launch: that is the body's doing, as the machine's activity comes and goes.
fn trimming_leaves_out(launches: &[LaunchVisits], selection: Selection) -> bool {
    let left_out = |launch: &LaunchVisits| {
        let logs: Vec<f64> = launch.visits.iter().filter_map(|v| Some(selection.time_of(v)?.ln())).collect();
        (logs.len() >= VISITS_MIN)
            .then(|| Some(Location::OverCalls.centre(&logs)? - Location::Trimmed.centre(&logs)?))?
    };
    let left_out: Vec<f64> = launches.iter().filter_map(left_out).collect();
    let (Some(mean), Some(sd)) = (mean(&left_out), sd(&left_out)) else { return false };
    left_out.len() >= LAUNCHES_MIN
        && mean.abs() * left_out.len() as f64 >= LEFT_OUT_MIN
        && sd <= LEFT_OUT_SD * mean.abs()
}

fn quantity(visits: &[Visit], traits: VisitTraits, kind: TimeKind) -> Quantity {
    let valid = visits.iter().filter(|v| v.is_valid(traits)).count();
    let has_cpu = !visits.is_empty() && visits.iter().all(|v| v.cpu_ns.is_some_and(|c| c > 0.0));
    let clean = valid as f64 >= CLEAN_SHARE_MIN * visits.len() as f64;
    let may_be_cpu = has_cpu && traits.computes;
    match kind.quantity {
        Some(Quantity::Cpu) if may_be_cpu => Quantity::Cpu,
        None if may_be_cpu && !clean => Quantity::Cpu,
        _ => Quantity::Wall,
    }
}

/// Number of entries per wave of a group.
fn by_wave(launches: impl Iterator<Item = (u32, u32)>, group: u32) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    launches.filter(|(of, _)| *of == group).for_each(|(_, wave)| *found.entry(wave).or_default() += 1);
    found
}

impl CaseTimes {
    pub(crate) fn launches_by_wave(&self, group: u32) -> BTreeMap<u32, usize> {
        by_wave(self.launches.iter().map(|l| (l.group, l.wave)), group)
    }

    pub(crate) fn made_by_wave(&self, group: u32) -> BTreeMap<u32, usize> {
        by_wave(self.visits.iter().map(|l| (l.group, l.wave)), group)
    }

    pub(crate) fn alone_share(&self, launch: u32) -> Option<f64> {
        let visits = &self.visits.iter().find(|l| l.id == launch)?.visits;
        let judged = visits.iter().filter(|v| v.windows.is_some()).count();
        (judged > 0).then(|| visits.iter().filter(|v| v.is_alone()).count() as f64 / judged as f64)
    }

    pub(crate) fn waits_share(&self) -> f64 {
        let all = || self.visits.iter().flat_map(|launch| launch.visits.iter());
        all().filter(|visit| visit.waits.is_some_and(|waits| waits > 0.0)).count() as f64 / all().count().max(1) as f64
    }

    pub(crate) fn all_visits(&self) -> impl Iterator<Item = (u32, &[Visit])> {
        self.visits.iter().map(|launch| (launch.id, &launch.visits[..]))
    }

    /// Whether the visit has the compared and shown time, including a clock probe if the child has one.
    pub(crate) fn has_time(&self, visit: &Visit) -> bool {
        let Self { traits, quantity, core, location, .. } = *self;
        // The number of operations does not matter here.
        let selection = Selection { traits, quantity, core, operations: 1.0, location };
        selection.time_of(visit).is_some()
    }

    /// Whether the child counts operations in each iteration.
    pub fn counts_operations(&self) -> bool {
        self.visits.iter().flat_map(|launch| launch.visits.iter()).any(|visit| visit.counted.is_some())
    }

    pub fn operations(&self) -> f64 {
        mean(&self.launches.iter().map(|l| l.operations).collect::<Vec<f64>>()).unwrap_or(1.0)
    }

    pub(crate) fn judge_of(&self, launch: u32) -> Option<Judge> {
        self.visits.iter().find(|visits| visits.id == launch)?.judge
    }

    /// The times of the same visits in this kind. Decisions about the clock and the body's traits stay.
    pub fn again(&self, run: &Run, kind: TimeKind) -> CaseTimes {
        let traits = kind.traits.or(self.kind.traits);
        let kind = TimeKind { traits, follows: kind.follows.or(self.kind.follows), ..kind };
        let again = times_from(run, self.case, self.visits.clone(), self.reference_cycle_ns, kind);
        CaseTimes { all_windows_because: self.all_windows_because, ..again }
    }

    /// Log times of a launch's visits with another exponent than the case's own, to correct both sides alike.
    pub fn log_ns_with(&self, launch: &LaunchTimes, exponent: f64) -> Vec<f64> {
        let own = self.exponent.unwrap_or(0.0);
        let cycle = |i: usize| launch.log_cycle.get(i).map_or(0.0, |c| c - self.log_reference);
        launch.log_ns.iter().enumerate().map(|(i, y)| y + (own - exponent) * cycle(i)).collect()
    }
}
