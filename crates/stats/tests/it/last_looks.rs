//! A look after which none will follow spends what those before it left.

use crate::common::{decide, is_inside};
use tare_stats::*;

const LONG: Design = Design { processes_per_side: 4, looks: 32 };

/// Waves of four processes a side, whose effects come from `effect`.
fn waves(count: usize, effect: &mut impl FnMut() -> f64) -> Vec<Wave> {
    let mut side = || (0..4).map(|_| effect()).collect::<Vec<f64>>();
    (0..count).map(|_| Wave { a: side(), b: side(), ..Wave::default() }).collect()
}

/// Comparisons of equal code that end by a look before the last, or at it with an interval that leaves no change out, of so many.
fn ended(sessions: usize, design: Design, count: usize, alpha: f64, mut effect: impl FnMut() -> f64) -> usize {
    let interval = |look: &Look| match alpha {
        0.10 => look.rci_90,
        0.05 => look.rci_95,
        _ => look.rci_99,
    };
    let is_error = |waves: &[Wave]| {
        let earlier = looks_with(&waves[..count - 1], design, 1.0);
        let last = last_look(waves, design, 1.0);
        earlier.iter().chain(&last).any(|look| !interval(look).contains(0.0))
    };
    (0..sessions).filter(|_| is_error(&waves(count, &mut effect))).count()
}

#[test]
#[ignore = "simulation"]
fn all_looks_together_spend_the_whole_level() {
    let designs = [(LONG, 4), (LONG, 11), (Design { looks: 16, ..LONG }, 7), (Design::of(4), 5)];
    for (number, (design, count)) in designs.into_iter().enumerate() {
        for (alpha, sessions) in [(0.10, 1500), (0.05, 1500), (0.01, 2000)] {
            let mut rng = Rng::new(700 + number as u64);
            let errors = ended(sessions, design, count, alpha, || rng.normal()) as f64;
            let expected = alpha * sessions as f64;
            assert!(
                (errors - expected).abs() < 4.0 * expected.sqrt(),
                "{design:?} {count} {alpha}: {errors} for {expected}"
            );
        }
    }
}

/// Processes of two speeds that are equally likely: with few of them all fast ones may be on one side, which costs 0.8 % of first looks. Last looks
/// add nothing to that.
#[test]
#[ignore = "simulation"]
fn last_looks_find_no_difference_between_launches_of_two_speeds() {
    let rule = StopRule::default();
    let is_alarm = |look: &Look| matches!(decide(look, &rule), Decision::Slower | Decision::Faster);
    for count in [2, 3, 4, 8] {
        let mut rng = Rng::new(800 + count as u64);
        let mut speeds = || f64::from(u8::from(rng.uniform() < 0.5)) * 0.02 + 0.002 * rng.normal();
        let sessions: Vec<Vec<Wave>> = (0..1500).map(|_| waves(count, &mut speeds)).collect();
        let undecided = sessions.iter().filter(|waves| !looks_with(waves, LONG, 1.0).iter().any(is_alarm));
        let alarms = undecided.filter(|waves| is_alarm(&last_look(waves, LONG, 1.0).unwrap())).count();
        // Without a test over waves it would be 15 after two.
        assert!(alarms <= 5, "{alarms} of 1500 after {count} waves");
    }
}

#[test]
fn a_last_look_is_narrower_from_the_fourth_on() {
    let mut rng = Rng::new(900);
    for design in [LONG, Design::of(4), Design::of(2)] {
        let most = design.max_looks().unwrap();
        let waves = waves(most, &mut || rng.normal());
        for count in 1..=most {
            let usual = *looks_with(&waves[..count], design, 1.0).last().unwrap();
            let last = last_look(&waves[..count], design, 1.0).unwrap();
            if count < 4 {
                assert_eq!(last, usual);
                continue;
            }
            assert_eq!((last.estimate, last.standard_error, last.df), (usual.estimate, usual.standard_error, usual.df));
            for (mine, theirs) in
                [(last.rci_90, usual.rci_90), (last.rci_95, usual.rci_95), (last.rci_99, usual.rci_99)]
            {
                assert!(is_inside(mine, theirs), "{design:?}, look {count}");
            }
            assert!(is_inside(last.rci_95, last.rci_99) && is_inside(last.rci_90, last.rci_95));
            assert!(last.repeated_p <= usual.repeated_p && last.repeated_p >= last.p.min(usual.repeated_p));
            for alpha in [0.2, 0.10, 0.05, 0.03, 0.01, 0.002, 1e-5] {
                let level = design.last_p_level(count, alpha).unwrap();
                assert!(
                    level >= design.p_level(count, alpha).unwrap() && level <= alpha * 1.002,
                    "{count} {alpha} {level}"
                );
            }
        }
        assert_eq!((design.last_p_level(0, 0.05), design.last_p_level(most + 1, 0.05)), (None, None));
        assert_eq!(design.last_weight(most + 1), None);
    }
    assert_eq!(last_look(&[], LONG, 1.0), None);
}
