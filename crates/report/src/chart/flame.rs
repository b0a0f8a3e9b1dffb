//! Flame graphs: frames below their callers, as wide as their share of the samples.

use super::{Chart, Plot};
use crate::profile::{Profile, Tree};

/// Frames below their callers.
#[derive(Debug, Clone, PartialEq)]
pub struct FlamePlot {
    /// All of them.
    pub tree: Tree,
}

/// The flame graph of a profile.
pub(crate) fn flame(profile: &Profile) -> Chart {
    let reading = match profile.base {
        None => "as wide as their share of the samples, each below its caller; a function that was inlined has ↳",
        Some(_) => {
            "as wide as their share of the samples of the new side, or of the base if that was greater; ▲ grew, ▼ shrank by more than chance"
        }
    };
    Chart {
        title: profile.label.clone(),
        reading: format!("{reading}. {}", profile.about()),
        plot: Plot::Flame(FlamePlot { tree: profile.tree() }),
    }
}
