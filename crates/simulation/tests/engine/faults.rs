//! A failure ends its case and touches no other.

use crate::support::{check_laws, traced};
use tare_model::{FailureKind, LaunchOutcome, Stage};
use tare_simulation::{Body, Fault, FaultAt, Scene};
use tare_stats::noise::Scenario;

fn three(fault: Option<Fault>) -> Scene {
    let mut bodies = Body::pair(200.0, 0.0);
    bodies.push(Body { group: "pair".to_owned(), ..Body::of("third", 300.0) });
    bodies.push(Body::of("apart", 100.0));
    bodies[1].faults.extend(fault);
    Scene::new(Scenario::Quiet, bodies, 11)
}

/// Some places, each of one child.
#[test]
fn a_failure_anywhere_ends_its_case_and_no_other() {
    failures_end_their_case((0..28).step_by(2), |place| &[0, 1, 5, 11][place % 4..=place % 4]);
}

#[test]
#[ignore = "every place of every child"]
fn a_failure_anywhere_of_any_child_ends_its_case_and_no_other() {
    failures_end_their_case(0..45, |_| &[0, 1, 5, 11]);
}

fn failures_end_their_case(requests: impl Iterator<Item = usize>, children: impl Fn(usize) -> &'static [u32]) {
    let kinds = [
        FailureKind::Protocol { reason: "R7".to_owned(), request: None, front_end: None },
        FailureKind::Signal { signal: 11, name: "SIGSEGV".to_owned() },
        FailureKind::Timeout { seconds: 60.0 },
    ];
    let requests = requests.map(|number| FaultAt::Request(number as u32));
    for (index, at) in [FaultAt::Start, FaultAt::End].into_iter().chain(requests).enumerate() {
        for &child in children(index) {
            let kind = kinds[index % kinds.len()].clone();
            let (trace, run, _) = traced(&three(Some(Fault { child, at, kind: kind.clone() })));
            check_laws(&trace, &run);
            let other: Vec<_> = [0, 2, 3].map(|case: usize| &run.results[case]).to_vec();
            assert!(other.iter().all(|r| r.complete && r.failure.is_none()), "{at:?} of child {child}");
            let reached = !matches!(at, FaultAt::Request(n) if n > 24);
            assert!(!reached || run.results[1].failure.as_ref().is_some_and(|f| f.cause == kind), "{at:?}");
            for case in [0, 2, 3] {
                let of_case: Vec<_> = run.launches.iter().filter(|l| l.case == case).collect();
                assert_eq!(of_case.len(), 12);
                for launch in of_case {
                    assert_eq!(launch.outcome, LaunchOutcome::Finished);
                    let visits: usize =
                        launch.series.iter().filter(|s| s.stage == Stage::Actual).map(|s| s.round.len()).sum();
                    assert!(visits >= 24);
                }
            }
        }
    }
}

#[test]
fn nothing_is_asked_after_all_have_failed() {
    let mut scene = three(None);
    for body in &mut scene.bodies {
        // The third child is the first of those that are measured again alone.
        let fails = |child| Fault { child, at: FaultAt::Start, kind: FailureKind::EarlyExit { status: 1 } };
        body.faults = vec![fails(1), fails(2)];
    }
    let (trace, run, _) = traced(&scene);
    check_laws(&trace, &run);
    assert!(run.results.iter().all(|r| r.failure.is_some()));
    let waves = |group: u32| run.launches.iter().filter(|l| l.group == group).map(|l| l.wave).max();
    assert_eq!((waves(0), waves(1)), (Some(0), Some(1)), "no wave after the second child of each case");
}

/// Two processes that need the same thing for themselves: the case is measured again, one process at a time, and no other is.
#[test]
fn what_fails_beside_other_processes_is_measured_again_alone() {
    let taken = |child| Fault { child, at: FaultAt::Start, kind: FailureKind::EarlyExit { status: 98 } };
    for child in [0, 1, 5] {
        let (trace, run, _) = traced(&three(Some(taken(child))));
        check_laws(&trace, &run);
        run.validate().expect("a whole run");
        assert!(run.results.iter().all(|r| r.complete && r.failure.is_none()), "child {child}");
        let alone = run.results[1].repeated.as_ref().expect("it was taken out of its group");
        assert_eq!((alone.group as usize, run.planned_groups(), run.plan.groups.len()), (2, 2, 3));
        let again: Vec<_> = run.launches.iter().filter(|l| l.group == 2).collect();
        assert!(again.len() == 12 && again.iter().all(|l| l.case == 1 && l.outcome == LaunchOutcome::Finished));
        assert_eq!((0..12).collect::<Vec<u32>>(), again.iter().map(|l| l.wave).collect::<Vec<_>>(), "one at a time");
        let failed: Vec<_> = run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Failed).collect();
        assert!(failed.len() == 1 && failed[0].case == 1);
        assert!([0, 2, 3].iter().all(|case| run.launches.iter().filter(|l| l.case == *case).count() == 12));
    }
    // One that fails alone too has failed, with what it said then.
    let mut scene = three(Some(taken(1)));
    scene.bodies[1].faults.push(taken(4));
    let (trace, run, _) = traced(&scene);
    check_laws(&trace, &run);
    assert!(run.results[1].repeated.is_some() && run.results[1].failure.is_some());
    // A case that ran by itself is not run again.
    let mut scene = three(None);
    scene.bodies[3].faults.push(taken(1));
    let (_, run, _) = traced(&scene);
    assert!(run.results[3].repeated.is_none() && run.results[3].failure.is_some());
}

/// A clock that stands, or runs wild, or says one thing whatever is done: a named failure or a number, soon, and the others go on.
#[test]
fn a_clock_that_cannot_be_believed_ends_its_case() {
    for (index, set_up_ns) in [None, Some(500.0)].into_iter().enumerate() {
        for (turn, says_ns) in [0.0, 1e-9, 1.0, 1e12, 1e300, f64::MAX].into_iter().enumerate() {
            let true_ns = [1.0, 1e3, 1e7][(index + turn) % 3];
            let frozen = Body { says_ns: Some(says_ns), set_up_ns, ..Body::of("frozen", true_ns) };
            let scene = Scene::new(Scenario::Quiet, vec![frozen, Body::of("other", 50.0)], 3);
            let (trace, run, world) = traced(&scene);
            check_laws(&trace, &run);
            let cause = run.results[0].failure.as_ref().map(|f| &f.cause);
            let what = format!("{says_ns} ns of {true_ns} ns, set-up {set_up_ns:?}: {cause:?}");
            let stands_in_set_up = set_up_ns.is_some() && says_ns <= 1.0;
            assert!(stands_in_set_up || matches!(cause, Some(FailureKind::Clock { .. })), "{what}");
            assert!(run.results[1].complete, "{what}");
            assert!(world.now_s() < 60.0, "{what}: {} s", world.now_s());
        }
    }
}

#[test]
fn a_clock_that_stands_from_the_first_visit_on_is_named() {
    let frozen = Body { says_ns: Some(0.0), set_up_ns: Some(500.0), ..Body::of("frozen", 1e3) };
    let (_, run, _) = traced(&Scene::new(Scenario::Quiet, vec![frozen], 3));
    let cause = run.results[0].failure.as_ref().map(|f| f.cause.clone());
    assert!(matches!(cause, Some(FailureKind::Clock { said_ns: 0.0, .. })), "{cause:?}");
}
