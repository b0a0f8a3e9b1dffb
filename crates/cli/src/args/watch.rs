//! `tare watch`.

use super::{BuildArgs, EffortArgs, SelectArgs};
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare watch bench.cpp                  edit, save, and see what became faster
  tare watch . --filter 'parse*'        a project, some of its benchmarks
  tare watch bench.cpp --also include   headers that are elsewhere
  tare watch bench.cpp --long           verdicts that take longer";

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Files, folders, projects or programs [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// A program that speaks the protocol, with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    /// Also watch this file or folder (repeatable)
    ///
    /// The folder of each source file and of each project is watched.
    #[arg(long, value_name = "PATH", help_heading = "Which benchmarks")]
    pub also: Vec<PathBuf>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Build and run under this job: -O3, clang++, jemalloc
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Option<String>,
    #[command(flatten)]
    pub build: BuildArgs,
    /// Do not store the runs in `.tare/`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub no_save: bool,
}
