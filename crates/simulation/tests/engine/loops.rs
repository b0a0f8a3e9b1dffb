//! A loop that is a visible part of what is timed, as in a language whose calls cost much: ratios are those of the bodies.

use crate::support::{at_least, at_most, traced};
use tare_analysis::{analyse, RatioReport, Verdict};
use tare_model::{Policy, Profile};
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

#[test]
#[ignore = "simulation"]
fn ratios_are_those_of_the_bodies() {
    for (name, policy) in [("default", Policy::default()), ("quick", Policy::of(Profile::Quick))] {
        for effect in [0.0, 0.05, 1.0, 14.0] {
            let found: Vec<RatioReport> =
                (0..1200).filter_map(|seed| ratio(100 + seed, policy.clone(), effect)).collect();
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
