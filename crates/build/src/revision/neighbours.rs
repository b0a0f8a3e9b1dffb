//! Links beside a checkout to the neighbours of the user's repository: a path such as `../other` leads to the same place from both. Files
//! that tools look for in parent folders (`Cargo.toml`, `Directory.Build.props`) are not linked: a checkout must not change the workspace
//! around the repository.

use crate::languages;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Levels above the repository that are mirrored, so that as many `../` work.
const LEVELS: usize = 4;
/// Limit on entries of a folder that are linked; a larger one is hardly a folder of projects.
const ENTRIES_MAX: usize = 4096;
/// The name of the checkout of a repository at `/`.
const NAMELESS: &str = "root";

/// Names of the mirrored folders above the repository, the topmost first.
fn names(root: &Path) -> Vec<&OsStr> {
    let above: Vec<&OsStr> = root
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    above[above.len().saturating_sub(LEVELS)..].to_vec()
}

/// The folder of the checkout in its place on the shelf. It has the name of the repository, for builds that use the name.
pub(super) fn folder(place: &Path, root: &Path) -> PathBuf {
    let above: PathBuf = names(root).iter().collect();
    place.join(above).join(root.file_name().unwrap_or(OsStr::new(NAMELESS)))
}

pub(super) fn above<'a>(root: &'a Path, folder: &'a Path) -> impl Iterator<Item = (&'a Path, &'a Path)> {
    root.ancestors().zip(folder.ancestors()).skip(1).take(names(root).len())
}

/// Makes the links. Best effort: a program that misses a file reports it.
pub(super) fn link(place: &Path, root: &Path) {
    let (mut real, mut mirrored) = (root.to_owned(), folder(place, root));
    for _ in 0..=names(root).len() {
        let own = real.file_name().map(OsStr::to_owned);
        if !(real.pop() && mirrored.pop() && mirrored.starts_with(place)) {
            return;
        }
        let entries = fs::read_dir(&real).into_iter().flatten().flatten().take(ENTRIES_MAX);
        for entry in entries.filter(|entry| Some(entry.file_name()) != own) {
            let (path, link) = (entry.path(), mirrored.join(entry.file_name()));
            // Skips the cache itself: links to it would form a loop.
            if is_wanted(&path) && !place.starts_with(&path) && link.symlink_metadata().is_err() {
                let _ = std::os::unix::fs::symlink(&path, &link);
            }
        }
    }
}

/// A folder that is not hidden, or a file that a source may include.
fn is_wanted(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_source = path.extension().and_then(OsStr::to_str).is_some_and(languages::is_taken_in);
    !is_hidden && (is_source || path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::tests::help::Folder;

    #[test]
    fn what_lies_beside_is_reached_and_manifests_above_are_not() {
        let scratch = Folder::new();
        let top = scratch.path.canonicalize().unwrap();
        for file in ["a/b/other/x.h", "a/b/Cargo.toml", "a/b/common.h", "a/far/y.h", "a/b/.hidden/z", "a/b/repo/f.c"] {
            let path = top.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let (root, place) = (top.join("a/b/repo"), top.join("cache/place"));
        let checkout = folder(&place, &root);
        assert!(checkout.ends_with("a/b/repo"), "{}", checkout.display());
        fs::create_dir_all(&checkout).unwrap();
        for _ in 0..2 {
            link(&place, &root);
        }
        let reads = |path: &str| fs::read_to_string(checkout.join(path)).ok();
        for (path, content) in
            [("../other/x.h", "a/b/other/x.h"), ("../common.h", "a/b/common.h"), ("../../far/y.h", "a/far/y.h")]
        {
            assert_eq!(reads(path).as_deref(), Some(content));
        }
        assert!(reads("../Cargo.toml").is_none() && reads("../.hidden/z").is_none());
        assert!(!place.join("cache").exists(), "the cache is not linked into itself");
        // Removing the place removes only the links.
        fs::remove_dir_all(&place).unwrap();
        assert!(top.join("a/b/other/x.h").is_file());
    }
}
