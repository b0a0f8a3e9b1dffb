//! `tare doctor` on the machine that the tests run on, whatever it is.

use crate::support::{err, out, Place};
use serde_json::Value;

#[test]
fn it_says_what_it_sees() {
    let place = Place::new("doctor");
    let text = place.ends_with(0, ["doctor"]);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("noisy: ") || first.starts_with("this machine is fit to measure on"), "{text}");
    assert!(text.ends_with("next: tare doctor --calibrate\n"), "{text}");
    let json: Value = serde_json::from_str(&place.ends_with(0, ["doctor", "--quick", "--json"])).expect("JSON");
    assert_eq!(json["version"], 1);
    assert_eq!(json["calibration"], Value::Null);
    let checks = json["checks"].as_array().expect("checks");
    assert!(
        checks.len() > 10 && checks.iter().all(|c| c["evidence"].as_str().is_some_and(|e| !e.is_empty())),
        "{json}"
    );
    // The machine may change from one look to the next: the code belongs to what is printed with it.
    let strict = place.tare(["doctor", "--quick", "--strict", "--json"]);
    let fit = serde_json::from_slice::<Value>(&strict.stdout).expect("JSON")["fit"] == true;
    assert_eq!(strict.status.code(), Some(if fit { 0 } else { 96 }));
    let sharing = checks.iter().find(|c| c["code"] == "core-sharing").expect("the cores are watched");
    let share = sharing["cores"][0]["alone_share"].as_f64();
    assert!(share.is_some_and(|s| (0.0..=1.0).contains(&s)) || sharing["state"] == "not-visible", "{sharing}");
}

#[test]
fn a_calibration_is_kept_and_stands_above_results() {
    let place = Place::new("calibrate");
    let output = place.tare(["doctor", "--calibrate", "--time", "1s"]);
    if err(&output).contains("no C") {
        return eprintln!("skipped: there is no compiler");
    }
    assert_eq!(output.status.code(), Some(0), "{}\n{}", out(&output), err(&output));
    let text = out(&output);
    for label in ["calibrated 2", "A/A  ", "A/A'", "decides", "spread", "kept in"] {
        assert!(text.contains(label), "{label}: {text}");
    }
    let json: Value = serde_json::from_str(&place.ends_with(0, ["doctor", "--quick", "--json"])).expect("JSON");
    let calibration = &json["calibration"];
    assert!(calibration["comparisons"].as_u64() >= Some(1), "{json}");
    assert!(calibration["process_sd"].as_f64() > Some(0.0), "{json}");
    // On a busy machine a second has time for one wave of each comparison only, and nothing between waves.
    let shows_lambda = text.lines().any(|line| line.trim_start().starts_with("lambda  "));
    assert_eq!(shows_lambda, calibration["lambda"].is_number(), "{json}\n{text}");
    let child = place.join("home");
    assert!(child.is_dir());
    let source = place.write("a.c", include_str!("../../../../../spec/reference-child.c"));
    let mut args = vec!["run", source.to_str().expect("UTF-8"), "--no-save"];
    args.extend(crate::support::SHORT);
    let run = place.tare(args);
    assert!(out(&run).contains("calibrated 2"), "{}\n{}", out(&run), err(&run));
    // Where identical programs were called different too often, small differences get no word.
    let profile = place.join("home/.local/state/tare/machine.json");
    let mut known: Value = serde_json::from_slice(&std::fs::read(&profile).expect("profile")).expect("JSON");
    for machine in known["machines"].as_object_mut().expect("machines").values_mut() {
        machine["calibration"]["alarms"] = 99.into();
        machine["calibration"]["decides"] = serde_json::json!([{"seconds": 5.0, "launches": 8, "effect": 0.07}]);
    }
    std::fs::write(&profile, known.to_string()).expect("written");
    let other = place.write("b.c", include_str!("../../../../../spec/reference-child.c"));
    let sides = [source.to_str().expect("UTF-8"), other.to_str().expect("UTF-8")];
    let few = ["--no-save", "--launches", "2", "--layouts", "2", "--filter", "*formula*10]"];
    let compared = place.tare(["compare"].iter().chain(&sides).chain(&few));
    let wanted = "this machine's calibration requires it, so the minimum effect is 7 %";
    assert!(err(&compared).contains(wanted), "{}\n{}", out(&compared), err(&compared));
}
