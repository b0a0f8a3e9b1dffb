//! An open case: makes the state and runs iterations of the loops.

mod run;
mod sample;
mod weight;

use crate::cold;
use crate::guard::{guard, Failure};
use crate::memory::{Counter, Counts};
use crate::metric;
use crate::registry::Case;
use crate::scatter::Scatter;
use crate::show::Shown;
use crate::state::State;
use crate::team::Team;
use crate::vtable::Amounts;
use run::Run;

pub(crate) use sample::{Cuts, Sample, Which};

/// A case with its state.
pub(crate) struct Instance<'a> {
    case: &'a Case,
    /// None after a failed `randomize`.
    state: Option<State<'a>>,
    scatter: Scatter,
    /// The other threads, if several run the body in lockstep.
    team: Option<Team>,
}

impl<'a> Instance<'a> {
    /// Runs the global set-up, with heap and stack moved by `seed` (0: not moved).
    pub(crate) fn open(case: &'a Case, seed: u64) -> Result<Self, Failure> {
        if let Some(fault) = &case.fault {
            return Err(Failure::new("set-up", fault.clone()));
        }
        if let Some(reason) = &case.skipped {
            return Err(Failure { skipped: true, ..Failure::new("set-up", reason.clone()) });
        }
        let team = match case.vtable.team {
            Some(Err(why)) => return Err(Failure::new("set-up", why)),
            Some(Ok(_)) => Some(Team::new(case.threads).map_err(|why| Failure::new("set-up", why))?),
            None => None,
        };
        if case.bench.manner.cold_caches && !cold::SUPPORTED {
            return Err(Failure::new("set-up", "`cold_caches` is for Linux on x86-64 and AArch64"));
        }
        if let Some(runner) = case.vtable.runner {
            crate::runner::install(Some(guard("set-up", || Ok(runner()))?));
        }
        let mut instance = Instance { case, state: None, scatter: Scatter::default(), team };
        instance.make(seed)?;
        Ok(instance)
    }

    fn make(&mut self, seed: u64) -> Result<(), Failure> {
        // Free the old blocks first, so that the new ones are where they would be in a fresh process.
        self.scatter = Scatter::default();
        self.scatter = Scatter::new(seed);
        let case = self.case;
        self.state = Some(guard("set-up", || State::make(&case.vtable, &case.choice))?);
        Ok(())
    }

    /// Runs the global clean-up, drops the state, and runs the set-up again elsewhere in memory.
    pub(crate) fn randomize(&mut self, seed: u64) -> Result<(), Failure> {
        self.end()?;
        self.make(seed)
    }

    /// Runs the global clean-up. The state is dropped in any case.
    pub(crate) fn close(mut self) -> Result<(), Failure> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Failure> {
        let Some(mut state) = self.state.take() else { return Ok(()) };
        let outcome = guard("clean-up", || state.clean_up());
        // The state is dropped even if its clean-up fails.
        let dropped = guard("clean-up", || {
            drop(state);
            Ok(())
        });
        outcome.and(dropped)
    }

    fn with<T>(&self, step: &'static str, run: impl FnOnce(&State<'a>) -> Result<T, String>) -> Result<T, Failure> {
        match &self.state {
            Some(state) => guard(step, || run(state)),
            None => Err(Failure::new("set-up", "there is no instance: the set-up after `randomize` failed")),
        }
    }

    /// The amounts of an invocation, if they depend on the instance.
    pub(crate) fn amounts(&self) -> Result<Option<Amounts>, Failure> {
        self.with("set-up", State::amounts)
    }

    /// Runs one invocation and returns its result as text.
    pub(crate) fn check(&mut self) -> Result<Shown, Failure> {
        self.with("iteration-set-up", State::iteration_set_up)?;
        let shown = self.with("body", |state| Ok(state.check()))?;
        self.with("iteration-clean-up", State::iteration_clean_up)?;
        if let Some(why) = shown.refused {
            return Err(Failure::new("body", why));
        }
        Ok(if self.case.bench.returns { shown } else { Shown::default() })
    }

    /// Runs one iteration with its set-up and clean-up, timed only with `cuts`. If `cuts` asks for windows, each has `invocations`
    /// invocations.
    fn iteration(&mut self, which: Which, invocations: u64, cuts: Option<&mut Cuts>) -> Result<Sample, Failure> {
        if !which.is_user() {
            return self.run(which, invocations, cuts);
        }
        let windows = cuts.as_ref().map_or(1, |cuts| cuts.windows.max(1) as u64);
        self.with("iteration-set-up", State::iteration_set_up)?;
        self.with("iteration-set-up", |state| state.prepare(invocations.saturating_mul(windows)))?;
        if self.case.bench.manner.cold_caches {
            cold::flush();
        }
        let sample = self.run_observed(which, invocations, cuts);
        let discarded = self.with("iteration-clean-up", State::discard);
        let sample = sample?;
        discarded?;
        self.with("iteration-clean-up", State::iteration_clean_up)?;
        Ok(sample)
    }

    /// Runs the body; if timed, with its metrics and operations.
    fn run_observed(&mut self, which: Which, invocations: u64, cuts: Option<&mut Cuts>) -> Result<Sample, Failure> {
        let mut sample = match cuts {
            None => self.run(which, invocations, None)?,
            Some(cuts) => {
                let metrics = metric::metrics();
                cuts.metrics.reserve(metrics.len()); // nothing is allocated between two readings
                let before: Vec<f64> = guard("body", || Ok(metrics.iter().map(|metric| (metric.read)()).collect()))?;
                let sample = self.run(which, invocations, Some(cuts))?;
                guard("body", || metric::values(&metrics, &before, &mut cuts.metrics))?;
                sample
            }
        };
        let operations = self.with("body", |state| state.iteration_operations().map(counted).transpose())?;
        sample.operations = operations.unwrap_or_default();
        Ok(sample)
    }

    /// Runs a loop at another depth of the stack than the previous one.
    fn run(&mut self, which: Which, invocations: u64, mut cuts: Option<&mut Cuts>) -> Result<Sample, Failure> {
        let at = self.with("body", |state| Ok(state.at()))?;
        let run = Run::new(&self.case.vtable, self.team.as_ref(), which, at, invocations);
        let mut result = Ok(Sample::default());
        self.scatter.deeper(&mut || {
            result = guard("body", || match cuts.as_deref_mut() {
                Some(cuts) => Ok(cuts.measure(&run)),
                None => {
                    run.prepare();
                    run.go();
                    Ok(Sample::default())
                }
            });
        });
        match self.team.as_ref().and_then(Team::failure) {
            Some(failure) if result.is_ok() => Err(failure),
            _ => result,
        }
    }

    /// The address of the function with the measuring loop.
    pub(crate) fn loop_address(&self) -> u64 {
        Run::new(&self.case.vtable, self.team.as_ref(), Which::Workload, std::ptr::null_mut(), 0).address()
    }

    pub(crate) fn count(
        &mut self,
        counter: Counter,
        iterations: usize,
        invocations: u64,
        lead: u64,
    ) -> Result<(Vec<Counts>, Vec<Sample>), Failure> {
        let mut cuts = Cuts::counting(counter, iterations);
        match self.measure_cut(Which::Workload, iterations, invocations, lead, &mut cuts) {
            Ok(samples) => Ok((cuts.counts, samples)),
            Err(failure) => {
                // Stop counting after a failure too.
                counter.end();
                Err(failure)
            }
        }
    }

    /// Runs `lead` untimed invocations, then `iterations` iterations of windows of `invocations` each, back to back.
    pub(crate) fn measure_cut(
        &mut self,
        which: Which,
        iterations: usize,
        invocations: u64,
        lead: u64,
        cuts: &mut Cuts,
    ) -> Result<Vec<Sample>, Failure> {
        if lead != 0 {
            self.iteration(which, lead, None)?;
        }
        let mut samples = Vec::with_capacity(iterations);
        for _ in 0..iterations {
            samples.push(self.iteration(which, invocations, Some(&mut *cuts))?);
        }
        Ok(samples)
    }
}

/// Checks a number of operations per invocation.
fn counted(operations: f64) -> Result<f64, String> {
    if operations > 0.0 && operations.is_finite() {
        Ok(operations)
    } else {
        Err(format!("`iteration_operations` is {operations}: it must be greater than 0"))
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // Something is left to do only after a failure, and that failure is the one to report.
        let _ = self.end();
        crate::runner::install(None);
    }
}
