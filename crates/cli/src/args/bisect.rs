//! Arguments of `tare bisect`.

use super::{compare, BuildArgs, EffortArgs, OutputArgs};
use crate::units;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare bisect v1.2 HEAD                     the commit that made it slower
  tare bisect v1.2 HEAD benches/ -f parse   one folder, one benchmark
  tare bisect v1.2 HEAD --faster            the commit that made it faster
  tare bisect --resume 7f3a                 continue where it was stopped";

#[derive(Debug, Args)]
pub struct BisectArgs {
    /// A revision before the change
    #[arg(value_name = "GOOD", required_unless_present = "resume")]
    pub good: Option<String>,
    /// A later revision, which contains GOOD
    #[arg(value_name = "BAD", required_unless_present = "resume")]
    pub bad: Option<String>,
    /// What to build in each commit [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// What the `Main` of a program with BenchmarkDotNet gets
    #[arg(last = true, hide_short_help = true, value_name = "ARG")]
    pub arguments: Vec<String>,
    /// The benchmark: a part of its name, or a glob
    ///
    /// Needed if several benchmarks changed between the two revisions.
    #[arg(long, short = 'f', value_name = "GLOB", help_heading = "Which benchmark")]
    pub filter: Vec<String>,
    /// Set a parameter to this value instead of the declared ones
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = compare::parameter, help_heading = "Which benchmark")]
    pub param: Vec<tare_model::Parameter>,
    /// Find what made it faster, not slower
    #[arg(long, help_heading = "Which commits")]
    pub faster: bool,
    /// Follow only the first parent of merges
    ///
    /// A merge then stands for everything that it brought in; the commits
    /// of the merged branch are not built.
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = "Which commits")]
    pub first_parent: bool,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    /// Code layouts to link for each program [default: 32, 8 with --quick]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::layouts, help_heading = "How to build")]
    pub layouts: Option<u32>,
    /// Copy these benchmarks over each commit: worktree, a revision, a folder
    ///
    /// For commits that are older than the benchmark. If it does not compile
    /// with a commit, the commit is left out.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "FROM", help_heading = "How to build")]
    pub benchmarks_from: Option<String>,
    /// Resume a bisection, or show one that is finished
    ///
    /// Measurements are kept. Only `--filter` can be added, if no benchmark
    /// is chosen yet.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "ID", help_heading = "Output")]
    pub resume: Option<String>,
    /// Print JSON
    #[arg(long, hide_short_help = true, help_heading = "Output", conflicts_with = "format")]
    pub json: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}
