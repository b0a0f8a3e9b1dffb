//! Random scenes and the laws that every run obeys.

use tare_engine::{Action, Engine};
use tare_model::{Effort, Event, FailureKind, LaunchOutcome, Policy, Run, Stage};
use tare_simulation::{actions_max, drive, Body, Fault, FaultAt, Program, Scene, Trace, WarmUpShape, World};
use tare_stats::noise::Scenario;
use tare_stats::rng::Rng;

/// Drives a scene to its end and returns what happened, the run and the machine.
pub fn traced(scene: &Scene) -> (Trace, Run, World) {
    traced_from(scene, scene.started())
}

/// The same from a start that differs from the scene's own.
pub fn traced_from(scene: &Scene, started: Event) -> (Trace, Run, World) {
    let mut engine = Engine::new(started, scene.processors).expect("the scene starts");
    let plan = engine.run().plan.clone();
    let mut world = World::new(scene, plan.clone());
    let mut trace = Trace::default();
    drive(&mut engine, &mut world, actions_max(&plan), &mut trace).unwrap_or_else(|e| panic!("{e}: {scene:?}"));
    (trace, engine.run().clone(), world)
}

pub fn pick<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.below(of.len() as u64) as usize].clone()
}

/// A scene of up to five bodies with everything that can happen to one.
pub fn random_scene(seed: u64) -> Scene {
    let mut rng = Rng::new(seed).fork(17);
    let managed = if seed % 2 == 0 { Program::MANAGED } else { Program::BY_CLOCK };
    let programs = vec![Program::NATIVE, managed, Program { cpu: false, ..Program::NATIVE }];
    let bodies: Vec<Body> = (0..1 + rng.below(5)).map(|index| random_body(index, &mut rng)).collect();
    let scenario = pick(&mut rng, &[Scenario::Quiet, Scenario::Ci, Scenario::Bad]);
    let width = 1 + rng.below(5) as u32;
    let policy = Policy {
        width,
        usual_launches: width == Policy::default().width,
        budget_s: pick(&mut rng, &[None, None, None, Some(0.5)]),
        keep_order: rng.uniform() < 0.2,
        warmup_ns: pick(&mut rng, &[None, None, None, Some(0.0), Some(2e6)]),
        ..Policy::of(pick(&mut rng, &[Effort::Quick, Effort::Default, Effort::Default, Effort::Long]))
    };
    let processors = 1 + rng.below(8) as usize;
    Scene { programs, processors, ..Scene::new(scenario, bodies, seed).with(policy) }
}

fn random_body(index: u64, rng: &mut Rng) -> Body {
    let shapes = [
        WarmUpShape::None,
        WarmUpShape::Decay { amount: 3.0, tau_ns: 5e6 },
        WarmUpShape::Steps(vec![(2e6, 10.0), (9e6, 2.0)]),
        WarmUpShape::Cached(3e6),
    ];
    let faulty = rng.uniform() < 0.25;
    let fault = Fault {
        child: rng.below(12) as u32,
        at: pick(rng, &[FaultAt::Start, FaultAt::End, FaultAt::Request(rng.clone().below(60) as u32)]),
        kind: FailureKind::EarlyExit { status: 3 },
    };
    let true_ns = (rng.uniform() * 17.0 - 1.0).exp();
    let set_up_ns = pick(rng, &[None, None, None, Some(500.0)]);
    Body {
        group: pick(rng, &[String::new(), "g".to_owned(), "g".to_owned(), "h".to_owned()]),
        baseline: rng.uniform() < 0.4,
        program: pick(rng, &[0, 0, 0, 1, 2]),
        set_up_ns,
        warm_up: pick(rng, &shapes),
        sleep_ns: pick(rng, &[0.0, 0.0, 0.0, 1e5]),
        leak_bytes: pick(rng, &[0.0, 0.0, 0.0, 0.0, 3.0]),
        compiles_until_ns: pick(rng, &[0.0, 0.0, 1e7]),
        follows_clock: pick(rng, &[1.0, 1.0, 0.3]),
        faults: faulty.then_some(fault).into_iter().collect(),
        ..Body::of(&format!("b{index}"), if set_up_ns.is_some() { 2e4 + true_ns } else { true_ns })
    }
}

/// The laws of every run that was driven to its end.
pub fn check_laws(trace: &Trace, run: &Run) {
    assert_eq!(*run, tare_model::fold(&trace.events).expect("events fold"), "a run is the fold of its events");
    for id in 0..run.launches.len() as u32 {
        let finished = |e: &&Event| matches!(e, Event::LaunchFinished { launch, .. } if *launch == id);
        assert_eq!(trace.events.iter().filter(finished).count(), 1, "launch {id} ends once");
    }
    for (case, result) in run.results.iter().enumerate() {
        let budget = run.plan.policy.budget_s.is_some();
        let of_case = |l: &&tare_model::Launch| l.case as usize == case && l.outcome == LaunchOutcome::Finished;
        let unreached = budget && !result.complete && result.failure.is_none();
        assert!(!unreached || run.launches.iter().find(of_case).is_none(), "case {case} is measured and not complete");
        assert!(unreached || result.complete != result.failure.is_some(), "case {case} is complete or failed");
        let ends = |e: &&Event| match e {
            Event::CaseFinished { case: c } | Event::CaseFailed { case: c, .. } => *c as usize == case,
            _ => false,
        };
        let expected = usize::from(!unreached);
        assert_eq!(trace.events.iter().filter(ends).count(), expected, "case {case} ends once");
        if result.complete && run.plan.policy.budget_s.is_none() {
            let of_case = || run.launches.iter().filter(|l| l.case as usize == case);
            let waves = 1 + of_case().map(|l| l.wave).max().unwrap_or(0);
            let group = of_case().map(|l| l.group).max().unwrap_or(0);
            let members = &run.plan.groups[group as usize];
            let (least, most) = run.plan.policy.waves_of(members);
            // Launches that differ are followed by more.
            let may_differ = run.plan.policy.effort == Effort::Default;
            let most = if may_differ { 3 * most } else { most };
            assert!((least..=most).contains(&waves), "{waves} waves");
        }
    }
    for launch in run.launches.iter().filter(|l| l.outcome == LaunchOutcome::Finished) {
        let visits: usize = launch.series.iter().filter(|s| s.stage == Stage::Actual).map(rounds_of).sum();
        let most = 3 * run.plan.policy.rounds as usize;
        assert!((1..=most).contains(&visits), "{visits} visits of launch {}", launch.id);
    }
}

fn rounds_of(series: &tare_model::Series) -> usize {
    let mut rounds = series.round.clone();
    rounds.dedup();
    rounds.len()
}

/// The launches that are visited in each round of each wave, in order.
pub fn rounds(trace: &Trace) -> Vec<Vec<u32>> {
    let mut rounds: Vec<(u32, Vec<u32>)> = Vec::new();
    for event in &trace.events {
        if let Event::Measured { launch, stage: Stage::Actual, round, .. } = event {
            match rounds.last_mut().filter(|(r, _)| r == round) {
                Some((_, visits)) => visits.push(*launch),
                None => rounds.push((*round, vec![*launch])),
            }
        }
    }
    rounds.into_iter().map(|(_, visits)| visits).collect()
}

/// Launches that the engine wanted to start, in order.
pub fn starts(trace: &Trace) -> Vec<tare_engine::Start> {
    let of = |action: &Action| match action {
        Action::Start(starts) => starts.clone(),
        _ => Vec::new(),
    };
    trace.actions.iter().flat_map(of).collect()
}

/// At most this many of `n` when each happens with probability `p`: with a probability of 0.9999 where there are many runs, and of
/// 0.99 where there are few, so that few show something too.
pub fn at_most(n: usize, p: f64) -> usize {
    let confidence = 0.9999;
    let most = tare_stats::binom_ppf(confidence, n as u64, p).expect("a probability");
    usize::try_from(most).expect("a small number")
}

/// At least this many of `n`, as surely.
pub fn at_least(n: usize, p: f64) -> usize {
    n - at_most(n, 1.0 - p).min(n)
}
