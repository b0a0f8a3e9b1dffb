//! What the user's own code does wrong in C++ and in Rust: the front ends tell it, and the other benchmarks go on.

use crate::support::{err, json, out, Place, SHORT};
use serde_json::Value;

const CPP: &str = r#"#include <tare.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
struct InSetUp {
    void set_up() { throw std::runtime_error("no such table"); }
    int body() { return 1; }
};
struct InCleanUp {
    void clean_up() { throw std::logic_error("still open"); }
    int body() { return 1; }
};
TARE_BENCH("g/good", [] { return std::atoi(tare::opaque("12")); });
TARE_BENCH("g/throws", []() -> int { if (*tare::opaque("x") == 'x') throw std::out_of_range("index 7"); return 1; });
TARE_BENCH("g/throws-a-number", []() -> int { if (*tare::opaque("x") == 'x') throw 42; return 1; });
TARE_BENCH(&InSetUp::body).name("g/set-up");
TARE_BENCH(&InCleanUp::body).name("g/clean-up");
TARE_BENCH("g/crashes", []() -> int { std::fputs("last words\n", stderr); int* p = tare::opaque(static_cast<int*>(nullptr)); return *p; });
TARE_BENCH("g/leaves", []() -> int { if (*tare::opaque("x") == 'x') std::exit(0); return 1; });
TARE_BENCH("g/fine", [] { return std::atoi(tare::opaque("34")); });
"#;

const RUST: &str = r#"
#[tare::bench(group = "g")]
fn good() -> u64 {
    tare::keep(12_u64) + 1
}
#[tare::bench(group = "g")]
fn panics() -> u64 {
    if tare::keep(true) {
        panic!("index {} of {}", 7, 3);
    }
    1
}
#[tare::bench(group = "g", name = "set-up")]
fn set_up() -> impl FnMut() -> u64 {
    if tare::keep(true) {
        panic!("no such table");
    }
    || 1
}
#[derive(Default)]
struct Closing;
impl Drop for Closing {
    fn drop(&mut self) {
        panic!("still open");
    }
}
#[tare::bench(group = "g")]
impl Closing {
    #[bench(name = "clean-up")]
    fn body(&mut self) -> u64 {
        1
    }
}
#[tare::bench(group = "g")]
fn aborts() -> u64 {
    if tare::keep(true) {
        eprintln!("last words");
        std::process::abort();
    }
    1
}
#[tare::bench(group = "g")]
fn leaves() -> u64 {
    if tare::keep(true) {
        std::process::exit(0);
    }
    1
}
#[tare::bench(group = "g")]
fn fine() -> u64 {
    tare::keep(34_u64) + 1
}
fn main() {
    tare::main();
}
"#;

/// Failures by name of the benchmark: kind, step and all that was reported; the rest is measured.
fn failures(report: &Value) -> Vec<(String, String, String, String)> {
    let cases = report["report"]["cases"].as_array().expect("cases").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let failed = cases.filter(|case| match case["outcome"]["outcome"].as_str() {
        Some("failed") => true,
        state => {
            assert!(matches!(state, Some("measured" | "not-measured")), "{case}");
            false
        }
    });
    failed
        .map(|case| {
            let failure = &case["outcome"]["failure"];
            (text(&case["name"]), text(&failure["cause"]["kind"]), text(&failure["step"]), failure.to_string())
        })
        .collect()
}

fn check(file: &str, code: &str, expected: &[(&str, &str, &str, &str)]) {
    let place = Place::new(&format!("front-end-{file}"));
    place.write(file, code);
    let output = place.tare(["run", file, "-o", "r.json"].iter().chain(&SHORT));
    assert_eq!(output.status.code(), Some(100), "{}{}", out(&output), err(&output));
    let found = failures(&json(&place.read("r.json")));
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    let wanted: Vec<&str> = expected.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, wanted, "{}", out(&output));
    for ((name, kind, step, all), (_, wanted_kind, wanted_step, word)) in found.iter().zip(expected) {
        assert_eq!((kind.as_str(), step.as_str()), (*wanted_kind, *wanted_step), "{name}: {all}");
        assert!(all.contains(word), "{name}: {all}");
    }
    let heading = format!("failures ({})", expected.len());
    assert!(out(&output).contains(&heading), "{}", out(&output));
    place.assert_nothing_left(file);
}

#[test]
fn cpp_code_that_fails() {
    check(
        "bad.cpp",
        CPP,
        &[
            ("throws", "exception", "body", "index 7"),
            ("throws-a-number", "exception", "body", "not a std::exception"),
            ("set-up", "exception", "set-up", "no such table"),
            ("clean-up", "exception", "clean-up", "still open"),
            ("crashes", "signal", "body", "last words"),
            ("leaves", "early-exit", "body", "\"status\":0"),
        ],
    );
}

#[test]
fn rust_code_that_fails() {
    check(
        "bad.rs",
        RUST,
        &[
            ("panics", "exception", "body", "index 7 of 3"),
            ("set-up", "exception", "set-up", "no such table"),
            ("clean-up", "exception", "clean-up", "still open"),
            ("aborts", "signal", "body", "last words"),
            ("leaves", "early-exit", "body", "\"status\":0"),
        ],
    );
}
