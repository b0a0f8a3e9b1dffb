//! The machine profile follows the clock of the machine, and runs before and after a move are compared all the same.

use crate::support::{err, json, usual_reference, Place, ROOT};
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
    let run = ["run", usual_reference(), "--quick", "--filter", "*formula*10]"];
    assert!(
        !err(&place.tare(run)).contains("later runs will show times at"),
        "the first run writes its own clock down"
    );
    let first = machine(&place)["cycle_ns"].as_f64().expect("a clock");
    assert_eq!(machine(&place)["recent_cycle_ns"].as_array().map(Vec::len), Some(1));

    // As if the profile had been written at another clock than most of the latest runs had.
    set(&place, "cycle_ns", &json!(first * 1.3));
    set(&place, "recent_cycle_ns", &json!([first, first, first]));
    let reported = err(&place.tare(run));
    assert!(
        reported.contains("note: later runs will show times at ") && reported.contains("GHz instead of"),
        "{reported}"
    );
    let moved = machine(&place);
    let now = moved["cycle_ns"].as_f64().expect("a clock");
    assert!((now / first).ln().abs() < 0.07, "{now} near {first}");
    assert_eq!(moved["recent_cycle_ns"].as_array().map(Vec::len), Some(4));
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

#[test]
fn a_run_that_is_not_kept_teaches_the_profile_nothing() {
    let place = Place::new("clock-of-no-run");
    let run = ["run", usual_reference(), "--quick", "--filter", "*formula*10]"];
    place.ends_with(0, run);
    let before = machine(&place);
    place.ends_with(0, run.iter().chain(&["--no-save"]));
    assert_eq!(machine(&place), before);
}

#[test]
fn only_the_latest_runs_count() {
    let place = Place::new("latest-clocks");
    let run = ["run", usual_reference(), "--quick", "--filter", "*formula*10]"];
    place.ends_with(0, run);
    let clock = machine(&place)["cycle_ns"].as_f64().expect("a clock");
    set(&place, "recent_cycle_ns", &json!(vec![clock; 12]));
    place.ends_with(0, run);
    let profile = machine(&place);
    assert_eq!(profile["recent_cycle_ns"].as_array().map(Vec::len), Some(12));
    assert_eq!(profile["cycle_ns"].as_f64(), Some(clock), "one run does not move it");
}
