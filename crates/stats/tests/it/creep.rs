//! Creep in series with known truth, and false alarms.

use tare_stats::{creep, Rng, CREEP_RUNS_MIN};

/// Runs whose deviations are `alike` times the previous one, plus noise; `1.0` is a random walk.
fn wandering(seed: u64, n: usize, alike: f64) -> Vec<f64> {
    let (mut rng, mut last) = (Rng::new(7_000_000 + seed), 0.0);
    let new = if alike < 1.0 { (1.0 - alike * alike).sqrt() } else { 0.3 };
    let mut wander = || {
        last = alike * last + new * rng.normal();
        0.01 * last
    };
    (0..n).map(|_| wander()).collect()
}

/// Shares of series in which a creep is found.
fn seen(series: u64, of: impl Fn(u64) -> Vec<f64>) -> f64 {
    (0..series).filter(|&seed| creep(&of(seed), 0.01).is_some()).count() as f64 / series as f64
}

#[test]
fn flat_and_drifting_histories_are_no_creep() {
    for (alike, n, most) in [
        (0.0, 25, 0.0),
        (0.0, 100, 0.0),
        (0.5, 40, 0.002),
        (0.8, 40, 0.01),
        (0.8, 100, 0.01),
        (1.0, 40, 0.03),
        (1.0, 100, 0.03),
    ] {
        let share = seen(1000, |seed| wandering(seed, n, alike));
        println!("{alike} alike, {n} runs: {share}");
        assert!(share <= most, "{alike} alike, {n} runs: {share}");
    }
}

#[test]
fn steps_are_no_creep() {
    let steps = |cuts: &'static [usize], each: f64| {
        move |seed: u64| {
            let mut values = wandering(seed, 40, 0.0);
            cuts.iter().for_each(|&cut| values[cut..].iter_mut().for_each(|v| *v += each));
            values
        }
    };
    // Equal steps at equal distances are almost a creep.
    for (cuts, each, most) in
        [(&[20][..], 0.1, 0.0), (&[13, 27], 0.05, 0.01), (&[10, 20, 30], 0.05, 0.08), (&[30], 0.02, 0.0)]
    {
        let share = seen(500, steps(cuts, each));
        println!("steps of {each} at {cuts:?}: {share}");
        assert!(share <= most, "steps of {each} at {cuts:?}: {share}");
    }
}

#[test]
fn a_creep_is_seen_with_its_sum() {
    for (n, flat, each, noise) in [(40, 0, 0.005, 1.0), (28, 0, 0.01, 1.0), (40, 0, 0.005, 0.2), (40, 30, 0.005, 1.0)] {
        let of = |seed: u64| {
            let values = wandering(seed, n + flat, 0.0);
            values
                .iter()
                .enumerate()
                .map(|(at, v)| noise * v + each * at.saturating_sub(flat) as f64)
                .collect::<Vec<f64>>()
        };
        let share = seen(300, of);
        let sums = (0..300).filter(|&seed| {
            creep(&of(seed), 0.01).is_some_and(|c| c.interval.contains(each * (n + flat - 1 - c.from.max(flat)) as f64))
        });
        let right = sums.count() as f64 / 300.0;
        println!("{n} runs of {each} after {flat}, noise {noise}: {share}, sum in interval {right}");
        assert!(share >= 0.95, "{n} runs of {each} after {flat}: {share}");
        assert!(flat > 0 || right >= 0.88, "{right}");
    }
}

#[test]
fn a_creep_downwards_and_odd_series_do_no_harm() {
    let down: Vec<f64> = wandering(1, 40, 0.0).iter().enumerate().map(|(at, v)| v - 0.01 * at as f64).collect();
    assert!(creep(&down, 0.01).is_some_and(|c| c.change < -0.3));
    for odd in [&[][..], &[1.0], &[f64::NAN; 30], &[1.0; 30], &[1e300; 40]] {
        assert_eq!(creep(odd, 0.01), None);
    }
    assert_eq!(creep(&down[..CREEP_RUNS_MIN - 1], 0.01), None);
}
