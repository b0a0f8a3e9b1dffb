//! Which wave is next, and why a group gets another one.

use super::budget::{first_waves, is_limited};
use super::engine::Engine;
use super::resume::waves_done;
use super::wave::Wave;
use crate::action::Action;
use std::collections::{BTreeMap, VecDeque};
use tare_analysis::Progress;
use tare_model::{CaseGroup, Effort, Event, LaunchOutcome, Plan, Run, Strategy};
use tare_stats::rng::Rng;

/// A plain run adds launches if half of the 95 % interval of a time exceeds this share of it ...
const PRECISION: f64 = 0.01;
/// ... or, for a ratio, this. A verdict needs a difference of 1 %, and `same` half an interval below that.
const RATIO_PRECISION: f64 = 0.006;
/// ... in all at most this multiple of the planned ones ...
const TIMES_MAX: f64 = 3.0;
/// ... and no more than are expected to end within this time per case, ns ...
const CASE_NS: f64 = 1.5e9;
/// ... or this one, if cases are compared: a verdict is worth more than a digit.
const COMPARED_CASE_NS: f64 = 4e9;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Reason {
    /// It is planned, and no verdict or precision ends the group earlier.
    Planned,
    /// Its planned launches give a wide interval; this many waves in all should narrow it.
    Imprecise { in_all: u32 },
    /// A few launches show a difference, which one more wave confirms or refutes.
    Unconfirmed,
    /// A neighbour shared the core with most launches; one more wave may be alone.
    Shared,
}

#[derive(Debug)]
pub(crate) struct Schedule {
    queue: VecDeque<(usize, u32)>,
    /// Of groups that do not fit into the rest of the budget beside those that have begun.
    postponed: VecDeque<(usize, u32)>,
    /// Beyond the launches that make an interval, if the user gave a budget.
    while_budget_lasts: VecDeque<(usize, u32)>,
    made: u32,
    groups: BTreeMap<usize, GroupWaves>,
    cases: Vec<CaseWaves>,
    progress: Progress,
}

#[derive(Debug, Clone, Copy, Default)]
struct GroupWaves {
    made: u32,
    took_ns: f64,
    /// What its first launches need beyond its share of the budget, as estimated from the first of them, ns.
    beyond_ns: f64,
    in_all: Option<u32>,
    /// The wave that confirms a difference.
    confirming: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct CaseWaves {
    is_measured: bool,
    /// Number of its groups that are not over.
    groups_left: u32,
}

impl Schedule {
    pub fn of(run: &Run, rng: &mut Rng) -> Schedule {
        let done = waves_done(run);
        let is_here = |group: usize| group >= run.planned_groups() || run.plan.measures(group as u32);
        let mut waves = planned_waves(&run.plan, rng);
        waves.retain(|&(group, wave)| done[group] <= wave && is_here(group));
        let (queue, while_budget_lasts) =
            waves.into_iter().partition(|&(group, wave)| !is_beyond_interval(&run.plan, group, wave));
        let mut cases = vec![CaseWaves::default(); run.plan.cases.len()];
        let here = run.plan.groups.iter().enumerate().filter(|(group, _)| is_here(*group));
        for &case in here.flat_map(|(_, group)| &group.cases) {
            cases[case as usize].groups_left += 1;
        }
        for launch in run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished) {
            cases[launch.case as usize].is_measured |= launch.wave < done[launch.group as usize];
        }
        Schedule {
            queue,
            postponed: VecDeque::new(),
            while_budget_lasts,
            made: done.iter().sum(),
            groups: BTreeMap::new(),
            cases,
            progress: Progress::default(),
        }
    }

    /// The next wave: its group, and its number from 0; `None` if none is left.
    pub fn next(&mut self) -> Option<(usize, u32)> {
        if self.queue.is_empty() {
            let next = if self.postponed.is_empty() { &mut self.while_budget_lasts } else { &mut self.postponed };
            self.queue = std::mem::take(next);
        }
        self.queue.pop_front()
    }

    /// Waves that the groups before this one still need.
    pub fn owed(&self, group: usize) -> usize {
        self.queue.iter().filter(|(other, _)| *other < group).count()
    }

    /// Mean time per wave so far, ns; 0 before the first.
    pub fn wave_ns(&self, now_ns: f64) -> f64 {
        if self.made == 0 {
            0.0
        } else {
            now_ns / f64::from(self.made)
        }
    }

    /// Postpones a group and those behind it.
    fn postpone(&mut self, group: usize) {
        let (later, begun): (VecDeque<_>, _) =
            std::mem::take(&mut self.queue).into_iter().partition(|(other, _)| *other >= group);
        self.queue = begun;
        self.postponed = std::iter::once((group, 0)).chain(later).collect();
    }

    pub fn is_confirming(&self, group: usize, wave: u32) -> bool {
        self.groups.get(&group).is_some_and(|of_group| of_group.confirming == Some(wave))
    }

    pub fn clear(&mut self) {
        self.retain(|_| false);
    }

    fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        for waves in [&mut self.queue, &mut self.postponed, &mut self.while_budget_lasts] {
            waves.retain(|(group, _)| is_kept(*group));
        }
    }

    /// A group was added to the plan to measure a case again; its waves come last.
    pub fn add_last_group(&mut self, plan: &Plan) {
        let Some((group, members)) = plan.groups.iter().enumerate().next_back() else { return };
        self.queue.extend((0..plan.policy.waves_of(members).1).map(|wave| (group, wave)));
        members.cases.iter().for_each(|&case| self.cases[case as usize].groups_left += 1);
    }

    /// Updates what the first launches of this group need beyond its share of the budget; returns the sum over all groups, ns.
    pub fn beyond_ns(&mut self, group: usize, beyond_ns: f64) -> f64 {
        self.groups.entry(group).or_default().beyond_ns = beyond_ns.max(0.0);
        self.groups.values().map(|of_group| of_group.beyond_ns).sum()
    }

    fn made(&mut self, wave: &Wave, took_ns: f64) {
        self.made += 1;
        let group = self.groups.entry(wave.group).or_default();
        group.made += 1;
        group.took_ns += took_ns;
        for member in wave.members.iter().filter(|m| !m.visits.is_empty()) {
            self.cases[member.case as usize].is_measured = true;
        }
    }

    /// Waves that a group has in all, as far as decided.
    fn waves_in_all(&self, group: usize, plan: &Plan) -> u32 {
        let decided = self.groups.get(&group).and_then(|group| group.in_all);
        decided.unwrap_or_else(|| plan.policy.waves_of(&plan.groups[group]).1)
    }

    /// Interleaves the additional waves of all groups: the launches of a case should not all meet the same state.
    fn mix_added_waves(&mut self, plan: &Plan) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.make_contiguous().sort_by_key(|&(group, wave)| {
            let planned = plan.policy.waves_of(&plan.groups[group]).1;
            (wave >= self.waves_in_all(group, plan), if wave < planned { 0 } else { wave })
        });
        self.queue = queue;
    }
}

impl Engine {
    /// A wave with the action that starts its children; `None` if there is no time for it, or nothing to measure in it.
    pub(super) fn begin_wave(&mut self, group: usize, number: u32) -> Option<(Wave, Action)> {
        let members = &self.plan().groups[group];
        let (width, launches) = (self.plan().policy.width_of(members), self.run().launches.len() as u32);
        let runs = |case: u32| self.runs_in(case, group);
        let wave = Wave::new((group, number), &members.cases, runs, width, launches, self.time.now_ns);
        if wave.members.is_empty() || !self.has_time_for(group, number) {
            self.group_over(group);
            return None;
        }
        if number == 0 && !self.may_begin(group) {
            // Time may be left when the others have enough.
            match self.schedule.owed(group) {
                0 => self.group_over(group),
                _ => self.schedule.postpone(group),
            }
            return None;
        }
        let draws = self.draws(&wave, width);
        for (member, &draw) in wave.members.iter().zip(&draws) {
            let (launch, case, start_ns) = (member.launch, member.case, wave.started_ns);
            self.record.add(Event::LaunchStarted { launch, case, group: group as u32, wave: number, draw, start_ns });
        }
        let action = wave.starts(&draws, &mut self.rng);
        Some((wave, action))
    }

    /// The wave is over, and perhaps its group.
    pub(super) fn wave_over(&mut self, wave: &mut Wave) {
        self.settle_widths(wave);
        self.count_alone(wave);
        let (group, done) = (wave.group, wave.number + 1);
        // By the wall clock, visits may take longer than their timed part, if a process or a set-up precedes each.
        self.forecast(wave, 0.0, self.time.now_ns - wave.rounds_began_ns.max(wave.started_ns));
        self.schedule.made(wave, self.time.now_ns - wave.started_ns);
        match self.reason_for_wave(group, done) {
            Some(Reason::Planned) => {}
            Some(Reason::Imprecise { in_all }) => {
                let plan = &self.record.run.plan;
                self.schedule.queue.extend((done..in_all).map(|wave| (group, wave)));
                self.schedule.mix_added_waves(plan);
            }
            // At the very end: the neighbour may have changed, and waves further apart in time share less.
            Some(Reason::Unconfirmed | Reason::Shared) => self.schedule.queue.push_back((group, done)),
            None => self.group_over(group),
        }
    }

    /// Why a group with this many finished waves gets another one; `None` if it is over. `docs/concepts/method.md` lists the reasons.
    fn reason_for_wave(&mut self, group: usize, done: u32) -> Option<Reason> {
        if let Some(in_all) = self.waves_for_precision(group, done) {
            return Some(Reason::Imprecise { in_all });
        }
        let plan = &self.record.run.plan;
        let (waves_min, planned) = plan.policy.waves_of(&plan.groups[group]);
        let is_settled = done >= waves_min && waves_min < planned && {
            self.schedule.progress.update(&self.record.run, &[group as u32]);
            self.schedule.progress.is_settled(group as u32, plan.comparisons())
        };
        let has_all = done >= self.schedule.waves_in_all(group, plan);
        if !is_settled && !has_all {
            return Some(Reason::Planned);
        }
        if self.lacks_confirmation(group, done) {
            return Some(Reason::Unconfirmed);
        }
        (has_all && self.lacks_alone(group, done)).then_some(Reason::Shared)
    }

    /// Whether the few launches of a group show a difference that this wave should confirm; once, and regardless of the time.
    fn lacks_confirmation(&mut self, group: usize, wave: u32) -> bool {
        let policy = &self.record.run.plan.policy;
        if self.record.run.plan.groups[group].baseline.is_none() || !policy.takes_confirmation() {
            return false;
        }
        self.schedule.progress.update(&self.record.run, &[group as u32]);
        let of_group = self.schedule.groups.entry(group).or_default();
        let confirms = of_group.confirming.is_none() && self.schedule.progress.lacks_confirmation(group as u32);
        of_group.confirming = of_group.confirming.or(confirms.then_some(wave));
        confirms
    }

    /// No further wave of the group: completes its cases, unless another group has them or they have no wave.
    fn group_over(&mut self, group: usize) {
        self.schedule.retain(|other| other != group);
        for case in self.plan().groups[group].cases.clone() {
            let of = &mut self.schedule.cases[case as usize];
            of.groups_left = of.groups_left.saturating_sub(1);
            let result = &self.record.run.results[case as usize];
            if of.groups_left == 0 && of.is_measured && result.failure.is_none() && !result.complete {
                self.record.add(Event::CaseFinished { case });
            }
        }
    }

    /// How many waves a group should have if the `done` planned ones leave a wide interval. Decided once, by the spread of the planned
    /// launches: deciding after each wave would tend to stop when they agree by chance.
    fn waves_for_precision(&mut self, group: usize, done: u32) -> Option<u32> {
        let plan = &self.record.run.plan;
        let members = &plan.groups[group];
        let planned = plan.policy.waves_of(members).1;
        let repeats = |&case: &u32| self.strategy_of(case) == Strategy::Throughput;
        let is_plain = plan.policy.usual_launches && plan.policy.effort == Effort::Default;
        if done != planned || !is_plain || !members.cases.iter().all(repeats) {
            return None;
        }
        let Schedule { groups, progress, .. } = &mut self.schedule;
        // After a resumption, the time of earlier waves is unknown.
        let of_group = groups.get_mut(&group).filter(|of_group| of_group.made == planned)?;
        progress.update(&self.record.run, &[group as u32]);
        let took_ns = of_group.took_ns / members.cases.len().max(1) as f64;
        let (excess, time_ns) = match members.baseline {
            Some(_) => (progress.unclear_half_width(group as u32).map(|half| half / RATIO_PRECISION), COMPARED_CASE_NS),
            None => (progress.half_width(group as u32).map(|half| half / PRECISION), CASE_NS),
        };
        let in_all = waves_wanted(planned, excess.unwrap_or(0.0), time_ns / took_ns.max(1.0));
        of_group.in_all = Some(in_all);
        (in_all > planned).then_some(in_all)
    }

    /// Ends the groups of a resumed run that need no further wave: all are made, it is settled, or all its cases have ended.
    pub(super) fn close_groups(&mut self) {
        let run = &self.record.run;
        let done = waves_done(run);
        let groups = || run.plan.groups.iter().zip(&done).map(|(g, done)| (g, *done, run.plan.policy.waves_of(g)));
        let may_be_settled: Vec<bool> =
            groups().map(|(_, done, (waves_min, waves_max))| done >= waves_min && waves_min < waves_max).collect();
        let to_update: Vec<u32> = (0..).zip(&may_be_settled).filter_map(|(g, may)| may.then_some(g)).collect();
        self.schedule.progress.update(run, &to_update);
        let settled = self.schedule.progress.settled(run.plan.comparisons());
        let ended = |&case: &u32| run.results[case as usize].complete || run.results[case as usize].failure.is_some();
        let is_over = |(number, (members, done, (_, waves_max))): (usize, (&CaseGroup, u32, (u32, u32)))| {
            let settled = may_be_settled[number] && settled.get(number).is_some_and(|settled| *settled);
            (done >= waves_max || settled || members.cases.iter().all(ended)).then_some(number)
        };
        let over: Vec<usize> = groups().enumerate().filter_map(is_over).collect();
        over.into_iter().for_each(|group| self.group_over(group));
    }
}

/// All waves in order: those of a group spread evenly over the run, each at a random moment of its part. With a user's budget, in the order
/// of the list, so that its first entries are always measured.
fn planned_waves(plan: &Plan, rng: &mut Rng) -> Vec<(usize, u32)> {
    let mut moments = Vec::new();
    for (group, members) in plan.groups.iter().enumerate() {
        let (_, waves) = plan.policy.waves_of(members);
        for wave in 0..waves {
            let offset = if plan.policy.keep_order { 0.0 } else { rng.uniform() };
            let moment = (f64::from(wave) + offset) / f64::from(waves);
            let turn = if is_limited(&plan.policy) { f64::from(wave) } else { moment };
            moments.push((turn, group, wave));
        }
    }
    moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    moments.into_iter().map(|(_, group, wave)| (group, wave)).collect()
}

fn is_beyond_interval(plan: &Plan, group: usize, wave: u32) -> bool {
    is_limited(&plan.policy) && wave >= first_waves(plan.policy.width_of(&plan.groups[group]))
}

/// Waves of a group whose interval is `excess` times as wide as wanted, within the time.
fn waves_wanted(planned: u32, excess: f64, in_time: f64) -> u32 {
    let for_precision = excess.powi(2).min(TIMES_MAX);
    (f64::from(planned) * for_precision.min(in_time).max(1.0)) as u32
}

#[cfg(test)]
mod tests {
    use super::waves_wanted;

    #[test]
    fn launches_that_differ_are_followed_by_more() {
        assert_eq!((waves_wanted(12, 0.4, 3.0), waves_wanted(12, 0.0, 0.0)), (12, 12));
        assert_eq!(waves_wanted(12, 1.25, 3.0), 18);
        assert_eq!((waves_wanted(12, 5.0, 3.75), waves_wanted(12, f64::INFINITY, 15.0)), (36, 36));
        // No more than there is time for.
        assert_eq!((waves_wanted(12, 5.0, 2.0), waves_wanted(12, 5.0, 0.5)), (24, 12));
    }
}
