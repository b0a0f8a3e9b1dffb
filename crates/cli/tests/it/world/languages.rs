//! A file of each language and a project, with the compilers that are here.

use crate::support::{err, have, skip, Place, SHORT};

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
    assert!(!err(&output).contains("built "), "{}", err(&output));
    assert_ne!(again.status.code(), Some(0), "another compiler builds anew");
    place.assert_nothing_left("a run");
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
