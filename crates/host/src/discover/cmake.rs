//! CMake projects: whether a folder's project is worth configuring. What executables it has is known only after that.

use super::sniff::read_source;
use super::target::{Language, Target, TargetKind};
use std::path::Path;

/// The project in `folder`, which has a `CMakeLists.txt`. `asked`: the user named this folder; else the project must
/// mention tare or a benchmark, since configuring every project of a tree would take minutes.
pub(super) fn project(folder: &Path, path: &Path, name: String, asked: bool) -> Option<Target> {
    let mentions = || {
        let text = read_source(&folder.join("CMakeLists.txt")).unwrap_or_default().to_lowercase();
        text.lines().map(|l| l.split('#').next().unwrap_or_default()).any(|l| l.contains("tare") || l.contains("bench"))
    };
    (asked || mentions()).then(|| Target {
        name,
        kind: TargetKind::CmakeProject { source_dir: path.to_owned(), below: None },
        path: path.to_owned(),
        language: Language::CPP,
    })
}

/// Whether the `CMakeLists.txt` of a folder begins a project; one without is a part of that above it.
pub(super) fn is_project(folder: &Path) -> bool {
    let text = read_source(&folder.join("CMakeLists.txt")).unwrap_or_default().to_lowercase();
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim_start());
    let mut begins = code.filter_map(|line| line.strip_prefix("project"));
    begins.any(|rest| rest.trim_start().starts_with('('))
}
