//! Planted effects are found on a noisy machine: the power of the rules that look at values.

use crate::common::simulate::{run, At, Plan};
use tare_stats::noise::Scenario;

/// Share of 40 runs in which `code` is found for the second of two cases, which has the planted effect.
fn power(scenario: Scenario, code: &str, change: impl Fn(Plan) -> Plan, plant: impl Fn(At) -> f64) -> f64 {
    let runs = 40;
    let found = (0..runs).filter(|&seed| {
        let plan = change(Plan::of(scenario.parameters(), 7000 + seed));
        let planted = run(&plan, |at| if at.case == 1 { plant(at) } else { 0.0 });
        tare_analysis::analyse(&planted).findings.iter().any(|f| f.code.name() == code && f.case == Some(1))
    });
    let share = found.count() as f64 / runs as f64;
    println!("{scenario:?} {code}: {share}");
    share
}

#[test]
fn two_speeds_of_launches() {
    let slow = |at: At| if at.luck < 0.33 { 0.12 } else { 0.0 };
    assert!(power(Scenario::Quiet, "two-modes", |p| p, slow) >= 0.85);
    assert!(power(Scenario::Ci, "two-modes", |p| p, slow) >= 0.8);
    let long = |p| Plan { waves: 8, ..p };
    assert!(power(Scenario::Ci, "two-modes", long, |at| if at.luck < 0.33 { 0.10 } else { 0.0 }) >= 0.9);
}

#[test]
fn two_speeds_of_visits() {
    let switching = |at: At| if at.visit_luck < 0.3 { 0.10 } else { 0.0 };
    assert!(power(Scenario::Quiet, "two-modes", |p| p, switching) >= 0.9);
    assert!(power(Scenario::Ci, "two-modes", |p| p, |at| if at.visit_luck < 0.3 { 0.2 } else { 0.0 }) >= 0.8);
}

#[test]
fn launches_with_luck() {
    let lucky = |at: At| 0.14 * (at.luck - 0.5);
    assert!(power(Scenario::Quiet, "launches-disagree", |p| p, lucky) >= 0.9);
    assert!(power(Scenario::Bad, "launches-disagree", |p| p, lucky) >= 0.8);
}

#[test]
fn work_that_grows() {
    let growing = |at: At| 0.003 * f64::from(at.round);
    assert!(power(Scenario::Quiet, "drift", |p| p, growing) >= 0.95);
    assert!(power(Scenario::Ci, "drift", |p| p, growing) >= 0.8);
    let session = |at: At| 0.13 * f64::from(at.wave);
    assert!(power(Scenario::Ci, "drift", |p| p, session) >= 0.9);
    let long = |p| Plan { waves: 8, pause_s: 2.0, ..p };
    assert!(power(Scenario::Ci, "drift", long, |at| 0.04 * f64::from(at.wave)) >= 0.9);
}

#[test]
fn a_tail() {
    let tail = |at: At| if at.visit_luck < 0.15 { 0.3 + 4.0 * at.visit_luck } else { 0.0 };
    assert!(power(Scenario::Quiet, "heavy-tail", |p| p, tail) >= 0.9);
    assert!(power(Scenario::Ci, "heavy-tail", |p| p, tail) >= 0.9);
}
