//! A neighbour on the core: times alone on it are those of the code, words are right, and where nothing is alone it is said.

use crate::support::{at_least, at_most, traced};
use tare_analysis::{analyse, Verdict};
use tare_model::{Effort, Policy};
use tare_simulation::{beside, comparison_in, measure, Beside, Body, Comparison, Neighbour, Program, Scene};
use tare_stats::noise::Scenario;

const BODY_NS: f64 = 1000.0;
/// By how much the neighbour slows ordinary code.
const SLOWDOWN: f64 = 1.7;

/// Runs with one case beside this neighbour.
fn times(neighbour: Neighbour, effort: Effort, runs: u64, change: impl Fn(&mut Scene)) -> Beside {
    let scene = |seed| {
        let bodies = vec![Body { turn_ns: 0.0, ..Body::of("b", BODY_NS) }];
        let plain = Scene::new(Scenario::Quiet, bodies, seed).with(Policy::of(effort));
        let mut scene = plain.beside(neighbour, SLOWDOWN);
        change(&mut scene);
        scene
    };
    beside(scene, runs, 10).expect("runs end")
}

/// Runs of `tare compare` beside this neighbour.
fn compared(neighbour: Neighbour, effect: f64, runs: u64, change: impl Fn(&mut Scene)) -> Comparison {
    let scene = |seed| {
        let plain = Scene::new(Scenario::Quiet, Body::pair(BODY_NS, effect), seed);
        let builds = Scene { builds: true, ..plain.with(Policy::comparison(Effort::Default)) };
        let mut scene = builds.beside(neighbour, SLOWDOWN);
        change(&mut scene);
        scene
    };
    comparison_in(scene, effect, runs, 2000).expect("runs end")
}

fn bias(found: &Beside) -> f64 {
    found.bias / found.alone as f64
}

fn half_width(found: &Beside) -> f64 {
    found.half_widths / found.intervals as f64
}

#[test]
#[ignore = "simulation"]
fn nobody_on_the_core_changes_nothing() {
    let nobody = Neighbour::of(0.0, 1e-3);
    for effort in [Effort::Quick, Effort::Default] {
        let with = times(nobody, effort, 240, |_| ());
        let without = times(nobody, effort, 240, |scene| scene.programs[0].windows = false);
        assert_eq!((with.alone, without.alone), (with.runs, 0), "{effort:?}");
        assert!((bias(&with) - without.shared_bias / without.runs as f64).abs() < 0.0015, "{with:?} {without:?}");
        assert!((with.seconds / without.seconds - 1.0).abs() < 0.02, "{effort:?}: {with:?} {without:?}");
        let wider = half_width(&with) / without.shared_half_widths * without.runs as f64;
        // The half-widths of sixteen runs differ by several per cent by their seeds.
        let allowed = 0.05;
        assert!((wider - 1.0).abs() < allowed, "{effort:?}: {wider}");
        assert!(with.covered >= at_least(with.runs, 0.93), "{effort:?}: {with:?}");
    }
    let with = compared(nobody, 0.0, 360, |_| ());
    let without = compared(nobody, 0.0, 360, |scene| scene.programs[0].windows = false);
    assert!(with.slower + with.faster <= at_most(with.runs, 0.01) && with.alone == with.runs, "{with:?}");
    assert!(with.same >= at_least(with.runs, 0.99) && without.same >= at_least(with.runs, 0.99));
    let allowed = 0.1;
    assert!((with.seconds / without.seconds - 1.0).abs() < allowed, "{with:?} {without:?}");
}

#[test]
#[ignore = "simulation"]
fn the_time_is_that_alone_on_the_core() {
    for (share, shorter_s) in
        [(0.2, 1e-3), (0.5, 1e-3), (0.5, 4e-3), (0.8, 4e-3), (0.95, 4e-3), (0.5, 4e-2), (0.8, 4e-2)]
    {
        let found = times(Neighbour::of(share, shorter_s), Effort::Default, 120, |_| ());
        let what = format!("{share} {shorter_s}: {found:?}");
        assert!(found.alone >= at_least(found.runs, 0.9), "{what}");
        assert!(bias(&found).abs() < 0.005, "{what}");
        assert!(found.covered >= at_least(found.intervals, 0.90), "{what}");
        assert!(half_width(&found) < 0.008, "{what}");
    }
}

#[test]
#[ignore = "simulation"]
fn a_runtime_with_a_probe_of_its_own_is_judged_as_native_code_is() {
    for (effort, known) in [(Effort::Quick, true), (Effort::Quick, false), (Effort::Default, false)] {
        let found = times(Neighbour::of(0.5, 4e-3), effort, 120, |scene| {
            (scene.programs[0].own_width, scene.profile) = (true, known);
        });
        let what = format!("{effort:?} {known}: {found:?}");
        assert!(found.alone >= at_least(found.runs, 0.9), "{what}");
        assert!(bias(&found).abs() < 0.005, "{what}");
    }
}

#[test]
#[ignore = "simulation"]
fn a_neighbour_who_never_stops_is_named() {
    for effort in [Effort::Quick, Effort::Default] {
        let found = times(Neighbour::of(1.0, 4e-3), effort, 40, |_| ());
        assert_eq!(found.alone, 0, "{effort:?}: {found:?}");
        assert!((found.shared_bias / found.runs as f64 - SLOWDOWN.ln()).abs() < 0.01, "the time is the shared one");
    }
    for effort in [Effort::Quick, Effort::Default] {
        // Of a runtime whose probe is its own, too: its level is known from other runs.
        let found = times(Neighbour::of(1.0, 4e-3), effort, 40, |scene| scene.programs[0].own_width = true);
        assert_eq!(found.alone, 0, "{effort:?}: {found:?}");
    }
    let same = compared(Neighbour::of(1.0, 4e-3), 0.0, 60, |_| ());
    assert!(same.alone == 0 && same.same >= at_least(same.runs, 0.95), "both sides are shared alike: {same:?}");
}

#[test]
#[ignore = "simulation"]
fn words_are_right_beside_a_neighbour() {
    for (share, shorter_s) in [(0.2, 1e-3), (0.5, 1e-3), (0.5, 4e-3), (0.8, 4e-3), (0.8, 4e-2)] {
        let neighbour = Neighbour::of(share, shorter_s);
        let same = compared(neighbour, 0.0, 120, |_| ());
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{share} {shorter_s}: {same:?}");
        assert!(same.same >= at_least(same.runs, 0.97), "{share} {shorter_s}: {same:?}");
        assert!(same.covered >= at_least(same.runs, 0.95), "{share} {shorter_s}: {same:?}");
        for effect in [0.02, 0.05] {
            let slower = compared(neighbour, effect, 40, |_| ());
            assert!(slower.slower >= at_least(slower.runs, 0.98) && slower.faster == 0, "{effect}: {slower:?}");
            // The mean of three runs is less certain than that of forty.
            let most = 0.003;
            assert!((slower.bias / slower.runs as f64).abs() < most, "{share} {shorter_s} {effect}: {slower:?}");
        }
    }
}

/// What one side loses to a neighbour and the other does not is no difference of their times alone.
#[test]
#[ignore = "simulation"]
fn sides_that_lose_differently_are_the_same_alone() {
    let found = compared(Neighbour::of(0.5, 4e-3), 0.0, 120, |scene| {
        scene.bodies[0].slowdown = 1.2;
        scene.bodies[1].slowdown = 1.9;
    });
    assert!(found.slower + found.faster <= at_most(found.runs, 0.01), "{found:?}");
    assert!(found.same >= at_least(found.runs, 0.97), "{found:?}");
}

/// Readings that tell nothing choose windows by chance: nothing changes but their number.
#[test]
#[ignore = "simulation"]
fn readings_by_chance_change_nothing() {
    for (share, slowdown) in [(0.5, 1.0), (0.8, 1.0), (0.2, SLOWDOWN), (0.5, SLOWDOWN)] {
        let neighbour = Neighbour { placebo: true, ..Neighbour::of(share, 4e-3) };
        let slow = |scene: &mut Scene| scene.bodies.iter_mut().for_each(|body| body.slowdown = slowdown);
        let found = compared(neighbour, 0.0, 80, slow);
        assert!(found.slower + found.faster <= at_most(found.runs, 0.01), "{share} {slowdown}: {found:?}");
        assert!(found.covered >= at_least(found.runs, 0.95), "{share} {slowdown}: {found:?}");
        if slowdown == 1.0 {
            let found = times(neighbour, Effort::Default, 120, slow);
            assert!(bias(&found).abs() < 0.002 && found.covered >= at_least(found.alone, 0.92), "{found:?}");
        }
    }
}

/// One side alone on the core, the other never: what is compared is what both have, and it is not the time alone.
#[test]
#[ignore = "simulation"]
fn sides_that_are_not_shared_alike_are_not_compared_alone() {
    let never_alike = compared(Neighbour::of(1.0, 4e-3), 0.0, 20, |scene| scene.bodies[0].spared = true);
    assert_eq!(never_alike.alone, 0, "{never_alike:?}");
    let hardly = compared(Neighbour::of(0.15, 4e-3), 0.0, 80, |scene| scene.bodies[0].spared = true);
    assert!(hardly.slower + hardly.faster <= at_most(hardly.runs, 0.02), "{hardly:?}");
}

/// He comes and goes between two readings: windows whose ends are alone are not, and that shows by the readings between others.
#[test]
#[ignore = "simulation"]
fn a_neighbour_who_hides_within_windows_is_found_out() {
    for (share, shorter_s) in [(0.2, 4e-5), (0.5, 4e-5), (0.8, 4e-5), (0.5, 1e-4), (0.5, 2e-4)] {
        let neighbour = Neighbour::of(share, shorter_s);
        let found = times(neighbour, Effort::Default, 40, |_| ());
        assert_eq!(found.alone, 0, "{share} {shorter_s}: {found:?}");
        let same = compared(neighbour, 0.0, 60, |_| ());
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{share} {shorter_s}: {same:?}");
    }
    // What still hides is in the interval.
    let found = times(Neighbour::of(0.2, 4e-4), Effort::Default, 120, |_| ());
    assert!(found.alone >= at_least(found.runs, 0.9) && bias(&found) < 0.005, "{found:?}");
    assert!(found.covered >= at_least(found.intervals, 0.95), "{found:?}");
}

/// Four launches are as many as times alone need: a fifth replaces the one beside which the neighbour was restless. A number of launches
/// that the user asked for stays.
#[test]
#[ignore = "simulation"]
fn a_quick_run_makes_one_launch_more_where_one_was_not_alone() {
    let neighbour = Neighbour { restless: 0.15, ..Neighbour::of(0.1, 1e-3) };
    let quick = Policy::of(Effort::Quick);
    let four = Policy { width: 4, waves_min: 1, waves_max: 1, usual_launches: false, ..quick };
    for (policy, wanted, most) in [(quick, 4, 5), (four, 4, 4), (Policy::default(), 12, 12)] {
        let (mut alone, mut with_more) = (0, 0);
        let runs = 200;
        for seed in 0..runs {
            let bodies = vec![Body { turn_ns: 0.0, ..Body::of("b", BODY_NS) }];
            let plain = Scene::new(Scenario::Quiet, bodies, seed).with(policy);
            let measured = measure(&plain.beside(neighbour, SLOWDOWN)).expect("it ends");
            let launches = measured.run.launches.len();
            assert!((wanted..=most).contains(&launches), "{launches} launches");
            with_more += usize::from(launches > wanted);
            let core = measured.report.core.as_ref().expect("judged");
            alone += usize::from(core.cases_alone > 0);
            assert!(launches == wanted || !alone_without_the_last(&measured.run), "the fifth was not needed");
        }
        if most > wanted {
            assert!(with_more > 0 && with_more < runs as usize / 2, "{with_more} of {runs}");
            assert!(alone >= at_least(runs as usize, 0.85), "{alone} of {runs}");
        }
    }
}

/// A neighbour who comes and goes for longer than a launch looks for a pause: launches that met him are made up for at the end of the run, no
/// more of them than bring times alone, and none where he never stops.
#[test]
#[ignore = "simulation"]
fn a_default_run_makes_up_for_launches_that_were_not_alone() {
    let runs = 100;
    let (mut put_off, mut with_more, mut never) = (0, 0, 0);
    for seed in 0..runs {
        let bodies = || vec![Body { turn_ns: 0.0, ..Body::of("b", BODY_NS) }];
        let plain = || Scene::new(Scenario::Quiet, bodies(), seed).with(Policy::default());
        let measured = measure(&plain().beside(Neighbour::of(0.95, 4e-2), SLOWDOWN)).expect("it ends");
        let launches = measured.run.launches.len();
        assert!((12..=18).contains(&launches), "{launches} launches");
        let is_alone = measured.report.core.as_ref().is_some_and(|core| core.cases_alone > 0);
        assert!(launches == 12 || !alone_without_the_last(&measured.run), "the last was not needed");
        put_off += usize::from(launches > 12);
        with_more += usize::from(launches > 12 && is_alone);
        let shared = measure(&plain().beside(Neighbour::of(1.0, 4e-2), SLOWDOWN)).expect("it ends");
        never += usize::from(shared.run.launches.len() != 12);
    }
    assert!(with_more > 0 && put_off < runs as usize, "{with_more} of {put_off} of {runs}");
    assert_eq!(never, 0, "nobody waits for what does not come");
}

fn alone_without_the_last(run: &tare_model::Run) -> bool {
    let mut run = run.clone();
    run.launches.pop();
    tare_analysis::analyse(&run).core.is_some_and(|core| core.cases_alone > 0)
}

/// One side is never alone by its readings and goes on longer in search of it: its further rounds are of no use for the ratio.
#[test]
#[ignore = "simulation"]
fn rounds_of_one_side_are_no_difference() {
    let same = compared(Neighbour::of(0.5, 4e-3), 0.0, 60, |scene| scene.bodies[1].spoils = 1.0);
    assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{same:?}");
    assert!(same.covered >= at_least(same.runs, 0.95), "{same:?}");
}

/// A body that disturbs its own readings on a core that nobody shares is compared in all windows, and rightly.
#[test]
#[ignore = "simulation"]
fn a_body_that_spoils_its_readings_is_compared_rightly() {
    for spoils in [0.02, 0.3, 1.0] {
        let spoiling = |scene: &mut Scene| scene.bodies[1].spoils = spoils;
        let same = compared(Neighbour::of(0.0, 1e-3), 0.0, 60, spoiling);
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{spoils}: {same:?}");
        assert!(same.same >= at_least(same.runs, 0.97), "{spoils}: {same:?}");
    }
}

#[test]
#[ignore = "simulation"]
fn the_level_can_be_taken_from_the_run() {
    for (share, shorter_s) in [(0.0, 1e-3), (0.5, 4e-3), (0.8, 4e-3)] {
        let neighbour = Neighbour::of(share, shorter_s);
        let found = times(neighbour, Effort::Default, 80, |scene| scene.profile = false);
        assert!(found.alone == found.runs && bias(&found).abs() < 0.005, "{share}: {found:?}");
        let same = compared(neighbour, 0.0, 60, |scene| scene.profile = false);
        assert!(same.slower + same.faster <= at_most(same.runs, 0.01), "{share}: {same:?}");
        assert!(same.same >= at_least(same.runs, 0.97), "{share}: {same:?}");
    }
}

/// Children without windows are measured beside the neighbour as they always were.
#[test]
#[ignore = "simulation"]
fn without_windows_the_interval_holds_the_neighbour() {
    let neighbour = Neighbour::of(0.5, 4e-3);
    let found = compared(neighbour, 0.0, 60, |scene| {
        scene.programs = vec![Program { windows: false, ..Program::NATIVE }];
    });
    assert!(found.alone == 0 && found.slower + found.faster <= at_most(found.runs, 0.01), "{found:?}");
}

/// A runtime that starts slowly, beside a neighbour who leaves few windows alone: the wave that is put off for him is the one that confirms, and
/// there is no time left for it.
#[test]
fn a_difference_is_confirmed_whatever_time_is_left() {
    for seed in 0..8 {
        let policy = Policy { budget_s: Some(0.05), first_waves_always: true, ..Policy::of(Effort::Quick) };
        let scene = Scene::new(Scenario::Quiet, Body::pair(BODY_NS, 1.0), seed).with(policy);
        let (_, run, _) = traced(&scene.beside(Neighbour::of(0.9, 4e-2), 1.0));
        let report = analyse(&run);
        let ratio = report.cases.iter().find_map(|case| case.estimates()?.ratio.as_ref()).expect("a ratio");
        assert_eq!(run.launches.iter().map(|launch| launch.wave).max(), Some(2), "{seed}");
        // A third wave that was never alone on the core confirms nothing.
        assert!(ratio.looks == 2 || ratio.verdict == Verdict::Slower, "{seed}: {ratio:?}");
    }
}
