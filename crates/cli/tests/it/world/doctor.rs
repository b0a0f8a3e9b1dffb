//! `tare doctor --calibrate` compiles identical programs and compares them, whatever comes out.

use crate::support::{err, out, skip, Place, SHORT};
use serde_json::Value;

#[test]
#[ignore = "compiles many programs"]
fn a_calibration_is_kept_and_stands_above_results() {
    let place = Place::new("calibrate");
    let output = place.tare(["doctor", "--calibrate", "--time", "1s"]);
    if err(&output).contains("no C") {
        return skip("a calibration", "there is no compiler");
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
    place.told("a", "bench g/one 10\n");
    let shown = place.ends_with(0, ["run", "./a", "--no-save"].iter().chain(&SHORT));
    assert!(shown.contains("calibrated 2"), "{shown}");
    // Where identical programs were called different too often, small differences get no word.
    let profile = place.join("home/.local/state/tare/machine.json");
    let mut known: Value = serde_json::from_slice(&std::fs::read(&profile).expect("profile")).expect("JSON");
    for machine in known["machines"].as_object_mut().expect("machines").values_mut() {
        machine["calibration"]["alarms"] = 99.into();
        machine["calibration"]["decides"] = serde_json::json!([{"seconds": 5.0, "launches": 8, "effect": 0.07}]);
    }
    std::fs::write(&profile, known.to_string()).expect("written");
    place.told("b", "bench g/one 10\n");
    let compared = place.tare(["compare", "./a", "./b", "--no-save"].iter().chain(&SHORT));
    let wanted = "this machine's calibration requires it, so the minimum effect is 7 %";
    assert!(err(&compared).contains(wanted), "{}\n{}", out(&compared), err(&compared));
}
