//! A budget ends a run in time; what there was no time for is named.

use crate::support::{err, json, out, usual_reference, Place};

#[test]
fn what_there_is_no_time_for_is_named() {
    let place = Place::new("budget");
    // Each benchmark warms up for 10 ms at least and there are five of them.
    let output = place.tare(["run", usual_reference(), "--budget", "25ms", "-o", "r.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let screen = out(&output);
    let report = json(&place.read("r.json"));
    let cases = report["report"]["cases"].as_array().expect("cases");
    let missing: Vec<&str> = cases
        .iter()
        .filter(|case| case["outcome"]["outcome"] == "not-measured")
        .map(|case| case["name"].as_str().expect("a name"))
        .collect();
    assert!(!missing.is_empty(), "{screen}");
    assert_eq!(screen.matches("not measured: the budget was spent").count(), missing.len(), "{screen}");
    assert!(screen.contains("out-of-time") && screen.contains("the budget of 0.025 s was spent before"), "{screen}");
    assert!(screen.lines().last().is_some_and(|line| line.starts_with("next: tare run ")), "{screen}");
    // Without the flag a budget of `tare.toml` would hold.
    assert!(screen.lines().last().is_some_and(|line| line.ends_with("reference-child --budget none")), "{screen}");
    assert_eq!(place.run_json()["status"], "finished");
}

/// A gate cannot be passed by what was not measured.
#[test]
fn a_limit_on_what_was_not_measured_is_undecided() {
    let place = Place::new("limit");
    place.write("tare.toml", "[limits.\"*\"]\ntime = \"100s\"\n");
    let output = place.tare(["run", usual_reference(), "--budget", "25ms"]);
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
}

/// What sets the budget is named nowhere on the command line: the advice lifts it, and with it everything is measured.
#[test]
fn the_budget_of_a_preset_or_of_the_project_is_lifted_by_the_advice() {
    let place = Place::new("budget of a preset");
    place.write("tare.toml", "[presets.short]\nextends = \"quick\"\nbudget = \"10ms\"\nlaunches = 2\nrounds = 3\n");
    let preset = ["run", usual_reference(), "--preset", "short"];
    let screen = place.ends_with(0, preset);
    let advised = format!("tare run {} --preset short --budget none", usual_reference());
    assert!(screen.contains("out-of-time") && screen.contains(&advised), "{screen}");
    let screen = place.ends_with(0, preset.iter().chain(&["--budget", "none"]));
    assert!(!screen.contains("out-of-time") && !screen.contains("the budget was spent"), "{screen}");
    place.write("tare.toml", "[run]\nbudget = \"10ms\"\n");
    let short = ["run", usual_reference(), "--quick", "--launches", "2", "--rounds", "3"];
    let screen = place.ends_with(0, short);
    assert!(screen.contains("--rounds 3 --budget none"), "{screen}");
    let screen = place.ends_with(0, short.iter().chain(&["--budget", "none"]));
    assert!(!screen.contains("out-of-time") && !screen.contains("the budget was spent"), "{screen}");
}
