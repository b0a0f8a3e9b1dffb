//! Which files of a project are those of its benchmarks.

use super::cargo::{self, Package};
use super::{cmake, Benchmarks, Source};
use crate::discover::{include_of, read_source, Language};
use crate::projects;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders of build output and of other people's code.
const SKIPPED: [&str; 5] = ["target", "build", "node_modules", "bin", "obj"];
/// Files of a folder outside the repository that are taken.
const FILES_MAX: usize = 10_000;

/// All files below a folder, but for build output and what is hidden.
pub(super) fn walk(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                _ if name.starts_with('.') => {}
                Ok(kind) if kind.is_dir() && !SKIPPED.contains(&name.as_str()) => folders.push(path),
                Ok(kind) if kind.is_file() && found.len() < FILES_MAX => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The benchmarks of a source.
pub(super) fn collect(source: &Source) -> Benchmarks {
    let mut collector = Collector { source, known: source.list.iter().collect(), found: Benchmarks::default() };
    if source.is_all {
        collector.all();
        return collector.found;
    }
    for wanted in &source.wanted {
        match collector.known.contains(wanted) {
            true => collector.file(wanted),
            false => collector.folder(wanted),
        }
    }
    collector.found
}

struct Collector<'a> {
    source: &'a Source,
    known: BTreeSet<&'a PathBuf>,
    found: Benchmarks,
}

impl Collector<'_> {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let full = self.source.root.join(path);
        // What a link leads to is not of the project.
        full.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        fs::read(full).ok()
    }

    fn add(&mut self, path: &Path) {
        if let Some(content) = self.read(path) {
            self.found.files.insert(path.to_owned(), content);
        }
    }

    fn below(&self, folder: &Path) -> Vec<PathBuf> {
        self.source.list.iter().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    /// A folder outside the repository: its manifests are merged, all else is laid over.
    fn all(&mut self) {
        for path in &self.source.list {
            let folder = path.parent().unwrap_or(Path::new(""));
            match path.file_name().and_then(|name| name.to_str()) {
                Some("Cargo.toml") => drop(self.package(folder)),
                Some("Cargo.lock") => {}
                _ => self.add(path),
            }
        }
    }

    /// A file that the user named.
    fn file(&mut self, path: &Path) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_manifest = projects::ALL.iter().any(|tool| (tool.tool().is_manifest)(name));
        if is_manifest {
            return self.folder(path.parent().unwrap_or(Path::new("")));
        }
        self.add(path);
        match Language::of_source(path) {
            Some(language) if language == Language::RUST => self.bench_of_package(path),
            Some(_) => self.includes(path),
            None => {}
        }
    }

    /// The bench target of a package: its entry, and the modules beside it.
    fn bench_of_package(&mut self, path: &Path) {
        let Some(folder) = path.ancestors().skip(1).find(|f| self.known.contains(&f.join("Cargo.toml"))) else {
            return;
        };
        let folder = folder.to_owned();
        if self.package(&folder).is_some() {
            let beside = path.parent().map(Path::to_owned).unwrap_or_default();
            if beside != folder && !beside.starts_with(folder.join("src")) {
                self.helpers_below(&beside);
            }
        }
    }

    fn helpers_below(&mut self, folder: &Path) {
        for path in self.below(folder) {
            if let Some(content) = self.read(&path) {
                self.found.helpers.insert(path, content);
            }
        }
    }

    /// What a source of C or C++ includes by quotes, in its own folder and below.
    fn includes(&mut self, path: &Path) {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let (mut next, mut seen) = (vec![path.to_owned()], BTreeSet::new());
        while let Some(path) = next.pop() {
            let text = read_source(&self.source.root.join(&path)).unwrap_or_default();
            for included in text.lines().filter_map(quoted_include) {
                let Some(full) = plain(&path.parent().unwrap_or(Path::new("")).join(included)) else { continue };
                if !full.starts_with(&folder) || !self.known.contains(&full) || !seen.insert(full.clone()) {
                    continue;
                }
                if let Some(content) = self.read(&full) {
                    self.found.helpers.insert(full.clone(), content);
                }
                next.push(full);
            }
        }
    }

    /// A folder that the user named, or the whole project.
    fn folder(&mut self, folder: &Path) {
        let list = self.below(folder);
        let is_top = folder.as_os_str().is_empty();
        let manifests = |name: &str| -> Vec<PathBuf> {
            let named = list.iter().filter(|path| path.file_name().is_some_and(|own| own == name));
            named.filter_map(|path| path.parent().map(Path::to_owned)).collect()
        };
        let before = self.count();
        for package in manifests("Cargo.toml") {
            self.benches(&package);
        }
        let lists = manifests("CMakeLists.txt");
        for of_list in &lists {
            self.cmake(of_list);
        }
        for project in list.iter().filter(|path| path.extension().is_some_and(|e| e == "csproj" || e == "fsproj")) {
            self.dotnet(project);
        }
        // A folder within a project: `benches/` of a package, `bench/` of a project of CMake.
        if !is_top && manifests("Cargo.toml").is_empty() {
            if list.iter().any(|path| self.uses_tare(path)) {
                list.iter().for_each(|path| self.add(path));
                list.iter().filter(|path| is_rust(path)).for_each(|path| self.bench_of_package(path));
                self.entries_above(folder);
            }
        } else if self.count() == before || lists.is_empty() {
            let loose: Vec<PathBuf> = list.into_iter().filter(|p| !is_rust(p) && self.uses_tare(p)).collect();
            loose.iter().for_each(|path| self.file(path));
        }
    }

    fn count(&self) -> usize {
        self.found.files.len() + self.found.packages.len() + self.found.cmake.len()
    }

    fn uses_tare(&self, path: &Path) -> bool {
        let Some(language) = Language::of_source(path) else { return false };
        read_source(&self.source.root.join(path)).is_ok_and(|text| (language.source().uses_tare)(&text))
    }

    /// The package in a folder; its manifest is merged with that of a revision.
    fn package(&mut self, folder: &Path) -> Option<Package> {
        if let Some(known) = self.found.packages.get(folder) {
            return Some(known.clone());
        }
        let package = Package::read(&self.source.root, folder)?;
        self.found.packages.insert(folder.to_owned(), package.clone());
        Some(package)
    }

    /// All bench targets of a package that use Tare.
    fn benches(&mut self, folder: &Path) {
        let benches = cargo::bench_files(&self.source.root, folder);
        let benches: Vec<PathBuf> = benches.into_iter().filter(|path| self.uses_tare(path)).collect();
        if benches.is_empty() || self.package(folder).is_none() {
            return;
        }
        for path in benches {
            self.add(&path);
        }
        let below = folder.join("benches");
        self.below(&below).iter().for_each(|path| self.add(path));
    }

    /// The project file of .NET, with its folder: where it has benchmarks, all in it is theirs.
    fn dotnet(&mut self, project: &Path) {
        if projects::has_dotnet_benchmarks(&self.source.root.join(project)) {
            let folder = project.parent().map(Path::to_owned).unwrap_or_default();
            // In the top folder the sources of the library may lie beside those of the benchmarks.
            let is_top = folder.as_os_str().is_empty();
            let files = self.below(&folder).into_iter();
            let files: Vec<PathBuf> = files.filter(|path| !is_top || self.uses_tare(path)).collect();
            files.iter().for_each(|path| self.add(path));
        }
    }

    /// A `CMakeLists.txt`: that of a folder of benchmarks goes with the folder, of another one only what is about them.
    fn cmake(&mut self, folder: &Path) {
        let path = folder.join("CMakeLists.txt");
        let text = read_source(&self.source.root.join(&path)).unwrap_or_default();
        if !text.to_lowercase().contains("tare") {
            return;
        }
        let is_own = !folder.as_os_str().is_empty()
            && (!crate::discover::cmake::is_project(&self.source.root.join(folder))
                || self.below(folder).iter().filter(|p| Language::of_source(p).is_some()).all(|p| self.uses_tare(p)));
        if is_own {
            self.below(folder).iter().for_each(|path| self.add(path));
            return self.entries_above(folder);
        }
        let uses = |source: &str| plain(&folder.join(source)).is_some_and(|source| self.uses_tare(&source));
        let commands = cmake::about(&text, &uses, &|_| false);
        for source in commands.iter().flat_map(|command| cmake::words(command)) {
            if let Some(path) = plain(&folder.join(source)).filter(|path| self.uses_tare(path)) {
                self.add(&path);
                self.includes(&path);
            }
        }
        if !commands.is_empty() {
            self.found.cmake.insert(path, commands);
        }
    }

    /// The `add_subdirectory` of a folder of benchmarks, in the lists above it.
    fn entries_above(&mut self, folder: &Path) {
        for above in folder.ancestors().skip(1) {
            let path = above.join("CMakeLists.txt");
            if !self.known.contains(&path) {
                continue;
            }
            let text = read_source(&self.source.root.join(&path)).unwrap_or_default();
            let is_it = |named: &str| plain(&above.join(named)).is_some_and(|named| folder.starts_with(&named));
            let commands = cmake::about(&text, &|_| false, &is_it);
            let known = self.found.cmake.entry(path).or_default();
            known.extend(commands.into_iter().filter(|command| !known.contains(command)).collect::<Vec<_>>());
        }
        self.found.cmake.retain(|_, commands| !commands.is_empty());
    }
}

fn is_rust(path: &Path) -> bool {
    Language::of_source(path) == Some(Language::RUST)
}

/// `#include "name"`.
fn quoted_include(line: &str) -> Option<&str> {
    include_of(line)?.strip_prefix('"')?.split('"').next()
}

/// A path without `.` and `..`; None where it leads out of the top.
pub(super) fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}
