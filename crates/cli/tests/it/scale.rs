//! Ten thousand cases: what is not measured takes no time to speak of.

use crate::support::{json, out, signal, wait_until, Place};
use std::time::{Duration, Instant};

/// Loose: a machine that is busy with other things needs some times longer than a free one.
const LIMIT: Duration = Duration::from_secs(10);

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.2} s", start.elapsed().as_secs_f64());
    assert!(start.elapsed() < LIMIT, "{what}");
    result
}

#[test]
fn ten_thousand_cases_are_listed_and_planned_at_once() {
    let place = Place::new("huge");
    let program = place.misbehave("huge-list");
    let list = timed("list", || place.ends_with(0, ["list", &program]));
    assert_eq!(list.lines().count(), 10_000);
    let tree = timed("list --tree", || place.ends_with(0, ["list", &program, "--tree"]));
    assert_eq!(tree.lines().count(), 10_002);
    let document = timed("list --json", || json(&place.ends_with(0, ["list", &program, "--json"])));
    assert_eq!(document["programs"][0]["benchmarks"].as_array().map(Vec::len), Some(10_000));
    let output = timed("a filter that fits nothing", || place.tare(["list", &program, "--filter", "numbr-777x"]));
    assert_eq!((output.status.code(), out(&output)), (Some(4), String::new()));
    // A run is planned and its start is on the disk; it is stopped then, as to measure all of it takes its time.
    let mut tare = place.start(["run", &program, "--quick", "--launches", "1", "--invocations", "100"]);
    timed("plan", || wait_until("it starts", || !place.runs().is_empty()));
    signal("INT", &tare.id().to_string());
    timed("end", || tare.wait().expect("an end"));
    let run = place.run_json();
    assert_eq!(run["plan"]["cases"].as_array().map(Vec::len), Some(10_000));
    timed("show", || place.ends_with(0, ["show", "latest"]));
    timed("show --csv", || place.ends_with(0, ["show", "latest", "--csv"]));
    timed("runs", || place.ends_with(0, ["runs"]));
    place.assert_nothing_left("a run");
}
