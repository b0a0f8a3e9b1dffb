//! Ten thousand cases: what is quadratic in them would take minutes.

use crate::support::{err, json, out, signal, wait_until, Place, ROOT};

#[test]
fn ten_thousand_cases_are_listed_and_planned() {
    let place = Place::new("huge");
    let program = place.misbehave("huge-list");
    let list = place.ends_with(0, ["list", &program]);
    assert_eq!(list.lines().count(), 10_000);
    let tree = place.ends_with(0, ["list", &program, "--tree"]);
    assert_eq!(tree.lines().count(), 10_002);
    let document = json(&place.ends_with(0, ["list", &program, "--json"]));
    assert_eq!(document["programs"][0]["benchmarks"].as_array().map(Vec::len), Some(10_000));
    let output = place.tare(["list", &program, "--filter", "numbr-777x"]);
    assert_eq!((output.status.code(), out(&output)), (Some(4), String::new()));
    // A run is planned and its start is on the disk; it is stopped then, as to measure all of it takes its time.
    let mut tare = place.start(["run", &program, "--quick", "--launches", "1", "--invocations", "100"]);
    wait_until("it starts", || !place.runs().is_empty());
    signal("INT", &tare.id().to_string());
    tare.wait().expect("an end");
    let run = place.run_json();
    assert_eq!(run["plan"]["cases"].as_array().map(Vec::len), Some(10_000));
    place.ends_with(0, ["show", "latest"]);
    place.ends_with(0, ["show", "latest", "--csv"]);
    place.ends_with(0, ["runs"]);
    place.assert_nothing_left("a run");
}

/// A product of four parameters from a program in C++: what `tare list` and the program need stays below 200 MB. The second list builds nothing.
#[test]
fn ten_thousand_cases_of_a_product_need_little_memory() {
    let place = Place::new("product");
    let source = format!("{ROOT}/bench/cases/product.cpp");
    assert_eq!(place.ends_with(0, ["list", &source]).lines().count(), 10_000);
    let mut command = place.command(["list", &source]);
    command.stdout(std::process::Stdio::null());
    let finished = tare_process::ProgramTimer::new().and_then(|timer| timer.run(command)).expect("an end");
    let peak = finished.exit.peak_memory_bytes.expect("a system that says it");
    assert!(peak < 200_000_000, "{peak}");
    // The reason of thousands is said once.
    let output = place.command(["list", &source]).env("MANY", "1").output().expect("an end");
    let said = err(&output);
    assert!(
        said.contains("and 9999 more of its cases: skipped: others are added") && said.lines().count() == 1,
        "{said}"
    );
}

/// Eight times the benchmarks take about eight times the processor's time: what is quadratic takes up to 64 times.
#[test]
fn the_work_of_a_comparison_grows_with_its_size() {
    const BOUND: f64 = 24.0;
    let place = Place::new("growth");
    let file = |name: &str, n: usize, by: f64| {
        let row = |i: usize| {
            let ns = by * (10 + i % 89) as f64;
            format!(
                r#"{{"name": "g{}/c{i}", "run_type": "iteration", "iterations": 9, "real_time": {ns}, "cpu_time": {ns}, "time_unit": "ns"}}"#,
                i % 7
            )
        };
        let rows: Vec<String> = (0..n).map(row).collect();
        place.write(name, &format!(r#"{{"context": {{}}, "benchmarks": [{}]}}"#, rows.join(",")));
    };
    let cpu_s = |n: usize, format: &str| {
        file("base.json", n, 1.0);
        file("new.json", n, 1.1);
        // The second line of `times` is of what the shell waited for: its own time and that of the system.
        let tare = format!("\"$TARE\" compare base.json new.json --fail-on limit --format {format} > shown; times");
        let text = out(&place.other("sh").args(["-c", &tare]).output().expect("a shell"));
        let seconds = |text: &str| {
            let (minutes, seconds) = text.trim_end_matches('s').split_once('m').expect("minutes and seconds");
            60.0 * minutes.parse::<f64>().expect("a number") + seconds.parse::<f64>().expect("a number")
        };
        assert!(place.read("shown").contains("g1/c1"), "{text}");
        text.lines().nth(1).expect("two lines").split(' ').map(seconds).sum::<f64>()
    };
    for format in ["table", "md"] {
        // Neighbours of a busy machine make some take longer; what is quadratic does so each time.
        let grows = |_| {
            let (few, many) = (cpu_s(1000, format), cpu_s(8000, format));
            println!("{format}: {few:.2} s and {many:.2} s");
            many < BOUND * few.max(0.02)
        };
        assert!((0..5).any(grows), "{format}");
    }
}
