//! Detects modules of the repository that a revision takes from the local Maven repository: these were installed last and are the same for
//! all revisions.

use crate::revision::checkout_of;
use crate::toolchain::failure::BuildFailure;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::files_below;

const DEPTH: usize = 5;
/// Elements of a manifest that contain other names and come after its own.
const OTHERS: [&str; 6] =
    ["<dependencies>", "<dependencyManagement>", "<build>", "<profiles>", "<modules>", "<reporting>"];

/// Fails if a revision would not measure its own code.
pub(super) fn refuse<'a>(module: &Path, class_path: impl Iterator<Item = &'a str>) -> Result<(), BuildFailure> {
    let Some(jar) = of_repository(module, class_path) else { return Ok(()) };
    let what = format!("`{jar}` is a module of the repository as it was installed, the same for all revisions");
    let hint = "name both modules in a project above them, which builds them together: `<modules>` of `pom.xml`, `include` of Gradle";
    Err(BuildFailure::new(what, Some(hint.to_owned())))
}

/// A jar of the class path that is an installed module of the checkout around `module`.
pub(super) fn of_repository<'a>(module: &Path, class_path: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (top, _) = checkout_of(module)?;
    let files = files_below(top, DEPTH, &|path| !path.is_symlink() && !crate::projects::is_hidden(path));
    let manifests = files.iter().filter(|path| path.ends_with(super::maven::MANIFEST));
    let own: BTreeSet<PathBuf> = manifests.filter_map(|path| name_of(&fs::read_to_string(path).ok()?)).collect();
    // `GROUP/PATH/NAME/VERSION/NAME-VERSION.jar`, rather than a folder of fresh classes.
    let folder = |jar: &str| Path::new(jar).ancestors().nth(2).map(Path::to_owned).unwrap_or_default();
    let is_own = |jar: &&str| jar.ends_with(".jar") && own.iter().any(|name| folder(jar).ends_with(name));
    class_path.into_iter().find(is_own)
}

/// `GROUP/PATH/NAME` of a manifest; the group defaults to that of its parent.
fn name_of(pom: &str) -> Option<PathBuf> {
    let (parent, rest) =
        match pom.split_once("<parent>").and_then(|(before, rest)| Some((before, rest.split_once("</parent>")?))) {
            Some((before, (parent, behind))) => (parent, format!("{before}{behind}")),
            None => ("", pom.to_owned()),
        };
    let end = OTHERS.iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    let of = |text: &str, mark: &str| {
        let (_, begun) = text.split_once(&format!("<{mark}>"))?;
        Some(begun.split_once('<')?.0.trim().to_owned())
    };
    let group = of(&rest[..end], "groupId").or_else(|| of(parent, "groupId"))?;
    let is_plain = |name: &str| !name.is_empty() && !name.contains(['$', '/']);
    let name = of(&rest[..end], "artifactId").filter(|name| is_plain(name) && is_plain(&group))?;
    Some(group.split('.').collect::<PathBuf>().join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_module_of_a_checkout_is_known_by_its_name() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str, content: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, content).expect("written");
        };
        let parent = "<parent><groupId>org.us</groupId><artifactId>all</artifactId></parent>";
        write("pom.xml", "<project><groupId>org.us</groupId><artifactId>all</artifactId></project>");
        write("core/pom.xml", &format!("<project>{parent}<artifactId>core</artifactId><build/></project>"));
        let needs = "<dependencies><dependency><groupId>org.us</groupId><artifactId>core</artifactId></dependency></dependencies>";
        write(
            "bench/pom.xml",
            &format!("<project><groupId>b</groupId><artifactId>bench</artifactId>{needs}</project>"),
        );
        let path = ["/m/org/other/core/1/core-1.jar", "/m/org/us/core/1/core-1.jar", "/x/core/target/classes"];
        let found = || of_repository(&place.path().join("bench"), path.into_iter());
        assert_eq!(found(), None, "the user's own files");
        write(".tare-root", "/home/us/all");
        assert_eq!(found(), Some(path[1]));
        assert_eq!(of_repository(&place.path().join("bench"), [path[0], path[2]].into_iter()), None);
    }
}
