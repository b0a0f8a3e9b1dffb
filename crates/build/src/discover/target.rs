//! Targets: what a toolchain can build.

pub use crate::languages::Language;
pub use crate::projects::{ProjectTarget, ProjectTool};
use std::path::{Path, PathBuf};
use tare_model::Artifact;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetKind {
    File,
    /// A target of a project, built by the project's own tool; it may give several artifacts.
    Project(ProjectTarget),
    Program,
    /// Statements of a language, each of which is a benchmark.
    Statements(Statements),
    Command {
        words: Vec<String>,
    },
}

/// Statements from the command line, instead of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statements {
    pub language: Language,
    /// Their texts; the first is the baseline.
    pub code: Vec<String>,
    pub set_up: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Short name for people, unique in a list of targets.
    pub name: String,
    pub kind: TargetKind,
    /// The source file, the program, or the project's folder; absolute.
    pub path: PathBuf,
    /// Language of the source; for a project with several, the first.
    pub language: Language,
}

impl Target {
    pub fn project(&self) -> Option<&ProjectTarget> {
        match &self.kind {
            TargetKind::Project(project) => Some(project),
            _ => None,
        }
    }
}

impl Target {
    pub(crate) fn artifact(&self, toolchain: &str, command: Vec<String>, directory: &Path, hash: String) -> Artifact {
        Artifact {
            name: self.name.clone(),
            language: self.language.name().to_owned(),
            toolchain: toolchain.to_owned(),
            command,
            directory: directory.to_string_lossy().into_owned(),
            hash,
            ..Artifact::default()
        }
    }
}

impl ProjectTarget {
    /// Whether it means all targets of the project, which are known only once it is configured.
    pub fn is_whole(&self) -> bool {
        self.name.is_empty()
    }
}

/// Something that looks like benchmarks, but not ones that Tare runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub name: String,
    pub bench: String,
    pub why: String,
    pub instead: String,
    /// The language and the program that this machine lacks for it, `Go (no `go`)`; None: nothing is missing.
    pub missing: Option<String>,
}

impl Skipped {
    /// Whether its benchmarks are written for another tool and can be moved; otherwise they need a feature, a tag or the like.
    pub fn is_of_another_tool(&self) -> bool {
        !self.why.starts_with("needs")
    }

    pub(super) fn package(&self) -> &str {
        self.name.strip_suffix(&self.bench).map_or("", |rest| rest.trim_end_matches('/'))
    }
}

pub(crate) const ELSEWHERE: &str = "run it on its own; `tare compare OLD.json NEW.json` compares its results";
