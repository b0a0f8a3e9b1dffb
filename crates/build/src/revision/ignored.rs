//! Files of the user that git ignores, so that a checkout lacks them: a build of a checkout may fail for want of one.

use super::git::Git;
use crate::discover::Language;
use crate::projects;
use crate::toolchain::context::Variables;
use std::fs;
use std::path::{Path, PathBuf};
use tare_process::files::path_of_bytes;

/// Files that name the user's repository, relative to the top of a checkout; the second in a copy of the working tree.
pub(super) const OF_USER: [&str; 2] = [".git/tare-root", ".tare-root"];

/// Messages about a name that no file of the checkout declares.
const UNDECLARED: [&str; 4] = ["undefined", "undeclared", "cannot find", "not declared"];

/// The file of the user that a failure asks for, relative to the top of the repository: git ignores it, and the checkout that contains
/// `place` lacks it. `said` is the whole message of the failure.
pub fn ignored(place: &Path, said: &str) -> Option<PathBuf> {
    ignored_with(&Variables::of_process(), place, said)
}

pub(super) fn ignored_with(variables: &Variables, place: &Path, said: &str) -> Option<PathBuf> {
    let (top, root) = checkout_of(place)?;
    let git = Git::find(variables, &root).ok()?;
    // Only the tools themselves use their private files.
    let is_of_tool = |file: &Path| {
        let folders = file.parent().into_iter().flat_map(Path::components);
        folders.map(|part| part.as_os_str().to_string_lossy()).any(|name| {
            name.starts_with('.') || name == "site-packages" || projects::is_skipped(&name) && name != "build"
        })
    };
    let files = git.files(&["--others", "--ignored", "--exclude-standard"]);
    let lacking: Vec<PathBuf> =
        files.into_iter().filter(|file| !is_of_tool(file) && !top.join(file).exists()).collect();
    asked_for(&lacking, top, said).cloned()
}

/// Those of the files in a folder that git ignores; none without git or a repository.
pub(crate) fn ignored_of(folder: &Path, files: &[&Path]) -> Vec<PathBuf> {
    let variables = Variables::of_process();
    let (Ok(git), Ok(folder)) = (Git::find(&variables, folder), folder.canonicalize()) else { return Vec::new() };
    let names: Vec<&str> = files.iter().filter_map(|file| file.to_str()).collect();
    let words = [&["--others", "--ignored", "--exclude-standard", "--"], &names[..]].concat();
    git.files(&words).into_iter().map(|file| folder.join(file)).collect()
}

/// The top of the checkout that contains `place`, and of the user's repository.
pub(crate) fn checkout_of(place: &Path) -> Option<(&Path, PathBuf)> {
    place.ancestors().find_map(|top| {
        let root = OF_USER.iter().find_map(|mark| fs::read(top.join(mark)).ok())?;
        Some((top, path_of_bytes(&root)))
    })
}

/// The place in the checkout of a path whose end does not exist; a package of the repository is reached through a link.
fn within(top: &Path, path: &Path) -> Option<PathBuf> {
    let there = path.starts_with(top).then(|| path.ancestors().find(|above| above.exists()))??;
    let (real, of_top) = (there.canonicalize().ok()?, top.canonicalize().ok()?);
    let (inside, lacking) = (real.strip_prefix(of_top).ok()?, path.strip_prefix(there).ok()?);
    (there != path).then(|| inside.join(lacking))
}

/// The file that the message names as a path, part of a path or module; else one next to a named file, if the message reports an undeclared
/// name.
fn asked_for<'a>(files: &'a [PathBuf], top: &Path, said: &str) -> Option<&'a PathBuf> {
    let is_part = |c: char| c.is_alphanumeric() || "/._-@+".contains(c);
    let words: Vec<&str> = said.split(|c| !is_part(c)).map(|word| word.trim_end_matches('.')).collect();
    let inside: Vec<PathBuf> = words.iter().filter_map(|word| within(top, Path::new(word))).collect();
    let is_named = |file: &&PathBuf| inside.iter().any(|path| file.starts_with(path));
    let names = |word: &str, file: &Path| {
        let path = Path::new(word.trim_start_matches("../").trim_start_matches("./"));
        let has_ending = path.extension().is_some();
        match word.ends_with('/') {
            true => file.starts_with(path),
            false => (has_ending || path.components().count() > 1) && file.ends_with(path),
        }
    };
    // `No module named 'core._fast'`, file not found for module `tables`.
    let modules = said.contains("module");
    let is_module = |word: &str, file: &Path| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        modules && stem.len() > 2 && file.with_file_name(stem).ends_with(word.replace('.', "/"))
    };
    let undeclared = UNDECLARED.iter().any(|text| said.contains(text));
    let beside = |file: &Path| {
        let is_there = |word: &&str| {
            let path = Path::new(word.trim_start_matches("./"));
            let path = path.strip_prefix(top).unwrap_or(path);
            path.parent() == file.parent() && top.join(path).is_file()
        };
        undeclared && Language::of_source(file).is_some() && words.iter().any(is_there)
    };
    let any = |test: &dyn Fn(&str, &Path) -> bool| {
        words.iter().filter(|word| !word.is_empty()).find_map(|word| files.iter().find(|file| test(word, file)))
    };
    (files.iter().find(is_named))
        .or_else(|| any(&names))
        .or_else(|| any(&is_module))
        .or_else(|| files.iter().find(|file| beside(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_language_says_of_a_file_that_is_not_there_names_it() {
        let files: Vec<PathBuf> = [
            "core/dist/index.js",
            "gen/config.h",
            "pkg/_fast.cpython-311-x86_64-linux-gnu.so",
            "src/tables.rs",
            "web/app.css",
            "till/zz_gen.go",
        ]
        .map(PathBuf::from)
        .to_vec();
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join("till")).unwrap();
        fs::write(top.path().join("till/till.go"), "").unwrap();
        let of = |said: &str| {
            let said = said.replace("TOP", &top.path().to_string_lossy());
            asked_for(&files, top.path(), &said).map(|file| file.to_string_lossy().into_owned()).unwrap_or_default()
        };
        for (said, file) in [
            ("Cannot find module 'TOP/core/dist/index.js' imported from TOP/a.mjs", "core/dist/index.js"),
            ("a.cpp:1:10: fatal error: config.h: No such file or directory", "gen/config.h"),
            ("ModuleNotFoundError: No module named 'pkg._fast'", "pkg/_fast.cpython-311-x86_64-linux-gnu.so"),
            ("error[E0583]: file not found for module `tables`", "src/tables.rs"),
            ("error: couldn't read `TOP/src/tables.rs`", "src/tables.rs"),
            ("till.go:3:12: pattern web/*: no matching files found", "web/app.css"),
            ("till/till.go:9:2: undefined: Table", "till/zz_gen.go"),
            ("till/till.go:9:2: syntax error", ""),
            ("a.cpp:1:10: fatal error: other.h: No such file or directory", ""),
            ("Cannot find module 'TOP/src/other.js' imported from TOP/a.mjs", ""),
        ] {
            assert_eq!(of(said), file, "{said}");
        }
    }
}
