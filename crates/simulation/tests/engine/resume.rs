//! A run that is cut off at any event goes on, loses nothing, and mixes nothing.

use crate::support::{random_scene, traced};
use tare_engine::{Engine, Resumption};
use tare_model::{fold, Effort, Environment, Event, Launch, LaunchOutcome, Policy, Run, RunStatus, Stage};
use tare_simulation::{actions_max, drive, Body, Scene, Trace, World};
use tare_stats::noise::Scenario;
use tare_stats::rng::Rng;

/// Another machine, some time later.
fn later() -> Resumption {
    let environment = Environment { cpu: "another".to_owned(), ..Environment::default() };
    Resumption { at: "later".to_owned(), environment: Box::new(environment) }
}

/// The run as it was after `cut` events, and as it is after going on.
fn cut_and_go_on(scene: &Scene, events: &[Event], cut: usize) -> (Run, Run) {
    let before = fold(&events[..cut]).expect("a beginning folds");
    let mut engine = Engine::resume(before.clone(), scene.processors, later());
    let mut world = World::new(scene, before.plan.clone());
    world.kill_all();
    let mut trace = Trace::default();
    drive(&mut engine, &mut world, actions_max(&before.plan), &mut trace)
        .unwrap_or_else(|e| panic!("cut at {cut}: {e}"));
    let mut all = events[..cut].to_vec();
    all.extend(trace.events);
    let after = fold(&all).expect("both parts fold");
    assert_eq!(&after, engine.run());
    (before, after)
}

fn nothing_is_lost(before: &Run, after: &Run) {
    assert_eq!(after.status, RunStatus::Finished);
    for (old, new) in before.launches.iter().zip(&after.launches) {
        assert_eq!((old.id, old.case, old.draw, &old.series), (new.id, new.case, new.draw, &new.series));
    }
    // The new part has its own environment, and what was made in it says so.
    let parts: Vec<&str> = after.parts.iter().map(|part| part.environment.cpu.as_str()).collect();
    assert_eq!((parts[0], parts[parts.len() - 1], parts.len()), ("", "another", before.parts.len() + 1));
    let elapsed_s: f64 = after.parts.iter().map(|part| part.elapsed_s).sum();
    assert!((elapsed_s - after.elapsed_s).abs() < 1e-6 * after.elapsed_s, "{elapsed_s}");
    for launch in &after.launches {
        let is_new = launch.id as usize >= before.launches.len();
        assert_eq!(is_new, launch.part as usize == after.parts.len() - 1, "launch {}", launch.id);
    }
    for (case, result) in after.results.iter().enumerate() {
        let unreached = after.plan.policy.budget_s.is_some() && !result.complete && result.failure.is_none();
        assert!(unreached || result.complete != result.failure.is_some(), "case {case}");
        let was = before.results[case].failure.as_ref();
        assert!(was.is_none() || was == result.failure.as_ref(), "a failure stays");
    }
}

fn scene(seed: u64) -> Scene {
    let mut bodies = Body::pair(100.0, 0.01);
    bodies.push(Body::of("apart", 30.0));
    Scene::new(Scenario::Ci, bodies, seed)
}

#[test]
fn a_run_that_is_cut_anywhere_goes_on() {
    for seed in 0..4 {
        let scene = if seed % 3 == 0 { scene(seed) } else { random_scene(seed) };
        let (trace, ..) = traced(&scene);
        let cut = 1 + Rng::new(seed).below(trace.events.len() as u64 - 1) as usize;
        let (before, after) = cut_and_go_on(&scene, &trace.events, cut);
        nothing_is_lost(&before, &after);
    }
}

#[test]
fn every_group_has_all_its_waves_in_the_end() {
    let scene = scene(5);
    let (trace, ..) = traced(&scene);
    for cut in (1..trace.events.len()).step_by(131) {
        let (_, after) = cut_and_go_on(&scene, &trace.events, cut);
        for (group, members) in after.plan.groups.iter().enumerate() {
            let (width, (_, waves)) = (after.plan.policy.width_of(members), after.plan.policy.waves_of(members));
            for wave in 0..waves {
                for &case in &members.cases {
                    let of = |l: &&tare_model::Launch| l.group as usize == group && l.wave == wave && l.case == case;
                    let finished = after.launches.iter().filter(of).filter(|l| l.outcome == LaunchOutcome::Finished);
                    assert!(finished.count() >= width as usize, "cut at {cut}: group {group} wave {wave} case {case}");
                }
            }
        }
    }
}

/// Contestants are compared round by round: a launch of another try of the wave was measured at another time.
#[test]
fn no_wave_holds_launches_of_two_tries() {
    let scene = scene(5);
    let (trace, ..) = traced(&scene);
    let ends: Vec<usize> = (0..trace.events.len())
        .filter(|&i| matches!(trace.events[i], Event::LaunchFinished { .. }))
        .map(|i| i + 1)
        .collect();
    for cut in ends.into_iter().step_by(3) {
        let (_, after) = cut_and_go_on(&scene, &trace.events, cut);
        for launch in after.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished) {
            let beside = after.launches.iter().filter(|l| {
                (l.group, l.wave, l.case) == (launch.group, launch.wave, launch.case)
                    && l.outcome == LaunchOutcome::Finished
            });
            let width = after.plan.policy.width_of(&after.plan.groups[launch.group as usize]);
            assert_eq!(beside.count(), width as usize, "cut at {cut}");
        }
    }
}

#[test]
fn what_was_settled_is_not_measured_again() {
    let scene = Scene::new(Scenario::Quiet, Body::pair(100.0, 0.0), 9).with(Policy::of(Effort::Long));
    let (trace, whole, _) = traced(&scene);
    assert!(whole.launches.iter().all(|l| l.wave + 1 < whole.plan.policy.waves_max), "it settles early");
    let (before, after) = cut_and_go_on(&scene, &trace.events, trace.events.len());
    assert_eq!(before.launches.len(), after.launches.len());
    let cut = trace.events.iter().rposition(|e| matches!(e, Event::LaunchFinished { .. })).expect("launches") + 1;
    let (before, after) = cut_and_go_on(&scene, &trace.events, cut);
    assert_eq!(before.launches.len(), after.launches.len());
}

#[test]
fn a_run_can_be_cut_twice() {
    let scene = scene(8);
    let (trace, ..) = traced(&scene);
    let third = trace.events.len() / 3;
    let (_, once) = cut_and_go_on(&scene, &trace.events, third);
    let mut engine = Engine::resume(fold(&trace.events[..third]).expect("folds"), 2, later());
    let mut world = World::new(&scene, once.plan.clone());
    world.kill_all();
    let mut second = Trace::default();
    drive(&mut engine, &mut world, actions_max(&once.plan), &mut second).expect("ends");
    let mut events = trace.events[..third].to_vec();
    events.extend_from_slice(&second.events[..second.events.len() / 2]);
    let cut = events.len();
    let (before, after) = cut_and_go_on(&scene, &events, cut);
    nothing_is_lost(&before, &after);
    let measured = |run: &Run| run.launches.iter().flat_map(|l| &l.series).filter(|s| s.stage == Stage::Actual).count();
    assert!(measured(&after) >= measured(&once));
}

/// A killed part left no duration: what it measured shows how long it ran at least.
#[test]
fn the_time_before_counts_for_the_budget() {
    let bodies = (0..8).map(|i| Body::of(&format!("b{i}"), 50.0)).collect();
    let policy = Policy { budget_s: Some(0.5), ..Policy::default() };
    let scene = Scene::new(Scenario::Quiet, bodies, 4).with(policy);
    let (trace, whole, _) = traced(&scene);
    let wave_s = 0.1;
    assert!(whole.elapsed_s < 0.5 + wave_s);
    for share in [0.3, 0.6, 0.9] {
        let (before, after) = cut_and_go_on(&scene, &trace.events, (trace.events.len() as f64 * share) as usize);
        assert!(before.elapsed_s == 0.0 && after.elapsed_s > 0.8 * 0.5, "{} s", after.elapsed_s);
        let (first, second) = (before.launches.len(), after.launches.len() - before.launches.len());
        let launches = whole.launches.len() as f64;
        assert!(((first + second) as f64) < 1.4 * launches, "{share}: {first} and {second} of {launches}");
        let starts: Vec<f64> = after.launches.iter().map(|l| l.start_ns).collect();
        assert!(starts.is_sorted(), "one time for all parts");
    }
    // All is spent: what was measured stays, and nothing is added.
    let (before, after) = cut_and_go_on(&scene, &trace.events, trace.events.len());
    assert_eq!((before.launches.len(), before.elapsed_s > 0.8 * 0.5), (after.launches.len(), true));
}

/// The run of one comparison, 10,000 times over; without measurements, so that nothing but the bookkeeping takes time.
/// What is quadratic in the groups takes minutes.
#[test]
#[ignore = "a large run"]
fn a_large_run_is_resumed() {
    const GROUPS: u32 = 10_000;
    let scene =
        Scene::new(Scenario::Quiet, Body::pair(100.0, 0.0), 9).with(Policy { waves_min: 1, ..Policy::default() });
    let (trace, one, _) = traced(&scene);
    let template = one.launches.iter().find(|l| l.outcome == LaunchOutcome::Finished).expect("launches");
    let mut run = fold(&trace.events[..1]).expect("a start");
    let (cases, results) = (run.plan.cases.clone(), run.results.clone());
    run.plan.groups = vec![run.plan.groups[0].clone(); GROUPS as usize];
    for (number, group) in (0..).zip(&mut run.plan.groups) {
        group.cases = vec![2 * number, 2 * number + 1];
        group.baseline = Some(2 * number);
    }
    run.plan.cases = cases.iter().cycle().take(2 * GROUPS as usize).cloned().collect();
    run.results = results.iter().cycle().take(2 * GROUPS as usize).cloned().collect();
    for number in 0..12 * GROUPS {
        // The second wave of every other group was cut off.
        let (group, wave, case) = (number / 12, number / 6 % 2, number % 2);
        let cut = wave == 1 && group % 2 == 0 && case == 1;
        let outcome = if cut { LaunchOutcome::Unfinished } else { LaunchOutcome::Finished };
        let start_ns = f64::from(number / 6);
        let case = 2 * group + case;
        run.launches.push(Launch {
            id: number,
            case,
            group,
            wave,
            start_ns,
            outcome,
            series: Vec::new(),
            ..template.clone()
        });
    }
    let mut engine = Engine::resume(run, 2, later());
    let cut = engine.take_events().into_iter().filter(|e| matches!(e, Event::LaunchFinished { .. })).count();
    assert_eq!(cut, 3 * GROUPS as usize / 2, "those beside the launches that were cut off");
}
