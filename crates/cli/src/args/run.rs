//! Arguments of `tare run`: which benchmarks, and what it does with them.

use super::{compare, BuildArgs, ClusterArgs, ContextArgs, EffortArgs, GateArgs, OrderArgs, OutputArgs, WatchedArgs};
use crate::units;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tare run bench.cpp
  tare run . --filter 'sort/*[n=1000*]' --exclude '*slow*'
  tare run bench.cpp --job 'g++ -O2' --job 'clang++ -O3'  side by side
  tare run -- python3 bench.py          any program that speaks the protocol
  tare run bench.cpp -o result.md -o result.csv";

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Which benchmarks")]
pub struct SelectArgs {
    /// Only matching names, such as sort or 'sort/*[n=10]'
    ///
    /// Part of `group/name[param=value]`, or a glob that matches all of it.
    /// `*` also matches `/`. Repeat the flag for several patterns.
    #[arg(verbatim_doc_comment)]
    #[arg(long, short = 'f', value_name = "GLOB")]
    pub filter: Vec<String>,
    /// Skip matching names
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Set a parameter to this value instead of the declared ones
    ///
    /// Such as n=5000. Repeat the flag for other parameters, and for several
    /// values of one.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = compare::parameter)]
    pub param: Vec<tare_model::Parameter>,
    /// Only benchmarks of this category, or of one of several
    ///
    /// Repeat the flag for several.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub category: Vec<String>,
    /// Only benchmarks that are in all of these categories (repeatable)
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub all_categories: Vec<String>,
    /// Skip benchmarks of this category (repeatable)
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub exclude_category: Vec<String>,
    /// Only one of several parts, such as 2/5
    ///
    /// Every benchmark is in exactly one part, the same on every machine,
    /// together with the benchmarks that it is compared with.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "K/N")]
    pub shard: Option<tare_engine::Shard>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Files, folders, projects or programs [default: the current folder]
    ///
    /// Sources (.cpp .rs .cs .java .py .js), Go packages, programs, and
    /// projects of Cargo, CMake, .NET and Maven.
    #[arg(verbatim_doc_comment)]
    pub paths: Vec<PathBuf>,
    /// A program that speaks the protocol, with its arguments
    ///
    /// Behind a .NET project: what its `Main` gets.
    #[arg(verbatim_doc_comment)]
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    /// Measure a statement of Python; others are compared with the first
    ///
    /// The statement stands in the measuring loop, so no call is part of its
    /// time. Repeat the flag for several.
    #[arg(verbatim_doc_comment)]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "CODE",
        allow_hyphen_values = true,
        help_heading = "Which benchmarks",
        conflicts_with = "command"
    )]
    pub python: Vec<String>,
    /// What runs before the statements, such as 'x = [3, 1]'
    ///
    /// Once in each process, for `--python`. Repeat it for further lines.
    #[arg(verbatim_doc_comment)]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "CODE",
        allow_hyphen_values = true,
        help_heading = "Which benchmarks"
    )]
    pub set_up: Vec<String>,
    #[command(flatten)]
    pub select: SelectArgs,
    /// A way to build and run: -O3, clang++, jemalloc, 'x: A=1'
    ///
    /// Repeat the flag: each benchmark is measured under every job, in the
    /// same waves, and compared with itself under the first. A job is the
    /// name of one in `tare.toml`, or flags, a compiler, an allocator,
    /// NAME=VALUE; `NAME: ` before it gives it a name. See `tare help jobs`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Vec<String>,
    /// .NET runtimes to compare: 8.0,9.0; all: every one installed
    ///
    /// Short for one `--job dotnet=VERSION` each: every benchmark is measured
    /// under all of them, and compared with itself under the first.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "VERSION", value_delimiter = ',', help_heading = "How to build")]
    pub runtimes: Vec<String>,
    /// Compare with this benchmark, or this value of a parameter: 'n=10'
    ///
    /// A benchmark such as `library` is what the others of its group are
    /// compared with, in every group that has one of this name. With `n=10`
    /// each benchmark is compared with itself at this value; with several
    /// jobs and `job=NAME`, under that job.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "WHICH", value_parser = baseline, help_heading = "Which benchmarks", conflicts_with = "shard")]
    pub baseline: Option<tare_engine::Baseline>,
    /// Run every body once, and measure nothing
    ///
    /// Shows what each returned. The exit code is 0 if all of them ran, and
    /// 100 if one failed.
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = "How much to measure")]
    pub dry: bool,
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Stop once the 95 % interval is within this: 0.5% or 20us
    ///
    /// A share of the time, or a time. With several benchmarks each stops
    /// by itself.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_parser = units::precision)]
    #[arg(help_heading = "How much to measure")]
    pub precision: Option<tare_engine::Precision>,
    /// Also run this diagnoser, in separate processes after the timing
    ///
    /// For anything that disturbs times: `memory` counts allocations, in .NET
    /// `threading` lock contentions and `exceptions` exceptions.
    /// `tare help diagnosers` lists them. Several: `memory,profile`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME", value_delimiter = ',')]
    #[arg(help_heading = "How much to measure")]
    pub diagnose: Vec<String>,
    #[command(flatten)]
    pub watched: WatchedArgs,
    /// Say what the times consist of, as `tare why` does
    #[arg(long, hide = true)]
    pub why: bool,
    /// Stop the run when a benchmark fails, instead of measuring the others
    #[arg(long, hide_short_help = true, help_heading = "How much to measure")]
    pub stop_on_error: bool,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    /// Resume a run that was stopped or killed
    #[arg(long, help_heading = "Output", value_name = "ID")]
    pub resume: Option<String>,
    #[command(flatten)]
    pub repeat: AgainArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub order: OrderArgs,
    #[command(flatten)]
    pub context: ContextArgs,
    /// Then let BenchmarkDotNet print and export what was measured
    ///
    /// The program's own `Main` runs once more, with the results: columns,
    /// exporters and what it does with its summary are as without Tare.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub as_benchmarkdotnet: bool,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, conflicts_with = "on", help_heading = "Output")]
    pub no_save: bool,
    /// Keep the folder of data made once per run, and print where it is
    #[arg(long, hide_short_help = true, conflicts_with = "on", help_heading = "Output")]
    pub keep: bool,
}

/// `library`, or `n=10`.
fn baseline(text: &str) -> Result<tare_engine::Baseline, String> {
    tare_engine::Baseline::of(text).ok_or_else(|| "name a benchmark, or write NAME=VALUE, such as 'n=10'".to_owned())
}

/// A stored run that is measured again.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Which benchmarks")]
pub struct AgainArgs {
    /// Measure a stored run again, with the same command
    ///
    /// Flags given here replace those of the run.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "RUN")]
    pub again: Option<String>,
    /// Measure only what that run left undecided
    #[arg(long, hide_short_help = true, requires = "again", conflicts_with = "filter")]
    pub unclear: bool,
}
