//! Gradle projects: `gradle` compiles a module and reports its class path through a task that an external script adds. In the project, only
//! its output folders change.

use super::front_end;
use super::installed;
use super::jdk::Jdk;
use super::project::{run, wrapper_or};
use super::start::Program;
use crate::discover::Target;
use crate::toolchain::context::{text, BuildContext, BuildResult};
use crate::toolchain::failure::BuildFailure;
use std::path::{Path, PathBuf};

pub(super) const MANIFESTS: [&str; 2] = ["build.gradle", "build.gradle.kts"];
/// Files of the top folder of a multi-module project.
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];
/// The script that adds the task, and its place in the cache.
const SCRIPT: &str = include_str!("class-path.gradle");
const SCRIPT_NAME: &str = "gradle/class-path.gradle";
const PLACE: &str = "tare-place ";
const PATH: &str = "tare-path ";
/// Disables a setting that the project may have on and the script does not support.
const OFF: [&str; 2] = ["-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.unsafe.configuration-cache=false"];

pub(super) fn is_project(folder: &Path) -> bool {
    MANIFESTS.iter().any(|name| folder.join(name).is_file())
}

pub(super) fn build(context: &BuildContext, target: &Target) -> BuildResult {
    context.warn_of_native_settings();
    let jdk = Jdk::find(context)?;
    let front_end = front_end::ready(context, &jdk)?;
    let module = target.path.canonicalize().unwrap_or_else(|_| target.path.clone());
    let program = gradle(context, &module)?;
    let script = context.cache.path(SCRIPT_NAME);
    context.cache.write(SCRIPT_NAME, SCRIPT.as_bytes())?;
    // Without a daemon, which would stay and use the processor during measurements.
    let mut words: Vec<String> = ["-q", "--console=plain", "--no-daemon"].map(str::to_owned).to_vec();
    words.extend(OFF.map(str::to_owned));
    words.extend(["-I".to_owned(), text(&script), format!("-Dtare.folder={}", text(&module))]);
    words.extend(["-p".to_owned(), text(&module), "tareClassPath".to_owned()]);
    let (shown, output) = run(context, (&program, words), (&module, &jdk))?;
    let (places, class_path) = told(&output);
    let places: Vec<String> = places.into_iter().filter(|place| Path::new(place).is_dir()).collect();
    if places.is_empty() {
        let why = "Gradle says no folder with classes of this module".to_owned();
        return Err(BuildFailure::new(why, Some("does `build.gradle` say `id 'java'` among its plugins?".to_owned())));
    }
    let class_path: Vec<String> = class_path.into_iter().filter(|path| !places.contains(path)).collect();
    installed::refuse(&target.path, class_path.iter().map(String::as_str))?;
    Program::of_module(context, target, &jdk, (places, class_path), shown).artifact(context, target, &front_end)
}

fn told(output: &str) -> (Vec<String>, Vec<String>) {
    let of = |begin: &str| {
        let mut found: Vec<String> = Vec::new();
        for path in output.lines().filter_map(|line| line.strip_prefix(begin)) {
            if !found.iter().any(|known| known == path) {
                found.push(path.to_owned());
            }
        }
        found
    };
    (of(PLACE), of(PATH))
}

fn gradle(context: &BuildContext, module: &Path) -> Result<PathBuf, BuildFailure> {
    let is_root = |folder: &&Path| SETTINGS.iter().any(|name| folder.join(name).is_file());
    let root = module.ancestors().filter(is_root).last().unwrap_or(module);
    let hint = "install Gradle (`sdk install gradle`), or add its wrapper to the project (`gradle wrapper`); or build a jar and run it: `tare run build/libs/NAME-jmh.jar`";
    wrapper_or(context, root, ["gradlew", "gradle"], hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_jars_are_read_once_each() {
        let output = "a warning\ntare-place /p/build/classes/java/jmh\ntare-place /p/build/classes/java/main\n\
                      tare-path /p/build/classes/java/main\ntare-path /r/a.jar\ntare-path /r/a.jar\n";
        let (places, paths) = told(output);
        assert_eq!(places, ["/p/build/classes/java/jmh", "/p/build/classes/java/main"]);
        assert_eq!(paths, ["/p/build/classes/java/main", "/r/a.jar"]);
    }
}
