//! Gates over saved results: what cannot be judged does not pass in silence.

use crate::support::{err, out, reference, Place, ROOT, SHORT};
use std::fs;

/// A place with two runs of the same code, `old.json` and `new.json`.
fn with_results(name: &str) -> Place {
    let place = Place::new(name);
    for (from, to) in [("tare-run-1.json", "old.json"), ("tare-run-2.json", "new.json")] {
        fs::copy(format!("{ROOT}/fixtures/foreign/{from}"), place.join(to)).expect("copied");
    }
    place
}

#[test]
fn a_rule_finer_than_saved_data_allows_is_a_mistake() {
    let place = with_results("fine");
    let output = place.tare(["compare", "old.json", "new.json", "--fail-on", "slower:3%"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("below the threshold of saved data of 5 %"), "{}", err(&output));
    assert!(err(&output).contains("`--threshold 3%`"), "{}", err(&output));
    // A threshold does not make the data finer: what it cannot see is undecided.
    let output = place.tare(["compare", "old.json", "new.json", "--fail-on", "slower:3%", "--threshold", "3%"]);
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("this data can only decide changes of at least"), "{}", err(&output));
    place.ends_with(0, ["compare", "old.json", "new.json", "--fail-on", "slower"]);
    // A filter takes what it takes from a run.
    let some = place.ends_with(0, ["compare", "old.json", "new.json", "--filter", "words/*long"]);
    assert!(some.contains("1 benchmark compared"), "{some}");
}

#[test]
fn a_rule_finer_than_a_run_that_is_taken_up_is_a_mistake() {
    let place = Place::new("fine-resume");
    place.ends_with(0, ["run", reference(), "--filter", "strlen"].iter().chain(&SHORT));
    for verb in ["run", "compare"] {
        let output = place.tare([verb, "--resume", "latest", "--fail-on", "slower:0.1%"]);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains("below the run's minimum effect of 1 %"), "{}", err(&output));
    }
}

#[test]
fn limits_are_judged_on_the_new_side() {
    let place = with_results("limits-of-saved");
    let limit = |text: &str| place.write("tare.toml", &format!("[limits.\"words/*\"]\n{text}\n"));
    limit("time = \"1 s\"");
    place.ends_with(0, ["compare", "old.json", "new.json"]);
    limit("time = \"0.001 ns\"");
    let output = place.tare(["compare", "old.json", "new.json"]);
    assert_eq!(output.status.code(), Some(10), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("words/parse: time <= 0.001 ns: "), "{}", err(&output));
}

#[test]
fn a_contestant_whose_baseline_was_filtered_out_passes_no_gate() {
    let place = Place::new("filtered");
    let run = ["run", reference(), "--filter", "sum/formula*", "--fail-on", "slower"];
    let output = place.tare(run.iter().chain(&SHORT));
    assert_eq!(output.status.code(), Some(11), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("its baseline is not in this run"), "{}", err(&output));
}

#[test]
fn two_baselines_of_one_tree_of_criterion_are_two_sides() {
    let place = Place::new("baselines-of-criterion");
    let tree = "target/criterion/parse";
    for baseline in ["main", "pr"] {
        fs::create_dir_all(place.join(format!("{tree}/{baseline}"))).expect("a folder");
        for file in ["benchmark.json", "sample.json"] {
            let from = format!(
                "{ROOT}/fixtures/foreign/criterion/parse/{}/{file}",
                if baseline == "pr" { "new" } else { "base" }
            );
            fs::copy(from, place.join(format!("{tree}/{baseline}/{file}"))).expect("copied");
        }
    }
    let shown = place.ends_with(0, ["compare", "target/criterion", "--criterion", "main..pr"]);
    assert!(shown.contains("base  main of target/criterion"), "{shown}");
    assert!(
        shown.contains("new   pr of target/criterion") && shown.contains("UNCLEAR  1 benchmark compared"),
        "{shown}"
    );
    let output = place.tare(["compare", "target/criterion", "--criterion", "main.."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("names only one of the two sides"), "{}", err(&output));
}

#[test]
fn two_jobs_of_one_file_are_two_sides() {
    let place = Place::new("jobs");
    let file = "benchmarkdotnet-report-full.json";
    fs::copy(format!("{ROOT}/fixtures/foreign/{file}"), place.join("results.json")).expect("copied");
    let shown = place.ends_with(0, ["compare", "results.json", "--job", "net8..net9", "-v"]);
    assert!(shown.contains("base  net8 of results.json") && shown.contains("new   net9 of results.json"), "{shown}");
    // Its own mean and error: 12.40 ns ± 0.24.
    assert!(shown.contains("12.40") && shown.contains("9.839") && shown.contains("±2.0 %, ±0.8 %"), "{shown}");
    let output = place.tare(["compare", "results.json", "--job", "net7..net9"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).contains("`Runtime=.NET 8.0, LaunchCount=2`, `Runtime=.NET 9.0, LaunchCount=2`"),
        "{}",
        err(&output)
    );
}

/// GitHub refuses a comment of more than 65,536 characters.
#[test]
fn markdown_fits_a_comment_and_begins_with_what_changed() {
    let place = Place::new("comment");
    let row = |at: usize, factor: f64| {
        let time = (20 + at % 7) as f64 * if at % 100 == 99 { factor } else { 1.0 };
        let name = format!("BM_n/{at}");
        serde_json::json!({ "name": name, "run_name": name, "run_type": "iteration", "repetitions": 1, "threads": 1,
            "iterations": 100, "real_time": time, "cpu_time": time, "time_unit": "ns" })
    };
    for (file, factor) in [("old.json", 1.0), ("new.json", 1.3)] {
        let rows: Vec<serde_json::Value> = (0..1500).map(|at| row(at, factor)).collect();
        place.write(file, &serde_json::json!({ "context": {}, "benchmarks": rows }).to_string());
    }
    let written = |more: &[&str]| {
        let words = ["compare", "old.json", "new.json", "--fail-on", "slower", "-o", "r.md"];
        assert_eq!(place.tare(words.iter().chain(more)).status.code(), Some(11));
        place.read("r.md")
    };
    let (text, all) = (written(&[]), written(&["--md-limit", "none"]));
    let length = text.chars().count();
    assert!(length <= 65_536 && length > 60_000 && all.chars().count() > 65_536, "{length}");
    assert!(text.contains("shortened to 65536 characters: ") && text.contains(" more |") && !all.contains("shortened"));
    let listed: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with("**The gate could not decide")).skip(2).take(15).collect();
    assert!(listed.iter().all(|line| line.contains("ratio 1.300")), "the largest changes come first: {listed:#?}");
    let refused = place.fails_with(2, ["compare", "old.json", "new.json", "--md-limit", "ten"]);
    assert!(refused.contains("or `none`"), "{refused}");
}
