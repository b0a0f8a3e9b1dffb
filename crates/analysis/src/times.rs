//! From the raw series of a case to valid visits on the log scale, at the reference clock.

mod value;

pub use value::{centre, Location};

use crate::alone::{hidden, is_alone, kinds, Kinds, LaunchVisits};
use crate::clock;
use crate::exponent::{Evidence, Exponent};
use crate::ratio::AllWindows;
use crate::report::{CoreUse, Quantity, VisitCounts};
use crate::windows::{judges_of, own_level, visits_with, Judge};
use std::collections::{BTreeMap, HashMap};
use tare_model::{ChildFacts, Draw, Launch, LaunchOutcome, Run, RunStatus, Stage, Visit, VisitTraits, Windows};
use tare_stats::location::mean;
use value::{at_reference, launch_times, Chosen};

/// Share of valid visits below which CPU time is compared, where it may stand for the work (method 5.1).
const CLEAN_SHARE_MIN: f64 = 0.6;
/// A launch with fewer valid visits says nothing (method 5.1: the process is dropped).
pub(crate) const VALID_MIN: usize = 4;

/// The visits of one launch.
#[derive(Debug, Clone)]
pub struct LaunchTimes {
    /// Number of the launch within the run.
    pub launch: u32,
    /// Group that it was measured in.
    pub group: u32,
    /// Wave of the group.
    pub wave: u32,
    /// What was drawn for it.
    pub draw: Draw,
    /// Rounds of the valid visits.
    pub rounds: Vec<u32>,
    /// Log time of an operation (log ns), with the loop, of the valid visits; at the reference clock.
    pub log_ns: Vec<f64>,
    /// Log length of a cycle (log ns) in each valid visit; empty without a clock probe.
    pub log_cycle: Vec<f64>,
    /// Mean over the visits of how far the clock moved between their probes ([`Visit::probe_moved`]).
    pub clock_moved: f64,
    /// Visits in all.
    pub measured: usize,
    /// Its windows by who used the core; None where they were not judged.
    pub windows: Option<Windows>,
    /// The one value of the launch: that of its case's `location` of `log_ns`.
    pub value: f64,
    /// Time of an operation as the clock gave it, without regard to the core's clock, ns.
    pub wall_ns: f64,
    /// Operations of an invocation: those that are declared, or the mean of those that the child counted in these visits.
    pub operations: f64,
}

/// The times of a case.
#[derive(Debug, Clone)]
pub struct CaseTimes {
    /// Index of the case.
    pub case: u32,
    /// Its launches with enough valid visits, in order.
    pub launches: Vec<LaunchTimes>,
    /// What the body does beside computing.
    pub traits: VisitTraits,
    /// Each visit but the first of a launch was made elsewhere in memory.
    pub memory_randomized: bool,
    /// How the visits of a launch make its value.
    pub location: Location,
    /// Which time the values are.
    pub quantity: Quantity,
    /// Of which windows.
    pub core: CoreUse,
    /// Windows of all launches by who used the core; None where they were not judged.
    pub windows: Option<Windows>,
    /// What windows alone and shared windows take, within its launches.
    pub kinds: Kinds,
    /// By how much (log) the times may be too long, as a neighbour may hide within windows.
    pub hidden: f64,
    /// With which exponent times follow the length of a cycle; None: they are not given at the reference clock.
    pub exponent: Option<f64>,
    /// How well that is known.
    pub follows: Follows,
    /// What its own launches show of the exponent; nothing where times are not given at the reference clock.
    pub exponent_shown: Evidence,
    /// Why its times are of all windows although it has times alone on the core: those that it is compared with have none.
    pub all_windows_because: Option<AllWindows>,
    /// How the cases compared with it decided that the clock is taken out of its times.
    chosen_follows: Option<FollowsClock>,
    /// The traits that the cases compared with it decided for it.
    chosen_traits: Option<VisitTraits>,
    /// Variance that the error of the exponent adds to the log of a time: that of a session whose clock is far from the reference is
    /// known no better than how closely the body follows. 0 where times are not given at the reference clock.
    pub clock_variance: f64,
    /// Log of the length of a cycle of the session over that at the reference clock; 0 where times are not given at it.
    pub clock_away: f64,
    /// Log length of a cycle at the reference clock (log ns); 0 where times are not given at it.
    pub log_reference: f64,
    /// Counts of visits over all finished launches.
    pub counts: VisitCounts,
    /// Length of a cycle at the reference clock, ns, where there is one.
    reference_cycle_ns: Option<f64>,
    /// The visits of all finished launches.
    visits: Vec<LaunchVisits>,
}

/// How well it is known how closely a body follows the clock; nothing where times are not given at the reference clock.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Follows {
    /// Standard error of the exponent.
    pub error: f64,
    /// Log of the longest over the shortest cycle of a launch.
    pub moved: f64,
}

/// Which times are wanted, where the run is not to choose by itself: both sides of a comparison are compared in the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeChoice {
    /// Wall or CPU time.
    pub quantity: Option<Quantity>,
    /// Times of all windows, whoever used the core.
    pub all_windows: bool,
    /// What the body is taken to do beside computing; None: what its visits show, or as it was chosen before.
    pub traits: Option<VisitTraits>,
    /// How the clock is taken out; None: as closely as the case itself follows it, or as it was chosen before.
    pub follows: Option<FollowsClock>,
}

impl TimeChoice {
    /// Times of one quantity over all windows.
    pub fn all_windows(quantity: Quantity) -> TimeChoice {
        TimeChoice { quantity: Some(quantity), all_windows: true, ..TimeChoice::default() }
    }
}

/// How the clock is taken out of the times of a case, where others decide it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FollowsClock {
    /// With this exponent.
    As(Exponent),
    /// Not at all: the times are those of the wall clock.
    NotCorrected,
}

/// The times of all cases at once: each launch is looked at once, however many cases there are.
pub fn all_times(run: &Run, reference_cycle_ns: Option<f64>) -> Vec<CaseTimes> {
    let mut kept = KeptVisits::default();
    let of =
        |(case, launches): (usize, Vec<&Launch>)| times_of(run, case as u32, &launches, reference_cycle_ns, &mut kept);
    finished_by_case(run).into_iter().enumerate().map(of).collect()
}

/// The finished launches of each case. Of whole commands, each run of which is a process of its own, those too that an interrupt cut off.
pub fn finished_by_case(run: &Run) -> Vec<Vec<&Launch>> {
    let has_parts = run.plan.policy.launch_ns.is_some() && run.status == RunStatus::Interrupted;
    let counts = |launch: &&Launch| match launch.outcome {
        LaunchOutcome::Finished => true,
        LaunchOutcome::Unfinished => has_parts && launch.is_visited(),
        LaunchOutcome::Failed => false,
    };
    let mut by_case: Vec<Vec<&Launch>> = vec![Vec::new(); run.plan.cases.len()];
    for launch in run.launches.iter().filter(counts) {
        by_case[launch.case as usize].push(launch);
    }
    by_case
}

/// The times of a case from its finished launches, of the quantity that suits it. What `kept` knows is not worked out again.
pub(crate) fn times_of(
    run: &Run,
    case: u32,
    launches: &[&Launch],
    reference_cycle_ns: Option<f64>,
    kept: &mut KeptVisits,
) -> CaseTimes {
    times_from(run, case, kept.of(run, case, launches), reference_cycle_ns, TimeChoice::default())
}

/// The visits of finished launches, each worked out once: again only when its windows are judged by another level.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptVisits {
    of_launch: HashMap<u32, LaunchVisits>,
    /// Levels of processes, where each has its own.
    levels: HashMap<u32, Option<f64>>,
}

impl KeptVisits {
    fn of(&mut self, run: &Run, case: u32, launches: &[&Launch]) -> Vec<LaunchVisits> {
        let level = |l: &Launch, facts: &ChildFacts| *self.levels.entry(l.id).or_insert_with(|| own_level(l, facts));
        let judges = judges_of(run, case, launches, level);
        launches.iter().zip(judges).map(|(launch, judge)| self.of_one(launch, judge)).collect()
    }

    fn of_one(&mut self, launch: &Launch, judge: Option<Judge>) -> LaunchVisits {
        if let Some(known) = self.of_launch.get(&launch.id).filter(|known| known.judge == judge) {
            return known.clone();
        }
        let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
        let visits = actual.flat_map(|s| visits_with(s, judge)).collect();
        let found =
            LaunchVisits { id: launch.id, group: launch.group, wave: launch.wave, draw: launch.draw, judge, visits };
        self.of_launch.insert(launch.id, found.clone());
        found
    }
}

fn times_from(
    run: &Run,
    case: u32,
    launches: Vec<LaunchVisits>,
    reference_cycle_ns: Option<f64>,
    choice: TimeChoice,
) -> CaseTimes {
    let all: Vec<Visit> = launches.iter().flat_map(|l| l.visits.iter().copied()).collect();
    let benchmark = &run.plan.cases[case as usize].benchmark;
    let traits = choice.traits.unwrap_or_else(|| VisitTraits::of(&all, benchmark));
    let quantity = quantity(&all, traits, choice);
    // What others do on its core is no part of the time that a body waits.
    let windows = all.iter().filter_map(|v| v.windows).reduce(Windows::plus).filter(|_| !traits.idles);
    let core = match windows {
        None => CoreUse::NotJudged,
        Some(_) if choice.all_windows || quantity == Quantity::Cpu => CoreUse::Any,
        Some(_) if is_alone(&launches, traits) => CoreUse::Alone,
        Some(_) => CoreUse::Any,
    };
    let operations = benchmark.operations as f64;
    let memory_randomized = run.randomizes_memory(case);
    let are_commands = run.plan.policy.launch_ns.is_some();
    let location = Location::of(&all, traits, memory_randomized, are_commands);
    let chosen = Chosen { traits, quantity, core, operations, location };
    let probed = all.iter().filter(|v| v.probe_ns.is_some()).count();
    let probe = clock::probe_cycles(run, case)
        .filter(|_| reference_cycle_ns.is_some() && !traits.blocks && !traits.keeps_all && 2 * probed > all.len());
    let counts = |launch: &&LaunchVisits| core != CoreUse::Alone || !launch.is_restless();
    let with_at_least = |visits: usize| -> Vec<LaunchTimes> {
        launches.iter().filter(counts).filter_map(|l| launch_times(l, chosen, probe, visits)).collect()
    };
    // Where no launch has enough of them, few are more than nothing: what they do not know, their interval shows.
    let mut times = with_at_least(VALID_MIN);
    if times.is_empty() {
        times = with_at_least(1);
    }
    let at_reference = probe
        .zip(reference_cycle_ns)
        .and_then(|(_, cycle_ns)| at_reference(&mut times, cycle_ns, location, choice.follows));
    let exponent = at_reference.map(|found| found.exponent.value);
    let kinds = windows.map(|_| kinds(&launches, traits, operations, &times)).unwrap_or_default();
    let counted_windows = times.iter().filter_map(|l| l.windows).reduce(Windows::plus);
    let counted: usize = times.iter().map(|l| l.log_ns.len()).sum();
    let shared_in = |launch: &LaunchVisits| {
        let none = !counts(&launch);
        launch.visits.iter().filter(|v| v.is_valid(traits) && (none || chosen.time_of(v).is_none())).count()
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
        kinds,
        hidden: counted_windows
            .filter(|_| core == CoreUse::Alone)
            .map_or(0.0, |windows| hidden(windows, kinds.slow_down)),
        exponent,
        follows: at_reference.map(|found| found.follows()).unwrap_or_default(),
        exponent_shown: at_reference.map(|found| found.evidence).unwrap_or_default(),
        all_windows_because: None,
        chosen_follows: choice.follows,
        chosen_traits: choice.traits,
        clock_variance: at_reference.map_or(0.0, |found| found.away * found.away * found.exponent.variance),
        clock_away: at_reference.map_or(0.0, |found| found.away),
        reference_cycle_ns,
        log_reference: exponent.and(reference_cycle_ns).map_or(0.0, f64::ln),
        counts: visit_counts(&all, traits, counted, sharing),
        launches: times,
        visits: launches,
    }
}

/// Wall time, unless too few visits were undisturbed and CPU time may stand for the work.
fn quantity(visits: &[Visit], traits: VisitTraits, choice: TimeChoice) -> Quantity {
    let valid = visits.iter().filter(|v| v.is_valid(traits)).count();
    let has_cpu = !visits.is_empty() && visits.iter().all(|v| v.cpu_ns.is_some_and(|c| c > 0.0));
    let clean = valid as f64 >= CLEAN_SHARE_MIN * visits.len() as f64;
    let may_be_cpu = has_cpu && traits.computes;
    match choice.quantity {
        Some(Quantity::Cpu) if may_be_cpu => Quantity::Cpu,
        None if may_be_cpu && !clean => Quantity::Cpu,
        _ => Quantity::Wall,
    }
}

/// How often each wave of a group is there.
fn by_wave(launches: impl Iterator<Item = (u32, u32)>, group: u32) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    launches.filter(|(of, _)| *of == group).for_each(|(_, wave)| *found.entry(wave).or_default() += 1);
    found
}

/// What became of the visits: so many counted, and so many were dropped because others used the core.
fn visit_counts(visits: &[Visit], traits: VisitTraits, counted: usize, shared: usize) -> VisitCounts {
    let preempted = visits.iter().filter(|v| v.has_gap() && !v.is_valid(traits)).count();
    let to_own_threads = visits.iter().filter(|v| v.is_valid(traits) && v.is_lost_to_own_threads()).count();
    VisitCounts {
        measured: visits.len(),
        valid: counted,
        preempted,
        to_own_threads: if traits.blocks || traits.threaded { 0 } else { to_own_threads },
        shared,
        disturbed: (visits.len() - counted).saturating_sub(preempted + shared),
        ..VisitCounts::default()
    }
}

impl CaseTimes {
    /// How many of the launches in each wave of a group count.
    pub(crate) fn launches_by_wave(&self, group: u32) -> BTreeMap<u32, usize> {
        by_wave(self.launches.iter().map(|l| (l.group, l.wave)), group)
    }

    /// How many launches in each wave of a group finished.
    pub(crate) fn made_by_wave(&self, group: u32) -> BTreeMap<u32, usize> {
        by_wave(self.visits.iter().map(|l| (l.group, l.wave)), group)
    }

    /// Share of its visits that a launch was alone on the core; None where they were not judged.
    pub(crate) fn alone_share(&self, launch: u32) -> Option<f64> {
        let visits = &self.visits.iter().find(|l| l.id == launch)?.visits;
        let judged = visits.iter().filter(|v| v.windows.is_some()).count();
        (judged > 0).then(|| visits.iter().filter(|v| v.is_alone()).count() as f64 / judged as f64)
    }

    /// Share of its visits in which the thread blocked.
    pub(crate) fn waits_share(&self) -> f64 {
        let all = || self.visits.iter().flat_map(|launch| launch.visits.iter());
        all().filter(|visit| visit.waits.is_some_and(|waits| waits > 0.0)).count() as f64 / all().count().max(1) as f64
    }

    /// The visits of all finished launches, by number of the launch.
    pub(crate) fn all_visits(&self) -> impl Iterator<Item = (u32, &[Visit])> {
        self.visits.iter().map(|launch| (launch.id, &launch.visits[..]))
    }

    /// The visit has the time that is compared and shown; where the child has a clock probe it must have read it, too.
    pub(crate) fn has_time(&self, visit: &Visit) -> bool {
        // Whatever an operation is.
        let location = Location::Trimmed;
        let chosen =
            Chosen { traits: self.traits, quantity: self.quantity, core: self.core, operations: 1.0, location };
        chosen.time_of(visit).is_some()
    }

    /// The child counts operations in each iteration.
    pub fn counts_operations(&self) -> bool {
        self.visits.iter().flat_map(|launch| launch.visits.iter()).any(|visit| visit.counted.is_some())
    }

    /// Operations of an invocation, the mean over launches.
    pub fn operations(&self) -> f64 {
        mean(&self.launches.iter().map(|l| l.operations).collect::<Vec<f64>>()).unwrap_or(1.0)
    }

    /// What judged the windows of a launch; None where they were not judged.
    pub(crate) fn judge_of(&self, launch: u32) -> Option<Judge> {
        self.visits.iter().find(|visits| visits.id == launch)?.judge
    }

    /// The times of the same visits by another choice.
    pub fn again(&self, run: &Run, choice: TimeChoice) -> CaseTimes {
        let traits = choice.traits.or(self.chosen_traits);
        let choice = TimeChoice { traits, follows: choice.follows.or(self.chosen_follows), ..choice };
        let again = times_from(run, self.case, self.visits.clone(), self.reference_cycle_ns, choice);
        CaseTimes { all_windows_because: self.all_windows_because, ..again }
    }

    /// Log times of a launch's visits corrected for the clock with another exponent than the case's own: both sides of a
    /// comparison must be corrected alike, or a drift of the clock would look like a difference.
    pub fn log_ns_with(&self, launch: &LaunchTimes, exponent: f64) -> Vec<f64> {
        let own = self.exponent.unwrap_or(0.0);
        let cycle = |i: usize| launch.log_cycle.get(i).map_or(0.0, |c| c - self.log_reference);
        launch.log_ns.iter().enumerate().map(|(i, y)| y + (own - exponent) * cycle(i)).collect()
    }
}
