//! What was typed, and nothing more: no file is looked at and nothing is decided here. `request` makes sense of it.

mod compare;
mod doctor;

pub use compare::{BaselineArgs, BaselineVerb, CompareArgs, GateArgs, TimeKind};
pub use doctor::DoctorArgs;

use crate::console::ColorChoice;
use crate::units;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tare_host::discover::{Features, Wanted};

const EXAMPLES: &str = "\
Examples:
  tare run bench.cpp                       build a file, measure what is in it
  tare run . --filter 'parse*' --quick     a folder or project, some benchmarks, a fast answer
  tare run a.cpp b.rs                      two languages in one table
  tare compare main                        a git revision against the files as they are
  tare show latest -v                      the last run again, with all its statistics
  tare help glossary                       what the words mean";

const TEMPLATE: &str = "\
{about}

{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// Tare measures how long code takes, in whatever language it is written, and says what can be concluded.
#[derive(Debug, Parser)]
#[command(name = "tare", version, before_help = EXAMPLES, help_template = TEMPLATE, disable_help_subcommand = true)]
#[command(arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How to talk.
    #[command(flatten)]
    pub talk: Talk,
}

/// How to talk.
#[derive(Debug, Args)]
pub struct Talk {
    /// Say more: launches, stages, the full statistics with histogram
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,
    /// Say less: verdicts, failures and findings alone
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
    /// Colours: auto, always or never; NO_COLOR and CLICOLOR_FORCE count too
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub color: ColorChoice,
    /// Use ASCII characters alone (files for programs keep their bytes)
    #[arg(long, global = true, help_heading = "Output")]
    pub ascii: bool,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build, measure, and say what can be concluded
    #[command(before_help = RUN_EXAMPLES, help_template = TEMPLATE)]
    Run(Box<RunArgs>),
    /// Compare two revisions, folders, programs, runs or files
    #[command(before_help = compare::EXAMPLES, help_template = TEMPLATE)]
    Compare(Box<CompareArgs>),
    /// Give runs a name, to compare with them later
    Baseline(BaselineArgs),
    /// Build, and list the benchmarks without measuring them
    List(Box<ListArgs>),
    /// Show a stored run again
    #[command(before_help = SHOW_EXAMPLES, help_template = TEMPLATE)]
    Show(ShowArgs),
    /// List the stored runs, the newest first
    Runs(RunsArgs),
    /// Drop old stored runs and built programs
    Clean(CleanArgs),
    /// Say what makes this machine unfit to measure on, and what it can decide
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
  tare run bench.cpp --long --precision 0.2%
  tare run bench.cpp --cxx clang++ --flags '-O3 -march=native'
  tare run bench.cpp -o result.md -o result.csv";

const SHOW_EXAMPLES: &str = "\
Examples:
  tare show latest -v
  tare show 7f3a --md
  tare show latest~1 --measurements > visits.csv
  tare show /backup/run.json";

const CONFORMANCE_EXAMPLES: &str = "\
Examples:
  tare conformance ./my-bench
  tare conformance -- python3 bench.py --fast";

/// Which benchmarks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which benchmarks")]
pub struct SelectArgs {
    /// Only these: a part of `group/name[param=value]`, or a glob over the whole of it; `*` also crosses `/`
    #[arg(long, short = 'f', value_name = "GLOB")]
    pub filter: Vec<String>,
    /// Not these
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Only those of this category
    #[arg(long, value_name = "NAME")]
    pub category: Vec<String>,
}

/// How to build.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to build")]
pub struct BuildArgs {
    /// C++ compiler, with leading arguments if need be [default: $CXX, g++, clang++, c++]
    #[arg(long, value_name = "PROGRAM")]
    pub cxx: Option<String>,
    /// C compiler [default: $CC, gcc, clang, cc]
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<String>,
    /// Words for the compiler after all others, such as '-O3 -march=native'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Leave the place of functions and loops to the compiler
    #[arg(long)]
    pub no_align: bool,
    /// Features of Cargo packages, with commas
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// All features of Cargo packages
    #[arg(long)]
    pub all_features: bool,
    /// Without the default features of Cargo packages
    #[arg(long)]
    pub no_default_features: bool,
    /// Profile of Cargo [default: bench]
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Only this package of a Cargo workspace; may be repeated
    #[arg(long, short, value_name = "NAME", help_heading = "Which benchmarks")]
    pub package: Vec<String>,
    /// Only this bench target of Cargo or executable of CMake; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Which benchmarks")]
    pub bench: Vec<String>,
}

impl BuildArgs {
    /// Which targets of projects, and how Cargo builds them.
    pub fn wanted(&self) -> Wanted {
        let features = Features {
            named: self.features.iter().flat_map(|f| f.split_whitespace()).map(str::to_owned).collect(),
            all: self.all_features,
            no_default: self.no_default_features,
        };
        Wanted { packages: self.package.clone(), benches: self.bench.clone(), features, profile: self.profile.clone() }
    }
}

/// `tare run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Files (.c .cpp .rs), folders, projects or built programs [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// Compare each benchmark with itself at this value of a parameter, such as 'n=10'
    #[arg(long, value_name = "NAME=VALUE", value_parser = compare::parameter, help_heading = "Which benchmarks")]
    pub baseline: Option<tare_model::Parameter>,
    /// How long.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// What must not happen.
    #[command(flatten)]
    pub gate: GateArgs,
    /// Go on with a run that was stopped or killed
    #[arg(long, value_name = "ID", conflicts_with_all = ["paths", "filter", "exclude", "category", "baseline", "no_save"])]
    #[arg(conflicts_with_all = FIXED_BY_A_RUN)]
    pub resume: Option<String>,
    /// Form of the result on the standard output: table, md, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub format: Format,
    /// Also write a file; its ending says the form: .md .csv .json .txt .measurements.csv
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Vec<PathBuf>,
    /// Do not keep the run in `.tare/`
    #[arg(long, help_heading = "Output")]
    pub no_save: bool,
}

/// What a run that is taken up has said already.
const FIXED_BY_A_RUN: [&str; 13] = [
    "quick",
    "long",
    "budget",
    "precision",
    "timeout",
    "min_effect",
    "launches",
    "waves",
    "rounds",
    "invocations",
    "cpu",
    "wall",
    "seed",
];

/// How much to measure.
#[derive(Debug, Args)]
#[command(next_help_heading = "How much to measure")]
pub struct EffortArgs {
    /// A fast answer: about 0.2 s a case
    #[arg(long, conflicts_with = "long")]
    pub quick: bool,
    /// A sharp answer: up to 16 waves, and longer ones, until every verdict is clear
    #[arg(long)]
    pub long: bool,
    /// Stop after so long, such as 10s or 2min: what was not begun by then is named and not measured
    #[arg(long, value_name = "DURATION", value_parser = units::duration_s)]
    pub budget: Option<f64>,
    /// Stop when the 95 % interval is within this, such as 0.5%
    #[arg(long, value_name = "PERCENT", value_parser = units::share)]
    pub precision: Option<f64>,
    /// Longest wait for one answer of a program, such as 30s [default: 60s]
    #[arg(long, value_name = "DURATION", value_parser = units::seconds)]
    pub timeout: Option<f64>,
    /// Smallest change that is called faster or slower [default: 1%]
    #[arg(long, value_name = "PERCENT", value_parser = units::share)]
    pub min_effect: Option<f64>,
    /// Launches of each case; may be rounded up to fill waves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=112), conflicts_with = "waves")]
    pub launches: Option<u32>,
    /// Waves of each comparison
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub waves: Option<u32>,
    /// Visits of each launch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub rounds: Option<u32>,
    /// Invocations of a visit, instead of finding how many suit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub invocations: Option<u64>,
    /// Measure single-threaded bodies on this processor [default: where the core is shared least]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4095))]
    pub cpu: Option<u32>,
    /// Give times as the wall clock has them, not at the reference clock
    #[arg(long)]
    pub wall: bool,
    /// Seed of everything random, to repeat a run
    #[arg(long, value_name = "N", value_parser = units::seed)]
    pub seed: Option<u64>,
}

/// Form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The screen.
    Table,
    /// Markdown for GitHub.
    Md,
    /// One row a case.
    Csv,
    /// The report for programs.
    Json,
}

/// `tare list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Files, folders, projects or built programs [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// As a tree of programs, groups and names
    #[arg(long, help_heading = "Output")]
    pub tree: bool,
    /// For programs
    #[arg(long, conflicts_with = "tree", help_heading = "Output")]
    pub json: bool,
    /// Longest wait for one answer of a program, such as 30s [default: 60s]
    #[arg(long, value_name = "DURATION", value_parser = units::seconds)]
    pub timeout: Option<f64>,
}

/// `tare show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The beginning of an id, `latest`, `latest~N`, a baseline, or a path to a run.json or a run's folder
    #[arg(value_name = "RUN")]
    pub run: String,
    /// What must not happen.
    #[command(flatten)]
    pub gate: GateArgs,
    /// As Markdown
    #[arg(long, group = "form", help_heading = "Output")]
    pub md: bool,
    /// One row a case
    #[arg(long, group = "form", help_heading = "Output")]
    pub csv: bool,
    /// The report for programs
    #[arg(long, group = "form", help_heading = "Output")]
    pub json: bool,
    /// Every raw measurement as CSV, one row an iteration
    #[arg(long, group = "form", help_heading = "Output")]
    pub measurements: bool,
    /// Also write a file; its ending says the form: .md .csv .json .txt .measurements.csv
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Vec<PathBuf>,
}

/// `tare runs`.
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// For programs
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// `tare clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// How many of the newest runs to keep
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub keep: usize,
    /// Drop built programs that were not used for so many days
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub unused: u32,
}

/// `tare conformance`.
#[derive(Debug, Args)]
pub struct ConformanceArgs {
    /// The program with its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// `tare help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command, a finding's code, or a topic: glossary, findings, protocol, method, files, comparing, moving, ci, config, exit-codes
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}
