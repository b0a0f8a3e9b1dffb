//! Streams, help, colours and the chores of the store.

use crate::support::{err, out, reference, skip, Place, SHORT};
use std::fs;

#[test]
fn help_is_a_result() {
    let place = Place::new("help");
    for args in
        [&["help"][..], &["--help"], &["help", "glossary"], &["help", "run"], &["help", "exit-codes"], &["run", "-h"]]
    {
        let output = place.tare(args);
        assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()), "{args:?}");
        assert!(out(&output).len() > 200, "{args:?}");
    }
    let version = place.ends_with(0, ["--version"]);
    assert_eq!(version, format!("tare {}\n", env!("CARGO_PKG_VERSION")));
    // Nothing at all is a question for help too.
    let output = place.tare([""; 0]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("Usage: tare"), "{}", err(&output));
}

#[test]
fn colours_follow_the_flag_and_the_variables() {
    let place = Place::new("colours");
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let output = place.command(args).envs(variables.iter().copied()).output().expect("tare runs");
        out(&output).contains('\x1b')
    };
    let help = ["help", "glossary"];
    assert!(!coloured(&help, &[]), "a pipe is not coloured");
    assert!(coloured(&help, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&help, &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&help, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["help", "glossary", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["help", "glossary", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn no_save_keeps_nothing_and_files_need_their_folder() {
    let place = Place::new("no-save");
    place.ends_with(0, ["run", reference(), "--no-save", "-o", "r.csv"].iter().chain(&SHORT));
    assert_eq!(place.read("r.csv").lines().count(), 6);
    assert!(!place.join(".tare").exists(), "--no-save keeps nothing");
    let output = place.tare(["run", reference(), "--no-save", "-o", "no/such/folder/r.md"].iter().chain(&SHORT));
    assert_eq!(output.status.code(), Some(110), "{}", err(&output));
    assert_eq!(out(&output), "", "nothing is measured when it cannot be written");
}

#[test]
fn runs_are_listed_named_and_dropped_in_their_order() {
    let place = Place::new("store");
    assert_eq!(place.tare(["runs"]).status.code(), Some(0));
    assert!(place.ends_with(0, ["runs", "--json"]).contains("\"runs\": []"));
    let mut ids = Vec::new();
    for _ in 0..3 {
        let known = place.runs();
        place.ends_with(0, ["run", reference(), "-f", "strlen"].iter().chain(&SHORT));
        let new = place.runs().into_iter().find(|folder| !known.contains(folder)).expect("a run");
        ids.push(new.file_name().expect("a name").to_string_lossy().into_owned());
    }
    // Also of one second: these runs are shorter.
    let listed = place.ends_with(0, ["runs"]);
    let order: Vec<&str> = listed.lines().skip(1).take(3).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(order, [&ids[2], &ids[1], &ids[0]].map(String::as_str), "the newest first: {listed}");
    for (name, id) in [("latest", &ids[2]), ("latest~1", &ids[1]), ("latest~2", &ids[0])] {
        assert!(place.ends_with(0, ["show", name]).contains(&format!("run {id}")), "{name}");
    }
    // Below the folder too, and no further than the working copy.
    fs::create_dir_all(place.join("sub/deep")).expect("folders");
    let below = place.command(["runs"]).current_dir(place.join("sub/deep")).output().expect("tare runs");
    assert_eq!(out(&below), listed);
    assert_eq!(place.cleaned(&["--keep", "1"]), format!("deleted 2 runs: {} {}\n", ids[1], ids[0]));
    assert_eq!(place.cleaned(&["--keep", "0"]), format!("deleted 1 run: {}\n", ids[2]));
    assert!(place.runs().is_empty());
    assert_eq!(place.read(".tare/.gitignore"), "*\n");
}

/// Without a working copy around both, the nearest folder above that has runs may be anybody's: `/tmp`, or the home folder. Its runs were
/// deleted by `tare clean` in any folder below. The cache of programs belongs to none, and is trimmed.
#[test]
fn runs_of_a_folder_above_are_not_deleted_from_below() {
    let place = Place::new("above");
    place.ends_with(0, ["run", reference(), "-f", "strlen"].iter().chain(&SHORT));
    fs::create_dir_all(place.join("below")).expect("a folder");
    fs::remove_file(place.join(".git")).expect("it is no working copy");
    if place.join("").ancestors().any(|above| above.join(".git").exists()) {
        return skip("runs of a folder above", "the folder of the tests is in a working copy");
    }
    let cache = place.join("cache");
    fs::create_dir_all(cache.join("tare/programs/0123456789abcdef")).expect("a folder");
    fs::write(cache.join("tare/programs/0123456789abcdef/bench"), "a program").expect("a file");
    let mut refused = place.command(["clean", "--keep", "0", "--unused", "0"]);
    let refused = refused.current_dir(place.join("below")).env("XDG_CACHE_HOME", &cache).output().expect("tare runs");
    assert_eq!(refused.status.code(), Some(2), "{}", out(&refused));
    let above = place.join("").canonicalize().expect("a folder");
    let hint = format!("hint: delete them there: `cd {} && tare clean --keep 0 --unused 0`", above.display());
    assert_eq!(out(&refused), "deleted 1 cached program: 9 B\n");
    assert!(err(&refused).contains(&hint), "{}", err(&refused));
    assert_eq!(place.runs().len(), 1);
    assert!(place.cleaned(&["--keep", "0"]).starts_with("deleted 1 run: "));
}

#[test]
fn a_run_that_is_being_written_is_left_alone() {
    let place = Place::new("locked");
    let program = place.misbehave("hang@body");
    let mut tare = place.start(["run", &program, "--quick"]);
    crate::support::wait_until("it runs", || place.ends_with(0, ["runs"]).contains("  running  "));
    let output = place.tare(["run", "--resume", "latest"]);
    assert_eq!(output.status.code(), Some(96), "{}", err(&output));
    assert!(err(&output).contains(&format!("is being written by process {}", tare.id())), "{}", err(&output));
    assert_eq!(place.cleaned(&["--keep", "0"]), "deleted 0 runs\n");
    tare.kill().expect("killed");
    tare.wait().expect("an end");
    place.assert_nothing_left("a killed run");
}

#[test]
fn built_programs_that_nobody_uses_are_dropped() {
    let place = Place::new("programs");
    let cache = place.join("cache");
    let kept = cache.join("tare/programs/0123456789abcdef");
    fs::create_dir_all(&kept).expect("a folder");
    fs::write(kept.join("bench"), "a program").expect("a file");
    let clean = |args: &[&str]| {
        let output = place.command(["clean"].iter().chain(args)).env("XDG_CACHE_HOME", &cache).output().expect("runs");
        assert!(output.status.success(), "{}", err(&output));
        out(&output)
    };
    assert_eq!(clean(&[]), "deleted 0 runs\n");
    assert!(kept.exists());
    assert_eq!(clean(&["--unused", "0"]), "deleted 0 runs\ndeleted 1 cached program: 9 B\n");
    assert!(!kept.exists());
}

#[test]
fn shards_are_disjoint_and_hold_all() {
    let place = Place::new("shards");
    let list = |shard: &str| place.ends_with(0, ["list", reference(), "--shard", shard]);
    let parts = [list("1/2"), list("2/2")];
    assert!(parts.iter().all(|part| !part.is_empty()), "{parts:?}");
    let mut together: Vec<&str> = parts.iter().flat_map(|part| part.lines()).collect();
    let whole = place.ends_with(0, ["list", reference()]);
    let mut all: Vec<&str> = whole.lines().collect();
    together.sort_unstable();
    all.sort_unstable();
    assert_eq!(together, all);
    let said = place.fails_with(2, ["list", reference(), "--shard", "3/2"]);
    assert!(said.contains("`2/5`"), "{said}");
    // A machine whose part holds nothing has nothing to do.
    let said = err(&place.tare(["list", reference(), "--filter", "strlen", "--shard", "1/1000"]));
    assert!(said.contains("note: nothing to do") && said.contains("--shard 1/1000"), "{said}");
    place.ends_with(0, ["list", reference(), "--filter", "strlen", "--shard", "1/1000"]);
    place.fails_with(4, ["list", reference(), "--filter", "no-such", "--shard", "1/1000"]);
}
