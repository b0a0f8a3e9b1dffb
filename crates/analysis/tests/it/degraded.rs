//! Runs that lack something: columns, launches, cases, everything.

use crate::common::simulate::{run, Plan};
use crate::common::{codes, log_ns, noisy_logs, twelve_launches, RunBuilder};
use crate::measured;
use serde_json::Value;
use tare_analysis::{analyse, NetTime, Outcome, Report};
use tare_model::{Failure, FailureKind, LaunchOutcome, Run, Step};
use tare_stats::noise::Scenario;

/// JSON cannot express NaN: serde writes null, so these fields must never be null.
const NUMBERS: [&str; 14] = [
    "lower",
    "upper",
    "value",
    "value_ns",
    "upper_ns",
    "ratio_value",
    "raw_ns",
    "wall_ns",
    "centre_ns",
    "spread_ns",
    "mean",
    "p",
    "q",
    "certified_margin",
];

fn check_numbers(value: &Value, path: &str) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let here = format!("{path}.{name}");
                assert!(!(field.is_null() && NUMBERS.contains(&name.as_str())), "{here} is not a number");
                check_numbers(field, &here);
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| check_numbers(v, &format!("{path}[{i}]"))),
        _ => {}
    }
}

/// Analyses, and checks that the JSON form has every number, and that the result depends only on the run.
fn checked(run: &Run) -> Report {
    let report = analyse(run);
    let json = serde_json::to_value(&report).expect("a report can be written");
    check_numbers(&json, "report");
    assert_eq!(json, serde_json::to_value(analyse(run)).unwrap(), "the same run gives the same report");
    report
}

#[test]
fn children_without_cpu_time_or_probe() {
    let mut builder = RunBuilder::new();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
    for launch in &mut builder.run.launches {
        let columns = &mut launch.series[0].columns;
        (columns.cpu_ns, columns.waits) = (Vec::new(), Vec::new());
    }
    let report = checked(&builder.run());
    let estimates = measured(&report, 0);
    assert_eq!((estimates.visits.valid, estimates.at_reference_clock), (288, false));
    assert!((estimates.centre_ns - 100.0).abs() < 0.3 && report.findings.is_empty());
}

#[test]
fn a_case_that_failed_does_not_harm_the_others() {
    let mut run = run(&Plan { cases: 3, ..Plan::of(Scenario::Quiet.parameters(), 3) }, |_| 0.0);
    let cause = FailureKind::Signal { signal: 11, name: "SIGSEGV".into() };
    run.results[1].failure = Some(Failure { cause, step: Step::Body, output: Vec::new() });
    let report = checked(&run);
    assert!(matches!(report.cases[1].outcome, Outcome::Failed { .. }));
    assert!(measured(&report, 2).ratio.is_some());
    assert!(report.findings.iter().all(|f| f.case != Some(1)));
}

#[test]
fn unfinished_and_failed_launches_do_not_count() {
    let mut builder = RunBuilder::new();
    let case = builder.case("g", "a", false);
    twelve_launches(&mut builder, case, 100.0, |_, n, _| if n < 2 { 1.0 } else { 0.0 });
    builder.run.launches[0].outcome = LaunchOutcome::Unfinished;
    builder.run.launches[1].outcome = LaunchOutcome::Failed;
    let report = checked(&builder.run());
    let estimates = measured(&report, 0);
    assert_eq!((estimates.launches.len(), estimates.visits.measured), (10, 240));
    assert!((estimates.centre_ns - 100.0).abs() < 0.3);
}

#[test]
fn empty_runs() {
    let report = checked(&RunBuilder::new().run());
    assert!(report.cases.is_empty() && report.findings.is_empty());
    let mut builder = RunBuilder::new();
    builder.case("g", "a", true);
    builder.case("g", "b", false);
    let report = checked(&builder.run());
    assert!(report.cases.iter().all(|c| matches!(c.outcome, Outcome::NotMeasured)) && report.findings.is_empty());
}

#[test]
fn one_launch_has_a_time_and_no_interval() {
    for visits in [1, 3, 24] {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        builder.launch(case, 0, &noisy_logs(log_ns(100.0), visits, 1));
        let report = checked(&builder.run());
        let estimates = measured(&report, 0);
        assert!(matches!(estimates.time, NetTime::Resolved { interval: None, .. }), "{:?}", estimates.time);
        assert!(estimates.raw.is_none());
        assert_eq!(codes(&report.findings), ["few-launches"]);
    }
}

#[test]
fn any_number_of_launches_and_rounds_gives_numbers() {
    for (waves, rounds) in [(1, 1), (1, 4), (2, 5), (3, 24), (9, 12)] {
        let plan = Plan { waves, rounds, cases: 6, ..Plan::of(Scenario::Bad.parameters(), u64::from(waves)) };
        checked(&run(&plan, |at| if at.case == 3 { 0.1 } else { 0.0 }));
    }
}
