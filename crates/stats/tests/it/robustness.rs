//! Nothing panics on any input, and an invalid sample gives no number.

use crate::common::decide;
use proptest::prelude::*;
use tare_stats::*;

/// Values that have broken statistics before.
fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e3..1e3f64,
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, 1.0, 2.0, -1.0]),
        1 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e-300, 1e300, 1e154,
        ]),
        1 => any::<f64>(),
    ]
}

fn samples() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(wild(), 0..40)
}

/// Calls every function that takes a sample; the answers do not matter here.
fn call_all(x: &[f64], y: &[f64], a: f64, b: f64, n: usize) {
    let _ = (mean(x), median(x), trimmed_mean(x, a), trimmed_se(x, a), centre(x));
    let _ = hodges_lehmann_centre(x);
    let _ = (variance(x), sd(x), mad(x), double_mad(x), shamos(x), iqr(x), winsorised_variance(x, a));
    let _ = (type7(x, a), harrell_davis(x, a));
    let _ = (Summary::of(x), m_value(x), adaptive_histogram(x));
    let _ = (log_histogram(x, a), spark_counts(x, n), t_interval(x, a), t_interval_log(x, a));
    let _ = benjamini_hochberg(x);
    let _ = (optimal_partition(x, a, n), steady_state(x));
    let _ = (dip_test(x), lowland(x, a), between_gap(x, a), dither(x, a, 1), within_modes(x, a, 1));
    let _ = (spearman(x, y), ols(x, y));
    let _ = (double_mad_fences(x, a, b), tukey_fences(x, a), label(x, a), without_upper(x));
    let _ = (layout_margin(x, y), fit_complexity(x, y, None), fit_complexity(x, y, Some(x)));
}

fn call_numbers(a: f64, b: f64, c: f64, n: usize) {
    let _ = (ln_gamma(a), inc_beta_both(a, b, c, 1.0 - c), t_sf(a, b), t_isf(a, b), normal_sf(a), normal_isf(a));
    let _ = (chi2_sf(a, b), chi2_isf(a, b), f_sf(a, b, c), binom_ppf(a, n as u64, b), dip_p_value(a, n));
    let design = Design { processes_per_side: n, looks: n };
    let _ = (design.p_level(n, a), design.weight(n), design.max_looks());
    let look = Look {
        look: n,
        processes_per_side: n,
        planned: n,
        waves_agree: n % 2 == 0,
        estimate: a,
        standard_error: b,
        df: c,
        t: a,
        p: b,
        repeated_p: c,
        rci_90: Interval { lower: a, upper: b },
        rci_95: Interval { lower: b, upper: c },
        rci_99: Interval { lower: c, upper: a },
    };
    let rule = StopRule { minimum_effect_log: a, max_looks: n };
    let _ = (decide(&look, &rule), look.rci_90.reach());
    let _ = launches_needed(&look, &rule);
    let _ = (look.rci_90.map(|x| -x), look.rci_95.width(), Interval::new(a, b));
}

/// A wave with pairs and repeated layouts; the last pair and the last layouts have no effect.
fn whole_wave((a, b): (Vec<f64>, Vec<f64>)) -> Wave {
    let layouts = |side: &[f64]| (0..=side.len() as u64).map(|at| at / 2).collect();
    let pairs = (0..=a.len()).map(|at| (at, at)).collect();
    Wave { pairs, layouts: (layouts(&a), layouts(&b)), a, b }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_sample_panics(x in samples(), y in samples(), a in wild(), b in wild(), n in 0usize..60) {
        call_all(&x, &y, a, b, n);
        call_all(&x, &y, 0.2, 0.3, n);
        let same = vec![a; n];
        call_all(&same, &x, 0.05, 0.3, n);
    }

    #[test]
    fn no_number_panics(a in wild(), b in wild(), c in wild(), n in 0usize..300) {
        call_numbers(a, b, c, n);
        call_numbers(a, b, 0.01, n);
        call_numbers(0.01, b, c, n);
    }

    #[test]
    fn no_wave_panics(
        waves in prop::collection::vec((samples(), samples()).prop_map(whole_wave), 0..12),
        n in 0usize..20, inflation in wild(),
    ) {
        for look in looks(&waves) {
            prop_assert!(look.estimate.is_finite() && look.p.is_finite() && !look.rci_95.lower.is_nan());
        }
        let _ = looks_with(&waves, Design::of(n), inflation);
        let _ = (between_wave_p(&waves), lambda_of([&waves[..], &waves[..]].into_iter()));
    }

    #[test]
    fn no_rounds_panic(rows in prop::collection::vec(prop::collection::vec(prop::option::of(wild()), 0..6), 0..30)) {
        let _ = process_effects(&rows);
    }
}

#[test]
fn what_is_no_sample_gives_no_number() {
    for bad in [&[][..], &[f64::NAN], &[1.0, f64::INFINITY], &[f64::NAN, 1.0, 2.0, 3.0]] {
        assert_eq!(mean(bad), None);
        assert_eq!(median(bad), None);
        assert_eq!(hodges_lehmann_centre(bad), None);
        assert_eq!(variance(bad), None);
        assert_eq!(Summary::of(bad), None);
        assert_eq!(t_interval(bad, 0.95), None);
        assert_eq!(log_histogram(bad, 0.0), None);
        assert!(adaptive_histogram(bad).is_empty() && spark_counts(bad, 8).is_empty());
        assert!(!steady_state(bad).steady);
    }
    assert!(looks(&[]).is_empty() && process_effects(&[]).is_empty() && lambda_of(std::iter::empty()).is_none());
}

#[test]
fn a_single_value_and_a_constant_are_described() {
    let one = Summary::of(&[5.0]).unwrap();
    assert_eq!((one.n, one.mean, one.variance, one.ci_95), (1, 5.0, 0.0, None));
    let flat = Summary::of(&[5.0; 200]).unwrap();
    assert_eq!((flat.standard_error, flat.skewness, flat.m_value), (0.0, None, 2.0));
    assert_eq!(flat.percentiles.p99, Some(5.0));
    assert_eq!(Summary::of(&[5.0; 99]).unwrap().percentiles.p99, None);
}
