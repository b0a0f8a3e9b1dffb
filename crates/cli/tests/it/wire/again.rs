//! A stored run is measured again by its name, all of it or what it left undecided.

use crate::support::{err, out, Place};

#[test]
fn a_run_is_measured_again_by_its_name() {
    let place = Place::new("again");
    place.told("three", "bench a/x 10\nbench b/x 10\nbench c/x 10\n");
    // Two launches are too few for an interval: a warning about each of the benchmarks.
    let run = ["run", "./three", "--quick", "--launches", "2", "--rounds", "5", "-o", "first.md"];
    let first = place.ends_with(0, run);
    let id = place.run_json()["id"].as_str().expect("an id").to_owned();
    let said = first.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("tare run --again {id} --unclear --launches 12")), "{first}");
    std::fs::remove_file(place.join("first.md")).expect("removed");
    let words = ["run", "--again", &id, "--unclear", "--launches", "3", "-q"];
    place.ends_with(0, words);
    assert!(!place.join("first.md").exists(), "what the first one wrote is not written again");
    // The new run has a command that needs no other run.
    let stored = place.ends_with(0, ["show", "latest", "--format", "json"]);
    assert!(!stored.contains("--again"), "{stored}");
    let latest = place
        .runs()
        .into_iter()
        .map(|folder| place.read(folder.join("run.json")))
        .find(|run| !run.contains(&format!("\"id\":\"{id}\"")));
    let latest: serde_json::Value = serde_json::from_str(&latest.expect("a second run")).expect("JSON");
    let command: Vec<&str> =
        latest["command"].as_array().expect("words").iter().filter_map(|word| word.as_str()).collect();
    assert!(command.starts_with(&["tare", "run", "./three", "--filter", "a/x"]), "{command:?}");
    assert!(command.ends_with(&["--launches", "3", "--quiet"]) && !command.contains(&"--quick"), "{command:?}");
    for (words, said) in [
        (vec!["compare", "--again", &id], format!("`tare run --again {id}`")),
        (vec!["run", "--again", "ffffffff"], "ffffffff".to_owned()),
        (vec!["run", "--unclear"], "--again".to_owned()),
    ] {
        let failed = place.tare(&words);
        assert!(
            failed.status.code() == Some(2) && err(&failed).contains(&said),
            "{words:?}: {}{}",
            out(&failed),
            err(&failed)
        );
    }
}
