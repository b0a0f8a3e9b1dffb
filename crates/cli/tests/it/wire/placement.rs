//! Where bodies are measured, and what works beside them: `--cpu`, windows with readings of the width probe, and descendants in what is kept.

use crate::support::{err, reference, skip, Place, SHORT};

/// The processors that this process may use, by the system's own words.
fn allowed() -> Vec<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default().trim();
    let range = |part: &str| -> Option<Vec<u32>> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some((first.parse().ok()?..=last.parse().ok()?).collect())
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[test]
fn a_processor_that_is_named_is_the_one_and_windows_are_kept() {
    let Some(processor) = allowed().last().copied() else {
        return skip("a processor that is named", "this system does not name its processors");
    };
    let place = Place::new("placement");
    let number = processor.to_string();
    place.ends_with(0, ["run", reference(), "--filter", "strlen", "--cpu", &number].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["plan"]["policy"]["processor"], processor);
    let launches = run["launches"].as_array().expect("launches");
    // What is seen to wait, also for a busy machine, is not kept on it.
    let is_there = |launch: &serde_json::Value| launch["processor"].is_null() || launch["processor"] == processor;
    assert!(!launches.is_empty() && launches.iter().all(is_there), "{launches:?}");
    let width = run["parts"][0]["environment"]["core_width"]["cycles_per_addition"].as_f64();
    // A machine on which the core was never seen alone has no level.
    assert!(width.is_none_or(|cycles| cycles.is_finite() && cycles > 0.0), "{width:?}");
    let series = launches.iter().flat_map(|launch| launch["series"].as_array().expect("series"));
    for series in series.filter(|series| series["stage"] == "actual") {
        let count = |name: &str| series["columns"][name].as_array().map_or(0, Vec::len);
        let (visits, windows) = (count("elapsed_ns"), count("window_ns"));
        assert!(visits > 0 && windows >= visits && windows % visits == 0, "{visits} visits, {windows} windows");
        assert_eq!(count("width_ns"), windows + visits);
    }
    place.assert_nothing_left("a run on one processor");
}

#[test]
fn a_processor_that_may_not_be_used_is_refused_before_anything_is_built() {
    let place = Place::new("no-processor");
    place.write("never.cpp", "#error built\n");
    let output = place.tare(["run", "never.cpp", "--cpu", "4000"]);
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(2), "{reported}");
    assert!(reported.contains("may not use processor 4000") && !reported.contains("built"), "{reported}");
}

#[test]
fn what_a_process_beside_the_body_works_is_kept() {
    if !std::path::Path::new("/proc/thread-self/children").exists() {
        return skip(
            "a body with a process beside it",
            "the system does not tell which processes a process has started",
        );
    }
    let place = Place::new("beside");
    let program = place.misbehave("beside");
    let few = ["--quick", "--launches", "2", "--rounds", "2", "--invocations", "1"];
    place.ends_with(0, ["run", &program, "--filter", "good", "--filter", "bad"].iter().chain(&few));
    let run = place.run_json();
    let actual = |case: u64| -> Vec<&serde_json::Value> {
        let launches = run["launches"].as_array().expect("launches").iter().filter(|launch| launch["case"] == case);
        let series = launches.flat_map(|launch| launch["series"].as_array().expect("series"));
        series.filter(|series| series["stage"] == "actual").map(|series| &series["columns"]).collect()
    };
    for columns in actual(1) {
        let descendants = columns["descendants_cpu_ns"].as_array().expect("the process worked");
        assert_eq!(descendants.len(), columns["elapsed_ns"].as_array().expect("times").len());
        assert!(descendants.iter().all(|ns| ns.as_f64().is_some_and(|ns| ns > 0.0)), "{descendants:?}");
    }
    assert!(!actual(0).is_empty() && !actual(1).is_empty());
    assert!(actual(0).iter().all(|columns| columns.get("descendants_cpu_ns").is_none()), "it has none");
    place.assert_nothing_left("a run with a process beside the body");
}
