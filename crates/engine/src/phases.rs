//! The phases of a wave: pilot, warm-up, check, loops, rounds.

use crate::action::Action;
use crate::calibrate::{self, Pilot, Shape, Tried, WarmUp, NOTHING_NS, SILENCE_NS};
use crate::session::Session;
use crate::wave::{Member, Phase, LOOP_ITERATIONS};
use tare_model::{Event, Failure, FailureKind, Loop, Stage, Step};

/// An invocation shorter than this is measured in the rolled loop too: below, the loop around it is not negligible, ns.
const ROLLED_BELOW_NS: f64 = 6.0;
/// An invocation longer than this is not checked for its result: it would take as long as measuring it, ns.
const CHECK_BELOW_NS: f64 = 1e8;
/// Share of valid visits below which more rounds are no help and CPU time is used, where it may be.
const CLEAN_SHARE_MIN: f64 = 0.6;

impl Session {
    /// Calibrates the next case from `from` on that is not known yet; warms all up when there is none.
    pub(crate) fn calibrate_next(&mut self, from: usize) {
        let target = self.plan.policy.visit_ns;
        let Some(wave) = self.wave.as_mut() else { return };
        let cases = &self.plan.groups[wave.group].cases;
        let next = wave.positions().into_iter().find(|&p| p >= from && self.cases[cases[p] as usize].shape.is_none());
        match next.and_then(|position| Some((position, wave.first(position)?))) {
            Some((position, launch)) => {
                if let Some(shape) = self.shape_of_baseline(position) {
                    let case = self.plan.groups[self.wave_group()].cases[position];
                    self.cases[case as usize].shape = Some(shape);
                    return self.warm_up_begin(position, launch, shape);
                }
                let Some(wave) = self.wave.as_mut() else { return };
                let mut pilot = Pilot::new(target);
                if let Some(fixed) = self.plan.policy.invocations {
                    pilot.invocations = fixed;
                }
                wave.ask(launch, Stage::Pilot, 0, Loop::Workload, 1, (pilot.invocations, 0));
                wave.phase = Phase::Pilot(position, pilot);
            }
            None => self.warm_all(),
        }
    }

    pub(crate) fn pilot_on(&mut self, position: usize, mut pilot: Pilot) {
        let fixed = self.plan.policy.invocations.is_some();
        let Some(wave) = self.wave.as_mut() else { return };
        let case = self.plan.groups[wave.group].cases[position];
        let (Some(launch), Some(last)) = (wave.first(position), self.cases[case as usize].piloted.last().copied())
        else {
            // The case failed in the meantime.
            return self.calibrate_next(position + 1);
        };
        // A body with an iteration set-up is run once an iteration: one iteration tells enough.
        let once = fixed || self.plan.cases[case as usize].benchmark.has_iteration_set_up();
        let invocation_ns = match pilot.tried(&last, self.now_ns - self.asked_ns) {
            Tried::Found(ns) => ns,
            Tried::Again if once => calibrate::pilot_ns(&last) / last.invocations,
            Tried::Again => {
                wave.ask(launch, Stage::Pilot, 0, Loop::Workload, 1, (pilot.invocations, 0));
                wave.phase = Phase::Pilot(position, pilot);
                return;
            }
            Tried::Stands => {
                self.fail_clock(launch, last.wall_ns, last.invocations as u64);
                return self.calibrate_next(position + 1);
            }
        };
        let facts = self.facts_of(case);
        let set_up = self.plan.cases[case as usize].benchmark.has_iteration_set_up();
        let shape = calibrate::shape(invocation_ns, facts.unroll, set_up, &self.plan.policy);
        self.cases[case as usize].shape = Some(shape);
        self.warm_up_begin(position, launch, shape);
    }

    fn wave_group(&self) -> usize {
        self.wave.as_ref().map_or(0, |w| w.group)
    }

    /// The form of the baseline's visits, where the case at `position` must have the same.
    fn shape_of_baseline(&self, position: usize) -> Option<Shape> {
        let group = &self.plan.groups[self.wave_group()];
        let base = group.baseline.filter(|&base| group.same_invocations && group.cases[position] != base)?;
        self.cases[base as usize].shape
    }

    fn warm_up_begin(&mut self, position: usize, launch: u32, shape: Shape) {
        let case = self.plan.groups[self.wave_group()].cases[position];
        let set_up = self.plan.cases[case as usize].benchmark.has_iteration_set_up();
        let warm_up = WarmUp::new(shape, self.facts_of(case).managed, set_up, &self.plan.policy);
        // What the pilot saw has other counts, and the first call in it.
        self.cases[case as usize].piloted.clear();
        self.warm_up_ask(position, launch, warm_up);
    }

    fn warm_up_ask(&mut self, position: usize, launch: u32, warm_up: WarmUp) {
        let limit = self.plan.policy.growth_limit_bytes;
        let Some(wave) = self.wave.as_mut() else { return };
        let most = wave.member(launch).and_then(|m| m.growth.invocations_max(limit)).unwrap_or(u64::MAX);
        let iterations = warm_up.iterations.min(most / warm_up.invocations.max(1)).max(1);
        wave.ask(launch, Stage::Warmup, 0, Loop::Workload, iterations, (warm_up.invocations, 0));
        wave.phase = Phase::WarmUp(position, warm_up);
    }

    pub(crate) fn warm_up_on(&mut self, position: usize, mut warm_up: WarmUp) {
        let keep_shape = self.shape_of_baseline(position).is_some();
        let Some(wave) = self.wave.as_mut() else { return };
        let case = self.plan.groups[wave.group].cases[position];
        let Some(launch) = wave.first(position) else {
            self.cases[case as usize].shape = None;
            return self.calibrate_next(position + 1);
        };
        let state = &mut self.cases[case as usize];
        let seen = std::mem::take(&mut state.piloted);
        if self.now_ns - self.asked_ns >= SILENCE_NS && seen.iter().all(|v| v.wall_ns <= NOTHING_NS) {
            let invocations: f64 = seen.iter().map(|v| v.invocations).sum();
            self.fail_clock(launch, 0.0, invocations as u64);
            return self.calibrate_next(position + 1);
        }
        let Some(warmup_ns) = warm_up.ran(&seen) else { return self.warm_up_ask(position, launch, warm_up) };
        let benchmark = &self.plan.cases[case as usize].benchmark;
        let unroll = self.facts[self.plan.cases[case as usize].artifact as usize].unroll;
        let ns = warm_up.invocation_ns().unwrap_or(1.0);
        let state = &mut self.cases[case as usize];
        if !keep_shape {
            state.shape = Some(calibrate::shape(ns, unroll, benchmark.has_iteration_set_up(), &self.plan.policy));
        }
        state.warmup = (warm_up.iterations_for(warmup_ns), warm_up.invocations);
        if ns < CHECK_BELOW_NS {
            wave.ask_check(launch);
        }
        wave.phase = Phase::Check(position);
    }

    fn warm_all(&mut self) {
        let Some(wave) = self.wave.as_mut() else { return };
        let cases = &self.plan.groups[wave.group].cases;
        // Children that calibrated in this wave are warm.
        let launches = self.recorder.run().map_or(&[][..], |run| &run.launches);
        let is_warm = |launch: u32| launches.get(launch as usize).is_some_and(|l| !l.series.is_empty());
        let mut asks: Vec<(u32, u64, u64)> = wave
            .members
            .iter()
            .filter(|m| m.alive && !is_warm(m.launch))
            .map(|m| {
                let (iterations, invocations) = self.cases[cases[m.position] as usize].warmup;
                (m.launch, iterations.max(1), invocations.max(1))
            })
            .collect();
        self.rng.shuffle(&mut asks);
        wave.ask_warm_ups(asks, self.processors);
        wave.phase = Phase::WarmAll;
    }

    pub(crate) fn loops(&mut self) {
        let Some(wave) = self.wave.as_mut() else { return };
        let group = &self.plan.groups[wave.group];
        let mut members: Vec<(u32, usize)> =
            wave.members.iter().filter(|m| m.alive).map(|m| (m.launch, m.position)).collect();
        self.rng.shuffle(&mut members);
        for (launch, position) in members {
            let case = group.cases[position] as usize;
            let Some(shape) = self.cases[case].shape else { continue };
            let facts = &self.facts[self.plan.cases[case].artifact as usize];
            let counts = (shape.invocations, 0);
            let iterations = LOOP_ITERATIONS.max(shape.iterations);
            wave.ask(launch, Stage::Overhead, 0, Loop::Overhead, iterations, counts);
            let small = shape.invocation_ns < ROLLED_BELOW_NS && shape.invocations > facts.unroll;
            if facts.can("rolled") && small {
                // A turn of this loop does less: fewer invocations take as long.
                let share = facts.rolled_unroll.unwrap_or(1);
                let fewer = (shape.invocations.saturating_mul(share) / facts.unroll).max(1);
                let fewer = fewer.checked_next_multiple_of(facts.unroll).unwrap_or(fewer);
                wave.ask(launch, Stage::Rolled, 0, Loop::Rolled, LOOP_ITERATIONS, (fewer, 0));
            }
        }
        wave.phase = Phase::Loops;
    }

    pub(crate) fn rounds_begin(&mut self) {
        let Some(wave) = self.wave.as_ref() else { return };
        let group = &self.plan.groups[wave.group];
        let calibrated: Vec<(u32, u64)> = wave
            .members
            .iter()
            .filter(|m| m.alive)
            .filter_map(|m| Some((m.launch, self.cases[group.cases[m.position] as usize].shape?.invocations)))
            .collect();
        let longest = wave
            .positions()
            .into_iter()
            .filter_map(|p| self.cases[group.cases[p] as usize].shape)
            .map(|s| s.visit_ns())
            .fold(0.0, f64::max);
        let of_member = |m: &Member| self.cases[group.cases[m.position] as usize].shape.map_or(0.0, |s| s.round_ns());
        let round_ns = wave.members.iter().filter(|m| m.alive).map(of_member).sum();
        let wanted = self.rounds_in_time(calibrate::rounds(longest, &self.plan.policy), round_ns);
        let Some(wave) = self.wave.as_mut() else { return };
        wave.phase = Phase::Rounds { round: 0, wanted };
        for (launch, invocations) in calibrated {
            self.emit(Event::Calibrated { launch, invocations });
        }
    }

    pub(crate) fn rounds_on(&mut self, round: u32, wanted: u32) -> Option<Action> {
        // Time that is spent is no reason for few rounds, but for none beside them.
        let hopeless = self.is_hopeless(round, wanted) || (round >= wanted && self.is_late());
        let wave = self.wave.as_mut()?;
        if wave.needs_round(round, wanted) && !hopeless {
            let cases = &self.plan.groups[wave.group].cases;
            let shapes: Vec<Option<Shape>> = cases.iter().map(|&c| self.cases[c as usize].shape).collect();
            wave.ask_round(round, &shapes, &mut self.rng);
            wave.phase = Phase::Rounds { round: round + 1, wanted };
            return None;
        }
        wave.phase = Phase::Ending;
        self.fail_unusable();
        let wave = self.wave.as_mut()?;
        if wave.to_kill.is_empty() {
            return Some(Action::End(wave.living()));
        }
        wave.phase = Phase::Rounds { round: u32::MAX, wanted };
        None
    }

    /// A case none of whose visits can be used has failed: it would else look like one that was not reached.
    fn fail_unusable(&mut self) {
        let Some(wave) = &self.wave else { return };
        let unusable: Vec<u32> = wave
            .positions()
            .into_iter()
            .filter(|&p| wave.members.iter().all(|m| m.position != p || m.usable == 0))
            .filter_map(|p| wave.first(p))
            .collect();
        for launch in unusable {
            let Some(wave) = self.wave.as_mut() else { return };
            let position = wave.member(launch).map(|m| m.position);
            if wave.members.iter().all(|m| Some(m.position) != position || !m.moved) {
                self.fail_clock(launch, 0.0, 1);
                continue;
            }
            wave.to_kill.push(launch);
            let failure = Failure { cause: FailureKind::NoValidVisits, step: Step::Body, output: Vec::new() };
            self.fail(launch, failure, None);
        }
    }

    /// The wanted rounds are made, too few visits are clean, and CPU time will do: more rounds would not be cleaner.
    fn is_hopeless(&self, round: u32, wanted: u32) -> bool {
        let Some(wave) = &self.wave else { return false };
        if round < wanted {
            return false;
        }
        let cases = &self.plan.groups[wave.group].cases;
        let living: Vec<_> = wave.members.iter().filter(|m| m.alive).collect();
        let valid: u32 = living.iter().map(|m| m.valid).sum();
        let by_cpu = living.iter().all(|m| {
            let case = cases[m.position];
            self.cases[case as usize].traits.is_compute() && self.facts_of(case).can("cpu")
        });
        by_cpu && f64::from(valid) < CLEAN_SHARE_MIN * f64::from(round) * living.len() as f64
    }
}
