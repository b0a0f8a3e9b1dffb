//! CMake: the executables of a project are programs, known only after configuration.

mod api;
mod benchmarks;
mod build;
mod discover;
mod options;

use crate::discover::{above, DiscoverError, Survey, Target};
use crate::projects::{Folder, FoundTargets, OfTarget, Tool};
use crate::toolchain::context::BuildContext;
use std::path::{Path, PathBuf};

pub(in crate::languages) const CMAKE: Tool = Tool {
    name: "cmake",
    is_manifest: |name| name == "CMakeLists.txt",
    title: "CMake projects",
    output: &["build"],
    begins: discover::is_project,
    nests: false,
    find,
    find_above: |folder, _| {
        let target = discover::project_above(folder)?;
        Some(Survey { targets: vec![target], skipped: Vec::new() })
    },
    benchmarks: benchmarks::BENCHMARKS,
    has_features: true,
    features: |folder, _, features| options::wanted(folder, features),
    known_features: options::known,
    build: build_all,
    ..Tool::NONE
};

pub(in crate::languages) fn project_of(file: &Path) -> Option<PathBuf> {
    above(file).find(|folder| discover::is_project(folder))
}

fn find(folder: &Folder) -> Result<FoundTargets, DiscoverError> {
    let is_asked_for = folder.is_named && folder.is_first;
    let name = (!folder.is_named).then_some(folder.name.as_str());
    let target = discover::find(folder.path, name, is_asked_for)?;
    let manifest = folder.path.join("CMakeLists.txt");
    let lack = format!("`{}` mentions neither tare nor a bench", manifest.display());
    Ok(FoundTargets { targets: target.into_iter().collect(), skipped: Vec::new(), lack })
}

fn build_all(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let of_each = targets.iter().enumerate().filter_map(|(at, target)| Some((at, target, target.project()?)));
    let built = of_each.flat_map(|(at, target, project)| {
        build::build(context, target, &project.folder, project.below.as_deref()).into_iter().map(move |r| (at, r))
    });
    built.collect()
}
