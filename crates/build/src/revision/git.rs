//! Calls of git that never prompt, change or download anything.

use super::error::{RevisionError, Why};
use crate::toolchain::context::Variables;
use crate::toolchain::shell_word;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tare_process::files::path_of_bytes;
use tare_process::helper::{run, Done, Limits};

pub(super) const QUESTION: Limits = Limits { time: Duration::from_secs(30), bytes: 8 << 20 };
pub(super) const CHECKOUT: Limits = Limits { time: Duration::from_secs(600), bytes: 1 << 20 };

/// Variables with the user's own configuration of git. All other `GIT_` variables come from a hook or command that started tare, and would
/// lead to another repository or index.
const KEPT: [&str; 3] = ["GIT_CONFIG_", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"];

/// Settings of every call. Hooks, monitors and filters are programs that the repository chooses.
const SETTINGS: [&str; 15] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    "advice.detachedHead=false",
    "log.showSignature=false",
    "color.ui=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "core.sparseCheckout=false",
    "core.logAllRefUpdates=false",
];

pub(super) struct Sparse {
    pub(super) patterns: Vec<u8>,
    is_cone: bool,
}

pub(super) struct Git<'a> {
    variables: &'a Variables,
    program: PathBuf,
    folder: PathBuf,
}

impl<'a> Git<'a> {
    pub(super) fn find(variables: &'a Variables, folder: &Path) -> Result<Git<'a>, RevisionError> {
        let program = variables.find("git").ok_or_else(RevisionError::git_missing)?;
        Ok(Git { variables, program, folder: folder.to_owned() })
    }

    pub(super) fn at(&self, folder: &Path) -> Git<'a> {
        Git { variables: self.variables, program: self.program.clone(), folder: folder.to_owned() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn command<T: AsRef<OsStr>>(&self, words: &[T]) -> Command {
        let mut command = self.variables.command(&self.program);
        for name in self.variables.names_starting_with("GIT_") {
            if !KEPT.iter().any(|kept| name.to_string_lossy().starts_with(kept)) {
                command.env_remove(name);
            }
        }
        for (name, value) in [
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_LFS_SKIP_SMUDGE", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_PAGER", "cat"),
            ("GIT_ASKPASS", "true"),
        ] {
            command.env(name, value);
        }
        command.current_dir(&self.folder).arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(words);
        command
    }

    /// Runs git to its end, whether it succeeds or not.
    pub(super) fn run<T: AsRef<OsStr>>(&self, words: &[T], limits: Limits) -> Result<Done, RevisionError> {
        let done = run(&mut self.command(words), limits)
            .map_err(|e| RevisionError::of_git(&shown(words), "could not be started", &e.to_string()))?;
        match done.status.starts_with("stopped after") {
            true => {
                let hint = "check whether the disk is slow or the repository damaged: `git fsck`";
                Err(RevisionError::new(Why::SetUp, format!("`{}` was {}", shown(words), done.status), hint))
            }
            false => Ok(done),
        }
    }

    /// Output of git without the last line end.
    pub(super) fn text<T: AsRef<OsStr>>(&self, words: &[T], limits: Limits) -> Result<String, RevisionError> {
        let done = self.run(words, limits)?;
        match done.success {
            true => Ok(String::from_utf8_lossy(&done.stdout).trim_end_matches('\n').to_owned()),
            false => Err(self.failure(words, &done)),
        }
    }

    /// The paths that `git ls-files` lists with these words; none if it fails.
    pub(super) fn files(&self, words: &[&str]) -> Vec<PathBuf> {
        let listed = self.run(&[&["ls-files", "-z"], words].concat(), QUESTION).map(|done| done.stdout);
        let listed = listed.unwrap_or_default();
        listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of_bytes).collect()
    }

    /// Writes the files of a commit, or only those that match the patterns. Err: the failure, with the whole output of git.
    pub(super) fn checkout(&self, commit: &str, sparse: Option<&Sparse>) -> Result<(), (RevisionError, String)> {
        let cone = format!("core.sparseCheckoutCone={}", sparse.is_some_and(|sparse| sparse.is_cone));
        let settings = ["-c", "core.sparseCheckout=true", "-c", &cone];
        let settings = if sparse.is_some() { &settings[..] } else { &[] };
        let words = [settings, &["checkout", "--quiet", "--force", "--detach", commit]].concat();
        let done = self.run(&words, CHECKOUT).map_err(|failed| (failed, String::new()))?;
        match done.success {
            true => Ok(()),
            false => Err((self.failure(&words, &done), String::from_utf8_lossy(&done.stderr).into_owned())),
        }
    }

    pub(super) fn sparse(&self) -> Option<Sparse> {
        let has = |name| self.text(&["config", "--worktree", "--type=bool", "--get", name], QUESTION);
        let is_on = |name| has(name).is_ok_and(|value| value == "true");
        if !is_on("core.sparseCheckout") {
            return None;
        }
        let path = self.text(&["rev-parse", "--git-path", "info/sparse-checkout"], QUESTION).ok()?;
        let patterns = std::fs::read(self.folder.join(path)).ok()?;
        Some(Sparse { patterns, is_cone: is_on("core.sparseCheckoutCone") })
    }

    pub(super) fn failure<T: AsRef<OsStr>>(&self, words: &[T], done: &Done) -> RevisionError {
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let folder = &self.folder;
        if text.contains("dubious ownership") || text.contains("unsafe repository") {
            let root = text.split('\'').nth(1).map_or_else(|| folder.clone(), PathBuf::from);
            let text = format!("git does not trust the repository `{}`: it belongs to another user", root.display());
            let hint = format!("if you trust it: `git config --global --add safe.directory {}`", shell_word(root));
            return RevisionError::new(Why::SetUp, text, hint);
        }
        if text.contains("must be run in a work tree") {
            let hint = "run tare in a clone with a working tree: `git clone THIS FOLDER`";
            let text = format!("the git repository of `{}` has no working tree", folder.display());
            return RevisionError::new(Why::Usage, text, hint);
        }
        if text.contains("not a git repository") {
            return RevisionError::not_a_repository(folder);
        }
        let said = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        RevisionError::of_git(&shown(words), &done.status, said)
    }
}

fn shown<T: AsRef<OsStr>>(words: &[T]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    format!("git {}", words.join(" "))
}
