//! Programs of the user's as diagnosers, and the files that they attach.

use crate::support::{err, have, json, out, reference, skip, Place, ROOT};
use serde_json::Value;
use std::path::PathBuf;

const FEW: [&str; 9] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii", "--timeout", "100s", "--no-align"];

/// A run of one benchmark of the reference child.
fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let of = ["run", reference(), "--filter", "strlen"];
    of.iter().chain(&FEW).chain(more).copied().collect()
}

fn attachments(report: &Value) -> Vec<Value> {
    report["report"]["attachments"].as_array().cloned().unwrap_or_default()
}

/// The example with its settings.
fn place(name: &str) -> Option<Place> {
    if !have("python3") || !cfg!(target_os = "linux") {
        skip("external diagnosers", "they need python3 and Linux here");
        return None;
    }
    let place = Place::new(name);
    let example = format!("{ROOT}/examples/diagnosers/faults.py");
    place.write("tare.toml", &format!("[diagnosers.faults]\ncommand = [\"python3\", \"{example}\"]\n"));
    Some(place)
}

/// The file of the only attachment of a report.
fn file(place: &Place, report: &Value) -> PathBuf {
    let all = attachments(report);
    let (id, path) = (report["report"]["run"].as_str().expect("an id"), all[0]["path"].as_str().expect("a path"));
    place.join(format!(".tare/runs/{id}/{path}"))
}

#[test]
fn the_example_gives_a_metric_and_an_attachment_of_each_case() {
    let Some(place) = place("external") else { return };
    let screen = place.ends_with(0, run(&["--diagnose", "faults", "-o", "r.json", "-o", "r.html"]));
    for part in
        ["faults/*: measured in a separate pass after the times", "attachments (1)", "`status.txt` (the process"]
    {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    let report = json(&place.read("r.json"));
    let metrics = report["report"]["cases"][0]["outcome"]["metrics"].as_array().expect("metrics").clone();
    let faults = metrics.iter().find(|metric| metric["name"] == "faults/faults").expect("the metric");
    assert_eq!((faults["diagnoser"].as_str(), faults["value"].is_number()), (Some("faults"), true), "{report}");
    let attached = &attachments(&report)[0];
    assert_eq!((&attached["of"]["case"], &attached["media_type"]), (&0.into(), &"text/plain".into()), "{attached}");
    let kept = std::fs::read_to_string(file(&place, &report)).expect("the file");
    assert!(kept.contains("VmRSS:") && attached["bytes"] == kept.len(), "{attached}");
    let page = place.read("r.html");
    assert!(page.contains("status.txt") && page.contains("VmRSS:"), "{page}");
    // The live run and the stored one are the same screen.
    assert_eq!(place.ends_with(0, ["show", "latest", "--ascii"]), screen);
    // Nothing of the passes is among the launches, and all of it is after them.
    let id = report["report"]["run"].as_str().expect("an id");
    let events = place.read(format!(".tare/runs/{id}/events.jsonl"));
    let after: Vec<&str> = events.lines().skip_while(|line| !line.contains("\"event\":\"attached\"")).collect();
    assert!(after.len() >= 2 && after.iter().all(|line| !line.contains("\"measured\"")), "{events}");
    place.assert_nothing_left("an external diagnoser");
}

#[test]
fn attachments_go_with_their_run_and_damage_costs_no_more() {
    let Some(place) = place("attachments") else { return };
    place.ends_with(0, run(&["--diagnose", "faults", "-o", "r.json"]));
    place.ends_with(0, run(&["--diagnose", "faults", "-o", "s.json"]));
    let (first, second) = (json(&place.read("r.json")), json(&place.read("s.json")));
    place.ends_with(0, ["merge", "latest~1", "latest", "-o", "merged.json"]);
    let merged = json(&place.read("merged.json"));
    let mut files: Vec<PathBuf> = Vec::new();
    for attached in attachments(&merged) {
        let id = merged["report"]["run"].as_str().expect("an id");
        files.push(place.join(format!(".tare/runs/{id}/{}", attached["path"].as_str().expect("a path"))));
    }
    let content = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    let both: Vec<String> = files.iter().cloned().map(content).collect();
    assert_eq!(both, [content(file(&place, &first)), content(file(&place, &second))]);
    // One is changed, the other is gone.
    std::fs::write(&files[0], "x".repeat(both[0].len())).expect("written");
    std::fs::remove_file(&files[1]).expect("removed");
    let shown = place.tare(["show", "latest", "--ascii", "-o", "page.html", "-o", "again.json"]);
    assert_eq!(shown.status.code(), Some(0), "{}", err(&shown));
    let flat = out(&shown).split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["its content has changed", "its file is missing"] {
        assert!(flat.contains(part), "{part:?} is not in\n{flat}");
    }
    assert!(!place.read("page.html").contains("VmRSS:"));
    assert_eq!(json(&place.read("again.json"))["report"]["cases"], merged["report"]["cases"]);
    // What cannot be taken over is named, and the rest is merged.
    std::fs::remove_file(file(&place, &first)).expect("removed");
    let output = place.tare(["merge", "latest~2", "latest~1", "--ascii"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(err(&output).contains("could not be copied: its file is missing"), "{}", err(&output));
    // A document that leads elsewhere.
    let secret = place.join("secret.txt");
    std::fs::write(&secret, "secret").expect("written");
    let document = place.join(format!(".tare/runs/{}/run.json", second["report"]["run"].as_str().expect("an id")));
    let text = content(document.clone());
    let name = text
        .replace("\"status.txt\"", "\"../../../../secret.txt\"")
        .replace("\"of\":{\"case\":0}", "\"of\":{\"case\":7}");
    std::fs::write(&document, name).expect("written");
    let output = place.tare(["show", "latest~2", "--ascii"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!out(&output).contains("secret"), "{}", out(&output));
    place.ends_with(0, ["clean", "--keep", "0"]);
    assert!(files.iter().all(|path| !path.exists()) && place.runs().is_empty());
}

/// Ways to misbehave: the settings of a diagnoser, and what the finding says. One that hangs is among the tests of `diagnose`.
const BROKEN: [(&str, &str, &str); 4] = [
    ("rubbish", "read line; echo rubbish; cat", "its reply to `begin` is not valid"),
    ("dies", "read line; echo no room >&2; exit 3", "it ended before it replied to `begin`: exit status 3"),
    ("floods", "read line; yes x | tr -d '\\n'", "is longer than 4 MiB"),
    ("late", "read line; echo '{\"reply\":\"ready\"}'; read line", "it ended before it replied to `started`"),
];

#[test]
fn a_diagnoser_that_misbehaves_is_one_named_failure_and_times_stand() {
    let place = Place::new("misbehaving-diagnosers");
    let mut settings = String::from("[diagnosers.missing]\ncommand = [\"no-such-program\"]\n");
    let mut flags = vec!["-o", "r.json", "-v"];
    for (name, script, _) in &BROKEN {
        settings.push_str(&format!("[diagnosers.{name}]\ncommand = ['''sh''', '''-c''', '''{script}''']\n"));
        flags.extend(["--diagnose", name]);
    }
    place.write("tare.toml", &settings);
    let screen = place.ends_with(0, ["run", reference(), "--filter", "strlen"].iter().chain(&FEW).chain(&flags));
    let flat = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, _, says) in &BROKEN {
        let failed = format!("the diagnoser `{name}` failed: ");
        assert_eq!(flat.matches(&failed).count(), 1, "{failed} is not once in\n{screen}");
        assert!(flat.contains(says), "{says:?} is not in\n{screen}");
    }
    let report = json(&place.read("r.json"));
    let outcome = &report["report"]["cases"][0]["outcome"];
    assert_eq!(
        (&outcome["outcome"], outcome["launches"].as_array().map(Vec::len)),
        (&"measured".into(), Some(2)),
        "{report}"
    );
    // What is not there is said before anything is measured.
    let reported = place.fails_with(2, run(&["--diagnose", "missing"]));
    assert!(reported.contains("the diagnoser `missing` cannot be started: ") && reported.contains("no-such-program"));
    let reported = place.fails_with(2, run(&["--diagnose", "flood"]));
    assert!(reported.contains("`--diagnose floods`"), "{reported}");
    place.assert_nothing_left("diagnosers that misbehave");
}
