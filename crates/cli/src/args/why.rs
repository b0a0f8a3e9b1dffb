//! `tare why`.

use super::{BuildArgs, EffortArgs, OutputArgs, SelectArgs};
use crate::units;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare why main worktree                what changed, and what differs with it
  tare why main worktree parse/json     one benchmark, whatever its verdict
  tare why old/a.cpp new/a.cpp          two folders, sources or programs
  tare why bench.cpp parse/json         what its time consists of
  tare why bench.cpp --job -O2 --job -O3";

#[derive(Debug, Args)]
#[command(override_usage = "tare why [OPTIONS] BASE [NEW] [CASE] [PATHS]...\n       tare why [OPTIONS] FILE [CASE]")]
pub struct WhyArgs {
    /// The first side, as for `tare compare`, or one source alone
    #[arg(value_name = "BASE")]
    pub base: String,
    /// The side to explain [default: worktree]; of one source, a case
    #[arg(value_name = "NEW")]
    pub new: Option<String>,
    /// Look at this benchmark, also if it has no verdict
    ///
    /// A pattern, as for `--filter`.
    #[arg(verbatim_doc_comment)]
    #[arg(value_name = "CASE")]
    pub case: Option<String>,
    /// What to build on both sides [default: the current folder]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub select: SelectArgs,
    /// A benchmark that was renamed (repeatable)
    #[arg(long, value_name = "OLD=NEW", help_heading = "Which benchmarks")]
    pub rename: Vec<String>,
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Also run this diagnoser, beside those that `tare why` runs
    #[arg(long, hide_short_help = true, value_name = "NAME", value_delimiter = ',')]
    #[arg(help_heading = "How much to measure")]
    pub diagnose: Vec<String>,
    /// Build and run under this job; of one source, compare several
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Vec<String>,
    #[command(flatten)]
    pub build: BuildArgs,
    /// Code layouts to link for each program [default: 8]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_u32..=64), help_heading = "How to build")]
    pub layouts: Option<u32>,
    /// Copy these benchmarks over both sides: worktree, a revision, a folder
    #[arg(long, hide_short_help = true, value_name = "FROM", help_heading = "How to build")]
    pub benchmarks_from: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub no_save: bool,
}
