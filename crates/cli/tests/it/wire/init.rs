//! `tare init`: what it refuses, and what it writes nothing of.

use crate::support::{err, Place};
use std::fs;
use std::path::Path;

#[test]
fn wrong_input_is_refused_by_name() {
    let place = Place::new("init-errors");
    let cases: &[(&[&str], &str, &str)] = &[
        (&["init"], "which language?", "tare init --list"),
        (&["init", "cobol"], "unknown language `cobol`", "tare init --list"),
        (&["init", "ruby"], "there is no front end for Ruby yet", "tare help front-ends"),
        (&["init", "pyton"], "unknown language `pyton`", "tare init python"),
        (&["init", "both"], "unknown language `both`", "name the language first: `tare init LANG both`"),
        (&["init", "rust", "file.txt"], "`file.txt` is not a folder", "a folder"),
        (&["init", "cuda", "--project"], "no project files", "tare init cuda"),
        (&["init", "rust", "space"], "has no package", "tare init rust FOLDER"),
        (&["init", "rust", "broken"], "broken/Cargo.toml", "cargo check"),
        (&["init", "rust", "package", "--project"], "has a project already: `Cargo.toml`", "tare init rust"),
        (&["init", "python", "link"], "`link/bench_parse.py` exists already", "rename it"),
    ];
    place.write("file.txt", "");
    place.write("both/Cargo.toml", "[package]\nname = \"a\"\n");
    place.write("both/package.json", "{}");
    place.write("space/Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    place.write("broken/Cargo.toml", "[package\n");
    place.write("package/Cargo.toml", "[package]\nname = \"a\"\n");
    fs::create_dir(place.join("link")).expect("a folder");
    std::os::unix::fs::symlink("nowhere", place.join("link/bench_parse.py")).expect("a link");
    for (words, what, hint) in cases {
        let said = place.fails_with(2, *words);
        assert!(said.contains(what) && said.contains(hint), "{words:?}: {said}");
    }
    let both = place.command(["init"]).current_dir(place.join("both")).output().expect("tare runs");
    assert!(err(&both).contains("`tare init rust` or `tare init javascript`"), "{}", err(&both));
    assert!(!place.join("nowhere").exists() && !place.join("rust").exists());
}

#[test]
fn nothing_is_written_where_one_file_cannot_be() {
    let place = Place::new("init-half");
    place.write("shop/bench", "a file where a folder would be\n");
    let said = place.fails_with(110, ["init", "typescript", "shop"]);
    assert!(said.contains("cannot write `shop/bench/parse.bench.ts`"), "{said}");
    assert!(!place.join("shop/package.json").exists());
    // A file that finds no room goes too.
    let limited = "ulimit -f 1 || exit 77; exec \"$TARE\" init rust small --project";
    let output = place.other("sh").args(["-c", limited]).output().expect("sh runs");
    let said = err(&output);
    assert_eq!(output.status.code(), Some(110), "{said}");
    let files =
        |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| entry.path().is_file());
    let folders = ["", "src", "benches", "benches/tare", "benches/tare/tare", "benches/tare/tare/src"];
    assert!(folders.iter().all(|folder| !files(&place.join("small").join(folder))), "{said}");
}

#[test]
fn the_list_of_languages_fits_a_terminal() {
    let listed = Place::new("init-list").ends_with(0, ["init", "--list"]);
    assert!(listed.lines().all(|line| line.chars().count() <= 80) && listed.contains("typescript"), "{listed}");
}
