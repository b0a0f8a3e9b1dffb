//! The commits between two revisions, for a search among them.

use super::error::{RevisionError, Why};
use super::git::{Git, QUESTION};
use super::repository::{Commit, Repository};
use crate::toolchain::context::Variables;
use std::collections::HashMap;
use std::path::Path;

/// Limit on commits between both ends: the sets of ancestors need one bit for each pair.
const COMMITS_MAX: usize = 20_000;
/// A commit in git's output: id, short name, parents, author, date, subject.
const FORMAT: &str = "--format=%H%x00%h%x00%P%x00%an%x00%aI%x00%s";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub name: String,
    /// The date of the change, RFC 3339.
    pub date: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCommit {
    pub commit: Commit,
    pub author: Author,
    pub first_parent: Option<String>,
    /// Indices of its parents among the commits between; the first parent comes first.
    pub parents: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    pub good: Commit,
    /// The commits reachable from the newer end but not from the older, parents before children; the last is the newer end.
    pub commits: Vec<HistoryCommit>,
    /// Warnings of git about the two revisions.
    pub warnings: Vec<String>,
}

/// The commits between two revisions of the repository that contains `folder`. With `first_parent`, merges are followed only along the
/// branch that was merged into, so that a merge stands for all that it brought.
pub fn history(folder: &Path, good: &str, bad: &str, first_parent: bool) -> Result<Between, RevisionError> {
    history_with(&Variables::of_process(), folder, [good, bad], first_parent)
}

pub(super) fn history_with(
    variables: &Variables,
    folder: &Path,
    [good, bad]: [&str; 2],
    first_parent: bool,
) -> Result<Between, RevisionError> {
    let here = folder.canonicalize().map_err(|_| RevisionError::not_a_repository(folder))?;
    let repository = Repository::open(Git::find(variables, &here)?)?;
    let shallow_from = repository.shallow_from()?;
    let resolve = |revision| {
        repository.resolve(revision).map_err(|error| match &shallow_from {
            Some(remote) if error.why == Why::Unknown => error.with_history(remote),
            _ => error,
        })
    };
    let ((of_good, said_of_good), (of_bad, said_of_bad)) = (resolve(good)?, resolve(bad)?);
    if of_good.id == of_bad.id {
        let text = format!("`{good}` and `{bad}` are the same commit, {}", of_good.short);
        return Err(RevisionError::new(Why::Usage, text, "name an older revision first and a newer one second"));
    }
    if !is_ancestor(&repository, &of_good, &of_bad)? {
        let common = repository.git().run(&["merge-base", &of_good.id, &of_bad.id], QUESTION)?;
        let common = common.success.then(|| String::from_utf8_lossy(&common.stdout).trim().to_owned());
        let common = common.map(|id| repository.commit(&id).map(|commit| commit.short)).transpose()?;
        let hint = match common {
            _ if is_ancestor(&repository, &of_bad, &of_good)? => {
                format!("`{good}` is the newer one: `tare bisect {bad} {good}`")
            }
            _ if repository.is_shallow => {
                "this clone is shallow, and the commits between may be missing: `git fetch --unshallow`".to_owned()
            }
            Some(common) => format!("both branched off at {common}: `tare bisect {common} {bad}`"),
            None => format!("they have no commit in common; compare them: `tare compare {good} {bad}`"),
        };
        return Err(RevisionError::new(Why::Usage, format!("`{bad}` does not descend from `{good}`"), hint));
    }
    let range = format!("{}..{}", of_good.id, of_bad.id);
    let most = format!("--max-count={}", COMMITS_MAX + 1);
    let mut words = vec!["log", "--topo-order", &most, FORMAT];
    if first_parent {
        words.push("--first-parent");
    }
    words.extend([range.as_str(), "--"]);
    let answer = repository.git().text(&words, QUESTION)?;
    let lines: Vec<&str> = answer.lines().rev().collect();
    if lines.len() > COMMITS_MAX {
        let text = format!("more than {COMMITS_MAX} commits lie between `{good}` and `{bad}`");
        let hint = format!(
            "name a newer revision first, or search the main line alone: `--first-parent`; `git log --oneline {bad}` lists commits"
        );
        return Err(RevisionError::new(Why::Usage, text, hint));
    }
    let commits = commits(&lines, first_parent);
    let is_whole = commits.len() == lines.len() && commits.last().is_some_and(|last| last.commit.id == of_bad.id);
    if !is_whole {
        let first = lines.first().copied().unwrap_or_default();
        return Err(RevisionError::of_git("git log", "its output cannot be parsed", first));
    }
    Ok(Between { good: of_good, commits, warnings: said_of_good.into_iter().chain(said_of_bad).collect() })
}

/// The commit where two revisions diverged.
pub fn merge_base(folder: &Path, base: &str, new: &str) -> Result<Commit, RevisionError> {
    let variables = Variables::of_process();
    let repository = Repository::open(Git::find(&variables, folder)?)?;
    let ((of_base, _), (of_new, _)) = (repository.resolve(base)?, repository.resolve(new)?);
    repository.commit(&repository.git().text(&["merge-base", &of_base.id, &of_new.id], QUESTION)?)
}

/// How many commits a revision has that another lacks; 0 if unknown.
pub fn ahead(folder: &Path, base: &str, new: &str) -> usize {
    let variables = Variables::of_process();
    let count = || -> Result<usize, RevisionError> {
        let repository = Repository::open(Git::find(&variables, folder)?)?;
        let ((of_base, _), (of_new, _)) = (repository.resolve(base)?, repository.resolve(new)?);
        let range = format!("{}..{}", of_new.id, of_base.id);
        Ok(repository.git().text(&["rev-list", "--count", &range, "--"], QUESTION)?.parse().unwrap_or(0))
    };
    count().unwrap_or(0)
}

fn is_ancestor(repository: &Repository, old: &Commit, new: &Commit) -> Result<bool, RevisionError> {
    Ok(repository.git().run(&["merge-base", "--is-ancestor", &old.id, &new.id], QUESTION)?.success)
}

fn commits(lines: &[&str], first_parent: bool) -> Vec<HistoryCommit> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut all = Vec::with_capacity(lines.len());
    for line in lines {
        let parts: Vec<&str> = line.splitn(6, '\0').collect();
        let [id, short, parents, author, date, subject] = parts[..] else { continue };
        let mut of_git = parents.split(' ').filter(|parent| !parent.is_empty());
        let first = of_git.next();
        let others = of_git.filter(|_| !first_parent);
        all.push(HistoryCommit {
            parents: first.into_iter().chain(others).filter_map(|parent| places.get(parent).copied()).collect(),
            first_parent: first.map(str::to_owned),
            commit: Commit { id: id.to_owned(), short: short.to_owned(), subject: subject.to_owned() },
            author: Author { name: author.to_owned(), date: date.to_owned() },
        });
        places.insert(id, all.len() - 1);
    }
    all
}
