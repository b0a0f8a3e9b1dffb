//! The commands of the README's first lines: the examples end with 0, and the traps are named failures.

use crate::support::{err, json, out, Place, ROOT};
use serde_json::Value;

/// A folder of examples, measured with these flags: (exit code, report, what was printed).
fn run(place: &Place, folder: &str, flags: &[&str]) -> (Option<i32>, Value, String) {
    let folder = format!("{ROOT}/{folder}");
    let words = ["run", &folder, "--no-save", "-o", "r.json"];
    let output = place.tare(words.iter().chain(flags));
    let said = format!("{}{}", out(&output), err(&output));
    (output.status.code(), json(&place.read("r.json")), said)
}

#[test]
fn no_example_fails() {
    let place = Place::new("examples");
    let (code, report, said) = run(&place, "examples", &["--quick", "--launches", "1", "--rounds", "2"]);
    assert_eq!(code, Some(0), "{said}");
    let cases = report["report"]["cases"].as_array().expect("cases");
    let languages = [" rust", " c++"].map(|language| said.contains(language));
    assert!(cases.len() > 40 && languages != [false; 2], "{said}");
    for case in cases {
        // On a busy machine all visits of a launch may have been interrupted: then there is no value, and no failure.
        let outcome = case["outcome"]["outcome"].as_str().unwrap_or_default();
        assert!(["measured", "not-measured"].contains(&outcome), "{case}");
    }
    place.assert_nothing_left("the examples");
}

/// The mistake of the list that grows is stopped by its name in both languages, by the command of the README. Each invocation adds more than a
/// visit must add to count as growing, so a machine that is slow to give memory stops them as well.
#[test]
fn every_trap_is_stopped_by_its_name() {
    let place = Place::new("traps");
    let (code, report, said) = run(&place, "traps", &["--quick"]);
    assert_eq!(code, Some(100), "{said}");
    let cases = report["report"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 2, "{said}");
    for case in cases {
        assert_eq!(case["outcome"]["failure"]["cause"]["kind"], "memory-growth", "{case}");
    }
    assert!(said.contains("hint: reset the state in an iteration set-up"), "{said}");
    place.assert_nothing_left("the traps");
}
