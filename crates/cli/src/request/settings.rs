//! The resolved settings of a command that builds, measures or compares: from the command line, then `tare.toml`, then defaults. Later code
//! uses only this value.

use super::timed::Timed;
use crate::args::SavedArgs;
use crate::cluster::Cluster;
use crate::diagnose::Diagnosing;
use crate::jobs::WantedJobs;
use crate::output::Forms;
use crate::recording::Recorded;
use crate::renames::Renames;
use std::path::{Path, PathBuf};
use tare_analysis::gate::Gate;
use tare_analysis::RowOrder;
use tare_build::toolchain::BuildOptions;
use tare_engine::{Amount, Baseline, Selection};
use tare_model::CommandLine;

#[derive(Debug, Default)]
pub struct Settings {
    pub request: CommandLine,
    /// What to build; empty for everything in the project.
    pub paths: Vec<PathBuf>,
    /// A program with its arguments, or the words after `--`.
    pub command: Vec<String>,
    /// For comparisons and bisections.
    pub base: Option<String>,
    pub new: Option<String>,
    pub benchmarks_from: Option<String>,
    /// The command that generates the git-ignored files of each side, and its folder in the project.
    pub prepare: Option<(String, PathBuf)>,
    pub timed: Timed,
    /// Watched in addition to the sources.
    pub also: Vec<PathBuf>,
    pub selection: Selection,
    pub renames: Renames,
    pub baseline: Option<Baseline>,
    pub amount: Amount,
    /// Run every body once without measuring.
    pub is_dry: bool,
    pub diagnosing: Diagnosing,
    /// The base of the jobs.
    pub build: BuildOptions,
    pub jobs: WantedJobs,
    pub saved: SavedArgs,
    /// The bisection looks for a speed-up, not a slowdown.
    pub faster: bool,
    pub first_parent: bool,
    pub gate: Gate,
    pub cluster: Option<Cluster>,
    pub recorded: Recorded,
    pub resume: Option<String>,
    pub forms: Forms,
    pub order: RowOrder,
    /// Number of changes shown per verdict.
    pub top: Option<usize>,
}

impl Settings {
    /// Whether neither a path nor a program is named.
    pub fn is_of_project(&self) -> bool {
        self.paths.is_empty() && self.command.is_empty() && self.build.discover.statements.is_none()
    }

    pub fn places(&self) -> Vec<PathBuf> {
        match self.is_of_project() {
            true => vec![PathBuf::from(".")],
            false => self.paths.clone(),
        }
    }

    /// The folder whose revision is recorded.
    pub fn code(&self) -> &Path {
        code_of(&self.paths)
    }
}

/// The first path or its folder.
pub fn code_of(paths: &[PathBuf]) -> &Path {
    match paths.first() {
        Some(path) if path.is_dir() => path,
        Some(path) => path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        None => Path::new("."),
    }
}
