//! The core's drifting clock, and the probe that measures it.

use tare_stats::rng::Rng;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockModel {
    /// Cycle length at which bodies have their true times, in ns.
    pub nominal_cycle_ns: f64,
    /// Mean log of the cycle length over the nominal one: 0.1 is a core that is 10 % slow.
    pub offset: f64,
    /// Standard deviation of that log (Ornstein-Uhlenbeck).
    pub sd: f64,
    pub seconds: f64,
    /// Relative noise of a probe.
    pub probe_sd: f64,
}

impl ClockModel {
    /// A clock at the nominal speed.
    pub const STEADY: ClockModel =
        ClockModel { nominal_cycle_ns: 0.27, offset: 0.0, sd: 0.0, seconds: 1.0, probe_sd: 0.001 };
    /// As observed on a shared machine: 3.2 to 4.2 GHz within seconds.
    pub const DRIFTING: ClockModel = ClockModel { offset: 0.08, sd: 0.04, seconds: 3.0, ..ClockModel::STEADY };
}

#[derive(Debug, Clone)]
pub struct Clock {
    model: ClockModel,
    rng: Rng,
    now_s: f64,
    deviation: f64,
}

impl Clock {
    /// A clock at a random point of its range.
    pub fn new(model: ClockModel, mut rng: Rng) -> Clock {
        let deviation = model.sd * rng.normal();
        Clock { model, rng, now_s: 0.0, deviation }
    }

    /// Log of the cycle length over the nominal one; times must not decrease.
    pub fn log_slowness(&mut self, at_s: f64) -> f64 {
        let elapsed = at_s - self.now_s;
        if elapsed > 0.0 && self.model.sd > 0.0 {
            let keep = (-elapsed / self.model.seconds).exp();
            self.deviation = keep * self.deviation + (1.0 - keep * keep).sqrt() * self.model.sd * self.rng.normal();
            self.now_s = at_s;
        }
        self.model.offset + self.deviation
    }

    /// Cycle length, in ns; times must not decrease.
    pub fn cycle_ns(&mut self, at_s: f64) -> f64 {
        self.model.nominal_cycle_ns * self.log_slowness(at_s).exp()
    }

    /// Time of a probe of `cycles` dependent cycles, in ns.
    pub fn probe_ns(&mut self, at_s: f64, cycles: f64) -> f64 {
        let slowness = self.log_slowness(at_s);
        cycles * self.model.nominal_cycle_ns * (slowness + self.model.probe_sd * self.rng.normal()).exp()
    }
}
