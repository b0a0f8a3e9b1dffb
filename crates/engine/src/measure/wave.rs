//! One wave of one group: which requests go to which children, step by step.

use super::collections;
use super::leak::LeakWatch;
use super::pilot::{Lengths, Pilot};
use super::shape::{self, Shape};
use super::slices::Warming;
use super::trust::Claim;
use super::visit_order;
use super::warm_up::WarmUp;
use crate::action::{Action, Ask, Start};
use std::collections::VecDeque;
use tare_analysis::windows::{Judge, ProcessReadings};
use tare_model::{Draw, Loop, Stage, TraitCounts, Visit, VisitTraits};
use tare_protocol::Request;
use tare_stats::rng::Rng;

/// Iterations of the empty loop and of the rolled loop in each launch.
pub const LOOP_ITERATIONS: u64 = 7;
/// A wave makes at most this many times the wanted rounds to reach the wanted number of valid visits.
const TOP_UP: u32 = 3;

#[derive(Debug, Default)]
pub struct Member {
    pub launch: u32,
    pub case: u32,
    pub position: usize,
    pub alive: bool,
    /// Its visits so far, with windows judged by `judge`.
    pub visits: Vec<Visit>,
    /// The traits they show.
    pub counts: TraitCounts,
    /// The judge of their windows; `None` if they are not judged.
    pub judge: Option<Judge>,
    /// Readings of the width probe for the level of its process, if each process has its own.
    pub readings: ProcessReadings,
    /// Memory since it was opened.
    pub memory: LeakWatch,
    /// Whether it reports pending compilations.
    pub compiles_by_count: bool,
    /// How warm it is, if its runtime compiles by the clock.
    pub warming: Option<Warming>,
}

impl Member {
    /// Adds visits with windows judged by `judge`.
    pub fn visited(&mut self, visits: &[Visit]) {
        self.visits.extend_from_slice(visits);
        visits.iter().for_each(|visit| self.counts.add(visit));
    }

    /// Replaces its visits, whose windows another level judged.
    pub fn judged_again(&mut self, visits: Vec<Visit>, judge: Option<Judge>) {
        (self.visits, self.judge) = (visits, judge);
    }

    /// Whether some visit took time without a compilation, so that its wall or CPU time can be used, whatever its traits.
    pub fn is_usable(&self) -> bool {
        self.visits.iter().any(Visit::is_usable)
    }

    /// Whether some visit took time by its clock.
    pub fn took_time(&self) -> bool {
        self.visits.iter().any(|v| v.wall_ns > 0.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose {
    pub stage: Stage,
    /// Counts as a visit if its invocation is long.
    pub counts_if_long: bool,
    pub round: u32,
    pub invocations: u64,
    /// Invocations in all, with the lead-in.
    pub total: u64,
    /// Invocations of the lead-in or an iteration, whichever are more.
    pub largest: u64,
}

#[derive(Debug, Default)]
pub enum WaveState {
    #[default]
    Starting,
    /// The first child of this case searches for the number of invocations.
    Pilot(u32, Pilot),
    /// The same child checks whether an invocation takes less time in longer iterations.
    Lengths(u32, Lengths),
    /// The same child searches for the warm-up.
    WarmUp(u32, WarmUp),
    /// The same child searches for the warm-up of the empty or rolled loop.
    WarmLoop(u32, Loop, WarmUp),
    /// The first child of this case runs the body once for its result.
    Check(u32),
    WarmAll,
    /// Those whose runtime compiles by the clock warm up in turn, one slice each.
    Slices {
        /// When this turn began, ns.
        turn_ns: f64,
    },
    /// All children run the empty loop, and the rolled one if it matters.
    Loops,
    Rounds {
        round: u32,
        /// Wanted rounds with valid visits.
        wanted: u32,
    },
    /// No further visit starts: all are made, or time is up.
    VisitsOver,
    Ending,
    Over,
}

/// Requests that are sent together, with the purpose of their answers; `None` if they measure nothing.
pub type Batch = Vec<(Ask, Option<Purpose>)>;

#[derive(Debug, Default)]
pub struct Wave {
    pub group: usize,
    pub cases: Vec<u32>,
    pub number: u32,
    /// When it began, ns since the start of the run.
    pub started_ns: f64,
    /// When its rounds began, ns since the start of the run.
    pub rounds_began_ns: f64,
    pub members: Vec<Member>,
    pub state: WaveState,
    pub queue: VecDeque<Batch>,
    pub waiting: Vec<(u32, Option<Purpose>)>,
    /// Times claimed in the answers.
    pub claims: Vec<Claim>,
    /// The case whose memory one of them randomized.
    pub randomized: Option<u32>,
    pub to_kill: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
pub struct VisitPlan {
    /// Their form; `None` if the case has none in this round.
    pub shape: Option<Shape>,
    /// Its children first make their instances again, elsewhere in memory.
    pub randomizes: bool,
    /// Invocations from one collection of its garbage to the next; `None` if unknown.
    pub cycle: Option<f64>,
    /// Most invocations of a lead-in.
    pub most: u64,
}

impl VisitPlan {
    fn lead(&self, shape: &Shape, rng: &mut Rng) -> u64 {
        match self.cycle {
            Some(cycle) if collections::covers(cycle, shape) => collections::lead(cycle, shape, rng),
            _ => shape::lead(shape.lead, rng).min(self.most),
        }
    }
}

impl Wave {
    /// Wave `number` of a group that begins at `started_ns`, with its children numbered; `runs` tells which of its cases still run.
    pub fn new(
        (group, number): (usize, u32),
        cases: &[u32],
        runs: impl Fn(u32) -> bool,
        width: u32,
        first_launch: u32,
        started_ns: f64,
    ) -> Wave {
        let members = cases
            .iter()
            .enumerate()
            .filter(|(_, &case)| runs(case))
            .flat_map(|of_case| (0..width).map(move |_| of_case))
            .zip(first_launch..)
            .map(|((position, &case), launch)| Member { launch, case, position, alive: true, ..Member::default() })
            .collect();
        Wave { group, cases: cases.to_vec(), number, started_ns, members, ..Wave::default() }
    }

    pub fn member(&mut self, launch: u32) -> Option<&mut Member> {
        self.members.iter_mut().find(|m| m.launch == launch)
    }

    pub fn case_of(&self, launch: u32) -> u32 {
        self.members.iter().find(|m| m.launch == launch).map_or(self.cases[0], |m| m.case)
    }

    /// The launch of the first living child of a case; `None` if none lives.
    pub fn first(&self, case: u32) -> Option<u32> {
        self.members.iter().find(|m| m.alive && m.case == case).map(|m| m.launch)
    }

    pub fn living_cases(&self) -> Vec<u32> {
        let mut cases: Vec<u32> = self.members.iter().filter(|m| m.alive).map(|m| m.case).collect();
        cases.dedup();
        cases
    }

    pub fn living(&self) -> Vec<u32> {
        self.members.iter().filter(|m| m.alive).map(|m| m.launch).collect()
    }

    /// Removes the children of a failed case from the wave; those that still run are to be killed.
    pub fn drop_case(&mut self, case: u32, already_gone: u32) -> Vec<u32> {
        let mut dropped = Vec::new();
        for member in self.members.iter_mut().filter(|m| m.alive && m.case == case) {
            member.alive = false;
            dropped.push(member.launch);
            if member.launch != already_gone {
                self.to_kill.push(member.launch);
            }
        }
        for batch in &mut self.queue {
            batch.retain(|(ask, _)| !dropped.contains(&ask.launch));
        }
        self.queue.retain(|batch| !batch.is_empty());
        dropped
    }

    /// The next requests, if any are queued. `loop_of` gives the loop that a case runs in place of the requested one.
    pub fn send(
        &mut self,
        computes_alone: impl Fn(u32) -> bool,
        loop_of: impl Fn(u32, Loop) -> Loop,
    ) -> Option<Action> {
        let batch = self.queue.pop_front()?;
        self.waiting = batch.iter().map(|(ask, purpose)| (ask.launch, *purpose)).collect();
        let asks = batch.into_iter().map(|(mut ask, purpose)| {
            let case = self.case_of(ask.launch);
            if let Request::Measure { which, .. } = &mut ask.request {
                *which = loop_of(case, *which);
            }
            // Only visits: warm-ups run side by side on any processors.
            let is_visit = purpose.is_some_and(|purpose| purpose.stage == Stage::Actual);
            Ask { may_be_placed: is_visit && computes_alone(case), ..ask }
        });
        Some(Action::Ask(asks.collect()))
    }

    pub fn ask(&mut self, launch: u32, stage: Stage, round: u32, which: Loop, counts: Counts) {
        self.queue.push_back(vec![measurement(launch, stage, round, which, counts)]);
    }

    /// Queues one invocation that becomes a visit of round 0 if it is long, else a try of the pilot.
    pub fn ask_long(&mut self, launch: u32) {
        let (ask, purpose) = measurement(launch, Stage::Pilot, 0, Loop::Workload, Counts::of(1, 1));
        self.queue.push_back(vec![(ask, purpose.map(|purpose| Purpose { counts_if_long: true, ..purpose }))]);
    }

    pub fn ask_check(&mut self, launch: u32) {
        self.queue.push_back(vec![beside(launch, Request::Check)]);
    }

    /// Asks for a collection before anything else.
    pub fn ask_collect(&mut self, launch: u32) {
        self.queue.push_front(vec![beside(launch, Request::Collect)]);
    }

    /// Queues warm-ups, `together` at a time, as untimed work may share the processors.
    pub fn ask_warm_ups(&mut self, asks: Vec<(u32, Counts)>, together: usize) {
        let asks: Vec<_> = asks
            .into_iter()
            .map(|(launch, counts)| measurement(launch, Stage::Warmup, 0, Loop::Workload, counts))
            .collect();
        self.queue.extend(asks.chunks(together.max(1)).map(<[_]>::to_vec));
    }

    /// Queues a round over all living children, or those of `only`. `plans` is by position of the case; for `pairs` see
    /// [`visit_order::round`].
    pub fn ask_round(&mut self, round: u32, plans: &[VisitPlan], pairs: bool, only: Option<&[u32]>, rng: &mut Rng) {
        let cases = self.living_cases();
        let of_case = |case| move |m: &&Member| m.alive && m.case == case;
        let children: Vec<Vec<(u32, usize)>> = cases
            .iter()
            .map(|&case| self.members.iter().filter(of_case(case)).map(|m| (m.launch, m.position)).collect())
            .collect();
        let width = children.iter().map(Vec::len).max().unwrap_or(0);
        for (case, child) in visit_order::round(cases.len(), width, pairs, rng) {
            let Some(&(launch, position)) = children[case].get(child) else { continue };
            let Some((plan, shape)) = plans.get(position).and_then(|plan| Some((plan, plan.shape?))) else { continue };
            // The long invocation of the pilot is already the first visit of its child.
            if round == 0 && self.members.iter().any(|m| m.launch == launch && !m.visits.is_empty()) {
                continue;
            }
            if only.is_some_and(|only| !only.contains(&launch)) {
                continue;
            }
            // The place of the instance in the first visit was drawn when it was opened.
            if round > 0 && plan.randomizes {
                let request = Request::Randomize { seed: rng.next_u64() | 1 };
                self.queue.push_back(vec![beside(launch, request)]);
            }
            let lead = plan.lead(&shape, rng);
            self.ask(launch, Stage::Actual, round, Loop::Workload, Counts { lead, ..Counts::of_visit(&shape) });
        }
    }

    /// Whether some child has too few valid visits and the cap is not reached. `of_member` gives its wanted visits and traits.
    pub fn needs_round(&self, round: u32, wanted: u32, of_member: impl Fn(&Member) -> (u32, VisitTraits)) -> bool {
        let lacks = |m: &Member| {
            let (own, traits) = of_member(m);
            m.alive && !traits.keeps_all && m.counts.valid(traits) < own.min(wanted)
        };
        round < wanted || (round < TOP_UP.saturating_mul(wanted) && self.members.iter().any(lacks))
    }

    pub fn counts_of(&self, case: u32) -> TraitCounts {
        let of_case = self.members.iter().filter(|m| m.case == case);
        of_case.fold(TraitCounts::default(), |counts, member| counts.plus(member.counts))
    }

    /// The children to start, each with its draw, in random order, since the order decides which pages they get.
    pub fn starts(&self, draws: &[Draw], rng: &mut Rng) -> Action {
        let start = |(m, &draw): (&Member, &Draw)| Start { launch: m.launch, case: m.case, draw };
        let mut starts: Vec<Start> = self.members.iter().zip(draws).map(start).collect();
        rng.shuffle(&mut starts);
        Action::Start(starts)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Counts {
    pub iterations: u64,
    /// Windows of each; 0 if it is not cut.
    pub windows: u64,
    /// Invocations of each window, or of the iteration.
    pub invocations: u64,
    pub lead: u64,
}

impl Counts {
    /// Iterations without windows.
    pub fn of(iterations: u64, invocations: u64) -> Counts {
        Counts { iterations, windows: 0, invocations, lead: 0 }
    }

    fn of_visit(shape: &Shape) -> Counts {
        let Shape { iterations, windows, invocations, lead, .. } = *shape;
        Counts { iterations, windows, invocations, lead }
    }

    /// The same with windows, if the child has them; limited to the iterations that a request may have with that many.
    pub fn with_windows(self, windows: u64) -> Counts {
        let iterations = self.iterations.min(tare_protocol::ITERATIONS_MAX / windows.max(1));
        Counts { windows, iterations, ..self }
    }
}

fn measurement(launch: u32, stage: Stage, round: u32, which: Loop, counts: Counts) -> (Ask, Option<Purpose>) {
    let Counts { iterations, windows, invocations, lead } = counts;
    let request = Request::Measure { which, iterations, invocations, lead, windows };
    let invocations = invocations.saturating_mul(windows.max(1));
    let runs = iterations.saturating_mul(invocations).saturating_add(lead);
    let total = if which.is_empty() { 0 } else { runs };
    let purpose = Purpose { stage, counts_if_long: false, round, invocations, total, largest: invocations.max(lead) };
    (Ask { launch, request, may_be_placed: false }, Some(purpose))
}

fn beside(launch: u32, request: Request) -> (Ask, Option<Purpose>) {
    (Ask { launch, request, may_be_placed: false }, None)
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn a_long_warm_up_with_windows_is_one_that_children_accept() {
        assert_eq!(Counts::of(20_007, 16).with_windows(6).iterations, 16_666);
        assert_eq!(Counts::of(20_007, 16).with_windows(0).iterations, 20_007);
    }
}
