//! Decides whether a folder's CMake project is worth configuring. Only then are its executables known.

use crate::discover::{above, absolute, last_name, read_source, DiscoverError, Target};
use crate::languages::{cpp, Language};
use crate::projects::ProjectTool;
use std::path::{Path, PathBuf};

/// The project in `folder`, which has a `CMakeLists.txt`, or the project that the folder is part of. `name`: None for the folder's own
/// name. `asked`: the user named this folder.
pub(super) fn find(folder: &Path, name: Option<&str>, asked: bool) -> Result<Option<Target>, DiscoverError> {
    let path = absolute(folder)?;
    let path = path.canonicalize().unwrap_or(path);
    let part = if asked { part_of_another(&path) } else { None };
    let name = || name.map_or_else(|| last_name(&path), str::to_owned);
    Ok(part.or_else(|| project(folder, &path, name(), asked)))
}

pub(super) fn project_above(folder: &Path) -> Option<Target> {
    project(folder, folder, last_name(folder), false)
}

/// The project that a folder with a `CMakeLists.txt` is part of; None if it is a project by itself.
fn part_of_another(folder: &Path) -> Option<Target> {
    let full = folder.canonicalize().ok()?;
    if is_project(&full) {
        return None;
    }
    let source_dir = above(&full).find(|folder| is_project(folder))?;
    let name = last_name(&source_dir);
    Some(target(name, &source_dir, Some(full)))
}

fn target(name: String, source_dir: &Path, below: Option<PathBuf>) -> Target {
    let names = [name, String::new()];
    ProjectTool(&super::CMAKE).target(source_dir.to_owned(), names, below, Language(&cpp::LANGUAGE))
}

/// Unless asked for, the project must mention tare or a benchmark: configuring every project in a tree would take minutes.
fn project(folder: &Path, path: &Path, name: String, asked: bool) -> Option<Target> {
    let mentions = || {
        let text = read_source(&folder.join("CMakeLists.txt")).unwrap_or_default().to_lowercase();
        text.lines().map(|l| l.split('#').next().unwrap_or_default()).any(|l| l.contains("tare") || l.contains("bench"))
    };
    (asked || mentions()).then(|| target(name, path, None))
}

pub(super) fn is_project(folder: &Path) -> bool {
    let text = read_source(&folder.join("CMakeLists.txt")).unwrap_or_default().to_lowercase();
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim_start());
    let mut begins = code.filter_map(|line| line.strip_prefix("project"));
    begins.any(|rest| rest.trim_start().starts_with('('))
}
