//! Three thousand cases: what is quadratic in them would take long.

use crate::support::{err, json, out, signal, wait_until, Place};

#[test]
fn three_thousand_cases_are_listed_and_planned() {
    let place = Place::new("huge");
    let program = place.misbehave("huge-list");
    let list = place.ends_with(0, ["list", &program]);
    assert_eq!(list.lines().count(), 3_000);
    let mut command = place.command(["list", &program]);
    command.stdout(std::process::Stdio::null());
    let finished = tare_process::ProgramTimer::new().and_then(|timer| timer.run(command)).expect("an end");
    let peak = finished.exit.peak_memory_bytes.expect("a system that says it");
    assert!(peak < 200_000_000, "{peak}");
    let tree = place.ends_with(0, ["list", &program, "--tree"]);
    assert_eq!(tree.lines().count(), 3_002);
    let document = json(&place.ends_with(0, ["list", &program, "--json"]));
    assert_eq!(document["programs"][0]["benchmarks"].as_array().map(Vec::len), Some(3_000));
    let output = place.tare(["list", &program, "--filter", "numbr-777x"]);
    assert_eq!((output.status.code(), out(&output)), (Some(4), String::new()));
    // A run is planned and its start is on the disk; it is stopped then, as to measure all of it takes its time.
    let mut tare = place.start(["run", &program, "--quick", "--launches", "1", "--invocations", "100"]);
    wait_until("it starts", || !place.runs().is_empty());
    signal("INT", &tare.id().to_string());
    tare.wait().expect("an end");
    let run = place.run_json();
    assert_eq!(run["plan"]["cases"].as_array().map(Vec::len), Some(3_000));
    place.ends_with(0, ["show", "latest"]);
    place.ends_with(0, ["runs"]);
    place.assert_nothing_left("a run");
}

#[test]
fn the_reason_of_many_cases_is_said_once() {
    let place = Place::new("reason");
    let lines: String = (0..60).map(|n| format!("bench many/case[n={n}] 1 \"skipped\":\"no GPU\"\n")).collect();
    let said = err(&place.tare(["list", &place.told("many", &lines)]));
    assert!(said.contains("and 59 more of its cases: skipped: no GPU") && said.lines().count() == 1, "{said}");
}
