//! Writes benchmarks into a checkout of their own.

use super::super::error::{RevisionError, Why};
use super::super::git::Git;
use super::{with_new_files, Benchmarks};
use crate::toolchain::cache::CacheError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Marks a checkout with benchmarks laid over it and lists the files that were changed.
const MARK: &str = ".git/tare-benchmarks";
/// The same in a copy of the working tree, which has no repository.
const MARK_OF_COPY: &str = ".tare-benchmarks";

fn mark(folder: &Path) -> PathBuf {
    let name = if folder.join(".git").is_dir() { MARK } else { MARK_OF_COPY };
    folder.join(name)
}

impl Benchmarks {
    /// Whether this checkout is complete and has the benchmarks.
    pub(in crate::revision) fn is_laid_over(&self, folder: &Path) -> bool {
        folder.join(".git/HEAD").is_file() && mark(folder).is_file()
    }

    pub(in crate::revision) fn laid_over(&self, folder: &Path) -> Vec<PathBuf> {
        fs::read_to_string(mark(folder)).unwrap_or_default().lines().map(PathBuf::from).collect()
    }

    /// Writes the benchmarks into a checkout of a revision. Returns the files that were written or changed.
    pub(in crate::revision) fn lay_over(&self, folder: &Path, revision: &str) -> Result<Vec<PathBuf>, RevisionError> {
        let failed = |path: &Path, error| CacheError::new("write", &folder.join(path), error);
        let mut written = Vec::new();
        let mut put = |path: &Path, content: &[u8]| -> Result<(), RevisionError> {
            if fs::read(folder.join(path)).is_ok_and(|there| there == content) {
                return Ok(());
            }
            write(folder, path, content).map_err(|error| failed(path, error))?;
            written.push(path.to_owned());
            Ok(())
        };
        let is_there = |path: &Path| folder.join(path).symlink_metadata().is_ok();
        for (path, content) in &self.helpers {
            if !is_there(path) && !self.files.contains_key(path) {
                put(path, content)?;
            }
        }
        for (path, content) in &self.files {
            put(path, content)?;
        }
        let invalid = |path: &Path, reason: String| {
            let from = &self.from;
            let reason = format!("`{}` is not valid: {reason}", path.display());
            let hint = "put benchmarks that build at that revision into a folder: `--benchmarks-from FOLDER`";
            let text = format!("the benchmarks of `{from}` cannot be copied over `{revision}`: {reason}");
            RevisionError::new(Why::Usage, text, hint)
        };
        for (manifest, part) in &self.parts {
            let merged = (part.tool.tool().benchmarks.merge)(folder, manifest, &part.texts);
            for (path, text) in merged.map_err(|(path, why)| invalid(&path, why))? {
                put(&path, text.as_bytes())?;
            }
        }
        let list: String = written.iter().map(|path| format!("{}\n", path.display())).collect();
        let place = mark(folder);
        fs::write(&place, list).map_err(|error| CacheError::new("write", &place, error))?;
        Ok(written)
    }

    /// Copies the user's files as they are. Unchanged files keep their time, so that little is rebuilt.
    pub(in crate::revision) fn copy_worktree(
        &self,
        git: &Git,
        root: &Path,
        folder: &Path,
    ) -> Result<(), RevisionError> {
        let list = with_new_files(&git.at(root))?;
        fs::create_dir_all(folder).map_err(|error| CacheError::new("create", folder, error))?;
        for path in super::collect::walk(folder) {
            if list.binary_search(&path).is_err() {
                // It was laid over, or the user has deleted it.
                let _ = fs::remove_file(folder.join(&path));
            }
        }
        for path in &list {
            // Fails for uncommitted deletions, submodules, and links to folders or to nothing.
            let Ok(content) = fs::read(root.join(path)) else { continue };
            if !fs::read(folder.join(path)).is_ok_and(|there| there == content) {
                let done = write(folder, path, &content).and_then(|()| {
                    fs::set_permissions(folder.join(path), fs::metadata(root.join(path))?.permissions())
                });
                done.map_err(|error| CacheError::new("write", &folder.join(path), error))?;
            }
        }
        Ok(())
    }
}

/// Writes a file of a checkout. Its folders may be links from a commit; none may lead out of the checkout.
fn write(folder: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    let full = folder.join(path);
    let parent = full.parent().unwrap_or(folder);
    let mut there = parent;
    while !there.exists() {
        there = there.parent().unwrap_or(folder);
    }
    if !there.canonicalize()?.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other("a link points outside the checkout"));
    }
    fs::create_dir_all(parent)?;
    if full.is_symlink() {
        fs::remove_file(&full)?;
    }
    fs::write(&full, content)
}
