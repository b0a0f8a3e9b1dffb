//! The time that a run has and has used, earlier parts included. Nothing is begun that does not fit.

use super::calibration::Calibration;
use super::engine::Engine;
use super::shape::{is_long, Shape};
use super::wave::{Purpose, Wave, WaveState};
use crate::action::Ask;
use tare_model::{CaseGroup, Event, Launch, Policy, Run, RunStatus, Stage, INTERVAL_LAUNCHES};
use tare_protocol::Request;

/// Fewest rounds of a first wave, however little time there is: a launch needs as many visits.
const ROUNDS_MIN: u32 = 5;
/// Launches of a case that are made where its time was not asked for: fewer have no interval.
pub const LAUNCHES_ALWAYS: u32 = INTERVAL_LAUNCHES as u32;
/// No run takes more than this multiple of what was said.
const OVERRUN_MAX: f64 = 2.0;
/// A group begins if there is time for this multiple of its predicted waves, since other processes use the machine too. Time left over goes
/// to further groups.
const RESERVE: f64 = 1.5;
/// Shorter times are not announced, and may be overrun by more, s.
pub const ANNOUNCED_S: f64 = 10.0;
/// A longer time is announced from this multiple of the last announcement: less is not worth a line.
const LONGER: f64 = 1.5;
/// These rounds are always made if a visit takes no more than this, ns.
const SHORT_VISIT_NS: f64 = 5e6;

/// Whether the user limits the time.
pub(super) fn is_limited(policy: &Policy) -> bool {
    policy.budget_s.is_some() && !policy.first_waves_always
}

/// Waves of this many children per case that make up the launches that are always made.
pub(super) fn first_waves(width: u32) -> u32 {
    LAUNCHES_ALWAYS.div_ceil(width.max(1))
}

/// The time of the run, as the host measures it.
#[derive(Debug)]
pub(crate) struct RunTime {
    /// Time of the earlier parts, ns.
    before_ns: f64,
    /// Time since the start of the run, including earlier parts, ns.
    pub now_ns: f64,
    asked_ns: f64,
}

impl RunTime {
    pub fn of(run: &Run) -> RunTime {
        let before_ns = spent_ns(run);
        RunTime { before_ns, now_ns: before_ns, asked_ns: before_ns }
    }

    pub fn set(&mut self, part_ns: f64) {
        self.now_ns = self.before_ns + part_ns;
    }

    pub fn asked(&mut self) {
        self.asked_ns = self.now_ns;
    }

    /// How long the host has waited for the answers to the last requests, ns.
    pub fn waited_ns(&self) -> f64 {
        self.now_ns - self.asked_ns
    }
}

/// Time that a run took until it was cut off, ns, from its parts or its last wave.
fn spent_ns(run: &Run) -> f64 {
    let told_ns = run.elapsed_s * 1e9;
    if run.status != RunStatus::Open {
        return told_ns;
    }
    let last_ns = run.launches.iter().map(|l| l.start_ns).fold(0.0, f64::max);
    let last_wave = run.launches.iter().filter(|l| l.start_ns >= last_ns);
    let busy_ns: f64 = last_wave.flat_map(|l| &l.series).flat_map(|s| &s.columns.elapsed_ns).sum();
    told_ns.max(last_ns + busy_ns)
}

impl Engine {
    pub(crate) fn is_late(&self) -> bool {
        self.plan().policy.budget_s.is_some_and(|s| self.time.now_ns >= s * 1e9)
    }

    /// Whether something in this wave, predicted to take `ns`, ends in time.
    pub(crate) fn may_spend(&self, wave: &Wave, ns: f64) -> bool {
        self.ends_by(ns, self.end_s(wave.group, wave.number))
    }

    /// The first thing measured may take its time.
    fn ends_by(&self, ns: f64, end_s: Option<f64>) -> bool {
        let fits = end_s.is_none_or(|s| self.time.now_ns + ns <= s * 1e9);
        fits || !self.run().launches.iter().any(Launch::is_visited)
    }

    /// When this wave of a group has to end, s: within the budget or, if it is made even after that, at twice the announced time.
    fn end_s(&self, group: usize, wave: u32) -> Option<f64> {
        let policy = &self.plan().policy;
        let is_first = wave < first_waves(policy.width_of(&self.plan().groups[group]));
        let is_made = policy.first_waves_always && (is_first || self.schedule.is_confirming(group, wave));
        let said_s = |budget_s: f64| policy.expected_s.unwrap_or(budget_s).max(ANNOUNCED_S);
        policy.budget_s.map(|budget_s| if is_made { OVERRUN_MAX * said_s(budget_s) } else { budget_s })
    }

    /// Announces that a run without its own budget needs longer, if the first wave of a group shows that.
    pub(crate) fn forecast(&mut self, wave: &Wave, left_ns: f64, rounds_ns: f64) {
        let (policy, group) = (&self.plan().policy, self.group(wave));
        let Some(budget_s) = policy.budget_s.filter(|_| policy.first_waves_always && wave.number == 0) else { return };
        let said_s = policy.expected_s.unwrap_or(budget_s);
        let further = f64::from(first_waves(policy.width_of(group)) - 1);
        let first_ns = self.time.now_ns - wave.started_ns + left_ns;
        let needed_ns = first_ns + further * (self.before_visits_ns(group) + rounds_ns);
        let share_ns = budget_s * 1e9 / self.plan().groups.len() as f64;
        let total_s = budget_s + self.schedule.beyond_ns(wave.group, needed_ns - share_ns) * 1e-9;
        if total_s > LONGER * said_s && total_s > ANNOUNCED_S {
            self.record.add(Event::Expected { total_s });
        }
    }

    /// Whether the informative minimum of this wave is predicted to end in time.
    pub(crate) fn has_time_for(&self, group: usize, wave: u32) -> bool {
        let end_s = self.end_s(group, wave);
        let members = &self.plan().groups[group];
        let rounds = |shape: Shape| if is_long(shape.visit_ns()) { 1 } else { ROUNDS_MIN };
        let visits = members.cases.iter().filter_map(|&case| self.of_case(case).shape.map(|shape| (case, shape)));
        let visits = visits
            .map(|(case, shape)| f64::from(rounds(shape)) * (shape.round_ns() + self.of_case(case).randomizing_ns()));
        let visits_ns = f64::from(self.plan().policy.width_of(members)) * visits.sum::<f64>();
        let is_late = end_s.is_some_and(|s| self.time.now_ns >= s * 1e9);
        !is_late && self.ends_by(self.before_visits_ns(members) + visits_ns, end_s)
    }

    /// Predicted time of the children of a further wave before their visits, ns.
    fn before_visits_ns(&self, group: &CaseGroup) -> f64 {
        let all = || group.cases.iter().map(|&case| self.of_case(case));
        let known_ns = |of: &Calibration| of.warmth.map_or(0.0, |warmth| warmth.known_ns);
        let start_ns = all().map(|of| of.start_up_ns + known_ns(of)).fold(0.0, f64::max);
        // Warm-ups by the clock are included in the start: the children share them.
        let warm_ups = all().filter(|of| of.warmth.is_none()).filter_map(|of| {
            let (iterations, invocations) = of.warm_up;
            of.shape.map(|shape| iterations as f64 * invocations as f64 * shape.invocation_ns)
        });
        let width = f64::from(self.plan().policy.width_of(group));
        start_ns + width * warm_ups.sum::<f64>() / self.processors.max(1) as f64
    }

    /// Drops the unsent requests if the next visit is predicted to end after the budget.
    pub(crate) fn stop_in_time(&self, wave: &mut Wave) {
        let policy = &self.plan().policy;
        let Some(front) = wave.queue.front().filter(|_| policy.budget_s.is_some()) else { return };
        // Randomizing memory is a set-up before the visit: neither is useful without the other.
        let moves = front.iter().any(|(ask, _)| matches!(ask.request, Request::Randomize { .. }));
        let next = wave.queue.get(usize::from(moves)).unwrap_or(front);
        let predicted_ns = |(ask, purpose): &(Ask, Option<Purpose>)| {
            let purpose = purpose.filter(|purpose| purpose.stage == Stage::Actual)?;
            let of = self.of_case(wave.case_of(ask.launch));
            let is_extra = purpose.round >= ROUNDS_MIN || wave.number > 0;
            let ns = of.shape?.round_ns() + if moves { of.randomizing_ns() } else { 0.0 };
            (is_extra || ns > SHORT_VISIT_NS).then_some(ns)
        };
        let ns: f64 = next.iter().filter_map(predicted_ns).sum();
        if ns > 0.0 && !self.may_spend(wave, ns) {
            wave.queue.clear();
            wave.state = WaveState::VisitsOver;
        }
    }

    /// Whether a group can be measured well in the rest of the user's budget, beside those that have begun. As many as fit are measured, in
    /// the order of the list.
    pub(crate) fn may_begin(&self, group: usize) -> bool {
        let policy = &self.plan().policy;
        let Some(budget_s) = policy.budget_s.filter(|_| is_limited(policy)) else { return true };
        let members = &self.plan().groups[group];
        let own = first_waves(policy.width_of(members)).min(policy.waves_of(members).1);
        let waves = self.schedule.owed(group) as f64 + f64::from(own);
        let needed_ns = RESERVE * waves * self.schedule.wave_ns(self.time.now_ns);
        self.time.now_ns + needed_ns <= budget_s * 1e9
    }
}
