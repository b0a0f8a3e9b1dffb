//! Whether the clock of a child can be believed. Only what cannot be, beside what the host waited, is a failure.

use super::engine::Engine;
use super::wave::Wave;
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

impl Engine {
    /// Holds what children said against the time since they were asked; those that said what cannot be have failed.
    pub(crate) fn doubt(&mut self, wave: &mut Wave) {
        for claim in std::mem::take(&mut wave.claims) {
            let own_time = self.benchmark(wave.case_of(claim.launch)).own_time;
            // Not a number, or more than is possible. A body that says its time itself may say what it likes.
            if own_time || claim.said_ns <= AHEAD * self.clock.waited_ns() + AHEAD_NS {
                continue;
            }
            self.fail_clock(wave, claim.launch, claim.said_ns, claim.invocations);
        }
    }

    /// The case of a launch fails for the clock of its child, which still runs.
    pub(crate) fn fail_clock(&mut self, wave: &mut Wave, launch: u32, said_ns: f64, invocations: u64) {
        let cause = FailureKind::Clock { said_ns, took_ns: self.clock.waited_ns(), invocations };
        self.stop(wave, launch, cause);
    }

    /// The case of a launch fails in its body, and its child still runs: it is killed like the others of its case.
    pub(crate) fn stop(&mut self, wave: &mut Wave, launch: u32, cause: FailureKind) {
        if wave.member(launch).is_some_and(|member| member.alive) {
            wave.to_kill.push(launch);
            self.fail(wave, launch, Failure { cause, step: Step::Body, output: Vec::new() }, None);
        }
    }
}
