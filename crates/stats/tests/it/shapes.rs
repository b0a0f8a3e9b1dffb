//! Warm-up, modes, outliers, growth: helpers of a report on data with known truth.

use crate::common::{close, near};
use tare_stats::*;

fn normals(rng: &mut Rng, n: usize, centre: f64, sd: f64) -> Vec<f64> {
    (0..n).map(|_| centre + sd * rng.normal()).collect()
}

#[test]
fn the_generator_is_the_same_everywhere() {
    let mut rng = Rng::new(42);
    let words: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
    assert_eq!(words, [15021278609987233951, 5881210131331364753, 18149643915985481100, 12933668939759105464]);
    let mut other = Rng::new(42).fork(7);
    assert_ne!(other.next_u64(), words[0]);
    assert_eq!(Rng::new(42).fork(7), Rng::new(42).fork(7));
    let mut items: Vec<u8> = (0..10).collect();
    Rng::new(1).shuffle(&mut items);
    assert_eq!(items, GOLDEN_SHUFFLE);
    let bits: Vec<u64> =
        [Rng::new(3).normal(), Rng::new(3).exponential(), Rng::new(3).uniform()].iter().map(|x| x.to_bits()).collect();
    assert_eq!(bits, GOLDEN_BITS);
}

const GOLDEN_SHUFFLE: [u8; 10] = [4, 7, 9, 3, 2, 1, 5, 0, 6, 8];
const GOLDEN_BITS: [u64; 3] = [13825210935194894815, 4587773312714010605, 4587575751954543312];

#[test]
fn the_portable_logarithm_agrees_with_the_system() {
    // An exponential number is minus the logarithm of one minus a uniform one.
    let (mut rng, mut same) = (Rng::new(7), Rng::new(7));
    for _ in 0..10_000 {
        let x = 1.0 - same.uniform();
        assert!((rng.exponential() + x.ln()).abs() <= 4e-16 * x.ln().abs().max(1.0), "{x}");
    }
}

#[test]
fn the_generator_has_the_right_moments() {
    let mut rng = Rng::new(9);
    let n = 100_000;
    let draw = normals(&mut rng, n, 0.0, 1.0);
    near(mean(&draw).unwrap(), 0.0, 0.012);
    near(sd(&draw).unwrap(), 1.0, 0.01);
    let waits: Vec<f64> = (0..n).map(|_| rng.exponential()).collect();
    near(mean(&waits).unwrap(), 1.0, 0.013);
    let mut counts = [0; 6];
    (0..n).for_each(|_| counts[rng.below(6) as usize] += 1);
    let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - n as f64 / 6.0).powi(2) / (n as f64 / 6.0)).sum();
    assert!(chi2_sf(chi2, 5.0) > 1e-3);
    assert_eq!((rng.below(0), rng.below(1)), (0, 0));
}

#[test]
fn a_million_values_are_summarised() {
    let mut rng = Rng::new(2);
    let xs: Vec<f64> = (0..1_000_000).map(|_| 100.0 * (0.1 * rng.normal()).exp()).collect();
    let summary = Summary::of(&xs).unwrap();
    near(summary.m_value, 2.0, 0.3);
    close(summary.median, 100.0, 0.001);
}

#[test]
fn robust_estimators_take_large_samples() {
    let mut rng = Rng::new(3);
    let xs = normals(&mut rng, 20_000, 10.0, 2.0);
    near(hodges_lehmann_centre(&xs).unwrap(), 10.0, 0.06);
    near(shamos(&xs).unwrap(), 2.0 * 0.9539, 0.05);
}

#[test]
fn change_points_of_a_long_pilot() {
    for steps in [0, 40] {
        let mut rng = Rng::new(4);
        let xs: Vec<f64> = (0..20_000)
            .map(|i| 0.02 * rng.normal() + if steps > 0 { 0.1 * f64::from((i * steps / 20_000) % 2) } else { 0.0 })
            .collect();
        assert_eq!(steady_state(&xs).segments.len(), steps.max(1) as usize);
    }
}

/// The five curves, batches of 5 ms over 2 s.
#[test]
fn warm_up_of_known_curves() {
    let pilot = |f: &dyn Fn(f64) -> f64| {
        let mut rng = Rng::new(8);
        let xs: Vec<f64> = (0..400).map(|i| 0.01 * rng.normal() + f(f64::from(i) * 0.005)).collect();
        steady_state(&xs)
    };
    let flat = pilot(&|_| 0.0);
    assert_eq!((flat.segments.len(), flat.steady, flat.warmup, flat.settled), (1, true, 0, 400));
    let step = pilot(&|t| if t < 0.125 { 0.4 } else { 0.0 });
    assert!(step.steady && (31..=33).contains(&step.warmup), "{step:?}");
    let decay = pilot(&|t| 0.5 * (-t / 0.2).exp());
    assert!(decay.steady && (100..=280).contains(&decay.warmup), "{decay:?}");
    let late = pilot(&|t| if t < 1.0 { 0.1 } else { 0.0 });
    assert!(late.steady && (248..=253).contains(&late.warmup), "{late:?}");
    let slower = pilot(&|t| if t < 0.75 { 0.0 } else { 0.05 });
    assert!(slower.steady && (186..=190).contains(&slower.warmup), "{slower:?}");
    let cycle = pilot(&|t| if (t / 0.2) as i64 % 2 == 0 { 0.0 } else { 0.1 });
    assert!(!cycle.steady, "{cycle:?}");
    // Single wild points are no change.
    let mut xs: Vec<f64> = normals(&mut Rng::new(8), 400, 0.0, 0.01);
    (0..400).step_by(37).for_each(|i| xs[i] += 1.0);
    assert_eq!(steady_state(&xs).warmup, 0);
}

#[test]
fn modes_within_processes() {
    let mut rng = Rng::new(6);
    let one = normals(&mut rng, 400, 0.0, 0.01);
    let found = within_modes(&one, 0.0, 1).unwrap();
    assert!(!found.modal && found.modes.len() == 1, "{found:?}");
    let two: Vec<f64> = (0..400).map(|i| 0.01 * rng.normal() + if i % 5 == 0 { 0.06 } else { 0.0 }).collect();
    let found = within_modes(&two, 0.0, 1).unwrap();
    assert!(found.modal && found.modes.len() == 2, "{found:?}");
    near(found.modes[1].share, 0.2, 0.03);
    near(found.modes[1].location, 0.06, 0.01);
    let even: Vec<f64> = (0..400).map(|i| 0.01 * rng.normal() + if i % 2 == 0 { 0.06 } else { 0.0 }).collect();
    let found = within_modes(&even, 0.0, 1).unwrap();
    assert!(found.modal && found.dip.p < 1e-3, "{found:?}");
    // A timer of half a standard deviation: dithering keeps it from looking like modes.
    let coarse: Vec<f64> = one.iter().map(|x| (x / 0.005).round() * 0.005).collect();
    assert!(within_modes(&coarse, 0.0, 1).unwrap().modal);
    assert!(!within_modes(&coarse, 0.005, 1).unwrap().modal);
    assert_eq!(within_modes(&one[..199], 0.0, 1), None);
}

/// Rates of the tests for modes (lowland .5, dip p < .01), with tolerance for 60 runs.
#[test]
#[ignore = "simulation"]
fn mode_detectors_have_the_rates_of_the_method() {
    let rate = |n: usize, runs: u32, draw: &dyn Fn(&mut Rng, usize) -> f64, detect: &dyn Fn(&[f64]) -> bool| {
        let mut rng = Rng::new(n as u64);
        let hits = (0..runs).filter(|_| detect(&(0..n).map(|i| draw(&mut rng, i)).collect::<Vec<_>>())).count();
        hits as f64 / f64::from(runs)
    };
    let lowlands = |xs: &[f64]| lowland(xs, 0.5).unwrap().len() > 1;
    let dips = |xs: &[f64]| dip_test(xs).unwrap().p < 0.01;
    let normal = |r: &mut Rng, _: usize| r.normal();
    let half = |r: &mut Rng, i: usize| r.normal() + if i % 2 == 0 { 4.0 } else { 0.0 };
    let fifth = |r: &mut Rng, i: usize| r.normal() + if i % 5 == 0 { 6.0 } else { 0.0 };
    assert!(rate(300, 60, &normal, &lowlands) <= 0.04);
    assert!(rate(300, 60, &normal, &dips) <= 0.04);
    near(rate(300, 60, &half, &dips), 0.99, 0.05);
    near(rate(64, 60, &half, &dips), 0.30, 0.2);
    near(rate(300, 60, &fifth, &lowlands), 0.92, 0.1);
    near(rate(64, 60, &fifth, &lowlands), 0.26, 0.2);
    near(rate(300, 60, &half, &lowlands), 0.32, 0.2);
}

#[test]
fn gaps_between_processes() {
    let mut rng = Rng::new(10);
    let one = normals(&mut rng, 32, 0.0, 0.01);
    assert_eq!(between_gap(&one, 0.004), None);
    let mut two = one.clone();
    two[..6].iter_mut().for_each(|e| *e += 0.08);
    let [low, high] = between_gap(&two, 0.002).unwrap();
    near(high.share, 6.0 / 32.0, 1e-12);
    near(high.location - low.location, 0.08, 0.02);
    // Precise processes that simply differ are one mode.
    let alarms = (0..500).filter(|_| between_gap(&normals(&mut rng, 24, 0.0, 0.01), 0.0005).is_some()).count();
    assert!(alarms <= 14, "{alarms}");
    // One odd process is no mode, and fewer than 16 say nothing.
    let mut odd = one.clone();
    odd[0] = 1.0;
    assert_eq!(between_gap(&odd, 0.004), None);
    assert_eq!(between_gap(&two[..15], 0.002), None);
}

#[test]
fn outliers_are_labelled_and_removed_on_demand() {
    let mut xs: Vec<f64> = (0..100).map(|i| 100.0 + f64::from(i % 10)).collect();
    xs.extend([200.0, 210.0, 1.0]);
    let labels = label(&xs, 0.0).unwrap();
    assert_eq!((labels.low, labels.high), (1, 2));
    assert_eq!(without_upper(&xs).len(), 101);
    // A coarse timer: without the guard everything off the median would be an outlier.
    let mut coarse = vec![10.0; 50];
    coarse.extend([11.0; 10]);
    assert_eq!(label(&coarse, 0.0).unwrap().high, 10);
    assert_eq!(label(&coarse, 1.0).unwrap().high, 0);
}

#[test]
fn growth_is_recognised() {
    let sizes: Vec<f64> = (4..14).flat_map(|k| [f64::from(1 << k); 3]).collect();
    for class in Complexity::ALL {
        let mut rng = Rng::new(13);
        let costs: Vec<f64> = sizes.iter().map(|&n| 7.0 * class.at(n) * (0.03 * rng.normal()).exp()).collect();
        let fits = fit_complexity(&sizes, &costs, None).unwrap();
        let best = fits.through_origin[0];
        assert_eq!((best.complexity, best.rank), (class, 1));
        close(best.coefficient, 7.0, 0.03);
        near(best.rms, 0.03, 0.012);
    }
    // A fixed cost hides the class from a fit through the origin.
    let costs: Vec<f64> = sizes.iter().map(|&n| 5000.0 + 3.0 * n).collect();
    let fits = fit_complexity(&sizes, &costs, None).unwrap();
    let best = fits.with_constant[0];
    assert_eq!(best.complexity, Complexity::Linear);
    close(best.coefficient, 3.0, 1e-6);
    close(best.constant.unwrap(), 5000.0, 1e-6);
    assert_ne!(fits.through_origin[0].complexity, Complexity::Linear);
}

#[test]
fn drift_is_seen() {
    let mut rng = Rng::new(14);
    let still = normals(&mut rng, 60, 1.0, 0.01);
    let moving: Vec<f64> = still.iter().enumerate().map(|(i, x)| x + 0.001 * i as f64).collect();
    let rounds: Vec<f64> = (0..60).map(f64::from).collect();
    assert!(ols(&rounds, &still).unwrap().p > 0.01 && spearman(&rounds, &still).unwrap().p > 0.01);
    assert!(ols(&rounds, &moving).unwrap().p < 1e-6 && spearman(&rounds, &moving).unwrap().p < 1e-6);
}

#[test]
fn a_share_of_samples_that_may_differ_by_chance_does_not_change() {
    let change = tare_stats::proportion::change;
    assert_eq!(change([100, 110], [1000, 1000]), None);
    assert!(change([100, 200], [1000, 1000]).is_some_and(|change| change > 0.0));
    assert!(change([200, 100], [1000, 1000]).is_some_and(|change| change < 0.0));
    assert_eq!((change([0, 1], [3, 3]), change([0, 0], [0, 0])), (None, None));
}
