//! Benchmarks of packages laid over a revision: their sources and their parts of the manifest.

use super::manifest::{bench_files, merge, Package};
use super::CARGO;
use crate::projects::ProjectTool;
use crate::revision::{Collector, ToolBenchmarks};
use std::path::{Path, PathBuf};

pub(super) const BENCHMARKS: ToolBenchmarks =
    ToolBenchmarks { has_packages: true, of_manifest, of_source, take, merge, ..ToolBenchmarks::NONE };

fn folder_of(manifest: &Path) -> &Path {
    manifest.parent().unwrap_or(Path::new(""))
}

fn package(collector: &mut Collector, folder: &Path) -> bool {
    let Some(package) = Package::read(collector.root(), folder) else { return false };
    *collector.part(ProjectTool(&CARGO), folder.join("Cargo.toml")) = package.texts();
    true
}

fn of_manifest(collector: &mut Collector, manifest: &Path) {
    let folder = folder_of(manifest);
    let all = bench_files(collector.root(), folder).into_iter();
    let benches: Vec<PathBuf> = all.filter(|path| collector.has_benchmarks(path)).collect();
    if benches.is_empty() || !package(collector, folder) {
        return;
    }
    benches.iter().for_each(|path| collector.add(path));
    let below = collector.below(&folder.join("benches"));
    below.iter().for_each(|path| collector.add(path));
}

/// The bench target of a package: its main file, and the modules beside it.
fn of_source(collector: &mut Collector, path: &Path) {
    let above = path.ancestors().skip(1).find(|folder| collector.knows(&folder.join("Cargo.toml")));
    let Some(folder) = above else { return };
    if package(collector, folder) {
        let beside = folder_of(path);
        if beside != folder && !beside.starts_with(folder.join("src")) {
            collector.help_below(beside);
        }
    }
}

/// The manifest is merged; the lock file is left out, as the revision has its own versions.
fn take(collector: &mut Collector, path: &Path) -> bool {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("Cargo.toml") => {
            package(collector, folder_of(path));
            true
        }
        name => name == Some("Cargo.lock"),
    }
}
