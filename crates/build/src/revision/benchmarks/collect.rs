//! Finds the files that belong to a project's benchmarks. Each build tool adds its own part in its folder.

use super::{Benchmarks, Part, Source};
use crate::discover::last_name;
use crate::discover::{read_source, Language};
use crate::projects::{self, ProjectTool};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use tare_process::files::files_below;

const FILES_MAX: usize = 10_000;

/// All files below a folder, except build output and hidden files.
pub(super) fn walk(root: &Path) -> Vec<PathBuf> {
    let all = files_below(root, usize::MAX, &|path| !path.is_symlink() && !projects::is_hidden(path));
    let shown = all.into_iter().filter(|path| !path.is_symlink() && !last_name(path).starts_with('.'));
    shown.take(FILES_MAX).filter_map(|path| Some(path.strip_prefix(root).ok()?.to_owned())).collect()
}

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

/// Collects the files of benchmarks. All paths are relative to the top of the project.
pub(crate) struct Collector<'a> {
    source: &'a Source,
    known: BTreeSet<&'a PathBuf>,
    found: Benchmarks,
}

impl Collector<'_> {
    pub(crate) fn root(&self) -> &Path {
        &self.source.root
    }

    pub(crate) fn knows(&self, path: &PathBuf) -> bool {
        self.known.contains(path)
    }

    pub(crate) fn text(&self, path: &Path) -> String {
        read_source(&self.source.root.join(path)).unwrap_or_default()
    }

    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let full = self.source.root.join(path);
        // A link's target is outside the project.
        full.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        fs::read(full).ok()
    }

    pub(crate) fn add(&mut self, path: &Path) {
        if let Some(content) = self.read(path) {
            self.found.files.insert(path.to_owned(), content);
        }
    }

    fn help(&mut self, path: &Path) {
        if let Some(content) = self.read(path) {
            self.found.helpers.insert(path.to_owned(), content);
        }
    }

    /// Takes everything below a folder, for revisions that lack it.
    pub(crate) fn help_below(&mut self, folder: &Path) {
        self.below(folder).iter().for_each(|path| self.help(path));
    }

    /// The parts collected so far to merge into the manifest of a revision.
    pub(crate) fn part(&mut self, tool: ProjectTool, manifest: PathBuf) -> &mut Vec<String> {
        let part = self.found.parts.entry(manifest).or_insert_with(|| Part { tool, texts: Vec::new() });
        &mut part.texts
    }

    pub(crate) fn below(&self, folder: &Path) -> Vec<PathBuf> {
        self.source.list.iter().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    /// Whether a file is a source with benchmarks that can be run: of Tare, or of another harness.
    pub(crate) fn has_benchmarks(&self, path: &Path) -> bool {
        let Some(language) = Language::of_source(path) else { return false };
        let (source, text) = (language.source(), self.text(path));
        (source.uses_tare)(&text)
            || (source.is_suite)(path, &text)
            || (source.foreign)(&text).is_some_and(tare_harness::knows)
    }

    /// A folder outside the repository: its manifests are merged, everything else is laid over.
    fn all(&mut self) {
        for path in &self.source.list {
            let is_merged = projects::all().iter().any(|tool| (tool.tool().benchmarks.take)(self, path));
            if !is_merged {
                self.add(path);
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if projects::is_manifest(name) {
            return self.folder(path.parent().unwrap_or(Path::new("")));
        }
        self.add(path);
        self.of_source(path);
        self.includes(path);
    }

    fn of_source(&mut self, path: &Path) {
        let tool = Language::of_source(path).and_then(|language| language.source().project);
        if let Some(tool) = tool {
            (tool.tool().benchmarks.of_source)(self, path);
        }
    }

    /// Takes the files that a source includes, in its own folder and below.
    pub(crate) fn includes(&mut self, path: &Path) {
        let Some(language) = Language::of_source(path) else { return };
        let taken_in = language.source().taken_in;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let (mut next, mut seen) = (vec![path.to_owned()], BTreeSet::new());
        while let Some(path) = next.pop() {
            for included in self.text(&path).lines().filter_map(taken_in) {
                let Some(full) = plain(&path.parent().unwrap_or(Path::new("")).join(included)) else { continue };
                if !full.starts_with(&folder) || !self.known.contains(&full) || !seen.insert(full.clone()) {
                    continue;
                }
                self.help(&full);
                next.push(full);
            }
        }
    }

    fn folder(&mut self, folder: &Path) {
        let list = self.below(folder);
        let is_top = folder.as_os_str().is_empty();
        let before = self.count();
        let (mut has_packages, mut names_sources) = (false, false);
        for tool in projects::all() {
            let tool = tool.tool();
            let is_manifest =
                |path: &&PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(tool.is_manifest);
            for manifest in list.iter().filter(is_manifest) {
                has_packages |= tool.benchmarks.has_packages;
                names_sources |= tool.benchmarks.names_sources;
                (tool.benchmarks.of_manifest)(self, manifest);
            }
        }
        // A folder within a project: `benches/` of a package, `bench/` of a CMake project.
        if !is_top && !has_packages {
            if list.iter().any(|path| self.has_benchmarks(path)) {
                list.iter().for_each(|path| self.add(path));
                list.iter().for_each(|path| self.of_source(path));
                projects::all().iter().for_each(|tool| (tool.tool().benchmarks.above)(self, folder));
            }
        } else if self.count() == before || !names_sources {
            let loose = list.into_iter().filter(|path| !is_packaged(path) && self.has_benchmarks(path));
            loose.collect::<Vec<_>>().iter().for_each(|path| self.file(path));
        }
    }

    fn count(&self) -> usize {
        self.found.files.len() + self.found.parts.len()
    }
}

fn is_packaged(path: &Path) -> bool {
    let tool = Language::of_source(path).and_then(|language| language.source().project);
    tool.is_some_and(|tool| tool.tool().benchmarks.has_packages)
}

/// A path without `.` and `..`; None if it leaves the top.
pub(crate) fn plain(path: &Path) -> Option<PathBuf> {
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
