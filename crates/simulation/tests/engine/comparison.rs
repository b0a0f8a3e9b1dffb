//! The words of a comparison: false alarms, power, coverage.

use crate::support::{at_least, at_most, traced_from};
use std::cell::Cell;
use tare_analysis::{analyse, CaseReport, Outcome, RatioReport, Verdict};
use tare_model::{Effort, Event, Policy, Series, Stage, Strategy};
use tare_simulation::{comparison, comparison_in, measure, suite, Body, ClockModel, Places, Program, Scene};
use tare_stats::noise::{Parameters, Scenario};

const SCENARIOS: [Scenario; 3] = [Scenario::Quiet, Scenario::Ci, Scenario::Bad];

#[test]
#[ignore = "simulation"]
fn the_same_thing_is_hardly_ever_faster_or_slower() {
    for scenario in SCENARIOS {
        for (effort, runs) in [(Effort::Quick, 300), (Effort::Default, 400), (Effort::Long, 100)] {
            let found = comparison(scenario, 0.0, &Policy::of(effort), runs, 100).expect("runs end");
            assert!(found.slower + found.faster <= at_most(found.runs, 0.01), "{scenario:?} {effort:?} {found:?}");
            assert!(found.ungated <= at_most(found.runs, 0.01), "{scenario:?} {effort:?} {found:?}");
            assert!(found.covered >= at_least(found.runs, 0.95), "{scenario:?} {effort:?} {found:?}");
        }
    }
}

/// Processes of a runtime that has two speeds, by how it has laid out its heap; processes of which some are slow; on a quiet machine.
fn two_speeds() -> [Parameters; 3] {
    let quiet = Scenario::Quiet.parameters();
    let of = |slow_share, process_sd| Parameters { slow_share, slow_cost: 0.15, process_sd, ..quiet };
    [of(0.5, 0.01), of(0.2, 0.01), of(0.5, 0.002)]
}

/// Four launches of one side may all be fast by chance, and those of the other side slow: 2.4 % of such comparisons ended with a difference.
/// With `--nocapture` it prints the table of `docs/decisions/0004-waves.md`.
#[test]
#[ignore = "simulation"]
fn a_quick_run_of_processes_with_two_speeds_raises_no_alarm() {
    let policy = Policy::of(Effort::Quick);
    let (mut runs, mut alarms, mut covered) = (0, 0, 0);
    for (at, noise) in two_speeds().into_iter().enumerate() {
        let scene = |seed| {
            let plain = Scene::new(Scenario::Quiet, Body::pair(1000.0, 0.0), seed).with(policy);
            Scene { noise, ..plain }
        };
        let found = comparison_in(scene, 0.0, 400, 3000 + 10_000 * at as u64).expect("runs end");
        println!("{:.0} % slow: {found:?}", 100.0 * noise.slow_share);
        (runs, alarms) = (runs + found.runs, alarms + found.slower + found.faster);
        covered += found.covered;
    }
    assert!(alarms <= at_most(runs, 0.006), "{alarms} of {runs}");
    assert!(covered >= at_least(runs, 0.93), "{covered} of {runs}");
}

/// A difference takes the third wave, and nothing else does.
#[test]
#[ignore = "simulation"]
fn a_quick_run_stays_short_and_finds_what_is_large() {
    let policy = Policy::of(Effort::Quick);
    for (effect, power, least, most) in [(0.0, 0.0, 4.0, 4.1), (0.05, 0.97, 5.7, 6.0), (0.2, 0.99, 5.8, 6.0)] {
        let found = comparison(Scenario::Quiet, effect, &policy, 100, 2000).expect("runs end");
        let launches = found.launches as f64 / found.runs as f64;
        println!("{effect}: {found:?}");
        assert!((least..=most).contains(&launches), "{effect}: {launches} launches");
        assert!(found.slower >= at_least(found.runs, power) && found.faster == 0, "{effect}: {found:?}");
    }
}

#[test]
#[ignore = "simulation"]
fn a_change_is_found() {
    for (scenario, effect, effort, power) in [
        (Scenario::Quiet, 0.02, Effort::Default, 0.97),
        (Scenario::Quiet, 0.02, Effort::Long, 0.999),
        (Scenario::Ci, 0.05, Effort::Default, 0.99),
        (Scenario::Ci, 0.02, Effort::Long, 0.97),
        (Scenario::Bad, 0.05, Effort::Long, 0.97),
    ] {
        let found = comparison(scenario, effect, &Policy::of(effort), 100, 300).expect("runs end");
        assert!(found.slower >= at_least(found.runs, power), "{scenario:?} {effect} {effort:?}: {found:?}");
        assert_eq!(found.faster, 0);
    }
}

/// The rules of `tare compare`: more looks than those of a run, so that noise ends in a word too.
#[test]
#[ignore = "simulation"]
fn a_comparison_of_two_sides_is_right_and_ends_in_a_word() {
    let policy = Policy::comparison(Effort::Default);
    for (scenario, same_share) in [(Scenario::Quiet, 0.99), (Scenario::Ci, 0.93), (Scenario::Bad, 0.35)] {
        let same = comparison(scenario, 0.0, &policy, 200, 700).expect("runs end");
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{scenario:?}: {same:?}");
        assert!(same.same >= at_least(same.runs, same_share), "{scenario:?}: {same:?}");
        assert!(same.covered >= at_least(same.runs, 0.95), "{scenario:?}: {same:?}");
        let slower = comparison(scenario, 0.03, &policy, 60, 900).expect("runs end");
        assert!(slower.slower >= at_least(slower.runs, 0.97) && slower.faster == 0, "{scenario:?}: {slower:?}");
    }
}

/// A budget ends it after some waves, and its last look spends what is left of alpha. A change of the minimum effect is `same` as rarely as promised.
#[test]
#[ignore = "simulation"]
fn a_comparison_that_its_budget_ends_is_right() {
    for (scenario, budget_s, same_share) in [(Scenario::Ci, 1.6, 0.5), (Scenario::Bad, 4.0, 0.1)] {
        let policy = Policy { budget_s: Some(budget_s), ..Policy::comparison(Effort::Default) };
        let same = comparison(scenario, 0.0, &policy, 300, 1700).expect("runs end");
        println!("{scenario:?}: {same:?}");
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{scenario:?}: {same:?}");
        assert!(same.same >= at_least(same.runs, same_share), "{scenario:?}: {same:?}");
        assert!(same.covered >= at_least(same.runs, 0.95), "{scenario:?}: {same:?}");
        let least = comparison(scenario, 0.0101, &policy, 300, 1900).expect("runs end");
        println!("{scenario:?}, minimum effect: {least:?}");
        assert!(least.same <= at_most(least.runs, 0.05), "{scenario:?}: {least:?}");
        assert!(least.covered >= at_least(least.runs, 0.95) && least.faster == 0, "{scenario:?}: {least:?}");
    }
}

/// What the seed of a launch draws is the same on both sides: what it does to both cancels, and what it does to them in opposite
/// directions widens the intervals.
#[test]
#[ignore = "simulation"]
fn places_that_both_sides_share_are_no_difference() {
    // An array of 80 bytes that crosses a page in one launch of 64; layouts that are good for one side and bad for the other.
    let rare = Places { sd: 0.005, rare: 1.0 / 64.0, rare_cost: 0.24, opposed: false };
    let alike = Places { sd: 0.03, rare: 0.0, ..rare };
    let opposed = Places { sd: 0.015, opposed: true, ..alike };
    for (places, same_share) in [(rare, 0.9), (alike, 0.9), (opposed, 0.5)] {
        let scene = |seed| {
            let policy = Policy::comparison(Effort::Default);
            let plain = Scene::new(Scenario::Quiet, Body::pair(1000.0, 0.0), seed).with(policy);
            Scene { builds: true, places: Some(places), ..plain }
        };
        let found = comparison_in(scene, 0.0, 200, 40).expect("runs end");
        println!("{places:?}: {found:?}");
        assert!(found.slower + found.faster <= at_most(found.runs, 0.01), "{places:?}: {found:?}");
        assert!(found.same >= at_least(found.runs, same_share), "{places:?}: {found:?}");
        assert!(found.covered >= at_least(found.runs, 0.95), "{places:?}: {found:?}");
    }
}

#[test]
#[ignore = "simulation"]
fn a_suite_of_equal_benchmarks_raises_no_alarm() {
    let policy = Policy::comparison(Effort::Default);
    let found = suite(Scenario::Ci, 50, &policy, 12, 1).expect("runs end");
    // One suite without an alarm is what is expected; of a dozen, some may have one.
    let most = at_most(found.suites, 0.05);
    assert!(found.alarmed <= most, "{found:?}");
}

#[test]
#[ignore = "simulation"]
fn a_change_below_the_minimum_is_no_word_of_difference() {
    for scenario in SCENARIOS {
        let found = comparison(scenario, 0.003, &Policy::of(Effort::Long), 200, 500).expect("runs end");
        assert!(found.slower + found.faster <= at_most(found.runs, 0.01), "{scenario:?}: {found:?}");
    }
}

/// A core that runs 8 % below its profile and drifts, and one contestant that cannot see it.
#[test]
#[ignore = "simulation"]
fn a_drifting_clock_is_no_difference() {
    for programs in [[Program::NATIVE, Program::NATIVE], [Program::NATIVE, Program { probe: false, ..Program::NATIVE }]]
    {
        let mut alarms = 0;
        let runs = 300;
        for seed in 0..runs {
            let mut bodies = Body::pair(1000.0, 0.0);
            bodies[1].program = 1;
            let scene = Scene {
                clock: ClockModel::DRIFTING,
                programs: programs.to_vec(),
                ..Scene::new(Scenario::Quiet, bodies, seed)
            };
            let report = tare_simulation::measure(&scene).expect("ends").report;
            let tare_analysis::Outcome::Measured(new) = &report.cases[1].outcome else { panic!("measured") };
            alarms += usize::from(!new.ratio.as_ref().expect("ratio").interval_99.contains(1.0));
        }
        assert!(alarms <= at_most(runs as usize, 0.01), "{alarms} of {runs} with {programs:?}");
    }
}

/// Two builds make visits of as many invocations, unless one takes many times as long: its visits would too, and most would be preempted.
#[test]
fn builds_of_very_different_speed_have_visits_of_their_own() {
    for (program, base_ns, times, are_the_same) in [
        (Program::NATIVE, 2e4, 1.02, true),
        (Program::NATIVE, 2e4, 3.0, true),
        (Program::NATIVE, 2e4, 60.0, false),
        (Program::NATIVE, 2e4, 0.02, false),
        (Program::NATIVE, 2e3, 500.0, false),
        (Program::NATIVE, 2e8, 1e-4, false),
        (Program::BY_CLOCK, 2e3, 1.02, true),
        (Program::BY_CLOCK, 2e3, 100.0, false),
    ] {
        let policy = Policy::comparison(Effort::Quick);
        let plain = Scene::new(Scenario::Ci, Body::pair(base_ns, times - 1.0), 5).with(policy);
        let measured = measure(&Scene { builds: true, programs: vec![program], ..plain }).expect("it ends");
        let visits = |case: u32| {
            let of_case = measured.run.launches.iter().filter(move |l| l.case == case);
            of_case.flat_map(|l| &l.series).filter(|s| s.stage == Stage::Actual).collect::<Vec<&Series>>()
        };
        let [base, new] = [0, 1].map(|case| visits(case)[0].invocations);
        assert_eq!(base == new, are_the_same, "{base_ns} and {times} times as long: {base} and {new}");
        let took: Vec<f64> = visits(1).iter().flat_map(|s| s.columns.elapsed_ns.iter().copied()).collect();
        let usual = tare_stats::location::median(&took).expect("visits");
        assert!(usual < 5e6, "{base_ns} and {times} times as long: {usual}");
        let warm_up = measured.run.launches.iter().filter(|l| l.case == 1).flat_map(|l| &l.series);
        let longest = warm_up
            .filter(|s| s.stage == Stage::Warmup)
            .flat_map(|s| &s.columns.elapsed_ns)
            .fold(0.0, |a: f64, b| a.max(*b));
        // No more than the visits of a launch come before them.
        assert!(longest < 7e7, "{base_ns} and {times} times as long: {longest} in a warm-up");
    }
}

/// Launches that have one measurement are compared in pairs that follow each other: what a busy machine does in that moment cancels. With
/// `--nocapture` it prints how many launches that takes: 41 a side, and 64 where a wave is in random order.
#[test]
#[ignore = "simulation"]
fn single_measurements_of_a_pair_share_the_moment() {
    let launches = Cell::new(0);
    let verdict = |effect: f64, seed: u64| {
        let usual = Scenario::Quiet.parameters();
        let noise = Parameters { drift_sd: 0.15, drift_seconds: 0.3, process_sd: 0.015, ..usual };
        let policy = Policy { minimum_effect: 0.03, ..Policy::comparison(Effort::Default) };
        let scene = Scene::new(Scenario::Quiet, Body::pair(2e7, effect), seed).with(policy);
        let scene = Scene { builds: true, noise, ..scene };
        let mut started = scene.started();
        if let Event::RunStarted { plan, .. } = &mut started {
            plan.cases.iter_mut().for_each(|case| case.benchmark.strategy = Strategy::Process);
        }
        let (_, run, _) = traced_from(&scene, started);
        launches.set(launches.get() + run.launches.len());
        let report = analyse(&run);
        let of_case = |case: &CaseReport| match &case.outcome {
            Outcome::Measured(estimates) => estimates.ratio.clone(),
            _ => None,
        };
        report.cases.iter().find_map(of_case).expect("a ratio")
    };
    let sessions = 60;
    let equal: Vec<RatioReport> = (0..sessions).map(|seed| verdict(0.0, 7000 + seed)).collect();
    let alarms = equal.iter().filter(|ratio| [Verdict::Slower, Verdict::Faster].contains(&ratio.verdict)).count();
    let found = (0..sessions).filter(|seed| verdict(0.05, 8000 + seed).verdict == Verdict::Slower).count();
    let width: f64 = equal.iter().map(|ratio| (ratio.interval.upper / ratio.interval.lower).ln()).sum();
    let same = equal.iter().filter(|ratio| ratio.verdict == Verdict::Same).count();
    let (width, launches) = (width / sessions as f64, launches.get() as f64 / (4 * sessions) as f64);
    println!("{alarms} alarms, {same} same, {found} found of {sessions}, 95 % intervals {width:.4} wide, {launches:.1} launches a side");
    assert!(
        alarms <= at_most(sessions as usize, 0.01) && found >= at_least(sessions as usize, 0.95),
        "{alarms} {found}"
    );
}

/// The cap of a run that was given no time ends what would go on for long, and not what a verdict needs. With `--nocapture` it prints the
/// table of `docs/decisions/0014-how-much-to-measure.md`.
#[test]
#[ignore = "minutes"]
fn a_cap_costs_few_verdicts() {
    let pairs = 6;
    for scenario in [Scenario::Quiet, Scenario::Ci, Scenario::Bad] {
        for each_s in [None, Some(12.0), Some(5.0)] {
            let budget_s = each_s.map(|s: f64| s * pairs as f64);
            let usual = Policy::comparison(Effort::Default);
            let policy = Policy { budget_s, first_waves_always: each_s.is_some(), ..usual };
            let found = suite(scenario, pairs, &policy, 8, 4000).expect("they end");
            let all = (found.suites * pairs) as f64;
            let (same, seconds) = (found.same as f64 / all, found.seconds / all);
            println!("{scenario:?}, {each_s:?} s: same {same:.3}, alarms {}, {seconds:.1} s a pair", found.alarms);
            assert!(found.alarms <= 1 && each_s.is_none_or(|s| seconds <= 1.1 * s), "{scenario:?} {each_s:?}");
        }
    }
}
