//! What the user may choose about a comparison of saved data, and the constants behind it with their sources.

use std::collections::BTreeMap;

/// Smallest difference that gets a word, as a share: sequential sessions of the same code differ by 2 to 7 % whatever
/// the estimator (root mean square error of sequential designs, method 3.6).
pub const THRESHOLD: f64 = 0.05;

/// Differences below this never get a word, ns: about one cycle. An unrelated change moves a loop by so much; it is also
/// what ResultsComparer ignores (bdn.md 5).
pub const NOISE_NS: f64 = 0.3;

/// Standard deviation of a session's own offset, as a share, per side: the difference of two sessions then has 4.2 %, the
/// middle of the 2.3 to 7 % of method 3.6.
pub const SESSION_SD: f64 = 0.03;

/// The same for runs of Tare on one machine at one reference clock: what remains when the drift of the core's clock, the
/// greatest part of what differs between sessions (decision 0002), is divided out.
pub const SESSION_SD_AT_REFERENCE: f64 = 0.01;

/// Standard deviation between processes that is assumed where a side has too few of them to tell, as a share. The
/// run-to-run coefficient of variation of the headline of single-process tools: criterion 13 to 24 %, divan 0.8 to 1.3 %
/// and for two cases of nine 11 to 17 % (rust.md 1); modes of single launches reach 70 % (bdn.md 3.9, issue 2804).
pub const LAUNCH_SD: f64 = 0.10;

/// What the user may choose.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedOptions {
    /// Smallest difference that gets a word, as a share of the cost; the default is [`THRESHOLD`].
    pub threshold: f64,
    /// Differences of so many ns and less never get a word; the default is [`NOISE_NS`].
    pub noise_ns: f64,
    /// Standard deviation of a session's own offset, as a share; None: [`SESSION_SD_AT_REFERENCE`] where it applies, else
    /// [`SESSION_SD`].
    pub session_sd: Option<f64>,
    /// Standard deviation between processes where there are too few to tell, as a share; the default is [`LAUNCH_SD`].
    pub launch_sd: f64,
    /// Keys of the base that are called otherwise on the new side: old key to new key.
    pub renames: BTreeMap<String, String>,
    /// The command that decides what this data cannot, where the caller knows it; else it is made from the revisions of both
    /// sides.
    pub decide_with: Option<String>,
}

impl Default for SavedOptions {
    fn default() -> Self {
        SavedOptions {
            threshold: THRESHOLD,
            noise_ns: NOISE_NS,
            session_sd: None,
            launch_sd: LAUNCH_SD,
            renames: BTreeMap::new(),
            decide_with: None,
        }
    }
}

/// Smallest standard deviation of sessions that is taken: two sessions never agree exactly, and an interval of no width
/// would call every last digit a difference.
const SESSION_SD_MIN: f64 = 1e-4;

impl SavedOptions {
    /// Standard deviation of a session's offset (log) for a pair of sides.
    pub(super) fn session_sd(&self, at_reference: bool) -> f64 {
        let default = if at_reference { SESSION_SD_AT_REFERENCE } else { SESSION_SD };
        let chosen = self.session_sd.filter(|sd| sd.is_finite()).unwrap_or(default);
        chosen.max(SESSION_SD_MIN)
    }

    /// Standard deviation between processes (log) where it is assumed.
    pub(super) fn assumed_launch_sd(&self) -> f64 {
        if self.launch_sd.is_finite() {
            self.launch_sd.max(SESSION_SD_MIN)
        } else {
            LAUNCH_SD
        }
    }

    /// The threshold on the log scale.
    pub(super) fn threshold_log(&self) -> f64 {
        let threshold = if self.threshold.is_finite() { self.threshold.max(0.0) } else { THRESHOLD };
        threshold.ln_1p()
    }
}
