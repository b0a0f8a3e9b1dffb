//! Levels of a look after which none will follow, whatever it says.
//!
//! Earlier looks had the levels of `boundaries.rs`. At these the last one spends what they left of alpha (6 million paths, `tests/it/slow.rs`). The
//! last of all looks spends what is left by its own table; the others may spend more.

use super::boundaries::{Design, Tables};

static LAST: Tables = Tables {
    four: [
        (0.1, [1.001e-1, 9.825e-2, 9.599e-2, 9.270e-2, 8.778e-2, 8.134e-2, 7.200e-2, 5.688e-2]),
        (0.05, [5.004e-2, 4.880e-2, 4.756e-2, 4.546e-2, 4.271e-2, 3.900e-2, 3.390e-2, 2.593e-2]),
        (0.01, [9.964e-3, 9.726e-3, 9.323e-3, 8.768e-3, 8.125e-3, 7.213e-3, 6.068e-3, 4.436e-3]),
    ],
    four_long: [
        (
            0.1,
            [
                1.001e-1, 9.744e-2, 9.563e-2, 9.396e-2, 9.218e-2, 9.060e-2, 8.908e-2, 8.758e-2, 8.601e-2, 8.437e-2,
                8.252e-2, 8.090e-2, 7.928e-2, 7.760e-2, 7.576e-2, 7.397e-2, 7.207e-2, 7.005e-2, 6.814e-2, 6.613e-2,
                6.398e-2, 6.180e-2, 5.955e-2, 5.720e-2, 5.457e-2, 5.206e-2, 4.930e-2, 4.616e-2, 4.275e-2, 3.888e-2,
                3.424e-2, 2.787e-2,
            ],
        ),
        (
            0.05,
            [
                5.004e-2, 4.833e-2, 4.741e-2, 4.635e-2, 4.541e-2, 4.457e-2, 4.377e-2, 4.286e-2, 4.195e-2, 4.108e-2,
                4.004e-2, 3.915e-2, 3.819e-2, 3.730e-2, 3.621e-2, 3.516e-2, 3.420e-2, 3.319e-2, 3.216e-2, 3.109e-2,
                3.004e-2, 2.887e-2, 2.769e-2, 2.657e-2, 2.523e-2, 2.389e-2, 2.242e-2, 2.089e-2, 1.919e-2, 1.731e-2,
                1.515e-2, 1.216e-2,
            ],
        ),
        (
            0.01,
            [
                9.964e-3, 9.602e-3, 9.325e-3, 9.064e-3, 8.894e-3, 8.685e-3, 8.488e-3, 8.278e-3, 8.076e-3, 7.874e-3,
                7.640e-3, 7.426e-3, 7.221e-3, 6.977e-3, 6.753e-3, 6.537e-3, 6.315e-3, 6.120e-3, 5.885e-3, 5.631e-3,
                5.395e-3, 5.158e-3, 4.897e-3, 4.627e-3, 4.379e-3, 4.098e-3, 3.847e-3, 3.545e-3, 3.195e-3, 2.832e-3,
                2.380e-3, 1.818e-3,
            ],
        ),
    ],
    two: [
        (
            0.1,
            [
                9.989e-2, 9.910e-2, 9.841e-2, 9.719e-2, 9.608e-2, 9.456e-2, 9.297e-2, 9.099e-2, 8.868e-2, 8.604e-2,
                8.294e-2, 7.924e-2, 7.455e-2, 6.887e-2, 6.141e-2, 5.042e-2,
            ],
        ),
        (
            0.05,
            [
                5.003e-2, 4.951e-2, 4.891e-2, 4.845e-2, 4.757e-2, 4.679e-2, 4.574e-2, 4.466e-2, 4.329e-2, 4.174e-2,
                3.989e-2, 3.785e-2, 3.535e-2, 3.213e-2, 2.812e-2, 2.244e-2,
            ],
        ),
        (
            0.01,
            [
                1.003e-2, 9.878e-3, 9.716e-3, 9.586e-3, 9.375e-3, 9.148e-3, 8.884e-3, 8.578e-3, 8.268e-3, 7.931e-3,
                7.366e-3, 6.853e-3, 6.303e-3, 5.621e-3, 4.716e-3, 3.503e-3,
            ],
        ),
    ],
};

impl Design {
    /// The two-sided p-level at which `look` (from 1) spends all that the looks before it left of `alpha`, where no look follows it. Alphas
    /// are tabled as for [`Design::p_level`]. `None` for the same arguments.
    pub fn last_p_level(self, look: usize, alpha: f64) -> Option<f64> {
        let usual = self.p_level(look, alpha)?;
        let level = self.level_in(&LAST, look, alpha);
        Some(level.unwrap_or(alpha * self.last_weight(look)?).max(usual))
    }

    /// The weight of `look` in the repeated p-value where no look follows it: what those before it left of 1.
    pub fn last_weight(self, look: usize) -> Option<f64> {
        let usual = self.weight(look)?;
        let spent: f64 = (1..look).filter_map(|earlier| self.weight(earlier)).sum();
        Some((1.0 - spent).max(usual))
    }
}
