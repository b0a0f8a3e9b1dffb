//! Go packages with benchmarks in their tests.

use super::{source, LANGUAGE};
use crate::discover::last_name;
use crate::discover::{absolute, read_source, DiscoverError, Skipped, Survey, Target};
use crate::languages::Language;
use crate::projects::{Folder, FoundTargets, OfTarget, ProjectTool, Tool};
use crate::revision::{Collector, ToolBenchmarks};
use crate::toolchain::context::BuildContext;
use std::path::{Path, PathBuf};
use tare_process::files::entries;

const TESTS: &str = "_test.go";
/// Go's pattern for all packages below a folder: `./...`.
const ALL_BELOW: &str = "...";
/// Folders that `go` does not search for packages.
const LEFT_OUT: [&str; 2] = ["testdata", "vendor"];
/// Levels of folders searched below the given one.
const DEPTH: usize = 16;

pub(super) const GO: Tool = Tool {
    name: super::TOOLCHAIN,
    title: "Go packages",
    is_manifest: |name| name.ends_with(TESTS) || name == "go.mod" || name == "go.work",
    begins: |folder| !tests_of(folder).is_empty(),
    nests: true,
    find,
    find_above: |folder, _| {
        let targets: Vec<Target> = target(folder, String::new()).ok().flatten().into_iter().collect();
        (!targets.is_empty()).then_some(Survey { targets, skipped: Vec::new() })
    },
    target_of_file: |path, _| of_file(path),
    all_below: |path| (path.file_name()? == ALL_BELOW).then(|| path.parent().map(Path::to_owned))?,
    benchmarks: ToolBenchmarks { of_manifest, of_source, ..ToolBenchmarks::NONE },
    build,
    ..Tool::NONE
};

fn find(folder: &Folder) -> Result<FoundTargets, DiscoverError> {
    let mut found = FoundTargets::default();
    // A file that the user named; outside every module it is a package by itself, as with `go test FILE`.
    if let Some(name) = folder.manifest.filter(|name| name.ends_with(TESTS)) {
        let alone = target_of(folder.path, name.to_owned(), Some(Path::new(name)))?;
        found.lack = format!("no `func Benchmark...` in `{}`", folder.path.join(name).display());
        found.targets.extend(alone);
        return Ok(found);
    }
    let mut folders = Vec::new();
    packages(folder.path, DEPTH, &mut folders);
    for package in folders {
        let below = package.strip_prefix(folder.path).unwrap_or(Path::new(""));
        let name = Path::new(&folder.name).join(below).to_string_lossy().into_owned();
        found.targets.extend(target(&package, name)?);
    }
    if folder.is_named {
        found.lack = format!("no `func Benchmark...` in a `_test.go` file of `{}`", folder.path.display());
    }
    Ok(found)
}

/// The folders with tests, from the top down.
fn packages(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if !tests_of(folder).is_empty() {
        found.push(folder.to_owned());
    }
    for below in entries(folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        let name = below.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_hidden =
            name.starts_with(['.', '_']) || LEFT_OUT.contains(&name.as_str()) || crate::projects::is_skipped(&name);
        if depth > 0 && !is_hidden {
            packages(&below, depth - 1, found);
        }
    }
}

/// Whether a folder belongs to a module or a workspace, so that Go knows which files form a package.
pub(super) fn is_in_module(folder: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.ancestors().any(|above| above.join("go.mod").is_file() || above.join("go.work").is_file())
}

fn target(folder: &Path, name: String) -> Result<Option<Target>, DiscoverError> {
    target_of(folder, name, None)
}

fn target_of(folder: &Path, name: String, file: Option<&Path>) -> Result<Option<Target>, DiscoverError> {
    let has_benchmarks = |path: &PathBuf| read_source(path).is_ok_and(|text| source::has_benchmarks(&text));
    let tests = file.map_or_else(|| tests_of(folder), |file| vec![folder.join(file)]);
    if !tests.iter().any(has_benchmarks) {
        return Ok(None);
    }
    let path = absolute(folder)?;
    let name = if name.is_empty() { last_name(&path) } else { name };
    let names = [name.clone(), name];
    Ok(Some(ProjectTool(&GO).target(path, names, file.map(Path::to_owned), Language(&LANGUAGE))))
}

fn of_file(path: &Path) -> Option<Result<Target, Skipped>> {
    target(path.parent()?, String::new()).ok().flatten().map(Ok)
}

fn tests_of(folder: &Path) -> Vec<PathBuf> {
    sources_of(folder).into_iter().filter(|path| is_test(path)).collect()
}

pub(super) fn is_test(path: &Path) -> bool {
    path.to_string_lossy().ends_with(TESTS)
}

pub(super) fn sources_of(folder: &Path) -> Vec<PathBuf> {
    let is_source = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "go") && path.is_file();
    entries(folder).into_iter().filter(is_source).collect()
}

/// The tests of the package of this file, if it has benchmarks.
fn of_manifest(collector: &mut Collector, manifest: &Path) {
    if manifest.to_string_lossy().ends_with(TESTS) && collector.has_benchmarks(manifest) {
        of_source(collector, manifest);
        collector.add(manifest);
    }
}

/// Other files that a benchmark needs: the other tests of its package, and their data.
fn of_source(collector: &mut Collector, path: &Path) {
    let folder = path.parent().unwrap_or(Path::new(""));
    let others: Vec<PathBuf> = collector.below(folder);
    for other in others {
        let is_beside = other.parent() == Some(folder) && other.to_string_lossy().ends_with(TESTS);
        if is_beside {
            collector.help_below(&other);
        }
    }
    collector.help_below(&folder.join("testdata"));
}

fn build(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let of_each = targets.iter().enumerate();
    of_each.filter_map(|(at, target)| Some((at, super::package::build(context, target)?))).collect()
}
