//! How long an invocation takes: found on the first launch of a case by measured values.

use super::shape::is_long;
use tare_model::Visit;

/// An elapsed time of at least this share of the target is long enough to compute the final count.
const CLOSE_ENOUGH: f64 = 0.3;
/// Greatest growth of the count from one try to the next.
pub(crate) const GROWTH_MAX: f64 = 20.0;
/// A shorter first call is repeated before it counts, ns.
const COLD_BELOW_NS: f64 = 5e8;
/// Long calls in which something is compiled are made again for so long at most, ns: there are bodies that have code compiled in each call.
const COMPILED_MAX_NS: f64 = 5e8;
/// Tries of the pilot at most.
const TRIES_MAX: u32 = 24;
/// Invocations of a try at most: a thousand times those of the emptiest loop in a visit.
const INVOCATIONS_MAX: f64 = 1e10;
/// If the host waited this long for a request that the child calls shorter than `NOTHING_NS`, the child's clock stands still, ns.
pub const SILENCE_NS: f64 = 5e8;
/// Tries needed to show that: a single one may have waited for something else.
const SILENT_TRIES: u32 = 2;
/// From this wait on, the count grows slowly as long as the clock says nothing, since the next try may take as many times longer, ns.
const CAUTION_NS: f64 = 1e8;
/// Below this, no time has passed by a nanosecond clock.
pub const NOTHING_NS: f64 = 1.0;

/// Time the pilot uses: CPU time if the thread was preempted, else wall time.
pub fn pilot_ns(visit: &Visit) -> f64 {
    match visit.cpu_ns {
        Some(cpu) if visit.has_gap() && visit.waits == Some(0.0) && cpu > 0.0 => cpu,
        _ => visit.wall_ns,
    }
}

/// It may be long only because something was compiled in it.
pub fn is_cold(visit: &Visit) -> bool {
    visit.compilations > 0.0 && pilot_ns(visit) < COLD_BELOW_NS
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PilotResult {
    Again,
    Found(f64),
    Stands,
}

#[derive(Debug, Clone)]
pub struct Pilot {
    pub invocations: u64,
    tries: u32,
    silent: u32,
    compiled_ns: f64,
    target_ns: f64,
}

impl Pilot {
    /// Starts with one invocation: the first call may be slow.
    pub fn new(target_ns: f64) -> Pilot {
        Pilot { invocations: 1, tries: 0, silent: 0, compiled_ns: 0.0, target_ns }
    }

    /// Adds a try that the host waited `took_ns` for.
    pub fn tried(&mut self, visit: &Visit, took_ns: f64) -> PilotResult {
        self.tries += 1;
        let nothing = visit.wall_ns <= NOTHING_NS;
        self.silent += u32::from(nothing && took_ns >= SILENCE_NS);
        let last = self.tries >= TRIES_MAX || self.invocations as f64 >= INVOCATIONS_MAX;
        if nothing && (last || self.silent >= SILENT_TRIES) {
            return PilotResult::Stands;
        }
        let elapsed = pilot_ns(visit).max(1.0);
        let enough = elapsed >= CLOSE_ENOUGH * self.target_ns;
        // A first call that fills the target may just be a cold one: it is tried again. So is a long one in which something was compiled.
        let is_compiled = is_long(elapsed) && is_cold(visit) && self.compiled_ns < COMPILED_MAX_NS;
        self.compiled_ns += if is_compiled { elapsed } else { 0.0 };
        let cold = is_compiled || (self.tries == 1 && elapsed < COLD_BELOW_NS);
        if (enough && !cold) || last {
            return PilotResult::Found(elapsed / self.invocations as f64);
        }
        let most = if nothing && took_ns >= CAUTION_NS { 2.0 } else { GROWTH_MAX };
        let factor = (self.target_ns / elapsed).clamp(if cold { 1.0 } else { 1.5 }, most);
        self.invocations = (self.invocations as f64 * factor).ceil().clamp(1.0, INVOCATIONS_MAX) as u64;
        PilotResult::Again
    }
}

/// Factor from one tried length to the next.
const LONGER: f64 = 8.0;
/// Share by which an invocation may take longer in a shorter iteration than in a longer one.
const SETTLED: f64 = 0.05;
/// Difference in allocations per invocation that does not matter.
const FEW_ALLOCATIONS: f64 = 0.5;
/// If only this matters, an iteration is at most this long, ns: a fifth of what `go test` runs in one call.
const LONGEST_NS: f64 = 2e8;
/// From this time on, the harness itself would run one invocation per call, ns.
const SINGLE_NS: f64 = 1e9;
/// Shorter iterations are tried three times and the shortest counts: a busy machine must not look like a restart, ns.
const SHORT_NS: f64 = 2e7;

/// An iteration's number of invocations, with the time in ns and the allocations of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    pub invocations: u64,
    pub invocation_ns: f64,
    pub allocations: f64,
}

impl Length {
    /// Whether an invocation takes no less in a longer iteration.
    fn agrees_with(self, longer: Length) -> bool {
        let within = |shorter: f64, longer: f64| shorter <= (1.0 + SETTLED) * longer;
        within(self.invocation_ns, longer.invocation_ns)
            && within(self.allocations - FEW_ALLOCATIONS, longer.allocations)
    }

    pub fn ns(self) -> f64 {
        self.invocations as f64 * self.invocation_ns
    }

    fn least(self, other: Length) -> Length {
        let invocation_ns = self.invocation_ns.min(other.invocation_ns);
        Length { invocation_ns, allocations: self.allocations.min(other.allocations), ..self }
    }

    /// Cut to the invocations that fit into `ns`.
    fn at_most(self, ns: f64) -> Length {
        let fitting = (ns / self.invocation_ns).max(1.0) as u64;
        Length { invocations: self.invocations.min(fitting), ..self }
    }
}

/// Searches for iterations so long that what the called function does at its beginning no longer matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lengths {
    /// Invocations of the usual iteration, and the longest length tried.
    usual: u64,
    known: Option<Length>,
    /// A longer one that does not agree with `known`.
    longer: Option<Length>,
    /// Invocations of the next try, and how often it is repeated.
    pub invocations: u64,
    pub iterations: u64,
}

impl Lengths {
    /// Begins with the usual iteration; `None` if the harness itself would not run a longer one.
    pub fn new(usual: Length) -> Option<Lengths> {
        let lengths = Lengths { usual: usual.invocations, ..Lengths::default() };
        (usual.invocation_ns < SINGLE_NS).then(|| lengths.with_next(usual))
    }

    pub fn is_longer(&self, found: Length) -> bool {
        found.invocations > self.usual
    }

    fn with_next(self, next: Length) -> Lengths {
        let iterations = if next.ns() < SHORT_NS { 3 } else { 1 };
        Lengths { invocations: next.invocations.max(1), iterations, ..self }
    }

    /// Adds a try with this many allocations per invocation; returns the necessary length once it is found. If two do not agree, the
    /// shorter is repeated: a neighbour goes away, a cost at the beginning of a call does not.
    pub fn tried(&mut self, seen: &[Visit], allocations: f64) -> Option<Length> {
        let least = seen.iter().map(|visit| pilot_ns(visit) / visit.invocations.max(1.0)).fold(f64::INFINITY, f64::min);
        let tried = Length { invocations: self.invocations, invocation_ns: least.max(1e-3), allocations };
        let (shorter, tried, is_again) = match (self.known, self.longer.take()) {
            (Some(known), Some(longer)) => (Some(known.least(tried)), longer, true),
            (known, _) => (known, tried, false),
        };
        match shorter {
            Some(shorter) if shorter.agrees_with(tried) => {
                return Some(if self.is_longer(shorter) { tried.at_most(LONGEST_NS) } else { shorter });
            }
            Some(shorter) if !is_again => {
                *self = Lengths { longer: Some(tried), ..*self }.with_next(shorter);
                return None;
            }
            _ => {}
        }
        let has_fallen = shorter.is_some();
        let is_longest = has_fallen && tried.ns() > LONGEST_NS || tried.invocations as f64 >= INVOCATIONS_MAX;
        if is_longest || !tried.ns().is_finite() {
            return Some(tried.at_most(LONGEST_NS));
        }
        // If an invocation is long, as few as are informative.
        let factor = if has_fallen { LONGER } else { (LONGEST_NS / tried.ns()).clamp(2.0, LONGER) };
        let next = (tried.invocations as f64 * factor).ceil().min(INVOCATIONS_MAX) as u64;
        let known = Some(tried);
        *self = Lengths { known, ..*self }.with_next(Length { invocations: next.max(tried.invocations + 1), ..tried });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::tests::visit;

    /// The length found for a function with these times and allocations at the beginning of a call, and in each invocation.
    fn length(begin: (f64, f64), each: (f64, f64), usual: u64) -> (Length, u32) {
        let usual = Length { invocations: usual, invocation_ns: begin.0 / usual as f64 + each.0, allocations: 0.0 };
        let mut lengths = Lengths::new(usual).expect("shorter than a second");
        for tries in 1..40 {
            let n = lengths.invocations as f64;
            let seen = vec![Visit { invocations: n, ..visit(begin.0 + n * each.0) }; lengths.iterations as usize];
            if let Some(found) = lengths.tried(&seen, begin.1 / n + each.1) {
                return (found, tries);
            }
        }
        panic!("no end");
    }

    #[test]
    fn an_iteration_is_as_long_as_the_beginning_of_a_call_asks_for() {
        // No cost at its beginning: two tries, and the usual length.
        for each_ns in [0.3f64, 7.0, 900.0, 4e6, 3e8] {
            let usual = (1e6 / each_ns).max(1.0) as u64;
            assert_eq!(
                length((0.0, 0.0), (each_ns, 2.0), usual),
                (Length { invocations: usual, invocation_ns: each_ns, allocations: 2.0 }, 2)
            );
        }
        let (found, _) = length((4.3e6, 0.0), (7.0, 0.0), 226);
        assert!((1e8..=2.01e8).contains(&found.ns()) && found.invocation_ns < 7.4, "{found:?}");
        // Filling a free list first takes no visible time.
        let (found, _) = length((0.0, 28.0), (4e6, 8.0), 1);
        assert!(found.invocations >= 32 && found.allocations < 9.0, "{found:?}");
        // Some one-off allocations are in every call.
        assert_eq!(length((0.0, 40.0), (7.0, 0.0), 140_000).0.invocations, 140_000);
        assert!(length((2e8, 0.0), (1.0, 0.0), 1).0.ns() <= 2.01e8);
        assert!(Lengths::new(Length { invocations: 1, invocation_ns: 1e9, allocations: 0.0 }).is_none());
    }

    #[test]
    fn a_neighbour_who_leaves_is_no_beginning_of_a_call() {
        let usual = Length { invocations: 1000, invocation_ns: 10.0, allocations: 0.0 };
        let mut lengths = Lengths::new(usual).expect("shorter than a second");
        for slower in [1.7, 1.0] {
            let ns = lengths.invocations as f64 * 10.0 * slower;
            let seen = [Visit { invocations: lengths.invocations as f64, ..visit(ns) }];
            assert_eq!(lengths.tried(&seen, 0.0), None);
        }
        let seen = [Visit { invocations: lengths.invocations as f64, ..visit(lengths.invocations as f64 * 10.0) }];
        assert_eq!(lengths.tried(&seen, 0.0), Some(usual));
    }

    #[test]
    fn the_pilot_finds_any_body() {
        for invocation_ns in [0.05, 0.25, 3.0, 700.0, 1e5, 2e6, 1e7, 3e9] {
            let mut pilot = Pilot::new(1e6);
            let mut tries = 0;
            let found = loop {
                tries += 1;
                // 20 ns for the clock, and a first call that is 20 times as slow.
                let cold = if tries == 1 { 20.0 * invocation_ns } else { 0.0 };
                let elapsed = 20.0 + cold + invocation_ns * pilot.invocations as f64;
                if let PilotResult::Found(found) = pilot.tried(&visit(elapsed), elapsed) {
                    break found;
                }
            };
            assert!(tries < 12, "{tries} tries for {invocation_ns} ns");
            let ratio = found / invocation_ns;
            assert!((0.9..1.1).contains(&ratio) || invocation_ns > 1e8, "{found} for {invocation_ns}");
        }
    }

    /// How the pilot of a body of `invocation_ns` ends if the clock always says `said_ns`, and how long it took.
    fn misled(invocation_ns: f64, said_ns: f64) -> (PilotResult, f64) {
        let (mut pilot, mut total_ns) = (Pilot::new(1e6), 0.0);
        for _ in 0..=TRIES_MAX {
            let took_ns = 5e4 + invocation_ns * pilot.invocations as f64;
            total_ns += took_ns;
            match pilot.tried(&Visit { invocations: pilot.invocations as f64, ..visit(said_ns) }, took_ns) {
                PilotResult::Again => assert!(pilot.invocations as f64 <= INVOCATIONS_MAX),
                end => return (end, total_ns),
            }
        }
        panic!("no end");
    }

    #[test]
    fn a_clock_that_stands_is_found_before_anybody_waits_long() {
        for invocation_ns in [0.0, 0.3, 3.0, 1e3, 1e6, 1e9] {
            for said_ns in [0.0, 1e-300, 1.0] {
                let (end, total_ns) = misled(invocation_ns, said_ns);
                assert_eq!(end, PilotResult::Stands, "{invocation_ns} ns");
                assert!(total_ns < 2.5e10, "{} s for {invocation_ns} ns", total_ns * 1e-9);
            }
        }
    }

    #[test]
    fn whatever_a_clock_says_the_pilot_ends_with_a_number() {
        let said = [2.0, 20.0, 1e5, 1e9, 1e18, f64::MAX, f64::INFINITY, f64::NAN, -1.0, f64::NEG_INFINITY];
        for said_ns in said {
            match misled(0.0, said_ns).0 {
                PilotResult::Found(ns) => assert!(ns > 0.0, "{ns} for {said_ns}"),
                end => assert!(end == PilotResult::Stands && said_ns <= NOTHING_NS, "{end:?} for {said_ns}"),
            }
        }
    }
}
