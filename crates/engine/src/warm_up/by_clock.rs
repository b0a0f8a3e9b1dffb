//! Warm-ups that go by the clock on the wall: of runtimes that compile again what was called often, some time later.

use super::{log_level, WarmUp, CUT_MIN, REAL};
use tare_model::Visit;
use tare_stats::location::median;

/// For so long at least a process has known its body before anything counts, ns: .NET looks every 100 ms whether nothing new was called
/// for so long, counts 30 calls, and compiles beside the program.
const KNOWN_NS: f64 = 250e6;
/// In this time the body must have run for so long, ns ...
const BUSY_NS: f64 = 50e6;
/// ... and so often, where that does not take as long as all of it.
const CALLS: f64 = 200.0;
/// A process whose runtime has compiled nothing for so long is warm, ns.
const QUIET_NS: f64 = 150e6;
/// Other threads of the process worked for this share of the time of the body: a compiler, as long as the runtime does not say itself
/// what it compiles ...
const HELPERS_SHARE: f64 = 0.05;
/// ... and until the process has known its body for so long, ns: what still works then is no compiler, and what is still compiled beside
/// times that have settled is the body's own.
const HELPERS_NS: f64 = 1e9;
/// Slices of the search at most.
const SLICES_MAX: u32 = 1000;
/// Share by which more is done than was seen to be needed.
const MARGIN: f64 = 1.25;
/// A launch that is slower by so much (log) than the first one was in the end waits on ...
const LEVEL: f64 = 0.05;
/// ... for at most so many times as long.
const PATIENCE: f64 = 3.0;

/// What makes a launch warm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warmth {
    /// For so long its body has run, ns.
    pub busy_ns: f64,
    /// For so long its process has known the body, ns.
    pub known_ns: f64,
    /// Time of an operation then (log), in cycles where there is a probe; None where it is not known.
    pub log_level: Option<f64>,
}

/// What a launch has done to become warm.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WarmedFor {
    /// Time of the body, ns.
    pub busy_ns: f64,
    /// Calls of it.
    pub calls: f64,
    /// What the host waited for them, ns: set-ups are not timed.
    pub waited_ns: f64,
    /// How long the process has known the body, ns.
    pub known_ns: f64,
    /// Time of an operation in the last slice (log).
    pub log_level: Option<f64>,
}

/// Time of an operation (log) in the middle of these iterations.
pub fn log_level_of(seen: &[Visit]) -> Option<f64> {
    median(&seen.iter().map(log_level).collect::<Vec<_>>())
}

impl Warmth {
    /// The least.
    const FLOOR: Warmth = Warmth { busy_ns: BUSY_NS, known_ns: KNOWN_NS, log_level: None };

    /// So much makes a launch warm. What is slower than another launch was may wait for its compiler still: it decides how long is waited,
    /// and not which times count.
    pub fn is_reached(&self, done: &WarmedFor) -> bool {
        let slower = self.log_level.zip(done.log_level).is_some_and(|(level, own)| own > level + LEVEL);
        if slower && done.known_ns < PATIENCE * self.known_ns {
            return false;
        }
        let often = done.calls >= CALLS || done.busy_ns >= KNOWN_NS;
        let waited_long = done.waited_ns >= REAL * self.busy_ns.max(KNOWN_NS);
        done.known_ns >= self.known_ns && ((done.busy_ns >= self.busy_ns && often) || waited_long)
    }
}

impl WarmUp {
    /// Takes the iterations of a slice in that the host waited `took_ns` for, and at the end of which the process has known the body for
    /// `known_ns`; returns what makes every launch of the case warm, when it is found.
    pub fn ran_slice(&mut self, seen: &[Visit], took_ns: f64, known_ns: f64) -> Option<Warmth> {
        self.take(seen, took_ns);
        self.known_ns.resize(self.log_levels.len(), known_ns);
        if seen.iter().any(|visit| visit.compilations > 0.0) || has_helpers(seen) {
            self.compiled_ns = Some(known_ns);
        }
        if known_ns >= HELPERS_NS && self.compiled_ns.is_some() && (has_helpers(seen) || self.is_steady()) {
            self.compiled_ns = None;
        }
        let most_ns = self.bounds.search_ns.max(KNOWN_NS);
        let over = known_ns >= most_ns || self.real_ns >= self.real_limit_ns() || self.requests >= SLICES_MAX;
        let compiles = self.compiled_ns.is_some_and(|at| known_ns - at < QUIET_NS);
        let is_enough = !compiles && Warmth::FLOOR.is_reached(&self.done(known_ns));
        let count = self.log_levels.len();
        let settled_from = if (over || is_enough) && count >= CUT_MIN { self.settled_from() } else { 0 };
        let found = is_enough && is_most(settled_from, count);
        if !(over || found) {
            self.grow();
            return None;
        }
        let busy_ns = MARGIN * self.times_ns[..settled_from].iter().sum::<f64>();
        let settled_ns = settled_from.checked_sub(1).and_then(|last| self.known_ns.get(last)).copied();
        let known_ns = MARGIN * settled_ns.unwrap_or(0.0).max(self.compiled_ns.unwrap_or(0.0));
        Some(Warmth {
            busy_ns: busy_ns.clamp(BUSY_NS, most_ns),
            known_ns: known_ns.clamp(KNOWN_NS, most_ns),
            log_level: log_level_of(seen),
        })
    }

    /// Its times have settled, whatever is compiled: a body that has code compiled in each call is never quiet.
    fn is_steady(&self) -> bool {
        let count = self.log_levels.len();
        count >= CUT_MIN && is_most(self.settled_from(), count)
    }

    /// What was done so far.
    fn done(&self, known_ns: f64) -> WarmedFor {
        let calls = self.log_levels.len() as f64 * self.invocations as f64;
        WarmedFor { busy_ns: self.elapsed_ns, calls, waited_ns: self.real_ns, known_ns, log_level: None }
    }
}

/// Enough iterations came after the last that was not settled.
fn is_most(settled_from: usize, count: usize) -> bool {
    4 * (count - settled_from) >= count
}

/// Other threads of the process worked beside these iterations.
fn has_helpers(seen: &[Visit]) -> bool {
    let times = seen.iter().filter_map(|visit| Some((visit.process_cpu_ns?, visit.cpu_ns?)));
    let (all_ns, own_ns) = times.fold((0.0, 0.0), |(all, own), (process, thread)| (all + process, own + thread));
    all_ns - own_ns > HELPERS_SHARE * own_ns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::shape;
    use crate::calibrate::tests::{facts, visit};
    use tare_model::Policy;

    /// The warmth of a body of 1 us whose process runs it in one of `turns` slices of 10 ms, and which is `factor` times slower until it
    /// has been known for `until_ns`.
    fn warmth(turns: f64, until_ns: f64, factor: f64, helped_until_ns: f64) -> (Warmth, f64) {
        warmth_of(turns, until_ns, factor, helped_until_ns, 0.0)
    }

    fn warmth_of(turns: f64, until_ns: f64, factor: f64, helped_until_ns: f64, compilations: f64) -> (Warmth, f64) {
        let policy = Policy::default();
        let mut warm_up = WarmUp::new(shape(1000.0, &facts(16), u64::MAX, &policy), true, u64::MAX, &policy, 1e5);
        let mut known_ns = 0.0;
        loop {
            let slow = if known_ns < until_ns { factor } else { 1.0 };
            let all = if known_ns < helped_until_ns { 1.2 } else { 1.001 };
            let invocations = warm_up.invocations as f64;
            let each_ns = 1000.0 * slow * invocations;
            let (cpu_ns, process_cpu_ns) = (Some(each_ns), Some(all * each_ns));
            let one = Visit { invocations, cpu_ns, process_cpu_ns, compilations, ..visit(each_ns) };
            let seen = vec![one; (1e7 / each_ns).ceil() as usize];
            known_ns += turns * 1e7;
            if let Some(found) = warm_up.ran_slice(&seen, 1e7, known_ns) {
                return (found, known_ns);
            }
        }
    }

    #[test]
    fn what_is_compiled_in_time_costs_no_more_than_the_floor() {
        for turns in [1.0, 2.0, 5.0] {
            let (found, after_ns) = warmth(turns, 1.2e8, 8.0, 0.0);
            assert_eq!(found.known_ns, KNOWN_NS, "{found:?}");
            assert!(after_ns <= 3.2e8 && (BUSY_NS..=1.6e8).contains(&found.busy_ns), "{found:?} after {after_ns}");
        }
    }

    #[test]
    fn a_late_step_makes_every_launch_wait_longer() {
        let (found, _) = warmth(2.0, 2.3e8, 1.5, 0.0);
        assert!(found.known_ns > 2.3e8 && found.busy_ns > BUSY_NS, "{found:?}");
        // While a compiler works the body is not warm, however steady it is.
        let (found, after_ns) = warmth(2.0, 0.0, 1.0, 4e8);
        assert!(after_ns >= 4e8 + QUIET_NS && found.known_ns >= 4e8, "{found:?} after {after_ns}");
        // A thread that never stops is none.
        let (found, after_ns) = warmth(2.0, 0.0, 1.0, f64::INFINITY);
        assert!(after_ns <= 1.1 * HELPERS_NS && found.known_ns == KNOWN_NS, "{found:?} after {after_ns}");
    }

    #[test]
    fn a_body_that_has_code_compiled_in_each_call_is_warm_when_its_times_are_steady() {
        let (found, after_ns) = warmth_of(2.0, 0.0, 1.0, 0.0, 1.0);
        assert!(after_ns <= 1.1 * HELPERS_NS && found.known_ns == KNOWN_NS, "{found:?} after {after_ns}");
        let (found, after_ns) = warmth_of(2.0, 0.9e9, 1.5, 0.0, 1.0);
        assert!(after_ns > 1.1e9 && found.known_ns > 0.9e9, "{found:?} after {after_ns}");
    }

    #[test]
    fn a_launch_that_is_slower_than_the_first_waits_on() {
        let warmth = Warmth { log_level: Some(0.0), ..Warmth::FLOOR };
        let waits = |known_ns, log_level| {
            let done = WarmedFor { calls: 1e6, busy_ns: 1e8, waited_ns: 1e8, known_ns, log_level: Some(log_level) };
            !warmth.is_reached(&done)
        };
        assert!(waits(3e8, 0.3) && !waits(3e8, 0.01) && !waits(3e8, -0.3) && !waits(8e8, 0.3));
    }

    #[test]
    fn a_long_body_is_called_often_or_for_long() {
        let floor = |calls, busy_ns| {
            let known_ns = KNOWN_NS;
            Warmth::FLOOR.is_reached(&WarmedFor { calls, busy_ns, waited_ns: busy_ns, known_ns, log_level: None })
        };
        assert!(floor(200.0, 5e7) && floor(50.0, 2.5e8) && !floor(20.0, 1e8) && !floor(1e6, 4e7));
    }
}
