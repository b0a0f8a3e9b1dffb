//! Flame graphs: frames below their callers, as wide as their share of the samples.

use super::{Chart, Plot};
use crate::profile::{Profile, Tree};

#[derive(Debug, Clone, PartialEq)]
pub struct FlamePlot {
    pub tree: Tree,
}

pub(crate) fn flame(profile: &Profile) -> Chart {
    let reading = match (&profile.base, profile.weight.is_exact()) {
        (None, false) => "as wide as their share of the samples, each below its caller; a function that was inlined has ↳",
        (None, true) => "as wide as their share, each below its caller; a function that was inlined has ↳",
        (Some(_), false) => {
            "as wide as their share of the samples of the new side, or of the base if that was greater; ▲ grew, ▼ shrank by more than chance"
        }
        (Some(_), true) => "as wide as on the side on which they are greater, of all that side allocates; ▲ grew, ▼ shrank",
    };
    Chart {
        title: profile.label.clone(),
        reading: format!("{reading}. {}", profile.about()),
        plot: Plot::Flame(FlamePlot { tree: profile.tree() }),
    }
}
