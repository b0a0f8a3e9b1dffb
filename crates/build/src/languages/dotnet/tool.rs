//! .NET: a project file is a program, if it has benchmarks.

use super::{namespace, project, FSHARP, LANGUAGE, TOOLCHAIN, VISUAL_BASIC};
use crate::discover::{absolute, read_source, DiscoverError, Survey, Target};
use crate::languages::Language;
use crate::projects::{Folder, FoundTargets, OfTarget, ProjectTool, Tool};
use crate::revision::{Collector, ToolBenchmarks};
use crate::toolchain::context::BuildContext;
use std::path::{Path, PathBuf};
use tare_process::files::entries;

const SUFFIXES: [&str; 3] = ["csproj", "fsproj", "vbproj"];
const SOLUTIONS: [&str; 2] = ["sln", "slnx"];
const DECLARATIONS: [&str; 3] = ["[Benchmark", "[<Benchmark", "<Benchmark"];
const WORDS: [&str; 3] = ["\"Tare", "Tare.csproj", "\"BenchmarkDotNet"];

pub(super) const DOTNET: Tool = Tool {
    name: TOOLCHAIN,
    title: ".NET projects",
    is_manifest: |name| has_suffix(Path::new(name), &SUFFIXES) || has_suffix(Path::new(name), &SOLUTIONS),
    output: &["bin", "obj"],
    begins: |folder| !projects(folder).is_empty(),
    nests: true,
    find,
    find_above: |folder, _| {
        let targets: Vec<Target> =
            projects(folder).iter().filter_map(|p| target(folder, p, String::new()).ok()).collect();
        (!targets.is_empty()).then_some(Survey { targets, skipped: Vec::new() })
    },
    benchmarks: ToolBenchmarks { of_manifest, ..ToolBenchmarks::NONE },
    build,
    ..Tool::NONE
};

fn find(folder: &Folder) -> Result<FoundTargets, DiscoverError> {
    let named = folder.manifest.filter(|name| has_suffix(Path::new(name), &SUFFIXES));
    let all = projects(folder.path);
    let of_name = |path: &&PathBuf| named.is_none_or(|name| path.file_name().is_some_and(|own| own == name));
    let wanted: Vec<&PathBuf> =
        all.iter().filter(of_name).filter(|path| named.is_some() || has_benchmarks(path)).collect();
    let mut found = FoundTargets::default();
    for path in &wanted {
        found.targets.push(target(folder.path, path, folder.name.clone())?);
    }
    let looked_at: Vec<String> = all.iter().map(|path| format!("`{}`", path.display())).collect();
    found.lack = match looked_at.is_empty() {
        true => format!("`{}` has no project", folder.path.display()),
        false => format!(
            "{} references neither Tare nor BenchmarkDotNet, or is a library without benchmarks",
            looked_at.join(", ")
        ),
    };
    Ok(found)
}

fn target(folder: &Path, project: &Path, name: String) -> Result<Target, DiscoverError> {
    let stem = project.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let path = absolute(folder)?;
    let below = project.file_name().map(PathBuf::from);
    let name = if name.is_empty() || name == stem { stem.clone() } else { format!("{name}/{stem}") };
    Ok(ProjectTool(&DOTNET).target(path, [name, stem], below, language_of(project)))
}

fn language_of(project: &Path) -> Language {
    match project.extension().and_then(|suffix| suffix.to_str()) {
        Some("fsproj") => Language(&FSHARP),
        Some("vbproj") => Language(&VISUAL_BASIC),
        _ => Language(&LANGUAGE),
    }
}

fn projects(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_file() && has_suffix(path, &SUFFIXES)).collect()
}

/// The project file with its folder: where it has benchmarks, all in it is theirs.
fn of_manifest(collector: &mut Collector, manifest: &Path) {
    if !has_suffix(manifest, &SUFFIXES) || !has_benchmarks(&collector.root().join(manifest)) {
        return;
    }
    let folder = manifest.parent().unwrap_or(Path::new(""));
    // In the top folder the sources of the library may lie beside those of the benchmarks.
    let is_top = folder.as_os_str().is_empty();
    let files: Vec<PathBuf> =
        collector.below(folder).into_iter().filter(|path| !is_top || collector.has_benchmarks(path)).collect();
    files.iter().for_each(|path| collector.add(path));
}

/// The project says so, or a source beside it: a version of all packages may be stated elsewhere.
pub(super) fn has_benchmarks(project: &Path) -> bool {
    let text = read_source(project).unwrap_or_default();
    let sources = || project.parent().into_iter().flat_map(entries);
    let refers = || WORDS.iter().any(|word| text.contains(word));
    let uses = |path: &PathBuf| {
        has_suffix(path, &["cs", "fs", "vb"]) && read_source(path).is_ok_and(|text| namespace::uses_tare(&text))
    };
    // A library is started by the front end; many that refer to the package have no benchmark, and are there for others.
    let declares =
        |path: &PathBuf| read_source(path).is_ok_and(|text| DECLARATIONS.iter().any(|word| text.contains(word)));
    match text.contains("<OutputType>") {
        true => refers() || sources().any(|path| uses(&path)),
        false => refers() && sources().any(|path| uses(&path) && declares(&path)),
    }
}

fn has_suffix(path: &Path, suffixes: &[&str]) -> bool {
    path.extension().and_then(|suffix| suffix.to_str()).is_some_and(|suffix| suffixes.contains(&suffix))
}

fn build(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let of_each = targets.iter().enumerate().filter_map(|(at, target)| {
        let project = target.project()?;
        Some((at, target, project.folder.join(project.below.as_ref()?)))
    });
    of_each.map(|(at, target, manifest)| (at, project::build(context, target, &manifest))).collect()
}
