//! Folders as one side.

use crate::case;
use crate::files::{bytes, CRITERION};
use tare_analysis::SavedDesign;
use tare_import::{criterion_baselines, read_folder, wants};

fn criterion_at(root: &str) -> Vec<(String, Vec<u8>)> {
    CRITERION.iter().map(|(path, bytes)| (format!("{root}{path}"), bytes.to_vec())).collect()
}

#[test]
fn criterion() {
    let saved = read_folder("target/criterion", &criterion_at("target/"), "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((saved.tool.as_str(), saved.detail.as_str()), ("criterion", "criterion, baseline `new`"));
    let parse = case(&saved, "parse");
    assert_eq!((parse.group.as_str(), parse.name.as_str(), parse.design), ("", "parse", SavedDesign::Iterations));
    // Linear sampling: 382651 ns for 135050 iterations, 8609227 for 1620600.
    assert_eq!((parse.launches[0][0], parse.launches[0][11]), (382651.0 / 135050.0, 8609227.0 / 1620600.0));
    let sort = case(&saved, "sort/std/64");
    assert_eq!((sort.group.as_str(), sort.name.as_str(), sort.parameters[0].value.as_str()), ("sort", "std", "64"));
    assert_eq!(sort.values(), 12);
}

#[test]
fn criterion_keeps_baselines() {
    assert_eq!(criterion_baselines(CRITERION.iter().map(|(path, _)| *path)), ["base", "new"]);
    assert!(read_folder("x", &criterion_at(""), "base").is_ok());
    let error = read_folder("x", &criterion_at(""), "main").expect_err("no such baseline");
    assert_eq!(
        error.to_string(),
        "`x` is a folder without results: there is no criterion baseline `main`, only base, new"
    );
}

#[test]
fn several_trees_of_criterion_are_processes_of_one_side() {
    let mut files = Vec::new();
    for tree in 1..=4 {
        for (path, mut bytes) in criterion_at(&format!("{tree}/")) {
            if path.ends_with("parse/new/sample.json") {
                bytes = format!(r#"{{"iters": [1.0, 2.0], "times": [{tree}.0, {tree}.5]}}"#).into_bytes();
            }
            files.push((path, bytes));
        }
    }
    let saved = read_folder("runs", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    let parse = case(&saved, "parse");
    assert_eq!((parse.design, parse.processes(), parse.sessions.len()), (SavedDesign::Launches, 4, 4));
    assert_eq!(saved.cases.len(), 3, "{:?}", saved.cases.iter().map(|c| &c.key).collect::<Vec<_>>());
}

#[test]
fn what_criterion_says_of_a_change_is_no_result() {
    let mut files = criterion_at("");
    files.push(("parse/change/estimates.json".to_owned(), bytes("criterion/parse/new/estimates.json").to_vec()));
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((saved.cases.len(), saved.findings.len()), (3, 0), "{:?}", saved.findings);
}

#[test]
fn criterion_without_samples_is_a_summary_and_without_names_has_its_directory() {
    let mut files = criterion_at("");
    files.retain(|(path, _)| path.contains("parse/new") && path.contains("estimates"));
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(saved.cases[0].key, "parse");
    let SavedDesign::Summary(summary) = saved.cases[0].design else { panic!("a summary") };
    assert!(summary.median_ns.is_some_and(|m| (m - 5.434657337910762).abs() < 1e-12));
}

#[test]
fn a_broken_file_of_criterion_costs_itself_alone() {
    let broken = br#"{"sampling_mode": "Flat", "iters": [1, 2], "times": [5]}"#;
    let with = |file: &str, text: &[u8], without: &str| {
        let mut files = criterion_at("");
        let found = files.iter_mut().find(|(path, _)| path.ends_with(file)).expect("a file");
        found.1 = text.to_vec();
        files.retain(|(path, _)| without.is_empty() || !path.ends_with(without));
        read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"))
    };
    for text in [&broken[..], b"{\"iters\": [1.0", b"\xff\x00garbage"] {
        // criterion's estimates remain.
        let saved = with("parse/new/sample.json", text, "");
        assert_eq!((saved.cases.len(), saved.failed.len()), (3, 0));
        assert!(matches!(case(&saved, "parse").design, SavedDesign::Summary(_)));
        let evidence = saved.findings[0].evidence.to_string();
        assert!(evidence.starts_with("its `sample.json` is "), "{evidence}");
        assert!(evidence.ends_with("; `parse` has only criterion's estimates"), "{evidence}");
        // Without them it is lost, with its name reported.
        let saved = with("parse/new/sample.json", text, "parse/new/estimates.json");
        assert_eq!((saved.cases.len(), saved.failed.len(), saved.failed[0].name.as_str()), (2, 1, "parse"));
        assert!(saved.failed[0].failure.cause.text().starts_with("its `sample.json` is "), "{:?}", saved.failed);
    }
    // The directory is used as the name.
    let saved = with("sort/std/16/new/benchmark.json", b"{", "");
    assert_eq!(saved.cases.len(), 3, "{:?}", saved.findings);
    assert!(saved.findings[0].evidence.to_string().ends_with("is read without it"), "{:?}", saved.findings);
}

#[test]
fn criterion_of_which_nothing_can_be_read_names_the_file() {
    let mut files = criterion_at("");
    files.retain(|(path, _)| path.contains("parse/new") && !path.contains("estimates"));
    let sample = files.iter_mut().find(|(path, _)| path.ends_with("parse/new/sample.json")).expect("a sample");
    sample.1 = br#"{"sampling_mode": "Flat", "iters": [1, 2], "times": [5]}"#.to_vec();
    let error = read_folder("x", &files, "new").expect_err("broken");
    assert!(error.file.ends_with("parse/new/sample.json"), "{error}");
    assert!(error.to_string().contains("`times` is a list of 1, not a list as long as `iters`"), "{error}");
}

#[test]
fn files_of_a_folder_are_launches_of_one_side() {
    let mut files: Vec<(String, Vec<u8>)> = (0..5)
        .map(|i| {
            let text = format!(
                r#"{{"context": {{}}, "benchmarks": [{{"name": "A", "real_time": {}, "time_unit": "ns"}}]}}"#,
                10 + i
            );
            (format!("runs/{i}.json"), text.into_bytes())
        })
        .collect();
    files.push(("runs/notes.json".to_owned(), b"{\"hello\": 1}".to_vec()));
    files.push(("runs/a.out.o".to_owned(), vec![0xff; 9]));
    let saved = read_folder("runs", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        (saved.name.as_str(), saved.cases[0].design, saved.cases[0].launches.len()),
        ("runs", SavedDesign::Launches, 5)
    );
    let evidence: Vec<String> = saved.findings.iter().map(|f| f.evidence.to_string()).collect();
    let json = "`runs/notes.json` is not a known result format: a JSON object with `hello`";
    assert_eq!(evidence, [json, "`runs/a.out.o` is not text: byte 0 is not UTF-8"]);
}

#[test]
fn a_result_that_is_broken_is_a_failure_by_the_name_of_its_file() {
    let good = r#"{"context": {}, "benchmarks": [{"name": "A", "real_time": 5, "time_unit": "ns"}]}"#;
    let files: [(&str, &[u8]); 6] = [
        ("1.json", good.as_bytes()),
        ("2.json", &good.as_bytes()[..50]),
        ("3.json", br#"{"context": {}, "benchmarks": []}"#),
        ("4.txt", b""),
        ("5.txt", b"pkg: p\nPASS\n"),
        ("notes.txt", b"remember"),
    ];
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    let failed: Vec<_> = saved.failed.iter().map(|f| (f.key.as_str(), f.failure.cause.text())).collect();
    let expected = [
        ("2.json", "is cut off: the JSON ends at line 1, column 51, inside the value that begins at line 1, column 46"),
        ("3.json", "is a result of google-benchmark without benchmarks"),
        ("4.txt", "is empty"),
        ("5.txt", "is a result of go test without benchmarks"),
    ];
    assert_eq!(failed, expected.map(|(name, why)| (name, why.to_owned())));
    assert_eq!((saved.cases.len(), saved.findings.len()), (1, 1), "{:?}", saved.findings);
}

#[test]
fn every_file_of_a_folder_is_read_or_named() {
    let go = |ns: u32| format!("goos: linux\npkg: p\nBenchmarkA-4 \t 9 \t {ns} ns/op\nok  \tp\t1s\n").into_bytes();
    let event = |ns: u32| {
        let output = format!("BenchmarkA-4 \\t 9 \\t {ns} ns/op\\n");
        format!("{{\"Action\":\"output\",\"Package\":\"p\",\"Output\":\"{output}\"}}\n").into_bytes()
    };
    let mut files = vec![("1.log", go(10)), ("2", go(11)), ("3.csv", go(12)), ("4.jsonl", event(13)), (".5", go(14))];
    files.extend([
        ("README", b"Results of Monday.\n".to_vec()),
        ("plot.png", vec![0x89, 0, 0]),
        ("a.md", b"# x\n".to_vec()),
    ]);
    files.extend([(".gitkeep", Vec::new()), ("cut.log", b"{\"context\": {}, \"benchmarks\": [{\"na".to_vec())]);
    files.push(("5.log.gz", vec![0x1f, 0x8b, 8, 0]));
    files.extend([("x-report.csv", b"Method,Job,Mean\nf,j,1 ns\n".to_vec())]);
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((saved.cases.len(), saved.cases[0].processes()), (1, 5), "{:?}", saved.cases);
    // A truncated result may have held anything, whatever its name.
    assert_eq!(saved.failed.iter().map(|f| f.key.as_str()).collect::<Vec<_>>(), ["5.log.gz", "cut.log"]);
    let mut told: Vec<String> = saved.findings.iter().map(|f| f.evidence.to_string()).collect();
    told.sort();
    let expected = [
        "3 files are in no known result format: `README`, `a.md`, `plot.png`",
        "`.gitkeep` is empty",
        "`x-report.csv` is BenchmarkDotNet's CSV, whose values are rounded",
    ];
    assert_eq!(told, expected);
}

#[test]
fn what_stands_with_a_run_or_a_tree_is_not_named() {
    let mut files = criterion_at("");
    files.push(("parse/report/index.html".to_owned(), b"<html>".to_vec()));
    files.push(("parse/new/tukey.json".to_owned(), b"[1, 2]".to_vec()));
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert!(saved.findings.is_empty(), "{:?}", saved.findings);
    let run = |path: &str| (path.to_owned(), bytes("tare-run-1.json").to_vec());
    let beside = |path: &str| (path.to_owned(), b"{\"event\": 1, \"schema\": \"1\"}".to_vec());
    let files = [run("a/run.json"), beside("a/events.jsonl"), beside("a/attachments/p.txt")];
    let saved = read_folder("x", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    assert!(saved.findings.iter().all(|f| f.code != tare_analysis::Code::LeftOut), "{:?}", saved.findings);
}

#[test]
fn the_brief_form_beside_the_full_one_is_no_second_launch() {
    let names = ["benchmarkdotnet-report-full.json", "benchmarkdotnet-report-brief.json"];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, bytes(name))).collect();
    let both = read_folder("results", &files, "new").unwrap_or_else(|e| panic!("{e}"));
    let full = read_folder("results", &files[..1], "new").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(both, full);
}

#[test]
fn folders_without_results() {
    let nothing: [(&str, &[u8]); 0] = [];
    let message = |files: &[(&str, &[u8])]| read_folder("x", files, "new").expect_err("nothing").to_string();
    assert_eq!(message(&nothing), "`x` is a folder without results: it is empty");
    assert_eq!(message(&[("main.c", b"int main;")]), "`x` is a folder without results: its only file is main.c");
    assert_eq!(message(&[(".gitkeep", b"")]), "`x` is a folder without results: its only file is .gitkeep");
    assert_eq!(message(&[("a.json", b"{}")]), "`x/a.json` is not a known result format: a JSON object without keys");
    // What is known says more, wherever it stands.
    let of_asv = b"{\"results\": {}, \"commit_hash\": \"1\"}";
    assert_eq!(message(&[("a.json", b"{}"), ("b.json", of_asv)]), "`x/b.json` is a result of asv");
    assert_eq!(message(&[("a.zip", b"PK\x03\x04")]), "`x/a.zip` is compressed (zip)");
    assert!(tare_import::is_result(b"PK\x03\x04"));
}

#[test]
fn only_files_that_may_be_results_are_wanted() {
    assert!(wants("a/b/run.json") && wants("old.txt") && wants("a.csv") && wants("C:\\x\\REPORT.JSON"));
    assert!(!wants("a/new/tukey.json") && !wants("a/plot.svg") && !wants("package.json") && !wants("events.jsonl"));
    assert!(!wants("package/.cargo_vcs_info.json"), "settings of a tool in a folder of sources");
}
