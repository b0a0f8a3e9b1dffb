//! The measurements of an iteration, whole or cut into windows.

use std::time::Instant;

use super::run::Run;
use crate::callgrind;
use crate::clock::{probe, since, width, Usage};
use crate::memory::{Counter, Counts};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Workload,
    Rolled,
    Overhead,
    /// The workload, one invocation a turn.
    Single,
    SingleOverhead,
}

impl Which {
    pub(crate) fn is_user(self) -> bool {
        !matches!(self, Which::Overhead | Which::SingleOverhead)
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) elapsed_ns: u64,
    pub(crate) cpu_ns: u64,
    pub(crate) process_cpu_ns: u64,
    pub(crate) probe_before_ns: u64,
    pub(crate) probe_after_ns: u64,
    pub(crate) switches: u64,
    pub(crate) waits: u64,
    /// Operations per invocation if the benchmark counts them, else 0.
    pub(crate) operations: f64,
}

/// The data of iterations that are cut into windows, in order of time.
#[derive(Default)]
pub(crate) struct Cuts {
    /// Windows per iteration; 0 if it is not cut.
    pub(crate) windows: usize,
    pub(crate) window_ns: Vec<u64>,
    /// Readings of the width probe: one before the first window of an iteration, and one after each window.
    pub(crate) width_ns: Vec<u64>,
    /// The metrics of each iteration, concatenated.
    pub(crate) metrics: Vec<f64>,
    /// Counts allocations instead of time, with the counts of each iteration.
    pub(crate) counter: Option<Counter>,
    pub(crate) counts: Vec<Counts>,
    /// In this iteration: the time that the body reports for each window.
    own_ns: Vec<u64>,
    /// In this iteration: when readings began and ended. Allocated in advance, so that nothing is allocated between windows.
    marks: Vec<Instant>,
}

impl Cuts {
    pub(crate) fn new(iterations: usize, windows: usize) -> Cuts {
        let mut cuts = Cuts { windows, ..Cuts::default() };
        if windows != 0 {
            cuts.window_ns.reserve(iterations * windows);
            cuts.width_ns.reserve(iterations * (windows + 1));
            // Touch the pages, so that there are no page faults while windows are measured.
            cuts.marks.resize(2 * windows + 2, Instant::now());
            cuts.own_ns.resize(windows, 0);
        }
        cuts
    }

    /// For iterations whose allocations are counted.
    pub(super) fn counting(counter: Counter, iterations: usize) -> Cuts {
        Cuts { counter: Some(counter), counts: Vec::with_capacity(iterations), ..Cuts::default() }
    }

    /// Runs an iteration as requested: counted, whole, or in windows.
    pub(super) fn measure(&mut self, run: &Run) -> Sample {
        if let Some(counter) = self.counter {
            run.prepare();
            counter.begin();
            run.go();
            self.counts.push(counter.end());
            return Sample::default();
        }
        let probe_before_ns = probe();
        let before = Usage::before();
        let whole_ns = if self.windows == 0 { Some(whole(run)) } else { self.run_windows(run) };
        let after = Usage::after();
        let probe_after_ns = probe();
        Sample {
            elapsed_ns: whole_ns.unwrap_or_else(|| self.keep()),
            cpu_ns: after.cpu_ns - before.cpu_ns,
            process_cpu_ns: after.process_cpu_ns - before.process_cpu_ns,
            probe_before_ns,
            probe_after_ns,
            switches: after.switches - before.switches,
            waits: after.waits - before.waits,
            operations: 0.0,
        }
    }

    /// Runs the windows of an iteration with a reading of the width probe between them. One look at the clock ends a window and begins
    /// the reading (and the reverse), so that together they cover the whole iteration.
    fn run_windows(&mut self, run: &Run) -> Option<u64> {
        self.marks.clear();
        self.own_ns.clear();
        self.marks.push(Instant::now());
        width();
        self.marks.push(Instant::now());
        for _ in 0..self.windows {
            run.prepare();
            let own_ns = run.go();
            self.marks.push(Instant::now());
            self.own_ns.extend(own_ns);
            width();
            self.marks.push(Instant::now());
        }
        None
    }

    /// Stores the times of the iteration and returns the sum of its windows.
    fn keep(&mut self) -> u64 {
        let mut elapsed_ns = 0;
        for (position, ends) in self.marks.windows(2).enumerate() {
            let ns = ends[1].duration_since(ends[0]).as_nanos() as u64;
            if position % 2 == 0 {
                self.width_ns.push(ns);
            } else {
                let ns = self.own_ns.get(position / 2).copied().unwrap_or(ns);
                self.window_ns.push(ns);
                elapsed_ns += ns;
            }
        }
        elapsed_ns
    }
}

/// Runs an uncut iteration and returns its time.
fn whole(run: &Run) -> u64 {
    run.prepare();
    callgrind::begin();
    let start = Instant::now();
    let own_ns = run.go();
    let elapsed_ns = since(start);
    callgrind::end();
    own_ns.unwrap_or(elapsed_ns)
}
