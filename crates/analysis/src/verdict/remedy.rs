//! How to decide an unclear comparison.

use super::{Reason, Verdict};
use crate::finding::{Again, Decide, How};

/// Steps in which a larger minimum effect is proposed, as a share.
const MARGIN_STEP: f64 = 0.005;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remedy {
    /// Measure again: first with the time that the run lacked, then with more rounds, then with a question that the machine can answer.
    Again {
        only: Vec<String>,
        /// The run did not make all the waves of its plan.
        is_cut_short: bool,
        /// There is a plan with more rounds.
        can_be_longer: bool,
        margin: f64,
    },
    Interleave {
        sides: Option<[String; 2]>,
        only: Vec<String>,
    },
}

/// The smallest minimum effect, in whole steps, that this margin certifies.
pub(crate) fn minimum_effect_for(margin: f64) -> f64 {
    (margin / MARGIN_STEP).ceil() * MARGIN_STEP
}

impl Remedy {
    /// How to decide a comparison with this verdict; `None` if it is decided, or too small for more measuring to matter.
    pub fn of(self, verdict: Verdict, reason: Option<&Reason>) -> Option<Decide> {
        if verdict != Verdict::Unclear || matches!(reason, Some(Reason::BelowNoise { .. })) {
            return None;
        }
        Some(match self {
            Remedy::Again { only, is_cut_short: true, .. } => Decide::Again(Again { how: How::InFull, only }),
            Remedy::Again { only, can_be_longer, margin, .. } if can_be_longer || !margin.is_finite() => {
                Decide::Again(Again { how: How::Longer, only })
            }
            Remedy::Again { only, margin, .. } => {
                Decide::Again(Again { how: How::MinimumEffect(minimum_effect_for(margin)), only })
            }
            Remedy::Interleave { sides, only } => Decide::Interleaved { sides, only },
        })
    }
}
