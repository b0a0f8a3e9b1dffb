//! A comparison: as documents, and as data.

mod details;
mod document;
mod json;
mod notes;
mod tabulate;

pub(crate) use details::{add_saved, saved_rows};
pub(crate) use document::{all_facts, head};
pub use json::{comparison_csv, comparison_json};
pub(crate) use notes::{failures, findings, one_sided, remarks};
pub(crate) use tabulate::{tabulate_counts, tabulate_drawn};

use tare_analysis::gate::Judgement;
use tare_analysis::{Comparison, Report};

#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    pub comparison: &'a Comparison,
    /// The report of its run, for the environment; None for saved data.
    pub report: Option<&'a Report>,
    /// What the gate says, if there is one. Pages show it; a screen does not, as it depends on more than the run.
    pub judgement: Option<&'a Judgement>,
    /// How many rows with the largest changes are shown for each verdict; None: all.
    pub top: Option<usize>,
}
