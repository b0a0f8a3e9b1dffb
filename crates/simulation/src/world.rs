//! The children of a scene: answers the engine in simulated time and records its errors.

mod iterations;

use crate::scene::{Scene, UNROLL};
use crate::{Body, Clock, FaultAt, Timeline, WarmUpShape};
use std::collections::{BTreeMap, BTreeSet};
use tare_engine::{Action, Answer, Ask, Start};
use tare_model::{Failure, FailureKind, Plan, Side, Step};
use tare_protocol::Request;
use tare_stats::location::{mean, trimmed_mean};
use tare_stats::noise::{Machine, Process};
use tare_stats::rng::Rng;

/// From the start of the host to its first call of the engine, in s.
const START_UP_S: f64 = 0.0001;
/// From process start to `opened`, in s.
const START_NATIVE_S: f64 = 0.002;
const START_MANAGED_S: f64 = 0.05;
/// From a reply to the next request in the child, in s.
const ROUND_TRIP_S: f64 = 30e-6;
const BASE_BYTES: u64 = 8 << 20;
/// Interval between records of the machine's level, in s.
const GHOST_S: f64 = 0.01;
/// Processes that observe the level; averaging over many makes their own noise small.
const GHOSTS: u64 = 16;
/// Samples of the level per recorded value, like the visits of a launch.
const GHOST_BLOCK: usize = 24;

#[derive(Debug)]
struct Child {
    body: usize,
    number: u32,
    process: Process,
    busy_ns: f64,
    /// When its body was first called, in s.
    called_s: Option<f64>,
    loop_ns: f64,
    done: u64,
    collected: u64,
    requests: u32,
}

#[derive(Debug)]
pub struct World {
    scene: Scene,
    plan: Plan,
    machine: Machine,
    clock: Clock,
    rng: Rng,
    windows_rng: Rng,
    /// The neighbour that affects bodies.
    neighbour: Option<Timeline>,
    /// Another one that affects readings only: a placebo.
    placebo: Option<Timeline>,
    now_s: f64,
    part_s: f64,
    children: BTreeMap<u32, Child>,
    known: BTreeSet<u32>,
    started_of: BTreeMap<u32, u32>,
    ghosts: Vec<Process>,
    ghost_next_s: f64,
    levels: Vec<f64>,
    /// Peak resident memory of each case, in bytes.
    pub peak_bytes: BTreeMap<u32, u64>,
    /// Protocol errors of the engine.
    pub violations: Vec<String>,
}

impl World {
    pub fn new(scene: &Scene, plan: Plan) -> World {
        let machine = Machine::with(scene.noise, scene.rng(1).next_u64());
        let ghosts = (0..GHOSTS).map(|g| machine.process(u64::MAX - g, 0.0)).collect();
        let timeline = |part| scene.neighbour.map(|model| Timeline::new(model, scene.rng(part)));
        World {
            scene: scene.clone(),
            plan,
            machine,
            clock: Clock::new(scene.clock, scene.rng(2)),
            rng: scene.rng(3),
            windows_rng: scene.rng(4),
            neighbour: timeline(5),
            placebo: timeline(6).filter(|_| scene.neighbour.is_some_and(|model| model.placebo)),
            now_s: 0.0,
            part_s: -START_UP_S,
            children: BTreeMap::new(),
            known: BTreeSet::new(),
            started_of: BTreeMap::new(),
            ghosts,
            ghost_next_s: 0.0,
            levels: Vec::new(),
            peak_bytes: BTreeMap::new(),
            violations: Vec::new(),
        }
    }

    /// Simulated time since the start, in s.
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    pub fn living(&self) -> usize {
        self.children.len()
    }

    /// Level of the machine over the run so far, as a log slow-down, without the effects of individual launches.
    pub fn run_level(&self) -> Option<f64> {
        let blocks: Vec<f64> = self.levels.chunks(GHOST_BLOCK).filter_map(|b| trimmed_mean(b, 0.2)).collect();
        mean(&blocks)
    }

    /// Time since the start of this part of the run, in ns.
    pub fn part_ns(&self) -> f64 {
        (self.now_s - self.part_s) * 1e9
    }

    /// Kills the host with all children; it restarts a second later.
    pub fn kill_all(&mut self) {
        self.children.clear();
        self.now_s += 1.0;
        // Start times vary, as no two starts of a host are equal to the nanosecond.
        self.part_s = self.now_s - START_UP_S * (1.0 + 0.1 * self.rng.uniform());
    }

    pub fn act(&mut self, action: &Action) -> Vec<(u32, Answer)> {
        let now_s = self.now_s;
        self.neighbour.iter_mut().chain(&mut self.placebo).for_each(|timeline| timeline.forget_before(now_s));
        let answers = match action {
            Action::Start(starts) => self.start(starts),
            Action::Ask(asks) => self.ask_all(asks),
            Action::End(launches) => launches.iter().filter_map(|&l| self.end(l)).collect(),
            Action::Kill(launches) => {
                self.children.retain(|launch, _| !launches.contains(launch));
                Vec::new()
            }
            Action::Done => Vec::new(),
        };
        self.watch();
        answers
    }

    fn start(&mut self, starts: &[Start]) -> Vec<(u32, Answer)> {
        let mut busy_s = 0.0;
        let mut answers = Vec::new();
        for start in starts {
            let case = &self.plan.cases[start.case as usize];
            let body = case.benchmark.index as usize;
            let managed = self.scene.programs[case.artifact as usize].managed;
            busy_s += if managed { START_MANAGED_S } else { START_NATIVE_S };
            if !self.known.insert(start.launch) {
                self.violations.push(format!("launch {} is started twice", start.launch));
            }
            let number = self.started_of.entry(start.case).or_default();
            // Random effects of a process are separate from its placement: two sides with the same seed share only the latter.
            let places = self.scene.places.map_or(0.0, |places| places.cost(start.draw.seed, case.side));
            let seed = start.draw.seed;
            let own = if case.side == Some(Side::New) { seed.rotate_left(17) } else { seed };
            let process = self.machine.process(own, places);
            let child = Child {
                body,
                number: *number,
                process,
                busy_ns: 0.0,
                called_s: None,
                loop_ns: 0.0,
                done: 0,
                collected: 0,
                requests: 0,
            };
            *number += 1;
            let fault = self.fault(&child, FaultAt::Start);
            if fault.is_none() {
                self.children.insert(start.launch, child);
            }
            answers.push((start.launch, fault.map(|kind| failed(kind, Step::Start))));
        }
        self.now_s += busy_s / self.scene.processors.max(1) as f64;
        let start_up_ns = busy_s / self.scene.processors.max(1) as f64 * 1e9;
        let opened = Answer::Opened {
            start_up_ns,
            resident_bytes: Some(BASE_BYTES),
            work: Default::default(),
            loop_address: None,
            compiles_by_count: false,
        };
        answers.into_iter().map(|(launch, failure)| (launch, failure.unwrap_or_else(|| opened.clone()))).collect()
    }

    /// Requests of one action are sent together and run at the same time.
    fn ask_all(&mut self, asks: &[Ask]) -> Vec<(u32, Answer)> {
        let begin = self.now_s + ROUND_TRIP_S;
        let mut end = begin;
        let mut answers = Vec::new();
        for ask in asks {
            self.now_s = begin;
            answers.extend(self.ask(ask).map(|answer| (ask.launch, answer)));
            end = end.max(self.now_s);
        }
        self.now_s = end;
        answers
    }

    fn ask(&mut self, ask: &Ask) -> Option<Answer> {
        let Some(mut child) = self.children.remove(&ask.launch) else {
            self.violations.push(format!("launch {} is asked and does not live", ask.launch));
            return None;
        };
        let request = child.requests;
        child.requests += 1;
        if let Some(kind) = self.fault(&child, FaultAt::Request(request)) {
            return Some(failed(kind, Step::Body));
        }
        let answer = match &ask.request {
            Request::Check => {
                let body = &self.scene.bodies[child.body];
                let ideal = body.ideal_ns(1, UNROLL, child.age_ns(body, self.now_s), child.done);
                let digest = if body.counts { child.done.to_string() } else { "d".to_owned() };
                let slept = body.sleep_ns;
                self.work(&mut child, 1, ideal, None);
                self.now_s += slept * 1e-9;
                Answer::Checked { digest: Some(digest), text: None }
            }
            Request::Randomize { .. } => {
                self.now_s += self.scene.bodies[child.body].moving_ns * 1e-9;
                Answer::Randomized
            }
            Request::Collect => {
                child.collected = child.done;
                Answer::Collected { resident_bytes: Some(self.resident(&child)), live_bytes: None }
            }
            Request::Measure { which, iterations, invocations, lead, windows } => {
                let largest = invocations.saturating_mul((*windows).max(1)).max(*lead);
                let most = self.scene.bodies[child.body].invocations_max.filter(|most| largest > *most);
                self.violations
                    .extend(most.map(|most| format!("{largest} invocations are asked for, {most} are prepared")));
                let columns = self.measure(&mut child, *which, (*iterations, *invocations, *windows), *lead);
                let resident = self.resident(&child);
                let case = self.plan.cases.iter().position(|c| c.benchmark.index as usize == child.body).unwrap_or(0);
                let peak = self.peak_bytes.entry(case as u32).or_default();
                *peak = resident.max(*peak);
                Answer::Measured { columns: Box::new(columns), resident_bytes: Some(resident) }
            }
            other => {
                self.violations.push(format!("the engine asks {other:?} itself"));
                return None;
            }
        };
        self.children.insert(ask.launch, child);
        Some(answer)
    }

    fn end(&mut self, launch: u32) -> Option<(u32, Answer)> {
        let Some(child) = self.children.remove(&launch) else {
            self.violations.push(format!("launch {launch} is ended and does not live"));
            return None;
        };
        self.now_s += 0.0005;
        let answer = match self.fault(&child, FaultAt::End) {
            Some(kind) => failed(kind, Step::End),
            None => Answer::Ended { peak_memory_bytes: Some(self.resident(&child)), output: Vec::new() },
        };
        Some((launch, answer))
    }

    fn fault(&self, child: &Child, at: FaultAt) -> Option<FailureKind> {
        let faults = &self.scene.bodies[child.body].faults;
        faults.iter().find(|f| f.child == child.number && f.at == at).map(|f| f.kind.clone())
    }

    fn resident(&self, child: &Child) -> u64 {
        let body = &self.scene.bodies[child.body];
        let garbage = body.garbage_bytes * (child.done - child.collected) as f64;
        BASE_BYTES + (body.leak_bytes * child.done as f64 + garbage) as u64
    }

    /// Periodically records the level of the machine, as seen by processes without effects of their own.
    fn watch(&mut self) {
        if self.now_s >= self.ghost_next_s {
            self.ghost_next_s = self.now_s + GHOST_S;
            let (machine, now_s) = (&mut self.machine, self.now_s);
            let seen = self.ghosts.iter_mut().map(|ghost| machine.visit(ghost, now_s, 0.001) - ghost.offset());
            self.levels.push(seen.sum::<f64>() / GHOSTS as f64);
        }
    }
}

impl Child {
    /// Age of a process, in the time that its body's warm-up depends on, in ns.
    fn age_ns(&self, body: &Body, now_s: f64) -> f64 {
        match body.warm_up {
            WarmUpShape::ByClock(_) => self.called_s.map_or(0.0, |called| 1e9 * (now_s - called)),
            _ => self.busy_ns,
        }
    }
}

fn failed(cause: FailureKind, step: Step) -> Answer {
    Answer::Failed { failure: Failure { cause, step, output: Vec::new() }, peak_memory_bytes: None }
}
