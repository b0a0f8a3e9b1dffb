//! The submodules of a checkout, from the user's clone: nothing is downloaded.

use super::checkout::{borrow, is_whole};
use super::git::{Git, QUESTION};
use crate::toolchain::cache::unique;
use std::fs;
use std::path::{Path, PathBuf};

/// Levels of nested submodules that are followed.
const DEPTH: usize = 8;

/// Where the user's clone keeps the repositories of submodules.
pub(super) struct Modules {
    /// `.git/modules` of the clone and of a linked worktree.
    pub(super) folders: Vec<PathBuf>,
    /// The files of the clone: an old submodule keeps its repository in its own folder.
    pub(super) root: PathBuf,
}

struct Link {
    name: String,
    path: PathBuf,
    commit: String,
}

/// Fills missing or outdated submodules of a checkout. Returns the paths of those that the clone lacks.
pub(super) fn fill(git: &Git, modules: &Modules, object_format: &str) -> Vec<PathBuf> {
    fill_to(git, modules, object_format, DEPTH)
}

fn fill_to(git: &Git, modules: &Modules, object_format: &str, depth: usize) -> Vec<PathBuf> {
    let mut missing = Vec::new();
    for link in links(git) {
        let folder = git.folder().join(&link.path);
        let inside = git.at(&folder);
        let places = modules.folders.iter().map(|folder| folder.join(&link.name));
        let mut places =
            places.chain([modules.root.join(&link.path).join(".git")]).filter(|p| p.join("objects").is_dir());
        let made = places.find(|place| is_whole(&inside, &link.commit) || make(git, place, &link, object_format));
        match made {
            Some(place) if depth > 0 => {
                let below = Modules { folders: vec![place.join("modules")], root: modules.root.join(&link.path) };
                let nested = fill_to(&inside, &below, object_format, depth - 1);
                missing.extend(nested.into_iter().map(|path| link.path.join(path)));
            }
            _ if is_whole(&inside, &link.commit) => {}
            _ => missing.push(link.path),
        }
    }
    missing
}

fn links(git: &Git) -> Vec<Link> {
    if !git.folder().join(".gitmodules").is_file() {
        return Vec::new();
    }
    let words = ["config", "-z", "--file", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$"];
    let Ok(done) = git.run(&words, QUESTION) else { return Vec::new() };
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let named = text.split('\0').filter_map(|entry| {
        let (key, path) = entry.split_once('\n')?;
        let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
        // A name comes from a repository and becomes a path below our folder.
        let is_safe = |text: &str| {
            let parts = Path::new(text).components();
            !text.is_empty() && parts.into_iter().all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        (is_safe(name) && is_safe(path)).then(|| (name.to_owned(), path.to_owned()))
    });
    let with_commit = named.filter_map(|(name, path)| {
        let listed = git.text(&["ls-tree", "HEAD", "--", &path], QUESTION).ok()?;
        let commit = listed.strip_prefix("160000 commit ")?.split_whitespace().next()?.to_owned();
        Some(Link { name, path: path.into(), commit })
    });
    with_commit.collect()
}

/// Makes the files beside their place, then moves them there. False if the repository lacks the commit.
fn make(git: &Git, repository: &Path, link: &Link, object_format: &str) -> bool {
    let folder = git.folder().join(&link.path);
    // No part of the path may be a link out of the checkout.
    let Ok(parent) = folder.parent().unwrap_or(&folder).canonicalize() else { return false };
    if !git.folder().canonicalize().is_ok_and(|top| parent.starts_with(top)) || folder.is_symlink() {
        return false;
    }
    let beside = parent.join(format!(".tmp-{}", unique()));
    let objects = repository.join("objects");
    let made = fs::create_dir(&beside).is_ok()
        && borrow(&git.at(&beside), &objects, object_format).is_ok()
        && git.at(&beside).checkout(&link.commit, None).is_ok();
    let moved = made && {
        // Git leaves an empty folder in the place of a submodule.
        let _ = fs::remove_dir_all(&folder);
        fs::rename(&beside, &folder).is_ok()
    };
    // A no-op after a successful move.
    let _ = fs::remove_dir_all(&beside);
    moved
}
