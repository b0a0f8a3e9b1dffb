//! The core's clock, which drifts, and the probe that sees it.

use tare_stats::rng::Rng;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockModel {
    /// Length of a cycle at which the true times of bodies are given, ns.
    pub nominal_cycle_ns: f64,
    /// Mean of the log of the length of a cycle over the nominal one: 0.1 is a core that is 10 % slow.
    pub offset: f64,
    /// Standard deviation of its log (Ornstein-Uhlenbeck).
    pub sd: f64,
    pub seconds: f64,
    /// Relative noise of one probe.
    pub probe_sd: f64,
}

impl ClockModel {
    /// A clock that stands at the nominal speed.
    pub const STEADY: ClockModel =
        ClockModel { nominal_cycle_ns: 0.27, offset: 0.0, sd: 0.0, seconds: 1.0, probe_sd: 0.001 };
    /// What was seen on a shared machine: 3.2 to 4.2 GHz within seconds.
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
    /// A clock somewhere in its range.
    pub fn new(model: ClockModel, mut rng: Rng) -> Clock {
        let deviation = model.sd * rng.normal();
        Clock { model, rng, now_s: 0.0, deviation }
    }

    /// Log of the length of a cycle over the nominal one, at a time that does not go back.
    pub fn log_slowness(&mut self, at_s: f64) -> f64 {
        let elapsed = at_s - self.now_s;
        if elapsed > 0.0 && self.model.sd > 0.0 {
            let keep = (-elapsed / self.model.seconds).exp();
            self.deviation = keep * self.deviation + (1.0 - keep * keep).sqrt() * self.model.sd * self.rng.normal();
            self.now_s = at_s;
        }
        self.model.offset + self.deviation
    }

    /// Length of a cycle at a time that does not go back, ns.
    pub fn cycle_ns(&mut self, at_s: f64) -> f64 {
        self.model.nominal_cycle_ns * self.log_slowness(at_s).exp()
    }

    /// What a probe of `cycles` dependent cycles takes, ns.
    pub fn probe_ns(&mut self, at_s: f64, cycles: f64) -> f64 {
        let slowness = self.log_slowness(at_s);
        cycles * self.model.nominal_cycle_ns * (slowness + self.model.probe_sd * self.rng.normal()).exp()
    }
}
