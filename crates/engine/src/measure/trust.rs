//! Whether the clock of a child can be believed. Only times that are impossible given the host's wait are a failure.

use super::engine::Engine;
use super::wave::Wave;
use tare_model::{Failure, FailureKind, Step};

/// A child's time may exceed the host's wait by this factor, as clocks run differently ...
const AHEAD: f64 = 2.0;
/// ... and by this much, ns.
const AHEAD_NS: f64 = 1e9;

/// The time that a child claims for its request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) launch: u32,
    pub(crate) said_ns: f64,
    pub(crate) invocations: u64,
}

impl Engine {
    /// Checks the claims against the time since the requests; children with impossible ones have failed.
    pub(crate) fn doubt(&mut self, wave: &mut Wave) {
        for claim in std::mem::take(&mut wave.claims) {
            let own_time = self.benchmark(wave.case_of(claim.launch)).own_time;
            // NaN, or more than is possible. A self-timed body may report anything.
            if own_time || claim.said_ns <= AHEAD * self.time.waited_ns() + AHEAD_NS {
                continue;
            }
            self.fail_clock(wave, claim.launch, claim.said_ns, claim.invocations);
        }
    }

    /// Fails the case of a launch because of its child's clock; the child still runs.
    pub(crate) fn fail_clock(&mut self, wave: &mut Wave, launch: u32, said_ns: f64, invocations: u64) {
        let cause = FailureKind::Clock { said_ns, took_ns: self.time.waited_ns(), invocations };
        self.stop(wave, launch, cause);
    }

    /// Fails the case of a launch in its body; its child still runs, and is killed like the others of its case.
    pub(crate) fn stop(&mut self, wave: &mut Wave, launch: u32, cause: FailureKind) {
        if wave.member(launch).is_some_and(|member| member.alive) {
            wave.to_kill.push(launch);
            self.fail(wave, launch, Failure { cause, step: Step::Body, output: Vec::new() }, None);
        }
    }
}
