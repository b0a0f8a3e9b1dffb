//! Runtimes that compile again what was called often, some time later. The children of a wave rest for it together, off the processor:
//! that costs no more for eight of them than for one, and less than running until it has happened.

use crate::calibrate;
use crate::measurement::Measurement;
use crate::wave::{Member, Phase, Wave};
use tare_model::Stage;

/// Calls of a body after which a runtime compiles it again, and some more.
const BURST: f64 = 64.0;
/// Calls of a body that takes long are fewer, ns in all.
const BURST_NS: f64 = 1e8;
/// Times that the children of a wave rest at most.
const RESTS_MAX: u32 = 10;

impl Measurement {
    /// Whether children of the wave may still compile what they have called.
    pub(crate) fn has_to_settle(&self, wave: &Wave) -> bool {
        !wave.settled && wave.members.iter().any(|m| self.settles(wave, m))
    }

    /// A child that is worth resting for: it says that it compiles later, and its body is neither kept as it comes nor long.
    fn settles(&self, wave: &Wave, member: &Member) -> bool {
        let case = self.plan.groups[wave.group].cases[member.position];
        let state = &self.cases[case as usize];
        let is_long = state.shape.is_some_and(|shape| calibrate::is_long(shape.invocation_ns))
            || state.first_call_ns.is_some_and(calibrate::is_long);
        member.alive
            && member.may_compile
            && self.facts_of(case).can("settle")
            && state.policy.warmup_ns.is_none()
            && !self.strategy_of(case).keeps_all()
            && !is_long
    }

    /// Calls the bodies often enough for the runtime to see it, in all children that may still compile.
    pub(crate) fn settle_begin(&mut self, wave: &mut Wave, rests: u32) {
        if rests == 0 {
            wave.settling_ns = self.now_ns;
        }
        let cases = &self.plan.groups[wave.group].cases;
        let calls = |member: &Member| {
            let state = &self.cases[cases[member.position] as usize];
            let known_ns = state.shape.map(|shape| shape.invocation_ns).or(state.first_call_ns).unwrap_or(0.0);
            (BURST_NS / known_ns.max(1.0)).clamp(1.0, BURST) as u64
        };
        let members = wave.members.iter().filter(|m| self.settles(wave, m));
        let mut asks: Vec<(u32, u64, u64)> = members.map(|m| (m.launch, calls(m), 1)).collect();
        self.rng.shuffle(&mut asks);
        wave.ask_warm_ups(Stage::Jitting, asks, self.processors);
        wave.phase = Phase::Settling { rests, called: true };
    }

    /// The bodies were called, or the children have rested.
    pub(crate) fn settle_on(&mut self, wave: &mut Wave, rests: u32, called: bool) {
        if called {
            let resting = wave.members.iter().filter(|m| self.settles(wave, m)).map(|m| m.launch).collect();
            wave.ask_settle(resting);
            wave.phase = Phase::Settling { rests: rests + 1, called: false };
        } else if rests < RESTS_MAX && self.has_to_settle(wave) {
            self.settle_begin(wave, rests);
        } else {
            wave.settled = true;
            let took_ns = self.now_ns - wave.settling_ns;
            for &case in &self.plan.groups[wave.group].cases {
                let state = &mut self.cases[case as usize];
                state.settle_ns = state.settle_ns.max(took_ns);
            }
            self.calibrate_next(wave, 0);
        }
    }
}
