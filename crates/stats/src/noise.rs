//! A seeded generator of machine noise.
//!
//! Testing statistics only on independent normal numbers proves little. This model has what real machines have: drift and neighbours that
//! all processes share, bursts, offsets that a process keeps for its life, modes, and dependence between neighbouring visits. The engine is
//! simulated against it.

use crate::rng::Rng;

/// The three machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// A desktop with nothing else running.
    Quiet,
    /// A shared CI machine.
    Ci,
    /// A badly oversubscribed machine.
    Bad,
}

/// Noisy neighbours: a slow-down of the whole machine for seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbours {
    /// Arrivals per second.
    pub rate: f64,
    /// Mean length in seconds (exponential).
    pub mean_seconds: f64,
    /// Smallest slow-down as a share: 0.02 is 2 %.
    pub least: f64,
    /// Largest slow-down (uniform between them).
    pub most: f64,
}

/// Bursts: short, heavy-tailed slow-downs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bursts {
    /// Arrivals per second.
    pub rate: f64,
    /// Length in seconds (fixed).
    pub seconds: f64,
    /// Scale of the Pareto(2) slow-down: its smallest value, as a share.
    pub from: f64,
}

/// Parameters of a machine; standard deviations and offsets on the natural-log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Stationary sd of the Ornstein-Uhlenbeck drift shared by all processes.
    pub drift_sd: f64,
    /// Its relaxation time in seconds.
    pub drift_seconds: f64,
    /// Noisy neighbours.
    pub neighbours: Neighbours,
    /// Bursts.
    pub bursts: Bursts,
    /// Sd of the offset that a process keeps for its life.
    pub process_sd: f64,
    /// Share of processes in the slow mode.
    pub slow_share: f64,
    /// Cost of the slow mode, as a share.
    pub slow_cost: f64,
    /// Sd of the independent noise of a batch of 10 ms; it falls with the root of the length.
    pub iid_sd: f64,
    /// Stationary sd of the AR(1) noise from visit to visit of a process.
    pub ar_sd: f64,
    /// Its correlation.
    pub ar_rho: f64,
    /// Share of the time that a process spends in a slow state.
    pub switch_share: f64,
    /// Cost of that state, as a share.
    pub switch_cost: f64,
    /// Mean stay in that state in seconds.
    pub switch_seconds: f64,
}

impl Scenario {
    /// Its numbers.
    pub fn parameters(self) -> Parameters {
        let quiet = Parameters {
            drift_sd: 0.003,
            drift_seconds: 10.0,
            neighbours: Neighbours { rate: 1.0 / 120.0, mean_seconds: 1.0, least: 0.01, most: 0.03 },
            bursts: Bursts { rate: 0.5, seconds: 0.004, from: 0.2 },
            process_sd: 0.005,
            slow_share: 0.0,
            slow_cost: 0.0,
            iid_sd: 0.003,
            ar_sd: 0.002,
            ar_rho: 0.9,
            switch_share: 0.0,
            switch_cost: 0.0,
            switch_seconds: 0.3,
        };
        let ci = Parameters {
            drift_sd: 0.015,
            drift_seconds: 5.0,
            neighbours: Neighbours { rate: 1.0 / 15.0, mean_seconds: 2.0, least: 0.02, most: 0.10 },
            bursts: Bursts { rate: 2.0, seconds: 0.008, from: 0.3 },
            process_sd: 0.01,
            iid_sd: 0.006,
            ar_sd: 0.003,
            ..quiet
        };
        match self {
            Scenario::Quiet => quiet,
            Scenario::Ci => ci,
            Scenario::Bad => Parameters {
                drift_sd: 0.03,
                drift_seconds: 4.0,
                neighbours: Neighbours { rate: 1.0 / 8.0, mean_seconds: 2.0, least: 0.03, most: 0.20 },
                bursts: Bursts { rate: 6.0, seconds: 0.008, from: 0.5 },
                slow_share: 0.2,
                slow_cost: 0.04,
                iid_sd: 0.010,
                ar_sd: 0.004,
                switch_share: 0.3,
                switch_cost: 0.02,
                ..ci
            },
        }
    }
}

/// A slow-down of the machine between two times.
#[derive(Debug, Clone, Copy)]
struct Event {
    start: f64,
    end: f64,
    cost: f64,
}

/// Arrivals of one kind of event, generated as time advances.
#[derive(Debug, Clone)]
struct Arrivals {
    next: f64,
    live: Vec<Event>,
    rng: Rng,
}

/// Longer gaps and visits than this (seconds) are not filled with events. Arrivals are memoryless, so restarting them gives the same
/// distribution, and no argument can make the generator run forever.
const HORIZON: f64 = 120.0;
/// From this rate (per second), a stream of events is left out: it would be a constant, at unbounded cost.
const FASTEST: f64 = 1e4;
/// Latest time in seconds (30 years): beyond it a float cannot resolve the length of a visit.
const LATEST: f64 = 1e9;

impl Arrivals {
    fn new(rng: Rng) -> Self {
        // The first call restarts it shortly before the requested time.
        Arrivals { next: f64::NEG_INFINITY, live: Vec::new(), rng }
    }

    /// Mean slow-down over `[from, to]`, as a part.
    fn mean_cost(&mut self, from: f64, to: f64, rate: f64, draw: impl Fn(&mut Rng) -> (f64, f64)) -> f64 {
        if !(rate > 0.0 && rate < FASTEST) {
            return 0.0;
        }
        self.live.retain(|e| e.end > from);
        if from - self.next > HORIZON {
            self.next = from - HORIZON + self.rng.exponential() / rate;
        }
        while self.next < to {
            let (length, cost) = draw(&mut self.rng);
            if self.next + length > from {
                self.live.push(Event { start: self.next, end: self.next + length, cost });
            }
            self.next += self.rng.exponential() / rate;
        }
        let overlap = |e: &Event| (e.end.min(to) - e.start.max(from)).max(0.0);
        self.live.iter().map(|e| e.cost * overlap(e)).sum::<f64>() / (to - from)
    }
}

/// A machine: the state that its processes share.
#[derive(Debug, Clone)]
pub struct Machine {
    parameters: Parameters,
    seeds: Rng,
    rng: Rng,
    now: f64,
    drift: f64,
    neighbours: Arrivals,
    bursts: Arrivals,
}

/// A process: its lasting offset and its own noise.
#[derive(Debug, Clone)]
pub struct Process {
    rng: Rng,
    offset: f64,
    ar: f64,
    slow: bool,
    now: f64,
}

impl Process {
    /// The offset that the process keeps for its life (layout, luck and mode), as a log slow-down.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

impl Machine {
    /// A machine of one of the three kinds; the seed determines everything it will do.
    pub fn new(scenario: Scenario, seed: u64) -> Self {
        Machine::with(scenario.parameters(), seed)
    }

    /// A machine with custom parameters.
    pub fn with(parameters: Parameters, seed: u64) -> Self {
        let root = Rng::new(seed);
        let mut rng = root.fork(1);
        let drift = parameters.drift_sd * rng.normal();
        Machine {
            parameters,
            rng,
            now: 0.0,
            drift,
            neighbours: Arrivals::new(root.fork(2)),
            bursts: Arrivals::new(root.fork(3)),
            seeds: root.fork(4),
        }
    }

    /// A new process: `seed` chooses its luck, `layout_offset` is the log bias of its binary's layout (0 for none).
    ///
    /// The same seed on the same machine gives the same process.
    pub fn process(&self, seed: u64, layout_offset: f64) -> Process {
        let p = &self.parameters;
        let mut rng = self.seeds.fork(seed);
        let mode = if rng.uniform() < p.slow_share { p.slow_cost.ln_1p() } else { 0.0 };
        let offset = layout_offset + p.process_sd * rng.normal() + mode;
        let ar = p.ar_sd * rng.normal();
        let slow = rng.uniform() < p.switch_share;
        Process { rng, offset, ar, slow, now: f64::NAN }
    }

    /// The log slow-down of one visit that starts at `at_seconds` and lasts `duration_seconds`.
    ///
    /// Time only moves forward: a visit before the start of the last one is taken at that start. Visits may overlap (concurrent processes).
    /// Non-finite times count as now, durations that are not finite and positive as 1 ns; times are capped at 1e9 s.
    pub fn visit(&mut self, process: &mut Process, at_seconds: f64, duration_seconds: f64) -> f64 {
        let p = self.parameters;
        let at = if at_seconds.is_finite() { at_seconds.clamp(self.now, LATEST) } else { self.now };
        let duration = if duration_seconds.is_finite() { duration_seconds.max(1e-9) } else { 1e-9 };
        self.advance(at);
        // Late in time, a very short visit would round to no length.
        let seen = duration.min(HORIZON).max(at * 1e-12);
        let n = p.neighbours;
        let neighbours = self.neighbours.mean_cost(at, at + seen, n.rate, |rng| {
            let length = n.mean_seconds * rng.exponential();
            (length, n.least + (n.most - n.least) * rng.uniform())
        });
        let b = p.bursts;
        let bursts = self.bursts.mean_cost(at, at + seen, b.rate, |rng| {
            // Pareto(2) by inversion; `1 - uniform` is never zero.
            (b.seconds, b.from / (1.0 - rng.uniform()).sqrt())
        });
        let own = process.step(&p, at, duration);
        self.drift + (neighbours + bursts).ln_1p() + own
    }

    /// Moves the shared drift to a time by the exact transition of the Ornstein-Uhlenbeck process.
    fn advance(&mut self, at: f64) {
        let keep = (-(at - self.now) / self.parameters.drift_seconds).exp();
        let keep = if keep.is_finite() { keep } else { 0.0 };
        if at > self.now {
            let fresh = (1.0 - keep * keep).max(0.0).sqrt() * self.parameters.drift_sd;
            self.drift = keep * self.drift + fresh * self.rng.normal();
            self.now = at;
        }
    }
}

impl Process {
    /// The process's own part of a visit: offset, AR(1), independent noise and its current state.
    fn step(&mut self, p: &Parameters, at: f64, duration: f64) -> f64 {
        self.switch(p, at);
        self.ar = p.ar_rho * self.ar + (1.0 - p.ar_rho * p.ar_rho).max(0.0).sqrt() * p.ar_sd * self.rng.normal();
        let iid = p.iid_sd * (0.010 / duration).sqrt() * self.rng.normal();
        let state = if self.slow { p.switch_cost.ln_1p() } else { 0.0 };
        self.offset + self.ar + iid + state
    }

    /// Moves the two-state Markov process to a time by its exact transition probability.
    fn switch(&mut self, p: &Parameters, at: f64) {
        let elapsed = if self.now.is_nan() { 0.0 } else { (at - self.now).max(0.0) };
        self.now = at;
        if !(p.switch_share > 0.0 && p.switch_share < 1.0 && p.switch_seconds > 0.0) {
            return;
        }
        // Stays are exponential: leaving the slow state at rate 1/dwell, entering so that its share is kept.
        let leave = 1.0 / p.switch_seconds;
        let enter = leave * p.switch_share / (1.0 - p.switch_share);
        let keep = (-(leave + enter) * elapsed).exp();
        let slow = p.switch_share + (f64::from(u8::from(self.slow)) - p.switch_share) * keep;
        self.slow = self.rng.uniform() < slow;
    }
}
