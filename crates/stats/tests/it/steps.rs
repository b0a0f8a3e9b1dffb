//! Steps in series with known truth.

use tare_stats::{steps, Rng};

/// Runs at one level with this noise; with `wild`, one value in twenty is wild.
fn series(rng: &mut Rng, n: usize, noise: f64, wild: bool) -> Vec<f64> {
    let mut value = || {
        let far = if wild && rng.below(20) == 0 { 6.0 } else { 1.0 };
        2.0 + noise * far * rng.normal()
    };
    (0..n).map(|_| value()).collect()
}

#[test]
fn equal_runs_give_a_false_alarm_in_at_most_one_of_a_hundred_series() {
    for (n, wild, series_of) in [(12, false, 1500), (40, true, 400), (120, false, 100)] {
        let alarms = (0..series_of).filter(|&at| {
            let mut rng = Rng::new(1_000_000 + at);
            let values = series(&mut rng, n, 0.01, wild);
            steps(&values, 0.0, at).steps.iter().any(|step| step.confirmed)
        });
        let alarms = alarms.count();
        assert!(alarms <= series_of as usize / 100, "{alarms} of {series_of} series of {n} runs");
    }
}

#[test]
fn a_step_lies_where_it_is_said_to_lie() {
    // Steps of 3 and 10 standard deviations, in series as short as can be confirmed.
    for (n, change, widest) in [(12, 0.03, 5.0), (12, 0.1, 2.5), (40, 0.03, 4.0), (40, 0.1, 2.5)] {
        let (mut found, mut held, mut wide) = (0, 0, 0);
        for seed in 0..100 {
            let mut rng = Rng::new(3_000_000 + seed);
            let at = 4 + rng.below(n as u64 - 7) as usize;
            let mut values = series(&mut rng, n, 0.01, false);
            values[at..].iter_mut().for_each(|value| *value += change);
            for step in steps(&values, 0.0, seed).steps.iter().filter(|step| step.confirmed) {
                let (first, last) = step.within;
                found += 1;
                held += usize::from((first..=last).contains(&at));
                wide += last - first + 1;
            }
        }
        let width = wide as f64 / found as f64;
        println!("{n} runs, {change}: {held} of {found} held, {width:.2} places");
        assert!(found > 50 && held * 100 >= found * 95, "{n} runs, {change}: {held} of {found}");
        assert!(width < widest, "{n} runs, {change}: {width} places");
    }
}

/// Runs whose deviations are `alike` times the previous one, plus noise: `old` of them at one level, `new` after a change.
fn dependent(seed: u64, alike: f64, (old, new): (usize, usize), change: f64) -> Vec<f64> {
    let (mut rng, mut last) = (Rng::new(5_000_000 + seed), 0.0);
    let mut wander = || {
        last = alike * last + (1.0 - alike * alike).sqrt() * rng.normal();
        0.01 * last
    };
    // Starts from the stationary distribution.
    (0..30).for_each(|_| _ = wander());
    (0..old + new).map(|at| wander() + if at < old { 0.0 } else { change }).collect()
}

#[test]
#[ignore = "simulation"]
fn runs_that_depend_on_each_other_are_seldom_a_step() {
    // With values permuted one by one, about 18 % and more than half of the series show a step.
    for (alike, runs, most) in [(0.5, (12, 12), 26), (0.5, (40, 40), 14), (0.8, (12, 12), 56), (0.8, (40, 40), 26)] {
        let has_step =
            |seed: &u64| steps(&dependent(*seed, alike, runs, 0.0), 0.0, *seed).steps.iter().any(|s| s.confirmed);
        let alarms = (0..200).filter(has_step).count();
        assert!(alarms <= most, "{alarms} of 200 series of {runs:?} runs, {alike} alike");
    }
}

#[test]
#[ignore = "simulation"]
fn a_clear_step_is_found_in_runs_that_depend_on_each_other() {
    // Wandering runs sometimes have a step of their own beside the young one, which leaves too few runs to confirm it.
    for (alike, least_young) in [(0.0, 100), (0.5, 94), (0.8, 80)] {
        for (runs, least) in [((12, 12), 100), ((15, 15), 96), ((40, 40), 96), ((40, 3), least_young)] {
            let is_found = |seed: &u64| {
                let found = steps(&dependent(*seed, alike, runs, 2.0_f64.ln()), 0.01, *seed).steps;
                found.iter().any(|step| step.confirmed && step.at == runs.0)
            };
            let found = (0..50).filter(is_found).count();
            assert!(2 * found >= least, "{found} of 50 series of {runs:?} runs, {alike} alike");
        }
    }
}

#[test]
fn planted_steps_are_found_where_they_are() {
    let (mut found, mut exact) = (0, 0);
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let mut values = series(&mut rng, 40, 0.01, true);
        values[25..].iter_mut().for_each(|v| *v += 0.05);
        let levels = steps(&values, 0.01, seed);
        if let [step] = levels.steps[..] {
            found += usize::from(step.confirmed && step.interval.contains(0.05));
            exact += usize::from(step.at == 25);
        }
    }
    assert!(found >= 40 && exact >= 45, "{found} found, {exact} at their place");
}

#[test]
fn a_young_step_is_reported_and_not_confirmed() {
    // 3 of 8 runs: no permutation test of so few runs can be certain.
    let values = [0.0, 0.001, -0.001, 0.0005, -0.0004, 0.1, 0.1005, 0.0996];
    let levels = steps(&values, 0.01, 1);
    assert_eq!(levels.steps.len(), 1, "{levels:?}");
    assert!(!levels.steps[0].confirmed && levels.steps[0].at == 5, "{levels:?}");
}

#[test]
fn a_young_step_does_not_change_the_one_before() {
    let wobble = |at: usize| 0.001 * [0.3, -0.8, 0.5, 0.1, -0.4, 0.9, -0.2][at % 7];
    let level = |at: usize| match at {
        0..20 => 100.0_f64,
        20..25 => 110.0,
        _ => 150.0,
    };
    let values: Vec<f64> = (0..28).map(|at| level(at).ln() + wobble(at)).collect();
    let found = steps(&values, 0.01, 1);
    let [old, young] = found.steps[..] else { panic!("{found:?}") };
    assert_eq!((old.at, old.confirmed, young.at, young.confirmed), (20, true, 25, false), "{found:?}");
    assert!((old.change.exp() - 1.1).abs() < 0.002 && old.interval.contains(1.1_f64.ln()), "{found:?}");
    // Levels are those that the steps are between.
    let means: Vec<f64> = found.levels.iter().map(|(.., mean)| mean.exp().round()).collect();
    assert_eq!(means, [100.0, 110.0, 150.0]);
    assert!((found.levels[2].2 - found.levels[1].2 - young.change).abs() < 1e-12, "{found:?}");
}

#[test]
fn steps_below_the_least_change_are_none() {
    let mut values = vec![1.0; 20];
    values.iter_mut().enumerate().for_each(|(at, v)| *v += 1e-4 * (at % 3) as f64);
    values[10..].iter_mut().for_each(|v| *v += 0.005);
    assert!(steps(&values, 0.01, 1).steps.is_empty());
    let found = steps(&values, 0.001, 1);
    assert!(found.steps.len() == 1 && found.steps[0].confirmed && found.steps[0].at == 10, "{found:?}");
}

#[test]
fn a_single_wild_run_is_no_step_and_nothing_panics() {
    let mut values = vec![1.0; 30];
    values.iter_mut().enumerate().for_each(|(at, v)| *v += 0.002 * ((at * 7) % 5) as f64);
    values[15] += 1.0;
    assert!(steps(&values, 0.01, 1).steps.is_empty());
    for odd in [&[][..], &[1.0], &[1.0, 2.0], &[f64::NAN, 1.0], &[1.0; 7], &[0.0, 0.0, 0.0, 1e300, 1e300, -1e300]] {
        let found = steps(odd, 0.01, 1);
        assert!(found.steps.iter().all(|step| !step.confirmed), "{odd:?}: {found:?}");
    }
    assert_eq!(steps(&[3.0; 12], 0.01, 1).levels, [(0, 12, 3.0)]);
}
