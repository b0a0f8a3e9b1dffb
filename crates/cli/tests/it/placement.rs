//! Where bodies are measured: `--cpu`, and windows with readings of the width probe in what is kept.

use crate::support::{err, Place, SHORT};

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
        eprintln!("skipped: this system does not name its processors");
        return;
    };
    let place = Place::new("placement");
    place.copy("frontends/cpp/examples", "cpp");
    let number = processor.to_string();
    place.ends_with(0, ["run", "cpp/01-hello.cpp", "--cpu", &number].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["plan"]["policy"]["processor"], processor);
    let launches = run["launches"].as_array().expect("launches");
    assert!(!launches.is_empty() && launches.iter().all(|launch| launch["processor"] == processor), "{launches:?}");
    let width = run["parts"][0]["environment"]["core_width"]["cycles_per_addition"].as_f64();
    assert!(width.is_some_and(|cycles| cycles.is_finite() && cycles > 0.0), "{width:?}");
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
