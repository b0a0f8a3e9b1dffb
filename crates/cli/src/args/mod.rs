//! What was typed, and nothing more: no file is looked at and nothing is decided here. `request` makes sense of it.

mod bisect;
mod build;
mod cluster;
mod compare;
mod context;
mod doctor;
mod effort;
mod format;
mod history;
mod init;
mod profile;
mod run;
mod show;
mod time;
mod watch;
mod why;

pub use bisect::BisectArgs;
pub use build::BuildArgs;
pub use cluster::ClusterArgs;
pub use compare::{BaselineArgs, BaselineVerb, CompareArgs, Direction, GateArgs, SavedArgs};
pub use context::ContextArgs;
pub use doctor::DoctorArgs;
pub use effort::EffortArgs;
pub use format::{OutputArgs, OutputFiles};
pub use history::{AcceptArgs, HistoryArgs, HistoryShowArgs, HistoryVerb, KeepText, RenameArgs};
pub use init::InitArgs;
pub use profile::{ProfileArgs, WatchedArgs};
pub use run::{AgainArgs, RunArgs, SelectArgs};
pub use show::{OrderArgs, ShowArgs};
pub use time::{SurroundingArgs, TimeArgs};
pub use watch::WatchArgs;
pub use why::WhyArgs;

use crate::console::ColorChoice;
use crate::units;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

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
    #[command(subcommand)]
    pub command: Command,
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

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a first benchmark, in any language
    #[command(before_help = init::EXAMPLES, help_template = TEMPLATE)]
    Init(InitArgs),
    /// Build and measure benchmarks, and say what can be concluded
    #[command(before_help = run::EXAMPLES, help_template = TEMPLATE)]
    Run(Box<RunArgs>),
    /// Measure and compare whole commands
    #[command(before_help = time::EXAMPLES, help_template = TEMPLATE)]
    Time(Box<TimeArgs>),
    /// Compare two revisions, folders, programs, runs or result files
    #[command(before_help = compare::EXAMPLES, help_template = TEMPLATE)]
    Compare(Box<CompareArgs>),
    /// Say what differs together with the times of two sides
    #[command(before_help = why::EXAMPLES, help_template = TEMPLATE)]
    Why(Box<WhyArgs>),
    /// Find the commit that made a benchmark slower
    #[command(before_help = bisect::EXAMPLES, help_template = TEMPLATE)]
    Bisect(Box<BisectArgs>),
    /// Measure again whenever a source changes, and compare
    #[command(before_help = watch::EXAMPLES, help_template = TEMPLATE)]
    Watch(Box<WatchArgs>),
    /// Show where the time of a benchmark goes
    #[command(before_help = profile::EXAMPLES, help_template = TEMPLATE)]
    Profile(Box<ProfileArgs>),
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
    /// Print a script with which a shell completes commands and flags
    #[command(before_help = COMPLETIONS_EXAMPLES, help_template = TEMPLATE)]
    Completions(CompletionsArgs),
    /// Explain a command or a topic
    Help(HelpArgs),
}

const MERGE_EXAMPLES: &str = "\
Examples:
  tare merge latest~1 latest
  tare merge machine-a/run.json machine-b/run.json -o all.md";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  source <(tare completions bash)                       in this shell
  tare completions bash > ~/.local/share/bash-completion/completions/tare
  tare completions zsh > ~/.zfunc/_tare                 with it in `fpath`
  tare completions fish > ~/.config/fish/completions/tare.fish
  tare completions powershell >> $PROFILE";

const CONFORMANCE_EXAMPLES: &str = "\
Examples:
  tare conformance ./my-bench
  tare conformance -- python3 bench.py --fast";

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Files, folders, projects or programs [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// A program that speaks the protocol, with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    /// List what each job builds (repeatable)
    ///
    /// As in `tare run`: the name of a job in `tare.toml`, flags, a compiler.
    /// With several, `@JOB` follows each name, as `--filter` takes it.
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

#[derive(Debug, Args)]
pub struct RunsArgs {
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

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
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub order: OrderArgs,
}

/// Runs that `tare clean` keeps by itself.
pub const KEPT_RUNS: usize = 50;
/// Days that it keeps unused cached builds.
pub const UNUSED_DAYS: u32 = 30;

#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Number of newest runs to keep
    #[arg(long, value_name = "N", default_value_t = KEPT_RUNS, allow_negative_numbers = true, value_parser = units::whole(0_usize..))]
    pub keep: usize,
    /// Days to keep unused cached builds
    #[arg(long, value_name = "DAYS", default_value_t = UNUSED_DAYS, allow_negative_numbers = true, value_parser = units::whole(0_u32..))]
    pub unused: u32,
}

#[derive(Debug, Args)]
pub struct ConformanceArgs {
    /// Leave out the scenes that take seconds or compare times
    #[arg(long)]
    pub quick: bool,

    /// The program with its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell, zsh
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command, a finding's code, or a topic; `tare help` lists the topics
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
    /// Write the manual pages to a folder, a page for each command
    #[arg(long, value_name = "FOLDER", conflicts_with = "topic")]
    pub man: Option<PathBuf>,
}
