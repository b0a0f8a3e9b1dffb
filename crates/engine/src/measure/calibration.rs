//! What is known of how a case is measured: found on its first launches, and used by all.

use super::collections::Collections;
use super::pilot::Length;
use super::shape::Shape;
use super::warm_up::Warmth;
use tare_model::{Loop, Policy, Run, TraitCounts, Visit};

/// The call of the body for its result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) enum FirstCall {
    #[default]
    ToMake,
    /// It was made among others, or in an earlier part of the run.
    Made,
    /// The host waited so long for it, ns.
    Took(f64),
}

impl FirstCall {
    /// What the host waited for it, ns, where that is known.
    pub fn took_ns(self) -> Option<f64> {
        match self {
            FirstCall::Took(ns) => Some(ns),
            FirstCall::ToMake | FirstCall::Made => None,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Calibration {
    pub policy: Policy,
    /// Its memory is randomized before each visit but the first of a launch.
    pub randomizes_memory: bool,
    /// The least that this took, ns.
    pub moving_ns: Option<f64>,
    /// From the start of its children until the last was open, ns.
    pub start_up_ns: f64,
    pub first_call: FirstCall,
    /// The form that its visits need where each iteration restarts its function: as long as this, of invocations of this time.
    pub lengths: Option<Length>,
    pub shape: Option<Shape>,
    /// That is the form which the visits of its group have shown to need.
    pub is_formed: bool,
    /// Iterations and invocations of the warm-up of each launch; no iterations: none.
    pub warm_up: (u64, u64),
    pub loop_warm_up: (u64, u64),
    /// What makes a launch warm, where its runtime compiles by the clock and that is known.
    pub warmth: Option<Warmth>,
    /// Its body works on one thread, which does not wait, and nothing compiles or collects beside it.
    pub computes_alone: bool,
    /// What its warm-ups showed of its collections.
    pub collections: Collections,
    /// What else they showed of the body.
    pub warmed: TraitCounts,
    /// What the pilot or the warm-up under way has seen.
    pub seen: Vec<Visit>,
}

impl Calibration {
    /// The least that it takes to randomize its memory, ns.
    pub fn moving_ns(&self) -> f64 {
        self.moving_ns.unwrap_or(0.0)
    }

    pub fn of(run: &Run, case: u32) -> Calibration {
        let result = &run.results[case as usize];
        let has_result = result.digest.is_some() || result.text.is_some();
        Calibration {
            policy: run.policy_of(case),
            randomizes_memory: run.randomizes_memory(case),
            first_call: if has_result { FirstCall::Made } else { FirstCall::ToMake },
            ..Calibration::default()
        }
    }

    pub fn opened(&mut self, start_up_ns: f64) {
        self.start_up_ns = self.start_up_ns.max(start_up_ns);
    }

    pub fn moved(&mut self, took_ns: f64) {
        self.moving_ns = Some(self.moving_ns.map_or(took_ns, |least| least.min(took_ns)));
    }

    /// The body was run for its result: what the host waited for the first call, ns; None: that was not timed.
    pub fn called(&mut self, took_ns: Option<f64>) {
        if self.first_call == FirstCall::ToMake {
            self.first_call = took_ns.map_or(FirstCall::Made, FirstCall::Took);
        }
    }

    pub fn warmed_by(&mut self, iterations: &[Visit]) {
        self.collections.add(iterations);
        iterations.iter().for_each(|visit| self.warmed.add(visit));
    }

    pub fn set_warm_up(&mut self, iterations: u64, invocations: u64, computes_alone: bool) {
        (self.warm_up, self.computes_alone) = ((iterations, invocations), computes_alone);
    }

    pub fn set_loop_warm_up(&mut self, which: Loop, iterations: u64) {
        match which {
            Loop::Rolled => self.loop_warm_up.1 = iterations,
            _ => self.loop_warm_up.0 = iterations,
        }
    }
}
