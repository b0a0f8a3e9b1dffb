//! An opened case: makes the state and runs iterations of the loops.

mod sample;
mod weight;

use std::time::{Duration, Instant};

use crate::callgrind;
use crate::clock::{probe, since, Usage};
use crate::cold;
use crate::guard::{guard, Failure};
use crate::loops::{ROLLED, UNROLL};
use crate::memory::{Counter, Counts};
use crate::metric;
use crate::registry::Case;
use crate::scatter::Scatter;
use crate::show::Shown;
use crate::team::Team;
use crate::vtable::{Outcome, TeamLoop, Vtable};

pub(crate) use sample::{Cuts, Sample, Which};

/// A case with its state.
pub(crate) struct Instance<'a> {
    case: &'a Case,
    vtable: &'a Vtable,
    /// None after a failed `randomize`.
    state: Option<*mut ()>,
    scatter: Scatter,
    /// The threads beside this one, where several run the body in step.
    team: Option<Team>,
}

/// How the invocations of an iteration are run. The state is always one of the vtable that the functions are of.
#[derive(Clone, Copy)]
enum Runs<'a> {
    /// By a loop on this thread.
    Alone(unsafe fn(*mut (), u64, u64)),
    /// By loops on several threads.
    InStep(&'a Team, TeamLoop),
    /// By the body, which says how long it took.
    Own(unsafe fn(*mut (), u64) -> Duration, u64),
}

impl Runs<'_> {
    /// Before the clock is read.
    fn prepare(self, state: *mut (), turns: u64, rest: u64) {
        if let Runs::InStep(team, run) = self {
            // SAFETY: the loop is for several threads, and `run` follows.
            unsafe { team.wake(run, state, turns, rest) };
        }
    }

    /// What the body says that it took, if it says something.
    fn run(self, state: *mut (), turns: u64, rest: u64) -> Option<u64> {
        // SAFETY: the state is one of this vtable; `prepare` was called.
        match self {
            Runs::Alone(run) => unsafe { run(state, turns, rest) },
            Runs::InStep(team, run) => unsafe { team.run(run, state, turns, rest) },
            Runs::Own(run, unroll) => {
                return Some(unsafe { run(state, turns * unroll + rest) }.as_nanos() as u64);
            }
        }
        None
    }
}

impl<'a> Instance<'a> {
    /// Runs the global set-up, heap and stack moved by `seed` (0: not moved).
    pub(crate) fn open(case: &'a Case, seed: u64) -> Result<Self, Failure> {
        if let Some(fault) = &case.fault {
            return Err(Failure::new("set-up", fault.clone()));
        }
        if let Some(reason) = &case.skipped {
            return Err(Failure { skipped: true, ..Failure::new("set-up", reason.clone()) });
        }
        let vtable = &case.vtable;
        let team = match vtable.team {
            Some(Err(why)) => return Err(Failure::new("set-up", why)),
            Some(Ok(_)) => Some(Team::new(case.threads).map_err(|why| Failure::new("set-up", why))?),
            None => None,
        };
        if case.bench.manner.cold_caches && !cold::SUPPORTED {
            return Err(Failure::new("set-up", "`cold_caches` is for Linux on x86-64 and AArch64".to_owned()));
        }
        if let Some(runner) = vtable.runner {
            crate::runner::install(Some(guard("set-up", || Ok(runner()))?));
        }
        let scatter = Scatter::default();
        let mut instance = Instance { case, vtable, state: None, scatter, team };
        instance.make(seed)?;
        Ok(instance)
    }

    fn make(&mut self, seed: u64) -> Result<(), Failure> {
        // The old blocks go first, so that the new ones lie where they would in a fresh process.
        self.scatter = Scatter::default();
        self.scatter = Scatter::new(seed);
        let (vtable, choice) = (self.vtable, &self.case.choice);
        self.state = Some(guard("set-up", || (vtable.make)(choice))?);
        Ok(())
    }

    /// The global clean-up, the state dropped, another set-up elsewhere in memory.
    pub(crate) fn randomize(&mut self, seed: u64) -> Result<(), Failure> {
        self.end()?;
        self.make(seed)
    }

    /// The global clean-up; the state is gone in any case.
    pub(crate) fn close(mut self) -> Result<(), Failure> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Failure> {
        let Some(state) = self.state.take() else { return Ok(()) };
        let vtable = self.vtable;
        // SAFETY, for all three: `state` came from `make` of this vtable and nobody has it any more.
        let outcome = match vtable.clean_up {
            Some((hook, true)) => return guard("clean-up", || unsafe { hook(state) }),
            Some((hook, false)) => guard("clean-up", || unsafe { hook(state) }),
            None => Ok(()),
        };
        // The state is dropped even if its clean-up fails.
        let dropped = guard("clean-up", || {
            unsafe { (vtable.drop)(state) };
            Ok(())
        });
        outcome.and(dropped)
    }

    fn state(&self) -> Result<*mut (), Failure> {
        let message = "there is no instance: the set-up after `randomize` failed";
        self.state.ok_or_else(|| Failure::new("set-up", message))
    }

    fn hook(&self, step: &'static str, hook: Option<unsafe fn(*mut ()) -> Outcome>) -> Result<(), Failure> {
        let state = self.state()?;
        match hook {
            // SAFETY: the state is one of this vtable.
            Some(hook) => guard(step, || unsafe { hook(state) }),
            None => Ok(()),
        }
    }

    /// What an invocation does, where only the instance knows it.
    pub(crate) fn amounts(&self) -> Result<Option<crate::vtable::Amounts>, Failure> {
        let Some(amounts) = self.vtable.amounts else { return Ok(None) };
        let state = self.state()?;
        // SAFETY: the state is one of this vtable.
        guard("set-up", || unsafe { amounts(state) }).map(Some)
    }

    /// Where the function with the measuring loop is.
    pub(crate) fn loop_address(&self) -> u64 {
        let vtable = self.vtable;
        let address = match (vtable.own, vtable.team, &self.team) {
            (Some(own), ..) => own as usize,
            (None, Some(Ok(loops)), Some(_)) => loops[0] as usize,
            _ => vtable.workload as usize,
        };
        address as u64
    }

    /// One invocation, its result as text.
    pub(crate) fn check(&mut self) -> Result<Shown, Failure> {
        let state = self.state()?;
        self.hook("iteration-set-up", self.vtable.iteration_set_up)?;
        let look = self.vtable.check;
        // SAFETY: the state is one of this vtable.
        let shown = guard("body", || Ok(unsafe { look(state) }))?;
        self.hook("iteration-clean-up", self.vtable.iteration_clean_up)?;
        if let Some(why) = shown.refused {
            return Err(Failure::new("body", why));
        }
        Ok(if self.case.bench.returns { shown } else { Shown::default() })
    }

    /// One iteration of `invocations`, with its set-up and clean-up; not timed without `cuts`. Where they say so, it is cut into
    /// windows, each of `invocations`.
    fn iteration(&mut self, which: Which, invocations: u64, mut cuts: Option<&mut Cuts>) -> Result<Sample, Failure> {
        let state = self.state()?;
        let vtable = self.vtable;
        let user = which.is_user();
        let (run, unroll) = match which {
            Which::Workload | Which::Single => (vtable.workload, UNROLL),
            Which::Rolled => (vtable.rolled, ROLLED),
            Which::Overhead | Which::SingleOverhead => (vtable.overhead, UNROLL),
        };
        let runs = match (vtable.own, vtable.team, &self.team) {
            (Some(own), _, _) if user => Runs::Own(own, unroll),
            (None, Some(Ok(loops)), Some(team)) if user => {
                Runs::InStep(team, loops[usize::from(which == Which::Rolled)])
            }
            _ => Runs::Alone(run),
        };
        let (turns, rest) = match which {
            Which::Single | Which::SingleOverhead => (0, invocations),
            _ => (invocations / unroll, invocations % unroll),
        };
        let windows = cuts.as_ref().map_or(1, |cuts| cuts.windows.max(1) as u64);
        let all = invocations.saturating_mul(windows);
        if user {
            self.hook("iteration-set-up", vtable.iteration_set_up)?;
            if let Some(prepare) = vtable.prepare {
                // SAFETY: the state is one of this vtable.
                guard("iteration-set-up", || {
                    unsafe { prepare(state, all) };
                    Ok(())
                })?;
            }
            if self.case.bench.manner.cold_caches {
                cold::flush();
            }
        }
        let mut sample = Sample::default();
        let mut failure = None;
        let metrics = if user && cuts.is_some() { metric::metrics() } else { Vec::new() };
        if let Some(cuts) = cuts.as_deref_mut() {
            cuts.metrics.reserve(metrics.len()); // nothing is allocated between two readings
        }
        let before: Vec<f64> = guard("body", || Ok(metrics.iter().map(|metric| (metric.read)()).collect()))?;
        self.scatter.deeper(&mut || {
            let result = guard("body", || {
                let Some(cuts) = cuts.as_deref_mut() else {
                    runs.prepare(state, turns, rest);
                    runs.run(state, turns, rest);
                    return Ok(());
                };
                if let Some(counter) = cuts.counter {
                    runs.prepare(state, turns, rest);
                    counter.begin();
                    runs.run(state, turns, rest);
                    let counts = counter.end();
                    cuts.counts.push(counts);
                    return Ok(());
                }
                let probe_before_ns = probe();
                let before = Usage::before();
                let elapsed_ns = if cuts.windows == 0 {
                    runs.prepare(state, turns, rest);
                    callgrind::begin();
                    let start = Instant::now();
                    let own_ns = runs.run(state, turns, rest);
                    let elapsed_ns = since(start);
                    callgrind::end();
                    own_ns.unwrap_or(elapsed_ns)
                } else {
                    cuts.run(|| {
                        runs.prepare(state, turns, rest);
                        runs.run(state, turns, rest)
                    });
                    0
                };
                let after = Usage::after();
                sample = Sample {
                    elapsed_ns,
                    cpu_ns: after.cpu_ns - before.cpu_ns,
                    process_cpu_ns: after.process_cpu_ns - before.process_cpu_ns,
                    probe_before_ns,
                    probe_after_ns: probe(),
                    switches: after.switches - before.switches,
                    waits: after.waits - before.waits,
                    operations: 0.0,
                };
                if cuts.windows != 0 {
                    sample.elapsed_ns = cuts.keep();
                }
                Ok(())
            });
            failure = result.err().or_else(|| self.team.as_ref()?.failure());
        });
        if let (Some(cuts), None) = (cuts, &failure) {
            failure = guard("body", || metric::values(&metrics, &before, &mut cuts.metrics)).err();
        }
        if let (Some(count), true, None) = (vtable.iteration_operations, user, &failure) {
            // SAFETY: the state is one of this vtable.
            match guard("body", || counted(unsafe { count(state) })) {
                Ok(operations) => sample.operations = operations,
                Err(why) => failure = Some(why),
            }
        }
        if user {
            if let Some(discard) = vtable.discard {
                // SAFETY: the state is one of this vtable.
                let dropped = guard("iteration-clean-up", || {
                    unsafe { discard(state) };
                    Ok(())
                });
                failure = failure.or(dropped.err());
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if user {
            self.hook("iteration-clean-up", vtable.iteration_clean_up)?;
        }
        Ok(sample)
    }

    /// What iterations allocate.
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
                // Whatever failed, nothing is counted any more.
                counter.end();
                Err(failure)
            }
        }
    }

    /// `lead` invocations untimed, then `iterations` of so many windows, each of `invocations`, back to back.
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

/// A number of operations that an invocation can have done.
fn counted(operations: f64) -> Result<f64, String> {
    if operations > 0.0 && operations.is_finite() {
        Ok(operations)
    } else {
        Err(format!("`iteration_operations` is {operations}: it must be greater than 0"))
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // Only after a failure is there anything left to do, and that failure is the one to report.
        let _ = self.end();
        crate::runner::install(None);
    }
}
