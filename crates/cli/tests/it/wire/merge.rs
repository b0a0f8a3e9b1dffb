//! Several runs as one.

use crate::support::{json, reference, Place, SHORT};

const RUN: [&str; 4] = ["-f", "sum/*", "--seed", "7"];

#[test]
fn two_runs_of_one_program_are_merged() {
    let place = Place::new("merge");
    let run = |place: &Place| place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    run(&place);
    run(&place);
    let launches = |text: &str| json(text)["launches"].as_array().map_or(0, Vec::len);
    let document = |id: &str| place.read(format!(".tare/runs/{id}/run.json"));
    let ids = |place: &Place| -> Vec<String> {
        let runs = json(&place.ends_with(0, ["runs", "--json"]))["runs"].clone();
        runs.as_array().expect("runs").iter().map(|r| r["id"].as_str().expect("an id").to_owned()).collect()
    };
    let before = ids(&place);
    let shown = place.ends_with(0, ["merge", "latest~1", "latest", "-o", "merged.csv"]);
    let after = ids(&place);
    let merged = after.iter().find(|id| !before.contains(id)).expect("a run of its own");
    let text = document(merged);
    assert_eq!(launches(&text), launches(&document(&before[0])) + launches(&document(&before[1])));
    assert_eq!(json(&text)["parts"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown, place.ends_with(0, ["show", merged]));
    assert_eq!(place.read("merged.csv"), place.ends_with(0, ["show", merged, "--csv"]));
    // It holds what one of them has.
    let twice = place.fails_with(2, ["merge", merged, &before[0]]);
    assert!(
        twice.contains("both contain the measurements that began at") && twice.contains("name each run once"),
        "{twice}"
    );
    let same = place.fails_with(2, ["merge", "latest", "latest"]);
    assert!(same.contains("cannot be merged"), "{same}");
    let kinds = json(&place.ends_with(0, ["runs", "--json"]));
    assert_eq!(kinds["runs"].as_array().map(Vec::len), Some(3), "a refused merge leaves nothing");
}

#[test]
fn runs_that_do_not_fit_are_refused_by_name() {
    let place = Place::new("merge-not");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    place.ends_with(0, ["run", reference()].iter().chain(&RUN).chain(&SHORT));
    let other = place.fails_with(2, ["merge", "latest~1", "latest"]);
    assert!(other.contains("the benchmarks differ"), "{other}");
    assert!(other.contains("hint: compare them instead: `tare compare latest~1 latest`"), "{other}");
    let one = place.fails_with(2, ["merge", "latest"]);
    assert!(one.contains("RUN"), "{one}");
}
