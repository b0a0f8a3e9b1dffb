//! Two sides beside each other: builds whose children were interleaved in one run, two saved results, or several machines.

mod cost;
mod matrix;
mod merge;
mod pairing;
mod run;
mod saved;
mod skips;

#[cfg(test)]
mod tests;

pub use matrix::{compare_matrix, Consistency, Matrix, MatrixCell, MatrixMachine, MatrixRow, WordCounts};
pub use run::{compare_run, finding_of_side, is_comparison};
pub use saved::compare_saved;
