//! Projects of Maven: `mvn` compiles a module and says its class path. Nothing is changed in the project but its folder `target`.

use super::front_end;
use super::jdk::Jdk;
use super::source::Flags;
use super::start::Program;
use crate::discover::Target;
use crate::toolchain::context::{text, BuildContext, BuildResult};
use crate::toolchain::failure::BuildFailure;
use crate::toolchain::tool::missing;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const MANIFEST: &str = "pom.xml";
/// Where Maven writes the class path of a module.
const CLASS_PATH: &str = "target/tare.classpath";
/// Says the class path. With its version: without one Maven asks its registry each time which is the newest.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";

/// Compiles a module with those that it needs.
pub(super) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    context.warn_of_native_settings(&target.name);
    let jdk = Jdk::find(context, &target.name)?;
    let front_end = front_end::ready(context, &target.name, &jdk)?;
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
    }
}
