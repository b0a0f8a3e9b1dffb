//! Several runs as one.

use crate::support::{json, reference, Place, SHORT};
use serde_json::Value;
use std::collections::BTreeSet;

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

/// Benchmarks in groups, each with a metric of a pass.
const CHILD: &str = r#"
hello "diagnosers":[{"name":"memory","metrics":[{"name":"peak_bytes","unit":"B","better":"lower","per":"iteration"}]}]
bench sort/Std 5000 "baseline":true
bench sort/Own 6000
bench a/One 3000
bench b/One 4000
bench c/One 2000
bench d/One 1000
diagnose 1048576
"#;

fn latest(place: &Place) -> Value {
    let id = json(&place.ends_with(0, ["runs", "--json"]))["runs"][0]["id"].clone();
    json(&place.read(format!(".tare/runs/{}/run.json", id.as_str().expect("an id"))))
}

#[test]
fn shards_are_merged_into_the_whole() {
    let place = Place::new("merge-shards");
    place.told("child", CHILD);
    let shard = |part: &str, then: &[&str]| {
        let words = ["run", "./child", "--shard", part].into_iter().chain(SHORT).chain(then.iter().copied());
        place.ends_with(0, words);
        latest(&place)
    };
    let names = |run: &Value| -> BTreeSet<String> {
        run["plan"]["cases"]
            .as_array()
            .expect("cases")
            .iter()
            .map(|c| c["key"].as_str().expect("a key").to_owned())
            .collect()
    };
    // The second has a pass of a diagnoser, whose case is at another place in the whole.
    let (first, second) = (shard("1/2", &[]), shard("2/2", &["--diagnose", "memory"]));
    assert!(names(&first).is_disjoint(&names(&second)));
    place.ends_with(0, ["merge", "latest~1", "latest"]);
    let merged = latest(&place);
    assert_eq!(names(&merged), names(&first).union(&names(&second)).cloned().collect());
    // Every launch and every pass keeps its case, and every case its group.
    let owners = |run: &Value, list: &str| -> Vec<(String, Value)> {
        let key = |one: &Value| run["plan"]["cases"][one["case"].as_u64().expect("a case") as usize]["key"].to_string();
        let list = run[list].as_array().cloned().unwrap_or_default();
        list.iter().map(|one| (key(one), one["outcome"].clone())).collect()
    };
    for list in ["launches", "diagnoses"] {
        assert_eq!(owners(&merged, list), [owners(&first, list), owners(&second, list)].concat(), "{list}");
    }
    for launch in merged["launches"].as_array().expect("launches") {
        let group = &merged["plan"]["groups"][launch["group"].as_u64().expect("a group") as usize];
        assert!(group["cases"].as_array().expect("cases").contains(&launch["case"]), "{launch}");
    }
    let baselines = |run: &Value| {
        run["plan"]["groups"].as_array().expect("groups").iter().filter(|g| !g["baseline"].is_null()).count()
    };
    assert_eq!(baselines(&merged), baselines(&first) + baselines(&second));
    // A run of some of the benchmarks adds launches to these.
    place.ends_with(0, ["run", "./child", "-f", "sort/*"].iter().chain(&SHORT));
    place.ends_with(0, ["merge", "latest~1", "latest"]);
    let again = latest(&place);
    assert_eq!(names(&again), names(&merged));
    assert!(again["launches"].as_array().map(Vec::len) > merged["launches"].as_array().map(Vec::len));
}

#[test]
fn runs_that_do_not_fit_are_refused_by_name() {
    let place = Place::new("merge-not");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    place.ends_with(0, ["run", reference(), "--invocations", "50"].iter().chain(&SHORT));
    let other = place.fails_with(2, ["merge", "latest~1", "latest"]);
    assert!(other.contains("the rules of measuring differ"), "{other}");
    assert!(other.contains("hint: compare them instead: `tare compare latest~1 latest`"), "{other}");
    let one = place.fails_with(2, ["merge", "latest"]);
    assert!(one.contains("RUN"), "{one}");
}
