//! `tare conformance` on children that keep the rules and on three that break one each.

use crate::support::{children, have, long, skip, usual_reference, Place, ROOT, SHORT};
use std::path::Path;

#[test]
fn the_reference_children_pass() {
    if !long() {
        return skip("the reference child by the command", "`./test` plays it without, TARE_TEST_LONG=1 both");
    }
    let place = Place::new("reference");
    // Without `--` it is given in the other tests of this file; the tests of the host play the one in Python too.
    let reported = place.ends_with(0, ["conformance", "--", usual_reference()]);
    assert!(reported.contains("19 passed, 0 failed"), "{reported}");
    place.assert_nothing_left("a conformance test");
}

/// The front ends with the benchmarks that all of them ship, built as a user would have them built.
#[test]
fn the_front_ends_pass() {
    let place = Place::new("front-ends");
    // All rules but R17, which is seen in the machine code, and R16, which is seen in times. The program in C++ has no diagnoser (R23):
    // that comes with `--diagnose`.
    let mut files = vec![("cpp/tests/conformance.cpp", 24), ("rust/tests/benches/conformance.rs", 25)];
    match long() {
        true => files.push(("cpp/tests/conformance.c", 24)),
        false => skip("the conformance benchmarks in C", "their protocol is that of C++; TARE_TEST_LONG=1 plays them"),
    }
    for (file, passed) in files {
        let name = file.rsplit('/').next().expect("a name");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontends").join(file), place.join(name))
            .expect("copied");
        place.ends_with(0, ["run", name, "--filter", "conformance/count"].iter().chain(&SHORT));
        let run = place.run_json();
        let program = run["artifacts"][0]["command"][0].as_str().expect("a program").to_owned();
        let (flags, passed): (&[&str], _) = if long() { (&["--"], passed + 1) } else { (&["--quick", "--"], passed) };
        let reported = place.ends_with(0, ["conformance"].iter().chain(flags).chain(&[program.as_str()]));
        assert!(reported.contains(&format!("{passed} passed, 0 failed")), "{reported}");
        std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    }
    place.assert_nothing_left("a conformance test");
}

/// A front end that is no part of `tare`: its rules, the row of each benchmark, its parameters, and where the user's code failed.
#[test]
fn a_front_end_in_ruby_passes() {
    if !have("ruby") {
        return skip("the front end in Ruby", "`ruby` is not installed");
    }
    let place = Place::new("ruby");
    for name in ["tare.rb", "bench_parse.rb", "conformance.rb"] {
        std::fs::copy(format!("{ROOT}/examples/ruby/{name}"), place.join(name)).expect("copied");
    }
    let reported = place.ends_with(0, ["conformance", "--quick", "./conformance.rb"]);
    assert!(reported.contains("23 passed, 0 failed"), "{reported}");
    let words = ["run", "bench_parse.rb", "--param", "n=20"];
    let rows = place.ends_with(0, words.iter().chain(&SHORT));
    for row in ["Integer", "to_i", "by_hand", "base", "sort_by", "20"] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    place.write(
        "wrong.rb",
        "require_relative 'tare'\nTare.bench('a/b') do\n  nil.size\nend\nTare.bench('a/cold', strategy: 'cold-start') { 1 }\n",
    );
    let rows = place.ends_with(100, ["run"].iter().chain(&SHORT).chain(&["--", "ruby", "wrong.rb"]));
    assert!(rows.contains("NoMethodError: undefined method") && rows.contains("wrong.rb:3"), "{rows}");
    assert!(rows.contains("cold start"), "{rows}");
    place.assert_nothing_left("a conformance test");
}

/// Whatever AArch64 needs apart from being fast: the program is compiled for it and run by an emulator.
#[test]
fn the_front_ends_pass_on_aarch64() {
    let emulator = "qemu-aarch64-static";
    for tool in [emulator, "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"] {
        if !have(tool) {
            return skip("children on AArch64", &format!("{tool} is not installed"));
        }
    }
    let place = Place::new("aarch64");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut children = vec![("frontends/cpp/tests/conformance.cpp", "24 passed, 0 failed")];
    if long() {
        children.push(("frontends/cpp/tests/conformance.c", "24 passed, 0 failed"));
        children.push(("spec/reference-child.c", "19 passed, 0 failed"));
    }
    for (source, all) in children {
        let compiler = if source.ends_with(".c") { "aarch64-linux-gnu-gcc" } else { "aarch64-linux-gnu-g++" };
        let program = place.join("child");
        let built = std::process::Command::new(compiler)
            .args(["-O2", "-static", "-o"])
            .args([&program, &root.join(source)])
            .arg("-I")
            .arg(root.join("frontends/cpp/include"))
            .status()
            .expect("the compiler runs");
        assert!(built.success(), "{source}");
        let reported = place.ends_with(0, ["conformance", "--quick", "--", emulator, "./child"]);
        assert!(reported.contains(all), "{source}: {reported}");
        assert!(reported.contains("windows"), "it has a width probe: {reported}");
    }
    place.assert_nothing_left("a conformance test");
}

#[test]
fn who_breaks_a_rule_is_told_which() {
    let place = Place::new("broken");
    let misbehave = children().join("misbehave");
    let program = misbehave.to_str().expect("UTF-8");
    for (mode, rule) in [("answers-unknown", "R9"), ("columns-too-short", "R19"), ("duplicate-names", "R13")] {
        let reported = place.ends_with(103, ["conformance", "--quick", program, mode]);
        let failed = reported.lines().find(|line| line.contains(rule) && line.to_lowercase().contains("fail"));
        let named = failed.is_some() || reported.lines().any(|line| line.contains(rule) && line.contains("broken"));
        assert!(named, "{mode}: {rule} is not named: {reported}");
    }
    place.assert_nothing_left("a conformance test");
}
