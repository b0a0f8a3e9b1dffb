//! What benchmarks declare about how they are run, whatever their language: the host does it.

use crate::support::{children, Place};
use serde_json::Value;

/// Few launches of few visits.
const FEW: [&str; 5] = ["--quick", "--launches", "2", "--rounds", "5"];

/// The benchmark, and its launches.
fn case_of<'a>(run: &'a Value, name: &str) -> (&'a Value, Vec<&'a Value>) {
    let cases = run["plan"]["cases"].as_array().expect("cases");
    let at = cases.iter().position(|case| case["benchmark"]["name"] == name).unwrap_or_else(|| panic!("{name}: {run}"));
    let launches = run["launches"].as_array().expect("launches").iter();
    (&cases[at]["benchmark"], launches.filter(|launch| launch["case"] == at).collect())
}

/// Stages of all launches with the invocations of each of their iterations.
fn stages(run: &Value, name: &str) -> Vec<(String, u64, usize)> {
    let (_, launches) = case_of(run, name);
    let series = launches.iter().flat_map(|launch| launch["series"].as_array().expect("series"));
    let of = |s: &Value| s["columns"]["elapsed_ns"].as_array().map_or(0, Vec::len);
    let stages =
        series.map(|s| (s["stage"].as_str().unwrap_or("").to_owned(), s["invocations"].as_u64().unwrap_or(0), of(s)));
    stages.collect()
}

#[test]
fn what_a_benchmark_declares_is_how_it_is_run() {
    let place = Place::new("declared");
    let cases = [
        "cold 100 \"strategy\":\"cold-start\"",
        "monitored 100 \"strategy\":\"monitoring\"",
        "batch 100 \"invocations_max\":100",
        "sleeps 200000 \"waits\":true",
        "flushed 100 \"invocations_max\":1,\"set_ups\":[\"iteration\"]",
        "fed 1 \"invocations_max\":16384 | \"input_bytes\":4096",
        "skipped 1 \"skipped\":\"it needs a server\"",
    ];
    place.told("d", &cases.map(|case| format!("bench d/{case}\n")).concat());
    let words = ["run", "./d", "--invocations", "200"].iter().chain(&FEW);
    let screen = place.ends_with(0, words.clone());
    let run = place.run_json();
    for part in ["cold start", "monitoring", "start-up", "skipped: it needs a server"] {
        assert!(screen.contains(part), "{part} is not in\n{screen}");
    }
    assert_eq!(stages(&run, "cold"), [("actual".to_owned(), 1, 1), ("actual".to_owned(), 1, 1)]);
    assert!(stages(&run, "monitored").iter().all(|(_, _, iterations)| *iterations == 5), "{run}");
    for (name, most) in [("batch", 100), ("flushed", 1)] {
        let all = stages(&run, name);
        assert!(all.iter().all(|(_, invocations, _)| *invocations <= most) && all.len() > 1, "{name}: {all:?}");
    }
    assert_eq!(case_of(&run, "sleeps").0["waits"], true);
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    let notes = crate::support::err(&place.tare(words));
    let note = "`d/flushed` is measured with 1 invocation per iteration instead of 200: its declaration allows no more";
    assert!(notes.replace("\n  ", " ").contains(note), "{notes}");
    // The inputs of an iteration stay in half of the cache that a core has for itself.
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
    place.ends_with(0, ["run", "./d", "--filter", "fed"].iter().chain(&FEW));
    let run = place.run_json();
    let environment: tare_model::Environment =
        serde_json::from_value(run["parts"][0]["environment"].clone()).expect("an environment");
    let room = tare_analysis::inputs::room_bytes(&environment);
    let most = stages(&run, "fed").iter().map(|(_, invocations, _)| invocations * 4096).max().expect("iterations");
    assert!(most <= room && most > room / 8, "{most} of {room} bytes");
}

/// How many operations an invocation does, only its set-up shows, or each iteration has its own number.
#[test]
fn operations_that_only_the_set_up_shows_are_those_of_the_case() {
    let place = Place::new("operations");
    let child = children().join("conformance-child");
    let filters = ["--filter", "conformance/operations", "--filter", "conformance/iteration-operations"];
    let words = ["run", child.to_str().expect("UTF-8"), "-o", "r.measurements.csv"];
    place.ends_with(0, words.iter().chain(&FEW).chain(&filters));
    let run = place.run_json();
    let (benchmark, launches) = case_of(&run, "iteration-operations");
    assert_eq!(benchmark["operations"], 1);
    let series = launches[0]["series"].as_array().expect("series").iter().find(|s| s["stage"] == "actual");
    let columns = &series.expect("visits")["columns"];
    let counted: Vec<f64> = serde_json::from_value(columns["operations"].clone()).expect("a column");
    assert!(counted.len() > 1 && counted.is_sorted() && counted[0] < counted[1], "{counted:?}");
    assert_eq!(case_of(&run, "operations").0["operations"], 12);
    let csv = place.read("r.measurements.csv");
    let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = rows.next().expect("names");
    let at = |name: &str| names.iter().position(|n| *n == name).expect("a column");
    let (invocations, operations, name) = (at("invocations"), at("operations"), at("name"));
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let of_set_up: Vec<_> = rows.filter(|row| row[name] == "operations").collect();
    assert!(of_set_up.iter().all(|row| number(row[operations]) == 12 * number(row[invocations])), "{csv}");
    assert!(of_set_up.len() > 5, "{csv}");
    // R25: each process says the same.
    place.told("differ", "bench d/lines 10 | \"operations\":PID\n");
    let differ = place.tare(["run", "./differ"].iter().chain(&FEW));
    let screen = crate::support::out(&differ) + &crate::support::err(&differ);
    assert_eq!(differ.status.code(), Some(100), "{screen}");
    assert!(screen.contains("R25") && screen.contains("the same in every process"), "{screen}");
}
