//! `tare doctor` on the machine that the tests run on, whatever it is.

use crate::support::Place;
use serde_json::Value;
use tare_model::LevelFound;
use tare_store::MachineProfile;

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
fn the_width_of_the_cores_is_shown() {
    let place = Place::new("core-width");
    let machine = tare_machine::environment::read();
    let recorded = || "2026-01-01T00:00:00Z".to_owned();
    let mut profile = MachineProfile::new((machine.cpu, machine.processors), 0.25, recorded());
    let found = LevelFound { by: "g/wide".to_owned(), cycles_per_addition: 0.211, recorded: recorded() };
    profile.widths.insert(MachineProfile::NATIVE.to_owned(), vec![found]);
    profile.save(&place.join("home/.local/state/tare")).expect("saved");
    let shown = place.ends_with(0, ["doctor", "--quick"]);
    assert!(shown.contains("core width   4.74 additions per cycle in native code, found once, by g/wide\n"), "{shown}");
}
