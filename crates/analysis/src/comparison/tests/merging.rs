//! Several files as one side.

use super::{case, evidence_of, exact, side};
use crate::comparison::compare_saved;
use crate::saved::{fact, Saved, SavedCase, SavedDesign, SavedOptions, SavedSummary};

fn one_process(name: &str, ns: f64) -> Saved {
    let mut saved = side(name, vec![case("a", vec![vec![ns, ns * 1.01, ns * 0.99]])]);
    saved.machine.insert(fact::CPU.to_owned(), "One".to_owned());
    saved.machine.insert(fact::DATE.to_owned(), name.to_owned());
    saved
}

fn codes(saved: &Saved) -> Vec<&str> {
    saved.findings.iter().map(|f| f.code.name()).collect()
}

#[test]
fn files_of_one_process_are_launches() {
    let parts = (0..5).map(|i| one_process(&format!("run{i}.json"), 100.0 + f64::from(i))).collect();
    let merged = Saved::merge("base", parts).expect("a side");
    assert_eq!((merged.cases[0].design, merged.cases[0].launches.len()), (SavedDesign::Launches, 5));
    assert_eq!((merged.name.as_str(), merged.tool.as_str()), ("base", "some-tool"));
    assert!(merged.findings.is_empty(), "dates may differ: {:?}", merged.findings);
    let comparison = compare_saved(&merged, &merged.clone(), &SavedOptions::default());
    assert!(comparison.rows[0].p.is_some());
}

#[test]
fn the_same_file_twice_is_not_two_launches() {
    let merged = Saved::merge("base", vec![one_process("x", 100.0), one_process("x", 100.0), one_process("y", 101.0)]);
    let merged = merged.expect("a side");
    assert_eq!(merged.cases[0].launches.len(), 2);
    assert_eq!(codes(&merged), ["same-data"]);
}

#[test]
fn the_same_file_of_launches_with_one_value_twice_is_not_more_launches() {
    let file = |times: &[f64]| side("x", vec![case("a", times.iter().map(|&ns| vec![ns]).collect())]);
    let merged = Saved::merge("base", vec![file(&[5.0, 6.0, 7.0]), file(&[8.0, 9.0]), file(&[5.0, 6.0, 7.0])]);
    let merged = merged.expect("a side");
    assert_eq!((merged.cases[0].launches.len(), codes(&merged)), (5, vec!["same-data"]));
    // A single value proves nothing: two processes may well take the same time.
    let merged = Saved::merge("base", vec![file(&[5.0]), file(&[5.0])]).expect("a side");
    assert_eq!((merged.cases[0].launches.len(), codes(&merged)), (2, vec![]));
}

#[test]
fn the_clock_of_a_side_is_known_as_badly_as_that_of_its_worst_file() {
    let part = |ns: f64, clock_variance: f64, clock_away: f64| {
        side("x", vec![SavedCase { clock_variance, clock_away, ..case("a", exact(&[ns, ns + 1.0])) }])
    };
    let merged = Saved::merge("base", vec![part(1.0, 1e-4, 0.1), part(3.0, 4e-4, -0.2)]).expect("a side");
    assert_eq!((merged.cases[0].clock_variance, merged.cases[0].clock_away), (4e-4, -0.2));
}

#[test]
fn a_side_of_several_machines_is_told() {
    let mut other = one_process("y", 101.0);
    other.machine.insert(fact::CPU.to_owned(), "Two".to_owned());
    let merged = Saved::merge("base", vec![one_process("x", 100.0), other]).expect("a side");
    assert_eq!(merged.findings[0].evidence.to_string(), "the files differ in cpu: `One; Two`");
    let comparison = compare_saved(&merged, &one_process("new", 100.0), &SavedOptions::default());
    assert_eq!(evidence_of(&comparison, "mixed-side"), "base: the files differ in cpu: `One; Two`");
}

#[test]
fn summaries_become_launches_of_one_value() {
    let part = |median: f64| {
        let summary = SavedSummary { mean_ns: Some(1.0), median_ns: Some(median), sd_ns: None, values: None };
        side("x", vec![SavedCase { design: SavedDesign::Summary(summary), ..case("a", Vec::new()) }])
    };
    let merged = Saved::merge("base", vec![part(10.0), part(11.0)]).expect("a side");
    assert_eq!(merged.cases[0].launches, [[10.0], [11.0]]);
}

#[test]
fn medians_and_means_do_not_mix() {
    let part = |mean_ns: Option<f64>, median_ns: Option<f64>| {
        let summary = SavedSummary { mean_ns, median_ns, sd_ns: None, values: None };
        side("x", vec![SavedCase { design: SavedDesign::Summary(summary), ..case("a", Vec::new()) }])
    };
    let merged = |parts: &[(Option<f64>, Option<f64>)]| {
        let parts = parts.iter().map(|(mean, median)| part(*mean, *median)).collect();
        Saved::merge("base", parts).expect("a side")
    };
    let means = merged(&[(Some(2.0), Some(1.0)), (Some(3.0), None)]);
    assert_eq!((means.cases[0].launches.concat(), codes(&means)), (vec![2.0, 3.0], vec![]));
    let medians = merged(&[(None, Some(1.0)), (Some(3.0), None), (Some(4.0), Some(1.1))]);
    assert_eq!((medians.cases[0].launches.concat(), codes(&medians)), (vec![1.0, 1.1], vec!["mixed-side"]));
    let comparison = compare_saved(&medians, &means, &SavedOptions::default());
    assert_eq!(evidence_of(&comparison, "other-tool"), "settings differ: statistic `median` and `mean` of `a`");
    let all_values = Saved::merge("new", vec![one_process("x", 100.0), one_process("y", 101.0)]).expect("a side");
    let comparison = compare_saved(&medians, &all_values, &SavedOptions::default());
    assert_eq!(evidence_of(&comparison, "other-tool"), "settings differ: statistic `median` and `mean` of `a`");
    let comparison = compare_saved(&means, &all_values, &SavedOptions::default());
    assert!(comparison.findings.iter().all(|found| found.code.name() != "other-tool"), "{:?}", comparison.findings);
}

#[test]
fn other_units_do_not_mix() {
    let mut other = one_process("y", 101.0);
    other.cases[0].unit = "word".to_owned();
    let merged = Saved::merge("base", vec![one_process("x", 100.0), other]).expect("a side");
    assert_eq!((merged.cases[0].values(), codes(&merged)), (3, vec!["mixed-side"]));
}

#[test]
fn one_file_is_itself_and_none_is_nothing() {
    assert!(Saved::merge("base", Vec::new()).is_none());
    let merged = Saved::merge("base", vec![side("x", vec![case("a", exact(&[1.0, 2.0]))])]).expect("a side");
    assert_eq!((merged.name.as_str(), merged.cases[0].design), ("base", SavedDesign::Launches));
}
