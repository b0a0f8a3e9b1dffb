//! Results altered by CI logs, terminals and programs that print: they are read, or losses are reported by name.

use crate::{case, read, refused};
use tare_analysis::{compare_saved, Saved, SavedOptions, Verdict};

fn values(saved: &Saved) -> Vec<(&str, Vec<f64>)> {
    saved.cases.iter().map(|c| (c.key.as_str(), c.launches.concat())).collect()
}

fn lost(saved: &Saved) -> Vec<(&str, String)> {
    saved.failed.iter().map(|f| (f.key.as_str(), f.failure.cause.text())).collect()
}

const HEADER: &str = "goos: linux\ngoarch: amd64\npkg: example.org/till\ncpu: Some CPU\nBenchmarkSum-4   \t  400000\t      250.0 ns/op\n";

fn till(rest: &str) -> Saved {
    read(&format!("{HEADER}{rest}"))
}

#[test]
fn output_of_a_go_benchmark_stands_before_its_numbers() {
    for (rest, ns) in [
        ("BenchmarkPay-4   \t2026/05/01 09:00:00 retrying\n2026/05/01 09:00:01 connected\n  100000\t      9043.5 ns/op\nPASS\n", 9043.5),
        ("BenchmarkPay-4   \tcache is cold   90000\t      7041.3 ns/op\nPASS\n", 7041.3),
        ("BenchmarkPay-4   \t{\"level\":\"info\",\"n\":3}\ndone10000000\t   100.5 ns/op\t  16 B/op\n", 100.5),
        ("BenchmarkPay-4   \tWARN: slow disk\nnote: 3 tries\n\n  90000\t      7.5 ns/op\n", 7.5),
        ("BenchmarkPay\nBenchmarkPay-4   \t  100\t   12.5 ns/op\n--- BENCH: BenchmarkPay-4\n    a_test.go:9: said\n", 12.5),
        ("\u{1b}[32mBenchmarkPay-4   \t  100000\t      9000 ns/op\u{1b}[0m\nPASS\n", 9000.0),
    ] {
        let saved = till(rest);
        let expected = [("example.org/till.Sum-4", vec![250.0]), ("example.org/till.Pay-4", vec![ns])];
        assert_eq!((values(&saved), lost(&saved)), (expected.to_vec(), vec![]), "{rest}");
    }
}

#[test]
fn a_go_benchmark_that_began_and_has_no_result_is_a_failure() {
    let pay = "example.org/till.Pay-4";
    for (rest, why) in [
        ("BenchmarkPay-4   \t", "it started but has no result"),
        ("BenchmarkPay-4   \tPASS\nok  \texample.org/till\t1.2s\n", "it started but has no result"),
        ("BenchmarkPay\n    a_test.go:9: wrong sum\n--- FAIL: BenchmarkPay\nFAIL\n", "a_test.go:9: wrong sum"),
        ("--- FAIL: BenchmarkPay-4\n    a_test.go:9: wrong sum\nFAIL\texample.org/till\t1.2s\n", "a_test.go:9: wrong sum"),
        ("BenchmarkPay\npanic: runtime error: index out of range\n\ngoroutine 7 [running]:\nFAIL\texample.org/till\t0.5s\n",
            "it started but has no result: panic: runtime error: index out of range"),
        ("BenchmarkPay-4   \tpanic: test timed out after 1m\nFAIL\texample.org/till\t60s\n",
            "it started but has no result: panic: test timed out after 1m"),
        ("BenchmarkPay-4   \t  1000", "it started but has no result"),
        ("BenchmarkPay-4   \t  1000\t  90.5 ns/o", "it started but has no result"),
    ] {
        let saved = till(rest);
        assert_eq!(lost(&saved), [(pay, why.to_owned())], "{rest}");
        assert_eq!(saved.failed[0].name, "example.org/till/Pay", "as `--filter` has it");
        assert_eq!(values(&saved), [("example.org/till.Sum-4", vec![250.0])], "{rest}");
    }
    // Prose, and names of parents of sub-benchmarks, are not beginnings.
    let saved = till(
        "Benchmarking is fun\nBenchmark: done\nBenchmarkAll\nBenchmarkAll/a\nBenchmarkAll/a-4 \t 10 \t 5 ns/op\nPASS\n",
    );
    assert_eq!((saved.cases.len(), lost(&saved)), (2, vec![]));
    // One repetition lacks a result.
    let saved = till("BenchmarkPay-4   \t  10\t 5 ns/op\nBenchmarkPay-4   \t");
    assert_eq!((saved.cases.len(), lost(&saved)), (2, vec![]));
    assert_eq!(
        saved.findings[0].evidence.to_string(),
        "started once more often than they have results: `example.org/till.Pay-4`"
    );
}

#[test]
fn a_go_program_that_ends_with_fail_alone_is_a_failure() {
    let of = |rest: &str| lost(&till(rest)).into_iter().map(|(key, why)| (key.to_owned(), why)).collect::<Vec<_>>();
    let failed = |why: &str| vec![("example.org/till".to_owned(), why.to_owned())];
    assert_eq!(of("FAIL\n"), failed("it ended with FAIL"));
    assert_eq!(
        of("--- FAIL: TestTill (0.00s)\n    a_test.go:9: no\nFAIL\n"),
        failed("it ended with FAIL: `TestTill` failed")
    );
    // A failure of the benchmark or package is reported only once.
    assert_eq!(of("--- FAIL: BenchmarkPay-4\nFAIL\n").len(), 1);
    assert_eq!(of("FAIL\nexit status 1\nFAIL\texample.org/till\t0.1s\nFAIL\n").len(), 1);
    let bare = read("BenchmarkSum-4 \t 10 \t 5 ns/op\nFAIL\n");
    assert_eq!(lost(&bare), [("go test", "it ended with FAIL".to_owned())]);
}

#[test]
fn a_go_benchmark_that_skips_itself_is_no_failure() {
    let of = |rest: &str| {
        let saved = till(rest);
        let reason = |f: &tare_analysis::SavedFailure| (f.key.clone(), f.failure.skipped().map(str::to_owned));
        saved.failed.iter().map(reason).collect::<Vec<_>>()
    };
    let pay = "example.org/till.Pay-4".to_owned();
    for (rest, why) in [
        (
            "BenchmarkPay-4   \t--- SKIP: BenchmarkPay-4\n    a_test.go:9: needs a server\nPASS\n",
            "a_test.go:9: needs a server",
        ),
        // With `-v`, its log comes first.
        (
            "BenchmarkPay\n    a_test.go:9: needs a server\n--- SKIP: BenchmarkPay\nPASS\n",
            "a_test.go:9: needs a server",
        ),
        (
            "BenchmarkPay\n--- SKIP: BenchmarkPay\nBenchmarkOther\nBenchmarkOther-4  \t 10\t 5 ns/op\nPASS\n",
            "no reason given",
        ),
    ] {
        assert_eq!(of(rest), [(pay.clone(), Some(why.to_owned()))], "{rest}");
    }
    // The failure of its package is still reported.
    let failed = of("--- SKIP: BenchmarkPay\n--- FAIL: TestTill\nFAIL\texample.org/till\t0.1s\n");
    assert_eq!(failed.last(), Some(&("example.org/till".to_owned(), None)));
}

#[test]
fn a_go_package_without_results_is_a_failure() {
    let built = "# example.org/tax [example.org/tax.test]\n./tax.go:3:1: undefined: rate\nFAIL\texample.org/tax [build failed]\n";
    let why = "the package did not build: ./tax.go:3:1: undefined: rate".to_owned();
    assert_eq!(lost(&till(&format!("PASS\nok  \texample.org/till\t1.2s\n{built}FAIL\n"))), [("example.org/tax", why)]);
    let tested = "PASS\nok  \texample.org/till\t1.2s\n--- FAIL: TestTax (0.00s)\nFAIL\nFAIL\texample.org/tax\t0.1s\n";
    assert_eq!(lost(&till(tested)), [("example.org/tax", "the package failed: `TestTax` failed".to_owned())]);
    assert_eq!(
        lost(&till("?   \texample.org/doc\t[no test files]\nok  \texample.org/x\t0.1s [no tests to run]\n")),
        []
    );
    let (message, hint) = refused("PASS\nok  \texample.org/till\t0.1s\n");
    assert_eq!(message, "`given` is a result of go test without benchmarks");
    assert!(hint.contains("`go test -bench .`"), "{hint}");
    let event = |output: &str| format!(r#"{{"Action":"output","Package":"example.org/tax","Output":"{output}"}}"#);
    let events = [event(r"FAIL\texample.org/tax [build failed]\n"), event(r"FAIL\n")].join("\n");
    let saved = read(&format!("# example.org/tax\n./tax.go:3:1: undefined: rate\n{events}\n"));
    assert_eq!(lost(&saved)[0].0, "example.org/tax");
}

#[test]
fn go_packages_without_a_header_are_told_apart_by_their_last_lines() {
    let saved = read(
        "BenchmarkA-4 \t 10 \t 5 ns/op\nPASS\nok  \tx/one\t1s\nBenchmarkA-4 \t 10 \t 90 ns/op\nPASS\nok  \tx/two\t1s\n",
    );
    assert_eq!(values(&saved), [("x/one.A-4", vec![5.0]), ("x/two.A-4", vec![90.0])]);
}

#[test]
fn go_configurations_of_one_file_are_not_pooled() {
    let of = |commit: &str, ns: f64| {
        format!("commit: {commit}\ngoos: linux\npkg: p\nBenchmarkA-4 \t 10 \t {ns} ns/op\nok  \tp\t1s\n")
    };
    let saved = read(&[of("one", 5.0), of("two", 9.0), of("one", 5.5)].concat());
    assert_eq!(values(&saved), [("p.A-4[commit=one]", vec![5.0, 5.5]), ("p.A-4[commit=two]", vec![9.0])]);
    assert_eq!(case(&saved, "p.A-4[commit=one]").processes(), 2);
    // Files of two commits are compared; dates do not distinguish benchmarks.
    assert_eq!(values(&read(&of("two", 9.0))), [("p.A-4", vec![9.0])]);
    let dated = |day: u32| {
        format!("date: 2026-05-0{day}\ngoos: linux\npkg: p\nBenchmarkA-4 \t 10 \t {day} ns/op\nok  \tp\t1s\n")
    };
    assert_eq!(values(&read(&[dated(1), dated(2)].concat())), [("p.A-4", vec![1.0, 2.0])]);
}

#[test]
fn a_number_is_one_of_processors_only_where_the_file_shows_it() {
    let names = |text: &str| -> Vec<String> { read(text).cases.iter().map(|c| c.selector()).collect() };
    let line = |name: &str| format!("Benchmark{name} \t 10 \t 5 ns/op\n");
    let all = |names: &[&str]| names.iter().map(|name| line(name)).collect::<String>();
    assert_eq!(names(&all(&["Sub/n=10/kind=a", "Sub/n=10/kind=b-2"])), ["Sub[n=10, kind=a]", "Sub[n=10, kind=b-2]"]);
    assert_eq!(
        names(&all(&["Sub/kind=a", "Sub/kind=a-2", "Sub/kind=b-2", "Sub/kind=b-2-2"])),
        [
            "Sub[kind=a, processors=1]",
            "Sub[kind=a, processors=2]",
            "Sub[kind=b-2, processors=1]",
            "Sub[kind=b-2, processors=2]"
        ]
    );
    assert_eq!(names(&all(&["A-4", "B-4"])), ["A", "B"]);
    assert_eq!(names(&all(&["A-2", "A-4"])), ["A[processors=2]", "A[processors=4]"]);
}

#[test]
fn units_of_go_have_facts_and_may_stand_without_a_time() {
    let of = |bytes: u32| {
        read(&format!(
            "Unit text-bytes better=lower assume=exact\nUnit hits better=higher\nnote: sizes\n\
             BenchmarkText 1 {bytes} text-bytes 9 hits\nBenchmarkText 1 {bytes} text-bytes 9 hits\nBenchmarksum_total 1 1014 total-bytes\n"
        ))
    };
    let words = |a: u32, b: u32| {
        let comparison = compare_saved(&of(a), &of(b), &SavedOptions::default());
        let rows = comparison.rows.iter().map(|r| (r.name(), r.verdict)).collect::<Vec<_>>();
        assert!(comparison.findings.iter().all(|f| f.code.name() != "not-compared"), "{:?}", comparison.findings);
        rows
    };
    let rows = |verdict| {
        [("Text text-bytes", verdict), ("Text hits", Verdict::Unclear), ("sum_total total-bytes", Verdict::Unclear)]
            .map(|(name, verdict)| (name.to_owned(), verdict))
    };
    // With one process per side, only exact values are decided.
    assert_eq!(words(600, 600), rows(Verdict::Same));
    assert_eq!(words(600, 610), rows(Verdict::Slower));
    assert_eq!(words(610, 600), rows(Verdict::Faster));
    // Only one side has a time.
    let timed = read("pkg: p\nBenchmarkA-4 10 5 ns/op 3 hits\nok  \tp\t1s\n");
    let bare = read("pkg: p\nBenchmarkA-4 10 3 hits\nok  \tp\t1s\n");
    let comparison = compare_saved(&timed, &bare, &SavedOptions::default());
    assert_eq!((comparison.rows.len(), comparison.not_measured.as_slice()), (1, ["p/A".to_owned()].as_slice()));
}

#[test]
fn a_go_value_that_cannot_be_read_is_named() {
    let of = |line: &str| {
        let text = format!("goos: linux\npkg: till\n{line}\nBenchmarkFine-4\t100\t8.0 ns/op\nPASS\n");
        let saved = tare_import::read("a.txt", text.as_bytes()).unwrap_or_else(|e| panic!("{line}: {e}"));
        let failed: Vec<String> =
            saved.failed.iter().map(|f| format!("{}: {}", f.name, f.failure.cause.text())).collect();
        let findings: Vec<String> = saved.findings.iter().map(|f| f.evidence.to_string()).collect();
        let times = saved.cases.iter().find(|c| c.name == "Pay").map(|c| c.launches.clone());
        (failed, findings, times)
    };
    for (line, why) in [
        ("BenchmarkPay-4\t1000\tabc ns/op", "its value cannot be read: `abc ns/op`"),
        ("BenchmarkPay-4\nsaid by it\n1000\tabc ns/op", "its value cannot be read: `abc ns/op`"),
        ("BenchmarkPay-4\t1000\t1,234 ns/op", "its value cannot be read: `1,234 ns/op`"),
    ] {
        let (failed, findings, times) = of(line);
        assert_eq!(failed.len(), 1, "{line}: {failed:?}");
        assert!(failed[0].contains("Pay") && failed[0].contains(why), "{line}: {failed:?}");
        assert!(findings.is_empty() && times.is_none(), "{line}: {findings:?} {times:?}");
    }
    // If other lines have the value, only the bad one is lost.
    let (failed, findings, times) = of("BenchmarkPay-4\t1000\tabc ns/op\nBenchmarkPay-4\t1000\t9.0 ns/op x B/op");
    assert_eq!((failed.len(), times), (0, Some(vec![vec![9.0]])));
    let left_out = "values that cannot be read were left out: `abc ns/op of till.Pay-4`, `x B/op of till.Pay-4`";
    assert_eq!(findings, [left_out]);
}
