//! What a session measures with and has found so far, whatever wave is under way.

use crate::action::Action;
use crate::budget::spent_ns;
use crate::calibrate::Shape;
use crate::collecting::Collected;
use crate::distinct::unmeasurable;
use crate::further::Further;
use crate::resume::waves_done;
use crate::trust::Claim;
use crate::warm_up::Warmth;
use crate::wave::{Member, Wave};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tare_analysis::{AloneLaunches, Progress};
use tare_model::{
    CaseGroup, ChildFacts, Event, Failure, Launch, LaunchOutcome, Plan, Policy, Profile, Recorder, Run, Stage, Step,
    TraitCounts, Visit, WidthProbe,
};
use tare_stats::rng::Rng;

/// What the session knows of a case.
#[derive(Debug, Clone, Default)]
pub(crate) struct CaseState {
    /// The rules of its job.
    pub(crate) policy: Policy,
    /// Its memory is randomized before each visit but the first of a launch.
    pub(crate) randomizes_memory: bool,
    /// What that takes at least, ns; 0 before it was done.
    pub(crate) moving_ns: f64,
    /// Form of its visits, once it is known.
    pub(crate) shape: Option<Shape>,
    /// Iterations and invocations of the warm-up of each launch; no iterations: none.
    pub(crate) warmup: (u64, u64),
    /// What makes a launch warm, where its runtime compiles by the clock and that is known.
    pub(crate) warmth: Option<Warmth>,
    /// Iterations that the empty loop and the rolled loop of each launch warm up for.
    pub(crate) loop_warmup: (u64, u64),
    /// The body was run for its result, and what the host waited for it, ns.
    pub(crate) first_call_ns: Option<f64>,
    /// Its body works on one thread, which does not wait, and nothing compiles or collects beside it.
    pub(crate) computes_alone: bool,
    /// What its warm-ups showed of its collections.
    pub(crate) collected: Collected,
    /// Its visits have the form that those of its group have shown to need.
    pub(crate) is_formed: bool,
    /// What else its warm-ups showed of the body.
    pub(crate) warmed: TraitCounts,
    /// What the pilot or the warm-up under way has seen.
    pub(crate) piloted: Vec<Visit>,
    failed: bool,
    /// The group that was added for it, as it failed beside other processes: it runs in no other.
    alone_in: Option<usize>,
    /// A wave with it is complete.
    measured: bool,
    groups_left: u32,
    /// From the start of its children until the last was open, ns.
    pub(crate) start_up_ns: f64,
    /// Its launches in this part of the run that were alone on the core.
    pub(crate) alone: AloneLaunches,
}

impl CaseState {
    /// Whether it is measured in this group.
    pub(crate) fn runs_in(&self, group: usize) -> bool {
        !self.failed && self.alone_in.is_none_or(|alone| alone == group)
    }
}

/// All of a session but its wave.
#[derive(Debug)]
pub(crate) struct Measurement {
    pub(crate) plan: Plan,
    pub(crate) facts: Vec<ChildFacts>,
    pub(crate) processors: usize,
    pub(crate) rng: Rng,
    pub(crate) queue: VecDeque<(usize, u32)>,
    pub(crate) cases: Vec<CaseState>,
    pub(crate) recorder: Recorder,
    pub(crate) settled: Progress,
    /// Time since the start of the run, all its parts together, ns.
    pub(crate) now_ns: f64,
    /// When the requests under way were sent, ns.
    pub(crate) asked_ns: f64,
    /// The case whose memory was randomized since.
    pub(crate) moved: Option<u32>,
    /// What was answered since.
    pub(crate) claims: Vec<Claim>,
    /// Readings of the width probes in this wave, cycles an addition, where they can be compared between processes; and those of the waves
    /// before it, as long as they are too few.
    pub(crate) widths: BTreeMap<WidthProbe, Vec<f64>>,
    /// A wave has settled the levels that these are judged by.
    pub(crate) width_settled: BTreeSet<WidthProbe>,
    /// Something has been measured.
    pub(crate) visited: bool,
    /// What the parts before this one took, ns.
    pub(crate) before_ns: f64,
    pub(crate) events: Vec<Event>,
    /// What the groups took, and the waves that were added to the planned ones.
    pub(crate) further: Further,
    launches: u32,
}

impl Measurement {
    /// Of a run as far as it is measured.
    pub(crate) fn of(run: Run, recorder: Recorder, facts: Vec<ChildFacts>, processors: usize) -> Measurement {
        let plan = run.plan.clone();
        let mut cases = vec![CaseState::default(); plan.cases.len()];
        for group in &plan.groups {
            for &case in &group.cases {
                cases[case as usize].groups_left += 1;
            }
        }
        for (state, case) in cases.iter_mut().zip(0..) {
            state.policy = run.policy_of(case);
            let artifact = plan.cases[case as usize].artifact as usize;
            let can = facts.get(artifact).is_some_and(|child| child.can("randomize"));
            state.randomizes_memory = can && run.wants_other_memory(case);
        }
        for (state, result) in cases.iter_mut().zip(&run.results) {
            state.failed = result.failure.is_some();
            state.alone_in = result.repeated.as_ref().map(|alone| alone.group as usize);
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
        let is_visited = |l: &&Launch| l.series.iter().any(|s| s.stage == Stage::Actual);
        let visited = run.launches.iter().any(|l| is_visited(&l));
        // What windows have been judged by stays as it is when a run goes on.
        let program = |l: &Launch| plan.cases[l.case as usize].artifact as usize;
        let width_settled = run.launches.iter().filter(is_visited).map(|l| facts[program(l)].width_probe()).collect();
        // A resumed part must not repeat the orders of the first.
        let rng = rng.fork(launches.into());
        Measurement {
            plan,
            facts,
            processors,
            rng,
            queue,
            cases,
            recorder,
            settled: Progress::default(),
            now_ns: before_ns,
            asked_ns: before_ns,
            moved: None,
            claims: Vec::new(),
            widths: BTreeMap::new(),
            width_settled,
            visited,
            before_ns,
            events: Vec::new(),
            further: Further::default(),
            launches,
        }
    }

    /// Cases that are declared wrongly, or require what there is not, fail by name before anything is started.
    pub(crate) fn fail_invalid(&mut self) {
        for case in 0..self.cases.len() {
            let Some(cause) = unmeasurable(&self.plan.cases[case].benchmark) else { continue };
            if std::mem::replace(&mut self.cases[case].failed, true) {
                continue;
            }
            let failure = Failure { cause, step: Step::List, output: Vec::new() };
            self.emit(Event::CaseFailed { case: case as u32, failure });
        }
    }

    pub(crate) fn emit(&mut self, event: Event) {
        // The engine makes events only for launches and cases that exist; a violation would show as a missing row.
        let applied = self.recorder.apply(&event);
        debug_assert_eq!(applied, Ok(()), "{event:?}");
        self.events.push(event);
    }

    /// The case of a launch of the wave.
    pub(crate) fn case_of(&self, wave: &Wave, launch: u32) -> u32 {
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

    /// Whether the number of launches is the profile's own: nobody asked for another number or a precision, and no two sides are compared.
    pub(crate) fn has_launches_of(&self, profile: Profile) -> bool {
        let shape = |policy: &Policy| (policy.profile, policy.width, policy.waves_min, policy.waves_max);
        shape(&self.plan.policy) == shape(&Policy::of(profile))
    }

    /// The run as far as it is measured.
    pub(crate) fn run(&self) -> Option<&Run> {
        self.recorder.run()
    }

    /// The case of a launch has failed: its children leave the wave. Where a process beside it may be the reason, the case is measured again
    /// alone.
    pub(crate) fn fail(&mut self, wave: &mut Wave, launch: u32, failure: Failure, peak_memory_bytes: Option<u64>) {
        let case = self.case_of(wave, launch);
        let position = wave.member(launch).map_or(0, |m| m.position);
        let is_again = self.may_run_alone(wave, case, &failure);
        let dropped = wave.drop_case(position, launch);
        for other in dropped {
            let (outcome, peak_memory_bytes) = if other == launch {
                (LaunchOutcome::Failed, peak_memory_bytes)
            } else {
                (LaunchOutcome::Unfinished, None)
            };
            self.emit(Event::LaunchFinished { launch: other, outcome, peak_memory_bytes, memory_growth_bytes: None });
        }
        if is_again {
            return self.run_alone(case, failure);
        }
        self.cases[case as usize].failed = true;
        self.emit(Event::CaseFailed { case, failure });
    }

    /// Whether a case that failed like this is measured again alone: once, if other processes were started with it. Two sides that do not run
    /// together are not compared.
    fn may_run_alone(&self, wave: &Wave, case: u32, failure: &Failure) -> bool {
        let is_side = self.plan.cases[case as usize].side.is_some();
        let had_company = wave.members.len() > 1;
        had_company && !is_side && self.cases[case as usize].alone_in.is_none() && failure.may_be_of_another()
    }

    /// Takes a case out of its groups: it gets one of its own, at the end.
    fn run_alone(&mut self, case: u32, failure: Failure) {
        let group = self.plan.groups.len();
        let members = CaseGroup { cases: vec![case], ..CaseGroup::default() };
        let (_, waves) = self.plan.policy.waves_of(&members);
        self.plan.groups.push(members);
        self.queue.extend((0..waves).map(|wave| (group, wave)));
        let state = &mut self.cases[case as usize];
        state.alone_in = Some(group);
        state.groups_left += 1;
        self.emit(Event::CaseRepeated { case, failure });
    }

    /// The next wave of the queue, with what starts its children; None where there was no time for one, or nothing to measure in it.
    pub(crate) fn wave_of(&mut self, group: usize, number: u32) -> Option<(Wave, Action)> {
        let positions: Vec<usize> = self.plan.groups[group]
            .cases
            .iter()
            .enumerate()
            .filter(|(_, &case)| self.cases[case as usize].runs_in(group))
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
        Some((wave, action))
    }

    /// Seeds of the launches of a wave. The upper half counts the launches of a case, since it draws the layout: each
    /// layout is drawn as often as any other. The lower half is random and odd, so never 0. Launches of both sides of a comparison
    /// have the same in pairs: what a place does to both cancels then. The analysis knows pairs by their seeds.
    fn seeds(&self, wave: &Wave, width: u32) -> Vec<u64> {
        let fixed = Rng::new(self.plan.seed ^ wave.group as u64);
        let cases = &self.plan.groups[wave.group].cases;
        let are_sides = cases.iter().all(|&case| self.plan.cases[case as usize].side.is_some());
        // What launch of its case in this wave each is.
        let mut launches_of = BTreeMap::<usize, u32>::new();
        let mut first = BTreeMap::<u32, &Member>::new();
        let members = wave.members.iter();
        members
            .map(|member| {
                let count = launches_of.entry(member.position).or_default();
                let number = *count;
                *count += 1;
                let drawn = if are_sides { *first.entry(number).or_insert(member) } else { member };
                let random = self.rng.fork(u64::from(drawn.launch)).next_u64();
                // The same for all waves of the case, and for both sides.
                let offset = fixed.fork(if are_sides { 0 } else { member.position as u64 }).next_u64() >> 48;
                let of_case = u64::from(wave.number * width + number);
                ((of_case + offset) << 32) | (random & 0xffff_ffff) | 1
            })
            .collect()
    }

    /// The wave is over, and perhaps its group.
    pub(crate) fn wave_over(&mut self, wave: &mut Wave) {
        self.widths_settle();
        self.count_alone(wave);
        self.further.made(wave.group, self.now_ns - wave.started_ns);
        for position in wave.members.iter().filter(|m| !m.visits().is_empty()).map(|m| m.position) {
            let case = self.plan.groups[wave.group].cases[position];
            self.cases[case as usize].measured = true;
        }
        let done = wave.number + 1;
        let (waves_min, planned) = self.plan.policy.waves_of(&self.plan.groups[wave.group]);
        let waves_max = self.waves_in_all(wave.group);
        let settled = done >= waves_min && waves_min < planned && {
            if let Some(run) = self.recorder.run() {
                self.settled.update(run, &[wave.group as u32]);
            }
            self.settled.is_settled(wave.group as u32, self.plan.comparisons())
        };
        if self.adds_waves(wave.group, done) {
            return;
        }
        if done >= waves_max && self.puts_a_wave_off(wave.group, done) {
            // Last of all: the neighbour has had time to change.
            return self.queue.push_back((wave.group, done));
        }
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
