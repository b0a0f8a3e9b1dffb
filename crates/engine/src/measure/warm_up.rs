//! How long a case must warm up: found on its first launch by measured values.

mod by_clock;
mod by_count;
mod warmth;

pub use by_count::SliceReport;
pub use warmth::{WarmUpWork, Warmth};

use super::pilot::{pilot_ns, GROWTH_MAX, NOTHING_NS, SILENCE_NS};
use super::shape::Shape;
use by_clock::Slice;
use tare_model::{Effort, Policy, Visit};
use tare_stats::changepoint::steady_state;

#[derive(Debug, Clone, Default)]
pub struct WarmUp {
    times_ns: Vec<f64>,
    invocation_ns: Vec<f64>,
    log_levels: Vec<f64>,
    /// Which iterations may have shared the core.
    shared: Vec<bool>,
    /// Results of each slice, for warm-ups by the wall clock.
    slices: Vec<Slice>,
    /// For how long the process had known the body at the end of the last slice with a compilation, ns.
    compiled_ns: Option<f64>,
    reports: bool,
    /// Whether compilations go on although the times have settled, long after the first call.
    compiles_on: bool,
    elapsed_ns: f64,
    /// Wall time the host waited, ns.
    real_ns: f64,
    longest_ns: f64,
    /// Smallest wait of the host per timed ns, at least 1; `None` if no request was long enough.
    real_share: Option<f64>,
    pub iterations: u64,
    pub invocations: u64,
    aim_ns: f64,
    most: u64,
    requests: u32,
    bounds: WarmUpBounds,
}

#[derive(Debug, Clone, Copy, Default)]
struct WarmUpBounds {
    floor_ns: f64,
    search_ns: f64,
    compiles_late: bool,
}

impl WarmUpBounds {
    /// Longest wall time the host may wait, ns.
    fn real_ns(&self) -> f64 {
        REAL * self.search_ns.max(self.floor_ns)
    }

    fn new(compiles_late: bool, policy: &Policy) -> WarmUpBounds {
        let (floor_ns, search_ns) = match (policy.warmup_ns, compiles_late, policy.effort) {
            (Some(fixed), _, _) => (fixed, 0.0),
            (None, true, Effort::Quick) => (250e6, 2e9),
            (None, true, _) => (250e6, 4e9),
            (None, false, Effort::Quick) => (10e6, 25e6),
            (None, false, _) => (10e6, 80e6),
        };
        WarmUpBounds { floor_ns, search_ns, compiles_late }
    }
}

/// A warm-up may take this many times as long by the wall clock as by its timed part: the user waits for it.
const REAL: f64 = 2.0;
/// Overhead of a request beside its iterations, ns: pipes, and a host that had to wait.
const REQUEST_NS: f64 = 1e6;
/// Shorter requests say nothing about the untimed part of their iterations, ns.
const TELLING_NS: f64 = 5e6;
/// The warm-up of the loops of a runtime that compiles late takes at least this long, ns ...
const LOOP_FLOOR_NS: f64 = 5e7;
/// ... and at most.
const LOOP_SEARCH_NS: f64 = 5e8;
/// The same maximum for native code, which only has caches to fill, ns.
const LOOP_SEARCH_NATIVE_NS: f64 = 1e7;
/// Requests of the search at most: a clock that stands still must not make it endless.
pub(crate) const REQUESTS_MAX: u32 = 24;
/// Iterations of one request of the search at most.
const ITERATIONS_SEARCH_MAX: u64 = 4000;
/// Iterations of the warm-up of each further launch at most.
const ITERATIONS_WARM_MAX: f64 = 20_000.0;
/// Iterations that a warm-up is cut into, enough for a change point to show.
const WARM_UP_ITERATIONS: f64 = 40.0;
/// With fewer iterations, no change point is looked for and the floor is used.
const CUT_MIN: usize = 16;
/// Fewest iterations for the time of an invocation.
const LAST_MIN: usize = 5;
/// An earlier stretch of late-compiled code is warm-up if its level (log) differs by more than this ...
const LEVEL_COMPILED: f64 = 0.01;
/// ... and of native code if it is slower by more than this: a busy machine makes smaller steps all the time.
const LEVEL_NATIVE: f64 = 0.03;

/// Time of an operation (log). With a probe it is taken in cycles, as a step of the core's clock is no warm-up.
fn log_level(visit: &Visit) -> f64 {
    let ns = pilot_ns(visit).max(1e-3);
    (ns / visit.operations(1.0)).ln() - visit.probe_ns.filter(|p| *p > 0.0).map_or(0.0, f64::ln)
}

fn is_shared(visit: &Visit) -> bool {
    visit.windows.is_some() && !visit.is_alone()
}

impl WarmUp {
    /// For visits of this form, in iterations of a quarter of a visit: a first request as long as the runtime's floor, and no longer than
    /// the host may wait, given that it waited `waited_ns` for one iteration.
    pub fn new(shape: Shape, compiles_late: bool, batch_max: u64, policy: &Policy, waited_ns: f64) -> WarmUp {
        let fixed = policy.invocations;
        let bounds = WarmUpBounds::new(compiles_late, policy);
        let invocations = if shape.iterations > 1 { shape.invocations } else { (shape.per_iteration() / 4).max(1) };
        let iteration_ns = shape.invocation_ns * invocations as f64;
        let fitting = bounds.real_ns() / (waited_ns - REQUEST_NS).max(iteration_ns);
        let wanted = (bounds.floor_ns / iteration_ns).ceil().clamp(2.0, 4.0 * WARM_UP_ITERATIONS);
        let iterations = wanted.min(fitting).max(1.0) as u64;
        let most = if fixed.is_some() { invocations } else { batch_max };
        WarmUp::begin(iterations, invocations, iteration_ns, most, bounds)
    }

    /// For a loop of this many invocations, with unknown time.
    pub fn of_loop(invocations: u64, compiles_late: bool, policy: &Policy) -> WarmUp {
        let (floor_ns, search_ns) = match (policy.warmup_ns, compiles_late) {
            (Some(fixed), _) => (fixed, 0.0),
            (None, true) => (LOOP_FLOOR_NS, LOOP_SEARCH_NS),
            (None, false) => (0.0, LOOP_SEARCH_NATIVE_NS),
        };
        let bounds = WarmUpBounds { floor_ns, search_ns, compiles_late };
        WarmUp::begin(CUT_MIN as u64, invocations, 0.0, invocations, bounds)
    }

    fn begin(iterations: u64, invocations: u64, aim_ns: f64, most: u64, bounds: WarmUpBounds) -> WarmUp {
        WarmUp { iterations, invocations, aim_ns, most, bounds, ..WarmUp::default() }
    }

    /// Adds iterations that the host waited `took_ns` for; returns the warm-up for every launch of the case, ns, once it is found.
    pub fn ran(&mut self, seen: &[Visit], took_ns: f64) -> Option<f64> {
        self.take(seen, took_ns);
        let is_long_enough = self.elapsed_ns >= self.bounds.floor_ns || self.real_ns >= self.real_limit_ns();
        if self.log_levels.len() < CUT_MIN && is_long_enough {
            return Some(self.bounds.floor_ns);
        }
        let real_ns = self.real_limit_ns();
        let over = self.elapsed_ns >= self.bounds.search_ns || self.real_ns >= real_ns || self.requests >= REQUESTS_MAX;
        if self.elapsed_ns >= self.bounds.floor_ns || over {
            let settled_from = self.settled_from();
            let found = 4 * (self.log_levels.len() - settled_from) >= self.log_levels.len();
            if found || over {
                let by_values: f64 = 1.25 * self.times_ns[..settled_from].iter().sum::<f64>();
                return Some(by_values.clamp(self.bounds.floor_ns, self.bounds.search_ns.max(self.bounds.floor_ns)));
            }
        }
        let each_ns = took_ns / seen.len().max(1) as f64;
        let fitting = ((real_ns - self.real_ns) / each_ns.max(1e-3)).max(1.0) as u64;
        self.iterations = (self.log_levels.len() as u64).clamp(8, ITERATIONS_SEARCH_MAX).min(fitting);
        self.grow();
        None
    }

    fn take(&mut self, seen: &[Visit], took_ns: f64) {
        self.requests += 1;
        self.real_ns += took_ns;
        let timed_ns: f64 = seen.iter().map(|visit| visit.wall_ns.max(1e-3)).sum();
        if took_ns >= TELLING_NS {
            let share = ((took_ns - REQUEST_NS) / timed_ns).max(1.0);
            self.real_share = Some(self.real_share.map_or(share, |known| known.min(share)));
        }
        for visit in seen {
            let ns = pilot_ns(visit).max(1e-3);
            let each_ns = ns / visit.invocations.max(1.0);
            self.times_ns.push(ns);
            self.invocation_ns.push(each_ns);
            self.elapsed_ns += visit.wall_ns;
            self.longest_ns = self.longest_ns.max(visit.wall_ns);
            self.shared.push(is_shared(visit));
            self.log_levels.push(log_level(visit));
        }
    }

    /// Lengthens iterations that have become short: at a few nanoseconds they would measure the clock more than the body.
    fn grow(&mut self) {
        if let Some(ns) = self
            .invocation_ns()
            .filter(|ns| self.invocations < self.most && ns * self.invocations as f64 <= 0.5 * self.aim_ns)
        {
            let fitting = (self.aim_ns / ns).min(GROWTH_MAX * self.invocations as f64);
            self.invocations = (fitting as u64).max(self.invocations).min(self.most);
        }
    }

    /// Longest wait of the host, ns; if the clock says nothing, until that is beyond doubt.
    fn real_limit_ns(&self) -> f64 {
        let silence_ns = if self.longest_ns <= NOTHING_NS { SILENCE_NS } else { 0.0 };
        self.bounds.real_ns().max(silence_ns)
    }

    /// Whether the host waited long while the child's clock did not move.
    pub fn stands(&self) -> bool {
        self.real_ns >= SILENCE_NS && self.longest_ns <= NOTHING_NS
    }

    /// Index of the first iteration of the steady stretch at the end.
    fn settled_from(&self) -> usize {
        let looked_at = self.alone().unwrap_or_else(|| (0..self.log_levels.len()).collect());
        let levels: Vec<f64> = looked_at.iter().map(|&i| self.log_levels[i]).collect();
        let segments = steady_state(&levels).segments;
        let Some(last) = segments.last().copied() else { return 0 };
        let is_warm_up = |mean: f64| {
            let above = mean - last.mean;
            if self.bounds.compiles_late {
                above.abs() > LEVEL_COMPILED
            } else {
                above > LEVEL_NATIVE
            }
        };
        let settled = segments.iter().rev().find(|s| is_warm_up(s.mean)).map_or(0, |s| s.end);
        if settled == 0 {
            0
        } else {
            looked_at.get(settled).copied().unwrap_or(self.log_levels.len())
        }
    }

    /// The iterations alone on the core, if there are enough of them.
    fn alone(&self) -> Option<Vec<usize>> {
        let alone: Vec<usize> = (0..self.shared.len()).filter(|&i| !self.shared[i]).collect();
        (alone.len() >= CUT_MIN && 4 * alone.len() >= self.shared.len()).then_some(alone)
    }

    /// Time of an invocation at the end of the warm-up, ns: the median of the last third; `None` without iterations.
    pub fn invocation_ns(&self) -> Option<f64> {
        let times: Vec<f64> = match self.alone() {
            Some(alone) => alone.into_iter().map(|i| self.invocation_ns[i]).collect(),
            None => self.invocation_ns.clone(),
        };
        let last = times.len().div_ceil(3).max(LAST_MIN).min(times.len());
        tare_stats::location::median(&times[times.len() - last..])
    }

    /// Iterations as long as the last ones that take `warmup_ns` when warm; fewer if most of their time is not timed.
    pub fn iterations_for(&self, warmup_ns: f64) -> u64 {
        let warmup_ns = warmup_ns * (REAL / self.real_share.unwrap_or(1.0)).min(1.0);
        let iteration_ns = self.invocation_ns().unwrap_or(1.0) * self.invocations as f64;
        (warmup_ns / iteration_ns.max(1e-3)).ceil().clamp(1.0, ITERATIONS_WARM_MAX) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::shape;
    use crate::measure::shape::tests::{facts, visit};

    #[test]
    fn a_warm_up_ends() {
        let policy = Policy::default();
        let mut warm_up = WarmUp::new(shape(100.0, &facts(16), u64::MAX, &policy), false, u64::MAX, &policy, 1e5);
        let mut total = 0.0;
        let found = loop {
            let invocations = warm_up.invocations as f64;
            let seen = vec![Visit { invocations, ..visit(100.0 * invocations) }; warm_up.iterations as usize];
            let took_ns = 100.0 * invocations * seen.len() as f64;
            total += took_ns;
            if let Some(found) = warm_up.ran(&seen, took_ns) {
                break found;
            }
        };
        assert!((1e7..3e8).contains(&found) && total < 4e8, "{found} after {total}");
        assert!((warm_up.invocation_ns().expect("times") - 100.0).abs() < 1.0);
    }

    /// For a body of 1 µs with an untimed set-up of `set_up_ns`: the host's wait for the search, and in each launch, ns.
    fn waited(set_up_ns: f64) -> (f64, f64) {
        let policy = Policy::default();
        let took = |iterations: usize| 5e4 + iterations as f64 * (1000.0 + set_up_ns);
        let mut warm_up = WarmUp::new(shape(1000.0, &facts(16), 1, &policy), false, 1, &policy, took(1));
        let mut total_ns = 0.0;
        loop {
            let seen = vec![visit(1000.0); warm_up.iterations as usize];
            total_ns += took(seen.len());
            if let Some(found) = warm_up.ran(&seen, took(seen.len())) {
                return (total_ns, took(warm_up.iterations_for(found) as usize));
            }
        }
    }

    #[test]
    fn a_set_up_that_is_not_timed_counts_as_well() {
        for set_up_ns in [1e4, 3.5e5, 5e6, 1e8, 3e9] {
            let (search_ns, launch_ns) = waited(set_up_ns);
            assert!(search_ns <= 2.0 * 1.6e8 + 2.0 * set_up_ns, "{search_ns} ns for a set-up of {set_up_ns} ns");
            assert!(launch_ns <= 1.7e8 + set_up_ns, "{launch_ns} ns a launch for a set-up of {set_up_ns} ns");
        }
        let (search_ns, launch_ns) = waited(0.0);
        assert!(search_ns >= 1e7 && launch_ns >= 1e7, "what is timed is warmed up as before: {search_ns}, {launch_ns}");
    }

    #[test]
    fn steps_of_a_neighbour_are_no_warm_up() {
        let policy = Policy::default();
        let ran = |judged: bool| {
            let mut warm_up = WarmUp::new(shape(100.0, &facts(16), u64::MAX, &policy), false, u64::MAX, &policy, 1e5);
            let mut number = 0;
            let mut seen = |iterations: u64, invocations: f64| -> Vec<Visit> {
                let one = |shared: bool| {
                    let ns = if shared { 400.0 } else { 100.0 } * invocations;
                    let windows = tare_model::Windows { judged: 1, alone: u32::from(!shared), ..Default::default() };
                    Visit { invocations, windows: judged.then_some(windows), ..visit(ns) }
                };
                number += iterations;
                // Stretches of twenty, every other one shared.
                (number - iterations..number).map(|i| one((i / 20) % 2 == 0)).collect()
            };
            loop {
                let seen = seen(warm_up.iterations, warm_up.invocations as f64);
                let took_ns = seen.iter().map(|visit| visit.wall_ns).sum();
                if let Some(found) = warm_up.ran(&seen, took_ns) {
                    return found;
                }
            }
        };
        assert!(ran(true) <= 1e7 && ran(false) > 1e7, "{} and {}", ran(true), ran(false));
    }
}
