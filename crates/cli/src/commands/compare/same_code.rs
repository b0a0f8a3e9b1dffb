//! Both sides are the same code: somebody forgot to save a file, or wants to see what chance does. The time is not spent in silence.

use crate::sides::Runnable;
use std::fs;
use std::path::{Path, PathBuf};
use tare_build::toolchain;
use tare_model::Artifact;

/// What is said of two sides that are the same code as far as it is known before anything is built. With a rename two benchmarks of one
/// commit are compared.
pub(super) fn of_commit(base: &Runnable, new: &Runnable, renames: &[String]) -> Option<String> {
    let is_same = renames.is_empty() && base.is_project && new.is_project && !base.is_changed && !new.is_changed;
    let commit = base.detail.split(' ').next().filter(|commit| !commit.is_empty())?;
    let is_same = is_same && new.detail.split(' ').next() == Some(commit);
    is_same.then(|| format!("both sides are commit `{commit}`, and no tracked file was changed: any difference is chance, or comes from files that git does not track"))
}

/// The same of what was built. Two sides of one name were asked for as they are.
pub(super) fn of_programs(sides: [&Runnable; 2], built: [&[Artifact]; 2], cache: &Path) -> Option<String> {
    let [base, new] = sides;
    if base.name == new.name || built.iter().any(|artifacts| artifacts.is_empty()) {
        return None;
    }
    if are_equal(built) {
        return Some("both sides are the same program, byte for byte: any difference is chance, or comes from libraries and files that it reads".to_owned());
    }
    let ([base], [new]) = (base.paths.as_slice(), new.paths.as_slice()) else { return None };
    let ([of_base], [of_new]) = (built[0], built[1]) else { return None };
    let read = |artifact: &Artifact| toolchain::sources_of(cache, &artifact.hash);
    // What is read of a checkout is not noted: it does not change.
    let is_same = is_same_file(base, new)
        && match new.canonicalize().is_ok_and(|path| !path.starts_with(cache)) {
            true => have_equal_sources(new, base, &read(of_new)),
            false => !base.starts_with(cache) && have_equal_sources(base, new, &read(of_base)),
        };
    is_same.then(|| {
        let name = new.file_name().unwrap_or_default().to_string_lossy();
        format!(
            "both sides are the same code: `{}` and all that it includes are equal; any difference is chance",
            tare_report::clean(&name)
        )
    })
}

/// Whether each program of a side is one of the other's too. Of what is interpreted only the first file is known.
fn are_equal([base, new]: [&[Artifact]; 2]) -> bool {
    let all_in = |some: &[Artifact], others: &[Artifact]| {
        some.iter().all(|one| !one.interpreted && others.iter().any(|other| other.hash == one.hash))
    };
    all_in(base, new) && all_in(new, base)
}

fn is_same_file(base: &Path, new: &Path) -> bool {
    let content = |path: &Path| path.is_file().then(|| fs::read(path).ok()).flatten();
    content(base).is_some_and(|text| content(new).is_some_and(|other| other == text))
}

/// Whether the compiler reads the same content for both files, where it read these `files` for one. Paths in a program, as of debug
/// information, make equal code differ.
fn have_equal_sources(one: &Path, other: &Path, files: &[PathBuf]) -> bool {
    let (Ok(one), Ok(other)) = (one.canonicalize(), other.canonicalize()) else { return false };
    let (root, other_root) = roots(&one, &other);
    let is_equal = |file: &PathBuf| match file.strip_prefix(root) {
        Ok(_) if *file == one => true,
        Ok(below) => is_same_file(file, &other_root.join(below)),
        // It is the same file for both.
        Err(_) => true,
    };
    files.contains(&one) && files.iter().all(is_equal)
}

/// The folders above both files from which on their paths are the same.
fn roots<'a>(one: &'a Path, other: &'a Path) -> (&'a Path, &'a Path) {
    let parent = |path: &'a Path| path.parent().unwrap_or(path);
    if one.file_name() != other.file_name() {
        return (parent(one), parent(other));
    }
    let (mut one, mut other) = (parent(one), parent(other));
    while one != other && one.file_name().is_some() && one.file_name() == other.file_name() {
        (one, other) = (parent(one), parent(other));
    }
    (one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(hash: &str) -> Artifact {
        Artifact { hash: hash.to_owned(), ..Artifact::default() }
    }

    #[test]
    fn one_commit_on_both_sides_is_chance_unless_two_benchmarks_of_it_are_compared() {
        let side = |detail: &str, is_changed: bool| Runnable {
            prepare: None,
            name: "side".to_owned(),
            detail: detail.to_owned(),
            paths: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            is_project: true,
            is_changed,
        };
        let (head, tree) = (side("1d8ad8b3 a subject", false), side("1d8ad8b3", false));
        assert!(of_commit(&head, &tree, &[]).is_some_and(|text| text.contains("commit `1d8ad8b3`")));
        assert_eq!(of_commit(&head, &tree, &["old=new".to_owned()]), None);
        for other in [side("1d8ad8b3 with changes", true), side("2d8ad8b3", false), side("", false)] {
            assert_eq!(of_commit(&head, &other, &[]), None, "{other:?}");
        }
        assert_eq!(of_commit(&side("", false), &side("", false), &[]), None);
    }

    #[test]
    fn programs_are_equal_by_their_content() {
        let [one, two] = ["1", "2"].map(artifact);
        let script = Artifact { interpreted: true, ..one.clone() };
        assert!(are_equal([&[one.clone(), two.clone()], &[two.clone(), one.clone()]]));
        assert!(!are_equal([&[one.clone(), two], std::slice::from_ref(&one)]));
        assert!(
            !are_equal([std::slice::from_ref(&script), std::slice::from_ref(&script)]),
            "what it loads is not known"
        );
    }

    #[test]
    fn sources_are_equal_with_all_that_they_include() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, text).expect("written");
            path
        };
        let [base, new] = ["base", "new"].map(|side| write(&format!("{side}/bench/a.c"), "a"));
        let of_base = write("base/lib/b.h", "b");
        let read = [new.clone(), write("new/lib/b.h", "b"), PathBuf::from("/usr/include/stdio.h")];
        assert_eq!(roots(&new, &base), (root.join("new").as_path(), root.join("base").as_path()));
        assert!(have_equal_sources(&new, &base, &read));
        fs::write(of_base, "c").expect("written");
        assert!(!have_equal_sources(&new, &base, &read), "the header was changed");
        assert!(!have_equal_sources(&new, &base, &[]), "nothing is known");
        // Two files of one folder read the same headers.
        let copy = write("new/bench/copy.c", "a");
        assert!(have_equal_sources(&new, &copy, &read) && is_same_file(&new, &copy) && !is_same_file(&new, &root));
    }
}
