use super::repository::branch_in;
use crate::toolchain::cache::CacheError;
use crate::toolchain::shell_word;
use std::path::Path;
use tare_model::text::{edit_distance, slips_in};
use thiserror::Error;

/// Why the files of a revision cannot be obtained, in one line.
#[derive(Debug, Clone, Error)]
#[error("{text}")]
pub struct RevisionError {
    pub why: Why,
    text: String,
    hint: String,
}

/// Which errors callers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// What the user wrote means nothing here.
    Usage,
    /// No such branch, tag or commit.
    Unknown,
    NotARepository,
    /// The revision lacks a file that the working tree has.
    OfToday,
    /// The machine or the clone lacks something.
    SetUp,
}

impl RevisionError {
    pub(super) fn new(why: Why, text: impl Into<String>, hint: impl Into<String>) -> RevisionError {
        RevisionError { why, text: text.into(), hint: hint.into() }
    }

    pub fn hint(&self) -> String {
        self.hint.clone()
    }

    pub fn git_missing() -> RevisionError {
        RevisionError::new(Why::SetUp, "`git` was not found on the PATH", "install it: `apt install git`")
    }

    pub(super) fn not_a_repository(folder: &Path) -> RevisionError {
        let hint = "revisions are looked up in the git repository of the current folder; files, folders and saved runs can be compared \
                    anywhere: `tare compare OLD NEW`";
        RevisionError::new(Why::NotARepository, format!("`{}` is not in a git repository", folder.display()), hint)
    }

    /// Any other failure of git; `said` is its last output.
    pub(super) fn of_git(command: &str, status: &str, said: &str) -> RevisionError {
        let hint = "check the repository: `git status`, `git fsck`";
        RevisionError::new(Why::SetUp, format!("`{command}` failed: {status}: {said}"), hint)
    }

    /// `shallow_from`: the remote of a shallow clone, which may have the missing commits.
    pub(super) fn unknown(
        revision: &str,
        root: &Path,
        nearest: &[String],
        shallow_from: Option<&str>,
    ) -> RevisionError {
        let text = format!("`{revision}` is not a revision of `{}`", root.display());
        RevisionError::new(Why::Unknown, text, unknown_hint(revision, nearest, shallow_from))
    }

    /// For callers that need the history too, which a shallow clone of this remote lacks.
    pub(super) fn with_history(self, remote: &str) -> RevisionError {
        let hint = format!(
            "this clone is shallow: `git fetch --unshallow --tags {remote} '+refs/heads/*:refs/remotes/{remote}/*'` fetches all commits and names"
        );
        RevisionError { hint, ..self }
    }
}

impl From<CacheError> for RevisionError {
    fn from(error: CacheError) -> RevisionError {
        RevisionError::new(Why::SetUp, error.to_string(), error.hint())
    }
}

/// Git's name of the commit that is checked out.
const HEAD: &str = "HEAD";

pub(super) fn is_slip(wanted: &str, name: &str) -> bool {
    let wanted = wanted.to_lowercase();
    wanted.chars().count() > 2 && edit_distance(&wanted, &name.to_lowercase()) <= slips_in(&wanted)
}

fn unknown_hint(revision: &str, nearest: &[String], shallow_from: Option<&str>) -> String {
    let mut hints = Vec::new();
    if let Some((base, new)) = revision.split_once("..") {
        let [base, new] = [base, new.trim_start_matches('.')].map(|side| if side.is_empty() { HEAD } else { side });
        return format!("write two revisions as two arguments: `tare compare {base} {new}`");
    }
    if let Some(remote) = shallow_from {
        let branch = branch_in(revision);
        // `HEAD~3` and abbreviated commits are not branches.
        let is_of_commits = ["", HEAD].contains(&branch) || branch.bytes().all(|byte| byte.is_ascii_hexdigit());
        let fetch = match is_of_commits {
            true => "`git fetch --unshallow` fetches the older commits".to_owned(),
            false => {
                let target = shell_word(format!("{branch}:refs/remotes/{remote}/{branch}"));
                let whole = if branch == revision { "--depth=1" } else { "--unshallow" };
                format!("`git fetch {whole} {remote} {target}` fetches it")
            }
        };
        hints.push(format!(
            "this clone is shallow: {fetch} (in GitHub Actions `fetch-depth: 0`, in GitLab CI `GIT_DEPTH: 0`)"
        ));
    }
    if !nearest.is_empty() && branch_in(revision) != HEAD && is_slip(branch_in(revision), HEAD) {
        hints.push(format!("did you mean `{HEAD}{}`", &revision[branch_in(revision).len()..]));
    }
    match nearest {
        [] => hints.push("the repository has no branch or tag yet: `git commit` creates the first revision".to_owned()),
        names => {
            let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            hints.push(format!("known here: {}; `git branch --all` and `git tag` list all", list.join(", ")));
        }
    }
    hints.join("; ")
}
