//! The whole measurement of a plan as a machine of values: actions out, answers in, events on the side.

use crate::action::{Action, Answer};
use crate::calibrate::{self, Pilot, Shape, WarmUp};
use crate::wave::{Phase, Purpose, Wave, LOOP_ITERATIONS};
use std::collections::VecDeque;
use tare_model::{
    visits, ChildFacts, Columns, Event, Failure, FailureKind, LaunchOutcome, Loop, Plan, Recorder, Run, RunStatus,
    Series, Stage, Step, Visit, VisitTraits,
};
use tare_stats::rng::Rng;

/// An invocation shorter than this is measured in the rolled loop too: below, the loop around it is not negligible, ns.
const ROLLED_BELOW_NS: f64 = 6.0;
/// An invocation longer than this is not checked for its result: it would take as long as measuring it, ns.
const CHECK_BELOW_NS: f64 = 1e8;
/// Share of valid visits below which more rounds are no help and CPU time is used, where it may be.
const CLEAN_SHARE_MIN: f64 = 0.6;

/// What the session knows of a case.
#[derive(Debug, Clone, Default)]
struct CaseState {
    shape: Option<Shape>,
    warmup: (u64, u64),
    traits: VisitTraits,
    piloted: Vec<Visit>,
    failed: bool,
    groups_left: u32,
}

/// What a session starts from.
#[derive(Debug, Clone)]
pub struct Started {
    /// The `run-started` event.
    pub event: Event,
    /// What the child of each artifact said of itself.
    pub facts: Vec<ChildFacts>,
    /// Processors that untimed work may share.
    pub processors: usize,
}

/// The measurement of a plan.
#[derive(Debug)]
pub struct Session {
    plan: Plan,
    facts: Vec<ChildFacts>,
    processors: usize,
    rng: Rng,
    queue: VecDeque<(usize, u32)>,
    wave: Option<Wave>,
    cases: Vec<CaseState>,
    recorder: Recorder,
    events: Vec<Event>,
    launches: u32,
    over: bool,
}

impl Session {
    /// A new session; None when the event is not `run-started`.
    pub fn new(started: Started) -> Option<Session> {
        let mut recorder = Recorder::default();
        recorder.apply(&started.event).ok()?;
        let run = recorder.run()?.clone();
        let mut session = Session::on(run, recorder, started.facts, started.processors);
        session.events.push(started.event);
        Some(session)
    }

    /// Goes on with a run that was cut off. Waves that are not complete are made again; what they measured is kept.
    pub fn resume(run: Run, facts: Vec<ChildFacts>, processors: usize, at: String) -> Session {
        let recorder = Recorder::from_run(run.clone());
        let mut session = Session::on(run, recorder, facts, processors);
        session.emit(Event::RunResumed { at });
        session
    }

    fn on(run: Run, recorder: Recorder, facts: Vec<ChildFacts>, processors: usize) -> Session {
        let plan = run.plan.clone();
        let mut cases = vec![CaseState::default(); plan.cases.len()];
        for group in &plan.groups {
            for &case in &group.cases {
                cases[case as usize].groups_left += 1;
            }
        }
        for (state, result) in cases.iter_mut().zip(&run.results) {
            state.failed = result.failure.is_some();
        }
        let mut rng = Rng::new(plan.seed);
        let done: Vec<u32> = (0..plan.groups.len()).map(|g| waves_done(&run, g)).collect();
        let mut order: Vec<usize> = (0..plan.groups.len()).collect();
        let mut queue = VecDeque::new();
        for wave in 0..plan.policy.waves_max {
            if !plan.policy.keep_order {
                rng.shuffle(&mut order);
            }
            queue.extend(order.iter().filter(|&&g| done[g] <= wave).map(|&g| (g, wave)));
        }
        let launches = run.launches.len() as u32;
        let mut session = Session {
            plan,
            facts,
            processors,
            rng,
            queue,
            wave: None,
            cases,
            recorder,
            events: Vec::new(),
            launches,
            over: false,
        };
        for (group, &done) in done.iter().enumerate() {
            if done >= session.plan.policy.waves_max {
                session.group_over(group);
            }
        }
        session
    }

    /// What happened since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The run as far as it is measured.
    pub fn run(&self) -> Option<&Run> {
        self.recorder.run()
    }

    /// Waves done and waves planned, for a progress display.
    pub fn progress(&self) -> (usize, usize) {
        let planned = self.plan.groups.len() * self.plan.policy.waves_max as usize;
        (planned - (self.queue.len() + usize::from(self.wave.is_some())).min(planned), planned)
    }

    /// Ends the session in whatever state it is: the last event.
    pub fn finish(&mut self, status: RunStatus, elapsed_s: f64, steal: Option<f64>, cpu_pressure: Option<f64>) {
        self.over = true;
        self.emit(Event::RunFinished { status, elapsed_s, steal, cpu_pressure });
    }

    /// Adds an event of the runner's own.
    pub fn note(&mut self, event: Event) {
        self.emit(event);
    }

    /// What is to be done next; `now_ns` is the time since the start of this part of the run.
    pub fn next(&mut self, now_ns: f64) -> Action {
        // Each turn either returns or moves a phase on; a wave has fewer than 12 phases for each of its cases.
        loop {
            if self.over {
                return Action::Done;
            }
            let Some(wave) = self.wave.as_mut() else {
                match self.begin_wave(now_ns) {
                    Some(action) => return action,
                    None => continue,
                }
            };
            if !wave.to_kill.is_empty() {
                return Action::Kill(std::mem::take(&mut wave.to_kill));
            }
            if let Some(action) = wave.send() {
                return action;
            }
            if let Some(action) = self.turn() {
                return action;
            }
        }
    }

    /// Takes the answer of a child in.
    pub fn answer(&mut self, launch: u32, answer: Answer) {
        let Some(wave) = self.wave.as_mut() else { return };
        let purpose = wave.waiting.iter().position(|(l, _)| *l == launch).map(|at| wave.waiting.remove(at).1);
        let Some(member) = wave.member(launch).filter(|m| m.alive) else { return };
        match answer {
            Answer::Opened { start_up_ns, resident_bytes } => {
                member.growth = crate::growth::Growth::opened(resident_bytes);
                self.emit(Event::LaunchOpened { launch, start_up_ns });
            }
            Answer::Measured { columns, resident_bytes } => {
                if let Some(purpose) = purpose {
                    self.measured(launch, purpose, columns, resident_bytes);
                }
            }
            Answer::Checked { digest, text } => {
                let case = self.case_of(launch);
                self.emit(Event::Checked { case, digest, text });
            }
            Answer::Ended { peak_memory_bytes, output } => {
                member.alive = false;
                let memory_growth_bytes = member.growth.bytes();
                if !output.is_empty() {
                    self.emit(Event::Output { launch, lines: output });
                }
                let outcome = LaunchOutcome::Finished;
                self.emit(Event::LaunchFinished { launch, outcome, peak_memory_bytes, memory_growth_bytes });
            }
            Answer::Failed { failure, peak_memory_bytes } => self.fail(launch, failure, peak_memory_bytes),
        }
    }

    fn emit(&mut self, event: Event) {
        // The engine makes events only for launches and cases that exist; a violation would show as a missing row.
        let applied = self.recorder.apply(&event);
        debug_assert_eq!(applied, Ok(()), "{event:?}");
        self.events.push(event);
    }

    fn case_of(&self, launch: u32) -> u32 {
        let Some(wave) = &self.wave else { return 0 };
        let position = wave.members.iter().find(|m| m.launch == launch).map_or(0, |m| m.position);
        self.plan.groups[wave.group].cases[position]
    }

    fn facts_of(&self, case: u32) -> &ChildFacts {
        &self.facts[self.plan.cases[case as usize].artifact as usize]
    }

    fn fail(&mut self, launch: u32, failure: Failure, peak_memory_bytes: Option<u64>) {
        let case = self.case_of(launch);
        let Some(wave) = self.wave.as_mut() else { return };
        let position = wave.member(launch).map_or(0, |m| m.position);
        let dropped = wave.drop_case(position, launch);
        self.cases[case as usize].failed = true;
        for other in dropped {
            let (outcome, peak_memory_bytes) = if other == launch {
                (LaunchOutcome::Failed, peak_memory_bytes)
            } else {
                (LaunchOutcome::Unfinished, None)
            };
            self.emit(Event::LaunchFinished { launch: other, outcome, peak_memory_bytes, memory_growth_bytes: None });
        }
        self.emit(Event::CaseFailed { case, failure });
    }

    /// Starts the next wave of the queue; None when the session's state changed instead.
    fn begin_wave(&mut self, now_ns: f64) -> Option<Action> {
        let Some((group, number)) = self.queue.pop_front() else {
            self.over = true;
            return Some(Action::Done);
        };
        let positions: Vec<usize> = self.plan.groups[group]
            .cases
            .iter()
            .enumerate()
            .filter(|(_, &case)| !self.cases[case as usize].failed)
            .map(|(position, _)| position)
            .collect();
        let out_of_time = number > 0 && self.plan.policy.budget_s.is_some_and(|s| now_ns > s * 1e9);
        if positions.is_empty() || out_of_time {
            self.queue.retain(|(g, _)| *g != group);
            self.group_over(group);
            return None;
        }
        let wave = Wave::new(group, number, &positions, self.plan.policy.width, self.launches);
        self.launches += wave.members.len() as u32;
        let cases = self.plan.groups[group].cases.clone();
        let seeds: Vec<u64> = wave.members.iter().map(|m| self.rng.fork(u64::from(m.launch)).next_u64() | 1).collect();
        for (member, &seed) in wave.members.iter().zip(&seeds) {
            self.emit(Event::LaunchStarted {
                launch: member.launch,
                case: cases[member.position],
                group: group as u32,
                wave: number,
                seed,
                start_ns: now_ns,
            });
        }
        let action = wave.starts(&cases, &seeds);
        self.wave = Some(wave);
        Some(action)
    }

    /// All answers of a phase are in: what follows.
    fn turn(&mut self) -> Option<Action> {
        let wave = self.wave.as_mut()?;
        if wave.living().is_empty() && !matches!(wave.phase, Phase::Ending) {
            wave.phase = Phase::Over;
        }
        match std::mem::replace(&mut wave.phase, Phase::Over) {
            Phase::Starting => self.calibrate_next(0),
            Phase::Pilot(position, pilot) => self.pilot_on(position, pilot),
            Phase::WarmUp(position, warm_up) => self.warm_up_on(position, warm_up),
            Phase::Check(position) => self.calibrate_next(position + 1),
            Phase::WarmAll => self.loops(),
            Phase::Loops => self.rounds_begin(),
            Phase::Rounds { round, wanted } => return self.rounds_on(round, wanted),
            Phase::Ending | Phase::Over => self.wave_over(),
        }
        None
    }

    /// Calibrates the next case from `from` on that is not known yet; warms all up when there is none.
    fn calibrate_next(&mut self, from: usize) {
        let target = self.plan.policy.visit_ns;
        let Some(wave) = self.wave.as_mut() else { return };
        let cases = &self.plan.groups[wave.group].cases;
        let next = wave.positions().into_iter().find(|&p| p >= from && self.cases[cases[p] as usize].shape.is_none());
        match next.and_then(|position| Some((position, wave.first(position)?))) {
            Some((position, launch)) => {
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

    fn pilot_on(&mut self, position: usize, mut pilot: Pilot) {
        let fixed = self.plan.policy.invocations.is_some();
        let Some(wave) = self.wave.as_mut() else { return };
        let case = self.plan.groups[wave.group].cases[position];
        let (Some(launch), Some(last)) = (wave.first(position), self.cases[case as usize].piloted.last().copied())
        else {
            // The case failed in the meantime.
            return self.calibrate_next(position + 1);
        };
        let found = match pilot.tried(&last) {
            None if fixed => Some(calibrate::pilot_ns(&last) / last.invocations),
            // A body with an iteration set-up is run once an iteration: one iteration tells enough.
            None if self.plan.cases[case as usize].benchmark.has_iteration_set_up() => {
                Some(calibrate::pilot_ns(&last) / last.invocations)
            }
            found => found,
        };
        let Some(invocation_ns) = found else {
            wave.ask(launch, Stage::Pilot, 0, Loop::Workload, 1, (pilot.invocations, 0));
            wave.phase = Phase::Pilot(position, pilot);
            return;
        };
        let facts = &self.facts[self.plan.cases[case as usize].artifact as usize];
        let set_up = self.plan.cases[case as usize].benchmark.has_iteration_set_up();
        let shape = calibrate::shape(invocation_ns, facts.unroll, set_up, &self.plan.policy);
        let warm_up = WarmUp::new(shape, facts.managed, &self.plan.policy);
        self.cases[case as usize].shape = Some(shape);
        wave.ask(launch, Stage::Warmup, 0, Loop::Workload, warm_up.iterations, (warm_up.invocations, 0));
        wave.phase = Phase::WarmUp(position, warm_up);
    }

    fn warm_up_on(&mut self, position: usize, mut warm_up: WarmUp) {
        let Some(wave) = self.wave.as_mut() else { return };
        let case = self.plan.groups[wave.group].cases[position];
        let Some(launch) = wave.first(position) else {
            self.cases[case as usize].shape = None;
            return self.calibrate_next(position + 1);
        };
        let state = &mut self.cases[case as usize];
        let seen = std::mem::take(&mut state.piloted);
        let Some(warmup_ns) = warm_up.ran(&seen) else {
            wave.ask(launch, Stage::Warmup, 0, Loop::Workload, warm_up.iterations, (warm_up.invocations, 0));
            wave.phase = Phase::WarmUp(position, warm_up);
            return;
        };
        let benchmark = &self.plan.cases[case as usize].benchmark;
        let unroll = self.facts[self.plan.cases[case as usize].artifact as usize].unroll;
        let ns = warm_up.invocation_ns().unwrap_or(1.0);
        let state = &mut self.cases[case as usize];
        state.shape = Some(calibrate::shape(ns, unroll, benchmark.has_iteration_set_up(), &self.plan.policy));
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
        let warmed: Vec<u32> = self
            .recorder
            .run()
            .map(|run| run.launches.iter().filter(|l| !l.series.is_empty()).map(|l| l.id).collect())
            .unwrap_or_default();
        let asks = wave
            .members
            .iter()
            .filter(|m| m.alive && !warmed.contains(&m.launch))
            .map(|m| {
                let (iterations, invocations) = self.cases[cases[m.position] as usize].warmup;
                (m.launch, iterations.max(1), invocations.max(1))
            })
            .collect();
        wave.ask_warm_ups(asks, self.processors);
        wave.phase = Phase::WarmAll;
    }

    fn loops(&mut self) {
        let Some(wave) = self.wave.as_mut() else { return };
        let group = &self.plan.groups[wave.group];
        let members: Vec<(u32, usize)> =
            wave.members.iter().filter(|m| m.alive).map(|m| (m.launch, m.position)).collect();
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
                let fewer = (shape.invocations * share / facts.unroll).next_multiple_of(facts.unroll);
                wave.ask(launch, Stage::Rolled, 0, Loop::Rolled, LOOP_ITERATIONS, (fewer, 0));
            }
        }
        wave.phase = Phase::Loops;
    }

    fn rounds_begin(&mut self) {
        let Some(wave) = self.wave.as_mut() else { return };
        let group = &self.plan.groups[wave.group];
        let calibrated: Vec<(u32, u64)> = wave
            .members
            .iter()
            .filter(|m| m.alive)
            .filter_map(|m| Some((m.launch, self.cases[group.cases[m.position] as usize].shape?.invocations)))
            .collect();
        let longest = group
            .cases
            .iter()
            .filter_map(|&c| self.cases[c as usize].shape)
            .map(|s| s.invocation_ns * (s.invocations * s.iterations) as f64)
            .fold(0.0, f64::max);
        wave.phase = Phase::Rounds { round: 0, wanted: calibrate::rounds(longest, &self.plan.policy) };
        for (launch, invocations) in calibrated {
            self.emit(Event::Calibrated { launch, invocations });
        }
    }

    fn rounds_on(&mut self, round: u32, wanted: u32) -> Option<Action> {
        let hopeless = self.is_hopeless(round, wanted);
        let wave = self.wave.as_mut()?;
        if wave.needs_round(round, wanted) && !hopeless {
            let cases = &self.plan.groups[wave.group].cases;
            let shapes: Vec<Option<Shape>> = cases.iter().map(|&c| self.cases[c as usize].shape).collect();
            wave.ask_round(round, &shapes, &mut self.rng);
            wave.phase = Phase::Rounds { round: round + 1, wanted };
            return None;
        }
        wave.phase = Phase::Ending;
        Some(Action::End(wave.living()))
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

    fn wave_over(&mut self) {
        let Some(wave) = self.wave.take() else { return };
        let done = wave.number + 1;
        let policy = &self.plan.policy;
        let settled = done >= policy.waves_min
            && self.recorder.run().is_some_and(|run| tare_analysis::settled(run, wave.group as u32));
        if settled || done >= policy.waves_max {
            self.queue.retain(|(g, _)| *g != wave.group);
            self.group_over(wave.group);
        }
    }

    /// No wave of the group will follow: its cases are complete unless another group has them too.
    fn group_over(&mut self, group: usize) {
        for case in self.plan.groups[group].cases.clone() {
            let state = &mut self.cases[case as usize];
            state.groups_left = state.groups_left.saturating_sub(1);
            if state.groups_left == 0 && !state.failed {
                self.emit(Event::CaseFinished { case });
            }
        }
    }

    fn measured(&mut self, launch: u32, purpose: Purpose, columns: Columns, resident_bytes: Option<u64>) {
        let Some(stage) = purpose.stage else { return };
        let case = self.case_of(launch);
        let limit = self.plan.policy.growth_limit_bytes;
        let round = vec![purpose.round; columns.len()];
        let series = Series { stage, invocations: purpose.invocations, round, columns };
        let seen = match stage {
            // Each iteration of a pilot or a warm-up is looked at by itself.
            Stage::Pilot | Stage::Warmup => each_iteration(&series),
            _ => visits(&series),
        };
        let state = &mut self.cases[case as usize];
        if matches!(stage, Stage::Pilot | Stage::Warmup) {
            state.piloted.extend_from_slice(&seen);
            if stage == Stage::Warmup && seen.len() > 1 {
                state.traits = VisitTraits::of(&seen);
            }
        }
        let valid = u32::from(stage == Stage::Actual && seen.iter().all(|v| v.is_valid(state.traits)));
        let Some(member) = self.wave.as_mut().and_then(|w| w.member(launch)) else { return };
        member.valid += valid;
        let grown = match stage {
            Stage::Overhead => None,
            _ => member.growth.visited(resident_bytes, purpose.total, limit),
        };
        let invocations = member.growth.invocations();
        let Series { round: _, columns, .. } = series;
        self.emit(Event::Measured { launch, stage, round: purpose.round, invocations: purpose.invocations, columns });
        if let Some(bytes) = grown {
            let cause = FailureKind::MemoryGrowth { bytes, invocations };
            if let Some(wave) = self.wave.as_mut() {
                // This child still runs: it is killed like the others of its case.
                wave.to_kill.push(launch);
            }
            self.fail(launch, Failure { cause, step: Step::Body, output: Vec::new() }, None);
        }
    }
}

fn each_iteration(series: &Series) -> Vec<Visit> {
    let round = (0..series.columns.len() as u32).collect();
    visits(&Series { round, ..series.clone() })
}

/// Complete waves of a group in a run that was cut off: all launches finished, or of cases that failed.
fn waves_done(run: &Run, group: usize) -> u32 {
    let mut wave = 0;
    loop {
        let mut launches = run.launches.iter().filter(|l| l.group as usize == group && l.wave == wave).peekable();
        if launches.peek().is_none() {
            return wave;
        }
        let last_try = last_try(run, group, wave);
        let complete = last_try.iter().all(|&id| {
            let launch = &run.launches[id as usize];
            launch.outcome == LaunchOutcome::Finished || run.results[launch.case as usize].failure.is_some()
        });
        if !complete {
            return wave;
        }
        wave += 1;
    }
}

/// The launches of the newest try of a wave: a resumed run makes a wave that was cut off again.
fn last_try(run: &Run, group: usize, wave: u32) -> Vec<u32> {
    let ids: Vec<u32> =
        run.launches.iter().filter(|l| l.group as usize == group && l.wave == wave).map(|l| l.id).collect();
    let mut start = ids.len().saturating_sub(1);
    while start > 0 && ids[start - 1] + 1 == ids[start] {
        let same_start = run.launches[ids[start - 1] as usize].start_ns == run.launches[ids[start] as usize].start_ns;
        if !same_start {
            break;
        }
        start -= 1;
    }
    ids[start..].to_vec()
}
