//! `tare run --diagnose`: what must never run beside timing runs in passes of their own, after it.

use crate::support::{json, reference, signal, wait_until, Place};
use serde_json::Value;

/// Three benchmarks: `dies` only while it is watched, `waits` once.
const CHILD: &str = r#"
hello "diagnosers":[{"name":"memory","metrics":[{"name":"peak_bytes","unit":"B","better":"lower","per":"iteration"}]}]
bench d/Block 5000
bench d/Dies 5000
bench d/Waits 5000
diagnose 1048576 dies waits
"#;
const FEW: [&str; 6] = ["--quick", "--launches", "2", "--rounds", "5", "--ascii"];

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.told("child", CHILD);
    place
}

fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["run", "./child"].iter().chain(&FEW).chain(more).copied().collect()
}

/// Diagnoses as case, part, whether they have values.
fn diagnoses(run: &Value) -> Vec<(u64, u64, bool)> {
    let all = run["diagnoses"].as_array().cloned().unwrap_or_default();
    let of =
        |d: &Value| (d["case"].as_u64().unwrap(), d["part"].as_u64().unwrap(), d["metrics"]["peak_bytes"].is_array());
    all.iter().map(of).collect()
}

#[test]
fn a_diagnoser_runs_apart_and_costs_no_more_than_its_own_result() {
    let place = place("diagnose");
    let files = ["--diagnose", "memory", "-o", "r.csv", "-o", "r.json", "-o", "r.md"];
    let screen = place.ends_with(0, run(&files));
    let document = place.run_json();
    assert_eq!(diagnoses(&document), [(0, 0, true), (1, 0, false), (2, 0, true)], "{document}");
    assert!(document["results"].as_array().expect("results").iter().all(|r| r["failure"].is_null()), "{screen}");
    let label = "memory/*: measured in a separate pass after the times";
    let failed =
        "the diagnoser `memory` failed: exited unexpectedly with status 7; the last line of its output: last words";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [" peak ", label] {
        assert!(flat(&screen).contains(part), "{part:?} is not in\n{screen}");
    }
    let verbose = place.ends_with(0, ["show", "latest", "-v", "--ascii"]);
    for part in ["not-diagnosed d/Dies:", failed] {
        assert!(flat(&verbose).contains(part), "{part:?} is not in\n{verbose}");
    }
    assert!(verbose.contains("diagnosed memory/peak_bytes 1 MiB"), "{verbose}");
    assert!(place.read("r.md").contains("| peak |") && place.read("r.md").contains("in a separate pass"));
    let csv = place.read("r.csv");
    let last = |at: usize| csv.lines().nth(at).and_then(|line| line.rsplit(',').next()).unwrap_or_default().to_owned();
    assert_eq!([last(0).as_str(), last(1).as_str(), last(2).as_str()], ["memory/peak_bytes", "1048576", ""], "{csv}");
    let report = json(&place.read("r.json"));
    let metrics = report["report"]["cases"][0]["outcome"]["metrics"].as_array().expect("metrics").clone();
    assert_eq!(
        metrics.last().map(|m| (&m["diagnoser"], &m["name"])),
        Some((&"memory".into(), &"memory/peak_bytes".into()))
    );
    // Nothing of the passes is among the launches, and all of it is after them.
    let id = document["id"].as_str().expect("an id");
    let events = place.read(format!(".tare/runs/{id}/events.jsonl"));
    let after = events.lines().skip_while(|line| !line.contains("\"diagnosed\""));
    assert!(after.clone().count() >= 3 && after.clone().all(|line| !line.contains("\"measured\"")), "{events}");
    let shape = |run: &Value| -> Vec<(Value, Value, usize)> {
        let launches = run["launches"].as_array().expect("launches").iter();
        let actual =
            |l: &Value| l["series"].as_array().map_or(0, |s| s.iter().filter(|s| s["stage"] == "actual").count());
        let mut shape: Vec<_> = launches.map(|l| (l["case"].clone(), l["wave"].clone(), actual(l))).collect();
        shape.sort_by_key(|(case, wave, _)| (case.as_u64(), wave.as_u64()));
        shape
    };
    let names = |run: &Value| {
        run["launches"][0]["series"][0]["columns"].as_object().expect("columns").keys().cloned().collect::<Vec<_>>()
    };
    place.ends_with(0, run(&["--no-save", "-o", "plain.json"]));
    place.ends_with(0, run(&[]));
    let id_of = |run: &Value| run["id"].clone();
    let plain = place
        .runs()
        .into_iter()
        .map(|folder| json(&place.read(folder.join("run.json"))))
        .find(|r| id_of(r) != document["id"]);
    let plain = plain.expect("the run without");
    assert_eq!((shape(&plain), names(&plain)), (shape(&document), names(&document)));
    assert!(plain.get("diagnoses").is_none() && plain["plan"]["policy"].get("diagnose").is_none(), "{plain}");
    // The two are one plan.
    place.ends_with(0, ["merge", "latest~1", "latest", "-o", "both.csv"]);
    assert!(place.read("both.csv").contains("memory/peak_bytes"));
    let merged = place.runs().into_iter().map(|folder| json(&place.read(folder.join("run.json"))));
    let merged = merged.max_by_key(|r| r["parts"].as_array().map_or(0, Vec::len)).expect("a run");
    assert_eq!(diagnoses(&merged).len(), 3, "{merged}");
    place.assert_nothing_left("passes of diagnosers");
}

#[test]
fn a_declaration_asks_for_its_own_benchmark() {
    let place = place("diagnose-declared");
    place.told("child", &CHILD.replace("Waits 5000", "Waits 5000 \"diagnosers\":[\"memory\",\"mood\"]"));
    let screen = place.ends_with(0, run(&["-v", "--filter", "d/Block", "--filter", "d/Waits"]));
    let document = place.run_json();
    assert_eq!(diagnoses(&document), [(1, 0, true)], "{document}");
    assert!(screen.contains("its program has no diagnoser `mood`"), "{screen}");
}

#[test]
fn who_has_no_such_diagnoser_is_named() {
    let place = place("no-diagnoser");
    let reported = place.fails_with(2, run(&["--diagnose", "time-travel"]));
    assert!(reported.contains("no program here has the diagnoser `time-travel`"), "{reported}");
    assert!(reported.contains("hint: use `--diagnose memory`"), "{reported}");
    let reported = place.fails_with(2, ["run", reference(), "--diagnose", "memory"]);
    assert!(reported.contains("hint: `tare help memory` explains"), "{reported}");
    // Of two programs one has it.
    let tree = place.ends_with(0, ["list", "--tree", "./child"]);
    assert!(tree.contains("diagnosers: memory"), "{tree}");
    let filter = ["--filter", "Block", "--filter", "strlen", "--diagnose", "memory"];
    let both: Vec<&str> = ["run", reference(), "./child", "-v"].into_iter().chain(FEW).chain(filter).collect();
    let screen = place.ends_with(0, both);
    assert!(screen.contains("text/strlen: its program has no diagnoser `memory`"), "{screen}");
    assert_eq!(diagnoses(&place.run_json()).len(), 1);
}

#[test]
fn passes_that_were_made_are_kept_when_a_run_is_resumed() {
    let place = place("diagnose-resumed");
    place.write("wait", "");
    let tare = place.start(run(&["--diagnose", "memory", "--filter", "Block", "--filter", "Waits"]));
    wait_until("one pass is made", || {
        let folder = place.runs().pop();
        let events = folder.and_then(|folder| std::fs::read_to_string(folder.join("events.jsonl")).ok());
        events.is_some_and(|text| text.contains("\"diagnosed\""))
    });
    signal("INT", &format!("-{}", tare.id()));
    let mut tare = tare;
    let mut code = None;
    wait_until("tare ends", || {
        code = tare.try_wait().expect("its status").and_then(|status| status.code());
        code.is_some()
    });
    assert_eq!(code, Some(130));
    let before = place.run_json();
    assert_eq!((&before["status"], diagnoses(&before)), (&"interrupted".into(), vec![(0, 0, true)]), "{before}");
    std::fs::remove_file(place.join("wait")).expect("removed");
    place.ends_with(0, ["run", "--resume", "latest"]);
    let after = place.run_json();
    assert_eq!(diagnoses(&after), [(0, 0, true), (1, 1, true)], "{after}");
    assert_eq!(after["launches"], before["launches"], "nothing is timed again");
    assert_eq!(after["diagnoses"][0], before["diagnoses"][0]);
    place.assert_nothing_left("a run that was resumed");
}
