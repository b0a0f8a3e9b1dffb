//! Whether the clock of a child can be believed: what it says of a request is held against what the host waited for the answer.
//! The host's wait holds set-ups, pipes and a busy machine too, so only what cannot be is called a failure.

use crate::measurement::Measurement;
use crate::wave::Wave;
use tare_model::{Failure, FailureKind, Step};

/// A child may say more than the host waited by this factor: clocks run differently ...
const AHEAD: f64 = 2.0;
/// ... and by this much, ns.
const AHEAD_NS: f64 = 1e9;

/// What a child said that its request took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) launch: u32,
    pub(crate) said_ns: f64,
    pub(crate) invocations: u64,
}

impl Measurement {
    /// Holds what children said against the time since they were asked; those that said what cannot be have failed.
    pub(crate) fn doubt(&mut self, wave: &mut Wave) {
        let took_ns = self.now_ns - self.asked_ns;
        for claim in std::mem::take(&mut self.claims) {
            let case = self.case_of(wave, claim.launch);
            let own_time = self.plan.cases[case as usize].benchmark.own_time;
            // Not a number, or more than is possible. A body that says its time itself may say what it likes.
            if own_time || claim.said_ns <= AHEAD * took_ns + AHEAD_NS {
                continue;
            }
            self.fail_clock(wave, claim.launch, claim.said_ns, claim.invocations);
        }
    }

    /// The case of a launch fails for the clock of its child, which still runs.
    pub(crate) fn fail_clock(&mut self, wave: &mut Wave, launch: u32, said_ns: f64, invocations: u64) {
        let took_ns = self.now_ns - self.asked_ns;
        let alive = wave.member(launch).is_some_and(|member| member.alive);
        wave.to_kill.extend(alive.then_some(launch));
        if alive {
            let cause = FailureKind::Clock { said_ns, took_ns, invocations };
            self.fail(wave, launch, Failure { cause, step: Step::Body, output: Vec::new() }, None);
        }
    }
}
