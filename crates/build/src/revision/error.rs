//! Why a revision cannot be used.

use super::names::is_slip;
use super::repository::branch_in;
use crate::toolchain::shell_word;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the files of a revision cannot be obtained. The text is one line; [`RevisionError::hint`] says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RevisionError {
    /// There is no git.
    #[error("`git` was not found on the PATH")]
    GitMissing,
    /// No repository is above the folder.
    #[error("`{}` is not in a git repository", .folder.display())]
    NotARepository {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A repository without files of its own.
    #[error("the git repository of `{}` has no working tree", .folder.display())]
    Bare {
        /// Where tare was started.
        folder: PathBuf,
    },
    /// Git refuses a repository of another user.
    #[error("git does not trust the repository `{}`: it belongs to another user", .root.display())]
    Untrusted { root: PathBuf },
    /// No branch, tag or commit is called so.
    #[error("`{revision}` is not a revision of `{}`", .root.display())]
    Unknown {
        revision: String,
        root: PathBuf,
        /// Branches and tags with similar names; else the newest.
        nearest: Vec<String>,
        /// Of a shallow clone, its remote: commits that are not here may be there.
        shallow_from: Option<Box<str>>,
        /// The commits up to it are wanted too.
        with_history: bool,
    },
    /// Several commits begin so.
    #[error("`{revision}` matches several commits")]
    AmbiguousCommit { revision: String },
    /// The revision lacks the file or folder.
    #[error("`{}` does not exist in `{revision}`", .path.display())]
    NoSuchPath {
        /// From the root of the repository.
        path: Box<Path>,
        revision: String,
        /// Files of the same name elsewhere in the revision.
        elsewhere: Vec<PathBuf>,
        /// It is inside this submodule.
        submodule: Option<PathBuf>,
        /// The working tree has it.
        is_today: bool,
    },
    /// A path that no revision of this repository can have.
    #[error("`{}` is outside the repository `{}`", .path.display(), .root.display())]
    Outside { path: PathBuf, root: PathBuf },
    /// Two revisions are one commit.
    #[error("`{good}` and `{bad}` are the same commit, {short}")]
    SameCommit {
        /// The older one, as it was given.
        good: String,
        /// The newer one, as it was given.
        bad: String,
        short: String,
    },
    /// The second revision does not contain the first.
    #[error("`{bad}` does not descend from `{good}`")]
    NotDescendant {
        /// The older one, as it was given.
        good: String,
        /// The newer one, as it was given.
        bad: String,
        /// It is the other way round.
        is_reversed: bool,
        /// Where both parted; None where they have no commit in common.
        common: Option<String>,
        /// Older commits are not there.
        shallow: bool,
    },
    /// More commits than can be searched.
    #[error("more than {most} commits lie between `{good}` and `{bad}`")]
    TooManyCommits {
        /// The older one, as it was given.
        good: String,
        /// The newer one, as it was given.
        bad: String,
        /// How many can be searched.
        most: usize,
    },
    /// Objects of the revision were never downloaded.
    #[error("the repository lacks files of `{revision}`: {reason}")]
    Incomplete {
        revision: String,
        /// What git said.
        reason: String,
    },
    /// Its files of Git LFS are pointers, and the user's have content.
    #[error("files of `{revision}` are pointers of Git LFS, whose content this clone lacks: {files}")]
    Pointers {
        revision: String,
        /// Some of them by name.
        files: String,
    },
    /// Git took too long.
    #[error("`{command}` was {status}")]
    Slow {
        command: String,
        /// How long it was waited for.
        status: String,
    },
    /// Git failed in a way that has no name here.
    #[error("`{command}` failed: {status}: {text}")]
    Git {
        command: String,
        status: String,
        /// What it said last.
        text: String,
    },
    /// Benchmarks cannot be laid over a revision.
    #[error("the benchmarks of `{from}` cannot be copied over `{revision}`: {reason}")]
    NotLaidOver {
        /// Where they are from.
        from: String,
        revision: String,
        reason: String,
    },
    /// Nothing to lay over a revision was found.
    #[error("`{from}` has no benchmark to copy over the revisions")]
    NoBenchmarks {
        /// Where it was looked for.
        from: String,
    },
    /// The folder of the checkouts cannot be used.
    #[error("{text}")]
    Cache {
        /// What failed, on what, and why.
        text: String,
        /// What to do about it.
        hint: String,
    },
}

impl RevisionError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            RevisionError::GitMissing => "install it: `apt install git`".to_owned(),
            RevisionError::NotARepository { .. } => {
                "revisions are looked up in the git repository of the current folder; files, folders and saved runs can be compared anywhere: `tare compare OLD NEW`"
                    .to_owned()
            }
            RevisionError::Bare { .. } => "run tare in a clone with a working tree: `git clone THIS FOLDER`".to_owned(),
            RevisionError::Untrusted { root } => {
                format!("if you trust it: `git config --global --add safe.directory {}`", shell_word(root))
            }
            RevisionError::Unknown { shallow_from: Some(remote), with_history: true, .. } => format!(
                "this clone is shallow: `git fetch --unshallow --tags {remote} '+refs/heads/*:refs/remotes/{remote}/*'` fetches all commits and names"
            ),
            RevisionError::Unknown { revision, nearest, shallow_from, .. } => {
                unknown_hint(revision, nearest, shallow_from.as_deref())
            }
            RevisionError::AmbiguousCommit { revision } => {
                format!("write more digits; `git rev-parse --disambiguate={revision}` lists the commits")
            }
            RevisionError::NoSuchPath { submodule: Some(submodule), .. } => {
                format!(
                    "it is in the submodule `{0}`, which your clone lacks: `git submodule update --init -- {0}`",
                    submodule.display()
                )
            }
            RevisionError::NoSuchPath { revision, elsewhere, path, .. } => match &elsewhere[..] {
                [] => format!("`git log --follow -- {}` shows when it was added; `git ls-tree {revision}` lists its files", shell_word(&**path)),
                some => {
                    let list: Vec<String> = some.iter().map(|p| format!("`{}`", p.display())).collect();
                    format!("it may be called {} there: compare the two folders instead", list.join(" or "))
                }
            },
            RevisionError::Outside { .. } => {
                "name files of the repository: only those can differ between two revisions".to_owned()
            }
            RevisionError::SameCommit { .. } => "name an older revision first and a newer one second".to_owned(),
            RevisionError::NotDescendant { good, bad, is_reversed: true, .. } => {
                format!("`{good}` is the newer one: `tare bisect {bad} {good}`")
            }
            RevisionError::NotDescendant { shallow: true, .. } => {
                "this clone is shallow, and the commits between may be missing: `git fetch --unshallow`".to_owned()
            }
            RevisionError::NotDescendant { bad, common: Some(common), .. } => {
                format!("both branched off at {common}: `tare bisect {common} {bad}`")
            }
            RevisionError::NotDescendant { good, bad, .. } => {
                format!("they have no commit in common; compare them: `tare compare {good} {bad}`")
            }
            RevisionError::TooManyCommits { bad, .. } => {
                format!("name a newer revision first, or search the main line alone: `--first-parent`; `git log --oneline {bad}` lists commits")
            }
            RevisionError::Incomplete { revision, .. } => {
                format!("tare never downloads: `git fetch --refetch --no-filter`, or `git archive {revision} > /dev/null`, fetches what is missing")
            }
            RevisionError::Pointers { revision, .. } => {
                format!("tare never downloads: `git lfs fetch origin {revision}` fetches them")
            }
            RevisionError::Slow { .. } => "check whether the disk is slow or the repository damaged: `git fsck`".to_owned(),
            RevisionError::Git { .. } => "check the repository: `git status`, `git fsck`".to_owned(),
            RevisionError::NotLaidOver { .. } => {
                "put benchmarks that build at that revision into a folder: `--benchmarks-from FOLDER`".to_owned()
            }
            RevisionError::NoBenchmarks { .. } => {
                "name the files or folders of the benchmarks, or another `--benchmarks-from`: `worktree`, a revision or a folder"
                    .to_owned()
            }
            RevisionError::Cache { hint, .. } => hint.clone(),
        }
    }
}

/// Git's own name of the commit that is checked out.
const HEAD: &str = "HEAD";

/// What to do about a name that git does not know. With the remote of a shallow clone: the commit may be there.
fn unknown_hint(revision: &str, nearest: &[String], shallow_from: Option<&str>) -> String {
    let mut hints = Vec::new();
    if let Some((base, new)) = revision.split_once("..") {
        let new = new.trim_start_matches('.');
        return format!(
            "write two revisions as two arguments: `tare compare {base} {}`",
            if new.is_empty() { "HEAD" } else { new }
        );
    }
    if let Some(remote) = shallow_from {
        let branch = branch_in(revision);
        // `HEAD~3` and the start of a commit are no branches.
        let is_of_commits = ["", "HEAD"].contains(&branch) || branch.bytes().all(|byte| byte.is_ascii_hexdigit());
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
    if !nearest.is_empty() && is_slip(branch_in(revision), HEAD) {
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
