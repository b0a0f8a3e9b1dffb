//! From files of every kind to a table: found, built, listed, measured, kept.

use crate::support::{have, json, out, patiently, reference, skip, Place, SHORT};

const HELLO_CPP: &str = r#"#include <tare.h>
#include <cstdlib>
TARE_BENCH("parse/strtol", [] { return std::strtol(tare::opaque("123456789"), nullptr, 10); }).baseline().category("c");
TARE_BENCH("parse/atoi", [] { return std::atoi(tare::opaque("123456789")); }).category("c").category("short");
"#;

const HELLO_C: &str = r#"#include <tare.h>
#include <stdlib.h>
static const char *text = "123456789";
TARE_C_BENCH("parse/strtol", .baseline = true) { tare_keep(strtol(text, NULL, 10)); }
TARE_MAIN()
"#;

/// The two of C++ in C, which is compiled sooner.
const TWO_IN_C: &str = r#"// tare-flags: -O1 -g0
#include <tare.h>
#include <stdlib.h>
TARE_C_BENCH("parse/strtol", .baseline = true, .category = {"c"}) { tare_keep(strtol("123456789", NULL, 10)); }
TARE_C_BENCH("parse/atoi", .category = {"c", "short"}) { tare_keep(atoi("123456789")); }
"#;

const HELLO_RS: &str = r#"#[tare::bench(group = "parse")]
fn parse() -> i64 {
    tare::keep("123456789").parse().unwrap()
}
fn main() {
    tare::main();
}
"#;

/// Runs it and gives the cases of the document: program, language, name; all of them measured in every launch.
fn cases(place: &Place, args: &[&str]) -> Vec<(String, String, String)> {
    let words = ["run"].iter().chain(args).chain(&SHORT).copied();
    place.ends_with(0, words);
    let run = place.run_json();
    assert_eq!(run["status"], "finished");
    for launch in run["launches"].as_array().expect("launches") {
        assert_eq!(launch["outcome"], "finished", "{launch}");
    }
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let cases = run["plan"]["cases"].as_array().expect("cases").iter();
    cases
        .map(|case| {
            let artifact = &run["artifacts"][case["artifact"].as_u64().expect("a number") as usize];
            let (benchmark, child) = (&case["benchmark"], &artifact["child"]);
            let name = format!("{}/{}", text(&benchmark["group"]), text(&benchmark["name"]));
            (text(&artifact["name"]), text(&child["language"]), name)
        })
        .collect()
}

fn case(program: &str, language: &str, name: &str) -> (String, String, String) {
    (program.to_owned(), language.to_owned(), name.to_owned())
}

#[test]
fn a_file_of_each_language_and_all_of_them_as_a_folder() {
    let place = Place::new("files");
    place.write("code/hello.cpp", HELLO_CPP);
    place.write("code/deep/hello.c", HELLO_C);
    place.write("code/hello.rs", HELLO_RS);
    place.write("code/other.cpp", "int main() {}\n");
    let cpp = [case("hello.cpp", "c++", "parse/strtol"), case("hello.cpp", "c++", "parse/atoi")];
    assert_eq!(cases(&place, &["code/hello.cpp"]), cpp);
    let all = cases(&place, &["code"]);
    assert_eq!(all.len(), 4, "{all:?}");
    for (language, name) in [("c", "parse/strtol"), ("rust", "parse/parse"), ("c++", "parse/atoi")] {
        assert!(all.iter().any(|(_, l, n)| l == language && n == name), "{language}: {all:?}");
    }
    // What was built is run again without a compiler.
    let again =
        place.command(["run", "code/hello.cpp"]).args(SHORT).env("CXX", "/bin/false").output().expect("tare runs");
    let output = place.command(["run", "code/deep/hello.c"]).args(SHORT).output().expect("tare runs");
    assert!(!crate::support::err(&output).contains("built "), "{}", crate::support::err(&output));
    assert_ne!(again.status.code(), Some(0), "another compiler builds anew");
    place.assert_nothing_left("a run");
}

#[test]
fn a_built_program_and_a_script() {
    let place = Place::new("program");
    let found = cases(&place, &[reference()]);
    assert_eq!(found.len(), 5);
    assert!(found.contains(&case("reference-child", "c", "text/strlen")), "{found:?}");
    if !have("python3") {
        return skip("a child in Python", "no python3");
    }
    let script = place.quick_python_child("child.py");
    let words = ["run", &script, "--quick", "--launches", "1", "--rounds", "2", "--invocations", "100", "-f", "sort/*"];
    place.ends_with(0, words);
    assert_eq!(place.run_json()["artifacts"][0]["child"]["language"], "python");
}

#[test]
fn a_cargo_package_with_bench_targets() {
    let place = Place::new("cargo");
    place.plain_library();
    place.copy("fixtures/projects/cargo-workspace", "fixtures/projects/w");
    let tare = format!("{}/frontends/rust/tare", crate::support::ROOT);
    let manifest = place.read("fixtures/projects/w/Cargo.toml");
    place.write("fixtures/projects/w/Cargo.toml", &manifest.replace("../../../frontends/rust/tare", &tare));
    let found = cases(&place, &["fixtures/projects/w"]);
    assert!(!found.is_empty() && found.iter().all(|(_, language, _)| language == "rust"), "{found:?}");
    assert!(!place.join("fixtures/projects/w/target").exists(), "the user's build is left alone");
}

#[test]
fn a_cmake_project() {
    if !have("cmake") {
        return skip("a CMake project", "no cmake");
    }
    let place = Place::new("cmake");
    place.copy("fixtures/projects/cmake-project", "project");
    let found = cases(&place, &["project"]);
    let names: Vec<&str> = found.iter().map(|(program, _, _)| program.as_str()).collect();
    assert_eq!(names, ["project/linked", "project/second"]);
}

#[test]
fn lists_flat_as_a_tree_and_for_programs() {
    let place = Place::new("list");
    place.write("hello.c", TWO_IN_C);
    assert_eq!(place.ends_with(0, ["list", "hello.c"]), "parse/strtol\nparse/atoi\n");
    assert_eq!(
        place.ends_with(0, ["list", "hello.c", "--tree"]),
        "hello.c  c\n╰─ parse\n   ├─ strtol  base  categories: c\n   ╰─ atoi  categories: c, short\n"
    );
    assert_eq!(
        place.ends_with(0, ["list", "hello.c", "--tree", "--ascii"]),
        "hello.c  c\n`- parse\n   |- strtol  base  categories: c\n   `- atoi  categories: c, short\n"
    );
    let list = json(&place.ends_with(0, ["list", "hello.c", "--json"]));
    assert_eq!((&list["format"], &list["version"]), (&"tare-list".into(), &"1.0".into()));
    let benchmark = &list["programs"][0]["benchmarks"][1];
    assert_eq!((&benchmark["group"], &benchmark["name"]), (&"parse".into(), &"atoi".into()));
    assert_eq!(benchmark["categories"], json(r#"["c", "short"]"#));
    assert_eq!(list["programs"][0]["child"]["language"], "c");
    // Several programs: the name of each stands beside.
    let both = place.ends_with(0, ["list", "hello.c", reference(), "--filter", "*str*"]);
    assert_eq!(both, "parse/strtol  hello.c\ntext/strlen   reference-child\n");
    assert!(place.runs().is_empty(), "a list measures nothing");
}

#[test]
fn filters_exclusions_and_categories() {
    let place = Place::new("filters");
    place.write("hello.c", TWO_IN_C);
    let list = |args: &[&str]| place.ends_with(0, ["list", "hello.c", reference()].iter().chain(args));
    let first = |args: &[&str]| -> Vec<String> {
        list(args).lines().map(|l| l.split("  ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(first(&["--filter", "loop"]), ["sum/loop[n=10]", "sum/loop[n=1000]"]);
    assert_eq!(first(&["--filter", "sum/*[n=10]"]), ["sum/loop[n=10]", "sum/formula[n=10]"]);
    assert_eq!(first(&["--filter", "atoi", "--filter", "*len"]), ["parse/atoi", "text/strlen"]);
    assert_eq!(first(&["--filter", "p?rse/*", "--exclude", "*atoi"]), ["parse/strtol"]);
    assert_eq!(first(&["--category", "short"]), ["parse/atoi"]);
    assert_eq!(first(&["--category", "c", "--exclude", "atoi"]), ["parse/strtol"]);
    // A run measures what a list shows.
    place.ends_with(0, ["run", "hello.c", "--category", "short"].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["plan"]["cases"].as_array().expect("cases").len(), 1);
}

#[test]
fn nothing_that_fits_gives_the_nearest_names() {
    let place = Place::new("nothing");
    let listed = format!("hint: list the benchmarks: `tare list {}`\n", reference());
    for (args, hint) in [
        (&["--filter", "strlne"][..], "hint: did you mean `text/strlen`?\n"),
        (&["--filter", "sum/lop*"], "hint: did you mean `sum/loop[n=10]` and `sum/loop[n=1000]`?\n"),
        (&["--filter", "qqqqqqqqqq"], &listed),
        (&["--category", "qqqq"], &listed),
    ] {
        for verb in ["run", "list"] {
            let output = place.tare([verb, reference()].iter().chain(args));
            let reported = crate::support::err(&output);
            assert_eq!((output.status.code(), out(&output).as_str()), (Some(4), ""), "{reported}");
            assert!(reported.starts_with("error: none of 5 benchmarks matches `--"), "{reported}");
            assert!(reported.ends_with(hint), "{reported}");
        }
    }
    assert!(!place.join(".tare").exists());
}

#[test]
fn what_cannot_be_built_is_told_and_the_rest_is_measured() {
    let place = Place::new("broken");
    place.write("good.c", TWO_IN_C);
    place.write("bad.cpp", "#include <tare.h>\nTARE_BENCH(\"a/b\", [] { return 1 })\n");
    let output = place.tare(["run", "bad.cpp"]);
    let reported = crate::support::err(&output);
    assert_eq!((output.status.code(), out(&output)), (Some(101), String::new()), "{reported}");
    assert!(reported.starts_with("error: could not build `bad.cpp`: "), "{reported}");
    // The compiler's own words, with the place.
    assert!(reported.contains("\n    bad.cpp:2:33: error: expected"), "{reported}");
    // Where the text tells what is missing, so does the hint.
    place.copy("fixtures/projects/broken", "broken");
    let output = place.tare(["run", "broken/header.cpp"]);
    let reported = crate::support::err(&output);
    assert_eq!(output.status.code(), Some(101), "{reported}");
    assert!(reported.contains("error: ") && reported.contains("\n\nhint: "), "{reported}");
    assert!(!place.join(".tare").exists());
    let both = place.tare(["run", "bad.cpp", "good.c"].iter().chain(&SHORT));
    assert_eq!(both.status.code(), Some(101));
    assert!(out(&both).contains("strtol") && crate::support::err(&both).contains("could not build `bad.cpp`"));
}

#[test]
fn a_program_that_is_no_child_is_named() {
    let place = Place::new("no-child");
    let scripts = [
        ("quiet", "#!/bin/sh\nexit 0\n", "exited unexpectedly with status 0"),
        ("loud", "#!/bin/sh\necho I am a calculator\nexit 3\n", "I am a calculator"),
        ("deaf", "#!/bin/sh\nsleep 600\n", "did not answer within"),
        (
            "chatty",
            "#!/bin/sh\necho hello >&4\nsleep 600\n",
            "R7: a reply is not a JSON object|R5: it wrote before the first request: `hello`",
        ),
    ];
    for (name, text, word) in scripts {
        let program = place.script(name, text);
        for verb in ["run", "list"] {
            patiently([0.3, 5.0, 50.0], |seconds| {
                let output = place.tare([verb, &program, "--timeout", &format!("{seconds}s")]);
                let reported = crate::support::err(&output);
                assert_eq!((output.status.code(), out(&output).as_str()), (Some(102), ""), "{reported}");
                assert!(reported.starts_with(&format!("error: cannot list the benchmarks of `{name}`")), "{reported}");
                // What comes unasked may be there before the request or after it.
                let is_named = word.split('|').any(|word| reported.contains(word));
                assert!(is_named && reported.contains("command: `") && reported.contains("hint: "), "{reported}");
                assert!(reported.contains(&format!("tare conformance {program}")), "{reported}");
            });
        }
    }
    place.assert_nothing_left("programs that are no children");
}
