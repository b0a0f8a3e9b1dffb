//! The level of a core alone from run to run: a wrong one is mended, and what makes the clock probe too long makes none.

use tare_analysis::windows::{agreed_level, levels_found, remember};
use tare_model::{Effort, LevelFound, Policy};
use tare_simulation::{measure, Body, Measured, Neighbour, Program, Scene, CYCLES_PER_ADDITION};
use tare_stats::noise::Scenario;

const SLOWDOWN: f64 = 1.7;
const EFFORTS: [Effort; 2] = [Effort::Quick, Effort::Default];

fn body(name: &str) -> Body {
    Body { turn_ns: 0.0, ..Body::of(name, 1000.0) }
}

/// A machine whose profile outlives its runs.
struct Machine {
    program: Program,
    known: Vec<LevelFound>,
}

impl Machine {
    fn level(&self) -> Option<f64> {
        Some(agreed_level(self.known.iter().map(LevelFound::vote))?.cycles_per_addition)
    }

    fn is_right(&self) -> bool {
        self.level().is_some_and(|level| (level / CYCLES_PER_ADDITION - 1.0).abs() < 0.015)
    }

    fn run(&mut self, bodies: Vec<Body>, neighbour: Option<Neighbour>, effort: Effort, seed: u64) -> Measured {
        let mut scene = Scene::new(Scenario::Quiet, bodies, seed).with(Policy::of(effort));
        scene = neighbour.into_iter().fold(scene, |scene, neighbour| scene.beside(neighbour, SLOWDOWN));
        (scene.programs, scene.known_width) = (vec![self.program], self.level());
        let measured = measure(&scene).expect("it ends");
        for (_, by, cycles_per_addition) in levels_found(&measured.run) {
            remember(&mut self.known, LevelFound { by, cycles_per_addition, recorded: seed.to_string() });
        }
        measured
    }
}

fn programs() -> [Program; 2] {
    [Program::NATIVE, Program { own_width: true, ..Program::NATIVE }]
}

fn cases_alone(measured: &Measured) -> usize {
    measured.report.core.as_ref().expect("judged").cases_alone
}

#[test]
#[ignore = "simulation"]
fn a_wrong_profile_is_mended_within_three_runs() {
    for (seed, times) in (0..).zip([1.0 / 1.17, 1.17, 1.0 / 6.0, 0.5, 2.0, 6.0]) {
        for (program, neighbour) in programs().into_iter().zip([None, Some(Neighbour::of(0.5, 4e-3))]) {
            for effort in EFFORTS {
                let wrong = LevelFound {
                    by: String::new(),
                    cycles_per_addition: times * CYCLES_PER_ADDITION,
                    recorded: String::new(),
                };
                let mut machine = Machine { program, known: vec![wrong] };
                (0..3).for_each(|run| drop(machine.run(vec![body("a")], neighbour, effort, 10 * seed + run)));
                assert!(machine.is_right(), "{times} {effort:?}: {:?}", machine.known);
                let after = machine.run(vec![body("a")], neighbour, effort, 10 * seed + 9);
                assert_eq!(cases_alone(&after), 1, "{times} {effort:?}: {:?}", after.report.core);
            }
        }
    }
}

/// Wide vectors lengthen the clock probe after them by up to 16 %.
#[test]
#[ignore = "simulation"]
fn a_body_that_stretches_the_clock_probe_makes_no_level() {
    for program in programs() {
        for effort in EFFORTS {
            for with_others in [false, true] {
                let mut machine = Machine { program, known: Vec::new() };
                let vectors = || Body { stretches: 1.16, ..body("vectors") };
                let bodies = || if with_others { vec![vectors(), body("a"), body("b")] } else { vec![vectors()] };
                for seed in 0..3 {
                    let measured = machine.run(bodies(), None, effort, seed);
                    let what = format!("{program:?} {effort:?} {with_others} {seed}");
                    assert_eq!(cases_alone(&measured), bodies().len(), "{what}: {:?}", measured.report.core);
                    assert!(machine.level().is_none() || machine.is_right(), "{what}: {:?}", machine.known);
                }
                machine.run(vec![body("c")], None, effort, 9);
                let after = machine.run(vec![body("c")], None, effort, 10);
                assert!(machine.is_right() && cases_alone(&after) == 1, "{:?}", machine.known);
            }
        }
    }
}

/// The clock probe takes two or six times as long until the process is warm, and beyond.
#[test]
#[ignore = "simulation"]
fn a_clock_probe_that_is_late_in_its_last_tier_makes_no_level() {
    for program in programs() {
        for effort in EFFORTS {
            for late in [(6.3, 1e6), (6.3, 1e8), (2.0, 2e7), (2.0, 1e8)] {
                let mut machine = Machine { program, known: Vec::new() };
                let bodies = || ["a", "b"].map(|name| Body { late_probe: Some(late), ..body(name) }).to_vec();
                for seed in 0..3 {
                    let measured = machine.run(bodies(), None, effort, seed);
                    let what = format!("{program:?} {effort:?} {late:?} {seed}");
                    assert!(machine.level().is_none() || machine.is_right(), "{what}: {:?}", machine.known);
                    let core = measured.report.core.as_ref();
                    assert!(core.is_none_or(|core| core.cases_any == 0), "{what}: {core:?}");
                }
                let after = machine.run(vec![body("c")], None, effort, 9);
                assert!(machine.is_right() && cases_alone(&after) == 1, "{:?}", machine.known);
            }
        }
    }
}

/// A neighbour who stays for many runs is not taken for the core, once it was seen without it.
#[test]
#[ignore = "simulation"]
fn a_neighbour_who_stays_moves_no_level() {
    for program in programs() {
        let mut machine = Machine { program, known: Vec::new() };
        (0..2).for_each(|seed| drop(machine.run(vec![body("a")], None, Effort::Quick, seed)));
        // Always alike, so that its readings are a level of their own.
        let stays = Neighbour { widens: (1.6, 1.6), ..Neighbour::of(1.0, 4e-3) };
        for seed in 2..14 {
            let measured = machine.run(vec![body("a"), body("b")], Some(stays), Effort::Quick, seed);
            assert!(machine.is_right(), "{seed}: {:?}", machine.known);
            assert_eq!(cases_alone(&measured), 0, "{seed}");
        }
    }
}
