mod members;
mod of_comparison;
mod of_members;
mod of_run;
mod scaling;

pub(crate) use members::{panels_of_comparison, panels_of_run, sides, Named, Panel, Source};
pub(crate) use of_comparison::{bars_of_rows, comparison_dots};
pub(crate) use of_members::{case_charts, pair_charts, strip, value_charts};
pub(crate) use of_run::{bars_of_pairs, bars_of_run, boxes, densities, group_dots, means, run_dots, strips, timeline};
pub(crate) use scaling::scaling;
