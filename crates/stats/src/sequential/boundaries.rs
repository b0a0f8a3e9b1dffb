//! The boundary tables, and the weights of looks.
//!
//! Each row holds nominal two-sided p-levels by look: Kim-DeMets spending `alpha (k / K)^1.5`, the boundaries found by
//! Monte Carlo with 4 million paths at the true small degrees of freedom (`tests/it/slow.rs` repeats that with
//! fewer paths). Levels, not critical values, are the law: applied at the degrees of freedom actually there,
//! the first look keeps its level exactly when a process has been lost.
//!
//! The table of 32 looks for W = 4 is ours: noisy benchmarks get four times the launches. It spends `alpha (k / 32)^0.8`, so that the
//! first look spends a sixteenth (`tests/it/slow.rs` prints it, 12 million paths). A plan of 9 to 31 looks ends before its last row, and
//! its last look spends what is left (`last.rs`).

/// Tables of p-levels by alpha and look, for W = 2, and for W = 4 with 8 or 32 looks: 32 or 128 launches a side at the cap.
pub(super) struct Tables {
    pub two: [(f64, [f64; 16]); 3],
    pub four: [(f64, [f64; 8]); 3],
    pub four_long: [(f64, [f64; 32]); 3],
}

static USUAL: Tables = Tables {
    four: [
        (0.10, [0.00441, 0.00915, 0.0148, 0.0212, 0.0286, 0.0371, 0.0465, 0.0566]),
        (0.05, [0.00222, 0.00443, 0.00705, 0.0100, 0.0134, 0.0171, 0.0213, 0.0257]),
        (0.01, [0.000444, 0.000850, 0.00132, 0.00181, 0.00235, 0.00292, 0.00360, 0.00437]),
    ],
    four_long: [
        (
            0.10,
            [
                6.245e-03, 5.697e-03, 6.240e-03, 6.986e-03, 7.792e-03, 8.558e-03, 9.316e-03, 1.016e-02, 1.093e-02,
                1.172e-02, 1.252e-02, 1.338e-02, 1.405e-02, 1.490e-02, 1.560e-02, 1.637e-02, 1.717e-02, 1.788e-02,
                1.869e-02, 1.946e-02, 2.025e-02, 2.099e-02, 2.179e-02, 2.257e-02, 2.330e-02, 2.402e-02, 2.480e-02,
                2.560e-02, 2.637e-02, 2.718e-02, 2.801e-02, 2.867e-02,
            ],
        ),
        (
            0.05,
            [
                3.117e-03, 2.744e-03, 2.947e-03, 3.272e-03, 3.603e-03, 3.925e-03, 4.274e-03, 4.606e-03, 4.944e-03,
                5.281e-03, 5.620e-03, 5.980e-03, 6.302e-03, 6.624e-03, 6.908e-03, 7.229e-03, 7.524e-03, 7.900e-03,
                8.194e-03, 8.542e-03, 8.864e-03, 9.115e-03, 9.413e-03, 9.715e-03, 1.009e-02, 1.045e-02, 1.069e-02,
                1.096e-02, 1.130e-02, 1.165e-02, 1.194e-02, 1.225e-02,
            ],
        ),
        (
            0.01,
            [
                6.225e-04, 5.271e-04, 5.253e-04, 5.674e-04, 6.263e-04, 6.732e-04, 7.256e-04, 7.806e-04, 8.296e-04,
                8.907e-04, 9.204e-04, 9.769e-04, 1.021e-03, 1.071e-03, 1.103e-03, 1.163e-03, 1.227e-03, 1.246e-03,
                1.300e-03, 1.357e-03, 1.408e-03, 1.443e-03, 1.471e-03, 1.513e-03, 1.574e-03, 1.614e-03, 1.665e-03,
                1.691e-03, 1.748e-03, 1.794e-03, 1.844e-03, 1.882e-03,
            ],
        ),
    ],
    two: [
        (
            0.10,
            [
                0.00157, 0.00303, 0.00452, 0.00657, 0.00886, 0.0112, 0.0141, 0.0171, 0.0203, 0.0239, 0.0276, 0.0316,
                0.0357, 0.0403, 0.0448, 0.0501,
            ],
        ),
        (
            0.05,
            [
                8.12e-4, 0.00149, 0.00216, 0.00307, 0.00413, 0.00518, 0.00652, 0.00782, 0.00929, 0.0109, 0.0126,
                0.0144, 0.0161, 0.0180, 0.0201, 0.0222,
            ],
        ),
        (
            0.01,
            [
                1.64e-4, 3.07e-4, 4.10e-4, 5.53e-4, 6.93e-4, 9.26e-4, 0.00115, 0.00136, 0.00161, 0.00187, 0.00212,
                0.00238, 0.00269, 0.00298, 0.00331, 0.00358,
            ],
        ),
    ],
};

/// Weights of the repeated p-value over 8 looks; they add to 1.
const WEIGHTS: [f64; 8] = [0.03, 0.06, 0.08, 0.10, 0.13, 0.16, 0.20, 0.24];

/// The table used for `processes_per_side` processes a side in each wave: 2 or 4; `None` below 2.
///
/// For other numbers it is the nearest smaller one, its p-levels applied at the actual degrees of freedom. That is
/// conservative: more processes mean the boundary need be less strict, and fewer looks of the table are needed.
pub fn table_for(processes_per_side: usize) -> Option<usize> {
    match processes_per_side {
        0 | 1 => None,
        2 | 3 => Some(2),
        _ => Some(4),
    }
}

/// How many looks the usual table allows: 16 or 8 for W = 2 or 4; `None` below 2 processes a side.
pub fn max_looks(processes_per_side: usize) -> Option<usize> {
    table_for(processes_per_side).map(|w| 32 / w)
}

/// A group-sequential design: how many processes a side each wave has, and after how many waves at most one looks. It must not
/// change after the first look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Design {
    /// W, the processes of one side in a wave.
    pub processes_per_side: usize,
    /// Waves at most. Chooses the table; the looks of that table are [`Design::max_looks`].
    pub looks: usize,
}

/// Looks of the long table for W = 4.
const LONG: usize = 32;

/// A table of p-levels.
#[derive(Clone, Copy)]
enum Table {
    Two,
    Four,
    FourLong,
}

impl Design {
    /// The usual design for W: 32 launches a side at most (see [`max_looks`]).
    pub fn of(processes_per_side: usize) -> Design {
        Design { processes_per_side, looks: max_looks(processes_per_side).unwrap_or(0) }
    }

    /// How many looks its table allows: [`max_looks`], and 32 for W = 4 where more than 8 are planned.
    /// `None` below 2 processes a side.
    pub fn max_looks(self) -> Option<usize> {
        Some(match self.table()? {
            Table::FourLong => LONG,
            Table::Two | Table::Four => max_looks(self.processes_per_side)?,
        })
    }

    fn table(self) -> Option<Table> {
        Some(match table_for(self.processes_per_side)? {
            2 => Table::Two,
            _ if self.looks > WEIGHTS.len() => Table::FourLong,
            _ => Table::Four,
        })
    }

    /// The two-sided p-level that may be spent at `look` (from 1) so that all looks together spend at most `alpha`.
    ///
    /// Tabled are 0.10, 0.05 and 0.01. Another alpha uses the next smaller tabled one
    /// (conservative); below the smallest, weighted Bonferroni (`alpha` times [`Design::weight`]). `None` outside the looks of
    /// the table, below 2 processes a side, or for an alpha outside `(0, 1)`.
    pub fn p_level(self, look: usize, alpha: f64) -> Option<f64> {
        let weight = self.weight(look)?;
        if !(alpha > 0.0 && alpha < 1.0) {
            return None;
        }
        Some(self.level_in(&USUAL, look, alpha).unwrap_or(alpha * weight))
    }

    /// The level in the table of this design. `None` outside the table, and for an alpha below the smallest tabled one.
    pub(super) fn level_in(self, tables: &Tables, look: usize, alpha: f64) -> Option<f64> {
        fn of<const K: usize>(table: &[(f64, [f64; K])], look: usize, alpha: f64) -> Option<f64> {
            // 1 - 0.99 is not quite 0.01: such an alpha must find its row.
            let row = table.iter().find(|(tabled, _)| *tabled <= alpha * (1.0 + 1e-9))?;
            row.1.get(look.checked_sub(1)?).copied()
        }
        match self.table()? {
            Table::Two => of(&tables.two, look, alpha),
            Table::Four => of(&tables.four, look, alpha),
            Table::FourLong => of(&tables.four_long, look, alpha),
        }
    }

    /// The weight of `look` (from 1) in the repeated p-value; over all looks they add to 1.
    ///
    /// For W = 2 each of the eight weights is halved between two looks, so that the same number of launches has the same weight. The 32
    /// looks of W = 4 weigh the same. `None` outside the looks of the table.
    pub fn weight(self, look: usize) -> Option<f64> {
        let index = look.checked_sub(1)?;
        match self.table()? {
            Table::Two => WEIGHTS.get(index / 2).map(|w| w / 2.0),
            Table::Four => WEIGHTS.get(index).copied(),
            Table::FourLong => (index < LONG).then_some(1.0 / LONG as f64),
        }
    }
}
