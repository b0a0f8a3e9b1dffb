//! Cargo: each bench target of a package is a program.

mod benchmarks;
mod build;
pub(super) mod discover;
mod manifest;
pub(super) mod messages;
mod package;
mod seed;

use crate::discover::{DiscoverError, DiscoverOptions, Survey, Target};
use crate::projects::{Folder, FoundTargets, OfTarget, Tool};
use crate::toolchain::context::BuildContext;
use std::path::Path;

pub(in crate::languages) const CARGO: Tool = Tool {
    name: "cargo",
    is_manifest: |name| name == "Cargo.toml",
    title: "Cargo packages",
    output: &["target"],
    begins: |folder| folder.join("Cargo.toml").is_file(),
    nests: true,
    find,
    find_above,
    target_of_file: discover::bench_of_file,
    has_features: true,
    features: discover::features_of,
    known_features: discover::feature_names,
    benchmarks: benchmarks::BENCHMARKS,
    build: build_all,
    ..Tool::NONE
};

fn find(folder: &Folder) -> Result<FoundTargets, DiscoverError> {
    discover::project(folder.path, folder.options)
}

/// The package alone, without other members of a workspace.
fn find_above(package: &Path, options: &DiscoverOptions) -> Option<Survey> {
    let found = discover::package_alone(package, options).ok()?;
    let has_any = !found.targets.is_empty() || !found.skipped.is_empty();
    has_any.then_some(Survey { targets: found.targets, skipped: found.skipped })
}

fn build_all(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let Some(project) = targets.first().and_then(|target| target.project()) else { return Vec::new() };
    let results = build::build(context, &project.folder, targets).into_iter().enumerate();
    results.filter_map(|(at, result)| Some((at, result.transpose()?))).collect()
}
