//! Finds the bench targets of Cargo packages that use Tare. It reads manifests without starting Cargo: a bench target without libtest must
//! be declared (`harness = false`), and asking Cargo would take a hundred times longer.

use super::package::{benches, Bench};
use crate::discover::last_name;
use crate::discover::{absolute, DiscoverError, DiscoverOptions, Features, Skipped, Target, TargetKind};
use crate::languages::rust::harness::{harness, Harness, LIBTEST};
use crate::languages::{rust, Language};
use crate::projects::{FoundTargets, ProjectTarget, ProjectTool};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::entries;
use toml::{Table, Value};

const MEMBER_LIMIT: usize = 10_000;

pub(super) fn project(folder: &Path, options: &DiscoverOptions) -> Result<FoundTargets, DiscoverError> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let mut found = FoundTargets::default();
    let mut foreign = found.package(folder, &manifest, &options.features)?;
    if let Some(workspace) = manifest.get("workspace").and_then(Value::as_table) {
        for member in members(folder, workspace) {
            foreign.extend(found.package(&member, &read(&member.join("Cargo.toml"))?, &options.features)?);
        }
    }
    found.settle(foreign, options);
    let path = folder.join("Cargo.toml");
    if folder.parent().is_some_and(|above| above.ends_with(rust::COPY)) {
        // The front end itself, as written by `tare init`.
        return Ok(found);
    }
    found.lack = format!("`{}` has no bench target with `harness = false` that depends on `tare`", path.display());
    Ok(found)
}

/// The bench targets of the package in `folder`, without other members of a workspace.
pub(super) fn package_alone(folder: &Path, options: &DiscoverOptions) -> Result<FoundTargets, DiscoverError> {
    let mut found = FoundTargets::default();
    let foreign = found.package(folder, &read(&folder.join("Cargo.toml"))?, &options.features)?;
    found.settle(foreign, options);
    Ok(found)
}

/// The bench target of this source (`benches/NAME.rs`, `benches/NAME/main.rs`): by itself it would lack its package.
pub(super) fn bench_of_file(path: &Path, features: &Features) -> Option<Result<Target, Skipped>> {
    let source = if path.ends_with("main.rs") { path.parent()? } else { path };
    let benches = source.parent().filter(|folder| folder.ends_with("benches"))?;
    let name = source.file_stem()?.to_str()?;
    let folder = benches.parent()?;
    let (features, benches) = (features.clone(), vec![name.to_owned()]);
    let found = package_alone(folder, &DiscoverOptions { features, benches, ..DiscoverOptions::default() }).ok()?;
    let is_it = |t: &Target| t.project().is_some_and(|project| project.name == name);
    let target = found.targets.into_iter().find(is_it);
    let skipped = || found.skipped.into_iter().find(|s| s.bench == name);
    target.map(Ok).or_else(|| skipped().map(Err))
}

/// Whether libtest instead of Tare would run the bench target because `harness = false` is missing. Benchmarks of libtest itself do not
/// count. None if the manifest cannot be read.
pub(super) fn missing_harness(package_dir: &Path, bench: &str) -> Option<bool> {
    let manifest = read(&package_dir.join("Cargo.toml")).ok()?;
    let is_of_libtest = |source: &Path| harness(source, false) == Harness::Other(LIBTEST);
    let is_right = |b: &Bench| b.is_own_harness || is_of_libtest(&b.source);
    let has_own = benches(package_dir, &manifest).iter().any(|b| b.name == bench && is_right(b));
    Some(!has_own)
}

/// Whether the manifest has a section for this bench target: a second one would be an error.
pub(in crate::languages::rust) fn has_bench_section(package_dir: &Path, bench: &str) -> bool {
    let Ok(manifest) = read(&package_dir.join("Cargo.toml")) else { return false };
    let sections = manifest.get("bench").and_then(Value::as_array);
    sections.is_some_and(|all| all.iter().any(|one| one.get("name").and_then(Value::as_str) == Some(bench)))
}

pub(super) fn features_of(package_dir: &Path, package: &str, features: &Features) -> Vec<String> {
    read(&package_dir.join("Cargo.toml")).map(|manifest| features.of(package, &manifest)).unwrap_or_default()
}

pub(super) fn feature_names(package_dir: &Path) -> BTreeSet<String> {
    read(&package_dir.join("Cargo.toml")).map(|manifest| super::package::known(&manifest)).unwrap_or_default()
}

pub(in crate::languages::rust) fn read(path: &Path) -> Result<Table, DiscoverError> {
    let text =
        fs::read_to_string(path).map_err(|source| DiscoverError::Unreadable { path: path.to_owned(), source })?;
    text.parse::<Table>().map_err(|e| {
        let line = e.span().map(|s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map(|l| format!("line {l}: ")).unwrap_or_default();
        DiscoverError::Manifest { path: path.to_owned(), reason: format!("{place}{}", e.message()) }
    })
}

/// A bench target of another harness that Tare can run, both as a target and as a skipped one.
type Foreign = (Target, Skipped);

impl FoundTargets {
    /// Adds targets of other harnesses that are named, or all if the project has no targets of Tare. Users who are moving to Tare do not
    /// want everything built and measured twice.
    fn settle(&mut self, foreign: Vec<Foreign>, options: &DiscoverOptions) {
        let has_own = !self.targets.is_empty();
        for (target, skipped) in foreign {
            match has_own && !options.benches.contains(&skipped.bench) {
                true => self.skipped.push(skipped),
                false => self.targets.push(target),
            }
        }
        self.skipped.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Adds the bench targets of one package; other targets are recorded as skipped. Returns those of other harnesses that Tare can run.
    fn package(&mut self, folder: &Path, manifest: &Table, features: &Features) -> Result<Vec<Foreign>, DiscoverError> {
        let mut foreign = Vec::new();
        let Some(package) = manifest.get("package").and_then(|p| p.get("name")).and_then(Value::as_str) else {
            return Ok(foreign);
        };
        let depends = depends_on_tare(manifest);
        let path = absolute(folder)?;
        let enabled = features.enabled(manifest, package);
        for bench in benches(folder, manifest) {
            let name = format!("{package}/{}", bench.name);
            let skip = |why: String, instead: String| Skipped {
                name: name.clone(),
                bench: bench.name.clone(),
                why,
                instead,
                missing: None,
            };
            let command = format!("cargo bench --package {package} --bench {}", bench.name);
            let target = || Target {
                name: name.clone(),
                kind: TargetKind::Project(ProjectTarget {
                    tool: ProjectTool(&super::CARGO),
                    folder: path.clone(),
                    package: package.to_owned(),
                    name: bench.name.clone(),
                    below: None,
                }),
                path: path.clone(),
                language: Language(&rust::LANGUAGE),
            };
            let lacking: Vec<&str> =
                bench.required.iter().filter(|f| !enabled.contains(*f)).map(String::as_str).collect();
            let lack = || {
                let (names, flag) = (lacking.join("`, `"), format!("`--features {}`", lacking.join(",")));
                skip(format!("needs the feature `{names}`"), format!("add {flag}"))
            };
            match harness(&bench.source, bench.is_own_harness) {
                Harness::Other(other) if is_run(other, bench.is_own_harness) => match lacking.is_empty() {
                    true => {
                        let instead = format!("`tare run --bench {}` runs it as it is", bench.name);
                        foreign.push((target(), skip(format!("uses {other}"), instead)));
                    }
                    false => self.skipped.push(lack()),
                },
                Harness::Other(other) => {
                    let instead = format!("`{command}` runs it");
                    self.skipped.push(skip(format!("uses {other}"), instead));
                }
                // Nothing suggests that it uses Tare.
                Harness::Unknown if !depends => {}
                _ if !depends => {}
                _ if !lacking.is_empty() => self.skipped.push(lack()),
                Harness::Tare | Harness::Unknown => self.targets.push(target()),
            }
        }
        Ok(foreign)
    }
}

/// Whether programs of a harness can be run. If Cargo adds libtest's `main`, a harness with its own `main` cannot work.
fn is_run(harness: &str, is_own_harness: bool) -> bool {
    tare_harness::knows(harness) && is_own_harness != (harness == LIBTEST)
}

/// Package names of the front end, in the repository and as published (`packaging/crates.py`). Both have the library `tare`.
const FRONT_ENDS: [&str; 2] = ["tare", "tare-bench"];

/// Whether any dependency table contains the front end, even renamed or for one platform only.
pub(in crate::languages::rust) fn depends_on_tare(manifest: &Table) -> bool {
    super::package::dependencies(manifest)
        .any(|(key, value)| FRONT_ENDS.contains(&value.get("package").and_then(Value::as_str).unwrap_or(key)))
}

fn members(root: &Path, workspace: &Table) -> Vec<PathBuf> {
    let list = |key: &str| -> Vec<&str> {
        workspace.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let excluded: Vec<PathBuf> = list("exclude").into_iter().map(|e| root.join(e)).collect();
    let mut found = BTreeSet::new();
    for pattern in list("members") {
        expand(root, pattern, &mut found);
    }
    let not_excluded = |folder: &PathBuf| !excluded.iter().any(|e| folder.starts_with(e));
    found.into_iter().filter(|f| f != root && f.join("Cargo.toml").is_file()).filter(not_excluded).collect()
}

/// Folders that match a pattern of path components, in which `*` stands for any characters of one name.
fn expand(root: &Path, pattern: &str, found: &mut BTreeSet<PathBuf>) {
    let mut folders = vec![root.to_owned()];
    for part in pattern.split('/').filter(|p| !p.is_empty() && *p != ".") {
        if !part.contains(['*', '?']) {
            folders = folders.into_iter().map(|f| f.join(part)).collect();
            continue;
        }
        let inside = folders.iter().flat_map(|folder| entries(folder));
        let fits = |path: &PathBuf| path.is_dir() && tare_engine::matches(part, &last_name(path));
        folders = inside.filter(fits).take(MEMBER_LIMIT).collect();
    }
    found.extend(folders);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_without_its_own_harness_is_there_all_the_same() {
        let folder = crate::toolchain::tests::help::Folder::new();
        folder.write("Cargo.toml", "[package]\nname = \"p\"\n[[bench]]\nname = \"b\"\n");
        let path = &folder.path;
        assert!(has_bench_section(path, "b") && missing_harness(path, "b") == Some(true));
        assert!(!has_bench_section(path, "c") && missing_harness(path, "c") == Some(true));
    }

    #[test]
    fn dependencies_by_any_road() {
        let depends = |text: &str| depends_on_tare(&text.parse::<Table>().unwrap_or_default());
        assert!(depends("[dev-dependencies]\ntare = \"0.1\""));
        assert!(depends("[dependencies]\nt = { package = \"tare\", path = \"x\" }"));
        assert!(depends("[dev-dependencies]\ntare.workspace = true"));
        assert!(depends("[dev-dependencies]\ntare-bench = \"0.1\""));
        assert!(depends("[dev-dependencies]\ntare = { package = \"tare-bench\", version = \"0.1\" }"));
        assert!(depends("[target.'cfg(unix)'.dev-dependencies]\ntare = \"1\""));
        assert!(!depends("[dependencies]\ntare = { package = \"other\" }"));
        assert!(!depends("[dependencies]\nserde = \"1\""));
    }
}
