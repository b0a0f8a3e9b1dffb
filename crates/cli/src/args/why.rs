//! `tare why`.

use super::{
    AgainArgs, BuildArgs, ClusterArgs, CompareArgs, ContextArgs, EffortArgs, GateArgs, OrderArgs, OutputArgs, RunArgs,
    SelectArgs, WatchedArgs,
};
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

/// `tare why`.
#[derive(Debug, Clone, Args)]
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
    /// Which.
    #[command(flatten)]
    pub select: SelectArgs,
    /// A benchmark that was renamed (repeatable)
    #[arg(long, value_name = "OLD=NEW", help_heading = "Which benchmarks")]
    pub rename: Vec<String>,
    /// How long; quick, unless another amount is asked for.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Also run this diagnoser, beside those that `tare why` runs
    #[arg(long, hide_short_help = true, value_name = "NAME", value_delimiter = ',')]
    #[arg(help_heading = "How much to measure")]
    pub diagnose: Vec<String>,
    /// Build and run under this job; of one source, compare several
    #[arg(long, hide_short_help = true, value_name = "JOB", allow_hyphen_values = true, help_heading = "How to build")]
    pub job: Vec<String>,
    /// How to build.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Code layouts to link for each program [default: 8]
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true, value_parser = units::whole(1_u32..=64), help_heading = "How to build")]
    pub layouts: Option<u32>,
    /// Copy these benchmarks over both sides: worktree, a revision, a folder
    #[arg(long, hide_short_help = true, value_name = "FROM", help_heading = "How to build")]
    pub benchmarks_from: Option<String>,
    /// What is shown and written of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Do not store the run in `.tare/`
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub no_save: bool,
}

impl WhyArgs {
    /// The same as a comparison of two sides.
    pub fn of_sides(&self) -> CompareArgs {
        let mut select = self.select.clone();
        select.filter.extend(self.case.clone());
        CompareArgs {
            base: Some(self.base.clone()),
            new: self.new.clone(),
            paths: self.paths.clone(),
            why_all: self.case.is_some() || !self.select.filter.is_empty(),
            select,
            rename: self.rename.clone(),
            usual_renames: Vec::new(),
            effort: self.effort.quick_unless_asked(),
            diagnose: self.diagnose.clone(),
            watched: WatchedArgs::default(),
            why: true,
            cluster: ClusterArgs::default(),
            build: self.build.clone(),
            layouts: self.layouts,
            benchmarks_from: self.benchmarks_from.clone(),
            saved: super::compare::SavedArgs { job: self.job.first().cloned(), ..Default::default() },
            gate: GateArgs::default(),
            resume: None,
            repeat: AgainArgs::default(),
            output: self.output.clone(),
            top: None,
            no_save: self.no_save,
        }
    }

    /// The same as a run of one source, of which the second word names a benchmark.
    pub fn of_one(&self) -> RunArgs {
        let mut select = self.select.clone();
        select.filter.extend(self.new.clone());
        RunArgs {
            paths: vec![PathBuf::from(&self.base)],
            command: Vec::new(),
            python: Vec::new(),
            set_up: Vec::new(),
            select,
            job: self.job.clone(),
            runtimes: Vec::new(),
            jobs_folder: PathBuf::new(),
            baseline: None,
            dry: false,
            choose: false,
            effort: self.effort.quick_unless_asked(),
            precision: None,
            diagnose: self.diagnose.clone(),
            watched: WatchedArgs::default(),
            why: true,
            stop_on_error: false,
            cluster: ClusterArgs::default(),
            build: self.build.clone(),
            gate: GateArgs::default(),
            resume: None,
            repeat: AgainArgs::default(),
            output: self.output.clone(),
            order: OrderArgs { order: super::show::OrderArg::Declared },
            context: ContextArgs::default(),
            as_benchmarkdotnet: false,
            no_save: self.no_save,
            keep: false,
        }
    }
}
