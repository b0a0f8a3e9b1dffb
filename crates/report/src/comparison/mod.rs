//! A comparison: as a document, and as data.

mod csv;
mod details;
mod document;
mod json;
mod notes;
mod tabulate;
mod words;

pub use csv::comparison_csv;
pub(crate) use details::{add_saved, saved_rows};
pub(crate) use document::{all_facts, head};
pub use json::{comparison_json, COMPARISON_VERSION};
pub(crate) use notes::{failures, findings, one_sided, remarks};
pub(crate) use tabulate::{ratio_text, tabulate_counts, tabulate_drawn};
pub(crate) use words::{label, rows_of, without_row, ORDER};
pub use words::{undecided_of_comparison, violation_text};

use tare_analysis::gate::Judgement;
use tare_analysis::{Comparison, Report};

/// A comparison with all that its forms show of it.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// What can be said of the two sides.
    pub comparison: &'a Comparison,
    /// The report of its run, for the environment; None for saved data.
    pub report: Option<&'a Report>,
    /// What the gate says, if there is one. Pages show it; a screen does not, as it depends on more than the run.
    pub judgement: Option<&'a Judgement>,
    /// How many rows with the largest changes are shown for each verdict; None: all.
    pub top: Option<usize>,
}
