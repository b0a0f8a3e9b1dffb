//! How a case is measured: found on its first launches, and used by all.

use super::collections::Collections;
use super::pilot::Length;
use super::shape::Shape;
use super::warm_up::Warmth;
use tare_model::{Loop, Policy, Run, TraitCounts, Visit};

/// The call of the body that returns its result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) enum FirstCall {
    #[default]
    ToMake,
    /// Made along with others, or in an earlier part of the run.
    Made,
    /// Time the host waited for it, ns.
    Took(f64),
}

impl FirstCall {
    /// Time the host waited for it, ns, if known.
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
    /// Whether its memory is randomized before each visit except the first of a launch.
    pub randomizes_memory: bool,
    /// Shortest time that this took, ns.
    pub randomizing_ns: Option<f64>,
    /// From the start of its children until the last one was open, ns.
    pub start_up_ns: f64,
    pub first_call: FirstCall,
    /// For a function that restarts in each iteration: the length that its iterations need.
    pub lengths: Option<Length>,
    pub shape: Option<Shape>,
    /// Whether `shape` is the form that the visits of its group turned out to need.
    pub is_formed: bool,
    /// Iterations and invocations of each launch's warm-up; 0 iterations for none.
    pub warm_up: (u64, u64),
    pub loop_warm_up: (u64, u64),
    /// What makes a launch warm, if its runtime compiles by the clock and this is known.
    pub warmth: Option<Warmth>,
    /// The body works on one thread without waiting, and nothing compiles or collects beside it.
    pub computes_alone: bool,
    pub collections: Collections,
    /// Other traits of the body seen in its warm-ups.
    pub warmed: TraitCounts,
    /// Visits of the current pilot or warm-up.
    pub seen: Vec<Visit>,
}

impl Calibration {
    /// Shortest time to randomize its memory, ns.
    pub fn randomizing_ns(&self) -> f64 {
        self.randomizing_ns.unwrap_or(0.0)
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

    pub fn randomized(&mut self, took_ns: f64) {
        self.randomizing_ns = Some(self.randomizing_ns.map_or(took_ns, |least| least.min(took_ns)));
    }

    /// The body was run for its result; `took_ns` is how long the host waited for the first call, `None` if that was not timed.
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
