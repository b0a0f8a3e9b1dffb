//! A budget ends a run in time; what there was no time for is named. A microsecond is over before the first process has started.

use crate::support::{err, json, out, Place};

const PROGRAM: &str = "bench a/x 10\nbench b/x 10\nbench c/x 10\n";

#[test]
fn what_there_is_no_time_for_is_named() {
    let place = Place::new("budget");
    place.told("three", PROGRAM);
    let output = place.tare(["run", "./three", "--budget", "0.001ms", "-o", "r.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let screen = out(&output);
    let report = json(&place.read("r.json"));
    let cases = report["report"]["cases"].as_array().expect("cases");
    let missing = cases.iter().filter(|case| case["outcome"]["outcome"] == "not-measured").count();
    assert!(missing > 0, "{screen}");
    assert_eq!(screen.matches("not measured: the budget was spent").count(), missing, "{screen}");
    assert!(screen.contains("out-of-time") && screen.contains("the budget of 0.000001 s was spent before"), "{screen}");
    // Without the flag a budget of `tare.toml` would hold.
    let next = screen.lines().last().unwrap_or_default();
    assert!(next.starts_with("next: tare run ") && next.ends_with(" --budget none"), "{screen}");
    assert_eq!(place.run_json()["status"], "finished");
    // A gate cannot be passed by what was not measured.
    place.write("tare.toml", "[limits.\"*\"]\ntime = \"100s\"\n");
    let output = place.tare(["run", "./three", "--budget", "0.001ms"]);
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
}

/// What sets the budget is named nowhere on the command line: the advice lifts it, and with it everything is measured.
#[test]
fn the_budget_of_the_project_is_lifted_by_the_advice() {
    let place = Place::new("budget of a project");
    place.told("three", PROGRAM);
    place.write("tare.toml", "[run]\nbudget = \"0.001ms\"\n");
    let short = ["run", "./three", "--quick", "--launches", "2", "--rounds", "3"];
    let screen = place.ends_with(0, short);
    assert!(screen.contains(" --unclear --budget none`"), "{screen}");
    let screen = place.ends_with(0, short.iter().chain(&["--budget", "none"]));
    assert!(!screen.contains("out-of-time") && !screen.contains("the budget was spent"), "{screen}");
}
