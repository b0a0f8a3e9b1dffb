//! The values of method-vectors.json that the host computes, and the worked golden run.

use crate::common::{close, decide, near, numbers, rows, vectors};
use serde_json::Value;
use tare_stats::*;

fn x() -> (Vec<f64>, Value) {
    let v = vectors();
    (numbers(&v["x"]), v)
}

#[test]
fn locations_and_spreads() {
    let (x, v) = x();
    let number = |name: &str| v[name].as_f64().unwrap();
    close(hodges_lehmann_centre(&x).unwrap(), number("center_HL_x"), 1e-14);
    near(shamos(&x).unwrap(), number("spread_shamos_x"), 1e-14);
    close(trimmed_mean(&x, 0.2).unwrap(), number("trim_mean_20"), 1e-14);
    close(trimmed_se(&x, 0.2).unwrap(), number("trimmed_se_20"), 1e-12);
    near(mad(&x).unwrap(), number("mad_unscaled"), 1e-15);
}

#[test]
fn quantiles() {
    let (mut x, v) = x();
    x.sort_by(f64::total_cmp);
    for (i, p) in [0.25, 0.5, 0.75].into_iter().enumerate() {
        close(harrell_davis(&x, p).unwrap(), numbers(&v["hd_quantiles_.25_.5_.75"])[i], 1e-12);
        close(type7(&x, p).unwrap(), numbers(&v["quantile7_.25_.5_.75"])[i], 1e-14);
    }
}

#[test]
fn multiplicity() {
    let v = vectors();
    let p = numbers(&v["bh_p"]);
    for (got, expected) in benjamini_hochberg(&p).iter().zip(numbers(&v["bh_adj"])) {
        close(*got, expected, 1e-12);
    }
}

#[test]
fn critical_values_of_t() {
    let v = vectors();
    for (key, expected) in v["t_isf"].as_object().unwrap() {
        let (alpha, df) = key.split_once(',').unwrap();
        let (alpha, df): (f64, f64) = (alpha.parse().unwrap(), df.parse().unwrap());
        close(t_isf(alpha / 2.0, df), expected.as_f64().unwrap(), 1e-12);
    }
}

fn golden_waves() -> Vec<Wave> {
    let effects = rows(&vectors()["golden_PE"]);
    effects.iter().map(|e| Wave { a: e[..4].to_vec(), b: e[4..].to_vec(), ..Wave::default() }).collect()
}

#[test]
fn golden_looks() {
    let looks = looks(&golden_waves());
    let v = vectors();
    let expected = v["golden_looks"].as_array().unwrap();
    assert_eq!(looks.len(), expected.len());
    for (look, e) in looks.iter().zip(expected) {
        let number = |name: &str| e[name].as_f64().unwrap();
        assert_eq!(look.look as f64, number("look"));
        near(look.estimate, number("est"), 1e-9);
        near(look.standard_error, number("se"), 1e-9);
        assert_eq!(look.df, number("df"));
        close(look.t, number("t"), 1e-9);
        close(look.p, number("p"), 1e-9);
        close(look.repeated_p, number("repeated_p"), 1e-9);
        for (interval, name) in [(look.rci_90, "rci90"), (look.rci_95, "rci95"), (look.rci_99, "rci99")] {
            let ends = numbers(&e[name]);
            near(interval.lower, ends[0], 1e-9);
            near(interval.upper, ends[1], 1e-9);
        }
    }
}

#[test]
fn golden_run_continues_and_then_says_slower() {
    let rule = StopRule::default();
    let decisions: Vec<Decision> = looks(&golden_waves()).iter().map(|l| decide(l, &rule)).collect();
    assert_eq!(decisions, [Decision::Undecided, Decision::Slower]);
    near((looks(&golden_waves())[1].estimate.exp() - 1.0) * 100.0, 1.893, 0.0005);
}

/// Looks spent by a two-sided boundary with known sd, by recursive integration on a grid.
fn crossing(limits: &[f64]) -> f64 {
    let (step, reach) = (0.005_f64, 12.0_f64);
    let cells = (2.0 * reach / step) as usize + 1;
    let at = |i: usize| -reach + i as f64 * step;
    let kernel_reach = (8.0 / step) as usize;
    let kernel: Vec<f64> =
        (0..=kernel_reach).map(|i| (-0.5 * (i as f64 * step).powi(2)).exp() * step * 0.398_942_28).collect();
    let mut density: Vec<f64> = (0..cells).map(|i| (-0.5 * at(i) * at(i)).exp() * 0.398_942_28).collect();
    let mut crossed = 0.0;
    for (k, &limit) in limits.iter().enumerate() {
        // Sums S_k ~ N(0, k); stop when |S_k| > limit sqrt(k).
        let edge = limit * ((k + 1) as f64).sqrt();
        let inside: Vec<usize> = (0..cells).filter(|&i| at(i).abs() <= edge).collect();
        let (first, last) = (inside[0], inside[inside.len() - 1]);
        let kept: f64 = density[first..=last].iter().sum::<f64>() * step;
        crossed = 1.0 - kept;
        if k + 1 < limits.len() {
            let mut next = vec![0.0; cells];
            for i in first..=last {
                for j in i.saturating_sub(kernel_reach)..=(i + kernel_reach).min(cells - 1) {
                    next[j] += density[i] * kernel[i.abs_diff(j)];
                }
            }
            density = next;
        }
    }
    crossed
}

/// The machinery reproduces the constants of Pocock and O'Brien-Fleming for two to five looks.
#[test]
fn classical_boundaries_spend_five_per_cent() {
    let v = vectors();
    let last = |name: &str| v[name].as_f64().unwrap();
    let pocock = [2.178, 2.289, 2.361, last("pocock_K5_.05")];
    let fleming = [1.977, 2.004, 2.024, last("obf_K5_.05")];
    for (i, (pocock, fleming)) in pocock.into_iter().zip(fleming).enumerate() {
        let looks = i + 2;
        near(crossing(&vec![pocock; looks]), 0.05, 3e-4);
        let limits: Vec<f64> = (1..=looks).map(|k| fleming * (looks as f64 / k as f64).sqrt()).collect();
        near(crossing(&limits), 0.05, 3e-4);
    }
}

/// The critical values printed beside the table, rounded there, agree with its p-levels.
#[test]
fn printed_critical_values_of_four_by_eight() {
    let printed = [
        (0.10, [4.433, 3.102, 2.696, 2.466, 2.300, 2.165, 2.051, 1.953]),
        (0.05, [5.103, 3.494, 3.039, 2.795, 2.629, 2.501, 2.393, 2.303]),
        (0.01, [6.939, 4.410, 3.799, 3.508, 3.324, 3.194, 3.084, 2.992]),
    ];
    for (alpha, limits) in printed {
        for (k, limit) in limits.into_iter().enumerate() {
            let level = Design::of(4).p_level(k + 1, alpha).unwrap();
            close(t_isf(level / 2.0, 6.0 * (k + 1) as f64), limit, 0.0015);
        }
    }
}
