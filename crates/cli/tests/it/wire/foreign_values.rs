//! Files of other tools from the command line: what they hold beside times, what they lack, and what a gate makes of it.

use crate::support::{err, out, Place};
use std::fs;

/// A time near this one, other for each process.
fn near(ns: f64, i: usize) -> f64 {
    ns * (1.0 + [0.0, 0.003, -0.002, 0.001, -0.004, 0.002, -0.001, 0.004][i])
}

/// A tree of criterion for each of eight processes: benchmarks with their times, and empty folders.
fn criterion(place: &Place, side: &str, benchmarks: &[(&str, f64)], empty: &[&str]) {
    for i in 0..8 {
        for (name, ns) in benchmarks {
            let folder = place.join(format!("{side}/{i}/{name}/new"));
            fs::create_dir_all(&folder).expect("a folder");
            let times: Vec<String> = (0..8).map(|k| (near(*ns, i) + near(0.1, k)).to_string()).collect();
            let sample =
                format!(r#"{{"sampling_mode": "Flat", "iters": [1,1,1,1,1,1,1,1], "times": [{}]}}"#, times.join(","));
            fs::write(folder.join("sample.json"), sample).expect("written");
            let about = format!(r#"{{"group_id": "{name}", "full_id": "{name}", "directory_name": "{name}"}}"#);
            fs::write(folder.join("benchmark.json"), about).expect("written");
        }
        for name in empty {
            fs::create_dir_all(place.join(format!("{side}/{i}/{name}/new"))).expect("a folder");
        }
    }
}

#[test]
fn leftovers_and_empty_folders_of_criterion_pass_no_gate() {
    let place = Place::new("criterion-leftovers");
    criterion(&place, "old", &[("kept", 500.0), ("removed", 900.0)], &["pay"]);
    criterion(&place, "new", &[("kept", 501.0), ("removed", 900.0)], &["pay"]);
    let output = place.tare(["compare", "old", "new", "--fail-on", "slower:20%", "-o", "r.junit.xml"]);
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
    let shown = out(&output);
    assert!(
        shown.contains("same-data")
            && shown.contains("not compared, because both sides have the same values: `removed`"),
        "{shown}"
    );
    assert!(shown.contains("its folder `new` is empty"), "{shown}");
    let gate = err(&output);
    assert!(gate.contains("pay: slower:20%: it failed"), "{gate}");
    assert!(
        gate.contains("removed: slower:20%: its values are those of the base, so it was not measured again"),
        "{gate}"
    );
    let junit = fs::read_to_string(place.join("r.junit.xml")).expect("a file");
    assert!(junit.contains("<error type=\"failed\" message=\"failed on the base: "), "{junit}");
    assert!(junit.contains("name=\"kept\""), "{junit}");
}

/// Eight files of Google Benchmark with these counters beside the time.
fn google(place: &Place, side: &str, counters: &str) {
    fs::create_dir_all(place.join(side)).expect("a folder");
    for i in 0..8 {
        let ns = near(100.0, i) + if side == "new" { 0.01 } else { 0.0 };
        let text = format!(
            r#"{{"context": {{"date": "2026-01-01 1{i}:00", "executable": "{side}-bench"}}, "benchmarks": [{{"name": "Read", "run_name": "Read",
                "run_type": "iteration", "repetition_index": 0, "real_time": {ns}, "cpu_time": {ns}, "time_unit": "ns", {counters}}}]}}"#
        );
        fs::write(place.join(format!("{side}/{i}.json")), text).expect("written");
    }
}

#[test]
fn the_user_says_which_values_of_a_counter_are_better() {
    let place = Place::new("counters");
    google(&place, "old", r#""retries": 3, "allocs_per_iter": 2"#);
    google(&place, "new", r#""retries": 30, "allocs_per_iter": 2"#);
    let gate = ["compare", "old", "new", "--fail-on", "slower:20%"];
    // It is named, and breaks no gate: nothing says that fewer are better.
    let shown = place.ends_with(0, gate);
    assert!(shown.contains("`--better retries=lower`"), "{shown}");
    let output = place.tare(gate.iter().chain(&["--better", "retries=lower"]));
    assert_eq!(output.status.code(), Some(10), "{}{}", out(&output), err(&output));
    let shown = place.ends_with(0, gate.iter().chain(&["--better", "retries=higher"]));
    assert!(shown.contains("faster 1 (") && shown.contains("Read retries"), "{shown}");
    let shown = place.ends_with(0, gate.iter().chain(&["--better", "retries=none"]));
    assert!(!shown.contains("retries"), "{shown}");
    let output = place.tare(gate.iter().chain(&["--better", "tries=lower"]));
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("metrics of these results: `allocs_per_iter`, `retries`"), "{}", err(&output));
}

#[test]
fn one_file_a_side_shows_its_ratio_and_how_to_get_more() {
    let place = Place::new("one-file");
    let file = |ns: f64| {
        format!(
            r#"{{"context": {{}}, "benchmarks": [{{"name": "Read", "real_time": {ns}, "cpu_time": {ns}, "time_unit": "us"}}]}}"#
        )
    };
    place.write("old.json", &file(15.0));
    place.write("new.json", &file(2.1));
    let shown = place.ends_with(0, ["compare", "old.json", "new.json"]);
    assert!(
        shown.starts_with("UNCLEAR  1 benchmark compared: ratio 0.140, too few processes for a verdict"),
        "{shown}"
    );
    assert!(shown.contains("--benchmark_enable_random_interleaving=true"), "{shown}");
}

#[test]
fn a_job_that_two_files_share_is_compared() {
    let place = Place::new("shared-job");
    let row = |job: &str, ns: f64| {
        format!(
            r#"{{"DisplayInfo": "Till.Sum: {job}(Runtime={job})", "Type": "Till", "Method": "Sum", "FullName": "Shop.Till.Sum",
                "Statistics": {{"OriginalValues": [{ns}, {}], "Mean": {ns}}}}}"#,
            ns + 0.1
        )
    };
    place.write("one.json", &format!(r#"{{"Benchmarks": [{}]}}"#, row("Old", 40.0)));
    place.write("two.json", &format!(r#"{{"Benchmarks": [{}, {}]}}"#, row("Old", 52.0), row("New", 30.0)));
    let shown = place.ends_with(0, ["compare", "one.json", "two.json"]);
    assert!(shown.contains("ratio 1.30") && shown.contains("only in new (1)"), "{shown}");
    assert!(shown.contains("Shop.Till.Sum@New(Runtime=New)"), "{shown}");
}
