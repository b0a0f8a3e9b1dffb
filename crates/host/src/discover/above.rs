//! A subfolder of a project: the project above it, as Cargo looks for its manifest.

use super::target::{Language, Target, TargetKind};
use super::walk::{absolute, last_name};
use super::wanted::{Survey, Wanted};
use super::{cargo, cmake};
use std::path::{Path, PathBuf};

/// Folders above that are looked at.
const LEVELS: usize = 16;

/// What the project above a folder has, where the folder itself has nothing.
pub(super) fn survey(folder: &Path, wanted: &Wanted) -> Option<Survey> {
    let full = absolute(folder).ok()?.canonicalize().ok()?;
    let has_project = |folder: &PathBuf| folder.join("Cargo.toml").is_file() || cmake::is_project(folder);
    let package = above(&full).find(has_project)?;
    if !package.join("Cargo.toml").is_file() {
        let target = cmake::project(&package, &package, last_name(&package), false)?;
        return Some(Survey { targets: vec![target], skipped: Vec::new() });
    }
    let project = cargo::package_alone(&package, &wanted.features).ok()?;
    let has_any = !project.targets.is_empty() || !project.skipped.is_empty();
    has_any.then_some(Survey { targets: project.targets, skipped: project.skipped })
}

/// The project of CMake that a folder with a `CMakeLists.txt` is a part of; None when it is one by itself.
pub(super) fn cmake(folder: &Path) -> Option<Target> {
    let full = folder.canonicalize().ok()?;
    if cmake::is_project(&full) {
        return None;
    }
    let source_dir = above(&full).find(|folder| cmake::is_project(folder))?;
    let name = last_name(&source_dir);
    let kind = TargetKind::CmakeProject { source_dir: source_dir.clone(), below: Some(full) };
    Some(Target { name, kind, path: source_dir, language: Language::CPP })
}

/// The folders above, the nearest first, within the same working copy.
fn above(folder: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    let mut inside = true;
    let within = folder.ancestors().take(LEVELS).take_while(move |folder| {
        let takes = inside;
        inside = !folder.join(".git").exists();
        takes
    });
    within.skip(1).map(Path::to_owned)
}
