//! Bodies of which every nth call is slow: a buffer that is flushed, a table that grows, a log that rolls.

use crate::coverage::luck_only;
use crate::support::{at_least, at_most};
use tare_model::{Effort, Policy};
use tare_simulation::{centre, comparison_in, coverage_in, Body, Scene, WarmUpShape};
use tare_stats::noise::{Bursts, Parameters, Scenario};

/// Calls from one slow one to the next.
const PERIODS: [f64; 9] = [2.0, 3.0, 7.0, 10.0, 16.0, 50.0, 64.0, 100.0, 1000.0];

/// How many of the intervals of so many runs hold the mean over all calls, and how many there are.
fn covered(effort: Effort, mean_ns: f64, every: f64, runs: u64) -> (usize, usize) {
    let noise = luck_only(Scenario::Quiet);
    // What is rare and large would be a part of the mean over calls.
    let noise = Parameters { bursts: Bursts { rate: 0.0, ..noise.bursts }, ..noise };
    let scene = |seed| {
        let bodies = vec![Body::slow_in_turn("b", mean_ns, every)];
        Scene { noise, ..Scene::new(Scenario::Quiet, bodies, seed).with(Policy::of(effort)) }
    };
    let found = coverage_in(scene, Some(centre(noise, 5000)), runs, 4000).expect("runs end");
    println!("{effort:?} {mean_ns:.0e} ns, each {every}: {found:?}");
    (found.long_run, found.intervals)
}

#[test]
fn a_time_holds_the_slow_calls() {
    let (held, intervals) = covered(Effort::Quick, 3.8e6, 10.0, 20);
    assert!(held >= at_least(intervals, 0.93), "{held} of {intervals}");
}

/// For every period up to the number of calls that the visits of a launch make.
#[test]
#[ignore = "simulation"]
fn times_hold_the_mean_over_calls() {
    let longest = [
        (1e3, 1000.0),
        (1e4, 1000.0),
        (5e4, 100.0),
        (2e5, 100.0),
        (1e6, 16.0),
        (3.8e6, 16.0),
        (9.6e6, 7.0),
        (5e7, 3.0),
        (1.2e8, 2.0),
    ];
    for effort in [Effort::Quick, Effort::Default] {
        let mut all = (0, 0);
        for (mean_ns, longest) in longest {
            for every in PERIODS.into_iter().filter(|every| *every <= longest) {
                let (held, intervals) = covered(effort, mean_ns, every, 40);
                assert!(held >= at_least(intervals, 0.9), "{mean_ns} ns, each {every}: {held} of {intervals}");
                all = (all.0 + held, all.1 + intervals);
            }
        }
        println!("{effort:?}: {all:?}");
        assert!(all.0 >= at_least(all.1, 0.93), "{effort:?}: {all:?}");
    }
}

/// The slow calls of two equal bodies fall on other visits where one of them warms up for longer.
#[test]
#[ignore = "simulation"]
fn equal_bodies_are_not_slower_or_faster_for_the_calls_before_their_visits() {
    let (mut runs, mut alarms) = (0, 0);
    for policy in [Policy::of(Effort::Quick), Policy::of(Effort::Default), Policy::comparison(Effort::Quick)] {
        for mean_ns in [1e4, 2e5, 3.8e6] {
            for every in [2.0, 7.0, 16.0, 50.0] {
                let scene = |seed| {
                    let side = |name: &str, warm_up| Body {
                        group: "g".to_owned(),
                        baseline: name == "base",
                        warm_up,
                        ..Body::slow_in_turn(name, mean_ns, every)
                    };
                    let late = WarmUpShape::Steps(vec![(4e6, 2.0)]);
                    let bodies = vec![side("base", WarmUpShape::None), side("new", late)];
                    let scene = Scene::new(Scenario::Quiet, bodies, seed).with(policy);
                    Scene { builds: policy.width == 4, ..scene }
                };
                let found = comparison_in(scene, 0.0, 40, 6000).expect("runs end");
                println!("{:?} width {} {mean_ns:.0e} ns, each {every}: {found:?}", policy.effort, policy.width);
                runs += found.runs;
                alarms += found.slower + found.faster;
            }
        }
    }
    assert!(alarms <= at_most(runs, 0.01), "{alarms} of {runs}");
}
