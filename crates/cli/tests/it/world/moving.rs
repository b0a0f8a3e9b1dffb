//! A project that moves to Tare one file at a time: the harnesses of others are left alone, by name.

use crate::support::{err, have, json, out, skip, Place, ROOT, SHORT};
use std::process::Output;

/// The package with a bench target of Tare, one behind a feature, and three of others.
fn package(name: &str) -> Option<Place> {
    if !have("cargo") {
        skip(name, "no cargo");
        return None;
    }
    let place = Place::new(name);
    place.copy("fixtures/projects/moving", ".");
    place.plain_library();
    let front_end = format!("{ROOT}/frontends/rust");
    place.write("Cargo.toml", &place.read("Cargo.toml").replace("../../../frontends/rust", &front_end));
    Some(place)
}

fn names(output: &Output) -> Vec<String> {
    assert_eq!(output.status.code(), Some(0), "{}{}", out(output), err(output));
    let list = json(&out(output));
    let programs = list["programs"].as_array().expect("programs").clone();
    programs.iter().map(|p| p["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn benches_of_other_harnesses_are_skipped_and_one_that_is_named_is_run_as_it_is() {
    let Some(place) = package("moving") else { return };
    others_are_skipped_and_never_run(&place);
    a_bench_of_criterion_that_is_named_is_run_as_it_is(&place);
    assert!(!place.join("target").exists(), "the user's build is left alone");
}

fn others_are_skipped_and_never_run(place: &Place) {
    let listed = place.tare(["list", ".", "--json"]);
    assert_eq!(names(&listed), ["moving/moved"]);
    for line in [
        "skipped `moving/old`, which uses criterion: `tare run --bench old` runs it as it is; to port it",
        "skipped `moving/nightly`, which uses libtest, without a `#[bench]`",
        "skipped `moving/home-made`, which contains no Tare benchmark",
        "skipped `moving/wide`, which needs the feature `wide`: add `--features wide`",
    ] {
        assert!(err(&listed).contains(line), "{line}\n{}", err(&listed));
    }
    // What is wanted alone, with its feature.
    let listed = place.tare(["list", ".", "--json", "-p", "moving", "--bench", "wide", "--features", "wide"]);
    assert_eq!((names(&listed), err(&listed).contains("skipped")), (vec!["moving/wide".to_owned()], false));
    let run = place.tare(["run", ".", "--no-save", "--bench", "moved", "--profile", "release"].iter().chain(&SHORT));
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    assert!(out(&run).contains("double"), "{}", out(&run));
    // Only what belongs to others, and names that nothing has.
    for (args, code, text) in [
        (&["run", "benches/nightly.rs"][..], 4, "`moving/nightly` uses libtest"),
        (&["run", ".", "--bench", "nothing"], 4, "no bench target `nothing`"),
        (&["run", ".", "--package", "nothing"], 4, "hint: available: `moving`"),
        (&["run", ".", "--features", "narrow"], 4, "no feature `narrow`"),
    ] {
        let output = place.tare(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{}", err(&output));
        assert!(err(&output).contains(text), "{args:?}\n{}", err(&output));
    }
    assert!(!place.join("criterion-ran").exists() && !place.join("home-made-ran").exists());
    // A folder of the package is that package.
    let listed = place.command(["list", "--json", "--bench", "moved"]).current_dir(place.join("src")).output();
    assert_eq!(names(&listed.expect("tare runs")), ["moving/moved"]);
    let listed = place.tare(["list", "benches", "--json", "--bench", "moved"]);
    assert_eq!(names(&listed), ["moving/moved"]);
}

/// One that is named is built by Cargo and run as it is, and beside the same project's own.
fn a_bench_of_criterion_that_is_named_is_run_as_it_is(place: &Place) {
    let listed = place.tare(["list", ".", "--json", "--bench", "old"]);
    assert_eq!(names(&listed), ["moving/old"]);
    let run = place.tare(["run", "benches/old.rs"].iter().chain(&SHORT));
    assert_eq!(run.status.code(), Some(100), "{}", err(&run));
    let shown = out(&run);
    let row =
        |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default().to_owned();
    // The values of a `BenchmarkId`, of which its list does not tell.
    for value in ["256", "small"] {
        let row = shown.lines().find(|line| line.contains(value)).unwrap_or_default();
        assert!(row.contains("50.0"), "the sample that lost the processor: {shown}");
    }
    assert!(shown.contains("sizes") && shown.contains("value") && !shown.contains("parse/"), "{shown}");
    assert!(row("broken").contains("failed") && shown.contains("--bench"), "{shown}");
    let run = place.run_json();
    assert_eq!(run["artifacts"][0]["toolchain"], "harness", "{run}");
    place.assert_nothing_left("a bench of criterion");
}
