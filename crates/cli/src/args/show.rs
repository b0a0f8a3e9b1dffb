//! `tare show`, and how rows stand wherever a run is shown.

use super::format::ShowFormat;
use super::{GateArgs, OutputFiles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::Args;
use tare_analysis::RowOrder;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare show latest -v
  tare show 7f3a --md
  tare show latest~1 --measurements > visits.csv
  tare show /backup/run.json
  tare show bench.txt -o bench.html       # the result of another tool";

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Start of an id, `latest~N`, a baseline or a path
    ///
    /// A path leads to a `run.json`, to the folder of a run, or to a result
    /// of another tool, as for `tare compare`.
    #[arg(verbatim_doc_comment)]
    #[arg(value_name = "RUN", default_value = "latest")]
    pub run: String,
    #[command(flatten)]
    pub gate: GateArgs,
    #[command(flatten)]
    pub format: ShowFormat,
    #[command(flatten)]
    pub order: OrderArgs,
    /// Show these statistics of the visits: p99,cv,p99/median
    ///
    /// mean, median, min, max, stddev, stderr, cv, mad, any percentile from
    /// p0 to p100, and quotients of two. A visit is the mean of many calls.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "LIST", value_delimiter = ',', help_heading = "Output")]
    #[arg(conflicts_with_all = ["form", "output", "fail_on", "log"])]
    pub statistics: Vec<tare_analysis::Statistic>,
    /// Print the machine code of matching cases
    ///
    /// Needs a run with `--diagnose code`. Of a comparison and of jobs it
    /// prints what differs; -v prints the whole code too. With
    /// `--diagnose code,profile` samples stand beside the instructions.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "", help_heading = "Output")]
    #[arg(conflicts_with_all = ["form", "output", "fail_on", "log", "statistics"])]
    pub code: Option<String>,
    /// Print which calls of matching cases were inlined
    ///
    /// Needs a run with `--diagnose inlining`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "", help_heading = "Output")]
    #[arg(conflicts_with_all = ["form", "output", "fail_on", "log", "statistics", "code"])]
    pub inlining: Option<String>,
    /// Show profiles as trees: where the time goes
    ///
    /// With a name only of the cases that match it, as for --filter. Files
    /// of -o are then profiles too: x.svg is a flame graph.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "*", help_heading = "Output")]
    #[arg(conflicts_with_all = ["form", "fail_on", "log", "statistics"])]
    pub flame: Option<String>,
    /// Print the log: what was built, started and printed
    #[arg(long, help_heading = "Output", conflicts_with_all = ["form", "output", "fail_on"])]
    pub log: bool,
    #[command(flatten)]
    pub output: OutputFiles,
}

/// The order of the rows.
#[derive(Debug, Args)]
pub struct OrderArgs {
    /// Order of the rows in a group: declared, fastest, slowest or name
    ///
    /// This orders only the table: the order of measuring is random, unless
    /// --keep-order is given.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "HOW", default_value = "declared", help_heading = "Output")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    #[arg(value_parser = order())]
    pub order: RowOrder,
}

/// How the rows of a group stand.
fn order() -> impl TypedValueParser<Value = RowOrder> {
    PossibleValuesParser::new(["declared", "fastest", "slowest", "name"]).map(|name| match name.as_str() {
        "fastest" => RowOrder::Fastest,
        "slowest" => RowOrder::Slowest,
        "name" => RowOrder::Name,
        _ => RowOrder::Declared,
    })
}
