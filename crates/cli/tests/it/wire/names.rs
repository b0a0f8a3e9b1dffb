//! File names and arguments as the world has them: spaces, quotes, line breaks, a leading dash, bytes that are no UTF-8.

use crate::support::{err, out, reference, Place, SHORT};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

const CODE: &str = "#include <tare.h>\n//bench a/b 1\n";

#[test]
fn odd_names_of_files_are_built_and_run() {
    let place = Place::with_stand_in("odd-names");
    for name in ["two words.cpp", "quote's \"double\".c", "$HOME `id` ;*.c", "größe.c", "-dash.c"] {
        place.write(&format!("some folder/{name}"), CODE);
    }
    let listed = place.ends_with(0, ["list", "some folder"]);
    assert_eq!(listed.lines().count(), 5, "{listed}");
    let screen = place.ends_with(0, ["run", "some folder/two words.cpp"].iter().chain(&SHORT));
    // A command that is shown can be copied.
    for line in screen.lines().filter(|line| line.contains("tare run ") && line.contains("two words")) {
        assert!(
            line.contains("'some folder/two words.cpp'") || line.contains("\"some folder/two words.cpp\""),
            "{line}"
        );
    }
    place.ends_with(0, ["list", "./some folder/-dash.c"]);
    let odd = place.join("a program");
    fs::copy(reference(), &odd).expect("copied");
    place.ends_with(0, ["run", "./a program"].iter().chain(&SHORT));
}

#[test]
fn names_of_benchmarks_are_found_as_they_are_shown() {
    let place = Place::new("odd benchmarks");
    let odd = place.told("odd", "bench g/new\\nline 1\nbench g/esc\\u001bM 2\nbench g/back`tick 3\n");
    let shown = place.ends_with(0, ["run", &odd, "--dry"]);
    assert!(shown.contains("g/new line ") && shown.contains("g/esc "), "{shown}");
    for (pattern, name) in [("g/new?line", "g/new line"), ("g/esc*", "g/esc "), ("g/back`tick", "g/back`tick")] {
        let shown = place.ends_with(0, ["run", &odd, "--dry", "--filter", pattern]);
        assert!(shown.starts_with(name) && shown.lines().filter(|line| line.contains(" ran")).count() == 1, "{shown}");
    }
    // What a run advises is such a pattern.
    let screen = place.ends_with(0, ["run", &odd, "--filter", "g/new?line"].iter().chain(&SHORT));
    assert!(!screen.contains("'g/new line'"), "{screen}");
}

#[test]
fn names_that_are_not_utf8_are_an_error_that_says_so() {
    let place = Place::new("bytes");
    let name = OsString::from_vec(b"b\xffd.cpp".to_vec());
    fs::write(place.join(&name), CODE).expect("a file");
    let output = place.tare([OsStr::new("run"), &name]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(
        err(&output).contains("is not valid UTF-8") && err(&output).contains("hint: rename it"),
        "{}",
        err(&output)
    );
    let missing = place.tare([OsStr::new("run"), OsStr::from_bytes(b"no\xff.cpp")]);
    assert_eq!(missing.status.code(), Some(2), "{}", err(&missing));
    for args in
        [&[b"list".as_slice(), b".", b"--filter", b"\xff"][..], &[b"show", b"\xff"], &[b"\xff"], &[b"help", b"\xff"]]
    {
        let output = place.tare(args.iter().map(|word| OsStr::from_bytes(word)));
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", err(&output));
        assert!(err(&output).starts_with("error: ") && out(&output).is_empty(), "{}", err(&output));
    }
    // Results can be written below any name that the system allows.
    let file = OsStr::from_bytes(b"r\xff.csv");
    let args = ["run", reference()].into_iter().chain(SHORT).map(OsStr::new).chain([OsStr::new("-o"), file]);
    let output = place.tare(args);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(place.join(file).exists());
}

#[test]
fn a_folder_whose_name_is_not_utf8_does_not_hide_its_neighbours() {
    let place = Place::with_stand_in("neighbours");
    place.write("code/good.c", CODE);
    fs::create_dir(place.join("code").join(OsStr::from_bytes(b"b\xffd"))).expect("a folder");
    fs::write(place.join("code").join(OsStr::from_bytes(b"b\xffd/plain.txt")), "text").expect("a file");
    assert_eq!(place.ends_with(0, ["list", "code"]), "a/b\n");
}
