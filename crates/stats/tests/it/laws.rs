//! Laws that hold for all inputs.

use crate::common::{decide, is_inside};
use proptest::prelude::*;
use tare_stats::*;

fn effects() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-0.1..0.1f64, 3..=4)
}

fn waves() -> impl Strategy<Value = Vec<Wave>> {
    let wave = |(a, b, is_paired): (Vec<f64>, Vec<f64>, bool)| {
        let pairs = (0..a.len().min(b.len())).filter(|_| is_paired).map(|at| (at, at)).collect();
        // Six layouts, by chance.
        let layouts = |side: &[f64]| side.iter().map(|e| (e.abs() * 60.0) as u64).collect();
        let layouts = (layouts(&a), layouts(&b));
        Wave { a, b, pairs, layouts }
    };
    prop::collection::vec((effects(), effects(), any::<bool>()).prop_map(wave), 1..=8)
}

fn sample() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1e3..1e3f64, 2..60)
}

fn approx(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn wave_map(waves: &[Wave], f: impl Fn(&Wave) -> Wave) -> Vec<Wave> {
    waves.iter().map(f).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shifting_b_shifts_the_estimate(waves in waves(), c in -1.0..1.0f64) {
        let shifted = wave_map(&waves, |w| Wave { b: w.b.iter().map(|e| e + c).collect(), ..w.clone() });
        for (l, s) in looks(&waves).iter().zip(looks(&shifted)) {
            prop_assert!(approx(l.estimate + c, s.estimate));
            prop_assert!(approx(l.standard_error, s.standard_error));
            prop_assert!(approx(l.rci_99.lower + c, s.rci_99.lower));
        }
    }

    #[test]
    fn swapping_sides_mirrors_the_verdict(waves in waves(), m in 0.001..0.1f64) {
        let rule = StopRule { minimum_effect_log: m, ..StopRule::default() };
        let swapped = wave_map(&waves, |w| Wave { a: w.b.clone(), b: w.a.clone(), pairs: w.pairs.iter().map(|&(a, b)| (b, a)).collect(), layouts: (w.layouts.1.clone(), w.layouts.0.clone()) });
        for (l, s) in looks(&waves).iter().zip(looks(&swapped)) {
            prop_assert!(approx(l.estimate, -s.estimate));
            prop_assert!(approx(l.p, s.p));
            prop_assert!(approx(l.rci_95.lower, -s.rci_95.upper));
            let mirrored = match decide(&s, &rule) {
                Decision::Slower => Decision::Faster,
                Decision::Faster => Decision::Slower,
                other => other,
            };
            prop_assert_eq!(decide(l, &rule), mirrored);
        }
    }

    #[test]
    fn processes_have_no_order(waves in waves()) {
        let reversed = wave_map(&waves, |w| Wave {
            a: w.a.iter().rev().copied().collect(),
            b: w.b.iter().rev().copied().collect(),
            pairs: w.pairs.iter().map(|&(a, b)| (w.a.len() - 1 - a, w.b.len() - 1 - b)).collect(),
            layouts: (w.layouts.0.iter().rev().copied().collect(), w.layouts.1.iter().rev().copied().collect()),
        });
        for (l, s) in looks(&waves).iter().zip(looks(&reversed)) {
            prop_assert!(approx(l.estimate, s.estimate) && approx(l.p, s.p));
        }
    }

    #[test]
    fn looks_are_nested_and_monotone(waves in waves()) {
        let looks = looks(&waves);
        prop_assert_eq!(looks.len(), waves.len().min(max_looks(waves.iter().map(|w| w.a.len().max(w.b.len())).max().unwrap()).unwrap()));
        for l in &looks {
            prop_assert!(is_inside(l.rci_95, l.rci_99) && is_inside(l.rci_90, l.rci_95));
            let weight = l.design().weight(l.look).unwrap();
            prop_assert!(l.repeated_p <= (l.p / weight).min(1.0));
        }
        prop_assert!(looks.windows(2).all(|w| w[1].repeated_p <= w[0].repeated_p));
        for (k, l) in looks.iter().enumerate() {
            // A look does not change when later waves come, as long as the plan is the same.
            let planned = waves.iter().map(|w| w.a.len().max(w.b.len())).max().unwrap();
            prop_assert_eq!(*l, looks_with(&waves[..=k], Design::of(planned), 1.0)[k]);
        }
    }

    #[test]
    fn same_and_slower_exclude_each_other(waves in waves(), m in 0.001..0.2f64) {
        let rule = StopRule { minimum_effect_log: m, ..StopRule::default() };
        for l in looks(&waves) {
            match decide(&l, &rule) {
                Decision::Same => prop_assert!(l.estimate.abs() < m && l.rci_90.reach() < m),
                Decision::Slower => prop_assert!(l.estimate >= m && l.rci_99.lower > 0.0),
                Decision::Faster => prop_assert!(l.estimate <= -m && l.rci_99.upper < 0.0),
                Decision::Undecided => {}
            }
        }
    }

    #[test]
    fn effects_follow_scale_and_rounds(
        rows in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, -1.0..1.0f64), 6), 2..30),
        c in -3.0..3.0f64,
    ) {
        // All times multiplied: every effect moves by the log of the factor.
        let scaled: Vec<Vec<Option<f64>>> = rows.iter().map(|r| r.iter().map(|y| y.map(|y| y + c)).collect()).collect();
        let mut reversed = rows.clone();
        reversed.reverse();
        let (e, s, r) = (process_effects(&rows), process_effects(&scaled), process_effects(&reversed));
        for j in 0..e.len() {
            match (&e[j], &s[j], &r[j]) {
                (Some(e), Some(s), Some(r)) => {
                    prop_assert!(approx(e.effect + c, s.effect) || e.valid < 2);
                    prop_assert!(approx(e.effect, r.effect));
                    prop_assert_eq!(e.valid, e.residuals.len());
                    prop_assert_eq!(e.valid, e.rounds.len());
                }
                (None, None, None) => prop_assert!(rows.iter().all(|row| row[j].is_none())),
                _ => prop_assert!(false),
            }
        }
    }

    #[test]
    fn pair_estimators_agree_with_all_pairs(x in sample()) {
        let walsh: Vec<f64> = (0..x.len()).flat_map(|i| (i..x.len()).map(move |j| (i, j))).map(|(i, j)| 0.5 * x[i] + 0.5 * x[j]).collect();
        prop_assert!(approx(hodges_lehmann_centre(&x).unwrap(), median(&walsh).unwrap()));
        let distances: Vec<f64> = (0..x.len()).flat_map(|i| (i + 1..x.len()).map(move |j| (i, j))).map(|(i, j)| (x[i] - x[j]).abs()).collect();
        prop_assert!(approx(shamos(&x).unwrap(), median(&distances).unwrap()));
    }

    #[test]
    fn locations_shift_and_spreads_scale(x in sample(), c in -100.0..100.0f64, k in 0.1..10.0f64) {
        let moved: Vec<f64> = x.iter().map(|v| k * v + c).collect();
        let shift = |f: fn(&[f64]) -> Option<f64>| (f(&x).unwrap() * k + c, f(&moved).unwrap());
        for (expected, got) in [shift(mean), shift(median), shift(hodges_lehmann_centre)] {
            prop_assert!(approx(expected, got));
        }
        let scale = |f: fn(&[f64]) -> Option<f64>| (f(&x).unwrap() * k, f(&moved).unwrap());
        for (expected, got) in [scale(sd), scale(mad), scale(shamos), scale(iqr)] {
            prop_assert!((expected - got).abs() < 1e-7);
        }
        prop_assert!(approx(trimmed_mean(&x, 0.2).unwrap() * k + c, trimmed_mean(&moved, 0.2).unwrap()));
    }

    #[test]
    fn quantiles_rise_and_stay_inside(mut x in sample()) {
        x.sort_by(f64::total_cmp);
        let (low, high) = (x[0], x[x.len() - 1]);
        let mut before = [low; 2];
        for i in 0..=20 {
            let p = f64::from(i) / 20.0;
            let now = [type7(&x, p), harrell_davis(&x, p)].map(Option::unwrap);
            for (b, n) in before.iter().zip(now) {
                prop_assert!(n >= low - 1e-9 && n <= high + 1e-9);
                prop_assert!(n >= b - 1e-6 * (high - low));
            }
            before = now;
        }
    }

    #[test]
    fn inverse_tails_invert(p in 1e-12..0.999f64, df in 0.7..200.0f64) {
        crate::common::close(t_sf(t_isf(p, df), df), p, 1e-9);
        crate::common::close(normal_sf(normal_isf(p)), p, 1e-9);
        crate::common::close(chi2_sf(chi2_isf(p, df), df), p, 1e-8);
    }

    #[test]
    fn adjusted_p_values_are_ordered(p in prop::collection::vec(0.0..1.0f64, 1..40)) {
        let q = benjamini_hochberg(&p);
        for i in 0..p.len() {
            prop_assert!(p[i] <= q[i] + 1e-12);
            for j in 0..p.len() {
                prop_assert!(p[i] > p[j] || q[i] <= q[j] + 1e-12);
            }
        }
    }

    #[test]
    fn partition_is_optimal(
        levels in prop::collection::vec((-3.0..3.0f64, 1..25usize), 1..5),
        penalty in 0.0..30.0f64, min in 1..9usize, seed in 0..1000u64,
    ) {
        let mut rng = tare_stats::Rng::new(seed);
        let xs: Vec<f64> = levels.iter().flat_map(|(l, n)| vec![*l; *n]).map(|l| l + rng.normal()).collect();
        let segments = optimal_partition(&xs, penalty, min);
        prop_assert_eq!(segments[0].start, 0);
        prop_assert_eq!(segments[segments.len() - 1].end, xs.len());
        prop_assert!(segments.windows(2).all(|w| w[0].end == w[1].start));
        prop_assert!(segments.len() == 1 || segments.iter().all(|s| s.end - s.start >= min));
        let got: f64 = segments.iter().map(|s| squares(&xs[s.start..s.end]) + penalty).sum();
        prop_assert!(got <= least_cost(&xs, penalty, min) + 1e-6, "{} {}", got, least_cost(&xs, penalty, min));
    }

    #[test]
    fn histograms_count_every_value(x in prop::collection::vec(0.1..1e6f64, 1..200), quantum in 0.0..10.0f64) {
        prop_assert_eq!(adaptive_histogram(&x).iter().map(|b| b.count).sum::<usize>(), x.len());
        let h = log_histogram(&x, quantum).unwrap();
        prop_assert_eq!(h.below + h.above + h.bins.iter().map(|b| b.count).sum::<usize>(), x.len());
        prop_assert!(h.bins.len() <= 40);
        prop_assert!(spark_counts(&x, 8).iter().sum::<usize>() <= x.len());
    }
}

fn squares(xs: &[f64]) -> f64 {
    let centre = xs.iter().sum::<f64>() / xs.len() as f64;
    xs.iter().map(|x| (x - centre) * (x - centre)).sum()
}

/// The textbook recursion.
fn least_cost(xs: &[f64], penalty: f64, min: usize) -> f64 {
    if xs.len() < 2 * min {
        return squares(xs) + penalty;
    }
    let mut best = vec![f64::INFINITY; xs.len() + 1];
    best[0] = 0.0;
    for end in min..=xs.len() {
        for start in 0..=end - min {
            best[end] = best[end].min(best[start] + squares(&xs[start..end]) + penalty);
        }
    }
    best[xs.len()]
}
