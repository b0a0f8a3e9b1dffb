//! Maven projects: `mvn` compiles a module and reports its class path. In the project, only its folder `target` changes.

use super::front_end;
use super::installed;
use super::jdk::Jdk;
use super::project::{run, wrapper_or};
use super::start::Program;
use crate::discover::Target;
use crate::toolchain::context::{text, BuildContext, BuildResult};
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const MANIFEST: &str = "pom.xml";
/// Where Maven writes the class path of a module.
const CLASS_PATH: &str = "target/tare.classpath";
/// Reports the class path. Without a version, Maven would ask its registry for the newest each time.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";

pub(super) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    context.warn_of_native_settings();
    let jdk = Jdk::find(context)?;
    let front_end = front_end::ready(context, &jdk)?;
    let module = &target.path;
    let Project { root, profiles } = Project::of(module);
    let program = maven(context, &root)?;
    let mut words: Vec<String> = ["-q", "-B", "-Dstyle.color=never", "-f"].map(str::to_owned).to_vec();
    words.push(text(&root.join(MANIFEST)));
    if root != *module {
        let below = module.strip_prefix(&root).unwrap_or(module);
        words.extend(["-pl".to_owned(), text(below), "-am".to_owned()]);
    }
    if !profiles.is_empty() {
        words.extend(["-P".to_owned(), profiles.join(",")]);
    }
    words.extend(["-DskipTests", "test-compile", PLUGIN, "-Dmdep.includeScope=test"].map(str::to_owned));
    words.push(format!("-Dmdep.outputFile={CLASS_PATH}"));
    let (shown, _) = run(context, (&program, words), (&root, &jdk))?;
    let unreadable = |e| {
        let path = module.join(CLASS_PATH);
        BuildFailure::new(format!("cannot read `{}`: {e}", path.display()), None)
    };
    let class_path = fs::read_to_string(module.join(CLASS_PATH)).map_err(unreadable)?;
    installed::refuse(module, class_path.trim().split(':'))?;
    let places = ["target/test-classes", "target/classes"].map(|name| module.join(name));
    let places = places.iter().filter(|place| place.is_dir()).map(|place| text(place)).collect();
    let all = class_path.trim().split(':').filter(|path| !path.is_empty()).map(str::to_owned);
    Program::of_module(context, target, &jdk, (places, all.collect()), shown).artifact(context, target, &front_end)
}

#[derive(Debug, PartialEq)]
struct Project {
    /// The topmost folder that leads to the module through the `<module>` elements of manifests.
    root: PathBuf,
    profiles: Vec<String>,
}

impl Project {
    fn of(module: &Path) -> Project {
        let mut project = Project { root: module.to_owned(), profiles: Vec::new() };
        for above in module.ancestors().skip(1) {
            let Ok(manifest) = fs::read_to_string(above.join(MANIFEST)) else { continue };
            let below = project.root.strip_prefix(above).map(text).unwrap_or_default();
            if let Some(profile) = names(&manifest, &below) {
                project.root = above.to_owned();
                project.profiles.extend(profile);
            }
        }
        project
    }
}

/// Whether a manifest lists a module, and the profile in which it does.
fn names(manifest: &str, module: &str) -> Option<Option<String>> {
    let within = |text: &str, mark: &str| -> Vec<String> {
        let (begin, end) = (format!("<{mark}>"), format!("</{mark}>"));
        text.split(&begin).skip(1).filter_map(|rest| Some(rest.split_once(&end)?.0.to_owned())).collect()
    };
    let is_named = |text: &str| within(text, "module").iter().any(|name| name.trim().trim_end_matches('/') == module);
    let profiles = within(manifest, "profile");
    let outside = profiles.iter().fold(manifest.to_owned(), |text, profile| text.replacen(profile, "", 1));
    if is_named(&outside) {
        return Some(None);
    }
    let profile = profiles.iter().find(|profile| is_named(profile))?;
    // Other elements in a profile have ids too, but by convention after the profile's own.
    Some(within(profile, "id").first().map(|id| id.trim().to_owned()))
}

fn maven(context: &BuildContext, root: &Path) -> Result<PathBuf, BuildFailure> {
    let hint = "install Maven: `apt install maven`; or build a jar and run it: `tare run target/benchmarks.jar`";
    wrapper_or(context, root, ["mvnw", "mvn"], hint)
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
        let of = |module: &str| Project::of(&top.join(module));
        assert_eq!(of("group/bench"), Project { root: top.to_owned(), profiles: Vec::new() });
        assert_eq!(of("group/other").root, top.join("group/other"));
        let profile =
            "<profiles><profile><id>examples</id><modules><module>group/</module></modules></profile></profiles>";
        write("pom.xml", &format!("<modules><module>core</module></modules>{profile}"));
        assert_eq!(of("group/bench"), Project { root: top.to_owned(), profiles: vec!["examples".to_owned()] });
    }
}
