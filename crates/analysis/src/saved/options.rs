//! User options for comparing saved data, and the constants behind it with their sources.

use std::collections::BTreeMap;

/// Smallest difference that gets a verdict, as a share, unless the data needs more: sessions differ by 2 to 7 %.
pub const THRESHOLD: f64 = 0.05;

/// Smaller differences never get a verdict, ns: about one cycle, by which an unrelated change can move a loop.
pub const NOISE_NS: f64 = 0.3;

/// Smallest standard deviation of a session's offset, as a share, if a side has too few sessions to show it.
pub const SESSION_SD: f64 = 0.03;

/// The same for runs of Tare on one machine at one reference clock.
pub const SESSION_SD_AT_REFERENCE: f64 = 0.01;

/// The same if four or more sessions per side show how sessions differ.
pub const SESSION_SD_MEASURED: f64 = 0.01;

/// Common offset of all sessions or processes of a side, as a share of the standard deviation between them: for 250 consecutive processes
/// of the same code, blocks of 4 to 16 had 5 to 40 % false alarms with Welch's test alone, and 1.1 % with this.
pub const OFFSET_OF_SPREAD: f64 = 1.0;

/// The same for processes of one session, which are closer together than the machine's noise lasts.
pub const OFFSET_OF_SESSION: f64 = 1.5;

/// Share of a change of wall time (log) that the CPU time must show too. Load on a machine only changes the former.
pub const CPU_BEARS_OUT: f64 = 0.5;

/// Assumed standard deviation between processes for the limit of a time from one process, as a share: single-process tools differ from run
/// to run by 1 to 24 %.
pub const LAUNCH_SD: f64 = 0.10;

#[derive(Debug, Clone, PartialEq)]
pub struct SavedOptions {
    /// Smallest difference that gets a verdict, as a share of the cost; the default is [`THRESHOLD`].
    pub threshold: f64,
    /// Differences up to this never get a verdict, ns; the default is [`NOISE_NS`].
    pub noise_ns: f64,
    /// Keys of the base that have other names on the new side: old key to new key.
    pub renames: BTreeMap<String, String>,
}

impl Default for SavedOptions {
    fn default() -> Self {
        SavedOptions { threshold: THRESHOLD, noise_ns: NOISE_NS, renames: BTreeMap::new() }
    }
}

impl SavedOptions {
    pub(crate) fn threshold_log(&self) -> f64 {
        let threshold = if self.threshold.is_finite() { self.threshold.max(0.0) } else { THRESHOLD };
        threshold.ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::{SESSION_SD, SESSION_SD_AT_REFERENCE, SESSION_SD_MEASURED, THRESHOLD};

    #[test]
    fn sessions_differ_within_the_range_of_the_method() {
        let difference = |sd: f64| sd * std::f64::consts::SQRT_2;
        assert!((0.023..0.07).contains(&difference(SESSION_SD)), "{}", difference(SESSION_SD));
        // The threshold is beyond the 99 % point of the difference between sessions, both at the reference clock and for what remains to be
        // assumed for measured ones.
        assert!(2.576 * difference(SESSION_SD_AT_REFERENCE) < THRESHOLD);
        assert!(2.576 * difference(SESSION_SD_MEASURED) < THRESHOLD);
    }
}
