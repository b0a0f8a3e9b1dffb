//! Values of SciPy, diptest and perfolizer (see `vectors/reference.py`).

use crate::common::{close, near, numbers, reference, rows};
use tare_stats::*;

fn check(name: &str, relative: f64, f: impl Fn(&[f64]) -> f64) {
    for row in rows(&reference()[name]) {
        let (arguments, expected) = row.split_at(row.len() - 1);
        let got = f(arguments);
        let error = (got - expected[0]).abs();
        assert!(
            error <= relative * expected[0].abs() || error < 1e-290,
            "{name}{arguments:?}: {got:e}, {:e}",
            expected[0]
        );
    }
}

#[test]
fn special_functions() {
    check("ln_gamma", 1e-11, |a| ln_gamma(a[0]));
    check("reg_inc_beta", 1e-10, |a| inc_beta_both(a[0], a[1], a[2], 1.0 - a[2]).0);
    check("normal_sf", 1e-12, |a| normal_sf(a[0]));
    check("normal_isf", 1e-12, |a| normal_isf(a[0]));
    check("t_sf", 1e-10, |a| t_sf(a[0], a[1]));
    check("t_isf", 1e-10, |a| t_isf(a[0], a[1]));
    check("chi2_sf", 1e-11, |a| chi2_sf(a[0], a[1]));
    check("chi2_isf", 1e-10, |a| chi2_isf(a[0], a[1]));
    check("f_sf", 1e-11, |a| f_sf(a[0], a[1], a[2]));
    check("binom_ppf", 0.0, |a| binom_ppf(a[0], a[1] as u64, a[2]).unwrap() as f64);
}

#[test]
fn calibration_limits_of_the_method() {
    assert_eq!(binom_ppf(0.99, 100, 0.01), Some(4));
    assert_eq!(binom_ppf(0.99, 300, 0.01), Some(8));
    assert_eq!(binom_ppf(0.99, 1000, 0.01), Some(18));
}

#[test]
fn lines_and_intervals() {
    let r = reference();
    let sizes: Vec<f64> = (1..=20).map(f64::from).collect();
    let line = ols(&sizes, &numbers(&r["noisy"])).unwrap();
    let expected = numbers(&r["ols"]);
    close(line.slope, expected[0], 1e-10);
    close(line.intercept, expected[1], 1e-10);
    close(line.p, expected[3], 1e-10);
    close(line.standard_error, expected[4], 1e-10);
    let ranks = spearman(&sizes, &numbers(&r["noisy"])).unwrap();
    close(ranks.rho, numbers(&r["spearman"])[0], 1e-10);
    close(ranks.p, numbers(&r["spearman"])[1], 1e-10);
    let interval = t_interval(&numbers(&r["x"]), 0.99).unwrap().interval;
    close(interval.lower, numbers(&r["t_interval_99"])[0], 1e-12);
    close(interval.upper, numbers(&r["t_interval_99"])[1], 1e-12);
}

#[test]
fn shape_and_quantiles() {
    let r = reference();
    let mut x = numbers(&r["x"]);
    let summary = Summary::of(&x).unwrap();
    close(summary.skewness.unwrap(), r["skew"].as_f64().unwrap(), 1e-10);
    close(summary.kurtosis.unwrap(), r["kurtosis"].as_f64().unwrap(), 1e-10);
    x.sort_by(f64::total_cmp);
    for row in rows(&r["hd"]) {
        close(harrell_davis(&x, row[0]).unwrap(), row[1], 1e-10);
    }
}

#[test]
fn dips() {
    for case in reference()["dip"].as_array().unwrap() {
        near(dip_statistic(&numbers(&case[0])).unwrap(), case[1].as_f64().unwrap(), 1e-12);
    }
    // The example of the R package diptest (62 of its 63 values; value of the Python package).
    let tied = [
        30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41, 42, 43, 43, 43, 44, 44, 45, 45, 46, 47, 47, 48,
        48, 48, 49, 50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60, 60, 60, 61, 61, 61, 61, 62, 62, 62,
        62, 63, 66, 70, 72, 72,
    ];
    let dip = dip_test(&tied.map(f64::from)).unwrap();
    near(dip.statistic, 0.060_483_870_967_741_94, 1e-12);
    near(dip.p, 0.0814, 0.008);
}

/// Cases of perfolizer's `MultimodalTests` (MIT, Andrey Akinshin).
#[test]
fn m_values_of_perfolizer() {
    let repeat = |values: &[f64], n: usize| -> Vec<f64> { values.iter().flat_map(|v| vec![*v; n]).collect() };
    near(m_value(&repeat(&[1.0], 6)), 2.0, 1e-4);
    near(m_value(&repeat(&[1.0, 2.0], 5)), 4.0, 1e-4);
    near(m_value(&repeat(&[1.0, 2.0, 3.0], 9)), 6.0, 1e-4);
    let case4 = [1, 2, 3, 3, 3, 4, 5, 10, 11, 11, 11, 12, 40, 41, 41, 41, 42].map(f64::from);
    near(m_value(&case4), 2.8333, 1e-4);
    let case5 = [
        173, 147, 153, 141, 139, 117, 126, 145, 133, 181, 166, 139, 138, 146, 145, 142, 121, 108, 128, 122, 149, 118,
        113, 117, 129, 148, 124, 141, 143, 109, 144, 106, 98, 116, 129, 136, 131, 179, 115, 142, 152, 148, 133, 138,
        114, 142, 151, 151, 144, 160, 151, 134, 133, 135, 109, 126, 123, 140, 141, 136, 122, 134, 148, 141, 133, 132,
        166, 134, 112, 158, 135, 95, 141, 113, 105, 137, 150, 152, 151, 114, 142, 132, 112, 159, 119, 141, 129, 122,
        102, 135, 137, 147, 131, 107, 135, 133, 120, 166, 132, 122, 144, 127,
    ];
    near(m_value(&case5.map(f64::from)), 2.4516, 1e-4);
    let case6 = [
        1173, 147, 153, 141, 139, 117, 126, 145, 133, 181, 166, 139, 138, 148, 124, 141, 143, 109, 144, 106, 98, 116,
        129, 136, 131, 179, 115, 142, 152, 197, 148, 133, 138, 114, 196, 142, 151, 151, 144, 160, 151, 134, 133, 135,
        109, 126, 123, 140, 141, 136, 219, 122, 134, 148, 226, 199, 221, 141, 132, 133, 166, 134, 112, 158, 135, 95,
        141, 113, 105, 189, 150, 137, 152, 151, 114, 142, 132, 112, 132, 122, 144, 127,
    ];
    near(m_value(&case6.map(f64::from)), 2.2143, 1e-4);
}

/// Cases of perfolizer's `AdaptiveHistogramTests` (MIT, Andrey Akinshin).
#[test]
fn adaptive_histograms_of_perfolizer() {
    let counts = |xs: &[f64]| adaptive_histogram(xs).iter().map(|b| b.count).collect::<Vec<_>>();
    assert_eq!(counts(&[6.9550, 6.9743, 7.0469]), [3]);
    assert_eq!(counts(&[0.0, 0.0, 0.0]), [3]);
    assert_eq!(counts(&[1e-8, 2e-8, 3e-8, 4e-8, 1.000_000_01, 1.000_000_02, 1.000_000_03, 1.000_000_04]), [4, 0, 4]);
    let three: Vec<f64> = [1.0, 2.0, 3.0].iter().flat_map(|v| [*v; 9]).collect();
    assert_eq!(counts(&three), [9, 0, 9, 0, 9]);
}
