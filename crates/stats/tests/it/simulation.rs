//! The method against simulated machines: false alarms, power, coverage.

use crate::common::decide;
use tare_stats::*;

/// Process effects of one wave of W = 4 by the usual design: 24 rounds, visits of 1 ms, order A, B, B, A.
fn wave(machine: &mut Machine, rng: &mut Rng, clock: &mut f64, seeds: &mut u64, effect: f64) -> Wave {
    let mut processes: Vec<Process> = (0..8)
        .map(|_| {
            *seeds += 1;
            machine.process(*seeds, 0.007 * rng.normal())
        })
        .collect();
    *clock += 0.5;
    let mut rounds = Vec::new();
    for _ in 0..24 {
        let (mut a, mut b) = ([0, 1, 2, 3], [4, 5, 6, 7]);
        rng.shuffle(&mut a);
        rng.shuffle(&mut b);
        let (first, second) = if rng.uniform() < 0.5 { (a, b) } else { (b, a) };
        let mut row = vec![None; 8];
        for pair in [0, 2] {
            for j in [first[pair], second[pair], second[pair + 1], first[pair + 1]] {
                let change = if j >= 4 { effect } else { 0.0 };
                let log_time = machine.visit(&mut processes[j], *clock, 0.001) + change;
                // One visit in twenty is dropped by its covariate.
                row[j] = (rng.uniform() > 0.05).then_some(log_time);
                *clock += 0.00115;
            }
        }
        rounds.push(row);
    }
    let effects: Vec<f64> = process_effects(&rounds).into_iter().flatten().map(|e| e.effect).collect();
    Wave { a: effects[..4].to_vec(), b: effects[4..].to_vec(), ..Wave::default() }
}

/// Looks of a run of at most 8 waves until the rule decides.
fn run(scenario: Scenario, seed: u64, effect: f64, rule: &StopRule) -> (Decision, Vec<Look>) {
    let mut machine = Machine::new(scenario, seed);
    let mut rng = Rng::new(seed).fork(99);
    let (mut clock, mut seeds) = (0.0, seed * 1000);
    let mut waves = Vec::new();
    loop {
        waves.push(wave(&mut machine, &mut rng, &mut clock, &mut seeds, effect));
        let looks = looks(&waves);
        let last = looks[looks.len() - 1];
        let decision = decide(&last, rule);
        if decision != Decision::Undecided || last.look >= rule.max_looks {
            return (decision, looks);
        }
    }
}

fn ungated(looks: &[Look]) -> bool {
    looks.iter().any(|l| !l.rci_99.contains(0.0))
}

/// At most 7 ungated alarms of 200 at a nominal 1 %; more have a probability of .001.
#[test]
#[ignore = "simulation"]
fn two_hundred_comparisons_of_the_same_thing() {
    for scenario in [Scenario::Quiet, Scenario::Ci, Scenario::Bad] {
        // Nothing ends the run early, so all eight looks are taken.
        let endless = StopRule { minimum_effect_log: f64::NAN, max_looks: 8 };
        let alarms = (0..200).filter(|&seed| ungated(&run(scenario, seed, 0.0, &endless).1)).count();
        println!("{scenario:?}: {alarms} ungated alarms");
        assert!(alarms <= 7, "{scenario:?}: {alarms} alarms");
    }
}

/// +2 % is found, mostly early; equal sides are called the same.
#[test]
fn two_per_cent_are_found() {
    let rule = StopRule::default();
    for scenario in [Scenario::Quiet, Scenario::Ci] {
        let results: Vec<(Decision, Vec<Look>)> =
            (0..100).map(|s| run(scenario, 500 + s, 0.02_f64.ln_1p(), &rule)).collect();
        let slower = results.iter().filter(|(d, _)| *d == Decision::Slower).count();
        let waves = results.iter().map(|(_, l)| l.len()).sum::<usize>() as f64 / 100.0;
        println!("{scenario:?}: slower {slower} of 100, {waves} waves");
        assert!(slower >= 95, "{scenario:?}: {slower}");
        let same = (0..100).filter(|s| run(scenario, 900 + s, 0.0, &rule).0 == Decision::Same).count();
        println!("{scenario:?}: same {same} of 100");
        assert!(same >= 60, "{scenario:?}: {same}");
    }
}

#[test]
fn t_interval_covers_as_it_says() {
    for (n, confidence) in [(4, 0.95), (8, 0.95), (8, 0.99), (16, 0.9)] {
        let mut rng = Rng::new(n as u64);
        let runs = 8000;
        let hits = (0..runs)
            .filter(|_| {
                let xs: Vec<f64> = (0..n).map(|_| 3.0 + rng.normal()).collect();
                t_interval(&xs, confidence).unwrap().interval.contains(3.0)
            })
            .count();
        let error = (confidence * (1.0 - confidence) / f64::from(runs)).sqrt();
        let coverage = hits as f64 / f64::from(runs);
        assert!((coverage - confidence).abs() < 4.0 * error, "n={n}: {coverage} for {confidence}");
    }
}

fn normal_waves(rng: &mut Rng, count: usize, wave_effect: f64) -> Vec<Wave> {
    let mut draw = |shift: f64| (0..4).map(|_| 0.01 * rng.normal() + shift).collect::<Vec<f64>>();
    (0..count)
        .map(|i| Wave { a: draw(0.0), b: draw(wave_effect * (i as f64 * 2.3).sin()), ..Wave::default() })
        .collect()
}

/// Lambda is 1 for an honest design, and shows a side-by-wave effect.
#[test]
fn lambda_of_honest_and_broken_designs() {
    let mut rng = Rng::new(5);
    let honest: Vec<Vec<Wave>> = (0..400).map(|_| normal_waves(&mut rng, 4, 0.0)).collect();
    let value = lambda_of(honest.iter().map(Vec::as_slice)).unwrap();
    assert!((value.value - 1.0).abs() < 0.12, "{value:?}");
    assert!(value.lower_99 < 1.0 && value.inflation() == 1.0, "{value:?}");
    let broken: Vec<Vec<Wave>> = (0..40).map(|_| normal_waves(&mut rng, 4, 0.02)).collect();
    let value = lambda_of(broken.iter().map(Vec::as_slice)).unwrap();
    assert!(value.lower_99 > 1.3 && value.inflation() == value.value, "{value:?}");
    assert!(between_wave_p(&broken[0]).unwrap() < 0.2);
    // The bound is below the truth in 99 of 100 suites.
    let above = (0..300)
        .filter(|_| {
            let suite: Vec<Vec<Wave>> = (0..20).map(|_| normal_waves(&mut rng, 3, 0.0)).collect();
            lambda_of(suite.iter().map(Vec::as_slice)).unwrap().lower_99 > 1.0
        })
        .count();
    assert!(above <= 9, "{above}");
}

/// The generator has the spreads it is asked for, and moves forward only.
#[test]
fn the_noise_is_what_it_says() {
    let quiet = Parameters {
        neighbours: Neighbours { rate: 0.0, ..Scenario::Ci.parameters().neighbours },
        bursts: Bursts { rate: 0.0, ..Scenario::Ci.parameters().bursts },
        ..Scenario::Ci.parameters()
    };
    let mut machine = Machine::with(quiet, 1);
    let offsets: Vec<f64> = (0..2000).map(|s| machine.process(s, 0.0).offset()).collect();
    assert!((sd(&offsets).unwrap() - 0.01).abs() < 0.0008);
    // Visits of 10 ms, far apart: drift, AR(1) and independent noise about the offset.
    let mut process = machine.process(3, 0.0);
    let offset = process.offset();
    let visits: Vec<f64> = (0..4000).map(|i| machine.visit(&mut process, f64::from(i) * 50.0, 0.01) - offset).collect();
    let expected = (0.015_f64.powi(2) + 0.006_f64.powi(2) + 0.003_f64.powi(2)).sqrt();
    assert!((sd(&visits).unwrap() / expected - 1.0).abs() < 0.06, "{:?}", sd(&visits));
    // Two processes at the same time share the drift.
    let (mut p, mut q) = (machine.process(8, 0.0), machine.process(9, 0.0));
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for i in 0..1000 {
        let at = 300_000.0 + f64::from(i) * 50.0;
        x.push(machine.visit(&mut p, at, 0.1));
        y.push(machine.visit(&mut q, at, 0.1));
    }
    assert!(spearman(&x, &y).unwrap().rho > 0.85);
    // The bad machine spends 30 % of the time in a slow state that costs 2 %, and one process in five is 4 % slow.
    let bad = Scenario::Bad.parameters();
    assert_eq!((bad.slow_share, bad.slow_cost, bad.switch_share, bad.switch_cost), (0.2, 0.04, 0.3, 0.02));
}

#[test]
fn the_noise_is_reproducible_and_never_hangs() {
    let series = |seed: u64| {
        let mut machine = Machine::new(Scenario::Bad, seed);
        let mut p = machine.process(1, 0.0);
        (0..200).map(|i| machine.visit(&mut p, f64::from(i) * 0.01, 0.001)).collect::<Vec<_>>()
    };
    assert_eq!(series(4), series(4));
    assert_ne!(series(4), series(5));
    let mut machine = Machine::new(Scenario::Bad, 1);
    let mut p = machine.process(1, 0.0);
    for at in [0.0, 1e3, f64::NAN, -5.0, 1e12, f64::INFINITY, f64::MAX, 0.0] {
        for duration in [0.001, 0.0, -1.0, f64::NAN, 1e9, f64::MAX] {
            assert!(machine.visit(&mut p, at, duration).is_finite(), "{at} {duration}");
        }
    }
}
