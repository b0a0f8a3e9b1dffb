//! The whole measurement of a plan as a machine of values: actions out, answers in, events on the side.

use crate::action::Action;
use crate::budget::spent_ns;
use crate::calibrate::Shape;
use crate::distinct::unmeasurable;
use crate::resume::{launches_of_cut_waves, waves_done};
use crate::trust::Claim;
use crate::wave::{Phase, Wave};
use std::collections::VecDeque;
use tare_analysis::Progress;
use tare_model::{
    ChildFacts, Environment, Event, Failure, Launch, LaunchOutcome, Plan, Policy, Recorder, Run, RunStatus, Stage,
    Step, Visit,
};
use tare_stats::rng::Rng;

/// What the session knows of a case.
#[derive(Debug, Clone, Default)]
pub(crate) struct CaseState {
    /// The rules of its job.
    pub(crate) policy: Policy,
    /// Form of its visits, once it is known.
    pub(crate) shape: Option<Shape>,
    /// Iterations and invocations of the warm-up of each launch; no iterations: none.
    pub(crate) warmup: (u64, u64),
    /// Iterations that the empty loop and the rolled loop of each launch warm up for.
    pub(crate) loop_warmup: (u64, u64),
    /// The body was run for its result, and what the host waited for it, ns.
    pub(crate) first_call_ns: Option<f64>,
    /// Its body works on one thread, which does not wait, and nothing compiles or collects beside it.
    pub(crate) computes_alone: bool,
    /// What the pilot or the warm-up under way has seen.
    pub(crate) piloted: Vec<Visit>,
    failed: bool,
    /// A wave with it is complete.
    measured: bool,
    groups_left: u32,
    /// From the start of its children until the last was open, ns.
    pub(crate) start_up_ns: f64,
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

/// Where and when a run is resumed.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// UTC, RFC 3339.
    pub at: String,
    /// The machine as it is now.
    pub environment: Box<Environment>,
}

/// The measurement of a plan.
#[derive(Debug)]
pub struct Session {
    pub(crate) plan: Plan,
    pub(crate) facts: Vec<ChildFacts>,
    pub(crate) processors: usize,
    pub(crate) rng: Rng,
    pub(crate) queue: VecDeque<(usize, u32)>,
    pub(crate) wave: Option<Wave>,
    pub(crate) cases: Vec<CaseState>,
    pub(crate) recorder: Recorder,
    pub(crate) settled: Progress,
    /// Time since the start of the run, all its parts together, ns.
    pub(crate) now_ns: f64,
    /// When the requests under way were sent, ns.
    pub(crate) asked_ns: f64,
    /// What was answered since.
    pub(crate) claims: Vec<Claim>,
    /// Readings of the width probe in this wave, cycles an addition.
    pub(crate) widths: Vec<f64>,
    /// A wave has settled the level that they are judged by.
    pub(crate) width_settled: bool,
    /// Something has been measured.
    pub(crate) visited: bool,
    /// What the parts before this one took, ns.
    before_ns: f64,
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
        session.fail_invalid();
        Some(session)
    }

    /// Goes on with a run that was cut off, on what may be another machine. Waves that are not complete are made again; what they
    /// measured is kept.
    pub fn resume(run: Run, facts: Vec<ChildFacts>, processors: usize, resumed: Resumed) -> Session {
        let aside: Vec<Launch> = launches_of_cut_waves(&run);
        let recorder = Recorder::from_run(run.clone());
        let mut session = Session::on(run, recorder, facts, processors);
        let Resumed { at, environment } = resumed;
        session.emit(Event::RunResumed { at, environment, before_s: session.before_ns * 1e-9 });
        for launch in aside {
            // It ended well, but its wave is made again: contestants are compared only with those that were alive with them.
            session.emit(Event::LaunchFinished {
                launch: launch.id,
                outcome: LaunchOutcome::Unfinished,
                peak_memory_bytes: launch.peak_memory_bytes,
                memory_growth_bytes: launch.memory_growth_bytes,
            });
        }
        session.fail_invalid();
        session.close_groups();
        session
    }

    /// Cases that are declared wrongly, or require what there is not, fail by name before anything is started.
    fn fail_invalid(&mut self) {
        for case in 0..self.cases.len() {
            let Some(cause) = unmeasurable(&self.plan.cases[case].benchmark) else { continue };
            if std::mem::replace(&mut self.cases[case].failed, true) {
                continue;
            }
            let failure = Failure { cause, step: Step::List, output: Vec::new() };
            self.emit(Event::CaseFailed { case: case as u32, failure });
        }
    }

    fn on(run: Run, recorder: Recorder, facts: Vec<ChildFacts>, processors: usize) -> Session {
        let plan = run.plan.clone();
        let mut cases = vec![CaseState::default(); plan.cases.len()];
        for group in &plan.groups {
            for &case in &group.cases {
                cases[case as usize].groups_left += 1;
            }
        }
        for (state, case) in cases.iter_mut().zip(&plan.cases) {
            let overlay = run.jobs.get(case.job as usize).map(|job| job.policy).unwrap_or_default();
            state.policy = overlay.over(&plan.policy);
        }
        for (state, result) in cases.iter_mut().zip(&run.results) {
            state.failed = result.failure.is_some();
            state.first_call_ns = (result.digest.is_some() || result.text.is_some()).then_some(0.0);
        }
        let before_ns = spent_ns(&run);
        let mut rng = Rng::new(plan.seed);
        let done = waves_done(&run);
        let mut queue = schedule(&plan, &mut rng);
        queue.retain(|&(group, wave)| done[group] <= wave);
        for launch in run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished) {
            cases[launch.case as usize].measured |= launch.wave < done[launch.group as usize];
        }
        let launches = run.launches.len() as u32;
        let visited = run.launches.iter().flat_map(|l| &l.series).any(|s| s.stage == Stage::Actual);
        // A resumed part must not repeat the orders of the first.
        let rng = rng.fork(launches.into());
        Session {
            plan,
            facts,
            processors,
            rng,
            queue,
            wave: None,
            cases,
            recorder,
            settled: Progress::default(),
            now_ns: before_ns,
            asked_ns: before_ns,
            claims: Vec::new(),
            widths: Vec::new(),
            width_settled: visited,
            visited,
            before_ns,
            events: Vec::new(),
            launches,
            over: false,
        }
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
        let planned: usize = self.plan.groups.iter().map(|g| self.plan.policy.waves_of(g).1 as usize).sum();
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
        self.now_ns = self.before_ns + now_ns;
        self.doubt();
        // Each turn either returns or moves a phase on; a wave has fewer than 12 phases for each of its cases.
        loop {
            if self.over {
                return Action::Done;
            }
            let Some(wave) = self.wave.as_mut() else {
                match self.begin_wave() {
                    Some(action) => return action,
                    None => continue,
                }
            };
            if !wave.to_kill.is_empty() {
                return Action::Kill(std::mem::take(&mut wave.to_kill));
            }
            self.stop_in_time();
            let (plan, cases) = (&self.plan, &self.cases);
            let send = |wave: &mut Wave| {
                let group = &plan.groups[wave.group].cases;
                wave.send(|position| group.get(position).is_some_and(|&case| cases[case as usize].computes_alone))
            };
            if let Some(action) = self.wave.as_mut().and_then(send) {
                self.asked_ns = self.now_ns;
                return action;
            }
            if let Some(action) = self.turn() {
                return action;
            }
        }
    }

    pub(crate) fn emit(&mut self, event: Event) {
        // The engine makes events only for launches and cases that exist; a violation would show as a missing row.
        let applied = self.recorder.apply(&event);
        debug_assert_eq!(applied, Ok(()), "{event:?}");
        self.events.push(event);
    }

    pub(crate) fn case_of(&self, launch: u32) -> u32 {
        let Some(wave) = &self.wave else { return 0 };
        let position = wave.members.iter().find(|m| m.launch == launch).map_or(0, |m| m.position);
        self.plan.groups[wave.group].cases[position]
    }

    pub(crate) fn facts_of(&self, case: u32) -> &ChildFacts {
        &self.facts[self.plan.cases[case as usize].artifact as usize]
    }

    /// The rules of the job of a case.
    pub(crate) fn policy_of(&self, case: u32) -> &Policy {
        &self.cases[case as usize].policy
    }

    pub(crate) fn fail(&mut self, launch: u32, failure: Failure, peak_memory_bytes: Option<u64>) {
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
    fn begin_wave(&mut self) -> Option<Action> {
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
        if positions.is_empty() || !self.has_time_for(group, number) {
            self.queue.retain(|(g, _)| *g != group);
            self.group_over(group);
            return None;
        }
        let width = self.plan.policy.width_of(&self.plan.groups[group]);
        let wave = Wave::new(group, number, &positions, width, self.launches);
        let wave = Wave { started_ns: self.now_ns, ..wave };
        self.launches += wave.members.len() as u32;
        let cases = self.plan.groups[group].cases.clone();
        let seeds = self.seeds(&wave, width);
        for (member, &seed) in wave.members.iter().zip(&seeds) {
            self.emit(Event::LaunchStarted {
                launch: member.launch,
                case: cases[member.position],
                group: group as u32,
                wave: number,
                seed,
                start_ns: self.now_ns,
            });
        }
        let action = wave.starts(&cases, &seeds, &mut self.rng);
        self.wave = Some(wave);
        Some(action)
    }

    /// Seeds of the launches of a wave. The upper half counts the launches of a case, since it draws the layout: each
    /// layout is drawn as often as any other. The lower half is random and odd, so never 0.
    fn seeds(&self, wave: &Wave, width: u32) -> Vec<u64> {
        let fixed = Rng::new(self.plan.seed ^ wave.group as u64);
        let members = wave.members.iter().enumerate();
        members
            .map(|(at, member)| {
                let earlier = wave.members[..at].iter().filter(|m| m.position == member.position).count();
                let of_case = u64::from(wave.number * width) + earlier as u64;
                let random = self.rng.fork(u64::from(member.launch)).next_u64();
                // The same for all waves of the case.
                let offset = fixed.fork(member.position as u64).next_u64() >> 48;
                ((of_case + offset) << 32) | (random & 0xffff_ffff) | 1
            })
            .collect()
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
            Phase::WarmLoop(position, which, warm_up) => self.warm_loop_on(position, which, warm_up),
            Phase::Check(position) => self.checked_on(position),
            Phase::WarmAll => self.loops(),
            Phase::Loops => self.rounds_begin(),
            Phase::Rounds { round, wanted } => return self.rounds_on(round, wanted),
            Phase::Ending | Phase::Over => self.wave_over(),
        }
        None
    }

    fn wave_over(&mut self) {
        let Some(wave) = self.wave.take() else { return };
        self.widths_settle();
        for position in wave.members.iter().filter(|m| !m.visits().is_empty()).map(|m| m.position) {
            let case = self.plan.groups[wave.group].cases[position];
            self.cases[case as usize].measured = true;
        }
        let done = wave.number + 1;
        let (waves_min, waves_max) = self.plan.policy.waves_of(&self.plan.groups[wave.group]);
        let settled = done >= waves_min && waves_min < waves_max && {
            if let Some(run) = self.recorder.run() {
                self.settled.update(run, &[wave.group as u32]);
            }
            self.settled.is_settled(wave.group as u32, self.plan.comparisons())
        };
        if settled || done >= waves_max {
            self.queue.retain(|(g, _)| *g != wave.group);
            self.group_over(wave.group);
        }
    }

    /// No wave of the group will follow: its cases are complete unless another group has them too, or there was no time for
    /// a single wave of them.
    pub(crate) fn group_over(&mut self, group: usize) {
        for case in self.plan.groups[group].cases.clone() {
            let state = &mut self.cases[case as usize];
            state.groups_left = state.groups_left.saturating_sub(1);
            let known = self.recorder.run().is_some_and(|run| run.results[case as usize].complete);
            if state.groups_left == 0 && !state.failed && state.measured && !known {
                self.emit(Event::CaseFinished { case });
            }
        }
    }
}

/// All waves in the order in which they are made: those of a group evenly over the session, each at a random moment of its
/// part, so that no group keeps following another and the launches of a case see the whole session.
fn schedule(plan: &Plan, rng: &mut Rng) -> VecDeque<(usize, u32)> {
    let mut moments = Vec::new();
    for (group, members) in plan.groups.iter().enumerate() {
        let (_, waves) = plan.policy.waves_of(members);
        for wave in 0..waves {
            let offset = if plan.policy.keep_order { 0.0 } else { rng.uniform() };
            moments.push(((f64::from(wave) + offset) / f64::from(waves), group, wave));
        }
    }
    // Little time is spent on every group once before any has a second wave.
    let turn = |wave: u32| plan.policy.budget_s.is_some() && wave > 0;
    moments.sort_by(|a, b| turn(a.2).cmp(&turn(b.2)).then(a.0.total_cmp(&b.0)).then(a.1.cmp(&b.1)));
    moments.into_iter().map(|(_, group, wave)| (group, wave)).collect()
}
