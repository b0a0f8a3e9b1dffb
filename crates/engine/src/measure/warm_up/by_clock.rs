//! Warm-ups by the wall clock, for runtimes that recompile what was called often some time later.

use super::warmth::{are_enough, has_compilations, log_level_of, WarmUpWork, Warmth, BUSY_NS, KNOWN_NS};
use super::{WarmUp, LEVEL_COMPILED};
use tare_model::Visit;
use tare_stats::location::median;

/// A process is warm once its runtime has compiled nothing for this long, ns: .NET compiles what was called early, and some 200 ms later
/// what only the code of that time called ...
const QUIET_NS: f64 = 250e6;
/// ... and, from .NET 8 on, in more steps up to 300 ms apart: code with counters, then its callees, then the final code. Such a runtime
/// reports its compilations.
const REPORTED_QUIET_NS: f64 = 450e6;
/// If other threads of the process work for this share of the time, they are a compiler, unless the runtime reports its compilations ...
const HELPERS_SHARE: f64 = 0.05;
/// ... and until the process has known its body for this long, ns: threads still busy then are no compiler, and compilations still going on
/// beside settled times are the body's own.
const HELPERS_NS: f64 = 1e9;
/// Slices of the search at most.
pub(super) const SLICES_MAX: u32 = 1000;
/// Factor on the warm-up that was needed ...
const MARGIN: f64 = 1.1;
/// ... and on the time until the compiler was done, which may be later in another process.
const COMPILER_MARGIN: f64 = 1.25;

/// Fewer slices say nothing about their levels.
const JUDGED_MIN: usize = 4;
/// A level is different if it is this many standard deviations of a slice away. The body's place in the shared caches of the processor, and
/// the activity of others there, move a slice by one or two per cent, which is no warm-up.
const NOISE: f64 = 3.0;
/// From the median absolute difference of neighbours to a standard deviation.
const DIFFERENCE_TO_SD: f64 = 1.4826 / std::f64::consts::SQRT_2;

#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    /// Time of an operation (log), in cycles if there is a probe; from iterations alone on the core if there are enough.
    log_level: f64,
    is_alone: bool,
    /// For how long the process had known the body at the end of the slice, ns.
    known_ns: f64,
    /// Time that the body had run by then, ns.
    busy_ns: f64,
}

impl WarmUp {
    /// Adds the iterations of a slice; returns what makes every launch of the case warm, once it is found.
    pub fn ran_slice(&mut self, seen: &[Visit], took_ns: f64, known_ns: f64) -> Option<Warmth> {
        let before = self.log_levels.len();
        self.take(seen, took_ns);
        self.slices.extend(self.slice_from(before, known_ns));
        let (compiled, helped) = (has_compilations(seen), has_helpers(seen));
        self.reports |= compiled;
        if compiled || helped {
            self.compiled_ns = Some(known_ns);
        }
        if known_ns >= HELPERS_NS && self.compiled_ns.is_some() && (helped || self.is_steady()) {
            self.compiled_ns = None;
            self.compiles_on = compiled;
        }
        let most_ns = self.bounds.search_ns.max(KNOWN_NS);
        let over = known_ns >= most_ns || self.real_ns >= self.real_limit_ns() || self.requests >= SLICES_MAX;
        let quiet_ns = if self.reports { REPORTED_QUIET_NS } else { QUIET_NS };
        let compiles = self.compiled_ns.is_some_and(|at| known_ns - at < quiet_ns);
        let is_enough = !compiles && Warmth::FLOOR.is_reached(&self.done(known_ns));
        let found = is_enough && self.is_steady();
        if !(over || found) {
            self.grow();
            return None;
        }
        let unsettled = self.last_unsettled();
        let busy_ns = MARGIN * unsettled.map_or(0.0, |slice| slice.busy_ns);
        let settled_ns = MARGIN * unsettled.map_or(0.0, |slice| slice.known_ns);
        let known_ns = settled_ns.max(COMPILER_MARGIN * self.compiled_ns.unwrap_or(0.0));
        Some(Warmth {
            busy_ns: busy_ns.clamp(BUSY_NS, most_ns),
            known_ns: known_ns.clamp(KNOWN_NS, most_ns),
            log_level: log_level_of(seen).or_else(|| self.last_alone()),
            compiles_on: self.compiles_on,
            ..Warmth::FLOOR
        })
    }

    /// The result of the slice that begins with this iteration.
    pub(super) fn slice_from(&self, from: usize, known_ns: f64) -> Option<Slice> {
        let all = &self.log_levels[from..];
        let alone: Vec<f64> = (from..).zip(all).filter(|(at, _)| !self.shared[*at]).map(|(_, level)| *level).collect();
        let is_alone = are_enough(alone.len(), all.len());
        let log_level = median(if is_alone { &alone } else { all })?;
        Some(Slice { log_level, is_alone, known_ns, busy_ns: self.elapsed_ns })
    }

    /// Whether times have settled, regardless of compilations: a body that has code compiled in each call is never quiet.
    pub(super) fn is_steady(&self) -> bool {
        let slices = self.judged();
        let other = other_levels(&slices);
        let settled_from = settled_from(&other);
        other.last() != Some(&true) && 4 * (slices.len() - settled_from) >= slices.len()
    }

    /// The last slice before the times settled; `None` if they were settled from the start.
    fn last_unsettled(&self) -> Option<Slice> {
        let slices = self.judged();
        settled_from(&other_levels(&slices)).checked_sub(1).map(|last| slices[last])
    }

    pub(super) fn last_alone(&self) -> Option<f64> {
        self.slices.iter().rev().find(|slice| slice.is_alone).map(|slice| slice.log_level)
    }

    /// The slices that were alone on the core, if there are enough; else all.
    fn judged(&self) -> Vec<Slice> {
        let alone: Vec<Slice> = self.slices.iter().copied().filter(|slice| slice.is_alone).collect();
        match alone.len() >= JUDGED_MIN && 4 * alone.len() >= self.slices.len() {
            true => alone,
            false => self.slices.clone(),
        }
    }

    fn done(&self, known_ns: f64) -> WarmUpWork {
        let invocations = self.log_levels.len() as f64 * self.invocations as f64;
        WarmUpWork { busy_ns: self.elapsed_ns, invocations, waited_ns: self.real_ns, known_ns, ..WarmUpWork::default() }
    }
}

/// Whether the level of each slice differs from the one at the end by more than neighbouring slices differ.
fn other_levels(slices: &[Slice]) -> Vec<bool> {
    let levels: Vec<f64> = slices.iter().map(|slice| slice.log_level).collect();
    if levels.len() < JUDGED_MIN {
        return vec![false; levels.len()];
    }
    let steps: Vec<f64> = levels.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let noise = DIFFERENCE_TO_SD * median(&steps).unwrap_or(0.0);
    let last = median(&levels[levels.len() - levels.len().div_ceil(3)..]).unwrap_or(0.0);
    levels.iter().map(|level| (level - last).abs() > LEVEL_COMPILED.max(NOISE * noise)).collect()
}

/// Index of the first slice of the final level; a single deviating slice is a disturbance.
fn settled_from(other: &[bool]) -> usize {
    let is_other = |at: usize| other.get(at) == Some(&true);
    let counts = |at: &usize| match at {
        0 => is_other(0),
        at => [at - 1, *at, at + 1].into_iter().filter(|&beside| is_other(beside)).count() >= 2,
    };
    (0..other.len()).rfind(counts).map_or(0, |last| last + 1)
}

/// Whether other threads of the process worked during these iterations.
fn has_helpers(seen: &[Visit]) -> bool {
    let times = seen.iter().filter_map(|visit| Some((visit.process_cpu_ns?, visit.cpu_ns?)));
    let (all_ns, own_ns) = times.fold((0.0, 0.0), |(all, own), (process, thread)| (all + process, own + thread));
    all_ns - own_ns > HELPERS_SHARE * own_ns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::shape;
    use crate::measure::shape::tests::{facts, visit};
    use tare_model::{Effort, Policy};

    /// The warmth of a body of 1 µs that runs in one of `turns` slices of 10 ms, and is `factor` times slower until it has been known for
    /// `until_ns`.
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
            assert!(
                after_ns <= 1.2 * KNOWN_NS && (BUSY_NS..=1.6e8).contains(&found.busy_ns),
                "{found:?} after {after_ns}"
            );
        }
    }

    #[test]
    fn a_late_step_makes_every_launch_wait_longer() {
        let (found, _) = warmth(2.0, 2.3e8, 1.5, 0.0);
        assert!(found.known_ns > 2.3e8 && found.busy_ns > BUSY_NS, "{found:?}");
        // While a compiler works the body is not warm, no matter how steady it is.
        let (found, after_ns) = warmth(2.0, 0.0, 1.0, 4e8);
        assert!(after_ns >= 4e8 + QUIET_NS && found.known_ns >= 4e8, "{found:?} after {after_ns}");
        // A thread that never stops is no compiler.
        let (found, after_ns) = warmth(2.0, 0.0, 1.0, f64::INFINITY);
        assert!(after_ns <= 1.1 * HELPERS_NS && found.known_ns == KNOWN_NS, "{found:?} after {after_ns}");
    }

    /// Runs slices with these levels (log) of a body of 1 µs, 25 ms of known time apart, until what makes it warm is found.
    fn of_levels(level: impl Fn(usize) -> f64) -> (Warmth, usize) {
        let policy = Policy::default();
        let mut warm_up = WarmUp::new(shape(1000.0, &facts(16), u64::MAX, &policy), true, u64::MAX, &policy, 1e5);
        for at in 0.. {
            let invocations = warm_up.invocations as f64;
            let one = Visit { invocations, ..visit(1000.0 * level(at).exp() * invocations) };
            if let Some(found) = warm_up.ran_slice(&[one; 30], 1e7, 2.5e7 * (at + 1) as f64) {
                return (found, at + 1);
            }
        }
        unreachable!("a search ends")
    }

    #[test]
    fn slices_that_differ_a_little_all_the_time_are_settled() {
        for seed in 0..40 {
            let mut rng = tare_stats::rng::Rng::new(seed);
            let wander: Vec<f64> = (0..200).map(|_| 0.015 * (2.0 * rng.uniform() - 1.0)).collect();
            // Slow for four slices, plus a single one in the middle.
            let (found, slices) = of_levels(|at| wander[at] + if at < 4 || at == 8 { 0.3 } else { 0.0 });
            assert!(found.known_ns <= 1.2 * KNOWN_NS && slices <= 20, "{seed}: {found:?} after {slices}");
        }
        // A later step counts despite the noise.
        let mut rng = tare_stats::rng::Rng::new(1);
        let wander: Vec<f64> = (0..200).map(|_| 0.015 * (2.0 * rng.uniform() - 1.0)).collect();
        let (found, slices) = of_levels(|at| wander[at] + if at < 9 { 0.25 } else { 0.0 });
        assert!(slices > 11 && found.known_ns > 1.05 * 9.0 * 2.5e7, "{found:?} after {slices}");
    }

    #[test]
    fn a_body_that_has_code_compiled_in_each_call_is_warm_when_its_times_are_steady() {
        let (found, after_ns) = warmth_of(2.0, 0.0, 1.0, 0.0, 1.0);
        assert!(
            after_ns <= 1.1 * HELPERS_NS && found.known_ns == KNOWN_NS && found.compiles_on,
            "{found:?} after {after_ns}"
        );
        let (found, after_ns) = warmth_of(2.0, 0.9e9, 1.5, 0.0, 1.0);
        assert!(after_ns > 1.1e9 && found.known_ns > 0.9e9, "{found:?} after {after_ns}");
    }

    /// `JsonSerializer` on .NET 9: steady for a while with counters in its code, at three times its final time.
    #[test]
    fn steps_of_a_compiler_that_are_far_apart_are_waited_for() {
        for effort in [Effort::Quick, Effort::Default] {
            let policy = Policy { effort, ..Policy::default() };
            let mut warm_up = WarmUp::new(shape(1000.0, &facts(16), u64::MAX, &policy), true, u64::MAX, &policy, 1e5);
            let found = (1..).find_map(|slice| {
                let known_ns = 2.5e7 * f64::from(slice);
                let each_ns = if known_ns < 1.6e8 {
                    2000.0
                } else if known_ns < 6e8 {
                    3500.0
                } else {
                    1000.0
                };
                let compilations = if [6, 18, 23].contains(&slice) { 7.0 } else { 0.0 };
                let invocations = warm_up.invocations as f64;
                let one = Visit { invocations, compilations, ..visit(each_ns * invocations) };
                warm_up.ran_slice(&[one; 30], 1e7, known_ns)
            });
            let found = found.expect("a search ends");
            assert!(found.known_ns > 6e8 && !found.compiles_on, "{effort:?}: {found:?}");
            assert!(found.log_level.expect("a level") < 1000.0_f64.ln() + 0.01, "{effort:?}: {found:?}");
        }
    }
}
