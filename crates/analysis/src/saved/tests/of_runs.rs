//! A run of Tare as a side.

use crate::report::Verdict;
use crate::saved::{compare_saved, fact, Saved, SavedDesign, SavedOptions};
use tare_model::Run;

fn run(text: &str) -> Run {
    serde_json::from_str(text).expect("a run")
}

fn first() -> Run {
    run(include_str!("../../../../../fixtures/foreign/tare-run-1.json"))
}

fn second() -> Run {
    run(include_str!("../../../../../fixtures/foreign/tare-run-2.json"))
}

#[test]
fn the_values_are_those_that_the_run_shows() {
    let saved = Saved::from_run(&first());
    let report = crate::analyse(&first());
    for (case, reported) in saved.cases.iter().zip(&report.cases) {
        let crate::Outcome::Measured(estimates) = &reported.outcome else { panic!("measured") };
        assert_eq!((&case.key, case.design), (&reported.key, SavedDesign::Launches));
        assert_eq!(case.launches.len(), estimates.launches.len());
        for (values, launch) in case.launches.iter().zip(&estimates.launches) {
            let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
            let value = crate::times::centre(&logs).expect("visits").exp();
            assert!((value / launch.raw_ns - 1.0).abs() < 1e-9);
        }
    }
    assert_eq!(saved.machine[fact::CLOCK], "reference, 4.002 GHz");
    assert_eq!(saved.cases[0].reference_cycle_ns, Some(0.249847412109375));
}

#[test]
fn two_runs_of_the_same_code_are_the_same() {
    let (base, new) = (Saved::from_run(&first()), Saved::from_run(&second()));
    let comparison = compare_saved(&base, &new, &SavedOptions::default());
    assert_eq!(comparison.rows.iter().map(|r| r.verdict).collect::<Vec<_>>(), [Verdict::Same; 2]);
    assert!(comparison.rows[0].base_ns.is_some_and(|ns| (7.4..7.5).contains(&ns)), "without the loop");
    assert!(comparison.findings.is_empty(), "{:?}", comparison.findings);
}

#[test]
fn a_run_at_the_wall_clock_is_not_at_the_reference() {
    let mut wall = second();
    wall.plan.policy.clocking = tare_model::Clocking::Wall;
    let comparison = compare_saved(&Saved::from_run(&first()), &Saved::from_run(&wall), &SavedOptions::default());
    assert!(comparison.rows.iter().all(|r| r.verdict == Verdict::Unclear && r.certified_margin.is_none()));
    assert!(comparison.findings.iter().any(|f| f.code == "other-clock"));
}
