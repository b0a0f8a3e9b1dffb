//! The cost of an iteration on this machine: code, noise, clock and neighbours.

use super::{Child, World};
use crate::scene::{CYCLES_PER_ADDITION, PROBE_CYCLES, ROLLED_UNROLL, UNROLL, WIDTH_ADDITIONS};
use crate::{Body, Preemption};
use tare_model::{Columns, Loop};
use tare_stats::location::mean;

/// Cost of two clock reads, in ns.
const CLOCK_NS: f64 = 20.0;
/// Shortest work passed to the noise model, in s: its noise grows without bound below.
const NOISE_S_MIN: f64 = 10e-6;
/// Scatter of a window around its visit (log): 0.9 to 1.2 % as measured. Windows do not change the total time of a visit.
const WINDOW_SD: f64 = 0.012;
/// Scatter of a width-probe reading (log) ...
const READING_SD: f64 = 0.005;
/// ... and the step of its clock, in ns.
const READING_STEP_NS: f64 = 10.0;
/// Factor on a reading that the body disturbs.
const SPOILED: f64 = 1.3;

impl World {
    pub(super) fn measure(
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
            let before = program.probe.then(|| self.probe(child, &body, which));
            let compiles = child.busy_ns < body.compiles_until_ns;
            let (wall_ns, cpu_ns) = match windows {
                0 => {
                    let (wall_ns, cpu_ns) = self.iteration(child, &body, which, invocations, None);
                    (body.says_ns.unwrap_or(wall_ns), body.says_ns.unwrap_or(cpu_ns))
                }
                _ => self.windows(child, &body, which, (invocations, windows), &mut columns),
            };
            let after = program.probe.then(|| self.probe(child, &body, which));
            columns.elapsed_ns.push(wall_ns);
            columns.cpu_ns.extend(program.cpu.then_some(cpu_ns));
            columns.probe_before_ns.extend(before);
            columns.probe_after_ns.extend(after);
            let timed = invocations.saturating_mul(windows.max(1));
            let waits = if body.sleep_ns > 0.0 { timed as f64 } else { 0.0 };
            columns.waits.extend(program.waits.then_some(waits));
            if let Some(model) = body.collections.filter(|model| model.counted && !which.is_empty()) {
                let collected = model.within(child.done - timed, timed);
                columns.metrics.entry("collections".to_owned()).or_default().push(collected);
                columns.process_cpu_ns.extend(program.cpu.then_some(cpu_ns + collected * model.elsewhere_ns));
            }
            columns.compilations.push(f64::from(u8::from(compiles && !which.is_empty())));
        }
        columns
    }

    /// One iteration of this many windows with width-probe readings between them: wall time of each window, total CPU time.
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

    fn probe(&mut self, child: &Child, body: &Body, which: Loop) -> f64 {
        let stretched = match body.stretches {
            stretches if stretches > 1.0 && !which.is_empty() => {
                1.0 + (stretches - 1.0) * (0.2 + 0.8 * self.windows_rng.uniform())
            }
            _ => 1.0,
        };
        let late = body.late_probe.filter(|(_, until_ns)| child.busy_ns < *until_ns).map_or(1.0, |(factor, _)| factor);
        let ns = late * stretched * self.clock.probe_ns(self.now_s, PROBE_CYCLES);
        self.now_s += ns * 1e-9;
        ns
    }

    /// A width-probe reading beside this body, in ns.
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

    /// One iteration with its set-up: wall and CPU time, in ns. `level`: see [`World::work`].
    fn iteration(
        &mut self,
        child: &mut Child,
        body: &Body,
        which: Loop,
        invocations: u64,
        level: Option<f64>,
    ) -> (f64, f64) {
        let ideal_ns = ideal_ns(child, body, which, invocations, self.now_s);
        if which.is_empty() {
            child.loop_ns += ideal_ns;
            return self.work(child, 0, ideal_ns, level);
        }
        let ideal_ns = ideal_ns + body.restart_ns.unwrap_or(0.0);
        self.now_s += body.set_up_ns.unwrap_or(0.0) * 1e-9;
        let collected = body.collections.map_or(0.0, |model| model.within(child.done, invocations));
        let collecting_ns = collected * body.collections.map_or(0.0, |model| model.ns);
        let (wall_ns, cpu_ns) = self.work(child, invocations, ideal_ns + collecting_ns, level);
        let elsewhere_ns = collected * body.collections.map_or(0.0, |model| model.elsewhere_ns);
        let slept = body.sleep_ns * invocations as f64 + elsewhere_ns;
        self.now_s += slept * 1e-9;
        (wall_ns + slept, cpu_ns)
    }

    /// The log slow-down of this machine for work of `ideal_ns` that starts now.
    fn noise(&mut self, child: &mut Child, ideal_ns: f64) -> f64 {
        self.machine.visit(&mut child.process, self.now_s, (ideal_ns * 1e-9).max(NOISE_S_MIN))
    }

    /// Performs work of `ideal_ns` on this machine: wall and CPU time, in ns; `level`: its log slow-down, if known.
    pub(super) fn work(
        &mut self,
        child: &mut Child,
        invocations: u64,
        ideal_ns: f64,
        level: Option<f64>,
    ) -> (f64, f64) {
        let (wall_ns, cpu_ns) = match self.scene.bodies[child.body].by_wall && invocations > 0 {
            true => self.polled(invocations, ideal_ns / invocations as f64),
            false => self.computed(child, invocations, ideal_ns, level),
        };
        if invocations > 0 {
            child.called_s.get_or_insert(self.now_s);
        }
        child.busy_ns += cpu_ns;
        child.done = child.done.saturating_add(invocations);
        self.now_s += wall_ns * 1e-9;
        (wall_ns, cpu_ns)
    }

    /// The same for a body that computes.
    fn computed(&mut self, child: &mut Child, invocations: u64, ideal_ns: f64, level: Option<f64>) -> (f64, f64) {
        let noise = level.unwrap_or_else(|| self.noise(child, ideal_ns));
        let body = &self.scene.bodies[child.body];
        // An empty loop is bound by its own counter.
        let slowdown = if invocations > 0 { body.slowdown } else { 1.0 };
        let alone_ns = ideal_ns * (noise + body.follows_clock * self.clock.log_slowness(self.now_s)).exp() + CLOCK_NS;
        let cpu_ns = match &mut self.neighbour {
            // Invisible to the guest: the thread keeps its processor, which does less.
            Some(borne) if !body.spared => {
                let slower = |widens: Option<f64>| if widens.is_some() { slowdown } else { 1.0 };
                1e9 * borne.elapsed_s(self.now_s, alone_ns * 1e-9, slower)
            }
            _ => alone_ns,
        };
        let preemption = self.scene.preemption;
        let is_preempted = self.rng.uniform() < 1.0 - (-preemption.rate * cpu_ns * 1e-9).exp();
        let gap_ns = if is_preempted { preemption.seconds * 1e9 * self.rng.exponential() } else { 0.0 };
        (cpu_ns + gap_ns, cpu_ns)
    }

    /// Wall and CPU time of invocations that each poll the clock for `each_ns`.
    fn polled(&mut self, invocations: u64, each_ns: f64) -> (f64, f64) {
        let Preemption { rate, seconds } = self.scene.preemption;
        let (mut wall_ns, mut cpu_ns) = (0.0, 0.0);
        for _ in 0..invocations {
            let mut gone_ns = 0.0;
            while gone_ns < each_ns {
                let until_gap_ns = 1e9 * self.rng.exponential() / rate;
                let worked_ns = until_gap_ns.min(each_ns - gone_ns);
                let gap_ns = if worked_ns < until_gap_ns { 0.0 } else { 1e9 * seconds * self.rng.exponential() };
                cpu_ns += worked_ns;
                gone_ns += worked_ns + gap_ns;
            }
            wall_ns += gone_ns + CLOCK_NS;
        }
        (wall_ns, cpu_ns + CLOCK_NS * invocations as f64)
    }
}

/// Time of `invocations` in this loop without noise, in ns.
fn ideal_ns(child: &Child, body: &Body, which: Loop, invocations: u64, now_s: f64) -> f64 {
    match which {
        Loop::Overhead | Loop::SingleOverhead => {
            let turn = if which == Loop::Overhead { UNROLL } else { 1 };
            let cold = body.cold_loop.filter(|(_, until_ns)| child.loop_ns < *until_ns);
            cold.map_or(1.0, |(factor, _)| factor) * body.turn_ns / turn as f64 * invocations as f64
        }
        Loop::Rolled => body.ideal_ns(invocations, ROLLED_UNROLL, child.age_ns(body, now_s), child.done),
        Loop::Workload => body.ideal_ns(invocations, UNROLL, child.age_ns(body, now_s), child.done),
        Loop::Single => body.ideal_ns(invocations, 1, child.age_ns(body, now_s), child.done),
    }
}
