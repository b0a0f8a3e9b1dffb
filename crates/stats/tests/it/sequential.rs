//! Effects, looks and decisions on waves made by hand.

use crate::common::{close, decide, near};
use tare_stats::*;

fn normals(rng: &mut Rng, n: usize, centre: f64, sd: f64) -> Vec<f64> {
    (0..n).map(|_| centre + sd * rng.normal()).collect()
}

#[test]
fn effects_take_out_what_a_round_shares() {
    let mut rng = Rng::new(15);
    // Contestants at quite different levels, a strong drift, and half of one process's visits dropped.
    let levels = [0.0, 0.0, 2.0, 2.0, 5.0, 5.0];
    let rows: Vec<Vec<Option<f64>>> = (0..24)
        .map(|r| {
            let drift = 0.3 * (f64::from(r) / 6.0).sin();
            let row = levels
                .iter()
                .enumerate()
                .map(|(j, l)| (j != 2 || r % 2 == 0).then(|| l + drift + 0.001 * rng.normal()));
            row.collect()
        })
        .collect();
    let effects: Vec<ProcessEffect> = process_effects(&rows).into_iter().flatten().collect();
    for (e, level) in effects.iter().zip(levels) {
        near(e.effect - effects[0].effect, level, 0.1);
        assert!(e.standard_error.unwrap() < 0.002, "{:?}", e.standard_error);
    }
    assert_eq!((effects[2].valid, effects[2].rounds[1]), (12, 2));
    let gone = process_effects(&[vec![Some(1.0), None], vec![Some(1.1), None]]);
    assert!(gone[0].is_some() && gone[1].is_none());
}

#[test]
fn looks_with_lost_processes_and_other_plans() {
    let wave = |a: &[f64], b: &[f64]| Wave { a: a.to_vec(), b: b.to_vec(), ..Wave::default() };
    let full = wave(&[0.0, 0.01, -0.01, 0.0], &[0.02, 0.03, 0.01, 0.02]);
    let short = wave(&[0.0, 0.01, -0.01], &[0.02, 0.03, 0.01, f64::NAN]);
    let l = looks(&[full.clone(), short])[1];
    assert_eq!(l.df, 6.0 + 4.0);
    // s² = 8e-4 / 10; var = s² / 4 · (2/4 + 2/3)
    close(l.standard_error, (8e-5_f64 / 4.0 * (0.5 + 2.0 / 3.0)).sqrt(), 1e-12);
    near(l.estimate, 0.02, 1e-12);
    assert_eq!(l.processes_per_side, 4);
    // A wave that lost a side counts as a look but adds nothing.
    let lost = looks(&[full.clone(), wave(&[0.0, 0.0], &[]), full.clone()]);
    assert_eq!(lost.iter().map(|l| l.look).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(lost[1].estimate, lost[0].estimate);
    assert!(lost[1].rci_99.width() < lost[0].rci_99.width(), "a later look may spend more");
    // Plans between the tables use the smaller one; one process a side has no inference.
    assert_eq!((table_for(3), table_for(5), table_for(9), table_for(1)), (Some(2), Some(4), Some(4), None));
    assert!(looks(&[wave(&[0.0], &[1.0])]).is_empty());
    assert_eq!(looks(&vec![full.clone(); 20]).len(), 8);
    // Inflation widens.
    let wide = looks_with(std::slice::from_ref(&full), Design::of(4), 1.44)[0];
    close(wide.standard_error, 1.2 * looks(std::slice::from_ref(&full))[0].standard_error, 1e-12);
    // Effects without spread.
    let flat = looks(&[wave(&[0.0; 4], &[0.0; 4])])[0];
    assert_eq!((flat.t, flat.p, decide(&flat, &StopRule::default())), (0.0, 1.0, Decision::Same));
    let sure = looks(&[wave(&[0.0; 4], &[0.1; 4])])[0];
    assert_eq!((sure.p, decide(&sure, &StopRule::default())), (0.0, Decision::Slower));
}

/// Ten waves of eight: the table has eight looks, and a plan with one look needs none.
#[test]
fn a_fixed_plan_uses_all_its_waves() {
    let mut rng = Rng::new(3);
    let mut wave = |shift: f64| Wave {
        a: normals(&mut rng, 8, 0.0, 0.01),
        b: normals(&mut rng, 8, shift, 0.01),
        ..Wave::default()
    };
    let waves: Vec<Wave> = (0..10).map(|k| wave(if k < 5 { 0.0 } else { 0.2 })).collect();
    let only = only_look(&waves, 1.0).unwrap();
    assert!((only.estimate - 0.1).abs() < 0.01 && only.df == 10.0 * 14.0 + 9.0, "{only:?}");
    close(only.rci_95.upper - only.estimate, t_isf(0.025, only.df) * only.standard_error, 1e-12);
    assert_eq!((looks(&waves).len(), only_look(&[], 1.0)), (8, None));
}

/// Two waves of two launches a side: their differences are a fifth degree of freedom beside four of the launches.
#[test]
fn what_waves_differ_by_is_a_part_of_the_error_of_a_fixed_plan() {
    let wave = |new: f64| Wave { a: vec![0.0, 0.01], b: vec![new, new + 0.01], ..Wave::default() };
    let waves = [wave(0.1), wave(0.2)];
    let look = only_look(&waves, 1.0).unwrap();
    assert_eq!(look.df, 5.0);
    near(look.estimate, 0.15, 1e-12);
    // Squares: four of 0.00005 within sides, and twice 0.05² between waves.
    close(look.standard_error, ((0.0002 + 0.005) / 5.0 / 2.0_f64).sqrt(), 1e-12);
    close(look.p, 0.00121874, 1e-5);
    // Not where launches have partners, and not with later looks.
    let pairs = vec![(0, 0), (1, 1)];
    let paired: Vec<Wave> = waves.iter().map(|w| Wave { pairs: pairs.clone(), ..w.clone() }).collect();
    assert!(only_look(&paired, 1.0).unwrap().standard_error < 0.01);
    assert_eq!(looks(&waves)[1].df, 4.0);
    // One wave has no differences, and a wave that has lost a launch counts as much as it says.
    assert_eq!(only_look(&waves[..1], 1.0).unwrap().df, 2.0);
    let short = Wave { a: vec![0.0, f64::NAN], ..waves[1].clone() };
    assert_eq!(only_look(&[waves[0].clone(), short], 1.0).unwrap().df, 4.0);
}

/// Four launches a side of two speeds: all of one side may be fast, and all of the other slow. Without what waves differ by, 2.4 % of the
/// 99 % intervals leave out the truth in waves that agree.
#[test]
fn few_launches_of_two_speeds_are_no_difference() {
    let mut rng = Rng::new(19);
    let (runs, mut words, mut held) = (6000, 0, 0);
    for _ in 0..runs {
        let mut side = || -> Vec<f64> {
            (0..2).map(|_| if rng.uniform() < 0.5 { 0.15 } else { 0.0 } + 0.01 * rng.normal()).collect()
        };
        let waves: Vec<Wave> = (0..2).map(|_| Wave { a: side(), b: side(), ..Wave::default() }).collect();
        let look = only_look(&waves, 1.0).unwrap();
        words += usize::from(!look.rci_99.contains(0.0) && look.waves_agree);
        held += usize::from(look.rci_95.contains(0.0));
    }
    // 0.008 and 0.93 in a long simulation.
    assert!(words <= 75 && held >= 5510, "{words} and {held} of {runs}");
}

/// Launches of a wave that agree with each other and not with the next wave.
#[test]
fn a_word_needs_waves_that_agree() {
    let wave = |d: f64| Wave { a: vec![0.0, 1e-4, -1e-4, 0.0], b: vec![d, d + 1e-4, d - 1e-4, d], ..Wave::default() };
    let word = |ds: &[f64]| {
        let waves: Vec<Wave> = ds.iter().map(|&d| wave(d)).collect();
        decide(looks(&waves).last().unwrap(), &StopRule::default())
    };
    assert_eq!(word(&[0.03]), Decision::Slower);
    assert_eq!(word(&[0.05, -0.001]), Decision::Undecided);
    assert_eq!(word(&[0.05, 0.001]), Decision::Slower);
    assert_eq!(word(&[-0.05, -0.001, -0.02]), Decision::Faster);
    // A t test over waves, from the fourth on.
    assert_eq!(word(&[0.06, 0.001, 0.001, 0.001]), Decision::Undecided);
    assert_eq!(word(&[0.02, 0.021, 0.019, 0.022]), Decision::Slower);
    assert_eq!(word(&[0.02; 5]), Decision::Slower);
    assert_eq!(word(&[0.0; 5]), Decision::Same);
}

/// Six waves of four pairs: what both of a pair share, or have with opposite signs, beside noise of 1 %.
fn paired(shared: f64, sign: f64, is_paired: bool) -> Look {
    let mut rng = Rng::new(8);
    let mut wave = || {
        let of_place = normals(&mut rng, 4, 0.0, shared);
        let mut side = |sign: f64| {
            let own = normals(&mut rng, 4, 0.0, 0.01);
            of_place.iter().zip(own).map(|(place, own)| sign * place + own).collect::<Vec<_>>()
        };
        let (a, b) = (side(1.0), side(sign));
        Wave { a, b, pairs: (0..4).filter(|_| is_paired).map(|at| (at, at)).collect(), ..Wave::default() }
    };
    let waves: Vec<Wave> = (0..6).map(|_| wave()).collect();
    *looks(&waves).last().unwrap()
}

#[test]
fn pairs_show_what_both_sides_have_in_common() {
    // Nothing: the same interval but for chance. Much: a narrower one. The opposite: a wider one.
    for (shared, sign, least, most) in [(0.0, 1.0, 0.85, 1.15), (0.05, 1.0, 0.25, 0.4), (0.05, -1.0, 1.25, 1.5)] {
        let (with, without) = (paired(shared, sign, true), paired(shared, sign, false));
        assert_eq!(with.estimate, without.estimate);
        let ratio = with.standard_error / without.standard_error;
        assert!((least..most).contains(&ratio), "{shared} {sign}: {ratio}");
        assert!(with.df < without.df && with.df >= 18.0, "{} {}", with.df, without.df);
        assert_eq!((with.processes_per_side, with.look), (4, 6));
    }
}

/// Independent launches that are called pairs: the interval holds the truth as often as it says.
#[test]
fn intervals_of_pairs_cover_as_they_say() {
    let mut rng = Rng::new(11);
    let runs = 4000;
    let mut held = 0;
    for _ in 0..runs {
        let mut wave = || Wave {
            a: normals(&mut rng, 4, 0.0, 0.01),
            b: normals(&mut rng, 4, 0.0, 0.01),
            pairs: (0..4).map(|at| (at, at)).collect(),
            ..Wave::default()
        };
        let waves: Vec<Wave> = (0..5).map(|_| wave()).collect();
        held += usize::from(only_look(&waves, 1.0).unwrap().rci_95.contains(0.0));
    }
    let share = held as f64 / f64::from(runs);
    assert!((share - 0.95).abs() < 4.0 * (0.95 * 0.05 / f64::from(runs)).sqrt(), "{share}");
}

/// Waves of pairs of launches, of which some are lost; the covariance of a pair is `shared`.
fn waves_with_pairs(rng: &mut Rng, count: usize, shared: f64, lost: f64) -> Vec<Wave> {
    let mut wave = || {
        let mut of_pairs = || {
            let (x, y) = (rng.normal(), rng.normal());
            let partner = shared * x + (1.0 - shared * shared).sqrt() * y;
            [x, partner].map(|effect| if rng.uniform() < lost { f64::NAN } else { effect })
        };
        let of: Vec<[f64; 2]> = (0..4).map(|_| of_pairs()).collect();
        let side = |at: usize| of.iter().map(|pair| pair[at]).collect();
        Wave { a: side(0), b: side(1), pairs: (0..4).map(|at| (at, at)).collect(), ..Wave::default() }
    };
    (0..count).map(|_| wave()).collect()
}

/// Sessions of equal code in which some look's repeated 99 % interval leaves no change out, of so many.
fn alarms_with_pairs(seed: u64, sessions: usize, waves: usize, shared: f64, lost: f64) -> usize {
    let mut rng = Rng::new(seed);
    let design = Design { processes_per_side: 4, looks: 32 };
    let is_alarm = |waves: &[Wave]| looks_with(waves, design, 1.0).iter().any(|look| !look.rci_99.contains(0.0));
    (0..sessions).filter(|_| is_alarm(&waves_with_pairs(&mut rng, waves, shared, lost))).count()
}

/// The first six of 32 looks spend 0.26 of the 1 % of all. Where a place does the opposite to both sides, the first pairs show that too
/// uncertainly: a little more is lost.
#[test]
#[ignore = "simulation"]
fn opposed_pairs_cost_little_beyond_what_is_spent() {
    let alarms = alarms_with_pairs(31, 6000, 6, -0.95, 0.0);
    // 0.0061 in a long simulation; 0.0280 where the first two waves of pairs do not count.
    assert!(alarms <= 60, "{alarms} of 6000");
}

/// What pairs share narrows the interval of the launches that have a partner only.
#[test]
#[ignore = "simulation"]
fn launches_without_a_partner_gain_nothing_by_pairs() {
    let alarms = alarms_with_pairs(32, 2500, 32, 0.95, 0.15);
    // 0.0016 in a long simulation; 0.0582 where the gain is given to all launches.
    assert!(alarms <= 12, "{alarms} of 2500");
}

/// Lambda is 1 where waves differ as their launches and pairs say, however these agree.
#[test]
fn pairs_are_no_variance_between_waves() {
    for shared in [0.9, 0.0, -0.9] {
        for count in [3, 5, 7, 16] {
            let mut rng = Rng::new(40 + count as u64);
            let suite: Vec<Vec<Wave>> = (0..1500).map(|_| waves_with_pairs(&mut rng, count, shared, 0.0)).collect();
            let found = lambda_of(suite.iter().map(Vec::as_slice)).unwrap();
            near(found.value, 1.0, 0.12);
            assert_eq!(found.benchmarks, 1500);
        }
    }
}

/// Thirty-two waves of sides of 4 with 64 layouts each, which differ by as much as processes with the same layout do.
#[test]
fn layouts_that_come_again_are_no_new_evidence() {
    let mut rng = Rng::new(12);
    let runs = 400;
    let (mut held, mut unaware, mut wider) = (0, 0, 0.0);
    for _ in 0..runs {
        let of_layout = [normals(&mut rng, 64, 0.0, 0.01), normals(&mut rng, 64, 0.0, 0.01)];
        let waves: Vec<Wave> = (0..32)
            .map(|wave| {
                let layouts: Vec<u64> = (0..4).map(|at| (wave * 4 + at) % 64).collect();
                let mut side = |at: usize| -> Vec<f64> {
                    layouts.iter().map(|&l| of_layout[at][l as usize] + 0.01 * rng.normal()).collect()
                };
                let of_new = layouts.iter().map(|&l| l + 64).collect();
                Wave { a: side(0), b: side(1), layouts: (layouts.clone(), of_new), ..Wave::default() }
            })
            .collect();
        let without: Vec<Wave> = waves.iter().map(|w| Wave { layouts: Default::default(), ..w.clone() }).collect();
        let (with, without) = (only_look(&waves, 1.0).unwrap(), only_look(&without, 1.0).unwrap());
        held += usize::from(with.rci_95.contains(0.0));
        unaware += usize::from(without.rci_95.contains(0.0));
        wider += (with.standard_error / without.standard_error).powi(2) / f64::from(runs);
        // Until one comes again there is nothing to add.
        let early: Vec<Wave> = waves[..16].to_vec();
        let plain: Vec<Wave> = early.iter().map(|w| Wave { layouts: Default::default(), ..w.clone() }).collect();
        assert_eq!(only_look(&early, 1.0), only_look(&plain, 1.0));
    }
    // Half of the variance is that of layouts, and each comes twice.
    assert!((wider - 1.5).abs() < 0.03, "{wider}");
    assert!(held >= 366 && unaware <= 366, "{held} and {unaware} of {runs}");
}

/// With few layouts, their part of the variance is known no better than so few values show it.
#[test]
#[ignore = "simulation"]
fn few_layouts_are_few_degrees_of_freedom() {
    let mut rng = Rng::new(14);
    let (runs, mut missed) = (4000, 0);
    for _ in 0..runs {
        let of_layout = [normals(&mut rng, 8, 0.0, 0.01), normals(&mut rng, 8, 0.0, 0.01)];
        let waves: Vec<Wave> = (0..16_u64)
            .map(|wave| {
                let layouts: Vec<u64> = (0..4).map(|at| (wave * 4 + at) % 8).collect();
                let mut side =
                    |at: usize| layouts.iter().map(|&l| of_layout[at][l as usize] + 0.01 * rng.normal()).collect();
                let (a, b) = (side(0), side(1));
                Wave { a, b, layouts: (layouts.clone(), layouts.iter().map(|&l| l + 8).collect()), ..Wave::default() }
            })
            .collect();
        let look = only_look(&waves, 1.0).unwrap();
        missed += usize::from(!look.rci_99.contains(0.0));
    }
    // 94 where the degrees of freedom were those of all launches.
    assert!(missed <= 68, "{missed} of {runs}");
}

/// Layouts of the same number have the same order of functions, and yet cost each side something else, or the opposite.
#[test]
#[ignore = "simulation"]
fn layouts_of_the_same_number_may_have_nothing_in_common() {
    for opposed in [false, true] {
        let mut rng = Rng::new(15);
        let (runs, mut missed) = (2000, 0);
        for _ in 0..runs {
            let base = normals(&mut rng, 64, 0.0, 0.01);
            let new = if opposed { base.iter().map(|x| -x).collect() } else { normals(&mut rng, 64, 0.0, 0.01) };
            let mut wave = |number: u64| {
                let layouts: Vec<u64> = (0..4).map(|at| (number * 4 + at) % 64).collect();
                let mut side = |of_layout: &[f64]| {
                    layouts.iter().map(|&l| of_layout[l as usize] + 0.004 * rng.normal()).collect::<Vec<_>>()
                };
                let (a, b) = (side(&base), side(&new));
                let pairs = (0..4).map(|at| (at, at)).collect();
                Wave { a, b, pairs, layouts: (layouts.clone(), layouts.clone()) }
            };
            let waves: Vec<Wave> = (0..32).map(&mut wave).collect();
            missed += usize::from(!only_look(&waves, 1.0).unwrap().rci_99.contains(0.0));
        }
        assert!(missed <= 40, "{missed} of {runs}, opposed: {opposed}");
    }
}

/// Both sides are one program: what a layout costs cancels, however often it comes.
#[test]
fn layouts_of_one_program_cancel() {
    let mut rng = Rng::new(13);
    let (runs, mut error, mut square) = (300, 0.0, 0.0);
    for _ in 0..runs {
        let of_layout = normals(&mut rng, 64, 0.0, 0.01);
        let waves: Vec<Wave> = (0..32_u64)
            .map(|wave| {
                let layouts: Vec<u64> = (0..4).map(|at| (wave * 4 + at) % 64).collect();
                let mut side =
                    || layouts.iter().map(|&l| of_layout[l as usize] + 0.003 * rng.normal()).collect::<Vec<_>>();
                let pairs = (0..4).map(|at| (at, at)).collect();
                Wave { a: side(), b: side(), pairs, layouts: (layouts.clone(), layouts.clone()) }
            })
            .collect();
        let look = only_look(&waves, 1.0).unwrap();
        (error, square) = (error + look.standard_error.powi(2), square + look.estimate.powi(2));
    }
    let ratio = (error / square).sqrt();
    // 2.7 where the sides were taken for two programs.
    assert!((1.0..1.6).contains(&ratio), "{ratio}");
}

#[test]
fn weights_and_levels_of_all_plans() {
    let long = |looks: usize| Design { processes_per_side: 4, looks };
    assert_eq!([8, 9, 16, 32, 99].map(|looks| long(looks).max_looks()), [8, 32, 32, 32, 32].map(Some));
    for design in [Design::of(2), Design::of(4), long(32), Design::of(8)] {
        let looks = design.max_looks().unwrap();
        let total: f64 = (1..=looks).map(|k| design.weight(k).unwrap()).sum();
        near(total, 1.0, 1e-12);
        assert_eq!((design.p_level(0, 0.05), design.p_level(looks + 1, 0.05)), (None, None));
        // Untabled levels are not spent beyond: the next smaller row, or the weights.
        assert!(design.p_level(1, 0.03).unwrap() <= design.p_level(1, 0.05).unwrap());
        close(design.p_level(1, 1e-5).unwrap(), 1e-5 * design.weight(1).unwrap(), 1e-12);
        assert_eq!(design.p_level(2, 1.0 - 0.99), design.p_level(2, 0.01));
    }
    // 0.02 is not tabled: the row of 0.01.
    assert_eq!(Design::of(4).p_level(1, 0.02), Some(0.000444));
    assert_eq!(Design::of(2).p_level(1, 0.02), Some(1.64e-4));
}

#[test]
fn closing_words_of_a_comparison() {
    let rule = StopRule::default();
    let mut rng = Rng::new(16);
    let waves: Vec<Wave> = (0..8)
        .map(|_| Wave { a: normals(&mut rng, 4, 0.0, 0.01), b: normals(&mut rng, 4, 0.006, 0.01), ..Wave::default() })
        .collect();
    let last = looks(&waves)[7];
    assert!(launches_needed(&last, &rule).unwrap() >= 32.0);
    assert!(last.rci_90.reach() >= last.estimate.abs());
}

#[test]
fn layouts_have_a_margin() {
    // Rebuilds that differ by 0.7 %, each known to 0.2 %.
    let mut rng = Rng::new(18);
    let builds: Vec<f64> = (0..4000).map(|_| 0.007 * rng.normal() + 0.002 * rng.normal()).collect();
    near(layout_margin(&builds, &vec![0.002; 4000]).unwrap(), 3.0 * 2.0_f64.sqrt() * 0.007, 0.001);
    assert_eq!(layout_margin(&[0.0, 0.0, 0.0], &[0.01; 3]), Some(0.0));
}
