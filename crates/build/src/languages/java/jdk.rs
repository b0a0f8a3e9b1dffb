//! Finds the JDK that compiles and runs: that of the job, of `JAVA_HOME`, or of the `PATH`.

use crate::toolchain::context::{text, BuildContext, Variables};
use crate::toolchain::directive::words;
use crate::toolchain::failure::BuildFailure;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::entries;

const OLDEST: u32 = 11;
/// Where systems and version managers keep JDKs, one per folder; `~/` is the user's home.
const PLACES: [&str; 8] = [
    "/usr/lib/jvm",
    "/usr/java",
    "/opt/java",
    "/Library/Java/JavaVirtualMachines",
    "~/.sdkman/candidates/java",
    "~/.jdks",
    "~/.asdf/installs/java",
    "~/.local/share/mise/installs/java",
];

/// A JDK with the options after its name.
#[derive(Debug)]
pub(super) struct Jdk {
    pub(super) home: PathBuf,
    pub(super) version: u32,
    pub(super) options: Vec<String>,
}

pub(super) fn is_installed() -> bool {
    usual(&Variables::of_process()).is_some()
}

impl Jdk {
    pub(super) fn find(context: &BuildContext) -> Result<Jdk, BuildFailure> {
        let named = context.options.job.toolchain.get(super::LANGUAGE.name);
        let mut named = named.map(|named| words(named)).unwrap_or_default();
        let options = named.split_off(named.len().min(1));
        let home = match named.first() {
            Some(name) => of_name(context.variables, name).ok_or_else(|| lacking(name))?,
            None => usual(context.variables).ok_or_else(|| lacking("java"))?,
        };
        let Some((version, _)) = version_of(&home) else {
            let why = format!("`{}` is not a JDK: it has no file `release` with a version", home.display());
            return Err(BuildFailure::new(why, Some("name another one: `--job java21`".to_owned())));
        };
        if version < OLDEST {
            let why = format!("needs Java {OLDEST} or later, and `{}` is {version}", home.display());
            return Err(BuildFailure::new(why, Some("name another one: `--job java21`".to_owned())));
        }
        Ok(Jdk { home, version, options })
    }

    pub(super) fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// Its compiler, which a plain runtime (JRE) lacks.
    pub(super) fn javac(&self) -> Result<PathBuf, BuildFailure> {
        let javac = self.home.join("bin/javac");
        if javac.is_file() {
            return Ok(javac);
        }
        let why = format!("`{}` has no compiler: it is a runtime, not a JDK", self.home.display());
        Err(BuildFailure::lacking(why, "install the JDK: `apt install default-jdk-headless`"))
    }
}

fn lacking(name: &str) -> BuildFailure {
    let hint = "install it, give its path, or leave it out: `apt install default-jdk-headless`, `sdk install java`";
    BuildFailure::lacking(format!("`{name}` was not found"), hint)
}

/// The JDK of `JAVA_HOME` or of the program on the `PATH`; else the newest installed one.
fn usual(variables: &Variables) -> Option<PathBuf> {
    let of_variable = variables.get("JAVA_HOME").and_then(|home| of_path(Path::new(home)));
    let of_path_variable = || variables.find("java").and_then(|program| of_path(&program));
    let newest = || installed(variables).into_iter().max_by_key(|(version, patch, _)| (*version, patch.clone()));
    of_variable.or_else(of_path_variable).or_else(|| newest().map(|(_, _, home)| home))
}

fn of_name(variables: &Variables, name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return of_path(&std::path::absolute(name).ok()?);
    }
    let digits: String = name.chars().skip_while(|c| !c.is_ascii_digit()).collect();
    if digits.is_empty() {
        return usual(variables);
    }
    let wanted = numbers(&digits);
    let fits = |patch: &[u32]| patch.starts_with(&wanted);
    let named = installed(variables).into_iter().filter(|(_, patch, _)| fits(patch));
    let own = usual(variables).filter(|home| version_of(home).is_some_and(|(_, patch)| fits(&patch)));
    own.or_else(|| {
        named.max_by_key(|(_, patch, home)| (home.join("bin/javac").is_file(), patch.clone())).map(|(_, _, home)| home)
    })
}

/// The home of a JDK from its path or from that of its `java`, with links resolved.
fn of_path(path: &Path) -> Option<PathBuf> {
    let full = path.canonicalize().ok()?;
    let home = match full.is_dir() {
        true => full,
        false => full.parent()?.parent()?.to_owned(),
    };
    let inner = home.join("Contents/Home");
    let home = if inner.is_dir() { inner } else { home };
    home.join("bin/java").is_file().then_some(home)
}

fn installed(variables: &Variables) -> Vec<(u32, Vec<u32>, PathBuf)> {
    let folder = |place: &str| match place.strip_prefix("~/") {
        Some(below) => variables.get("HOME").map(|home| Path::new(home).join(below)),
        None => Some(PathBuf::from(place)),
    };
    let all = PLACES.into_iter().filter_map(folder).flat_map(|place| entries(&place));
    let mut found: Vec<(u32, Vec<u32>, PathBuf)> = all
        .filter_map(|path| {
            let home = of_path(&path)?;
            let (version, patch) = version_of(&home)?;
            Some((version, patch, home))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// `JAVA_VERSION="17.0.15"` of the file `release`.
fn version_of(home: &Path) -> Option<(u32, Vec<u32>)> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?.trim_matches('"').to_owned();
    let numbers = numbers(&version);
    // Before Java 9: `1.8.0_392`.
    let major = if numbers.first() == Some(&1) { numbers.get(1) } else { numbers.first() };
    Some((*major?, numbers))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

impl std::fmt::Display for Jdk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&text(&self.home))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn jdk(home: &Path, version: &str) {
        fs::create_dir_all(home.join("bin")).expect("made");
        fs::write(home.join("release"), format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n")).expect("written");
        for name in ["java", "javac"] {
            fs::write(home.join("bin").join(name), "#!/bin/sh\n").expect("written");
            fs::set_permissions(home.join("bin").join(name), fs::Permissions::from_mode(0o755)).expect("it can run");
        }
    }

    #[test]
    fn a_jdk_is_found_by_variable_path_and_version() {
        let place = tempfile::tempdir().expect("a folder");
        let home = place.path().canonicalize().expect("a folder");
        let kept = |name: &str| home.join(".jdks").join(name);
        jdk(&kept("a"), "91.0.2");
        jdk(&kept("b"), "91.0.10");
        jdk(&kept("c"), "92");
        jdk(&home.join("own"), "90.0.1");
        let variables = Variables::default().with("HOME", &home).with("PATH", home.join("own/bin"));
        assert_eq!(usual(&variables), Some(home.join("own")));
        assert_eq!(usual(&variables.clone().with("JAVA_HOME", kept("c"))), Some(kept("c")));
        assert_eq!(of_name(&variables, "java91"), Some(kept("b")), "the newest of its series");
        assert_eq!(of_name(&variables, "jdk-91.0.2"), Some(kept("a")));
        assert_eq!(of_name(&variables, "java"), Some(home.join("own")));
        assert_eq!(of_name(&variables, &text(&kept("c").join("bin/java"))), Some(kept("c")));
        assert_eq!(of_name(&variables, "java93"), None);
        assert_eq!(version_of(&kept("b")), Some((91, vec![91, 0, 10])));
    }

    #[test]
    fn old_versions_have_another_form() {
        let place = tempfile::tempdir().expect("a folder");
        jdk(place.path(), "1.8.0_392");
        assert_eq!(version_of(place.path()).map(|(version, _)| version), Some(8));
    }
}
