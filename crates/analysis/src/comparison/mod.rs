//! Two sides beside each other: builds whose children were interleaved in one run, or two saved results.

mod cost;
mod merge;
mod pairing;
mod run;
mod saved;
mod skips;

#[cfg(test)]
mod tests;

pub use run::{compare_run, finding_of_side, is_comparison};
pub use saved::compare_saved;
