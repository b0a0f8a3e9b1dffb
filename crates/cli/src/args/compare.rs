//! `tare compare` and `tare baseline`.

use super::{AgainArgs, BuildArgs, ClusterArgs, EffortArgs, OutputArgs, SelectArgs, WatchedArgs};
use crate::units;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use tare_analysis::gate::{Limit, Rule};
use tare_analysis::{Better, SavedTime};

pub(super) const EXAMPLES: &str = "\
Examples:
  tare compare main                    a git revision against the working tree
  tare compare v1.2 HEAD benches/      two revisions, one folder of benchmarks
  tare compare latest~1 latest         two stored runs, also by id or baseline
  tare compare before.json after.json  results of another tool";

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A revision, folder, source, program, run, baseline or result file
    ///
    /// A git revision, `worktree` (your files with uncommitted changes), a
    /// folder or source file to build, a built program, a stored run, a
    /// baseline, the folder of a run, or a file of results of another tool.
    /// Reports (`-o FILE`) are not enough: they lack the measurements.
    #[arg(verbatim_doc_comment)]
    #[arg(value_name = "BASE", required_unless_present_any = ["resume", "again"])]
    pub base: Option<String>,
    /// The side to judge, given in the same way [default: worktree]
    #[arg(value_name = "NEW")]
    pub new: Option<String>,
    /// What to build on both sides [default: the current folder]
    ///
    /// Files, folders or projects, for sides that are revisions or folders.
    pub paths: Vec<PathBuf>,
    /// What the `Main` of a program with BenchmarkDotNet gets
    #[arg(last = true, hide_short_help = true, value_name = "ARG")]
    pub arguments: Vec<String>,
    #[command(flatten)]
    pub select: SelectArgs,
    /// A benchmark that was renamed (repeatable)
    #[arg(long, value_name = "OLD=NEW", value_parser = rename, help_heading = "Which benchmarks")]
    pub rename: Vec<String>,
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Also run this diagnoser, in separate processes after the timing
    ///
    /// `memory` counts allocations. Several: `memory,profile`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME", value_delimiter = ',')]
    #[arg(help_heading = "How much to measure")]
    pub diagnose: Vec<String>,
    #[command(flatten)]
    pub watched: WatchedArgs,
    /// Then say what differs together with what changed
    ///
    /// As `tare why`, which has a page of `tare help why`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = "How much to measure")]
    pub why: bool,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    /// Code layouts to link for each program [default: 64, 8 with --quick]
    ///
    /// 1 keeps the linker's own layout.
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::layouts, help_heading = "How to build")]
    pub layouts: Option<u32>,
    /// Copy these benchmarks over both sides: worktree, a revision, a folder
    ///
    /// For revisions that are older than the benchmark. If one does not
    /// compile on a side, it is missing there; the others are compared.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "FROM", help_heading = "How to build")]
    pub benchmarks_from: Option<String>,
    #[command(flatten)]
    pub saved: SavedArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    /// Resume a comparison that was stopped or killed
    #[arg(long, help_heading = "Output", value_name = "ID")]
    pub resume: Option<String>,
    #[command(flatten)]
    pub repeat: AgainArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Show the N largest changes of each verdict
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_u32..), help_heading = "Output")]
    pub top: Option<u32>,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, conflicts_with = "on", help_heading = "Output")]
    pub no_save: bool,
}

/// How saved data is compared.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Saved data")]
pub struct SavedArgs {
    /// Smallest difference that gets a verdict [default: 5%]
    #[arg(long, hide_short_help = true, value_name = "PERCENT", value_parser = units::share)]
    pub threshold: Option<f64>,
    /// Ignore differences up to this time [default: 0.3ns]
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = units::time_ns)]
    pub noise: Option<f64>,
    /// Time to compare, if results have both: wall or cpu [default: wall]
    #[arg(long, hide_short_help = true, value_name = "KIND", hide_possible_values = true, value_parser = time_kind())]
    pub time: Option<SavedTime>,
    /// Say which values of a metric are better: `retries=lower`
    ///
    /// For metrics of other tools that do not say it themselves, such as the
    /// counters of Google Benchmark and units of Go: NAME=lower,
    /// NAME=higher, or NAME=none to leave it out.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "METRIC=WHICH", value_parser = Direction::parse)]
    pub better: Vec<Direction>,
    /// Criterion baseline to read, or two of one folder: OLD..NEW
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub criterion: Option<String>,
    /// Run both sides under this job, or select it in saved runs
    ///
    /// Sides that are built use this one job, as in `tare run --job`. From a
    /// saved run, or results of BenchmarkDotNet, the flag selects what this
    /// job measured; OLD..NEW compares two jobs of one run.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true)]
    pub job: Option<String>,
}

/// Which values of a metric are better; None where it is not to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Direction {
    /// What the metric is called in its row.
    pub metric: String,
    /// Which of its values are better.
    pub better: Option<Better>,
}

impl Direction {
    fn parse(text: &str) -> Result<Direction, String> {
        let (metric, which) = text.rsplit_once('=').ok_or("write METRIC=lower or METRIC=higher")?;
        let better = match which {
            "lower" => Some(Better::Lower),
            "higher" => Some(Better::Higher),
            "none" => None,
            _ => return Err(format!("`{which}` is not one of lower, higher, none")),
        };
        Ok(Direction { metric: metric.to_owned(), better })
    }
}

/// Which time of a benchmark.
fn time_kind() -> impl TypedValueParser<Value = SavedTime> {
    PossibleValuesParser::new(["wall", "cpu"]).map(|name| if name == "cpu" { SavedTime::Cpu } else { SavedTime::Wall })
}

/// What must not happen.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct GateArgs {
    /// Fail on slower, slower:3%, unclear, ...
    ///
    /// slower[:PERCENT], faster, unclear[:PERCENT], counts[:PERCENT], limit
    /// or different; separate several by commas. The exit code is 10, or 11
    /// if it could not be decided. `tare help ci` explains each.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub fail_on: Vec<Rule>,
    /// What a benchmark may cost, such as 'instructions <= 1200'
    ///
    /// COST <= VALUE for all of them, or 'PATTERN: COST <= VALUE'. Costs are
    /// time, ratio, allocations, bytes, instructions. Beside the limits of
    /// `tare.toml`; repeat for several.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "LIMIT", value_parser = Limit::parse)]
    pub limit: Vec<Limit>,
}

#[derive(Debug, Args)]
pub struct BaselineArgs {
    #[command(subcommand)]
    pub verb: BaselineVerb,
}

#[derive(Debug, Subcommand)]
pub enum BaselineVerb {
    /// Name a run
    Set {
        /// The name: letters, digits, `.`, `_` and `-`
        name: String,
        /// The run
        #[arg(default_value = "latest")]
        run: String,
    },
    /// List the named runs
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a name; the run stays
    Remove {
        /// The name
        name: String,
    },
}

/// `n=10`.
pub(super) fn parameter(text: &str) -> Result<tare_model::Parameter, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(tare_model::Parameter::new(name.trim(), value.trim())),
        _ => Err("write NAME=VALUE, such as 'n=10'".to_owned()),
    }
}

/// Where the names part is known beside the names of both sides.
fn rename(text: &str) -> Result<String, String> {
    if text.match_indices('=').any(|(at, _)| at > 0 && at + 1 < text.len()) {
        Ok(text.to_owned())
    } else {
        Err("write OLD=NEW, such as 'parse/old=parse/new'".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::rename;

    #[test]
    fn a_rename_has_two_names() {
        for good in ["a/b=a/c", "a/b[n=1]=a/c[n=1]", "é=è"] {
            assert!(rename(good).is_ok(), "{good}");
        }
        for bad in ["", "a", "=a", "a=", "="] {
            assert!(rename(bad).is_err(), "{bad}");
        }
    }
}
