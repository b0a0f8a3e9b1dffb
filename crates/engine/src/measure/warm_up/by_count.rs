//! Warm-ups by what the runtime reports: it compiles code as soon as it was called often, and reports pending compilations.

use super::by_clock::SLICES_MAX;
use super::warmth::{log_level_of, WarmUpWork, Warmth, BUSY_NS, KNOWN_NS};
use super::WarmUp;
use tare_model::{Columns, RuntimeEvent, Visit};

/// Nothing was compiled or pending for this long, ns: .NET checks every 8 ms whether nothing new was called, as its processes are started
/// (`languages/dotnet/facts.rs`), and the compiling thread sleeps in between.
const QUIET_NS: f64 = 40e6;
/// Fewest calls of the body in this time: a method is recompiled after 30 calls, and once more after another 30.
const QUIET_INVOCATIONS: f64 = 40.0;
/// It has run for this long, ns: caches and branch predictors learn too.
const RUN_NS: f64 = 20e6;
/// If compilations continue this long beside settled times, the body has code compiled in each call, ns.
const ON_NS: f64 = 1.5e9;

/// Longest wait for a launch of a body that was quiet once, ns: among many processes a compiler is late.
const PATIENCE_NS: f64 = 2e9;

/// What a process reported with its last slice.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SliceReport {
    pub compiling: bool,
    /// Bytes allocated per call, if the same in all calls.
    pub bytes: Option<f64>,
}

impl SliceReport {
    /// For iterations of this many calls.
    pub fn of(columns: &Columns, invocations: u64) -> SliceReport {
        let allocated = columns.metrics.get("allocated_bytes").map_or(&[][..], Vec::as_slice);
        let each = allocated.first().map(|first| first / invocations.max(1) as f64);
        SliceReport {
            compiling: columns.events.iter().any(|event| event.kind == RuntimeEvent::COMPILING),
            bytes: each.filter(|each| each.fract() == 0.0 && allocated.iter().all(|other| *other == allocated[0])),
        }
    }
}

impl Warmth {
    /// Whether it is quiet, or patience has run out.
    pub(super) fn is_reached_by_count(&self, done: &WarmUpWork) -> bool {
        done.known_ns >= PATIENCE_NS || self.is_quiet(done)
    }

    /// Nothing was compiled for a while, and nothing is pending. A launch that allocates more than a warm one is not quiet.
    fn is_quiet(&self, done: &WarmUpWork) -> bool {
        let is_quiet = done.known_ns - done.compiled_ns.unwrap_or(0.0) >= QUIET_NS;
        let often = (done.quiet_invocations >= QUIET_INVOCATIONS && done.invocations >= 2.0 * QUIET_INVOCATIONS)
            || done.busy_ns >= KNOWN_NS;
        is_quiet && often && done.busy_ns >= RUN_NS && !self.is_early(done)
    }

    /// Takes in the allocations of a warm launch.
    pub fn has_bytes(&mut self, done: &WarmUpWork) {
        let known = [self.least_bytes, done.said.bytes].into_iter().flatten();
        self.least_bytes = known.reduce(f64::min);
    }

    /// Whether this launch, which seemed warm, must continue because another one allocates less.
    pub fn is_taken_back(&self, done: &WarmUpWork) -> bool {
        done.by_count && self.is_early(done)
    }

    /// Whether its calls allocate more than those of a warm launch: it runs earlier code.
    fn is_early(&self, done: &WarmUpWork) -> bool {
        let has_more = self.least_bytes.zip(done.said.bytes).is_some_and(|(least, own)| own > least);
        has_more && done.known_ns < KNOWN_NS
    }
}

impl WarmUp {
    /// Adds the iterations of a slice; returns what makes every launch of the case warm, once this one is.
    pub fn ran_counted(&mut self, seen: &[Visit], took_ns: f64, done: &WarmUpWork) -> Option<Warmth> {
        let before = self.log_levels.len();
        self.take(seen, took_ns);
        self.slices.extend(self.slice_from(before, done.known_ns));
        let goes_on = done.known_ns >= ON_NS && self.is_steady();
        let over = done.known_ns >= self.bounds.search_ns.max(KNOWN_NS)
            || self.real_ns >= self.real_limit_ns()
            || self.requests >= SLICES_MAX;
        let is_warm = Warmth::FLOOR.is_quiet(done);
        let is_late = !is_warm && (goes_on || over);
        if !(is_warm || is_late) {
            self.grow();
            return None;
        }
        Some(Warmth {
            busy_ns: BUSY_NS,
            log_level: log_level_of(seen).or_else(|| self.last_alone()),
            compiles_on: is_late,
            ..Warmth::FLOOR
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::shape;
    use crate::measure::shape::tests::{facts, visit};
    use tare_model::Policy;

    /// A process of a 1 µs body that runs it for 5 ms in each slice.
    fn slice(done: &mut WarmUpWork, said: SliceReport, compilations: f64) -> Vec<Visit> {
        let seen = vec![Visit { invocations: 250.0, compilations, ..visit(2.5e5) }; 20];
        done.known_ns += 5e6;
        done.busy_ns += 5e6;
        done.waited_ns += 5e6;
        done.invocations += 5e3;
        done.ran(&seen, said);
        seen
    }

    fn counted() -> WarmUpWork {
        WarmUpWork { by_count: true, ..WarmUpWork::default() }
    }

    /// The time in ns at which the first launch is found to be warm, and its warmth, if its compiler works, or has work left, in these
    /// slices.
    fn found(compiles: impl Fn(usize) -> bool, left: impl Fn(usize) -> bool) -> (f64, Warmth) {
        let policy = Policy::default();
        let mut warm_up = WarmUp::new(shape(1000.0, &facts(16), u64::MAX, &policy), true, u64::MAX, &policy, 1e5);
        let mut done = counted();
        for at in 0.. {
            let said = SliceReport { compiling: left(at), bytes: None };
            let seen = slice(&mut done, said, f64::from(u8::from(compiles(at))));
            if let Some(warmth) = warm_up.ran_counted(&seen, 5e6, &done) {
                return (done.known_ns, warmth);
            }
        }
        unreachable!("a search ends")
    }

    #[test]
    fn a_process_waits_for_its_compiler_and_no_longer() {
        let (early_ns, warmth) = found(|at| at < 4, |_| false);
        assert!(early_ns <= 2e7 + 1.2 * QUIET_NS && !warmth.compiles_on, "{early_ns}");
        let (late_ns, warmth) = found(|at| at % 30 == 0 && at < 100, |at| at < 100);
        assert!((5e8..=5e8 + 1.2 * QUIET_NS).contains(&late_ns) && !warmth.compiles_on, "{late_ns}");
    }

    #[test]
    fn what_is_left_to_compile_is_waited_for_though_nothing_was_compiled() {
        let (at_ns, _) = found(|_| false, |at| at < 60);
        assert!(at_ns >= 3e8 + QUIET_NS, "{at_ns}");
    }

    #[test]
    fn a_body_that_has_code_compiled_in_each_call_is_warm_when_its_times_are_steady() {
        let (at_ns, warmth) = found(|_| true, |_| true);
        assert!(at_ns <= 1.1 * ON_NS && warmth.compiles_on, "{at_ns}");
    }

    #[test]
    fn a_launch_that_allocates_more_than_a_warm_one_goes_on() {
        let mut warmth = Warmth::FLOOR;
        let mut early = counted();
        let of = |bytes| SliceReport { compiling: false, bytes: Some(bytes) };
        (0..20).for_each(|_| drop(slice(&mut early, of(8264.0), 0.0)));
        assert!(warmth.is_reached(&early) && !warmth.is_taken_back(&early), "nothing is known yet");
        warmth.has_bytes(&early);
        let mut warm = counted();
        (0..20).for_each(|_| drop(slice(&mut warm, of(8216.0), 0.0)));
        warmth.has_bytes(&warm);
        assert!(warmth.is_reached(&warm) && !warmth.is_taken_back(&warm));
        assert!(!warmth.is_reached(&early) && warmth.is_taken_back(&early), "its siblings run other code");
        slice(&mut early, of(8216.0), 1.0);
        (0..20).for_each(|_| drop(slice(&mut early, of(8216.0), 0.0)));
        assert!(warmth.is_reached(&early));
        // The body may just be like that, so it is measured anyway.
        (0..80).for_each(|_| drop(slice(&mut early, of(9000.0), 0.0)));
        assert!(warmth.is_reached(&early) && !warmth.is_taken_back(&early));
    }

    #[test]
    fn bytes_are_known_where_all_calls_allocate_as_many() {
        let of = |allocated: &[f64]| {
            let metrics = [("allocated_bytes".to_owned(), allocated.to_vec())].into();
            SliceReport::of(&Columns { metrics, ..Columns::default() }, 100).bytes
        };
        assert_eq!(of(&[3200.0, 3200.0]), Some(32.0));
        assert_eq!((of(&[3200.0, 3300.0]), of(&[3250.0, 3250.0]), of(&[])), (None, None, None));
    }

    #[test]
    fn a_body_that_takes_long_need_not_be_called_for_ever() {
        let done = |invocations: f64, busy_ns| WarmUpWork {
            known_ns: 3.6e8,
            invocations,
            quiet_invocations: invocations,
            busy_ns,
            ..counted()
        };
        let is_warm = |invocations, busy_ns| Warmth::FLOOR.is_reached(&done(invocations, busy_ns));
        assert!(is_warm(100.0, 1e8) && is_warm(20.0, KNOWN_NS) && !is_warm(20.0, 1e8));
    }
}
