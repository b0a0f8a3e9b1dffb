//! Histories with planted changes.

use tare_stats::bisection::*;
use tare_stats::Rng;

/// Searches a history whose commits have these log times with measurements of this error; returns the number of measurements too.
fn search(history: History, level: &[f64], bad: f64, error: f64, seed: u64) -> (Step, usize) {
    let mut rng = Rng::new(seed);
    let mut bisection = Bisection::new(history);
    for made in 0..200 {
        match bisection.step() {
            Step::Measure(commit) => {
                let estimate = level[commit] - 0.5 * bad + error * rng.normal();
                // The estimated error of a measurement is inexact too.
                let standard_error = error * (1.0 + 0.2 * rng.normal()).max(0.3);
                bisection.measured(commit, Distance { estimate, standard_error, df: 27.0 });
            }
            end => return (end, made),
        }
    }
    panic!("no end");
}

/// Number of 400 searches among 64 commits that find the culprit, and the mean number of measurements.
fn found(step: f64, second: f64, error: f64) -> (usize, f64) {
    let (mut hits, mut measured) = (0, 0);
    for seed in 0..400_u64 {
        let mut rng = Rng::new(1000 + seed);
        let (culprit, other) = (rng.below(64) as usize, rng.below(64) as usize);
        let level = |at: usize| f64::from(at >= culprit) * step + f64::from(at >= other) * second;
        let levels: Vec<f64> = (0..64).map(level).collect();
        let history = History::line(64).expect("a history");
        let (end, made) = search(history, &levels, step + second, error, seed);
        hits += usize::from(end == Step::Found(vec![culprit]));
        measured += made;
    }
    (hits, measured as f64 / 400.0)
}

#[test]
#[ignore = "simulation"]
fn a_planted_step_is_found_with_few_measurements() {
    // 10 % with an error of 1 %, and of 3 %: a third of the step.
    let (clear, of_clear) = found(0.10, 0.0, 0.01);
    assert!(clear >= 396 && of_clear < 8.5, "{clear} {of_clear}");
    let (noisy, of_noisy) = found(0.10, 0.0, 0.03);
    assert!(noisy >= 388 && of_noisy < 25.0, "{noisy} {of_noisy}");
    // A second step, a third of the first.
    let (two, of_two) = found(0.10, 0.033, 0.01);
    assert!(two >= 388 && of_two < 12.0, "{two} {of_two}");
    let (back, _) = found(0.10, -0.033, 0.01);
    assert!(back >= 388, "{back}");
}

#[test]
fn commits_that_cannot_be_measured_are_left_out() {
    let search = |broken: std::ops::Range<usize>, culprit: usize| {
        let mut bisection = Bisection::new(History::line(64).expect("a history"));
        for made in 0..64 {
            match bisection.step() {
                Step::Measure(commit) if broken.contains(&commit) => bisection.broken(commit),
                Step::Measure(commit) => {
                    let estimate = if commit >= culprit { 0.05 } else { -0.05 };
                    bisection.measured(commit, Distance { estimate, standard_error: 0.005, df: 27.0 });
                }
                end => return (end, made),
            }
        }
        panic!("no end");
    };
    assert_eq!(search(28..36, 50).0, Step::Found(vec![50]));
    let (end, made) = search(28..36, 31);
    assert_eq!(end, Step::Found((28..=36).collect()));
    assert!(made < 22, "{made}");
    assert_eq!(search(0..63, 31).0, Step::Found((0..64).collect()));
}

#[test]
fn a_miss_that_is_not_the_commits_own_leaves_it_in_the_search() {
    // A commit is tried again after a failure, and a success counts.
    let mut bisection = Bisection::new(History::line(2).expect("a history"));
    bisection.missed(0);
    assert_eq!(bisection.step(), Step::Measure(0));
    let good = Distance { estimate: -0.05, standard_error: 0.001, df: 27.0 };
    bisection.measured(0, good);
    assert_eq!(bisection.step(), Step::Found(vec![1]));
    // A measurement stays, whatever happens later.
    bisection.broken(0);
    (0..MISSES_MAX).for_each(|_| bisection.missed(0));
    assert_eq!((bisection.step(), bisection.distance(0)), (Step::Found(vec![1]), Some(good)));
    // Only a few retries.
    let mut bisection = Bisection::new(History::line(2).expect("a history"));
    (0..MISSES_MAX).for_each(|_| bisection.missed(0));
    assert_eq!(bisection.step(), Step::Found(vec![0, 1]));
    // A commit that breaks after it was measured is not measured again forever.
    let mut bisection = Bisection::new(History::line(2).expect("a history"));
    bisection.measured(0, Distance { estimate: 0.0, standard_error: 0.01, df: 27.0 });
    bisection.broken(0);
    assert_eq!(bisection.step(), Step::Stuck(vec![0, 1]));
    // Others are measured first.
    let mut bisection = Bisection::new(History::line(64).expect("a history"));
    let Step::Measure(first) = bisection.step() else { panic!("nothing is known") };
    bisection.missed(first);
    assert!(matches!(bisection.step(), Step::Measure(next) if next != first), "{first}");
}

#[test]
fn merges_are_searched_by_what_commits_contain() {
    // 0 - 1 - 2 - - - 6 - 7 and 1 - 3 - 4 - 5 - 6.
    let parents = [vec![], vec![0], vec![1], vec![1], vec![3], vec![4], vec![2, 5], vec![6]];
    let history = History::new(&parents).expect("a history");
    assert!(history.contains(6, 4) && !history.contains(2, 3) && !history.contains(5, 2));
    for culprit in 0..8 {
        let level: Vec<f64> = (0..8).map(|at| f64::from(history.contains(at, culprit)) * 0.1).collect();
        let (end, made) = search(history.clone(), &level, 0.1, 0.005, 7);
        assert_eq!(end, Step::Found(vec![culprit]), "after {made}");
    }
    assert_eq!(History::new(&[vec![1], vec![]]), None, "a parent stands before its child");
    assert_eq!(History::new(&[vec![], vec![]]), None, "the last contains all");
    assert_eq!((History::new(&[]), History::line(0)), (None, None));
}

#[test]
fn what_cannot_be_decided_ends() {
    let mut bisection = Bisection::new(History::line(2).expect("a history"));
    for made in 0..20 {
        match bisection.step() {
            Step::Measure(commit) => {
                bisection.measured(commit, Distance { estimate: 0.0, standard_error: 0.01, df: 27.0 });
            }
            end => {
                assert!(end == Step::Stuck(vec![0, 1]) && made <= REPEATS_MAX, "{end:?} {made}");
                return;
            }
        }
    }
    panic!("no end");
}

#[test]
fn measurements_of_a_commit_are_pooled() {
    let of = |estimate| Distance { estimate, standard_error: 0.01, df: 20.0 };
    let pooled = Distance::pooled(&[of(0.02), of(0.03)]).expect("pooled");
    assert!((pooled.estimate - 0.025).abs() < 1e-12 && pooled.df == 40.0, "{pooled:?}");
    assert!((pooled.standard_error - 0.01 / 2.0_f64.sqrt()).abs() < 1e-12, "{pooled:?}");
    let apart = Distance::pooled(&[of(0.05), of(-0.05)]).expect("pooled");
    assert!(apart.standard_error > 0.04 && (apart.bad() - 0.5).abs() < 1e-9, "{apart:?}");
    assert_eq!(Distance::pooled(&[]), None);
    let nothing = Distance { estimate: 0.1, standard_error: f64::NAN, df: 0.0 };
    assert_eq!(nothing.bad(), 0.5);
    assert_eq!(Distance { estimate: 1.0, standard_error: 0.0, df: 9.0 }.bad(), 1.0 - DOUBT);
}
