//! Maven projects: `mvn` compiles a module and says its class path. Nothing is changed in the project but its folder `target`.

use super::jdk::Jdk;
use super::source::{has_benchmarks, Flags};
use super::start::Program;
use super::{front_end, LANGUAGE};
use crate::discover::{absolute, read_source, DiscoverError, Skipped, Survey, Target, TargetKind};
use crate::languages::Language;
use crate::projects::{Folder, Found, OfTarget, ProjectTarget, ProjectTool, Tool};
use crate::revision::{Collector, ToolBenchmarks};
use crate::toolchain::context::{text, BuildContext, BuildResult};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::missing;
use std::fs;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "pom.xml";
const GRADLE: [&str; 2] = ["build.gradle", "build.gradle.kts"];
/// Of the output of Maven.
const OUTPUT: &str = "target";
/// Where Maven writes the class path of a module.
const CLASS_PATH: &str = "target/tare.classpath";
/// Says the class path. With its version: without one Maven asks its registry each time which is the newest.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";
/// Folders below a module that are looked into.
const DEPTH: usize = 24;

pub(super) const MAVEN: Tool = Tool {
    name: "maven",
    title: "Maven projects",
    sign: MANIFEST,
    output: &[OUTPUT],
    is_manifest: |name| name == MANIFEST || GRADLE.contains(&name),
    begins: |folder| folder.join(MANIFEST).is_file(),
    nests: true,
    find,
    find_above: |folder, _| {
        let targets: Vec<Target> = target(folder, String::new()).ok().flatten().into_iter().collect();
        (!targets.is_empty()).then_some(Survey { targets, skipped: Vec::new() })
    },
    target_of_file: |path, _| {
        let module = path.ancestors().skip(1).find(|folder| folder.join(MANIFEST).is_file())?;
        target(module, String::new()).ok().flatten().map(Ok)
    },
    benchmarks: ToolBenchmarks { of_manifest, ..ToolBenchmarks::NONE },
    build,
    ..Tool::NONE
};

fn find(folder: &Folder) -> Result<Found, DiscoverError> {
    let mut found = Found::default();
    if folder.path.join(MANIFEST).is_file() {
        found.targets.extend(target(folder.path, folder.name.clone())?);
        found.lack = format!("`{}` has no sources with benchmarks", folder.path.display());
        return Ok(found);
    }
    if sources(folder.path).iter().any(|path| is_source(path)) {
        let bench = folder.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = if folder.name.is_empty() { bench.clone() } else { folder.name.clone() };
        let why = "is a project of Gradle, which this version does not build".to_owned();
        let instead = "build a jar, for example with `gradle jmhJar`, and run it: `tare run build/libs/NAME-jmh.jar`";
        found.skipped.push(Skipped { name, bench, why, instead: instead.to_owned() });
    }
    Ok(found)
}

/// The module in a folder, if its sources have benchmarks.
fn target(folder: &Path, name: String) -> Result<Option<Target>, DiscoverError> {
    if !sources(folder).iter().any(|path| is_source(path)) {
        return Ok(None);
    }
    let path = absolute(folder)?;
    let own = || path.file_name().map_or_else(|| "project".to_owned(), |name| name.to_string_lossy().into_owned());
    let name = if name.is_empty() { own() } else { name };
    let project = ProjectTarget {
        tool: ProjectTool(&MAVEN),
        folder: path.clone(),
        package: String::new(),
        name: name.clone(),
        below: None,
    };
    Ok(Some(Target { name, kind: TargetKind::Project(project), path, language: Language(&LANGUAGE) }))
}

fn is_source(path: &Path) -> bool {
    read_source(path).is_ok_and(|text| has_benchmarks(&text))
}

/// The sources of a module, without those of modules below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&folder.join("src"), DEPTH, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let is_of_language =
            path.extension().and_then(|suffix| suffix.to_str()).is_some_and(|s| LANGUAGE.suffixes.contains(&s));
        if path.is_dir() && depth > 0 {
            collect(&path, depth - 1, found);
        } else if is_of_language {
            found.push(path);
        }
    }
}

/// The module with its folder: where it has benchmarks, all in it is theirs.
fn of_manifest(collector: &mut Collector, manifest: &Path) {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let files: Vec<PathBuf> = collector.below(folder).into_iter().filter(|path| collector.uses_tare(path)).collect();
    files.iter().for_each(|path| collector.add(path));
}

fn build(context: &BuildContext, targets: &[&Target]) -> Vec<OfTarget> {
    targets.iter().enumerate().map(|(at, target)| (at, build_one(context, target))).collect()
}

/// Compiles a module with those that it needs.
fn build_one(context: &BuildContext, target: &Target) -> BuildResult {
    context.warn_of_native_settings(&target.name);
    let jdk = Jdk::find(context, &target.name)?;
    let front_end = front_end::classes(context, &target.name, &jdk)?;
    let module = &target.path;
    let root = root(module);
    let program = maven(context, &target.name, &root)?;
    let mut words: Vec<String> = ["-q", "-B", "-f"].map(str::to_owned).to_vec();
    words.push(text(&root.join(MANIFEST)));
    if root != *module {
        let below = module.strip_prefix(&root).unwrap_or(module);
        words.extend(["-pl".to_owned(), text(below), "-am".to_owned()]);
    }
    words.extend(["-DskipTests", "test-compile", PLUGIN, "-Dmdep.includeScope=test"].map(str::to_owned));
    words.push(format!("-Dmdep.outputFile={CLASS_PATH}"));
    let shown: Vec<String> = [text(&program)].into_iter().chain(words.iter().cloned()).collect();
    let mut command = context.variables.command(&program);
    command.args(&words).current_dir(&root).env("JAVA_HOME", &jdk.home);
    let done = context.compile(&target.name, &shown, &mut command)?;
    if !done.success {
        return Err(BuildFailure::of_compiler(&target.name, shown, done.status.clone(), done.text()));
    }
    let unreadable = |e| {
        let path = module.join(CLASS_PATH);
        BuildFailure::new(&target.name, format!("cannot read `{}`: {e}", path.display()), None)
    };
    let class_path = fs::read_to_string(module.join(CLASS_PATH)).map_err(unreadable)?;
    let places = ["target/test-classes", "target/classes"].map(|name| module.join(name));
    let Flags { runtime, class_path: more, .. } = Flags::of(&context.options.job.flags, jdk.version);
    let all = class_path.trim().split(':').filter(|path| !path.is_empty()).map(str::to_owned);
    let program = Program {
        jdk: &jdk,
        options: runtime,
        places: places.iter().filter(|place| place.is_dir()).map(|place| text(place)).collect(),
        class_path: all.chain(more).collect(),
        folder: module,
        build_command: shown,
        cached: false,
    };
    program.artifact(context, target, &front_end)
}

/// The project that a module is built with: the uppermost one that names it, or names one that does.
fn root(module: &Path) -> PathBuf {
    let mut root = module.to_owned();
    for above in module.ancestors().skip(1) {
        let Ok(manifest) = fs::read_to_string(above.join(MANIFEST)) else { continue };
        let below = root.strip_prefix(above).map(text).unwrap_or_default();
        let names = |module: &str| module.trim().trim_end_matches('/') == below;
        let mut modules = manifest.split("<module>").skip(1).filter_map(|rest| rest.split("</module>").next());
        if modules.any(names) {
            root = above.to_owned();
        }
    }
    root
}

/// The wrapper of the project, or the program on the `PATH`.
fn maven(context: &BuildContext, target: &str, root: &Path) -> Result<PathBuf, BuildFailure> {
    let wrapper = context.variables.find(&text(&root.join("mvnw")));
    wrapper.or_else(|| context.variables.find("mvn")).ok_or_else(|| {
        let hint = "install Maven: `apt install maven`; or build a jar and run it: `tare run target/benchmarks.jar`";
        missing(target, "mvn", Some(hint.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_built_with_the_project_that_names_it() {
        let place = tempfile::tempdir().expect("a folder");
        let top = place.path();
        let write = |name: &str, text: &str| {
            let path = top.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("pom.xml", "<modules><module>group</module></modules>");
        write("group/pom.xml", "<modules>\n <module>bench</module></modules>");
        write("group/bench/pom.xml", "<project/>");
        write("group/other/pom.xml", "<project/>");
        assert_eq!(root(&top.join("group/bench")), top);
        assert_eq!(root(&top.join("group/other")), top.join("group/other"));
        assert!(sources(&top.join("group/bench")).is_empty());
        write("group/bench/src/main/java/p/A.java", "import tare.*;\nclass A { @Benchmark int a() { return 1; } }");
        assert!(target(&top.join("group/bench"), String::new()).expect("readable").is_some());
        assert!(target(&top.join("group/other"), String::new()).expect("readable").is_none());
    }
}
