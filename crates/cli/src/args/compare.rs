//! `tare compare` and `tare baseline`.

use super::{BuildArgs, EffortArgs, Format, SelectArgs, FIXED_BY_A_RUN};
use crate::units;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use tare_analysis::gate::Rule;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare compare main                         a git revision against the files as they are
  tare compare v1.2 HEAD benches/           two revisions, the benchmarks of one folder
  tare compare old/bench.cpp new/bench.cpp  two folders, sources or built programs
  tare compare before.json after.json       two saved runs, or results of another tool
  tare compare main --fail-on slower:3% -o comment.md";

/// `tare compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A git revision, `worktree`, a folder, a source, a built program, a run, a baseline, or a file of results
    #[arg(value_name = "BASE", required_unless_present_any = ["resume", "matrix"])]
    pub base: Option<String>,
    /// The same, of the side that is judged [default: worktree]
    #[arg(value_name = "NEW")]
    pub new: Option<String>,
    /// What to build of both sides, where they are revisions or folders [default: as for `tare run`]
    pub paths: Vec<PathBuf>,
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// A benchmark of the base that is called otherwise in the new; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = rename, help_heading = "Which benchmarks")]
    pub rename: Vec<String>,
    /// How long.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Time for each benchmark, such as 5s; what one does not need goes to the others
    #[arg(long, value_name = "DURATION", value_parser = units::duration_s, conflicts_with = "budget")]
    #[arg(help_heading = "How much to measure")]
    pub budget_each: Option<f64>,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Layouts of the code that each program is built in; 1: only as it is linked [default: 32, or 8 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "How to build")]
    pub layouts: Option<u32>,
    /// Saved data.
    #[command(flatten)]
    pub saved: SavedArgs,
    /// What must not happen.
    #[command(flatten)]
    pub gate: GateArgs,
    /// Go on with a comparison that was stopped or killed
    #[arg(long, value_name = "ID", conflicts_with_all = ["base", "new", "paths", "matrix", "no_save", "filter", "exclude", "category"])]
    #[arg(conflicts_with_all = FIXED_BY_A_RUN, conflicts_with_all = ["rename", "budget_each", "layouts"])]
    pub resume: Option<String>,
    /// Form of the result on the standard output: table, md, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub format: Format,
    /// Also write a file; its ending says the form: .md .csv .json .txt .measurements.csv
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Vec<PathBuf>,
    /// Show of each word the N benchmarks that changed most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Output")]
    pub top: Option<u32>,
    /// Do not keep the run in `.tare/`
    #[arg(long, help_heading = "Output")]
    pub no_save: bool,
}

/// How saved data is compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Saved data")]
pub struct SavedArgs {
    /// Smallest difference between two sessions that gets a word [default: 5%]
    #[arg(long, value_name = "PERCENT", value_parser = units::share)]
    pub threshold: Option<f64>,
    /// Differences up to this time never get a word [default: 0.3ns]
    #[arg(long, value_name = "TIME", value_parser = units::time_ns)]
    pub noise: Option<f64>,
    /// Which time is compared, where results hold both: wall or cpu [default: wall]
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub time: Option<TimeKind>,
    /// Which of criterion's baselines is meant in a folder of criterion; OLD..NEW: two of one folder [default: new]
    #[arg(long, value_name = "NAME")]
    pub criterion: Option<String>,
    /// Which of BenchmarkDotNet's jobs is meant, such as `net8`; OLD..NEW: two of one file
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,
    /// Compare on several machines: a folder with a folder or file for each machine and side
    #[arg(long, value_name = "DIR", requires = "new")]
    pub matrix: Option<PathBuf>,
}

/// Which time of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TimeKind {
    /// That of the clock on the wall.
    Wall,
    /// That of the processor.
    Cpu,
}

/// What must not happen.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate")]
pub struct GateArgs {
    /// Exit with 10 or 11 on: slower, slower:3%, faster, unclear, limit, different; several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub fail_on: Vec<Rule>,
}

/// `tare baseline`.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: BaselineVerb,
}

/// What to do with baselines.
#[derive(Debug, Subcommand)]
pub enum BaselineVerb {
    /// Give a run a name
    Set {
        /// The name: letters, digits, `.`, `_` and `-`
        name: String,
        /// The run
        #[arg(default_value = "latest")]
        run: String,
    },
    /// List the names
    List {
        /// For programs
        #[arg(long)]
        json: bool,
    },
    /// Take a name away; the run stays
    Remove {
        /// The name
        name: String,
    },
}

/// `n=10`.
pub(super) fn parameter(text: &str) -> Result<tare_model::Parameter, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(tare_model::Parameter { name: name.trim().to_owned(), value: value.trim().to_owned() })
        }
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
