//! The random choices of a launch.

use serde::{Deserialize, Serialize};

/// What was drawn for a launch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "StoredDraw")]
pub struct Draw {
    /// See [`StoredDraw::layout`].
    pub layout: u32,
    /// See [`StoredDraw::pair`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<u64>,
    /// See [`StoredDraw::seed`].
    pub seed: u64,
}

impl Draw {
    /// Whether this launch and `other`, of different sides, have the same draw.
    pub fn is_partner_of(&self, other: &Draw) -> bool {
        self.pair.is_some() && self.pair == other.pair
    }
}

/// The stored form. Before schema 2.1 there was only the seed: its upper half chose the layout, and partners had equal seeds.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StoredDraw {
    /// The layout of its code: index into the layouts of its program, 0 where it has none. Absent before schema 2.1.
    layout: Option<u32>,
    /// Launches of both sides of a comparison that have the same number in a wave are partners: they were drawn alike. None: it has no
    /// partner.
    pair: Option<u64>,
    /// Seed of `open` and of everything else that is random about the launch.
    seed: u64,
}

impl From<StoredDraw> for Draw {
    fn from(StoredDraw { layout, pair, seed }: StoredDraw) -> Draw {
        match layout {
            Some(layout) => Draw { layout, pair, seed },
            // The number of layouts is unknown here, so lookups wrap around.
            None => Draw { layout: (seed >> 32) as u32, pair: Some(seed), seed },
        }
    }
}
