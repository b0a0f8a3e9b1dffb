//! Every run ends, and asks nothing that makes no sense.

use crate::support::{check_laws, random_scene, rounds, starts, traced, traced_from};
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{analyse, Outcome};
use tare_engine::Action;
use tare_model::{
    visits, Artifact, Draw, Effort, Event, Job, Policy, PolicyOverlay, Run, Stage, Strategy, VisitTraits,
};
use tare_simulation::{Body, Places, Program, Scene, Trace, WarmUpShape};
use tare_stats::noise::{Parameters, Scenario};

fn plain(cases: usize, seed: u64) -> Scene {
    Scene::new(Scenario::Ci, (0..cases).map(|i| Body::of(&format!("b{i}"), 50.0)).collect(), seed)
}

fn runs_end_and_obey_the_laws(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let (trace, run, _) = traced(&random_scene(seed));
        check_laws(&trace, &run);
        if seed % 10 == 0 {
            assert_eq!(analyse(&run).cases.len(), run.plan.cases.len());
        }
    }
}

#[test]
fn runs_of_any_kind_end_and_obey_the_laws() {
    runs_end_and_obey_the_laws(0..4);
}

#[test]
#[ignore = "a thousand runs"]
fn other_runs_of_any_kind_end_and_obey_the_laws() {
    runs_end_and_obey_the_laws(1000..2000);
}

#[test]
fn runs_with_very_short_iterations_end() {
    for seed in 0..2 {
        let set_up = seed % 2 == 0;
        let body = Body { set_up_ns: set_up.then_some(500.0), ..Body::of("b", 1.0 + seed as f64) };
        let policy = Policy { invocations: (!set_up).then_some(3), ..Policy::default() };
        let programs = vec![Program::MANAGED];
        let scene = Scene::new(Scenario::Quiet, vec![body], seed).with(policy);
        let (trace, run, _) = traced(&Scene { programs, ..scene });
        check_laws(&trace, &run);
    }
}

/// Launches of each case of a run.
fn launches(run: &Run) -> Vec<usize> {
    (0..run.plan.cases.len() as u32).map(|case| run.launches.iter().filter(|l| l.case == case).count()).collect()
}

#[test]
fn a_case_whose_launches_differ_has_more_of_them() {
    let of = |process_sd: f64, bodies: Vec<Body>, policy: Policy| {
        let scene = Scene::new(Scenario::Quiet, bodies, 3).with(policy);
        let noise = Parameters { process_sd, drift_sd: 0.0, ..scene.noise };
        let (trace, run, _) = traced(&Scene { noise, ..scene });
        check_laws(&trace, &run);
        (launches(&run), run.results.iter().all(|r| r.complete))
    };
    let one = || vec![Body::of("a", 50.0)];
    assert_eq!(of(0.002, one(), Policy::default()), (vec![12], true));
    let (many, complete) = of(0.05, vec![Body::of("a", 50.0), Body::of("b", 80.0)], Policy::default());
    assert!(complete && many.iter().all(|count| (25..=36).contains(count)), "{many:?}");
    // Of a ratio, too, unless it is clear.
    let pair = |effect| of(0.05, Body::pair(50.0, effect), Policy::default());
    assert_eq!((pair(0.02), pair(1.0)), ((vec![36, 36], true), (vec![12, 12], true)));
    // Not where someone said how many.
    let fixed = Policy { waves_min: 5, waves_max: 5, usual_launches: false, ..Policy::default() };
    assert_eq!(of(0.05, one(), fixed), (vec![10], true));
    assert_eq!(of(0.05, one(), Policy::of(Effort::Quick)), (vec![4], true));
}

#[test]
fn the_rules_of_a_job_are_those_of_its_cases() {
    let scene = plain(2, 7);
    let mut started = scene.started();
    if let Event::RunStarted { jobs, plan, .. } = &mut started {
        let policy = PolicyOverlay { invocations: Some(3), ..PolicyOverlay::default() };
        jobs.push(Job { id: "few".to_owned(), policy, ..Job::default() });
        plan.cases[1].job = 1;
    }
    let (_, run, _) = traced_from(&scene, started);
    for launch in &run.launches {
        let mut actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
        assert_eq!(launch.case == 1, actual.all(|s| s.invocations == 3), "{}", launch.case);
    }
}

/// The requests that the launches of a case got after `open`, as text.
fn requests(trace: &Trace, run: &Run, case: u32) -> Vec<Vec<String>> {
    let of_launch = |id: u32| {
        let asks = trace.actions.iter().flat_map(|action| match action {
            Action::Ask(asks) => asks.as_slice(),
            _ => &[],
        });
        asks.filter(|ask| ask.launch == id).map(|ask| ask.request.encode().trim_end().to_owned()).collect()
    };
    run.launches.iter().filter(|l| l.case == case).map(|l| of_launch(l.id)).collect()
}

#[test]
fn invocations_of_other_strategies_count_as_they_come() {
    for (seed, builds) in [(3, false), (4, true), (5, false)] {
        let late = Body {
            warm_up: WarmUpShape::Decay { amount: 3.0, tau_ns: 5e6 },
            compiles_until_ns: 1e9,
            sleep_ns: 1e5,
            ..Body::of("late", 2e4)
        };
        let bodies = vec![Body::of("plain", 100.0), Body { name: "cold".to_owned(), ..late.clone() }, late];
        let bodies: Vec<Body> = bodies.into_iter().map(|body| Body { group: "g".to_owned(), ..body }).collect();
        let scene = Scene { builds, ..Scene::new(Scenario::Ci, bodies, seed) };
        let mut started = scene.started();
        if let Event::RunStarted { plan, .. } = &mut started {
            plan.cases[1].benchmark.strategy = Strategy::ColdStart;
            plan.cases[2].benchmark.strategy = Strategy::Monitoring;
        }
        let (trace, run, _) = traced_from(&scene, started);
        check_laws(&trace, &run);
        // What disturbs is no reason to drop or to repeat one, and the result is asked for when the first is measured.
        let (once, rounds) = ("measure workload 1 1 0".to_owned(), run.plan.policy.rounds as usize);
        for (at, requests) in requests(&trace, &run, 1).into_iter().enumerate() {
            let mut expected = vec![once.clone()];
            expected.extend((at == 0).then(|| "check".to_owned()));
            assert_eq!(requests, expected, "a cold start");
        }
        for (at, requests) in requests(&trace, &run, 2).into_iter().enumerate() {
            assert!(requests[0] == once && (requests[1] == "check") == (at == 0), "monitoring: {requests:?}");
            let measured = requests.iter().filter(|request| **request == once).count();
            assert_eq!(measured, rounds.max(requests.len() - usize::from(at == 0)), "{requests:?}");
        }
        let report = analyse(&run);
        assert!(report.cases.iter().all(|case| matches!(case.outcome, Outcome::Measured(_))), "{seed}");
    }
}

#[test]
fn launches_of_both_sides_of_a_comparison_are_drawn_alike_in_pairs() {
    let places = Some(Places { sd: 0.02, rare: 0.0, rare_cost: 0.0, opposed: false });
    let scene = Scene::new(Scenario::Ci, Body::pair(1000.0, 0.0), 5).with(Policy::comparison(Effort::Default));
    let (trace, run, _) = traced(&Scene { builds: true, places, ..scene.clone() });
    check_laws(&trace, &run);
    let draws = |run: &Run, case: u32, wave: u32| -> BTreeMap<Option<u64>, Draw> {
        run.launches.iter().filter(|l| (l.case, l.wave) == (case, wave)).map(|l| (l.draw.pair, l.draw)).collect()
    };
    let waves = run.launches.iter().map(|l| l.wave).max().expect("waves");
    assert!(waves > 4, "{waves}");
    for wave in 0..=waves {
        let (base, new) = (draws(&run, 0, wave), draws(&run, 1, wave));
        assert_eq!((base.len(), new.len()), (4, 4), "each launch of a side has its own");
        assert_eq!(base, new, "wave {wave}");
    }
    // Contestants of a run are no pairs: their layouts may suit one and not the other.
    let (_, run, _) = traced(&Scene { places, ..scene.with(Policy::of(Effort::Long)) });
    let all: BTreeSet<u64> = run.launches.iter().map(|l| l.draw.seed).collect();
    assert_eq!(all.len(), run.launches.len());
    assert!(run.launches.iter().all(|l| l.draw.pair.is_none()));
}

fn can_randomize(artifacts: &mut [Artifact]) {
    let children = artifacts.iter_mut().filter_map(|artifact| artifact.child.as_mut());
    children.for_each(|facts| facts.capabilities.push("randomize".to_owned()));
}

#[test]
fn memory_is_randomized_before_each_visit_but_the_first() {
    let mut scene = plain(2, 11);
    scene = scene.with(Policy { memory_randomization: true, ..Policy::of(Effort::Quick) });
    let mut started = scene.started();
    if let Event::RunStarted { artifacts, plan, .. } = &mut started {
        can_randomize(artifacts);
        // What a declaration says of one benchmark counts before what the user says of all.
        plan.cases[1].benchmark.policy.memory_randomization = Some(false);
    }
    let (trace, run, _) = traced_from(&scene, started);
    check_laws(&trace, &run);
    for launch in requests(&trace, &run, 0) {
        let moves: Vec<usize> = (0..launch.len()).filter(|&at| launch[at].starts_with("randomize ")).collect();
        let visits = moves.iter().filter(|&&at| launch[at + 1].starts_with("measure workload ")).count();
        assert!(moves.len() + 1 >= run.plan.policy.rounds as usize && visits == moves.len(), "{launch:?}");
        let seeds: BTreeSet<&String> = moves.iter().map(|&at| &launch[at]).collect();
        assert_eq!(seeds.len(), moves.len(), "each in another place");
    }
    let others = requests(&trace, &run, 1);
    assert!(others.iter().flatten().all(|request| !request.starts_with("randomize")), "{others:?}");
}

#[test]
fn the_same_seed_and_answers_give_the_same_actions() {
    for seed in 0..3 {
        let scene = random_scene(seed);
        assert_eq!(traced(&scene).0.actions, traced(&scene).0.actions);
    }
}

#[test]
fn rounds_are_balanced_and_in_random_order() {
    let scene = Scene::new(Scenario::Quiet, Body::pair(100.0, 0.0), 3).with(Policy::of(Effort::Long));
    let (trace, run, _) = traced(&scene);
    let all = rounds(&trace);
    let (mut base_first, children) = (0, 2 * run.plan.policy.width as usize);
    for round in &all {
        let mut once = round.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!((round.len(), once.len()), (children, children), "every child is visited once");
        let cases: Vec<u32> = round.iter().map(|&l| run.launches[l as usize].case).collect();
        let abba = |part: &[u32]| part[0] == part[3] && part[1] == part[2] && part[0] != part[1];
        assert!(cases.chunks(4).all(abba), "{cases:?}");
        base_first += usize::from(cases[0] == 0);
    }
    let distinct: BTreeSet<_> = all.iter().take(24).collect();
    assert!(distinct.len() >= if children < 8 { 6 } else { 20 }, "orders differ");
    assert!((all.len() / 4..3 * all.len() / 4).contains(&base_first), "{base_first} of {}", all.len());
}

#[test]
fn every_launch_has_its_valid_visits_or_the_cap_is_reached() {
    for (scenario, seed) in [(Scenario::Quiet, 1), (Scenario::Ci, 2), (Scenario::Bad, 3)] {
        let (_, run, _) = traced(&Scene::new(scenario, Body::pair(1000.0, 0.0), seed));
        let wanted = run.plan.policy.rounds as usize;
        for launch in &run.launches {
            let all: Vec<_> = launch.series.iter().filter(|s| s.stage == Stage::Actual).flat_map(visits).collect();
            let valid = all.iter().filter(|v| v.is_valid(VisitTraits::default())).count();
            assert!(valid >= wanted, "{scenario:?}: {valid} of {}", all.len());
        }
    }
}

#[test]
fn waves_are_spread_over_the_run() {
    let (trace, run, _) = traced(&plain(6, 4));
    let planned = run.plan.policy.waves_of(&run.plan.groups[0]).1;
    let mut last: BTreeMap<u32, u32> = BTreeMap::new();
    for start in starts(&trace) {
        let wave = run.launches[start.launch as usize].wave;
        if wave >= planned {
            continue;
        }
        let before = last.insert(start.case, wave);
        assert!(before.is_none_or(|b| b == wave || b + 1 == wave));
        let (least, most) = (last.values().min().copied(), last.values().max().copied());
        assert!(last.len() < 6 || most <= least.map(|l| l + 1), "no case is a wave ahead: {last:?}");
    }
}

/// Launches that differ are followed by more. Those of all cases take turns, so that each case sees as much of the run as there is.
#[test]
fn further_launches_of_several_cases_take_turns() {
    for seed in 0..3 {
        let scene = Scene::new(Scenario::Bad, (0..4).map(|i| Body::of(&format!("b{i}"), 500.0)).collect(), seed);
        let (trace, run, _) = traced(&scene);
        let planned = run.plan.policy.waves_of(&run.plan.groups[0]).1;
        let waves: Vec<u32> = starts(&trace).iter().map(|s| run.launches[s.launch as usize].wave).collect();
        let last_planned = waves.iter().rposition(|wave| *wave < planned).expect("planned waves");
        let further = &waves[last_planned + 1..];
        assert!(further.len() > 12, "{waves:?}");
        assert!(further.is_sorted(), "{further:?}");
    }
}

#[test]
fn the_order_of_cases_is_random_unless_it_is_kept() {
    let order = |scene: &Scene| -> Vec<u32> {
        let mut cases: Vec<u32> = starts(&traced(scene).0).iter().map(|s| s.case).collect();
        cases.dedup();
        cases
    };
    let kept = Policy { keep_order: true, ..Policy::default() };
    assert!(order(&plain(4, 5).with(kept)).chunks(4).all(|wave| wave == [0, 1, 2, 3]));
    let orders: BTreeSet<Vec<u32>> = (0..4).map(|seed| order(&plain(4, seed))).collect();
    assert_eq!(orders.len(), 4, "{orders:?}");
}

#[test]
fn the_budget_is_kept_but_for_one_wave() {
    let long = Policy { budget_s: Some(1.5), precision: None, ..Policy::of(Effort::Long) };
    let (_, free, without) = traced(&plain(3, 6).with(Policy { budget_s: None, ..long }));
    let waves: BTreeSet<_> = free.launches.iter().map(|l| (l.group, l.wave)).collect();
    let wave_s = without.now_s() / waves.len() as f64;
    let (trace, run, world) = traced(&plain(3, 6).with(long));
    check_laws(&trace, &run);
    assert!(world.now_s() < 1.5 + 2.0 * wave_s && world.now_s() > 1.2, "{} s", world.now_s());
}

#[test]
fn what_there_is_no_time_for_is_not_measured() {
    let (trace, run, world) = traced(&plain(10, 7).with(Policy { budget_s: Some(0.1), ..Policy::default() }));
    check_laws(&trace, &run);
    let measured = run.results.iter().filter(|r| r.complete).count();
    assert!((1..10).contains(&measured) && run.results.iter().all(|r| r.failure.is_none()), "{measured}");
    assert!(world.now_s() < 0.1 + 0.15, "at most a wave beyond it: {} s", world.now_s());
    assert_eq!(analyse(&run).findings.iter().filter(|f| f.code == tare_analysis::Code::OutOfTime).count(), 1);
}

#[test]
fn as_many_as_there_is_time_for_are_measured_well_in_the_order_of_the_list() {
    let bodies = |ns: f64| (0..30).map(|i| Body::of(&format!("b{i}"), ns)).collect::<Vec<_>>();
    let mut counts = Vec::new();
    for (ns, budget_s, effort) in [
        (100.0, 2.0, Effort::Quick),
        (100.0, 4.0, Effort::Quick),
        (2e7, 10.0, Effort::Quick),
        (100.0, 4.0, Effort::Default),
    ] {
        let policy = Policy { budget_s: Some(budget_s), ..Policy::of(effort) };
        let (trace, run, world) = traced(&Scene::new(Scenario::Quiet, bodies(ns), 8).with(policy));
        check_laws(&trace, &run);
        let of_each = launches(&run);
        let measured = of_each.iter().take_while(|launches| **launches > 0).count();
        assert!((2..30).contains(&measured), "{of_each:?}");
        assert!(of_each[..measured].iter().all(|launches| *launches >= 4), "{of_each:?}");
        assert!(of_each[measured..].iter().all(|launches| *launches == 0), "{of_each:?}");
        assert!((0.6 * budget_s..budget_s + 0.5).contains(&world.now_s()), "{} of {budget_s} s", world.now_s());
        counts.push(measured);
    }
    assert!(counts[1] > counts[0], "{counts:?}");
}

/// A body of five seconds under these rules: seconds that it took, visits, and calls of the body.
fn five_seconds(policy: Policy) -> (f64, usize, f64) {
    let scene = Scene::new(Scenario::Quiet, vec![Body { sleep_ns: 5e9, ..Body::of("long", 1000.0) }], 3);
    let (trace, run, world) = traced(&scene.with(policy));
    check_laws(&trace, &run);
    let actual = run.launches.iter().flat_map(|l| &l.series).filter(|s| s.stage == Stage::Actual);
    (world.now_s(), actual.map(|s| s.round.len()).sum(), (world.now_s() / 5.0).round())
}

#[test]
fn a_long_body_is_run_as_often_as_it_is_worth() {
    let (_, visits, calls) = five_seconds(Policy::of(Effort::Quick));
    assert_eq!((visits, calls), (4, 5.0), "a visit of each launch, and the call for the result");
    let (_, visits, calls) = five_seconds(Policy::default());
    assert_eq!((visits, calls), (12, 13.0));
}

#[test]
fn no_visit_is_begun_that_is_predicted_to_end_after_the_budget() {
    let with = |budget_s| five_seconds(Policy { budget_s: Some(budget_s), ..Policy::of(Effort::Quick) });
    let (took_s, visits, _) = with(20.0);
    assert!(took_s < 20.0 && visits == 2, "{visits} visits in {took_s} s");
    let (took_s, visits, _) = with(3.0);
    assert!(took_s < 10.1 && visits == 1, "what is measured first may take its time: {visits} visits in {took_s} s");
}

#[test]
fn a_run_takes_at_most_twice_what_it_said_last() {
    let said_s = |trace: &Trace| {
        let said = |event: &Event| match event {
            Event::Expected { total_s } => Some(*total_s),
            _ => None,
        };
        trace.events.iter().filter_map(said).next_back()
    };
    let usual = Policy { budget_s: Some(12.0), first_waves_always: true, ..Policy::default() };
    let of = |bodies: Vec<Body>| traced(&Scene::new(Scenario::Quiet, bodies, 3).with(usual));
    let long = Body { sleep_ns: 9e9, ..Body::of("long", 1000.0) };
    let short = Body::of("short", 1000.0);
    let (trace, run, world) = of(vec![long, short]);
    check_laws(&trace, &run);
    let said = said_s(&trace).expect("four launches of nine seconds need more than twelve");
    assert!((45.0..70.0).contains(&said), "{said} s");
    assert!(launches(&run)[0] >= 4 && world.now_s() < 2.0 * said, "{} s", world.now_s());
    // What is not timed takes its time too.
    let slow = |name: &str| Body { set_up_ns: Some(8e8), ..Body::of(name, 1e6) };
    let (trace, run, world) = of(vec![slow("slow"), slow("to set up")]);
    check_laws(&trace, &run);
    let said = said_s(&trace).expect("the first launches show it");
    assert!(world.now_s() < 2.0 * said, "{} of {said} s", world.now_s());
    assert!(launches(&run).iter().all(|launches| *launches >= 4), "{:?}", launches(&run));
    // The first calls are 10,000 times as fast as the visits that follow.
    let trap = Body { warm_up: WarmUpShape::Steps(vec![(5e7, 1e-4)]), ..Body::of("trap", 2e9) };
    let (trace, run, world) = of(vec![trap, Body::of("other", 2e9)]);
    check_laws(&trace, &run);
    let said = said_s(&trace).unwrap_or(12.0);
    assert!(world.now_s() < 2.0 * said + 50.0, "{} of {said} s", world.now_s());
}

#[test]
fn the_set_ups_of_randomized_memory_count_in_the_budget() {
    for budget_s in [1.0, 2.0, 4.0] {
        let policy =
            Policy { memory_randomization: true, budget_s: Some(budget_s), precision: None, ..Policy::default() };
        let body = Body { moving_ns: 1e8, ..Body::of("slow to set up", 1000.0) };
        let scene = Scene::new(Scenario::Quiet, vec![body], 5).with(policy);
        let mut started = scene.started();
        if let Event::RunStarted { artifacts, .. } = &mut started {
            can_randomize(artifacts);
        }
        let (trace, run, world) = traced_from(&scene, started);
        check_laws(&trace, &run);
        assert!(run.results[0].complete && world.now_s() > 0.6 * budget_s, "{} of {budget_s} s", world.now_s());
        // The first round moves nothing; the set-ups of the second show how long one takes.
        assert!(world.now_s() < budget_s, "{} of {budget_s} s", world.now_s());
    }
}

#[test]
fn contestants_that_are_long_are_cut_within_a_round() {
    let mut bodies = Body::pair(1000.0, 0.0);
    bodies.iter_mut().for_each(|b| b.sleep_ns = 5e9);
    let policy = Policy { budget_s: Some(34.0), ..Policy::of(Effort::Quick) };
    let (trace, run, world) = traced(&Scene::new(Scenario::Quiet, bodies, 4).with(policy));
    check_laws(&trace, &run);
    assert!(world.now_s() < 34.0 && world.now_s() > 29.0, "{} s", world.now_s());
    assert!(run.results.iter().all(|r| r.complete && r.failure.is_none()));
}

#[test]
fn a_cap_spares_four_launches_of_every_case() {
    let policy = Policy { budget_s: Some(0.01), first_waves_always: true, ..Policy::default() };
    let (_, run, _) = traced(&plain(10, 7).with(policy));
    assert_eq!(run.launches.len(), 10 * 4);
    assert!(run.results.iter().all(|r| r.complete));
}
