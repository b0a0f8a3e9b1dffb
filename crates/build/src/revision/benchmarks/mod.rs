//! Lays the benchmarks of one state of a project over another: a benchmark is often written after the change that it is to judge.
//!
//! Only the benchmarks are laid over. The library that they measure stays at its revision: a file that a benchmark merely includes is
//! added if the revision lacks it, and never replaced.

mod collect;
mod lay;

use super::checkout::{checkout_with, inside, WORKTREE};
use super::error::{RevisionError, Why};
use super::git::{Git, QUESTION};
use super::repository::Repository;
use super::side::{resolve_with, Side, SideContext, SideError};
use crate::projects::ProjectTool;
use crate::toolchain::cache::Key;
use crate::toolchain::context::Variables;
pub(crate) use collect::{plain, Collector};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tare_process::files::path_of_bytes;

/// Content of files by their paths from the top of the repository.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Benchmarks that can be laid over revisions. They are read once, so that all revisions get the same.
#[derive(Debug, Clone, Default)]
pub struct Benchmarks {
    from: String,
    /// Files of the benchmarks themselves, which replace those of a revision.
    files: Files,
    /// Files that they include, for revisions that lack them.
    helpers: Files,
    /// Parts of manifests about the benchmarks, by path: merged into the manifests of a revision.
    parts: BTreeMap<PathBuf, Part>,
    hash: String,
}

#[derive(Debug, Clone)]
struct Part {
    tool: ProjectTool,
    texts: Vec<String>,
}

/// Manifests with their texts, by path from the top; Err: the invalid manifest, and why.
pub(crate) type Manifests = Result<Vec<(PathBuf, String)>, (PathBuf, String)>;

/// What a build tool knows about the benchmarks in its projects.
pub(crate) struct ToolBenchmarks {
    /// Its manifests name all benchmarks of their folders; a source of its language outside a package is no benchmark.
    pub(crate) has_packages: bool,
    /// Its manifests name the sources of benchmarks: other sources below them are not benchmarks.
    pub(crate) names_sources: bool,
    pub(crate) of_manifest: fn(&mut Collector, &Path),
    /// Takes the files of a source that the user named.
    pub(crate) of_source: fn(&mut Collector, &Path),
    /// Takes what the manifests above a folder of benchmarks say about it.
    pub(crate) above: fn(&mut Collector, &Path),
    /// Takes a file of a folder outside the repository if it is to be merged or left out.
    pub(crate) take: fn(&mut Collector, &Path) -> bool,
    /// The manifests of a checkout after merging parts into this manifest, and any manifest above it that must change too.
    pub(crate) merge: fn(&Path, &Path, &[String]) -> Manifests,
}

impl ToolBenchmarks {
    pub(crate) const NONE: ToolBenchmarks = ToolBenchmarks {
        has_packages: false,
        names_sources: false,
        of_manifest: |_, _| {},
        of_source: |_, _| {},
        above: |_, _| {},
        take: |_, _| false,
        merge: |_, _, _| Ok(Vec::new()),
    };
}

impl Benchmarks {
    pub fn from(&self) -> &str {
        &self.from
    }

    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub(super) fn is_of_worktree(&self) -> bool {
        self.from == WORKTREE
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.parts.is_empty()
    }

    fn hashed(mut self) -> Benchmarks {
        let mut key = Key::new("benchmarks");
        for (path, content) in self.files.iter().chain(&self.helpers) {
            key = key.with(path.as_os_str().as_encoded_bytes()).with(content);
        }
        for (path, part) in &self.parts {
            key = key.with(path.as_os_str().as_encoded_bytes()).with_all(&part.texts);
        }
        self.hash = key.finish();
        self
    }
}

struct Source {
    root: PathBuf,
    list: Vec<PathBuf>,
    wanted: Vec<PathBuf>,
    is_all: bool,
}

/// The benchmarks at `paths` (relative to the folder `here`) from `worktree`, a revision or a folder. A folder of the repository stands for
/// the benchmarks in it; a folder outside holds files as they are to lie in the repository.
pub fn benchmarks(here: &Path, from: &str, paths: &[PathBuf], cache: &Path) -> Result<Benchmarks, SideError> {
    benchmarks_with(&Variables::of_process(), here, from, paths, cache)
}

pub(super) fn benchmarks_with(
    variables: &Variables,
    here: &Path,
    from: &str,
    paths: &[PathBuf],
    cache: &Path,
) -> Result<Benchmarks, SideError> {
    let source = source(variables, here, from, paths, cache)?;
    let found = Benchmarks { from: from.to_owned(), ..collect::collect(&source) };
    match found.is_empty() {
        true => {
            let hint = "name the files or folders of the benchmarks, or another `--benchmarks-from`: `worktree`, a revision or a folder";
            let text = format!("`{from}` has no benchmark to copy over the revisions");
            Err(RevisionError::new(Why::Usage, text, hint).into())
        }
        false => Ok(found.hashed()),
    }
}

fn source(
    variables: &Variables,
    here: &Path,
    from: &str,
    paths: &[PathBuf],
    cache: &Path,
) -> Result<Source, SideError> {
    let here = here.canonicalize().map_err(|_| RevisionError::not_a_repository(here))?;
    let side = resolve_with(variables, from, &SideContext { folder: &here, is_result: &|_| false })?;
    let repository = Repository::open(Git::find(variables, &here)?)?;
    let root = repository.root.clone();
    let wanted = |paths: &[PathBuf]| -> Result<Vec<PathBuf>, SideError> {
        let here_alone = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here_alone[..] } else { paths };
        Ok(paths.iter().map(|path| inside(&root, &here, path)).collect::<Result<_, _>>()?)
    };
    match side {
        Side::Worktree => {
            let list = with_new_files(&repository.git().at(&root))?;
            Ok(Source { list, wanted: wanted(paths)?, is_all: false, root: root.clone() })
        }
        Side::Revision(revision) => {
            let made = checkout_with(variables, &here, &revision, None, cache)?;
            let list = files_of(&repository.git().at(&made.folder), &["ls-files", "-z"])?;
            Ok(Source { list, wanted: wanted(paths)?, is_all: false, root: made.folder })
        }
        Side::Source(path) | Side::Program(path) | Side::Result(path) => {
            let path = path.canonicalize().unwrap_or(path);
            match inside(&root, &here, &path) {
                Ok(part) => {
                    let list = with_new_files(&repository.git().at(&root))?;
                    Ok(Source { list, wanted: vec![part], is_all: false, root: root.clone() })
                }
                Err(_) if path.is_dir() => {
                    Ok(Source { list: collect::walk(&path), wanted: Vec::new(), is_all: true, root: path })
                }
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// The files of a working tree, including new ones, without ignored ones.
fn with_new_files(git: &Git) -> Result<Vec<PathBuf>, RevisionError> {
    files_of(git, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
}

fn files_of(git: &Git, words: &[&str]) -> Result<Vec<PathBuf>, RevisionError> {
    let done = git.run(words, QUESTION)?;
    let names = done.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut list: Vec<PathBuf> = names.map(path_of_bytes).collect();
    list.sort();
    list.dedup();
    Ok(list)
}
