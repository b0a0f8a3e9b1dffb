//! The build tools for projects of many files. Each is in the folder of a language, which names it.

use crate::discover::last_name;
use crate::discover::{DiscoverError, DiscoverOptions, Features, Language, Skipped, Survey, Target, TargetKind};
use crate::languages;
use crate::revision::ToolBenchmarks;
use crate::toolchain::context::{BuildContext, BuildResult};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy)]
pub struct ProjectTool(pub(crate) &'static Tool);

pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// What it builds, for messages: `Cargo packages`.
    pub(crate) title: &'static str,
    pub(crate) output: &'static [&'static str],
    /// Whether a file of this name makes its folder one of a project.
    pub(crate) is_manifest: fn(&str) -> bool,
    /// Whether a project begins in a folder; a folder with a manifest may be part of the project above it.
    pub(crate) begins: fn(&Path) -> bool,
    pub(crate) nests: bool,
    /// The targets of a folder that has the manifest.
    pub(crate) find: fn(&Folder) -> Result<FoundTargets, DiscoverError>,
    /// The targets of the project above a subfolder that the user named and that has none itself.
    pub(crate) find_above: fn(&Path, &DiscoverOptions) -> Option<Survey>,
    /// The target that a source file belongs to in its project, if the file tells.
    pub(crate) target_of_file: fn(&Path, &Features) -> Option<Result<Target, Skipped>>,
    /// Whether the benchmarks of one file can be selected from a target's.
    pub(crate) tells_files: bool,
    /// The folder of a path that means all projects below, in the syntax of the tool: `./...`.
    pub(crate) all_below: fn(&Path) -> Option<PathBuf>,
    pub(crate) has_features: bool,
    pub(crate) features: fn(&Path, &str, &Features) -> Vec<String>,
    pub(crate) known_features: fn(&Path) -> BTreeSet<String>,
    pub(crate) benchmarks: ToolBenchmarks,
    /// Builds the targets of one project together. Each result has the index of its target. A target that turns out to have no benchmarks
    /// of ours has no result, and one may have several.
    pub(crate) build: fn(&BuildContext, &[&Target]) -> Vec<OfTarget>,
}

impl Tool {
    pub(crate) const NONE: Tool = Tool {
        name: "",
        title: "",
        output: &[],
        is_manifest: |_| false,
        begins: |_| false,
        nests: false,
        find: |_| Ok(FoundTargets::default()),
        find_above: |_, _| None,
        target_of_file: |_, _| None,
        tells_files: false,
        all_below: |_| None,
        has_features: false,
        features: |_, _, _| Vec::new(),
        known_features: |_| BTreeSet::new(),
        benchmarks: ToolBenchmarks::NONE,
        build: |_, _| Vec::new(),
    };
}

pub(crate) fn all() -> Vec<ProjectTool> {
    let mut tools: Vec<ProjectTool> = Vec::new();
    for tool in languages::all().filter_map(|language| language.project) {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

/// Whether the walk skips folders of this name: build output and third-party code.
pub(crate) fn is_skipped(folder: &str) -> bool {
    folder == "node_modules" || all().iter().any(|tool| tool.tool().output.contains(&folder))
}

/// Hidden, skipped, or a virtual environment of Python, whatever its name.
pub(crate) fn is_hidden(folder: &Path) -> bool {
    let name = last_name(folder);
    name.starts_with('.') || is_skipped(&name) || folder.join("pyvenv.cfg").is_file()
}

pub(crate) fn all_below(path: &Path) -> Option<PathBuf> {
    all().into_iter().find_map(|tool| (tool.tool().all_below)(path))
}

/// Whether a file of this name describes how a project is built.
pub fn is_manifest(name: &str) -> bool {
    all().iter().any(|tool| (tool.tool().is_manifest)(name))
}

pub(crate) type OfTarget = (usize, BuildResult);

pub(crate) struct Folder<'a> {
    pub(crate) path: &'a Path,
    /// Relative to the folder that the user named.
    pub(crate) name: String,
    /// The user named this very folder.
    pub(crate) is_named: bool,
    pub(crate) manifest: Option<&'a str>,
    /// No other tool has found targets here.
    pub(crate) is_first: bool,
    pub(crate) options: &'a DiscoverOptions,
}

#[derive(Default)]
pub(crate) struct FoundTargets {
    pub(crate) targets: Vec<Target>,
    pub(crate) skipped: Vec<Skipped>,
    /// What the folder lacks, if it has no target.
    pub(crate) lack: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectTarget {
    pub tool: ProjectTool,
    pub folder: PathBuf,
    /// Name of the package; empty if the tool has no packages.
    pub package: String,
    /// Name of the target in its package. Empty: all of them, known only once the project is configured.
    pub name: String,
    /// CMake: only targets with a source in this folder (None: all). .NET: the project file. Go and Java: the only file.
    pub below: Option<PathBuf>,
}

impl ProjectTool {
    /// A target of this tool. `names`: the one in messages, and the one that the tool knows.
    pub(crate) fn target(
        self,
        folder: PathBuf,
        names: [String; 2],
        below: Option<PathBuf>,
        language: Language,
    ) -> Target {
        let [shown, name] = names;
        let project = ProjectTarget { tool: self, folder: folder.clone(), package: String::new(), name, below };
        Target { name: shown, kind: TargetKind::Project(project), path: folder, language }
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    pub fn named(name: &str) -> Option<ProjectTool> {
        all().into_iter().find(|tool| tool.name() == name)
    }

    pub(crate) fn tool(self) -> &'static Tool {
        self.0
    }
}

impl PartialEq for ProjectTool {
    fn eq(&self, other: &ProjectTool) -> bool {
        self.name() == other.name()
    }
}

impl Eq for ProjectTool {}

impl std::fmt::Debug for ProjectTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_manifest_is_of_one_tool() {
        let order: Vec<&str> = all().iter().map(|tool| tool.name()).collect();
        // CMake comes first for a named folder only if no earlier tool finds anything.
        assert_eq!(order, ["cargo", "cmake", "dotnet", "go", "maven"]);
        for manifest in [
            "Cargo.toml",
            "CMakeLists.txt",
            "a.csproj",
            "a.fsproj",
            "a.vbproj",
            "a.sln",
            "a_test.go",
            "pom.xml",
            "build.gradle",
        ] {
            let tools = all().into_iter().filter(|tool| (tool.tool().is_manifest)(manifest)).count();
            assert_eq!(tools, 1, "{manifest}");
        }
    }
}
