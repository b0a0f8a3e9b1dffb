//! `tare doctor` on the machine that the tests run on, whatever it is.

use crate::support::{err, out, Place};
use serde_json::Value;

#[test]
fn it_says_what_it_sees() {
    let place = Place::new("doctor");
    let text = place.ends_with(0, ["doctor"]);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("noisy: ") || first.starts_with("this machine is fit to measure"), "{text}");
    assert!(text.ends_with("next: tare doctor --calibrate\n"), "{text}");
    let json: Value = serde_json::from_str(&place.ends_with(0, ["doctor", "--json"])).expect("JSON");
    assert_eq!(json["version"], 1);
    assert_eq!(json["calibration"], Value::Null);
    let checks = json["checks"].as_array().expect("checks");
    assert!(
        checks.len() > 10 && checks.iter().all(|c| c["evidence"].as_str().is_some_and(|e| !e.is_empty())),
        "{json}"
    );
    // The machine may change from one look to the next: the code belongs to what is printed with it.
    let strict = place.tare(["doctor", "--strict", "--json"]);
    let fit = serde_json::from_slice::<Value>(&strict.stdout).expect("JSON")["fit"] == true;
    assert_eq!(strict.status.code(), Some(if fit { 0 } else { 96 }));
    assert_eq!(place.tare(["doctor", "--quick"]).status.code(), Some(2), "only a calibration can be quick");
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
    for label in ["calibrated 2", "A/A  ", "A/A'", "decides", "spread", "lambda", "kept in"] {
        assert!(text.contains(label), "{label}: {text}");
    }
    let json: Value = serde_json::from_str(&place.ends_with(0, ["doctor", "--json"])).expect("JSON");
    let calibration = &json["calibration"];
    assert!(calibration["comparisons"].as_u64() >= Some(1), "{json}");
    assert!(calibration["process_sd"].as_f64() > Some(0.0), "{json}");
    let child = place.join("home");
    assert!(child.is_dir());
    let source = place.write("a.c", include_str!("../../../../spec/reference-child.c"));
    let mut args = vec!["run", source.to_str().expect("UTF-8"), "--no-save"];
    args.extend(crate::support::SHORT);
    let run = place.tare(args);
    assert!(out(&run).contains("calibrated 2"), "{}\n{}", out(&run), err(&run));
}
