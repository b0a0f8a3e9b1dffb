//! How often each verdict is given, over many sessions with known truth.

use super::{case, defaults, run_side, session, side, Noise, BUSY};
use crate::comparison::compare_saved;
use crate::saved::{Saved, SavedOptions};
use crate::verdict::Verdict;
use tare_stats::rng::Rng;

/// Pairs of sessions in a simulation.
const PAIRS: usize = 3000;

/// Share of each verdict over pairs of sessions: faster, slower, same, unclear.
fn words(make: impl Fn(&mut Rng) -> (Saved, Saved), options: &SavedOptions) -> [f64; 4] {
    let mut rng = Rng::new(0x5a7e_d000);
    let mut counts = [0.0; 4];
    let pairs = PAIRS;
    for _ in 0..pairs {
        let (base, new) = make(&mut rng);
        let comparison = compare_saved(&base, &new, options);
        for row in &comparison.rows {
            counts[row.verdict as usize] += 1.0 / (pairs * comparison.rows.len()) as f64;
        }
    }
    counts
}

fn share(words: [f64; 4], verdict: Verdict) -> f64 {
    words[verdict as usize]
}

fn false_alarms(words: [f64; 4]) -> f64 {
    share(words, Verdict::Faster) + share(words, Verdict::Slower)
}

fn pair(rng: &mut Rng, ratio: f64, launches: usize, noise: Noise) -> (Saved, Saved) {
    let of = |rng: &mut Rng, ns| vec![case("a", session(rng, ns, launches, 10, noise))];
    let base = of(rng, 100.0);
    (side("base", base), side("new", of(rng, 100.0 * ratio)))
}

fn pair_of_runs(rng: &mut Rng, ratio: f64, noise: Noise) -> (Saved, Saved) {
    let (base, new) = pair(rng, ratio, 12, noise);
    (run_side("base", base.cases), run_side("new", new.cases))
}

#[test]
#[ignore = "simulation"]
fn sessions_that_drift_by_three_per_cent_are_not_called_different() {
    for launches in [4, 8, 16] {
        let found = words(|rng| pair(rng, 1.0, launches, BUSY), &defaults());
        assert!(false_alarms(found) <= 0.02, "{launches} launches: {found:?}");
        assert_eq!(share(found, Verdict::Same), 0.0, "saved sessions of other tools are never called the same");
    }
}

#[test]
#[ignore = "simulation"]
fn drift_within_the_session_does_no_harm() {
    // An Ornstein-Uhlenbeck drift of 3 % with 4 s memory; launches come every 0.5 s (the `bad` machine).
    let drifting = |rng: &mut Rng| {
        let keep = (-0.5f64 / 4.0).exp();
        let mut drift = rng.normal();
        let launches = (0..8).map(|_| {
            drift = keep * drift + (1.0 - keep * keep).sqrt() * rng.normal();
            let level = 100f64.ln() + 0.03 * drift + 0.01 * rng.normal();
            (0..10).map(|_| (level + 0.02 * rng.normal()).exp()).collect()
        });
        vec![case("a", launches.collect())]
    };
    let found = words(|rng| (side("base", drifting(rng)), side("new", drifting(rng))), &defaults());
    assert!(false_alarms(found) <= 0.02, "{found:?}");
}

#[test]
#[ignore = "simulation"]
fn a_suite_that_shares_the_drift_of_its_session_stays_silent() {
    // 20 benchmarks per session: their offset is common, so false verdicts would come in clusters.
    let suite = |rng: &mut Rng| {
        let offset = (BUSY.session * rng.normal()).exp();
        let own = Noise { session: 0.0, ..BUSY };
        (0..20).map(|i| case(&format!("b{i}"), session(rng, 100.0 * offset, 5, 6, own))).collect::<Vec<_>>()
    };
    let found = words(|rng| (side("base", suite(rng)), side("new", suite(rng))), &defaults());
    assert!(false_alarms(found) <= 0.02, "{found:?}");
}

#[test]
#[ignore = "simulation"]
fn one_process_a_side_is_not_called_different() {
    // Five times the noise that the test of ResultsComparer tolerates: processes differ by 5 %, their 15 iterations by 0.5 %.
    let noise = Noise { session: 0.03, launch: 0.05, iteration: 0.005 };
    let found = words(|rng| pair(rng, 1.0, 1, noise), &defaults());
    assert!(share(found, Verdict::Unclear) > 0.999_999, "{found:?}");
}

#[test]
#[ignore = "simulation"]
fn what_is_large_is_found() {
    let found = words(|rng| pair(rng, 1.25, 8, BUSY), &defaults());
    assert!(share(found, Verdict::Slower) > 0.95, "{found:?}");
    let found = words(|rng| pair(rng, 0.80, 8, BUSY), &defaults());
    assert!(share(found, Verdict::Faster) > 0.95, "{found:?}");
}

#[test]
#[ignore = "simulation"]
fn runs_at_one_reference_clock_are_called_the_same_when_they_are() {
    let noise = Noise { session: 0.01, launch: 0.005, iteration: 0.02 };
    let same = words(|rng| pair_of_runs(rng, 1.0, noise), &defaults());
    assert!(share(same, Verdict::Same) > 0.90 && false_alarms(same) < 0.01, "{same:?}");
    let at_the_edge = words(|rng| pair_of_runs(rng, 1.05, noise), &defaults());
    assert!(share(at_the_edge, Verdict::Same) <= 0.055, "{at_the_edge:?}");
    let slower = words(|rng| pair_of_runs(rng, 1.10, noise), &defaults());
    assert!(share(slower, Verdict::Slower) > 0.95, "{slower:?}");
}

#[test]
#[ignore = "simulation"]
fn a_lower_threshold_finds_more_between_runs() {
    let noise = Noise { session: 0.01, launch: 0.005, iteration: 0.02 };
    let options = SavedOptions { threshold: 0.02, ..defaults() };
    let found = words(|rng| pair_of_runs(rng, 1.0, noise), &options);
    assert!(false_alarms(found) <= 0.015, "{found:?}");
    let of = |options: &SavedOptions| share(words(|rng| pair_of_runs(rng, 1.055, noise), options), Verdict::Slower);
    let (low, high) = (of(&options), of(&defaults()));
    assert!(low > high + 0.1, "{low} {high}");
}

#[test]
#[ignore = "simulation"]
fn the_interval_covers_the_truth() {
    for launches in [4, 12] {
        let mut rng = Rng::new(7);
        let mut covered = 0;
        let pairs = PAIRS;
        for _ in 0..pairs {
            let (base, new) = pair(&mut rng, 1.1, launches, BUSY);
            let row = &compare_saved(&base, &new, &defaults()).rows[0];
            covered += usize::from(row.interval.expect("launches have an interval").contains(1.1));
        }
        let coverage = covered as f64 / pairs as f64;
        assert!((0.935..0.97).contains(&coverage), "{launches} launches: {coverage}");
    }
}
