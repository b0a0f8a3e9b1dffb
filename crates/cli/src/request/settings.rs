//! What a command that builds, measures or compares does: from the command line, then from `tare.toml`, then as usual, resolved once.
//! All code behind it is handed this value and asks neither again.

use super::timed::Timed;
use super::Amount;
use crate::args::SavedArgs;
use crate::cluster::Cluster;
use crate::diagnose::Looks;
use crate::jobs::WantedJobs;
use crate::output::Forms;
use crate::recording::Recorded;
use crate::renames::Renames;
use std::path::{Path, PathBuf};
use tare_analysis::gate::Gate;
use tare_analysis::RowOrder;
use tare_build::toolchain::BuildOptions;
use tare_engine::{Baseline, Selection};
use tare_model::Request;

#[derive(Debug, Default)]
pub struct Settings {
    pub request: Request,
    /// What is built; empty where all that the project has is meant.
    pub paths: Vec<PathBuf>,
    /// A program with its arguments, or what stands behind `--`.
    pub command: Vec<String>,
    /// Of a comparison and of a bisection.
    pub base: Option<String>,
    pub new: Option<String>,
    pub benchmarks_from: Option<String>,
    /// What makes the files that git ignores on each side, and the folder of the project in which it runs.
    pub prepare: Option<(String, PathBuf)>,
    pub timed: Timed,
    /// Watched beside what is built.
    pub also: Vec<PathBuf>,
    pub selection: Selection,
    pub renames: Renames,
    pub baseline: Option<Baseline>,
    pub amount: Amount,
    /// Every body runs once, and nothing is measured.
    pub is_dry: bool,
    pub looks: Looks,
    /// The jobs are set over it.
    pub build: BuildOptions,
    pub jobs: WantedJobs,
    pub saved: SavedArgs,
    /// A bisection is about what made it faster, not slower.
    pub faster: bool,
    pub first_parent: bool,
    pub gate: Gate,
    pub cluster: Option<Cluster>,
    pub recorded: Recorded,
    /// The stored run that goes on.
    pub resume: Option<String>,
    pub forms: Forms,
    pub order: RowOrder,
    /// Changes of each verdict that are shown.
    pub top: Option<usize>,
}

impl Settings {
    /// Whether neither a path nor a program is named.
    pub fn is_of_project(&self) -> bool {
        self.paths.is_empty() && self.command.is_empty() && self.build.discover.statements.is_none()
    }

    /// Where to look for benchmarks.
    pub fn places(&self) -> Vec<PathBuf> {
        match self.is_of_project() {
            true => vec![PathBuf::from(".")],
            false => self.paths.clone(),
        }
    }

    /// The folder whose revision belongs to what is measured.
    pub fn code(&self) -> &Path {
        code_of(&self.paths)
    }
}

/// The folder that the first path is, or is in.
pub fn code_of(paths: &[PathBuf]) -> &Path {
    match paths.first() {
        Some(path) if path.is_dir() => path,
        Some(path) => path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        None => Path::new("."),
    }
}
