//! `tare profile`.

use super::{BuildArgs, OutputArgs};
use crate::units;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare profile bench.cpp parse                where the time of one case goes
  tare profile . parse --for 10s -o p.html    for longer, with its flame graph
  tare profile . parse --before main          what differs from a revision";

#[derive(Debug, Args)]
pub struct ProfileArgs {
    /// A file, folder, project or program [default: the current folder]
    #[arg(value_name = "TARGET")]
    pub target: Option<PathBuf>,
    /// Part of the name of the case, or a glob [default: every case]
    #[arg(value_name = "CASE")]
    pub case: Option<String>,
    /// A program that speaks the protocol, with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    /// How long the case runs steadily [default: 2s]
    #[arg(long = "for", id = "for", value_name = "TIME", value_parser = units::watch_s, help_heading = "How much to measure")]
    pub time: Option<f64>,
    /// Compare with the profile of this revision, folder or file
    #[arg(long, value_name = "BASE", conflicts_with = "command", help_heading = "Which benchmarks")]
    pub before: Option<String>,
    /// Build and run under this job: -O3, clang++, jemalloc
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Option<String>,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What diagnosers count, how long and how deep they look.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct WatchedArgs {
    /// How long `--diagnose profile` watches each case [default: 2s]
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = units::watch_s)]
    pub diagnose_for: Option<f64>,
    /// Calls that `--diagnose code` follows, one after the other [default: 2]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub diagnose_depth: Option<u32>,
    /// Count these events: cycles,branch-misses
    ///
    /// By the names of the kernel (`perf list`), of units such as msr/tsc/,
    /// or numbers such as r01c2. Asks for the diagnoser `counters`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "EVENT", value_delimiter = ',')]
    pub counters: Vec<String>,
}
