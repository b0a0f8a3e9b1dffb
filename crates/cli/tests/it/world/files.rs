//! A file of C++ and one of Rust: what the user's own code does wrong is told by the front ends and the other benchmarks go on; the machine code of
//! those is shown. Two files of C: how their code differs.

use crate::support::{err, have, json, out, skip, Place};
use serde_json::Value;

const FEW: [&str; 6] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii"];

/// Whether code can be read here with a compiler of this name.
fn can(what: &str, compiler: &str) -> bool {
    let is_here = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !is_here || !have(compiler) {
        skip(what, "it needs a compiler, and Linux on x86-64");
    }
    is_here && have(compiler)
}

const CPP: &str = r#"#include <tare.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
int numbers[64];
template <class T> __attribute__((noinline)) T mixed(T x) { return x * 7 ^ x >> 3; }
static int twice(int x) { return x + x; }
TARE_BENCH("c/sum", [] {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += twice(numbers[i]);
    return sum;
}).monitoring();
TARE_BENCH("c/call", [] { return mixed<long>(tare::opaque(5L)); }).monitoring();
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
#[inline(never)]
fn mixed(x: u64) -> u64 { x.wrapping_mul(7) ^ x >> 3 }
#[tare::bench(group = "c", monitoring)]
fn called() -> u64 { mixed(tare::keep(5)) }
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

/// Measures the file and looks at what failed.
fn check(file: &str, code: &str, expected: &[(&str, &str, &str, &str)]) -> (Place, String) {
    let place = Place::new(&format!("front-end-{file}"));
    place.write(file, code);
    let words = ["run", file, "--diagnose", "code,inlining", "-v", "-o", "r.json", "-o", "page.html"];
    let output = place.tare(words.iter().chain(&FEW));
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
    (place, out(&output))
}

#[test]
fn a_file_of_cpp_names_its_failures_and_shows_its_code() {
    if !can("a file of C++", "c++") {
        return;
    }
    let (place, screen) = check(
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
    assert!(screen.contains("the diagnoser `code` says: the body is"), "{screen}");
    assert!(screen.contains("the diagnoser `inlining` says: the body has"), "{screen}");
    let calls = place.ends_with(0, ["show", "--inlining", "c/call"]);
    assert!(calls.starts_with("c/call\n\nbody\n") && calls.contains("  called    mixed<long>"), "{calls}");
    assert!(place.fails_with(2, ["show", "--inlining", "c/x"]).contains("no case with list of calls matches"));
    // A page has it in a fold.
    assert!(place.read("page.html").contains("call mixed&lt;long&gt;"), "the page has the code");
    let call = place.ends_with(0, ["show", "--code", "c/call"]);
    assert!(call.starts_with("c/call\n\nbody: "), "{call}");
    assert!(call.contains("\nmixed<long>(long): ") && !call.contains("sum"), "{call}");
    assert!(call.contains("; bad.cpp:6  template"), "{call}");
    let sum = place.ends_with(0, ["show", "--code", "c/sum", "--ascii"]);
    assert!(sum.contains("; bad.cpp:7  [twice]") && sum.contains("a loop of"), "{sum}");
    assert!(sum.contains("  ; of the measuring loop") && sum.is_ascii(), "{sum}");
    for text in [&call, &sum] {
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
    let wrong = place.fails_with(2, ["show", "--code", "c/nothing"]);
    assert!(wrong.contains("no case with machine code matches `c/nothing`"), "{wrong}");
    assert!(wrong.contains("those that have it are `c/sum`, `c/call`"), "{wrong}");
}

#[test]
fn a_file_of_rust_names_its_failures_and_shows_its_code() {
    if !can("a file of Rust", "cargo") {
        return;
    }
    let (place, screen) = check(
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
    let flat = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("with 1 function that it calls"), "{screen}");
    let code = place.ends_with(0, ["show", "--code", "c/called"]);
    assert_eq!(code.matches("call bad::mixed").count(), 1, "one copy of the body: {code}");
    assert!(code.contains("\nbad::mixed: ") && code.contains(", 1 call\n"), "{code}");
}

#[test]
fn two_sides_with_the_same_code_are_called_so_and_others_are_shown_line_by_line() {
    if !can("--diagnose code, two sides", "cc") {
        return;
    }
    let place = Place::new("code-sides");
    let program = |body: &str| {
        format!(
            "#include <tare.h>\n\
             static volatile uint64_t input = 3;\n\
             static uint64_t mix(uint64_t x) {{ return {body}; }}\n\
             TARE_C_BENCH(\"g/mix\", .strategy = TARE_MONITORING) {{ tare_keep(mix(input)); }}\n"
        )
    };
    place.write("old.c", &program("x * 7 ^ x >> 3"));
    place.write("same.c", &format!("/* moved\n   down */\n{}", program("x * 7 ^ x >> 3")));
    place.write("new.c", &program("x * 9 ^ x >> 5"));
    let compared = |new: &str, diagnosers: &str| {
        let words = ["compare", "old.c", new, "--layouts", "1", "--diagnose", diagnosers, "-v", "-o", "page.html"];
        out(&place.tare(words.into_iter().chain(FEW)))
    };
    let same = compared("same.c", "code");
    assert!(same.contains("the machine code is the same"), "{same}");
    let shown = place.ends_with(0, ["show", "--code"]);
    assert!(shown.contains("\nthe machine code is the same\nboth: ") && !shown.contains("L1:"), "{shown}");
    let different = compared("new.c", "code,remarks");
    assert!(different.contains("the machine code differs: "), "{different}");
    // Both sides beside each other on the page, and what the compiler says.
    let page = place.read("page.html");
    assert!(page.contains("machine code of both sides") && page.contains("<td class=\"sign\">≠</td>"), "{page}");
    assert!(different.contains("says of the sources of `new.c`") || !have("gcc"), "{different}");
    let shown = place.ends_with(0, ["show", "--code", "--ascii"]);
    assert!(shown.contains("\n-   shr ") && shown.contains("\n+   shr ") && shown.contains("\nbase: "), "{shown}");
    // Both sides as a whole.
    let whole = place.ends_with(0, ["show", "--code", "-v"]);
    assert!(whole.contains("g/mix (old.c)\n\nbody: ") && whole.contains("g/mix (new.c)\n\nbody: "), "{whole}");
}
