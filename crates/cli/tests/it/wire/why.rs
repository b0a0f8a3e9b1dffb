//! `tare why`: what differs together with the times of two sides. The ranking is of exact counts, so no check depends on a time.

use crate::support::{have, json, skip, Place};
use serde_json::Value;

const PAIRS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/why/cpp");
/// Enough visits that a busy machine leaves some of them alone.
const FEW: [&str; 8] = ["--launches", "4", "--rounds", "20", "--layouts", "1", "--ascii", "--no-align"];

fn is_possible() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64")) && have("valgrind") && have("g++")
}

/// The evidence about a pair whose cause is known.
fn evidence(place: &Place, pair: &str) -> (String, Value) {
    let [base, new] = ["base", "new"].map(|side| format!("{PAIRS}/{pair}/{side}.cpp"));
    let words = ["why", base.as_str(), new.as_str(), "*", "-o", "w.json", "-o", "w.csv", "-o", "w.html"];
    let screen = place.ends_with(0, words.into_iter().chain(FEW));
    (screen, json(&place.read("w.json")))
}

fn kind(case: &Value, place: usize) -> &str {
    case["evidence"][place]["kind"].as_str().unwrap_or_default()
}

#[test]
fn the_true_cause_comes_first_whatever_the_times_are() {
    if !is_possible() {
        return skip("tare why", "it needs valgrind and g++, on Linux on x86-64");
    }
    let place = Place::new("why");
    let (screen, document) = evidence(&place, "branch");
    let case = &document["cases"][0];
    assert_eq!((document["format"].as_str(), kind(case, 0)), (Some("tare-why"), "mispredictions"), "{document}");
    let values = |at: usize| case["evidence"][0]["values"][at].as_f64().expect("a count");
    // Of 2048 branches in random order every other one.
    assert!(values(0) < 100.0 && (800.0..1300.0).contains(&values(1)), "{case}");
    assert!(case["equal"].to_string().contains("\"instructions\""), "{case}");
    assert!(screen.contains("1. mispredicted branches: ") && !screen.to_lowercase().contains("because"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 120), "{screen}");
    // One screen: what is attached is named with the evidence.
    assert!(
        screen.lines().filter(|line| !line.starts_with("[")).count() <= 30 && !screen.contains("attachments ("),
        "{screen}"
    );
    assert!(screen.contains("more: tare show ") && screen.contains(" -v"), "{screen}");
    assert!(place.read("w.csv").starts_with("benchmark,rank,kind") && place.read("w.html").contains("mispredicted"));
    // A stored run says it again, and nothing runs for it.
    let again = place.ends_with(0, ["show", "latest", "--ascii"]);
    assert!(again.contains("1. mispredicted branches: "), "{again}");
}

#[test]
fn one_benchmark_alone_has_parts_and_what_cannot_be_explained_is_named() {
    if !is_possible() {
        return skip("tare why", "it needs valgrind and g++, on Linux on x86-64");
    }
    let place = Place::new("why-alone");
    place.write(
        "bench.cpp",
        "#include <tare.h>\nTARE_BENCH(\"a/b\", [] { __asm__ volatile(\".rept 100\\n\\tnop\\n\\t.endr\"); });\n",
    );
    let few = ["--launches", "4", "--rounds", "20", "--ascii", "--no-align", "-o", "w.json"];
    let screen = place.ends_with(0, ["why", "bench.cpp", "a/b"].into_iter().chain(few));
    assert!(screen.contains("a/b: ") && screen.contains("100 instructions (simulated)"), "{screen}");
    let parts = json(&place.read("w.json"))["cases"][0]["parts"].clone();
    assert!(parts.as_array().is_some_and(|parts| parts.len() > 3), "{parts}");
    // A stored run says it again, and is a side like another.
    let again = place.ends_with(0, ["why", "latest", "a/b", "--ascii"]);
    assert!(again.contains("a/b: ") && again.contains("100 instructions (simulated)"), "{again}");
    let said = place.fails_with(4, ["why", "latest", "nothing"]);
    assert!(said.contains("matches `nothing`"), "{said}");
    let pair = place.ends_with(0, ["why", "latest", "latest", "--ascii"]);
    assert!(pair.contains("equal on both sides: instructions"), "{pair}");
    let said = place.fails_with(4, ["why", "bench.cpp", "nothing"]);
    assert!(said.contains("nothing"), "{said}");
    place.ends_with(0, ["run", "bench.cpp", "--quick", "--launches", "2", "--rounds", "2", "--no-align"]);
    let said = place.fails_with(2, ["why", "latest~1", "latest"]);
    assert!(said.contains("no diagnoser looked at run") && said.contains("--diagnose code,"), "{said}");
}
