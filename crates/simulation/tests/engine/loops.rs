//! A loop that is a visible part of what is timed, as in a language whose calls cost much: ratios are those of the bodies.

use crate::support::{at_least, at_most, traced};
use tare_analysis::{analyse, RatioReport, Verdict};
use tare_model::{Effort, Policy, Run};
use tare_simulation::{Body, Program, Scene};
use tare_stats::noise::Scenario;

/// Cost of the loop beside an invocation, ns, for children that unroll it sixteen times.
const AROUND_NS: f64 = 40.0;
const UNROLL: f64 = 16.0;

fn ratio(seed: u64, policy: Policy, effect: f64) -> Option<RatioReport> {
    let bodies = Body::pair(100.0, effect).into_iter();
    let bodies = bodies.map(|body| Body { turn_ns: AROUND_NS * UNROLL, ..body }).collect();
    let scene = Scene { programs: vec![Program::MANAGED], ..Scene::new(Scenario::Ci, bodies, seed).with(policy) };
    let report = analyse(&traced(&scene).1);
    let contestant = report.cases.iter().find(|case| case.contestant)?;
    contestant.estimates()?.ratio.clone()
}

/// The run of a pair of bodies of a child that has loops of single turns; copies of them are twice as slow.
fn with_single_turns(ns: f64, effect: f64, seed: u64) -> Run {
    let bodies = Body::pair(ns, effect).into_iter().map(|body| Body { copied: 2.0, ..body }).collect();
    let programs = vec![Program { single: true, ..Program::NATIVE }];
    let policy = Policy::of(Effort::Quick);
    traced(&Scene { programs, ..Scene::new(Scenario::Quiet, bodies, seed).with(policy) }).1
}

#[test]
fn a_body_that_is_not_tiny_is_measured_in_single_turns() {
    for seed in 1..5 {
        let run = with_single_turns(100.0, 0.0, seed);
        assert!(run.results.iter().all(|result| !result.unrolled));
        let case = &analyse(&run).cases[0];
        let ns = case.estimates().and_then(|estimates| estimates.time.resolved_ns()).expect("a time");
        assert!((95.0..105.0).contains(&ns), "{ns}");
    }
}

#[test]
fn what_is_compared_has_one_loop() {
    let unrolled = |ns, effect| -> Vec<bool> {
        with_single_turns(ns, effect, 1).results.iter().map(|result| result.unrolled).collect()
    };
    assert_eq!(unrolled(1.0, 0.0), [true, true]);
    assert_eq!(unrolled(3.0, 0.6), [true, true], "3.0 and 4.8 ns");
    assert_eq!(unrolled(5.0, -0.4), [false, false], "5.0 and 3.0 ns");
    assert_eq!(unrolled(1.0, 99.0), [true, false], "two such bodies have little in common");
}

#[test]
#[ignore = "simulation"]
fn ratios_are_those_of_the_bodies() {
    for (name, policy) in [("default", Policy::default()), ("quick", Policy::of(Effort::Quick))] {
        for effect in [0.0, 0.05, 1.0, 14.0] {
            let found: Vec<RatioReport> = (0..1200).filter_map(|seed| ratio(100 + seed, policy, effect)).collect();
            let count = |is: &dyn Fn(&RatioReport) -> bool| found.iter().filter(|ratio| is(ratio)).count();
            let held = count(&|ratio| ratio.interval.contains(1.0 + effect));
            let with_loop = (1.0 + effect) - effect * AROUND_NS / (100.0 + AROUND_NS);
            let as_with_loop = count(&|ratio| ratio.interval.contains(with_loop));
            let of = |verdict| count(&|ratio| ratio.verdict == verdict);
            let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unclear].map(of);
            println!("{name}, {effect}: {held} of {} held, {as_with_loop} as with the loop, {verdicts:?}", found.len());
            assert!(
                found.len() > 30 && held >= at_least(found.len(), 0.93),
                "{name}, {effect}: {held} of {}",
                found.len()
            );
            assert!(effect > 0.0 || verdicts[0] + verdicts[1] <= at_most(found.len(), 0.01), "{name}: {verdicts:?}");
            assert!(effect < 0.1 || verdicts[1] == found.len(), "{name}, {effect}: {verdicts:?}");
        }
    }
}
