//! Resolves an argument of `tare compare`.

use super::checkout::WORKTREE;
use super::error::{is_slip, RevisionError, Why};
use super::git::Git;
use super::repository::{branch_in, Repository};
use crate::discover::{similar, Language};
use crate::toolchain::context::Variables;
use crate::toolchain::shell_word;
use std::path::{Path, PathBuf};
use tare_process::files::is_program;
use thiserror::Error;

/// The last stored run, which the host resolves.
const LATEST: &str = "latest";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    Result(PathBuf),
    Program(PathBuf),
    /// A folder or a source file, built in place.
    Source(PathBuf),
    /// The files of the repository as they are, including uncommitted changes.
    Worktree,
    Revision(String),
}

pub struct SideContext<'a> {
    pub folder: &'a Path,
    pub is_result: &'a dyn Fn(&Path) -> bool,
}

#[derive(Debug, Error)]
pub enum SideError {
    #[error("`{text}` is {path_is} and {other_is}")]
    Ambiguous { text: String, path_is: &'static str, other_is: &'static str, say_path: String, say_other: String },
    #[error("`{text}` is neither a file, a folder nor a git revision")]
    Nothing {
        text: String,
        /// Why it is not a revision.
        reason: RevisionError,
    },
    /// A path that does not exist.
    #[error("`{text}` does not exist")]
    NoSuchPath { text: String },
    /// An unusable revision, or a failure of git.
    #[error(transparent)]
    Revision(#[from] RevisionError),
}

impl SideError {
    pub fn hint(&self) -> String {
        match self {
            SideError::Ambiguous { path_is, other_is, say_path, say_other, .. } => {
                format!("write `{say_path}` for {} and `{say_other}` for {}", the(path_is), the(other_is))
            }
            SideError::Nothing { text, reason } => match (meant(text), reason) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, reason) if reason.why == Why::NotARepository => {
                    "check the path; git revisions are only recognised inside their repository".to_owned()
                }
                (None, reason) => reason.hint(),
            },
            SideError::Revision(reason) => reason.hint(),
            SideError::NoSuchPath { text } => match similar(Path::new(text)) {
                Some(near) => format!("did you mean `{}`?", shell_word(near)),
                None => "check the path: `ls -d *`".to_owned(),
            },
        }
    }
}

/// The word of ours or the file that a mistyped argument may mean. Git suggests branches and tags.
fn meant(text: &str) -> Option<String> {
    let (word, rest) = text.split_at(branch_in(text).len());
    let own = [LATEST, WORKTREE].into_iter().find(|own| is_slip(word, own)).map(|own| format!("{own}{rest}"));
    own.or_else(|| similar(Path::new(text)).map(shell_word))
}

fn the(what: &str) -> String {
    let noun = what.trim_start_matches("a ").trim_start_matches("the ");
    format!("the {noun}")
}

/// Resolves an argument of the command line. The first of these that fits:
///
/// anything written as a path (`./main`, `../old`, `/tmp/x.json`, `.`) is a path, and `refs/heads/main` is a revision;
/// 2. an existing file or folder: a saved result by its content, else a program, else a source file or folder;
/// 3. `worktree`: the files of the repository as they are;
/// 4. a git revision.
///
/// A word that fits 2 and also 3 or 4 is ambiguous, which is an error.
pub fn resolve_side(text: &str, context: &SideContext) -> Result<Side, SideError> {
    resolve_with(&Variables::of_process(), text, context)
}

pub(super) fn resolve_with(variables: &Variables, text: &str, context: &SideContext) -> Result<Side, SideError> {
    let path = context.folder.join(text);
    let exists = !text.is_empty() && path.exists();
    let is_written_as_path =
        text == "." || text == ".." || ["/", "./", "../"].iter().any(|start| text.starts_with(start));
    if is_written_as_path {
        return match exists {
            true => Ok(of_path(path, context)),
            false => Err(SideError::NoSuchPath { text: text.to_owned() }),
        };
    }
    if text.starts_with("refs/") {
        return Ok(revision(variables, text, context)?);
    }
    let ambiguous = |other_is, say_other: String| SideError::Ambiguous {
        text: text.to_owned(),
        path_is: match path.is_dir() {
            true => "a folder",
            false => "a file",
        },
        other_is,
        say_path: format!("./{text}"),
        say_other,
    };
    if text == WORKTREE {
        // In the top folder, `.` means the same unambiguously.
        return if exists { Err(ambiguous("the uncommitted state", ".".to_owned())) } else { Ok(Side::Worktree) };
    }
    match (exists, revision(variables, text, context)) {
        (true, Ok(_)) => Err(ambiguous("a git revision", full_name(variables, text, context))),
        // Without git or a repository, only the path is left.
        (true, Err(_)) => Ok(of_path(path, context)),
        (false, Ok(side)) => Ok(side),
        (false, Err(reason)) => Err(match reason.why {
            Why::Unknown | Why::NotARepository => SideError::Nothing { text: text.to_owned(), reason },
            _ => SideError::Revision(reason),
        }),
    }
}

fn of_path(path: PathBuf, context: &SideContext) -> Side {
    if (context.is_result)(&path) {
        return Side::Result(path);
    }
    let is_executable = is_program(&path);
    match is_executable && Language::of_source(&path).is_none() {
        true => Side::Program(path),
        false => Side::Source(path),
    }
}

fn revision(variables: &Variables, text: &str, context: &SideContext) -> Result<Side, RevisionError> {
    let repository = Repository::open(Git::find(variables, context.folder)?)?;
    repository.resolve(text).map(|_| Side::Revision(text.to_owned()))
}

/// An unambiguous spelling of a revision: the full name of a branch or tag, else the commit.
fn full_name(variables: &Variables, text: &str, context: &SideContext) -> String {
    let repository = Git::find(variables, context.folder).and_then(Repository::open);
    let Ok(repository) = repository else { return text.to_owned() };
    let symbolic = repository.git().text(&["rev-parse", "--symbolic-full-name", text], super::git::QUESTION);
    match symbolic {
        Ok(name) if name.starts_with("refs/") => shell_word(&name),
        _ => repository.resolve(text).map_or_else(|_| text.to_owned(), |(commit, _)| commit.id),
    }
}
