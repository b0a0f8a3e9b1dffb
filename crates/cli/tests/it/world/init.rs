//! `tare init`, for each language: what it writes is measured at once. A language whose tools are not here is skipped by name.

use crate::support::{err, have, out, skip, Place};
use std::fs;

/// A language, what it needs, and the words behind `tare init`.
struct Case {
    tool: &'static str,
    words: &'static [&'static str],
    /// Its two benchmarks.
    names: [&'static str; 2],
}

const fn case(tool: &'static str, words: &'static [&'static str], names: [&'static str; 2]) -> Case {
    Case { tool, words, names }
}

const PARSE: [&str; 2] = ["parse/library", "parse/by_hand"];
const OF_CLASS: [&str; 2] = ["Parse/library", "Parse/byHand"];
const OF_JMH: [&str; 2] = ["ParseBenchmark/library", "ParseBenchmark/byHand"];

/// What takes a second or less.
const CASES: &[Case] =
    &[case("cc", &["c"], PARSE), case("node", &["javascript"], PARSE), case("python3", &["python"], PARSE)];

/// What compiles for longer.
const LONG: &[Case] = &[
    case("cmake", &["c", "--project"], PARSE),
    case("node", &["js", "--project"], PARSE),
    case("python3", &["python", "--project"], PARSE),
    case("c++", &["c++"], PARSE),
    case("cmake", &["cpp", "--project"], PARSE),
    case("cargo", &["rust"], PARSE),
    case("cargo", &["rust", "--project"], PARSE),
    case("go", &["go"], ["Parse[impl=library]", "Parse[impl=by_hand]"]),
    case("javac", &["java"], OF_CLASS),
    case("dotnet", &["c#"], ["Parse/Library", "Parse/ByHand"]),
    case("dotnet", &["csharp", "--project"], ["Parse/Library", "Parse/ByHand"]),
    // Their build tools download something.
    case("mvn", &["java", "--project"], OF_JMH),
    case("mvn", &["kotlin"], OF_JMH),
    case("mvn", &["scala"], OF_JMH),
    case("npm", &["typescript"], PARSE),
];

fn is_here(tool: &str) -> bool {
    // `go` and `npm` say their versions in words of their own.
    have(tool) || std::process::Command::new(tool).arg("version").output().is_ok_and(|done| done.status.success())
}

/// The commands that it prints behind a word.
fn printed(said: &str, word: &str) -> Vec<String> {
    said.lines().filter_map(|line| line.strip_prefix(word)).map(str::to_owned).collect()
}

fn place_for(name: &str, tool: &str) -> Place {
    let place = Place::new(name);
    place.plain_library();
    if tool == "dotnet" {
        // A file that is no file of git stops its build.
        fs::remove_file(place.join(".git")).expect("removed");
    }
    place
}

/// Writes a first benchmark, does what it says, and runs it.
fn written_and_run(case: &Case) {
    let label = format!("tare init {}", case.words.join(" "));
    if !is_here(case.tool) {
        return skip(&label, &format!("`{}` is not installed", case.tool));
    }
    let place = place_for("init", case.tool);
    fs::create_dir(place.join("shop")).expect("a folder");
    let said = in_shop(&place, ["init"].iter().chain(case.words).copied());
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    for command in printed(&said, "then: ") {
        let done = place.other("sh").args(["-c", &command]).current_dir(place.join("shop")).output().expect("sh runs");
        if !done.status.success() {
            return skip(&label, &format!("`{command}` failed: {}", err(&done).lines().next().unwrap_or_default()));
        }
    }
    let next = printed(&said, "next: tare ");
    assert_eq!(next.len(), 1, "{said}");
    // Every body once: how long it takes is not asked.
    let shown = in_shop(&place, next[0].split(' ').chain(["--dry"]));
    for name in case.names {
        let ran = shown.lines().any(|line| line.starts_with(name) && line.contains("  ran"));
        assert!(ran, "{label}: {name}: {shown}");
    }
    // Again: nothing is overwritten, and nothing is said to be.
    let again =
        place.command(["init"].iter().chain(case.words)).current_dir(place.join("shop")).output().expect("it runs");
    let refused = err(&again);
    assert!(again.status.code() == Some(2) && refused.contains("already"), "{label}: {refused}");
    assert!(refused.contains("hint: "), "{refused}");
}

/// Runs `tare` in the folder `shop` of a place; it must end well.
fn in_shop<'a>(place: &Place, words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    let done = place.command(&words).current_dir(place.join("shop")).output().expect("tare runs");
    assert!(done.status.success(), "{words:?}: {}\n{}", out(&done), err(&done));
    out(&done)
}

#[test]
fn what_it_writes_runs_at_once() {
    CASES.iter().for_each(written_and_run);
    let package = "{ \"name\": \"shop\", \"scripts\": { \"bench\": \"tare run bench\" } }\n";
    into_project("node", &[("package.json", package)], &["init"], |_, file, _| panic!("{file}"));
    into_project("python3", &[("pyproject.toml", "[project]\nname = \"shop\"\n")], &["init"], |_, file, _| {
        panic!("{file}")
    });
}

#[test]
#[ignore = "compiles with every toolchain that is here, and downloads packages"]
fn what_it_writes_runs_at_once_in_every_language() {
    LONG.iter().for_each(written_and_run);
}

/// A benchmark in a project: its files stay as they are, and with the lines that are printed it is measured.
fn into_project(tool: &str, files: &[(&str, &str)], words: &[&str], insert: impl Fn(&Place, &str, &str)) {
    let label = format!("tare {} in a project", words.join(" "));
    if !is_here(tool) {
        return skip(&label, &format!("`{tool}` is not installed"));
    }
    let place = place_for("init-inside", tool);
    for (name, text) in files {
        place.write(&format!("shop/{name}"), text);
    }
    let said = in_shop(&place, words.iter().copied());
    for (name, text) in files {
        assert_eq!(place.read(format!("shop/{name}")), *text, "{name} was changed");
    }
    let mut rest = said.as_str();
    while let Some((_, after)) = rest.split_once("add to ") {
        let (file, after) = after.split_once(":\n\n").expect("the lines");
        let lines: Vec<&str> = after.lines().take_while(|line| line.is_empty() || line.starts_with("    ")).collect();
        insert(
            &place,
            file,
            &(lines.iter().map(|line| line.get(4..).unwrap_or_default().to_owned() + "\n").collect::<String>()),
        );
        rest = after;
    }
    let next = printed(&said, "next: tare ");
    let shown = in_shop(&place, next[0].split(' ').chain(["--dry"]));
    assert!(
        shown.lines().any(|line| line.to_lowercase().contains("library") && line.contains("  ran")),
        "{label}: {shown}"
    );
}

fn at_the_end(place: &Place, file: &str, lines: &str) {
    let text = place.read(format!("shop/{file}"));
    place.write(&format!("shop/{file}"), &(text + "\n" + lines));
}

#[test]
#[ignore = "compiles with every toolchain that is here"]
fn projects_of_every_language_get_a_benchmark() {
    let package = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\nbench = false\n";
    into_project("cargo", &[("Cargo.toml", package), ("src/lib.rs", "")], &["init"], at_the_end);
    let lists = "cmake_minimum_required(VERSION 3.16)\nproject(shop C CXX)\nadd_library(shop shop.c)\n";
    into_project("cmake", &[("CMakeLists.txt", lists), ("shop.c", "int shop;\n")], &["init"], at_the_end);
    let source = "package shop\n\nfunc Price() int { return 3 }\n";
    into_project("go", &[("go.mod", "module shop\n\ngo 1.21\n"), ("shop.go", source)], &["init"], |_, file, _| {
        panic!("{file}")
    });
    let library = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>netstandard2.0</TargetFramework>\n  \
                   </PropertyGroup>\n</Project>\n";
    let source = "public static class Shop { public static int Price() => 3; }\n";
    into_project("dotnet", &[("Shop.csproj", library), ("Shop.cs", source)], &["init"], |place, file, lines| {
        let text = place.read(format!("shop/{file}"));
        place.write(&format!("shop/{file}"), &text.replace("</Project>", &format!("{lines}</Project>")));
    });
}
