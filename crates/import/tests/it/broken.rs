//! Errors for files that are not results: what was found, where, and what to do.

use crate::files::text;
use crate::refused;

#[test]
fn files_that_hold_nothing() {
    for nothing in ["", "  \n\t ", "\u{feff}"] {
        assert_eq!(refused(nothing).0, "`given` is empty");
    }
    assert_eq!(refused("[]").0, "`given` is a result of jmh without benchmarks");
    assert_eq!(
        refused(r#"{"context": {}, "benchmarks": []}"#).0,
        "`given` is a result of google-benchmark without benchmarks"
    );
    assert_eq!(refused("pkg: p\nPASS\n").0, "`given` is a result of go test without benchmarks");
}

#[test]
fn other_files() {
    let (message, hint) = refused(r#"{"name": "web", "dependencies": {"left-pad": "1"}}"#);
    assert_eq!(message, "`given` is not a known result format: a JSON object with `name`, `dependencies`");
    assert!(hint.contains("`--benchmark_out=FILE`") && hint.contains("`run.json`"), "{hint}");
    // Others have `results` too.
    let other = r#"{"engine": "x", "benches": [{"name": "x", "results": [{"ok": {"n": 100, "avg": 1.5}}]}]}"#;
    assert_eq!(refused(other).0, "`given` is not a known result format: a JSON object with `engine`, `benches`");
    assert_eq!(refused("[1, 2]").0, "`given` is not a known result format: a JSON list without keys");
    assert_eq!(refused("hello\nworld").0, "`given` is not a known result format: text that begins with `hello`");
    assert_eq!(refused("\u{1b}[31mred").0, "`given` is not a known result format: text that begins with `red`");
    let bytes = |bytes: &[u8]| tare_import::read("a file.json", bytes).expect_err("no result");
    assert_eq!(bytes(b"\x7fELF\xff").to_string(), "`a file.json` is not text: byte 4 is not UTF-8");
    assert_eq!(bytes(b"\x1f\x8b\x08").to_string(), "`a file.json` is a gzip file that is damaged or cut off");
    assert_eq!(bytes(b"\x1f\x8b\x08").hint(), "fetch or write it again: `gzip -t FILE` tests it");
    assert_eq!(bytes(b"PK\x03\x04").hint(), "unpack it first: `unzip 'a file.json'`");
    assert_eq!(bytes(b"BZh91AY").hint(), "unpack it first: `bunzip2 'a file.json'`");
    assert_eq!(bytes(b"\xfd7zXZ\0").hint(), "unpack it first: `unxz 'a file.json'`");
}

#[test]
fn forms_that_hold_too_little_name_the_one_that_does() {
    let cases = [
        ("name,iterations,real_time,cpu_time,time_unit\n\"A\",1,2,3,ns\n", "--benchmark_out_format=json"),
        ("command,mean,stddev,median\n", "--export-json"),
        ("running 1 test\ntest parse ... bench: 120,340.25 ns/iter (+/- 1,203.50)\n", "`target/criterion`"),
        ("# JMH version: 1.37\n\nBenchmark (n) Mode Cnt Score Error Units\n", "-rf json"),
        (
            "Filters: [bench]\nbenchmark name  samples  iterations  est run time\nfold  100 25 5.2 ms\n",
            "--reporter xml",
        ),
        (r#"{"kind": "LibraryBenchmark", "profiles": []}"#, "--diagnose instructions"),
        (
            r#"{"commit_hash": "ab", "result_columns": ["result"], "results": {"a.time": [[2e-06]]}}"#,
            "tare compare OLD NEW",
        ),
        (r#"{"benchmarks": [{"common_metadata": {"name": "a"}, "runs": []}], "version": 5}"#, "pyperf convert"),
        (r#"{"benchmarks": {"a": {"runs": [[0.1]]}}, "version": 1}"#, "pyperf convert"),
        ("\"Benchmark\",\"Mode\",\"Threads\"\n", "-rf json"),
        ("\"title\";\"name\";\"unit\"\n", "templates::json()"),
        ("Method,Job,Runtime\n", "JsonExporter"),
        ("<?xml version=\"1.0\"?><Catch2TestRun/>", "JSON"),
        (r#"{"format": "tare-report", "version": "1.0", "report": {}}"#, "the folder `.tare/runs/ID`"),
        (r#"{"format": "tare-comparison", "version": "1.0", "comparison": {}}"#, "the result files"),
        (r#"{"event": "run-started", "schema": "2.0"}"#, "--resume"),
        (r#"{"sampling_mode": "Flat", "iters": [1], "times": [1]}"#, "`target/criterion`"),
        (r#"{"layout": [], "context": {}, "benchmarks": []}"#, "tare run"),
    ];
    for (content, expected) in cases {
        let (message, hint) = refused(content);
        assert!(hint.contains(expected), "{message} / {hint}");
    }
}

#[test]
fn a_truncated_file_says_where_it_ends_and_what_is_open() {
    let whole = text("hyperfine.json");
    let (message, hint) = refused(&whole[..300]);
    assert_eq!(
        message,
        "`given` is cut off: the JSON ends at line 14, column 13, inside the value that begins at line 12, column 16"
    );
    assert!(hint.starts_with("measure again"), "{hint}");
    let (message, _) = refused(&text("tare-run-1.json")[..5000]);
    assert_eq!(
        message,
        "`given` is cut off: the JSON ends at line 1, column 5000, inside the value that begins at line 1, column 1"
    );
}

#[test]
fn a_broken_file_says_what_was_expected_where() {
    let broken =
        text("google-benchmark.json").replacen("\"iterations\": 1817907,", "\"iterations\": 1817907 Hello!", 1);
    let (message, hint) = refused(&broken);
    assert_eq!(message, "`given` is broken at line 48, column 29: `,` or `}` was expected, found `H`");
    assert!(hint.contains("`--benchmark_out=FILE`"), "{hint}");
    let quote = text("nanobench.json").replacen("\"parse\"", "\"say \"hi\"\"", 1);
    let (message, hint) = refused(&quote);
    assert_eq!(message, "`given` is broken at line 5, column 27: `,` or `}` was expected, found `h`");
    assert!(hint.contains("does not escape quotes"), "{hint}");
}

#[test]
fn a_missing_or_wrong_field_says_which() {
    let (message, _) = refused(r#"{"context": {}, "benchmarks": [{"name": "A", "time_unit": "ns"}]}"#);
    assert_eq!(
        message,
        "`given` is an incomplete result of google-benchmark: `benchmarks[0]` has no `real_time` (line 1, column 32)"
    );
    let (message, _) =
        refused(r#"{"context": {}, "benchmarks": [{"name": "A", "real_time": 1, "time_unit": "weeks"}]}"#);
    assert_eq!(
        message,
        "`given` is not a result of google-benchmark: `benchmarks[0].time_unit` is the text \"weeks\", not ns, us, ms or s \
         (line 1, column 75)"
    );
    let (message, _) = refused(r#"{"results": [{"command": "x", "times": 3}]}"#);
    assert_eq!(
        message,
        "`given` is not a result of hyperfine: `results[0].times` is the number 3, not a list (line 1, column 40)"
    );
}

#[test]
fn a_run_that_contradicts_itself_is_refused() {
    let run = text("tare-run-1.json");
    let change = |from: &str, to: &str| refused(&run.replacen(from, to, 1)).0;
    assert!(change("\"schema\":\"2.0\"", "\"schema\":\"1.0\"")
        .ends_with("it is written in schema 1.0, this version reads 2.x"));
    assert!(
        change("{\"artifact\":0", "{\"artifact\":7").ends_with("case 0 names an artifact or a job that does not exist")
    );
    assert!(change("{\"id\":0,\"case\":0", "{\"id\":3,\"case\":0").contains("launch 0 is out of order"));
    assert!(change("\"round\":[0]", "\"round\":[]").contains("a series of launch 0 has columns of different lengths"));
    assert!(change("\"elapsed_ns\":[", "\"elapsed_ns\":[-").contains("launch 0 has a value of `elapsed_ns` that is -"));
    assert!(change("\"operations\":1", "\"operations\":0").ends_with("case 0 has 0 operations per invocation"));
    let rolled = change("\"unroll\":16", "\"unroll\":0");
    assert!(rolled.ends_with("a program has a loop of 0 invocations"), "{rolled}");
    let many = change("\"invocations\":1,\"round\"", "\"invocations\":18446744073709551615,\"round\"");
    assert!(many.ends_with("launch 0 has more invocations than its time allows"), "{many}");
    let missing = change("\"jobs\":[{\"id\":\"\"}],", "");
    assert!(missing.contains("missing field `jobs`"), "{missing}");
}
