//! What was typed, and nothing more: no file is looked at and nothing is decided here. `request` makes sense of it.

mod bisect;
mod build;
mod compare;
mod doctor;
mod format;
mod history;
mod show;
mod time;
mod watch;

pub use bisect::BisectArgs;
pub use build::BuildArgs;
pub use compare::{BaselineArgs, BaselineVerb, CompareArgs, GateArgs, TimeKind};
pub use doctor::DoctorArgs;
pub use format::{OutputArgs, OutputFiles};
pub use history::{HistoryArgs, HistoryShowArgs, HistoryVerb, KeepText};
pub use show::{OrderArgs, OutliersArg, ShowArgs};
pub use time::{SurroundingArgs, TimeArgs};
pub use watch::WatchArgs;

use crate::console::ColorChoice;
use crate::units;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use tare_engine::LAUNCHES_MAX;

/// `--rounds` at most.
pub const ROUNDS_MAX: u32 = 10_000;

const EXAMPLES: &str = "\
Examples:
  tare run bench.cpp                    build a file and measure its benchmarks
  tare run . --filter 'parse*' --quick  a folder or project, some benchmarks, quickly
  tare run a.cpp b.rs                   two languages in one table
  tare time 'sort big' 'sort -u big'    whole commands
  tare compare main                     a git revision against the working tree
  tare bisect v1.2 HEAD                 the commit that made it slower
  tare show latest -v                   the last run again, with full statistics
  tare help glossary                    the terms that tare uses";

const TEMPLATE: &str = "\
{about}

{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// Tare measures how long code takes, in any language, and says what can be concluded.
#[derive(Debug, Parser)]
#[command(name = "tare", version, before_help = EXAMPLES, help_template = TEMPLATE, disable_help_subcommand = true)]
#[command(arg_required_else_help = true, term_width = 80)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// How much is printed, and how.
    #[command(flatten)]
    pub talk: Talk,
}

/// How much is printed, and how.
#[derive(Debug, Args)]
pub struct Talk {
    /// More detail: launches, stages, full statistics
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,
    /// Only verdicts, failures and findings
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
    /// Colours: auto (respects NO_COLOR and CLICOLOR_FORCE), always, never
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub color: ColorChoice,
    /// Print ASCII characters only (machine-readable files are not changed)
    #[arg(long, global = true, hide_short_help = true, help_heading = "Output")]
    pub ascii: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build and measure benchmarks, and say what can be concluded
    #[command(before_help = RUN_EXAMPLES, help_template = TEMPLATE)]
    Run(Box<RunArgs>),
    /// Measure and compare whole commands
    #[command(before_help = time::EXAMPLES, help_template = TEMPLATE)]
    Time(Box<TimeArgs>),
    /// Compare two revisions, folders, programs, runs or result files
    #[command(before_help = compare::EXAMPLES, before_long_help = compare::ALL_EXAMPLES, help_template = TEMPLATE)]
    Compare(Box<CompareArgs>),
    /// Find the commit that made a benchmark slower
    #[command(before_help = bisect::EXAMPLES, help_template = TEMPLATE)]
    Bisect(Box<BisectArgs>),
    /// Measure again whenever a source changes, and compare
    #[command(before_help = watch::EXAMPLES, help_template = TEMPLATE)]
    Watch(Box<WatchArgs>),
    /// Name runs, to compare with them later
    Baseline(BaselineArgs),
    /// Build and list benchmarks without measuring them
    List(Box<ListArgs>),
    /// Show a stored run again
    #[command(before_help = show::EXAMPLES, help_template = TEMPLATE)]
    Show(ShowArgs),
    /// List stored runs, newest first
    Runs(RunsArgs),
    /// Show how results changed over the runs of this project
    #[command(before_help = history::EXAMPLES, help_template = TEMPLATE)]
    History(Box<HistoryArgs>),
    /// Merge runs of the same programs into one
    #[command(before_help = MERGE_EXAMPLES, help_template = TEMPLATE)]
    Merge(MergeArgs),
    /// Delete old stored runs and cached builds
    Clean(CleanArgs),
    /// Check whether this machine is fit to measure on
    #[command(before_help = doctor::EXAMPLES, help_template = TEMPLATE)]
    Doctor(DoctorArgs),
    /// Test a program against the rules of the protocol
    #[command(before_help = CONFORMANCE_EXAMPLES, help_template = TEMPLATE)]
    Conformance(ConformanceArgs),
    /// Explain a command or a topic
    Help(HelpArgs),
}

const RUN_EXAMPLES: &str = "\
Examples:
  tare run bench.cpp
  tare run . --filter 'sort/*[n=1000*]' --exclude '*slow*'
  tare run bench.cpp --job 'g++ -O2' --job 'clang++ -O3'  side by side
  tare run -- python3 bench.py          any program that speaks the protocol
  tare run bench.cpp -o result.md -o result.csv";

const MERGE_EXAMPLES: &str = "\
Examples:
  tare merge latest~1 latest
  tare merge machine-a/run.json machine-b/run.json -o all.md";

const CONFORMANCE_EXAMPLES: &str = "\
Examples:
  tare conformance ./my-bench
  tare conformance -- python3 bench.py --fast";

/// Which benchmarks.
#[derive(Debug, Args)]
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
    /// Every benchmark is in one of the parts, on every machine in the same
    /// one, together with those that it is compared with.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "K/N")]
    pub shard: Option<tare_engine::Shard>,
}

/// `tare run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Files, folders, projects or programs [default: the current folder]
    ///
    /// Sources (.c .cpp .rs .cs), Cargo, CMake or .NET projects, programs.
    pub paths: Vec<PathBuf>,
    /// A program that speaks the protocol, with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// A way to build and run: -O3, clang++, jemalloc, 'x: A=1'
    ///
    /// Repeat the flag: each benchmark is measured under every job, in the
    /// same waves, and compared with itself under the first. A job is the
    /// name of one in `tare.toml`, or flags, a compiler, an allocator,
    /// NAME=VALUE; with `NAME: ` before it has a name. See `tare help jobs`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Vec<String>,
    /// .NET runtimes to compare: 8.0,net9.0,mono; all: every installed one
    ///
    /// Short for one `--job dotnet=VERSION` each: every benchmark is measured
    /// under all of them, and compared with itself under the first.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "VERSION", value_delimiter = ',', help_heading = "How to build")]
    pub runtimes: Vec<String>,
    /// Compare each benchmark with itself at this parameter value: 'n=10'
    ///
    /// With several jobs also `job=NAME`: compare with that one.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = compare::parameter, help_heading = "Which benchmarks", conflicts_with = "shard")]
    pub baseline: Option<tare_model::Parameter>,
    /// Run every body once, and measure nothing
    ///
    /// Shows what each returned. The exit code is 0 if all of them ran, and
    /// 100 if one failed.
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = "How much to measure", conflicts_with_all = MEASURES)]
    pub dry: bool,
    /// Ask which of the benchmarks, on a terminal
    #[arg(long, hide_short_help = true, help_heading = "Which benchmarks", conflicts_with = "shard")]
    pub choose: bool,
    /// How long.
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
    /// For what would disturb the times: `memory` counts allocations.
    /// The front end says which diagnosers it has. Repeat for several.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME", help_heading = "How much to measure")]
    pub diagnose: Vec<String>,
    /// Stop the run when a benchmark fails, instead of measuring the others
    #[arg(long, hide_short_help = true, help_heading = "How much to measure")]
    pub stop_on_error: bool,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// What must not happen.
    #[command(flatten)]
    pub gate: GateArgs,
    /// Resume a run that was stopped or killed
    #[arg(long, help_heading = "Output", value_name = "ID", conflicts_with_all = ["paths", "command", "filter", "exclude", "category", "all_categories", "exclude_category", "shard", "param", "baseline", "no_save", "diagnose", "choose", "job", "runtimes", "dry"])]
    #[arg(conflicts_with_all = FIXED_BY_A_RUN, conflicts_with = "precision")]
    pub resume: Option<String>,
    /// What is shown and written of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Of its rows.
    #[command(flatten)]
    pub order: OrderArgs,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub no_save: bool,
    /// Keep the folder of what was made once per run, and say where it is
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub keep: bool,
}

/// What a run that is resumed has fixed already.
const FIXED_BY_A_RUN: [&str; 14] = [
    "quick",
    "preset",
    "long",
    "budget",
    "timeout",
    "min_effect",
    "launches",
    "rounds",
    "invocations",
    "memory_randomization",
    "cpu",
    "wall",
    "keep_order",
    "seed",
];

/// What is about measurements, which a dry run has none of.
const MEASURES: [&str; 21] = [
    "quick",
    "preset",
    "long",
    "budget",
    "min_effect",
    "launches",
    "rounds",
    "invocations",
    "cpu",
    "wall",
    "precision",
    "diagnose",
    "fail_on",
    "output",
    "format",
    "stop_on_error",
    "template",
    "job_summary",
    "memory_randomization",
    "keep_order",
    "no_save",
];

/// How much to measure.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct EffortArgs {
    /// Faster, less certain
    ///
    /// About 0.2 s per case; 1.5 s per benchmark in `tare compare`.
    #[arg(long, conflicts_with = "long")]
    pub quick: bool,
    /// Slower, more certain: until every verdict is clear
    ///
    /// Up to 16 waves, and longer ones.
    #[arg(long)]
    pub long: bool,
    /// An amount of measuring by its name: one of `tare.toml`
    ///
    /// `[presets.NAME]` sets what the flags below set; flags win. `quick`,
    /// `default` and `long` are built in.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "NAME", conflicts_with_all = ["quick", "long"])]
    pub preset: Option<String>,
    /// Stop after this time, such as 2min or 5s/case
    ///
    /// Benchmarks that did not start by then are listed as not measured.
    /// With `/case`, the time that one case does not need goes to others.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "TIME", value_parser = units::budget)]
    pub budget: Option<tare_engine::Budget>,
    /// Longest wait for a reply from a program, such as 30s [default: 60s]
    #[arg(long, hide_short_help = true, value_name = "DURATION", value_parser = units::seconds)]
    pub timeout: Option<f64>,
    /// Smallest change that matters [default: 1%]
    ///
    /// Smaller ones are never called faster or slower.
    #[arg(long, value_name = "PERCENT", value_parser = units::share)]
    pub min_effect: Option<f64>,
    /// Launches of each case, rounded up to fill waves
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(LAUNCHES_MAX)))]
    pub launches: Option<u32>,
    /// Visits per launch
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(ROUNDS_MAX)))]
    pub rounds: Option<u32>,
    /// Invocations per visit, instead of finding a suitable number
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub invocations: Option<u64>,
    /// Measure each visit elsewhere in memory: shows what placement does
    ///
    /// Before each visit the clean-up runs, blocks of random size are
    /// allocated and the set-up runs again. A finding lists the times.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true)]
    pub memory_randomization: bool,
    /// Pin single-threaded bodies to this processor [default: least shared]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4095))]
    pub cpu: Option<u32>,
    /// Show wall-clock times instead of times at the reference clock
    #[arg(long, hide_short_help = true)]
    pub wall: bool,
    /// Start benchmarks in the order of the table, not in a random one
    ///
    /// What is compared is measured in turn in any case.
    #[arg(long, hide_short_help = true)]
    pub keep_order: bool,
    /// Random seed, to repeat a run
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = units::seed)]
    pub seed: Option<u64>,
}

/// `tare list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Files, folders, projects or programs [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// A program that speaks the protocol, with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// List what each job builds (repeatable)
    ///
    /// As in `tare run`: the name of a job in `tare.toml`, flags, a compiler.
    /// With several, `@JOB` stands behind each name, as `--filter` takes it.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Vec<String>,
    /// Print a tree of programs, groups and names
    #[arg(long, help_heading = "Output")]
    pub tree: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "tree", help_heading = "Output")]
    pub json: bool,
    /// Longest wait for a reply from a program, such as 30s [default: 60s]
    #[arg(long, hide_short_help = true, value_name = "DURATION", value_parser = units::seconds)]
    pub timeout: Option<f64>,
}

/// `tare runs`.
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// `tare merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Two or more runs: starts of ids, `latest`, baselines or paths
    ///
    /// They must be finished, have the same programs, benchmarks, jobs and
    /// rules, and a fixed number of launches (`--launches`). The result is
    /// stored as a new run; every launch keeps its environment.
    #[arg(verbatim_doc_comment)]
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    pub runs: Vec<String>,
    /// What is shown and written of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Of its rows.
    #[command(flatten)]
    pub order: OrderArgs,
}

/// `tare clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Number of newest runs to keep
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub keep: usize,
    /// Days to keep unused cached builds
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub unused: u32,
}

/// `tare conformance`.
#[derive(Debug, Args)]
pub struct ConformanceArgs {
    /// Leave out the scenes with many measurements, which take seconds
    #[arg(long)]
    pub quick: bool,

    /// The program with its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// `tare help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command, a finding's code, or a topic; `tare help` lists the topics
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}
