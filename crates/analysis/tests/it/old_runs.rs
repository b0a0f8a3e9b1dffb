//! Runs from before schema 2.1, when the seed of a launch included its layout and its pair.

use crate::common::simulate::{run, Plan};
use tare_analysis::{analyse, Report};
use tare_model::{Draw, Run};
use tare_stats::noise::Scenario;

/// Two programs with nine layouts, compared over eight waves of four pairs; the seed also includes what a pair shares.
fn compared() -> Run {
    let plan = Plan { cases: 2, waves: 8, ..Plan::of(Scenario::Bad.parameters(), 5) };
    let mut run = run(&plan, |at| 0.02 * f64::from(at.case) + 0.01 * f64::from(at.child % 3));
    run.artifacts[0].layouts = (0..9).map(|layout| layout.to_string()).collect();
    let mut of_case = [0_u32; 2];
    for launch in &mut run.launches {
        let number = &mut of_case[launch.case as usize];
        let seed = u64::from(*number) << 32 | 77 | 1;
        launch.draw = Draw { layout: *number, pair: Some(u64::from(*number)), seed };
        *number += 1;
    }
    run
}

/// The same run as read without these fields of its launches.
fn without(run: &Run, fields: &[&str]) -> Run {
    let mut stored = serde_json::to_value(run).expect("JSON");
    for launch in stored["launches"].as_array_mut().expect("launches") {
        let launch = launch.as_object_mut().expect("a launch");
        fields.iter().for_each(|field| drop(launch.remove(*field).expect("a field")));
    }
    serde_json::from_value(stored).expect("a run")
}

#[test]
fn an_old_run_says_what_it_said() {
    let run = compared();
    let said = |report: Report| serde_json::to_value(report).expect("JSON");
    let expected = said(analyse(&run));
    assert_eq!(said(analyse(&without(&run, &["layout", "pair"]))), expected);
    // Without its pairs the result would differ.
    assert_ne!(said(analyse(&without(&run, &["pair"]))), expected);
}
