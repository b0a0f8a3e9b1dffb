//! The machine profile follows the clock of the machine, and runs before and after a move are compared all the same.

use crate::support::{err, json, Place, FIXED, ROOT};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// The only machine of a profile.
fn machine(place: &Place) -> Value {
    let profile = json(&place.read("home/.local/state/tare/machine.json"));
    profile["machines"].as_object().expect("machines").values().next().expect("this machine").clone()
}

/// Changes the profile.
fn set(place: &Place, name: &str, value: &Value) {
    let path = place.join("home/.local/state/tare/machine.json");
    let mut profile = json(&place.read(&path));
    for machine in profile["machines"].as_object_mut().expect("machines").values_mut() {
        machine[name] = value.clone();
    }
    fs::write(path, profile.to_string()).expect("written");
}

#[test]
fn the_reference_clock_follows_most_of_the_latest_runs() {
    let place = Place::new("moving-clock");
    // Its clock probes always take as long.
    let program = place.misbehave("windows");
    let run = ["run", &program, "--filter", "good"].into_iter().chain(FIXED);
    let run = |more: &[&str]| err(&place.tare(run.clone().chain(more.iter().copied())));
    assert!(!run(&[]).contains("later runs will show times at"), "the first run writes its own clock down");
    let first = machine(&place);
    assert_eq!((&first["cycle_ns"], &first["recent_cycle_ns"]), (&json!(0.25), &json!([0.25])));
    run(&["--no-save"]);
    assert_eq!(machine(&place), first, "a run that is not kept teaches nothing");

    // As if the profile had been written at another clock than most of the latest runs had.
    set(&place, "cycle_ns", &json!(0.325));
    set(&place, "recent_cycle_ns", &json!([0.25, 0.25, 0.25]));
    let reported = run(&[]);
    assert!(reported.contains("note: later runs will show times at 4.00 GHz instead of 3.08 GHz: "), "{reported}");
    let moved = machine(&place);
    assert_eq!((&moved["cycle_ns"], &moved["recent_cycle_ns"]), (&json!(0.25), &json!([0.25, 0.25, 0.25, 0.25])));

    set(&place, "cycle_ns", &json!(0.325));
    set(&place, "recent_cycle_ns", &json!(vec![0.325; 12]));
    run(&[]);
    let profile = machine(&place);
    assert_eq!(profile["recent_cycle_ns"].as_array().map(Vec::len), Some(12), "only the latest runs count");
    assert_eq!(profile["cycle_ns"], json!(0.325), "one run does not move it");
}

#[test]
fn runs_of_before_are_compared_at_the_clock_of_the_newer() {
    let place = Place::new("two-clocks");
    // A recorded run: whether a time follows the clock is in it, however busy this machine is.
    let text = fs::read_to_string(Path::new(ROOT).join("fixtures/foreign/tare-run-1.json")).expect("a fixture");
    let mut recorded: Value = serde_json::from_str(&text).expect("JSON");
    place.write("new.json", &text);
    let clock = &mut recorded["parts"][0]["environment"]["clock_reference"]["cycle_ns"];
    *clock = json!(clock.as_f64().expect("a clock") * 1.3);
    place.write("base.json", &recorded.to_string());
    let compared = place.tare(["compare", "base.json", "new.json", "--format", "json"]);
    let document: Value = serde_json::from_slice(&compared.stdout).expect("JSON");
    let findings = document["comparison"]["findings"].as_array().expect("findings");
    assert!(findings.iter().all(|f| f["code"] != "other-clock"), "{findings:?}");
    assert!(document["comparison"]["rows"][0]["ratio"].as_f64().is_some(), "{document}");
}
