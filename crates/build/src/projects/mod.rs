//! The tools that build projects of many files: one file each. A further tool is a further file and its line in [`ALL`].

mod cargo;
mod cmake;
mod dotnet;

use crate::discover::{DiscoverError, DiscoverOptions, Features, Skipped, Survey, Target};
use crate::toolchain::context::{BuildContext, BuildResult};
use std::path::{Path, PathBuf};

pub(crate) use dotnet::has_benchmarks as has_dotnet_benchmarks;

/// All of them. In a folder that is a project of several, those further up are asked first.
pub(crate) const ALL: [ProjectTool; 3] =
    [ProjectTool(&cargo::CARGO), ProjectTool(&cmake::CMAKE), ProjectTool(&dotnet::DOTNET)];

/// A tool that builds projects.
#[derive(Clone, Copy)]
pub struct ProjectTool(&'static Tool);

/// What is to be known of a tool.
pub(crate) struct Tool {
    /// The word that artifacts use.
    pub(crate) name: &'static str,
    /// Whether a file of this name makes its folder one of a project.
    pub(crate) is_manifest: fn(&str) -> bool,
    /// Whether a project begins in a folder; one may have the manifest and be a part of the project above it.
    pub(crate) begins: fn(&Path) -> bool,
    /// Projects within a project are looked for too.
    pub(crate) nests: bool,
    /// The targets of a folder that has the manifest.
    pub(crate) find: fn(&Folder) -> Result<Found, DiscoverError>,
    /// Those of a project of which the user named a part that has none itself.
    pub(crate) find_above: fn(&Path, &DiscoverOptions) -> Option<Survey>,
    /// The target that a source file is in its project, where the file says it.
    pub(crate) target_of_file: fn(&Path, &Features) -> Option<Result<Target, Skipped>>,
    /// Builds the targets of one project together. Each result comes with the place of its target; a target that turns out to be
    /// none of ours has no result, and one may have several.
    pub(crate) build: fn(&BuildContext, &[&Target]) -> Vec<OfTarget>,
}

/// The place of a target in its list, and a result of it.
pub(crate) type OfTarget = (usize, BuildResult);

/// A folder with a manifest, as the walk came to it.
pub(crate) struct Folder<'a> {
    pub(crate) path: &'a Path,
    /// Below the folder that the user named.
    pub(crate) name: String,
    /// The user named this very folder.
    pub(crate) is_named: bool,
    /// Name of the manifest, where the user named it.
    pub(crate) manifest: Option<&'a str>,
    /// No other tool has found targets here.
    pub(crate) is_first: bool,
    pub(crate) options: &'a DiscoverOptions,
}

/// What a folder with a manifest has.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) targets: Vec<Target>,
    pub(crate) skipped: Vec<Skipped>,
    /// What it lacks, when it has no target.
    pub(crate) lack: String,
}

/// A target of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectTarget {
    /// Who builds it.
    pub tool: ProjectTool,
    /// Folder of the manifest.
    pub folder: PathBuf,
    /// Name of the package; empty where the tool has no packages.
    pub package: String,
    /// Name of the target in its package. Empty: all that there are, which is known only after the project was configured.
    pub name: String,
    /// Of CMake only what has a source in this folder; None: all. Of .NET the name of the project file.
    pub below: Option<PathBuf>,
}

impl ProjectTool {
    /// Cargo: the bench targets of packages.
    pub const CARGO: ProjectTool = ProjectTool(&cargo::CARGO);
    /// CMake: the executables of projects.
    pub const CMAKE: ProjectTool = ProjectTool(&cmake::CMAKE);

    /// .NET: projects of C#, F# and Visual Basic.
    pub const DOTNET: ProjectTool = ProjectTool(&dotnet::DOTNET);

    /// The word that artifacts use: `cargo`, `cmake`, `dotnet`.
    pub fn name(self) -> &'static str {
        self.0.name
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
    use std::collections::BTreeSet;

    #[test]
    fn every_name_and_manifest_is_of_one_tool() {
        let names: BTreeSet<&str> = ALL.iter().map(|tool| tool.name()).collect();
        assert_eq!(names.len(), ALL.len());
        for manifest in ["Cargo.toml", "CMakeLists.txt", "a.csproj", "a.fsproj", "a.vbproj", "a.sln"] {
            let tools = ALL.iter().filter(|tool| (tool.tool().is_manifest)(manifest)).count();
            assert_eq!(tools, 1, "{manifest}");
        }
    }
}
