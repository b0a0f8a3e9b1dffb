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
    /// The run's report, for the environment; None for saved data.
    pub report: Option<&'a Report>,
    /// The gate's result, if there is a gate. Shown on pages but not on screens, since it depends on more than the run.
    pub judgement: Option<&'a Judgement>,
    /// The number of rows with the largest changes per verdict; None: all.
    pub top: Option<usize>,
}
