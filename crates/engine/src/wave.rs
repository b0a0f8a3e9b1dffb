//! One wave of one group: which requests go to which children, phase by phase.

use crate::action::{Action, Ask, Start};
use crate::calibrate::{Pilot, Shape, WarmUp};
use crate::growth::Growth;
use crate::order;
use std::collections::VecDeque;
use tare_model::{Loop, Stage};
use tare_protocol::Request;
use tare_stats::rng::Rng;

/// Iterations of the empty loop and of the rolled loop in each launch.
pub const LOOP_ITERATIONS: u64 = 7;
/// A wave makes at most this many times the wanted rounds to reach the wanted number of valid visits.
const TOP_UP: u32 = 3;

/// A child of the wave.
#[derive(Debug)]
pub struct Member {
    /// Number of the launch.
    pub launch: u32,
    /// Position of its case within the group.
    pub position: usize,
    /// It runs.
    pub alive: bool,
    /// Valid visits so far.
    pub valid: u32,
    /// Visits so far that wall or CPU time can be taken from.
    pub usable: u32,
    /// Some visit took time, by its clock.
    pub moved: bool,
    /// Memory since it was opened.
    pub growth: Growth,
}

/// What the answer to a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose {
    /// Stage of the measurement; None for `check`.
    pub stage: Option<Stage>,
    /// Round of the visit.
    pub round: u32,
    /// Invocations of each iteration.
    pub invocations: u64,
    /// Invocations in all, with the lead-in.
    pub total: u64,
}

/// Where the wave is.
#[derive(Debug)]
pub enum Phase {
    /// Children are being started.
    Starting,
    /// The first child of the case at this position looks for the number of invocations.
    Pilot(usize, Pilot),
    /// The same child looks for the warm-up.
    WarmUp(usize, WarmUp),
    /// The same child runs the body once for its result.
    Check(usize),
    /// All other children warm up.
    WarmAll,
    /// All children run the empty loop, and the rolled one where it matters.
    Loops,
    /// Visits.
    Rounds {
        /// Number of the round.
        round: u32,
        /// Rounds with valid visits that are wanted.
        wanted: u32,
    },
    /// Children are being ended.
    Ending,
    /// All is done.
    Over,
}

/// One wave of one group.
#[derive(Debug)]
pub struct Wave {
    /// Index of the group.
    pub group: usize,
    /// Number of the wave of the group, from 0.
    pub number: u32,
    /// Its children.
    pub members: Vec<Member>,
    /// Where it is.
    pub phase: Phase,
    /// Requests that are not sent yet; each inner list is sent together.
    pub queue: VecDeque<Vec<(Ask, Purpose)>>,
    /// Requests that are sent and not answered yet.
    pub waiting: Vec<(u32, Purpose)>,
    /// Children to stop at once.
    pub to_kill: Vec<u32>,
}

impl Wave {
    /// A wave with its children numbered; `cases` are the positions of the cases that still run.
    pub fn new(group: usize, number: u32, positions: &[usize], width: u32, first_launch: u32) -> Wave {
        let members = positions
            .iter()
            .flat_map(|&position| (0..width).map(move |_| position))
            .enumerate()
            .map(|(offset, position)| Member {
                launch: first_launch + offset as u32,
                position,
                alive: true,
                valid: 0,
                usable: 0,
                moved: false,
                growth: Growth::default(),
            })
            .collect();
        Wave {
            group,
            number,
            members,
            phase: Phase::Starting,
            queue: VecDeque::new(),
            waiting: Vec::new(),
            to_kill: Vec::new(),
        }
    }

    /// The child of a launch.
    pub fn member(&mut self, launch: u32) -> Option<&mut Member> {
        self.members.iter_mut().find(|m| m.launch == launch)
    }

    /// The first living child of the case at `position`.
    pub fn first(&self, position: usize) -> Option<u32> {
        self.members.iter().find(|m| m.alive && m.position == position).map(|m| m.launch)
    }

    /// Positions of the cases with living children, in order.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions: Vec<usize> = self.members.iter().filter(|m| m.alive).map(|m| m.position).collect();
        positions.dedup();
        positions
    }

    /// Launches that live.
    pub fn living(&self) -> Vec<u32> {
        self.members.iter().filter(|m| m.alive).map(|m| m.launch).collect()
    }

    /// Takes the children of a failed case out of the wave; those that still run are to be killed.
    pub fn drop_case(&mut self, position: usize, already_gone: u32) -> Vec<u32> {
        let mut dropped = Vec::new();
        for member in self.members.iter_mut().filter(|m| m.alive && m.position == position) {
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

    /// The next requests, if any wait to be sent.
    pub fn send(&mut self) -> Option<Action> {
        let batch = self.queue.pop_front()?;
        self.waiting = batch.iter().map(|(ask, purpose)| (ask.launch, *purpose)).collect();
        Some(Action::Ask(batch.into_iter().map(|(ask, _)| ask).collect()))
    }

    /// Queues one measurement.
    pub fn ask(&mut self, launch: u32, stage: Stage, round: u32, which: Loop, iterations: u64, shape: (u64, u64)) {
        self.queue.push_back(vec![measurement(launch, stage, round, which, iterations, shape)]);
    }

    /// Queues a `check`.
    pub fn ask_check(&mut self, launch: u32) {
        let purpose = Purpose { stage: None, round: 0, invocations: 1, total: 1 };
        self.queue.push_back(vec![(Ask { launch, request: Request::Check }, purpose)]);
    }

    /// Queues warm-ups, `together` at a time: untimed work may share the processors.
    pub fn ask_warm_ups(&mut self, asks: Vec<(u32, u64, u64)>, together: usize) {
        let asks: Vec<_> = asks
            .into_iter()
            .map(|(launch, iterations, invocations)| {
                measurement(launch, Stage::Warmup, 0, Loop::Workload, iterations, (invocations, 0))
            })
            .collect();
        self.queue.extend(asks.chunks(together.max(1)).map(<[_]>::to_vec));
    }

    /// Queues a round over all living children. `shapes` is by position of the case.
    pub fn ask_round(&mut self, round: u32, shapes: &[Option<Shape>], rng: &mut Rng) {
        let positions = self.positions();
        let children: Vec<Vec<u32>> = positions
            .iter()
            .map(|&p| self.members.iter().filter(|m| m.alive && m.position == p).map(|m| m.launch).collect())
            .collect();
        let width = children.iter().map(Vec::len).max().unwrap_or(0);
        for (case, child) in order::round(positions.len(), width, rng) {
            let (Some(&launch), Some(Some(shape))) = (children[case].get(child), shapes.get(positions[case])) else {
                continue;
            };
            let counts = (shape.invocations, shape.lead);
            self.ask(launch, Stage::Actual, round, Loop::Workload, shape.iterations, counts);
        }
    }

    /// Whether a further round is needed: some child has too few valid visits and the cap is not reached.
    pub fn needs_round(&self, round: u32, wanted: u32) -> bool {
        round < wanted || (round < TOP_UP * wanted && self.members.iter().any(|m| m.alive && m.valid < wanted))
    }

    /// The children to start, with a seed of each, in random order: who is started earlier gets other pages, and that must not be a
    /// side's.
    pub fn starts(&self, cases: &[u32], seeds: &[u64], rng: &mut Rng) -> Action {
        let mut starts: Vec<Start> = self
            .members
            .iter()
            .zip(seeds)
            .map(|(m, &seed)| Start { launch: m.launch, case: cases[m.position], seed })
            .collect();
        rng.shuffle(&mut starts);
        Action::Start(starts)
    }
}

fn measurement(
    launch: u32,
    stage: Stage,
    round: u32,
    which: Loop,
    iterations: u64,
    (invocations, lead): (u64, u64),
) -> (Ask, Purpose) {
    let request = Request::Measure { which, iterations, invocations, lead };
    let total = match which {
        Loop::Overhead => 0,
        _ => iterations.saturating_mul(invocations).saturating_add(lead),
    };
    (Ask { launch, request }, Purpose { stage: Some(stage), round, invocations, total })
}
