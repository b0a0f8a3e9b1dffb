//! The commands of the README's first lines: its first table, the examples end with 0, and the traps are named failures.

use crate::support::{err, have, json, long, out, skip, Place, ROOT};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Folders of examples, measured with these flags: (exit code, report, what was printed).
fn run(place: &Place, folders: &[String], flags: &[&str]) -> (Option<i32>, Value, String) {
    let words = ["run", "--no-save", "-o", "r.json"].iter().chain(flags).map(|word| (*word).to_owned());
    let output = place.tare(words.chain(folders.iter().map(|folder| format!("{ROOT}/{folder}"))));
    let said = format!("{}{}", out(&output), err(&output));
    (output.status.code(), json(&place.read("r.json")), said)
}

/// Of each group of a screen its title, and of each row the name and the language: what no measurement changes.
fn rows(screen: &str) -> Vec<Vec<&str>> {
    let from = screen.lines().skip_while(|line| !line.starts_with("parse "));
    let table = from.take_while(|line| !line.starts_with("findings") && !line.contains(" cases: "));
    let words = |line: &str| if line.starts_with(' ') { 2 } else { 1 };
    table.filter(|line| !line.is_empty()).map(|line| line.split_whitespace().take(words(line)).collect()).collect()
}

#[test]
fn the_first_table_is_the_one_that_the_readme_shows() {
    let place = Place::new("first");
    let words = "run examples/first --quick";
    let readme = std::fs::read_to_string(format!("{ROOT}/README.md")).expect("a file");
    let shown = readme.split_once(&format!("-- {words}\n")).expect("its first command").1;
    let shown = rows(shown.split("```").next().unwrap_or_default());
    let (code, _, said) = run(&place, &["examples/first".to_owned()], &["--quick", "--launches", "1", "--rounds", "2"]);
    assert_eq!(code, Some(0), "{said}");
    let printed = rows(&said);
    let languages: BTreeSet<&str> = printed.iter().filter_map(|row| row.get(1)).copied().collect();
    assert!(languages.contains("c++") && languages.contains("rust"), "{said}");
    assert_eq!(languages.len() == 7, !said.contains("note: not run here: "), "{said}");
    // The README's has no C#; a machine may lack others.
    let is_in_both =
        |row: &Vec<&str>| row.get(1).is_none_or(|language| *language != "c#" && languages.contains(language));
    let of =
        |rows: &[Vec<&str>]| rows.iter().filter(|row| is_in_both(row)).map(|row| row.join(" ")).collect::<Vec<_>>();
    assert_eq!((shown.len(), of(&printed)), (15, of(&shown)), "{said}");
}

#[test]
fn no_example_fails() {
    if !long() {
        return skip("all examples", "they are compiled with TARE_TEST_LONG=1");
    }
    let place = Place::new("examples");
    // The first table, the seven tasks and the front end in Ruby have tests of their own.
    let of_one = std::fs::read_dir(format!("{ROOT}/examples")).expect("a folder").filter_map(|entry| {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        (!["first", "seven", "ci", "diagnosers", "ruby"].contains(&name.as_str())).then(|| format!("examples/{name}"))
    });
    // A compiler for kernels that finds no toolkit is there for nothing.
    let works = |compiler: &str| {
        have(compiler) && Command::new(compiler).arg("--version").output().is_ok_and(|of| of.status.success())
    };
    let installed = |folder: &String| match folder.rsplit('/').next() {
        Some("csharp") => have("dotnet"),
        Some("cuda") => works("nvcc"),
        Some("hip") => works("hipcc"),
        _ => true,
    };
    let folders: Vec<String> = of_one.filter(installed).collect();
    let (code, report, said) = run(&place, &folders, &["--quick", "--launches", "1", "--rounds", "2"]);
    assert_eq!(code, Some(0), "{said}");
    let cases = report["report"]["cases"].as_array().expect("cases");
    let languages = [" rust", " c++"].map(|language| said.contains(language));
    assert!(cases.len() > 40 && languages != [false; 2], "{said}");
    for case in cases {
        // All visits of a launch may have been interrupted: then there is no value, and no failure.
        let outcome = case["outcome"]["outcome"].as_str().unwrap_or_default();
        let is_of_gpu =
            outcome == "skipped" && case["outcome"]["reason"].as_str().is_some_and(|why| why.contains("GPU"));
        assert!(["measured", "not-measured"].contains(&outcome) || is_of_gpu, "{case}");
    }
    place.assert_nothing_left("the examples");
}

/// The mistake of the list that grows is stopped by its name in both languages, by the command of the README. Each invocation adds more than a
/// visit must add to count as growing, so a machine that is slow to give memory stops them as well.
#[test]
fn every_trap_is_stopped_by_its_name() {
    if !long() {
        return skip("the traps", "they are compiled with TARE_TEST_LONG=1");
    }
    let place = Place::new("traps");
    let (code, report, said) = run(&place, &["traps".to_owned()], &["--quick"]);
    assert_eq!(code, Some(100), "{said}");
    let cases = report["report"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 2, "{said}");
    for case in cases {
        assert_eq!(case["outcome"]["failure"]["cause"]["kind"], "memory-growth", "{case}");
    }
    assert!(said.contains("hint: reset the state in an iteration set-up"), "{said}");
    place.assert_nothing_left("the traps");
}

/// The languages in which the same tasks are measured at once: those that need no compiler, or all that are there.
fn languages() -> Vec<String> {
    if long() {
        return vec!["examples/seven".to_owned()];
    }
    let files = [("python3", "seven.py"), ("node", "seven.mjs")].into_iter().filter(|(program, _)| have(program));
    files.map(|(_, file)| format!("examples/seven/{file}")).collect()
}

#[test]
fn the_same_tasks_have_the_same_results_in_each_language() {
    let place = Place::new("seven");
    let files = languages().into_iter().map(|file| format!("{ROOT}/{file}"));
    let said = place.ends_with(0, ["run", "--dry"].map(str::to_owned).into_iter().chain(files));
    let mut results: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, result) in said.lines().filter_map(|line| line.split_once(" ran ")) {
        results.entry(name.split('/').next().unwrap_or_default()).or_default().insert(result.trim());
    }
    assert_eq!(results.len(), 7, "{said}");
    assert!(results.values().all(|results| results.len() == 1), "{results:?}");
}
