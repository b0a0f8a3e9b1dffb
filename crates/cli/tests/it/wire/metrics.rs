//! What a child measures beside the time: it is named by the child alone, and comes out in every form.

use crate::support::{err, json, Place, FIXED};

#[test]
fn a_metric_that_a_child_names_is_in_every_form() {
    let place = Place::new("metrics");
    let program = place.misbehave("metrics");
    let names = ["r.csv", "r.json", "r.measurements.csv"];
    let outputs = names.iter().flat_map(|name| ["-o", name]);
    let screen = place.ends_with(0, ["run", &program, "-v"].into_iter().chain(FIXED).chain(outputs));
    for part in ["alloc/op", "bytes/op", "depth", "3 allocations/op", "144 B/op", "depth 7 m", "collections (", "naps"]
    {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    assert!(!screen.contains("not_in_hello"), "{screen}");

    let report = json(&place.read("r.json"));
    let of_case = &report["report"]["cases"][0]["outcome"];
    let metric = |at: usize| &of_case["metrics"][at];
    assert_eq!((metric(0)["name"].as_str(), metric(0)["value"].as_f64()), (Some("allocations"), Some(3.0)));
    assert_eq!((metric(1)["unit"].as_str(), metric(1)["value"].as_f64()), (Some("B"), Some(144.0)));
    assert_eq!((metric(2)["per"].as_str(), metric(2)["value"].as_f64()), (Some("iteration"), Some(7.0)));
    let events = of_case["events"].as_array().expect("events");
    assert_eq!(events.iter().map(|e| e["kind"].as_str()).collect::<Vec<_>>(), [Some("collection"), Some("nap")]);
    assert_eq!(events[0]["ns"].as_f64(), events[0]["count"].as_f64().map(|n| 2000.0 * n));

    let csv = place.read("r.csv");
    assert!(csv.lines().next().is_some_and(|names| names.ends_with(",allocations,allocated_bytes,depth")), "{csv}");
    assert!(csv.lines().nth(1).is_some_and(|values| values.ends_with(",3,144,7")), "{csv}");
    let rows = place.read("r.measurements.csv");
    assert!(rows.lines().next().is_some_and(
        |n| n.ends_with(",compilations,descendants_cpu_ns,window_ns,width_ns,allocations,allocated_bytes,depth")
    ));

    // Saved, and beside itself.
    let compared = place.ends_with(0, ["compare", "latest", "latest"]);
    for part in ["allocations/op", "allocated_bytes B/op", "depth m"] {
        assert!(compared.contains(part), "{part:?} is not in\n{compared}");
    }
}

#[test]
fn limits_of_allocations_go_by_the_metric() {
    let place = Place::new("metric-limits");
    let program = place.misbehave("metrics");
    for (limit, code) in [("{ allocations = 3, bytes = 144 }", 0), ("{ allocations = 2 }", 10), ("{ bytes = 100 }", 10)]
    {
        place.write("tare.toml", &format!("[limits]\n\"good\" = {limit}\n"));
        let output = place.tare(["run", &program, "--filter", "good"].into_iter().chain(FIXED));
        assert_eq!(output.status.code(), Some(code), "{limit}: {}", err(&output));
    }
}
