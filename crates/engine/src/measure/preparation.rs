//! What a wave does before its rounds: check, pilot, warm-up, loops.

use super::calibration::FirstCall;
use super::engine::Engine;
use super::forms;
use super::pilot::{self, Length, Lengths, Pilot, PilotResult, NOTHING_NS, SILENCE_NS};
use super::shape::{self, Shape};
use super::warm_up::WarmUp;
use super::wave::{Counts, Member, Wave, WaveState, LOOP_ITERATIONS};
use tare_model::{Effort, Event, Loop, Metric, Policy, Stage, VisitTraits};

/// From this time on, an invocation is a loop turn by itself, as in a hand-written loop, ns.
const SINGLE_TURNS_FROM_NS: f64 = 4.0;
/// Compared cases use the same loop if their invocations are within this factor of that time.
const FOLLOWS_WITHIN: f64 = 2.0;
/// Shorter loop turns are measured in the rolled loop too, as the cost of a turn is not negligible, ns.
const ROLLED_TURN_BELOW_NS: f64 = 96.0;
/// The same for invocations whose body the loop calls: a call costs more than a share of a branch, ns.
const ROLLED_CALLS_BELOW_NS: f64 = 500.0;
/// A body whose first call took at most this is run once more for its result, ns.
const AGAIN_BELOW_NS: f64 = 2e7;
/// Iterations of the body in its usual loop before the rolled one, and after it.
const BESIDE_ITERATIONS: u64 = 4;
/// For longer invocations the empty loop around them is negligible, even cold, ns.
const LOOP_WARM_BELOW_NS: f64 = 10_000.0;

impl Engine {
    /// Calibrates the next uncalibrated case after this one, beginning with a run of the body for its result; if there is none, warms up
    /// all.
    pub(super) fn calibrate_next(&mut self, wave: &mut Wave, after: Option<u32>) {
        self.shape_as_declared(wave);
        let from = after.map_or(0, |after| wave.cases.iter().take_while(|&&case| case != after).count() + 1);
        let is_unknown = |case: &&u32| self.of_case(**case).shape.is_none();
        let mut unknown = wave.cases[from..].iter().filter(is_unknown);
        let Some((case, launch)) = unknown.find_map(|&case| Some((case, wave.first(case)?))) else {
            return self.warm_all(wave);
        };
        if self.of_case(case).first_call != FirstCall::ToMake {
            return self.pilot_begin(wave, case, launch);
        }
        wave.ask_check(launch);
        wave.state = WaveState::Check(case);
    }

    pub(super) fn checked_on(&mut self, wave: &mut Wave, case: u32) {
        let took_ns = self.time.waited_ns();
        let Some(launch) = wave.first(case) else { return self.calibrate_next(wave, Some(case)) };
        let is_first = self.of_case(case).first_call == FirstCall::ToMake;
        self.calibrations[case as usize].called(Some(took_ns));
        let took_ns = self.of_case(case).first_call.took_ns().unwrap_or(0.0);
        if is_first && took_ns <= AGAIN_BELOW_NS && self.run().results[case as usize].digest.is_some() {
            // A body that returns something else the second time changes its input.
            wave.ask_check(launch);
            wave.state = WaveState::Check(case);
            return;
        }
        if !shape::is_long(took_ns) || self.may_spend(wave, took_ns) {
            self.pilot_begin(wave, case, launch);
        } else {
            wave.state = WaveState::VisitsOver;
        }
    }

    fn pilot_begin(&mut self, wave: &mut Wave, case: u32, launch: u32) {
        let long_ns = self.of_case(case).first_call.took_ns().filter(|&ns| shape::is_long(ns));
        let of_baseline = long_ns.filter(|_| !self.benchmark(case).restarts);
        let of_baseline = of_baseline.and_then(|ns| self.shape_of_baseline(wave, case, Some(ns)));
        if let Some(shape) = of_baseline {
            self.calibrations[case as usize].shape = Some(shape);
            return self.warm_up_begin(wave, case, launch, shape);
        }
        let policy = self.policy_of(case);
        let mut pilot = Pilot::new(policy.visit_ns);
        if let Some(fixed) = policy.invocations {
            pilot.invocations = fixed.min(self.batch_max(case));
        }
        // If compared cases compile late, the second call of some may seem long but not of others, so neither counts.
        let may_be_cold = self.facts_of(case).compiles_late && self.group(wave).baseline.is_some();
        // For a case that restarts, the necessary length of visits is not known yet.
        let is_settled = !may_be_cold && !self.benchmark(case).restarts;
        if long_ns.is_some() && pilot.invocations == 1 && is_settled {
            wave.ask_long(launch);
        } else {
            wave.ask(launch, Stage::Pilot, 0, Loop::Workload, Counts::of(1, pilot.invocations));
        }
        wave.state = WaveState::Pilot(case, pilot);
    }

    pub(super) fn pilot_on(&mut self, wave: &mut Wave, case: u32, mut pilot: Pilot) {
        let fixed = self.policy_of(case).invocations.is_some();
        let counted = wave.first(case).and_then(|l| wave.member(l)?.visits.last().copied());
        let piloted = self.of_case(case).seen.last().copied();
        let (Some(launch), Some(last)) = (wave.first(case), counted.or(piloted)) else {
            // The case failed in the meantime.
            return self.calibrate_next(wave, Some(case));
        };
        // An iteration cannot run more than is prepared, so one iteration is enough.
        let batch_max = self.batch_max(case);
        let once = fixed || last.invocations >= batch_max as f64;
        let tried = match counted {
            Some(visit) => PilotResult::Found(visit.wall_per_invocation_ns()),
            None => pilot.tried(&last, self.time.waited_ns()),
        };
        let invocation_ns = match tried {
            PilotResult::Found(ns) => ns,
            PilotResult::Again if once => pilot::pilot_ns(&last) / last.invocations,
            PilotResult::Again => {
                pilot.invocations = pilot.invocations.min(batch_max);
                wave.ask(launch, Stage::Pilot, 0, Loop::Workload, Counts::of(1, pilot.invocations));
                wave.state = WaveState::Pilot(case, pilot);
                return;
            }
            PilotResult::Stands => {
                self.fail_clock(wave, launch, last.wall_ns, last.invocations as u64);
                return self.calibrate_next(wave, Some(case));
            }
        };
        self.choose_loop(wave, case, invocation_ns);
        let shape = self.shape_at(wave, case, invocation_ns);
        self.calibrations[case as usize].shape = Some(shape);
        let usual = Length { invocations: shape.per_iteration(), invocation_ns, allocations: 0.0 };
        match Lengths::new(usual).filter(|_| self.benchmark(case).restarts && !fixed && counted.is_none()) {
            Some(lengths) => self.lengths_ask(wave, case, launch, lengths),
            None => self.warm_up_begin(wave, case, launch, shape),
        }
    }

    fn lengths_ask(&mut self, wave: &mut Wave, case: u32, launch: u32, lengths: Lengths) {
        self.calibrations[case as usize].seen.clear();
        let counts = Counts::of(lengths.iterations, lengths.invocations.min(self.batch_max(case)));
        wave.ask(launch, Stage::Pilot, 0, Loop::Workload, counts);
        wave.state = WaveState::Lengths(case, lengths);
    }

    /// Longer iterations were tried. A length given by the user stays; a finding then tells the effect.
    pub(super) fn lengths_on(&mut self, wave: &mut Wave, case: u32, mut lengths: Lengths) {
        let Some(launch) = wave.first(case) else {
            self.calibrations[case as usize].shape = None;
            return self.calibrate_next(wave, Some(case));
        };
        let seen = std::mem::take(&mut self.calibrations[case as usize].seen);
        let is_free = self.policy_of(case).visit_ns == Policy::default().visit_ns;
        let series = self.run().launches[launch as usize].series.last();
        let allocations = series.and_then(|series| {
            let least = series.columns.metrics.get(Metric::ALLOCATIONS)?.iter().copied().reduce(f64::min)?;
            Some(least / series.invocations.max(1) as f64)
        });
        let Some(found) = lengths.tried(&seen, allocations.unwrap_or(0.0)) else {
            return self.lengths_ask(wave, case, launch, lengths);
        };
        if is_free && lengths.is_longer(found) {
            self.calibrations[case as usize].lengths = Some(found);
        }
        let shape = self.shape_at(wave, case, found.invocation_ns);
        self.calibrations[case as usize].shape = Some(shape);
        self.warm_up_begin(wave, case, launch, shape);
    }

    /// Chooses the loop of a case, once for all its launches, by the time of an invocation in the loop of single turns.
    fn choose_loop(&mut self, wave: &Wave, case: u32, invocation_ns: f64) {
        let run = self.run();
        if !run.has_single_turns(case) || run.launches.iter().any(|l| l.case == case && l.is_visited()) {
            return;
        }
        let may_follow = forms::are_alike(SINGLE_TURNS_FROM_NS, Some(invocation_ns), FOLLOWS_WITHIN);
        let is_chosen = |&&other: &&u32| other != case && self.of_case(other).shape.is_some();
        let chosen = wave.cases.iter().find(is_chosen).filter(|_| may_follow);
        if chosen.map_or(invocation_ns < SINGLE_TURNS_FROM_NS, |&other| run.results[other as usize].unrolled) {
            self.record.add(Event::CaseUnrolled { case });
        }
    }

    fn warm_up_begin(&mut self, wave: &mut Wave, case: u32, launch: u32, shape: Shape) {
        if shape::is_long(shape.visit_ns()) && shape.per_iteration() == 1 {
            // The call for its result has warmed up this child.
            let invocations = self.warm_invocations(case, shape);
            self.calibrations[case as usize].set_warm_up(invocations, 1, false);
            return self.calibrate_next(wave, Some(case));
        }
        let batch_max = self.batch_max(case);
        if self.warms_by_clock(case) {
            // Its children warm up together with all others of the wave.
            return self.calibrate_next(wave, Some(case));
        }
        let waited_ns = self.time.waited_ns();
        let warm_up = WarmUp::new(shape, self.facts_of(case).compiles_late, batch_max, self.policy_of(case), waited_ns);
        // The pilot's visits have other counts, and include the first call.
        self.calibrations[case as usize].seen.clear();
        self.warm_up_ask(wave, case, launch, warm_up);
    }

    /// Untimed calls of a long body in each further launch. A very long body is warm soon enough in its first call.
    fn warm_invocations(&self, case: u32, shape: Shape) -> u64 {
        let policy = self.policy_of(case);
        if policy.warmup_ns == Some(0.0) {
            return 0;
        }
        let is_short = policy.budget_s.is_some() && !policy.first_waves_always;
        let compiles = self.facts_of(case).compiles_late && policy.effort != Effort::Quick && !is_short;
        u64::from(compiles || !shape::is_very_long(shape.invocation_ns))
    }

    fn warm_up_ask(&mut self, wave: &mut Wave, case: u32, launch: u32, warm_up: WarmUp) {
        let counts = self.warm_up_counts(wave, launch, case, warm_up.iterations, warm_up.invocations);
        wave.ask(launch, Stage::Warmup, 0, Loop::Workload, counts);
        wave.state = WaveState::WarmUp(case, warm_up);
    }

    /// Limits warm-up iterations to the available memory. Readings at the ends of each show whether it was alone on the core.
    pub(super) fn warm_up_counts(&self, wave: &mut Wave, launch: u32, case: u32, iterations: u64, each: u64) -> Counts {
        let windows = u64::from(self.of_case(case).shape.is_some_and(|shape| shape.windows > 0));
        let limit = self.plan().policy.growth_limit_bytes;
        let most = wave.member(launch).and_then(|m| m.memory.invocations_max(limit)).unwrap_or(u64::MAX);
        Counts::of(iterations.min(most / each.max(1)).max(1), each.min(most.max(1))).with_windows(windows)
    }

    pub(super) fn warm_up_on(&mut self, wave: &mut Wave, case: u32, mut warm_up: WarmUp) {
        let Some(launch) = wave.first(case) else {
            self.calibrations[case as usize].shape = None;
            return self.calibrate_next(wave, Some(case));
        };
        let seen = std::mem::take(&mut self.calibrations[case as usize].seen);
        let took_ns = self.time.waited_ns();
        let found = warm_up.ran(&seen, took_ns);
        if warm_up.stands() || (took_ns >= SILENCE_NS && seen.iter().all(|v| v.wall_ns <= NOTHING_NS)) {
            let invocations: f64 = seen.iter().map(|v| v.invocations).sum();
            self.fail_clock(wave, launch, 0.0, invocations as u64);
            return self.calibrate_next(wave, Some(case));
        }
        let Some(warmup_ns) = found else {
            return self.warm_up_ask(wave, case, launch, warm_up);
        };
        let shape = self.shape_at(wave, case, warm_up.invocation_ns().unwrap_or(1.0));
        let benchmark = self.benchmark(case);
        let own_time = benchmark.own_time;
        let one_thread = !seen.is_empty() && seen.iter().all(|v| v.process_cpu_ns.is_some());
        let is_alone = one_thread && !self.facts_of(case).has_helpers();
        let computes_alone = is_alone && VisitTraits::of(&seen, benchmark).computes;
        let warms_up = self.policy_of(case).warmup_ns != Some(0.0);
        let iterations = if warms_up { warm_up.iterations_for(warmup_ns) } else { 0 };
        let calibration = &mut self.calibrations[case as usize];
        calibration.shape = Some(shape);
        calibration.set_warm_up(iterations, warm_up.invocations, computes_alone);
        match own_time {
            true => self.calibrate_next(wave, Some(case)),
            false => self.warm_loop_begin(wave, case, launch, Loop::Overhead),
        }
    }

    /// Starts the warm-up of one of a case's loops, if its cost matters.
    fn warm_loop_begin(&mut self, wave: &mut Wave, case: u32, launch: u32, which: Loop) {
        let Some(shape) = self.of_case(case).shape else { return self.calibrate_next(wave, Some(case)) };
        let facts = self.facts_of(case);
        // Iterations of a few invocations, because each is set up or the user said so, show nothing of the loop.
        let fitted = shape.iterations == 1 && self.policy_of(case).invocations.is_none();
        let invocations = match which {
            Loop::Rolled => self.rolled_invocations(case, shape),
            _ => (shape.invocation_ns < LOOP_WARM_BELOW_NS && fitted).then_some(shape.invocations),
        };
        let invocations = invocations.map(|n| n.saturating_mul(shape.windows.max(1)));
        let warm_up = invocations.map(|n| WarmUp::of_loop(n, facts.compiles_late, self.policy_of(case)));
        self.calibrations[case as usize].seen.clear();
        match warm_up {
            Some(warm_up) => self.warm_loop_ask(wave, case, launch, which, warm_up),
            None => self.warm_loop_next(wave, case, launch, which),
        }
    }

    fn warm_loop_ask(&mut self, wave: &mut Wave, case: u32, launch: u32, which: Loop, warm_up: WarmUp) {
        let stage = if which == Loop::Rolled { Stage::Rolled } else { Stage::Overhead };
        wave.ask(launch, stage, 0, which, Counts::of(warm_up.iterations, warm_up.invocations));
        wave.state = WaveState::WarmLoop(case, which, warm_up);
    }

    fn warm_loop_next(&mut self, wave: &mut Wave, case: u32, launch: u32, which: Loop) {
        match which {
            Loop::Rolled => self.calibrate_next(wave, Some(case)),
            _ => self.warm_loop_begin(wave, case, launch, Loop::Rolled),
        }
    }

    pub(super) fn warm_loop_on(&mut self, wave: &mut Wave, case: u32, which: Loop, mut warm_up: WarmUp) {
        let Some(launch) = wave.first(case) else { return self.calibrate_next(wave, Some(case)) };
        let seen = std::mem::take(&mut self.calibrations[case as usize].seen);
        let Some(warmup_ns) = warm_up.ran(&seen, self.time.waited_ns()) else {
            return self.warm_loop_ask(wave, case, launch, which, warm_up);
        };
        let iterations = if warmup_ns > 0.0 { warm_up.iterations_for(warmup_ns) } else { 0 };
        self.calibrations[case as usize].set_loop_warm_up(which, iterations);
        self.warm_loop_next(wave, case, launch, which);
    }

    fn warm_all(&mut self, wave: &mut Wave) {
        self.warm_alike(wave);
        let ask = |m: &Member| {
            // Children that calibrated in this wave are already warm.
            let launch = &self.run().launches[m.launch as usize];
            let (iterations, invocations) = self.warm_up_of(wave, m);
            let is_asked = m.alive && launch.series.is_empty() && iterations > 0 && !self.warms_by_clock(m.case);
            is_asked.then(|| (m.launch, Counts::of(iterations, invocations.max(1))))
        };
        let mut asks: Vec<(u32, Counts)> = wave.members.iter().filter_map(ask).collect();
        self.rng.shuffle(&mut asks);
        wave.ask_warm_ups(asks, self.processors);
        wave.state = WaveState::WarmAll;
    }

    /// Iterations and invocations of a child's warm-up. Builds warm up alike if the longest warm-up is at most twice the shortest: how
    /// often a body has run decides what a branch predictor knows.
    fn warm_up_of(&self, wave: &Wave, member: &Member) -> (u64, u64) {
        let own = self.of_case(member.case).warm_up;
        let all = |(iterations, invocations): (u64, u64)| iterations.saturating_mul(invocations);
        let every = || wave.cases.iter().map(|&case| self.of_case(case).warm_up);
        let longest = every().max_by_key(|&warm_up| all(warm_up)).unwrap_or(own);
        let shortest = every().map(all).min().unwrap_or(0);
        let fits = wave.cases.iter().all(|&case| longest.1 <= self.batch_max(case));
        let are_alike = shortest > 0 && all(longest) <= shortest.saturating_mul(2);
        if self.group(wave).same_invocations && fits && are_alike {
            longest
        } else {
            own
        }
    }

    pub(super) fn loops(&mut self, wave: &mut Wave) {
        self.form_visits(wave);
        let mut members: Vec<(u32, u32)> =
            wave.members.iter().filter(|m| m.alive).map(|m| (m.launch, m.case)).collect();
        self.rng.shuffle(&mut members);
        for (launch, case) in members {
            let Some(shape) = self.of_case(case).shape else { continue };
            let benchmark = self.benchmark(case);
            if shape::is_long(shape.invocation_ns) || benchmark.strategy.keeps_all() || benchmark.own_time {
                continue;
            }
            let facts = self.facts_of(case);
            // A launch's warm-up is not recorded separately: the result is computed from the last iterations.
            let series = &self.run().launches[launch as usize].series;
            let is_warm = series.iter().any(|s| s.stage == Stage::Overhead);
            let (empty, rolled) = if is_warm { (0, 0) } else { self.of_case(case).loop_warm_up };
            let iterations = LOOP_ITERATIONS.max(shape.iterations) + empty;
            let empty = Counts::of(iterations, shape.invocations).with_windows(shape.windows);
            wave.ask(launch, Stage::Overhead, 0, Loop::Overhead, empty);
            if let Some(fewer) = self.rolled_invocations(case, shape) {
                let rolled = Counts::of(LOOP_ITERATIONS + rolled, fewer).with_windows(shape.windows);
                // The cost of a call is the difference of two loops, measured at the same time and equally warm.
                let beside = Counts::of(BESIDE_ITERATIONS, shape.invocations).with_windows(shape.windows);
                if facts.calls_body {
                    wave.ask(launch, Stage::Warmup, 0, Loop::Workload, beside);
                }
                wave.ask(launch, Stage::Rolled, 0, Loop::Rolled, rolled);
                if facts.calls_body {
                    wave.ask(launch, Stage::Warmup, 0, Loop::Workload, beside);
                }
            }
        }
        wave.state = WaveState::Loops;
    }

    /// Invocations of a window of the other loop, or of its iteration; `None` if it is not needed.
    fn rolled_invocations(&self, case: u32, shape: Shape) -> Option<u64> {
        let facts = self.facts_of(case);
        let (turn, other) = self.run().turns_of(case)?;
        let below_ns = if facts.calls_body { ROLLED_CALLS_BELOW_NS } else { ROLLED_TURN_BELOW_NS / turn as f64 };
        let small = shape.invocation_ns < below_ns && shape.per_iteration() > facts.unroll;
        (facts.can("rolled") && small).then(|| {
            let fewer = (shape.invocations.saturating_mul(other.unwrap_or(1).min(turn)) / turn).max(1);
            let fewer = fewer.checked_next_multiple_of(facts.unroll).unwrap_or(fewer);
            fewer.min(self.batch_max(case) / shape.windows.max(1)).max(1)
        })
    }
}
