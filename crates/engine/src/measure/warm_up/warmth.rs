//! What makes a launch warm if its runtime compiles by the clock, and what a launch has done so far.

use super::by_count::SliceReport;
use super::{is_shared, log_level, REAL};
use tare_model::Visit;
use tare_stats::location::median;

/// A process must have known its body for at least this long, ns: .NET checks every 100 ms whether nothing new was called for as long,
/// counts 30 calls, and compiles in the background; then the same once more for what only the new code calls.
pub(super) const KNOWN_NS: f64 = 350e6;
/// Within this time the body must have run for at least this long, ns ...
pub(super) const BUSY_NS: f64 = 50e6;
/// ... and this often, unless that takes as long as `KNOWN_NS`.
const INVOCATIONS: f64 = 200.0;
/// A launch that is slower than the first one was at its end by more than this (log) keeps waiting ...
const LEVEL: f64 = 0.05;
/// ... for at most this many times as long.
const PATIENCE: f64 = 3.0;

/// A launch with compilations waits until there were none for this long, ns.
const LAUNCH_QUIET_NS: f64 = 200e6;

/// If launches of this many waves in a row stay slower, the body is like that.
const SLOWER: u32 = 2;

/// Fewest iterations alone on the core to judge a slice by.
const ALONE_MIN: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warmth {
    /// How long its body has run, ns.
    pub busy_ns: f64,
    /// How long its process has known the body, ns.
    pub known_ns: f64,
    /// Time of an operation then (log), in cycles if there is a probe; `None` if unknown.
    pub log_level: Option<f64>,
    /// Compilations go on beside settled times, so waiting for their end is useless.
    pub compiles_on: bool,
    /// Number of waves in a row whose launches stayed slower than `log_level` until their patience ran out.
    pub slower: u32,
    /// The last wave counted in `slower`.
    pub wave: Option<u32>,
    /// Fewest bytes per call in a warm launch whose calls all allocate the same.
    pub least_bytes: Option<f64>,
}

/// What a launch has done to become warm.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WarmUpWork {
    pub busy_ns: f64,
    pub invocations: f64,
    /// Wall time the host waited, ns; includes untimed set-ups.
    pub waited_ns: f64,
    /// How long the process has known the body, ns.
    pub known_ns: f64,
    /// `known_ns` at the last compilation; `None` if there was none, or the runtime does not report them.
    pub compiled_ns: Option<f64>,
    /// Time of an operation in the last slice alone on the core (log); `None` if there was none.
    pub log_level: Option<f64>,
    /// The same for its last slice; `None` if that met a neighbour.
    pub last_log_level: Option<f64>,
    /// Whether its runtime reports pending compilations.
    pub by_count: bool,
    /// Calls of the body since the last compiled or pending code.
    pub quiet_invocations: f64,
    /// What it reported with its last slice.
    pub said: SliceReport,
}

impl WarmUpWork {
    /// Adds its last slice. If that met a neighbour, the earlier level stays for deciding how long to wait, as it may be a cold one.
    pub fn ran(&mut self, slice: &[Visit], said: SliceReport) {
        self.quiet_invocations += slice.iter().map(|visit| visit.invocations).sum::<f64>();
        if has_compilations(slice) || said.compiling {
            self.compiled_ns = Some(self.known_ns);
            self.quiet_invocations = 0.0;
        }
        self.said = said;
        self.last_log_level = log_level_of(slice);
        self.log_level = self.last_log_level.or(self.log_level);
    }
}

/// Median time of an operation (log) over the iterations that were alone on the core.
pub(super) fn log_level_of(seen: &[Visit]) -> Option<f64> {
    let alone: Vec<f64> = seen.iter().filter(|visit| !is_shared(visit)).map(log_level).collect();
    are_enough(alone.len(), seen.len()).then(|| median(&alone))?
}

/// Whether the runtime reported compilations in these iterations.
pub(super) fn has_compilations(seen: &[Visit]) -> bool {
    seen.iter().any(|visit| visit.compilations > 0.0)
}

/// Whether the iterations alone on the core are enough to represent the slice.
pub(super) fn are_enough(alone: usize, all: usize) -> bool {
    alone >= ALONE_MIN.min(all) && 4 * alone >= all
}

impl Warmth {
    pub(super) const FLOOR: Warmth = Warmth {
        busy_ns: BUSY_NS,
        known_ns: KNOWN_NS,
        log_level: None,
        compiles_on: false,
        slower: 0,
        wave: None,
        least_bytes: None,
    };

    /// Whether this work makes a launch warm. Decides how long to wait, not which times count.
    pub fn is_reached(&self, done: &WarmUpWork) -> bool {
        if done.by_count && !self.compiles_on {
            return self.is_reached_by_count(done);
        }
        let compiled = done.compiled_ns.is_some_and(|at| done.known_ns - at < LAUNCH_QUIET_NS) && !self.compiles_on;
        if (compiled || self.is_slower(done.log_level)) && done.known_ns < PATIENCE * self.known_ns {
            return false;
        }
        let often = done.invocations >= INVOCATIONS || done.busy_ns >= KNOWN_NS;
        let waited_long = done.waited_ns >= REAL * self.busy_ns.max(KNOWN_NS);
        done.known_ns >= self.known_ns && ((done.busy_ns >= self.busy_ns && often) || waited_long)
    }

    fn is_slower(&self, log_level: Option<f64>) -> bool {
        self.log_level.zip(log_level).is_some_and(|(level, own)| own > level + LEVEL)
    }

    /// Learns from a warm launch of this wave. If launches of two waves in a row stayed slower until their patience ran out, the body is
    /// like that. Only the first launch of a wave counts, and one whose last slice met a neighbour shows nothing.
    pub fn learn(&mut self, done: &WarmUpWork, wave: u32) {
        if done.last_log_level.is_none() || self.wave == Some(wave) {
            return;
        }
        self.wave = Some(wave);
        self.slower = if self.is_slower(done.last_log_level) { self.slower + 1 } else { 0 };
        if self.slower >= SLOWER {
            (self.log_level, self.slower) = (done.last_log_level, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shape::tests::visit;

    #[test]
    fn a_launch_that_is_slower_than_the_first_waits_on() {
        let warmth = Warmth { log_level: Some(0.0), ..Warmth::FLOOR };
        let waits = |known_ns, log_level| {
            let log_level = Some(log_level);
            let done = WarmUpWork {
                invocations: 1e6,
                busy_ns: 1e8,
                waited_ns: 1e8,
                known_ns,
                log_level,
                ..WarmUpWork::default()
            };
            !warmth.is_reached(&done)
        };
        let enough = 1.1 * KNOWN_NS;
        assert!(waits(enough, 0.3) && !waits(enough, 0.01) && !waits(enough, -0.3));
        assert!(!waits(1.1 * PATIENCE * KNOWN_NS, 0.3));
    }

    #[test]
    fn a_launch_whose_compiler_is_late_waits_for_it() {
        let warmth = Warmth { log_level: Some(0.0), ..Warmth::FLOOR };
        let waits = |warmth: Warmth, known_ns: f64, compiled_ns| {
            let done = WarmUpWork { invocations: 1e6, busy_ns: 1e8, known_ns, compiled_ns, ..WarmUpWork::default() };
            !warmth.is_reached(&done)
        };
        let enough = 1.1 * KNOWN_NS;
        assert!(waits(warmth, enough, Some(enough - 1e7)));
        assert!(!waits(warmth, enough, Some(enough - 1.1 * LAUNCH_QUIET_NS)) && !waits(warmth, enough, None));
        // A body that has code compiled in each call.
        assert!(!waits(Warmth { compiles_on: true, ..warmth }, enough, Some(enough)));
        assert!(!waits(warmth, 1.1 * PATIENCE * KNOWN_NS, Some(1.1 * PATIENCE * KNOWN_NS)));
    }

    #[test]
    fn launches_of_two_waves_in_a_row_that_stay_slower_show_that_it_is_the_bodys_way() {
        let warmth = Warmth { log_level: Some(0.0), ..Warmth::FLOOR };
        let slow = |level| WarmUpWork { log_level: Some(level), last_log_level: Some(level), ..WarmUpWork::default() };
        let after = |levels: &[(f64, u32)]| {
            let mut learned = warmth;
            levels.iter().for_each(|&(level, wave)| learned.learn(&slow(level), wave));
            learned.log_level
        };
        assert_eq!(after(&[(0.3, 1), (0.04, 2), (0.3, 3)]), Some(0.0), "one that stays slower may be the only one");
        assert_eq!(after(&[(0.3, 1), (0.4, 2)]), Some(0.4));
        // A disturbance hits the whole wave.
        assert_eq!(after(&[(0.3, 1), (0.3, 1), (0.3, 1)]), Some(0.0));
        // The first launch of a wave to be warm was as fast.
        assert_eq!(after(&[(0.3, 1), (0.0, 2), (0.3, 2), (0.3, 3)]), Some(0.0));
    }

    #[test]
    fn a_cold_level_beside_a_neighbour_is_waited_for_and_not_learned() {
        let cold = visit(2000.0);
        let shared = Visit { windows: Some(tare_model::Windows { judged: 1, ..Default::default() }), ..visit(4000.0) };
        let warmth = Warmth { log_level: Some(log_level(&visit(1000.0))), ..Warmth::FLOOR };
        let mut done = WarmUpWork {
            invocations: 1e6,
            busy_ns: 1e8,
            waited_ns: 1e8,
            known_ns: 1.1 * KNOWN_NS,
            ..WarmUpWork::default()
        };
        done.ran(&[cold; 8], SliceReport::default());
        done.ran(&[shared; 8], SliceReport::default());
        assert!(!warmth.is_reached(&done), "it waits on");
        let mut learned = warmth;
        (0..4).for_each(|wave| learned.learn(&done, wave));
        assert_eq!(learned, warmth);
        done.ran(&[cold; 8], SliceReport::default());
        (0..2).for_each(|wave| learned.learn(&done, wave));
        assert_eq!(learned.log_level, Some(log_level(&cold)));
    }

    #[test]
    fn the_level_of_a_launch_is_of_iterations_alone_on_the_core() {
        let one = |shared: bool| {
            let windows = tare_model::Windows { judged: 1, alone: u32::from(!shared), ..Default::default() };
            Visit { windows: Some(windows), ..visit(if shared { 4000.0 } else { 1000.0 }) }
        };
        let level = |alone: usize, shared: usize| {
            let seen: Vec<Visit> = (0..alone + shared).map(|at| one(at >= alone)).collect();
            log_level_of(&seen)
        };
        assert!(level(8, 0).is_some());
        assert_eq!(level(8, 20), level(8, 0));
        assert_eq!((level(3, 6), level(8, 30), level(0, 8), level(0, 0)), (None, None, None, None));
    }

    #[test]
    fn a_long_body_is_called_often_or_for_long() {
        let floor = |invocations, busy_ns| {
            let known_ns = KNOWN_NS;
            Warmth::FLOOR.is_reached(&WarmUpWork {
                invocations,
                busy_ns,
                waited_ns: busy_ns,
                known_ns,
                ..WarmUpWork::default()
            })
        };
        assert!(floor(200.0, 5e7) && floor(50.0, KNOWN_NS) && !floor(20.0, 1e8) && !floor(1e6, 4e7));
    }
}
