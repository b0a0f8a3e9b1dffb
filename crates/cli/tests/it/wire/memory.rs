//! `--diagnose memory`: exact counts of what is allocated, as columns, limits and verdicts.

use crate::support::{err, json, out, Place};
use serde_json::Value;

const PROGRAM: &str = r#"
use std::collections::HashMap;

#[tare::bench(group = "m", waits)]
fn nothing() -> u64 {
    tare::keep(1)
}

/// 4, 8, ... 1024 numbers of 8 bytes.
#[tare::bench(group = "m", waits)]
fn doubles() -> Vec<u64> {
    let mut numbers = Vec::new();
    (0..MOST).for_each(|n| numbers.push(n));
    numbers
}

#[tare::bench(group = "m", waits)]
fn map() -> HashMap<u64, u64> {
    (0..1000).map(|n| (n, n)).collect()
}

/// Once by the macro, and once more with what was caught.
#[tare::bench(group = "m", waits, diagnose = ["exceptions"])]
fn panics() -> bool {
    let caught = std::panic::catch_unwind(|| if std::hint::black_box(true) { panic!("on purpose") });
    let thrown = std::panic::AssertUnwindSafe(caught.expect_err("it panics"));
    std::panic::catch_unwind(move || std::panic::resume_unwind({ thrown }.0)).is_err()
}

const MOST: u64 = 1000;

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    tare::main();
}
"#;
const PROGRAM_IN_CPP: &str = r#"
#include <tare.h>
#include <string>
TARE_BENCH("cpp/15", [] { return std::string(tare::opaque(15), 'x'); }).waits().diagnose("memory");
TARE_BENCH("cpp/16", [] { return std::string(tare::opaque(16), 'x'); }).waits().diagnose("memory");
"#;
const FEW: [&str; 6] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii"];

/// Allocations, bytes and peak of a case.
fn counts(report: &Value, case: usize) -> [f64; 3] {
    let metrics = report["report"]["cases"][case]["outcome"]["metrics"].as_array().expect("metrics");
    ["memory/allocations", "memory/allocated_bytes", "memory/peak_bytes"].map(|name| {
        let found = metrics.iter().find(|metric| metric["name"] == name);
        found.and_then(|metric| metric["value"].as_f64()).expect(name)
    })
}

const POOL_IN_CPP: &str = r#"#include <tare.h>
#include <cstdlib>
#include <new>
static void* kept = nullptr;
void* operator new(std::size_t size) {
    if (size > 8) return std::malloc(size);
    void* block = kept == nullptr ? std::malloc(8) : kept;
    kept = nullptr;
    return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t size) noexcept {
    if (size > 8 || kept != nullptr) std::free(block);
    else kept = block;
}
TARE_BENCH("pool/new", [] { delete tare::opaque(new long); });
"#;

#[test]
fn what_is_allocated_is_counted_exactly_and_may_be_limited() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return crate::support::skip("counts of allocations", "this is no Linux with glibc");
    }
    let place = Place::new("memory");
    place.write("m.rs", PROGRAM);
    let screen = place.ends_with(0, ["run", "m.rs", "--diagnose", "memory", "-o", "r.json"].iter().chain(&FEW));
    for part in ["alloc/op", "bytes/op", "peak", "memory/*: measured in a separate pass after the times"] {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    let report = json(&place.read("r.json"));
    assert_eq!(counts(&report, 0), [0.0, 0.0, 0.0], "{report}");
    // 8 bytes for each of 4 + 8 + ... + 1024; a block that grows is alive together with the one that it is copied to, or is not.
    let [allocations, bytes, peak] = counts(&report, 1);
    assert_eq!((allocations, bytes), (9.0, 8.0 * 2044.0), "{report}");
    assert!(peak == 8192.0 || peak == 12288.0, "{report}");
    let [allocations, bytes, peak] = counts(&report, 2);
    assert_eq!((allocations, bytes), (1.0, peak), "{report}");
    assert!((16_000.0..64_000.0).contains(&bytes), "{report}");

    // The declaration asks for its panics.
    let metrics = report["report"]["cases"][3]["outcome"]["metrics"].as_array().expect("metrics");
    let panics = metrics.iter().find(|of| of["name"] == "exceptions/thrown").map(|of| of["value"].as_f64());
    assert!(panics == Some(Some(2.0)) || cfg!(not(target_env = "gnu")), "{report}");

    // A text of 15 characters is in the string itself. The declarations ask for the counts, and the program says that it has them when it is
    // asked once more, with the allocator in front of its own.
    place.write("m.cpp", PROGRAM_IN_CPP);
    place.ends_with(0, ["run", "m.cpp", "-o", "r.json"].iter().chain(&FEW));
    let report = json(&place.read("r.json"));
    assert_eq!((counts(&report, 0), counts(&report, 1)), ([0.0; 3], [1.0, 17.0, 17.0]), "{report}");

    // What hands out blocks that it kept would count as nothing.
    place.write("pool.cpp", POOL_IN_CPP);
    let reported = place.fails_with(2, ["run", "pool.cpp", "--diagnose", "memory"].iter().chain(&FEW));
    assert!(reported.contains("no program here has the diagnoser `memory`"), "{reported}");

    // A limit asks for the counts by itself.
    place.write(
        "tare.toml",
        "[limits]\n\"m/nothing\" = { allocations = 0 }\n\"m/map\" = { allocations = 1, bytes = 1e5 }\n",
    );
    place.ends_with(0, ["run", "m.rs"].iter().chain(&FEW));
    place.write("tare.toml", "[limits]\n\"m/doubles\" = { allocations = 0 }\n");
    let output = place.tare(["run", "m.rs"].iter().chain(&FEW));
    assert_eq!(output.status.code(), Some(10), "{}", err(&output));
    assert!(err(&output).contains("allocations <= 0: 9 per operation"), "{}", err(&output));
    std::fs::remove_file(place.join("tare.toml")).expect("removed");

    // Half of the numbers are one allocation less.
    place.write("n/m.rs", &PROGRAM.replace("MOST: u64 = 1000", "MOST: u64 = 500"));
    place.write("o/m.rs", PROGRAM);
    let compare = ["compare", "o/m.rs", "n/m.rs", "--diagnose", "memory", "--quick", "--layouts", "1", "--ascii"];
    let output = place.tare(compare.into_iter().chain(["--filter", "doubles"]));
    let text: String = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    let row = "memory/allocations/op 9 8 0.889 [0.889, 0.889]";
    assert!(text.contains(row) && text.contains("faster ("), "{text}");
}
