//! Replies of CMake's file API: the executables of a configured project.

use serde::de::DeserializeOwned;
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Codemodel {
    configurations: Vec<Configuration>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Configuration {
    targets: Vec<TargetReference>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TargetReference {
    json_file: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TargetReply {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    artifacts: Vec<PathOnly>,
    sources: Vec<PathOnly>,
    dependencies: Vec<Dependency>,
    compile_groups: Vec<CompileGroup>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PathOnly {
    path: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Dependency {
    id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CompileGroup {
    includes: Vec<PathOnly>,
    language: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Files {
    inputs: Vec<Input>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Input {
    path: String,
    is_generated: bool,
    #[serde(rename = "isCMake")]
    is_of_cmake: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) sources: Vec<PathBuf>,
    pub(crate) includes: Vec<PathBuf>,
    /// Names of the project's targets that it depends on.
    pub(crate) dependencies: Vec<String>,
    pub(crate) is_c: bool,
}

/// Requests the model and the list of input files; CMake answers at the next configuration.
pub(crate) fn ask(build_dir: &Path) -> io::Result<()> {
    let folder = build_dir.join(".cmake/api/v1/query");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("cmakeFiles-v1"), "")?;
    fs::write(folder.join("codemodel-v2"), "")
}

/// The files that the project was configured from, without CMake's own.
pub(crate) fn inputs(build_dir: &Path, source_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let files: Files = read(&newest(build_dir, "cmakeFiles-v1-")?)?;
    let own = files.inputs.into_iter().filter(|input| !input.is_generated && !input.is_of_cmake);
    Ok(own.map(|input| source_dir.join(input.path)).collect())
}

fn newest(build_dir: &Path, kind: &str) -> io::Result<PathBuf> {
    let folder = build_dir.join(".cmake/api/v1/reply");
    let mut replies: Vec<PathBuf> = fs::read_dir(&folder)?.filter_map(|e| Some(e.ok()?.path())).collect();
    replies.retain(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(kind)));
    replies.sort();
    replies.pop().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "cmake wrote no project description"))
}

/// The executables in the reply, sorted by name.
pub(crate) fn executables(build_dir: &Path, source_dir: &Path) -> io::Result<Vec<Executable>> {
    let folder = build_dir.join(".cmake/api/v1/reply");
    let model: Codemodel = read(&newest(build_dir, "codemodel-v2-")?)?;
    let mut found = Vec::new();
    for reference in model.configurations.into_iter().take(1).flat_map(|c| c.targets) {
        let target: TargetReply = read(&folder.join(reference.json_file))?;
        let Some(artifact) = target.artifacts.first().filter(|_| target.kind == "EXECUTABLE") else { continue };
        let name_of = |d: &Dependency| d.id.split("::@").next().unwrap_or_default().to_owned();
        found.push(Executable {
            path: build_dir.join(&artifact.path),
            sources: target.sources.iter().map(|s| source_dir.join(&s.path)).collect(),
            includes: target.compile_groups.iter().flat_map(|g| &g.includes).map(|i| PathBuf::from(&i.path)).collect(),
            dependencies: target.dependencies.iter().map(name_of).collect(),
            is_c: !target.compile_groups.is_empty() && target.compile_groups.iter().all(|g| g.language == "C"),
            name: target.name,
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn read<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}
