//! Maven and Gradle projects in Java, Kotlin or Scala: their tool compiles a module and reports its class path.

use super::jdk::Jdk;
use super::source::{has_benchmarks, in_package};
use super::{gradle, maven, LANGUAGE};
use crate::discover::last_name;
use crate::discover::{absolute, read_source, DiscoverError, Survey, Target};
use crate::languages::Language;
use crate::projects::{Folder, FoundTargets, OfTarget, ProjectTool, Tool};
use crate::revision::{Collector, ToolBenchmarks};
use crate::toolchain::context::{text, BuildContext};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::missing;
use std::path::{Path, PathBuf};
use tare_process::files::files_below;

const OUTPUT: [&str; 2] = ["target", "build"];
const SUFFIXES: [&str; 3] = ["java", "kt", "scala"];
/// Levels of folders searched below a module.
const DEPTH: usize = 24;

pub(super) const PROJECTS: Tool = Tool {
    name: "maven",
    title: "Maven and Gradle projects",
    output: &OUTPUT,
    is_manifest: |name| name == maven::MANIFEST || gradle::MANIFESTS.contains(&name),
    begins: is_project,
    nests: true,
    find,
    find_above: |folder, _| {
        let targets: Vec<Target> = target(folder, String::new()).ok().flatten().into_iter().collect();
        (!targets.is_empty()).then_some(Survey { targets, skipped: Vec::new() })
    },
    target_of_file: |path, _| {
        let module = path.ancestors().skip(1).find(|folder| is_project(folder))?;
        // Elsewhere it is a standalone file.
        let target = sources(module).iter().any(|source| source == path).then(|| target(module, String::new()))?;
        target.ok().flatten().map(Ok)
    },
    tells_files: true,
    benchmarks: ToolBenchmarks { of_manifest, ..ToolBenchmarks::NONE },
    build,
    ..Tool::NONE
};

fn is_project(folder: &Path) -> bool {
    folder.join(maven::MANIFEST).is_file() || gradle::is_project(folder)
}

fn find(folder: &Folder) -> Result<FoundTargets, DiscoverError> {
    let targets = target(folder.path, folder.name.clone())?.into_iter().collect();
    let lack = format!("`{}` has no sources with benchmarks", folder.path.display());
    Ok(FoundTargets { targets, lack, ..FoundTargets::default() })
}

fn target(folder: &Path, name: String) -> Result<Option<Target>, DiscoverError> {
    if !sources(folder).iter().any(|path| is_source(path)) {
        return Ok(None);
    }
    let path = absolute(folder)?;
    let name = if name.is_empty() { last_name(&path) } else { name };
    Ok(Some(ProjectTool(&PROJECTS).target(path, [name.clone(), name], None, Language(&LANGUAGE))))
}

/// The single file of a project that the user named, with the folders of its package.
pub(super) fn file_of(target: &Target) -> Option<String> {
    let file = target.project()?.below.as_ref()?;
    read_source(file).ok().map(|text| in_package(file, &text))
}

fn is_source(path: &Path) -> bool {
    read_source(path).is_ok_and(|text| has_benchmarks(&text))
}

/// The sources of a module, without those of nested modules.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let all = files_below(&folder.join("src"), DEPTH, &|_| true);
    all.into_iter().filter(|path| is_of_language(path)).collect()
}

fn is_of_language(path: &Path) -> bool {
    path.extension().and_then(|suffix| suffix.to_str()).is_some_and(|suffix| SUFFIXES.contains(&suffix))
}

/// Takes the module's whole folder if it has benchmarks.
fn of_manifest(collector: &mut Collector, manifest: &Path) {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let has = |path: &PathBuf| is_of_language(path) && has_benchmarks(&collector.text(path));
    let files: Vec<PathBuf> = collector.below(folder).into_iter().filter(has).collect();
    files.iter().for_each(|path| collector.add(path));
}

fn build(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    let one = |target: &Target| match target.path.join(maven::MANIFEST).is_file() {
        true => maven::build(context, target),
        false => gradle::build(context, target),
    };
    targets.iter().enumerate().map(|(at, target)| (at, one(target))).collect()
}

/// The wrapper of a project, or the program on the `PATH`.
pub(super) fn wrapper_or(
    context: &BuildContext,
    root: &Path,
    [wrapper, program]: [&str; 2],
    hint: &str,
) -> Result<PathBuf, BuildFailure> {
    let found = context.variables.find(&text(&root.join(wrapper))).or_else(|| context.variables.find(program));
    found.ok_or_else(|| missing(program, Some(hint.to_owned())))
}

/// Runs a project's tool in a folder with a JDK. Returns the command as shown, and its output.
pub(super) fn run(
    context: &BuildContext,
    (program, words): (&Path, Vec<String>),
    (folder, jdk): (&Path, &Jdk),
) -> Result<(Vec<String>, String), BuildFailure> {
    let mut command = context.variables.command(program);
    command.args(&words).current_dir(folder).env("JAVA_HOME", &jdk.home);
    let shown: Vec<String> = std::iter::once(text(program)).chain(words).collect();
    let done = context.compile(&shown, &mut command)?;
    match done.success {
        true => Ok((shown, done.text())),
        false => Err(BuildFailure::of_compiler(shown, done.status.clone(), done.text())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_by_their_sources() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        };
        let benchmark = "import tare.*\nclass A { @Benchmark fun a() = 1 }";
        write("plain/pom.xml", "<project/>");
        write("plain/src/main/java/p/A.java", "class A {}");
        write("maven/pom.xml", "<project/>");
        write("maven/src/main/kotlin/p/A.kt", benchmark);
        write("gradle/build.gradle.kts", "plugins { java }");
        write("gradle/src/jmh/scala/A.scala", "import org.openjdk.jmh.annotations._\nclass A { @Benchmark def a = 1 }");
        for (name, has_benchmarks) in [("plain", false), ("maven", true), ("gradle", true)] {
            let folder = place.path().join(name);
            assert!(is_project(&folder), "{name}");
            assert_eq!(target(&folder, String::new()).expect("readable").is_some(), has_benchmarks, "{name}");
        }
    }
}
