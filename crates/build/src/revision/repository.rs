//! The user's repository, read-only.

use super::error::{RevisionError, Why};
use super::git::{Git, QUESTION};
use std::path::{Path, PathBuf};
use tare_model::text::nearest;

/// Limit on names in a message.
const NAMES: usize = 4;
/// Limit on branches and tags searched for a similar name.
const NAME_LIMIT: &str = "--count=2000";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: String,
    pub short: String,
    pub subject: String,
}

pub(super) struct Repository<'a> {
    git: Git<'a>,
    /// The root of the working tree, without symbolic links.
    pub(super) root: PathBuf,
    pub(super) is_shallow: bool,
    pub(super) object_format: String,
    pub(super) objects: PathBuf,
    pub(super) modules: Vec<PathBuf>,
    /// The list of commits whose parents are missing.
    pub(super) shallow: PathBuf,
}

impl<'a> Repository<'a> {
    pub(super) fn open(git: Git<'a>) -> Result<Repository<'a>, RevisionError> {
        let words = ["rev-parse", "--show-toplevel", "--is-shallow-repository", "--show-object-format"];
        let paths = ["--git-path", "objects", "--git-path", "shallow", "--git-dir", "--git-common-dir"];
        let answer = git.text(&[&words[..], &paths[..]].concat(), QUESTION)?;
        let lines: Vec<&str> = answer.lines().collect();
        let [root, is_shallow, format, objects, shallow, own, common] = lines[..] else {
            return Err(RevisionError::of_git("git rev-parse", "its output cannot be parsed", &answer));
        };
        let (objects, shallow) = (git.folder().join(objects), git.folder().join(shallow));
        let mut modules = [own, common].map(|folder| git.folder().join(folder).join("modules")).to_vec();
        modules.dedup();
        Ok(Repository {
            modules,
            root: Path::new(root).canonicalize().unwrap_or_else(|_| root.into()),
            is_shallow: is_shallow == "true",
            // An old git echoes the unknown option, and has only one format.
            object_format: if format.starts_with('-') { "sha1" } else { format }.to_owned(),
            objects: objects.canonicalize().unwrap_or(objects),
            shallow,
            git,
        })
    }

    pub(super) fn git(&self) -> &Git<'a> {
        &self.git
    }

    /// Resolves a revision to its commit, with a warning if the name is ambiguous. A branch that only one remote has is found as by
    /// `git checkout`: a single-branch clone, as CI makes it, has `origin/main` but not `main`.
    pub(super) fn resolve(&self, revision: &str) -> Result<(Commit, Option<String>), RevisionError> {
        let unknown = match self.resolve_exactly(revision) {
            Err(unknown) if unknown.why == Why::Unknown => unknown,
            found_or_failed => return found_or_failed,
        };
        let Some(of_remote) = self.branch_of_a_remote(revision)? else { return Err(unknown) };
        let (commit, _) = self.resolve_exactly(&of_remote)?;
        Ok((commit, Some(format!("there is no branch or tag `{revision}` here: `{of_remote}` is meant"))))
    }

    /// `origin/main~2` for `main~2`, if exactly one remote has the branch.
    fn branch_of_a_remote(&self, revision: &str) -> Result<Option<String>, RevisionError> {
        let branch = branch_in(revision);
        // `HEAD~5` means local commits, not a remote's main branch.
        if ["", "HEAD"].contains(&branch) || branch.starts_with('-') || branch.contains(['*', '?', '[', '\\']) {
            return Ok(None);
        }
        let pattern = format!("refs/remotes/*/{branch}");
        let found = self.git.text(&["for-each-ref", "--format=%(refname:short)", &pattern], QUESTION)?;
        let mut names = found.lines().filter(|name| !name.is_empty());
        Ok(match (names.next(), names.next()) {
            (Some(name), None) => Some(format!("{name}{}", &revision[branch.len()..])),
            _ => None,
        })
    }

    fn resolve_exactly(&self, revision: &str) -> Result<(Commit, Option<String>), RevisionError> {
        // Git would read this as an option.
        if revision.is_empty() || revision.starts_with('-') {
            return Err(self.unknown(revision)?);
        }
        let words = ["rev-parse", "--verify", &format!("{revision}^{{commit}}")];
        let done = self.git.run(&words, QUESTION)?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if !done.success {
            if said.contains("short object ID") && said.contains("is ambiguous") {
                let hint = format!("write more digits; `git rev-parse --disambiguate={revision}` lists the commits");
                return Err(RevisionError::new(Why::Usage, format!("`{revision}` matches several commits"), hint));
            }
            return Err(self.unknown(revision)?);
        }
        let id = String::from_utf8_lossy(&done.stdout).trim().to_owned();
        let ambiguous = said
            .contains("is ambiguous")
            .then(|| format!("`{revision}` is ambiguous; write `refs/heads/{revision}` or `refs/tags/{revision}`"));
        Ok((self.commit(&id)?, ambiguous))
    }

    pub(super) fn commit(&self, id: &str) -> Result<Commit, RevisionError> {
        let answer = self.git.text(&["log", "-1", "--format=%H%x00%h%x00%s", id, "--"], QUESTION)?;
        let mut parts = answer.splitn(3, '\0').map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        Ok(Commit { id: part(), short: part(), subject: part() })
    }

    fn unknown(&self, revision: &str) -> Result<RevisionError, RevisionError> {
        let words = ["for-each-ref", "--sort=-committerdate", NAME_LIMIT, "--format=%(refname:short)"];
        let names = self.git.text(&words, QUESTION)?;
        let mut names: Vec<String> = names.lines().filter(|name| !name.is_empty()).map(str::to_owned).collect();
        // A clone of a commit alone has no other.
        if names.is_empty() && self.git.run(&["rev-parse", "--verify", "--quiet", "HEAD"], QUESTION)?.success {
            names.push("HEAD".to_owned());
        }
        let near = nearest(revision, &names, NAMES);
        let nearest = if near.is_empty() { names.into_iter().take(NAMES).collect() } else { near };
        Ok(RevisionError::unknown(revision, &self.root, &nearest, self.shallow_from()?.as_deref()))
    }

    /// The first remote of a shallow clone; `origin` if none is configured.
    pub(super) fn shallow_from(&self) -> Result<Option<String>, RevisionError> {
        let names = self.git.text(&["remote"], QUESTION)?;
        let first = names.lines().next().filter(|name| !name.is_empty()).unwrap_or("origin");
        Ok(self.is_shallow.then(|| first.to_owned()))
    }
}

/// The branch in `main~2`, `main^` or `main@{1}`.
pub(super) fn branch_in(revision: &str) -> &str {
    &revision[..revision.find(['~', '^', '@', ':']).unwrap_or(revision.len())]
}
