//! The time that a run has taken and was given: what its earlier parts took counts, and what there is no time for is not begun.

use super::calibration::Calibration;
use super::engine::Engine;
use super::shape::is_long;
use super::wave::{Purpose, Wave, WaveState};
use crate::action::Ask;
use tare_model::{Launch, Run, RunStatus, Stage};
use tare_protocol::Request;

/// Rounds that a first wave has at least, however little time there is: fewer visits make no launch.
const ROUNDS_MIN: u32 = 5;
/// Launches of a case that are made where its time was not asked for: fewer have no interval.
pub const LAUNCHES_ALWAYS: u32 = 4;
/// These rounds are made whatever the time is, when a visit takes no more than this, ns.
const SHORT_VISIT_NS: f64 = 5e6;

/// How far a run is.
#[derive(Debug)]
pub(crate) struct Clock {
    /// What the parts before this one took, ns.
    before_ns: f64,
    /// Time since the start of the run, all its parts together, ns.
    now_ns: f64,
    /// When the requests under way were sent, ns.
    asked_ns: f64,
}

impl Clock {
    /// Of a run as far as it is measured.
    pub fn of(run: &Run) -> Clock {
        let before_ns = spent_ns(run);
        Clock { before_ns, now_ns: before_ns, asked_ns: before_ns }
    }

    /// This part of the run has taken so long, ns.
    pub fn set(&mut self, part_ns: f64) {
        self.now_ns = self.before_ns + part_ns;
    }

    /// Requests are sent now.
    pub fn asked(&mut self) {
        self.asked_ns = self.now_ns;
    }

    /// Time since the start of the run, ns.
    pub fn now_ns(&self) -> f64 {
        self.now_ns
    }

    /// How long the host has waited for the answers to the last requests, ns.
    pub fn waited_ns(&self) -> f64 {
        self.now_ns - self.asked_ns
    }
}

/// Time that a run took until it was cut off, ns. A part that was killed has no duration: then its last wave, whose children
/// started together and were asked one after the other, shows how long it ran at least.
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
    /// The budget is spent.
    pub(crate) fn is_late(&self) -> bool {
        self.plan().policy.budget_s.is_some_and(|s| self.clock.now_ns >= s * 1e9)
    }

    /// Whether something that is predicted to take so long ends within the budget; what is measured first may take its time.
    pub(crate) fn may_spend(&self, ns: f64) -> bool {
        let fits = self.plan().policy.budget_s.is_none_or(|s| self.clock.now_ns + ns <= s * 1e9);
        fits || !self.run().launches.iter().any(Launch::is_visited)
    }

    /// Whether this wave of a group is made whatever time it takes.
    fn is_always_made(&self, group: usize, wave: u32) -> bool {
        let policy = &self.plan().policy;
        let is_first = wave * policy.width_of(&self.plan().groups[group]) < LAUNCHES_ALWAYS;
        policy.first_waves_always && (is_first || self.schedule.is_confirming(group, wave))
    }

    /// Whether there is time to begin this wave of a group: it is begun when a part of it is predicted to end in time that tells
    /// something.
    pub(crate) fn has_time_for(&self, group: usize, wave: u32) -> bool {
        let policy = &self.plan().policy;
        if self.is_always_made(group, wave) {
            return true;
        }
        let group = &self.plan().groups[group];
        let width = f64::from(policy.width_of(group));
        let all = || group.cases.iter().map(|&case| self.of_case(case));
        let known_ns = |of: &Calibration| of.warmth.map_or(0.0, |warmth| warmth.known_ns);
        let start_ns = all().map(|of| of.start_up_ns + known_ns(of)).fold(0.0, f64::max);
        let visits = all().filter_map(|of| of.shape.map(|shape| (of, shape))).map(|(of, shape)| {
            let (iterations, invocations) = of.warm_up;
            // What goes by the clock is in the start already: the children share it.
            let is_shared = of.warmth.is_some();
            let warm_up_ns = if is_shared { 0.0 } else { iterations as f64 * invocations as f64 * shape.invocation_ns };
            let rounds = if is_long(shape.visit_ns()) { 1 } else { ROUNDS_MIN };
            warm_up_ns / self.processors.max(1) as f64 + f64::from(rounds) * (shape.round_ns() + of.moving_ns())
        });
        !self.is_late() && self.may_spend(start_ns + width * visits.sum::<f64>())
    }

    /// Drops what is not sent yet where the next visit is predicted to end after the budget. The few rounds that make a launch of a
    /// short body are worth their milliseconds.
    pub(crate) fn stop_in_time(&self, wave: &mut Wave) {
        let policy = &self.plan().policy;
        let Some(front) = wave.queue.front().filter(|_| policy.budget_s.is_some()) else { return };
        // Randomized memory is another set-up before the visit: neither is worth anything without the other.
        let moves = front.iter().any(|(ask, _)| matches!(ask.request, Request::Randomize { .. }));
        let next = wave.queue.get(usize::from(moves)).unwrap_or(front);
        let predicted_ns = |(ask, purpose): &(Ask, Option<Purpose>)| {
            let purpose = purpose.filter(|purpose| purpose.stage == Stage::Actual)?;
            let of = self.of_case(wave.case_of(ask.launch));
            let is_extra = purpose.round >= ROUNDS_MIN || wave.number > 0;
            let ns = of.shape?.round_ns() + if moves { of.moving_ns() } else { 0.0 };
            (is_extra || ns > SHORT_VISIT_NS).then_some(ns)
        };
        let ns: f64 = next.iter().filter_map(predicted_ns).sum();
        if ns > 0.0 && !self.is_always_made(wave.group, wave.number) && !self.may_spend(ns) {
            wave.queue.clear();
            wave.state = WaveState::VisitsOver;
        }
    }

    /// Rounds of a wave: fewer than `wanted` where a first wave would take more than its share of the time that is left,
    /// so that the others have theirs.
    pub(crate) fn rounds_in_time(&self, wave: &Wave, wanted: u32, round_ns: f64) -> u32 {
        let policy = &self.plan().policy;
        let Some(budget_s) = policy.budget_s else { return wanted };
        if wave.number > 0 || policy.first_waves_always {
            return wanted;
        }
        let to_begin = 1 + self.schedule.first_waves();
        // The others must start and be calibrated too, as this one was.
        let before_rounds_ns = (self.clock.now_ns - wave.started_ns) * (to_begin - 1) as f64;
        let share_ns = (budget_s * 1e9 - self.clock.now_ns - before_rounds_ns).max(0.0) / to_begin as f64;
        let least = if is_long(round_ns) { 1 } else { ROUNDS_MIN };
        ((share_ns / round_ns.max(1.0)) as u32).clamp(least.min(wanted), wanted)
    }
}
