//! What a word of `tare compare` stands for when it could be several things.

use crate::support::{err, reference, Place, SHORT};
use std::fs;

/// A run of the store and its id.
fn with_run(name: &str) -> (Place, String) {
    let place = Place::new(name);
    place.ends_with(0, ["run", reference(), "--filter", "strlen"].iter().chain(&SHORT));
    let id = place.run_json()["id"].as_str().expect("an id").to_owned();
    (place, id)
}

#[test]
fn a_file_is_meant_also_when_the_id_of_a_run_begins_like_it() {
    let (place, id) = with_run("paths");
    let document = place.read(place.only_run().join("run.json"));
    for name in [&id[..1], &id[..4], &id[..]] {
        let file = place.write(name, &document);
        place.write("other.json", &document);
        // Two files, and not a run of the store: without it the answer is the same.
        let shown = place.ends_with(0, ["compare", name, "other.json", "--format", "csv"]);
        let kept = place.join("kept");
        fs::rename(place.join(".tare"), &kept).expect("moved");
        assert_eq!(place.ends_with(0, ["compare", name, "other.json", "--format", "csv"]), shown, "{name}");
        fs::rename(&kept, place.join(".tare")).expect("moved back");
        fs::remove_file(file).expect("removed");
    }
    // A folder that is to be built is no run either: nothing is in this one.
    fs::create_dir(place.join(&id[..1])).expect("a folder");
    let output = place.tare(["compare", &id[..1], "other.json"]);
    assert!(!err(&output).contains("is a run"), "{}", err(&output));
}

#[test]
fn a_digit_or_two_are_no_run() {
    let (place, id) = with_run("short");
    let output = place.tare(["compare", &id[..2], "latest"]);
    assert_eq!(output.status.code(), Some(2));
    let reported = err(&output);
    assert!(reported.contains("is too short for a run id"), "{reported}");
    assert!(reported.contains(&format!("`run:{}`", &id[..2])), "{reported}");
    for word in [id[..4].to_owned(), format!("run:{}", &id[..2])] {
        place.ends_with(0, ["compare", &word, "latest"]);
    }
}

#[test]
fn what_only_looks_like_a_report_names_no_run() {
    let (place, _) = with_run("no-report");
    fs::write(place.join("bad.json"), r#"{"format":"tare-report","report":{"run":"../../etc"}}"#).expect("a file");
    let reported = place.fails_with(2, ["compare", "bad.json", "latest"]);
    assert!(reported.contains("is a report of Tare") && !reported.contains("../etc"), "{reported}");
}

#[test]
fn a_report_names_the_run_that_can_be_compared() {
    let (place, id) = with_run("report-as-side");
    place.ends_with(0, ["show", "latest", "-o", "before.json"]);
    let hint = place.fails_with(2, ["compare", "before.json", "latest"]);
    assert!(hint.contains("`before.json` is a report, without the measurements"), "{hint}");
    let command = format!("tare compare {id} latest");
    assert!(hint.contains(&format!("`{command}`")), "{hint}");
    place.ends_with(0, command.split(' ').skip(1));
    // The run is elsewhere.
    fs::rename(place.join(".tare"), place.join("away")).expect("moved");
    let hint = place.fails_with(2, ["compare", "before.json", "before.json"]);
    assert!(hint.contains(&format!("copy the folder `.tare/runs/{id}`")), "{hint}");
    place.ends_with(0, ["compare", &format!("away/runs/{id}"), &format!("away/runs/{id}")]);
}
