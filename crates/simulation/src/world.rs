//! The children of a scene: what the engine asks is answered in simulated time, and its mistakes are written down.

use crate::scene::{Scene, CYCLES_PER_ADDITION, PROBE_CYCLES, ROLLED_UNROLL, UNROLL, WIDTH_ADDITIONS};
use crate::{Body, Clock, FaultAt, Timeline, WarmUpShape};
use std::collections::{BTreeMap, BTreeSet};
use tare_engine::{Action, Answer, Ask, Start};
use tare_model::{Columns, Failure, FailureKind, Loop, Plan, Step};
use tare_protocol::Request;
use tare_stats::location::{mean, trimmed_mean};
use tare_stats::noise::{Machine, Process};
use tare_stats::rng::Rng;

/// From the start of the host to its first question to the engine, s.
const START_UP_S: f64 = 0.0001;
/// From process start to `opened`, s.
const START_NATIVE_S: f64 = 0.002;
const START_MANAGED_S: f64 = 0.05;
/// From a reply to the next request in the child, s.
const ROUND_TRIP_S: f64 = 30e-6;
/// Two reads of the clock, ns.
const CLOCK_NS: f64 = 20.0;
/// Resident memory of a fresh child.
const BASE_BYTES: u64 = 8 << 20;
/// Shortest stretch of work that the noise model is asked about, s: its noise grows without bound below.
const NOISE_S_MIN: f64 = 10e-6;
/// Scatter of a window about its visit (log): measured, 0.9 to 1.2 %. What a visit takes in all is no other for being cut.
const WINDOW_SD: f64 = 0.012;
/// Scatter of a reading of the width probe (log) ...
const READING_SD: f64 = 0.005;
/// ... and the step of the clock that it is read from, ns.
const READING_STEP_NS: f64 = 10.0;
/// By how much a body that disturbs a reading lengthens it.
const SPOILED: f64 = 1.3;
/// How often the level of the machine is written down, s.
const GHOST_S: f64 = 0.01;
/// Processes without luck that see the level: the mean of many, so that their own noise is small.
const GHOSTS: u64 = 16;
/// Samples of the level that make one value, as the visits of a launch do.
const GHOST_BLOCK: usize = 24;

#[derive(Debug)]
struct Child {
    body: usize,
    number: u32,
    process: Process,
    busy_ns: f64,
    /// When its body was called for the first time, s.
    called_s: Option<f64>,
    loop_ns: f64,
    done: u64,
    collected: u64,
    requests: u32,
}

/// A simulated machine with its children.
#[derive(Debug)]
pub struct World {
    scene: Scene,
    plan: Plan,
    machine: Machine,
    clock: Clock,
    rng: Rng,
    windows_rng: Rng,
    /// The neighbour that bodies bear.
    neighbour: Option<Timeline>,
    /// Another one that readings see: a placebo.
    placebo: Option<Timeline>,
    now_s: f64,
    part_s: f64,
    children: BTreeMap<u32, Child>,
    known: BTreeSet<u32>,
    started_of: BTreeMap<u32, u32>,
    ghosts: Vec<Process>,
    ghost_next_s: f64,
    levels: Vec<f64>,
    /// Greatest resident memory that each case had, bytes.
    pub peak_bytes: BTreeMap<u32, u64>,
    /// What the engine did that it must not do.
    pub violations: Vec<String>,
}

impl World {
    /// The machine of a scene with the plan of its session.
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

    /// Simulated time since the start, s.
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// Children that live.
    pub fn living(&self) -> usize {
        self.children.len()
    }

    /// Level of the machine over the session so far, as a log slow-down: what a launch of no luck would have shown on average.
    pub fn session_level(&self) -> Option<f64> {
        let blocks: Vec<f64> = self.levels.chunks(GHOST_BLOCK).filter_map(|b| trimmed_mean(b, 0.2)).collect();
        mean(&blocks)
    }

    /// Time since the start of this part of the run, ns.
    pub fn part_ns(&self) -> f64 {
        (self.now_s - self.part_s) * 1e9
    }

    /// The host is killed, all children with it, and starts again a second later.
    pub fn kill_all(&mut self) {
        self.children.clear();
        self.now_s += 1.0;
        // No two starts of a host are equal to the nanosecond.
        self.part_s = self.now_s - START_UP_S * (1.0 + 0.1 * self.rng.uniform());
    }

    /// Does what the engine says.
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
            let process = self.machine.process(start.seed, 0.0);
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
        let opened = Answer::Opened { start_up_ns, resident_bytes: Some(BASE_BYTES), amounts: Default::default() };
        answers.into_iter().map(|(launch, failure)| (launch, failure.unwrap_or_else(|| opened.clone()))).collect()
    }

    /// Requests of one action are sent together: they run at the same time.
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
                Answer::Measured { columns, resident_bytes: Some(resident) }
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

    fn measure(
        &mut self,
        child: &mut Child,
        which: Loop,
        (iterations, invocations, windows): (u64, u64, u64),
        lead: u64,
    ) -> Columns {
        let body = self.scene.bodies[child.body].clone();
        let program = self.scene.programs[body.program as usize];
        let mut columns = Columns::default();
        if lead > 0 {
            self.iteration(child, &body, which, lead, None);
        }
        for _ in 0..iterations {
            let before = program.probe.then(|| self.probe());
            let compiles = child.busy_ns < body.compiles_until_ns;
            let (wall_ns, cpu_ns) = match windows {
                0 => {
                    let (wall_ns, cpu_ns) = self.iteration(child, &body, which, invocations, None);
                    (body.says_ns.unwrap_or(wall_ns), body.says_ns.unwrap_or(cpu_ns))
                }
                _ => self.windows(child, &body, which, (invocations, windows), &mut columns),
            };
            let after = program.probe.then(|| self.probe());
            columns.elapsed_ns.push(wall_ns);
            columns.cpu_ns.extend(program.cpu.then_some(cpu_ns));
            columns.probe_before_ns.extend(before);
            columns.probe_after_ns.extend(after);
            let timed = invocations.saturating_mul(windows.max(1));
            let waits = if body.sleep_ns > 0.0 { timed as f64 } else { 0.0 };
            columns.waits.extend(program.waits.then_some(waits));
            columns.compilations.push(f64::from(u8::from(compiles && which != Loop::Overhead)));
        }
        columns
    }

    /// One iteration of so many windows with a reading of the width probe between any two: wall time of the windows, CPU time of all.
    fn windows(
        &mut self,
        child: &mut Child,
        body: &Body,
        which: Loop,
        (invocations, windows): (u64, u64),
        columns: &mut Columns,
    ) -> (f64, f64) {
        let whole_ns = ideal_ns(child, body, which, invocations.saturating_mul(windows), self.now_s);
        let visit = self.noise(child, whole_ns);
        let rng = &mut self.windows_rng;
        let parts: Vec<f64> = (0..windows).map(|_| (WINDOW_SD * rng.normal()).exp()).collect();
        let mean_part = mean(&parts).unwrap_or(1.0);
        let (mut wall_ns, mut cpu_ns) = (0.0, 0.0);
        for part in parts.iter().map(Some).chain([None]) {
            let width_ns = self.reading(body);
            columns.width_ns.push(width_ns);
            cpu_ns += width_ns;
            if let Some(part) = part {
                let level = visit + (part / mean_part).ln();
                let (wall, cpu) = self.iteration(child, body, which, invocations, Some(level));
                let wall = body.says_ns.unwrap_or(wall);
                columns.window_ns.push(wall);
                wall_ns += wall;
                cpu_ns += body.says_ns.unwrap_or(cpu);
            }
        }
        (wall_ns, cpu_ns)
    }

    fn probe(&mut self) -> f64 {
        let ns = self.clock.probe_ns(self.now_s, PROBE_CYCLES);
        self.now_s += ns * 1e-9;
        ns
    }

    /// A reading of the width probe beside this body, ns.
    fn reading(&mut self, body: &Body) -> f64 {
        let rng = &mut self.windows_rng;
        let error = (READING_SD * rng.normal()).exp();
        let spoiled = if rng.uniform() < body.spoils { SPOILED } else { 1.0 };
        let phase_ns = READING_STEP_NS * rng.uniform();
        let quiet_ns = WIDTH_ADDITIONS * CYCLES_PER_ADDITION * self.clock.cycle_ns(self.now_s) * error * spoiled;
        let ns = match self.placebo.as_mut().or(self.neighbour.as_mut()) {
            Some(seen) if !body.spared => {
                1e9 * seen.elapsed_s(self.now_s, quiet_ns * 1e-9, |widens| widens.unwrap_or(1.0))
            }
            _ => quiet_ns,
        };
        self.now_s += ns * 1e-9;
        ((ns + phase_ns) / READING_STEP_NS).floor() * READING_STEP_NS
    }

    /// One iteration with its set-up: wall and CPU time, ns. `level`: see [`World::work`].
    fn iteration(
        &mut self,
        child: &mut Child,
        body: &Body,
        which: Loop,
        invocations: u64,
        level: Option<f64>,
    ) -> (f64, f64) {
        let ideal_ns = ideal_ns(child, body, which, invocations, self.now_s);
        if which == Loop::Overhead {
            child.loop_ns += ideal_ns;
            return self.work(child, 0, ideal_ns, level);
        }
        self.now_s += body.set_up_ns.unwrap_or(0.0) * 1e-9;
        let (wall_ns, cpu_ns) = self.work(child, invocations, ideal_ns, level);
        let slept = body.sleep_ns * invocations as f64;
        self.now_s += slept * 1e-9;
        (wall_ns + slept, cpu_ns)
    }

    /// The log slow-down of this machine for work of `ideal_ns` that begins now.
    fn noise(&mut self, child: &mut Child, ideal_ns: f64) -> f64 {
        self.machine.visit(&mut child.process, self.now_s, (ideal_ns * 1e-9).max(NOISE_S_MIN))
    }

    /// Work of `ideal_ns` as this machine does it now: wall and CPU time, ns. `level` is the log slow-down by its noise where that is
    /// known already.
    fn work(&mut self, child: &mut Child, invocations: u64, ideal_ns: f64, level: Option<f64>) -> (f64, f64) {
        let noise = level.unwrap_or_else(|| self.noise(child, ideal_ns));
        let body = &self.scene.bodies[child.body];
        // An empty loop waits for its own counter.
        let slowdown = if invocations > 0 { body.slowdown } else { 1.0 };
        let alone_ns = ideal_ns * (noise + body.follows_clock * self.clock.log_slowness(self.now_s)).exp() + CLOCK_NS;
        let cpu_ns = match &mut self.neighbour {
            // The guest sees nothing of it: the thread has its processor, which does less.
            Some(borne) if !body.spared => {
                let slower = |widens: Option<f64>| if widens.is_some() { slowdown } else { 1.0 };
                1e9 * borne.elapsed_s(self.now_s, alone_ns * 1e-9, slower)
            }
            _ => alone_ns,
        };
        let preemption = self.scene.preemption;
        let is_preempted = self.rng.uniform() < 1.0 - (-preemption.rate * cpu_ns * 1e-9).exp();
        let gap_ns = if is_preempted { preemption.seconds * 1e9 * self.rng.exponential() } else { 0.0 };
        if invocations > 0 {
            child.called_s.get_or_insert(self.now_s);
        }
        child.busy_ns += cpu_ns;
        child.done = child.done.saturating_add(invocations);
        self.now_s += (cpu_ns + gap_ns) * 1e-9;
        (cpu_ns + gap_ns, cpu_ns)
    }

    /// Writes the level of the machine down now and then, as processes without luck of their own see it.
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
    /// How old it is, by what its body goes by, ns.
    fn age_ns(&self, body: &Body, now_s: f64) -> f64 {
        match body.warm_up {
            WarmUpShape::ByClock(_) => self.called_s.map_or(0.0, |called| 1e9 * (now_s - called)),
            _ => self.busy_ns,
        }
    }
}

/// Time of `invocations` in this loop on a machine without noise, ns.
fn ideal_ns(child: &Child, body: &Body, which: Loop, invocations: u64, now_s: f64) -> f64 {
    match which {
        Loop::Overhead => {
            let cold = body.cold_loop.filter(|(_, until_ns)| child.loop_ns < *until_ns);
            cold.map_or(1.0, |(factor, _)| factor) * body.turn_ns / UNROLL as f64 * invocations as f64
        }
        Loop::Rolled => body.ideal_ns(invocations, ROLLED_UNROLL, child.age_ns(body, now_s), child.done),
        Loop::Workload => body.ideal_ns(invocations, UNROLL, child.age_ns(body, now_s), child.done),
    }
}

fn failed(cause: FailureKind, step: Step) -> Answer {
    Answer::Failed { failure: Failure { cause, step, output: Vec::new() }, peak_memory_bytes: None }
}
