//! `tare init`, for each language: what it writes is measured at once. A language whose tools are not here is skipped by name.

use crate::support::{err, have, out, skip, Place};
use std::fs;
use std::path::Path;

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
const CASES: &[Case] = &[
    case("cc", &["c"], PARSE),
    case("cmake", &["c", "--project"], PARSE),
    case("node", &["javascript"], PARSE),
    case("node", &["js", "--project"], PARSE),
    case("python3", &["python"], PARSE),
    case("python3", &["python", "--project"], PARSE),
];

/// What compiles for longer.
const LONG: &[Case] = &[
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
}

#[test]
#[ignore = "compiles with every toolchain that is here, and downloads packages"]
fn what_it_writes_runs_at_once_in_every_language() {
    LONG.iter().for_each(written_and_run);
}

/// The whole way: the second command of a newcomer gives a verdict, or says why not.
#[test]
fn what_it_writes_is_measured() {
    let place = Place::new("init-measured");
    place.ends_with(0, ["init", "c"]);
    let shown = place.ends_with(0, ["run", "parse.c", "--quick", "--launches=2", "--rounds=5"]);
    assert!(shown.contains("library") && shown.contains("by_hand") && shown.contains("base"), "{shown}");
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
fn a_project_gets_a_benchmark_and_stays_as_it_is() {
    let lists = "cmake_minimum_required(VERSION 3.16)\nproject(shop C)\nadd_library(shop shop.c)\n";
    into_project("cmake", &[("CMakeLists.txt", lists), ("shop.c", "int shop;\n")], &["init"], at_the_end);
    let package = "{ \"name\": \"shop\", \"scripts\": { \"bench\": \"tare run bench\" } }\n";
    into_project("node", &[("package.json", package)], &["init"], |_, file, _| panic!("{file}"));
    into_project("python3", &[("pyproject.toml", "[project]\nname = \"shop\"\n")], &["init"], |_, file, _| {
        panic!("{file}")
    });
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

#[test]
fn wrong_input_is_refused_by_name() {
    let place = Place::new("init-errors");
    let cases: &[(&[&str], &str, &str)] = &[
        (&["init"], "which language?", "tare init --list"),
        (&["init", "cobol"], "unknown language `cobol`", "tare init --list"),
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
fn a_dry_run_shows_everything_and_writes_nothing() {
    let place = Place::new("init-dry");
    let said = place.ends_with(0, ["init", "rust", "new", "--project", "--dry-run"]);
    for part in [
        "would write new/Cargo.toml:",
        "    harness = false",
        "benches/tare/",
        "files of the front end: Cargo builds it from source",
        "next: tare run new",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!place.join("new").exists());
    let listed = place.ends_with(0, ["init", "--list"]);
    assert!(listed.lines().all(|line| line.chars().count() <= 80) && listed.contains("typescript"), "{listed}");
    assert!(Path::new(&place.join("home")).exists());
}
