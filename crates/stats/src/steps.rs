//! Steps in a history: lasting changes of level in a series of one value a run.
//!
//! Two rules of different kinds must agree, because a false alarm costs somebody an afternoon:
//!
//! 1. **Potts.** The series is cut into levels by exact least squares with a penalty for each level
//!    ([`optimal_partition`]); its cuts are candidates. Single wild values are pulled in first.
//! 2. **E-divisive.** Of a candidate the two levels around it are looked at as one stretch: the energy statistic of its
//!    best cut (Székely & Rizzo 2004; Matteson & James 2014) is compared with that of its permutations. As every cut of
//!    every permutation is tried too, the choice of the cut is paid for.
//!
//! A candidate that fails the second rule is dropped and its levels are joined, except for the newest one: it may be too young, and
//! is reported as not confirmed.

use crate::changepoint::optimal_partition;
use crate::interval::Interval;
use crate::location::{mean, median};
use crate::order::usable;
use crate::outliers::MAD_TO_SD;
use crate::rng::Rng;
use crate::special::t_isf;
use crate::spread::variance;
use std::collections::BTreeMap;

/// Fewest runs of a level.
pub const LEVEL_MIN: usize = 3;
/// Fewest runs from which a step can be confirmed: of fewer there are too few permutations.
pub const STEP_RUNS_MIN: usize = 10;
/// Penalty of a level in noise variances is this times ln n.
const PENALTY: f64 = 4.0;
/// A step is confirmed at this probability of being seen without one.
const ALPHA: f64 = 0.01;
/// Permutations of a stretch.
const PERMUTATIONS: usize = 999;
/// Permutations after which a cut that none of them reached is no longer tried. Under chance alone one of 400 is, and nearly all of these
/// would have passed all the same.
const PERMUTATIONS_OF_NONE: usize = 399;
/// Standard deviations of an autocorrelation without any from which it is believed.
const ALIKE_SD: f64 = 1.5;
/// Greatest autocorrelation that is believed.
const ALIKE_MAX: f64 = 0.9;
/// Fewest blocks that are permuted: of fewer there are too few permutations.
const BLOCKS_MIN: usize = 8;
/// Runs on either side of a candidate that the second rule looks at.
const STRETCH: usize = 40;
/// Robust standard deviations beyond which a value is pulled in.
const WINSOR: f64 = 3.0;
/// Half of the window whose median a value is compared with.
const HALF_WINDOW: usize = 3;
/// Noise below this (log scale) is not believed.
const LEAST_NOISE: f64 = 1e-4;
/// Distances at which values are compared to see their noise: a slow drift shows at the greater ones.
const LAGS: std::ops::RangeInclusive<usize> = 1..=3;
/// Runs that a series must have for each run of such a distance.
const RUNS_OF_LAG: usize = 8;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// Index of the first value of the new level.
    pub at: usize,
    /// Difference of the levels, new - old.
    pub change: f64,
    /// Its 95 % interval (Welch); infinite where a level has no spread to see.
    pub interval: Interval,
    /// Probability of such a cut without a step, from permutations.
    pub p: f64,
    /// Both rules agree, and the change is at least the least one that was asked for.
    pub confirmed: bool,
}

/// What a series says.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Levels {
    /// First index, index after the last, and mean of each level, in order.
    pub levels: Vec<(usize, usize, f64)>,
    /// The changes between them, in order. All are confirmed if the last one is.
    pub steps: Vec<Step>,
}

/// The levels of a series of log values, one a run, and the steps between them. Changes below `least_change` are none.
///
/// Nothing for an empty series or one with a value that is not finite.
pub fn steps(log_values: &[f64], least_change: f64, seed: u64) -> Levels {
    if !usable(log_values) {
        return Levels::default();
    }
    let noise = noise(log_values);
    let tame = tamed(log_values, noise);
    let n = tame.len();
    let penalty = PENALTY * (n as f64).ln() * noise * noise;
    let mut ends: Vec<usize> = optimal_partition(&tame, penalty, LEVEL_MIN).iter().map(|s| s.end).collect();
    let newest = ends.iter().rev().nth(1).copied();
    let mut rule = SecondRule { values: log_values, least_change, rng: Rng::new(seed), known: BTreeMap::new() };
    let mut found = rule.tested(&ends);
    // The least certain goes first: what is left is tested against all that is not a step of its own.
    while let Some(weakest) = weakest(&found) {
        ends.remove(weakest);
        found = rule.tested(&ends);
    }
    // One that is too young to be confirmed is reported.
    if let Some(at) = newest.filter(|at| ends.iter().rev().nth(1).is_none_or(|last| last < at)) {
        if let Some(with) = rule.with_young(&ends, at) {
            (ends, found) = with;
        }
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let levels = starts.zip(&ends).map(|(from, &to)| (from, to, mean(&log_values[from..to]).unwrap_or(0.0)));
    Levels { levels: levels.collect(), steps: found }
}

/// The second rule, with the stretches that were looked at: most are the same ones after a candidate is dropped.
struct SecondRule<'a> {
    values: &'a [f64],
    least_change: f64,
    rng: Rng,
    /// Probability of a cut within a stretch, by its place and the ends of the stretch.
    known: BTreeMap<(usize, usize, usize), f64>,
}

impl SecondRule<'_> {
    /// A step at each end of a level but the last. Its values are as they are: those that were pulled in were so towards their
    /// neighbours, which permutations have not.
    fn tested(&mut self, ends: &[usize]) -> Vec<Step> {
        let start_of = |level: usize| if level == 0 { 0 } else { ends[level - 1] };
        let step = |level: usize| {
            let at = ends[level];
            let (old, new) = (&self.values[start_of(level)..at], &self.values[at..ends[level + 1]]);
            let (change, interval) = difference(old, new);
            let from = start_of(level).max(at.saturating_sub(STRETCH));
            let to = ends[level + 1].min(at + STRETCH);
            let draw = || energy_p(&self.values[from..to], at - from, &mut self.rng.fork(at as u64));
            let p = *self.known.entry((at, from, to)).or_insert_with(draw);
            Step { at, change, interval, p, confirmed: p <= ALPHA && change.abs() >= self.least_change }
        };
        (0..ends.len().saturating_sub(1)).map(step).collect()
    }

    /// The ends and the steps with the newest cut put back. Steps of before are computed again: the level that ended with the young
    /// one is another now. None where the young one is below the least change.
    fn with_young(&mut self, ends: &[usize], at: usize) -> Option<(Vec<usize>, Vec<Step>)> {
        let mut ends = ends.to_vec();
        ends.insert(ends.len() - 1, at);
        let least_change = self.least_change;
        let small = |step: &Step| step.change.abs() < least_change;
        loop {
            let mut found = self.tested(&ends);
            match found.split_last_mut() {
                Some((young, _)) if small(young) => return None,
                Some((young, earlier)) => match earlier.iter().position(small) {
                    // What made it great enough was the young one.
                    Some(place) => _ = ends.remove(place),
                    None => {
                        young.confirmed = false;
                        return Some((ends, found));
                    }
                },
                None => return None,
            }
        }
    }
}

/// The place of the step that is to be dropped next.
fn weakest(found: &[Step]) -> Option<usize> {
    let failed = found.iter().enumerate().filter(|(_, step)| !step.confirmed);
    failed.max_by(|(_, a), (_, b)| a.p.total_cmp(&b.p)).map(|(at, _)| at)
}

/// Difference of two levels with its 95 % interval (Welch).
fn difference(old: &[f64], new: &[f64]) -> (f64, Interval) {
    let change = mean(new).unwrap_or(0.0) - mean(old).unwrap_or(0.0);
    let all = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    let share = |xs: &[f64]| variance(xs).map(|v| v / xs.len() as f64);
    let (Some(a), Some(b)) = (share(old), share(new)) else { return (change, all) };
    let freedom = |v: f64, xs: &[f64]| v * v / (xs.len() as f64 - 1.0);
    let df = (a + b) * (a + b) / (freedom(a, old) + freedom(b, new));
    if !df.is_finite() {
        // Equal values throughout: nothing is uncertain as far as they show.
        return (change, Interval { lower: change, upper: change });
    }
    let half = t_isf(0.025, df) * (a + b).sqrt();
    (change, Interval { lower: change - half, upper: change + half })
}

/// The standard deviation of what differs from run to run, which steps hardly change: from differences of neighbours.
fn noise(values: &[f64]) -> f64 {
    let of_lag = |lag: usize| {
        let differences: Vec<f64> =
            values.iter().zip(values.get(lag..).unwrap_or_default()).map(|(a, b)| (b - a).abs()).collect();
        median(&differences).unwrap_or(0.0) * MAD_TO_SD / std::f64::consts::SQRT_2
    };
    // Of a short series most differences over a greater distance would be across one step.
    let usable = |lag: &usize| *lag == 1 || values.len() >= RUNS_OF_LAG * lag;
    LAGS.filter(usable).map(of_lag).fold(LEAST_NOISE, f64::max)
}

/// The series with single wild values pulled in.
fn tamed(values: &[f64], noise: f64) -> Vec<f64> {
    let n = values.len();
    let centre = |at: usize| median(&values[at.saturating_sub(HALF_WINDOW)..(at + HALF_WINDOW + 1).min(n)]);
    let tame = |(at, value): (usize, &f64)| {
        let centre = centre(at).unwrap_or(*value);
        value.clamp(centre - WINSOR * noise, centre + WINSOR * noise)
    };
    values.iter().enumerate().map(tame).collect()
}

/// Probability that a permutation of the values has a cut as good as their best one. Permutations end early where it cannot become
/// small (Besag & Clifford 1991). Values that depend on their neighbours are permuted in blocks, within which they still do.
fn energy_p(values: &[f64], cut: usize, rng: &mut Rng) -> f64 {
    if values.len() < 2 * LEVEL_MIN {
        return 1.0;
    }
    // Distances of a value to all others stay the same in any order.
    let whole: Vec<(f64, f64)> = values.iter().map(|x| (*x, distance_sum(*x, values))).collect();
    let mut blocks: Vec<&[(f64, f64)]> = whole.chunks(block_length(values, cut)).collect();
    let (mut drawn, mut left) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    let observed = best_cut(&whole, &mut left);
    // Enough to know that it is above the level.
    let most = (ALPHA * (PERMUTATIONS + 1) as f64) as usize + 1;
    let mut reached = 0;
    for count in 1..=PERMUTATIONS {
        rng.shuffle(&mut blocks);
        drawn.clear();
        blocks.iter().for_each(|block| drawn.extend_from_slice(block));
        // Equal values in another order are as good; their sums differ in the last bit.
        reached += usize::from(best_cut(&drawn, &mut left) >= observed * (1.0 - 1e-9));
        if reached >= most {
            return reached as f64 / count as f64;
        }
        if reached == 0 && count == PERMUTATIONS_OF_NONE {
            return 1.0 / (count + 1) as f64;
        }
    }
    (reached + 1) as f64 / (PERMUTATIONS + 1) as f64
}

/// How many values beside each other are about as much as one that depends on none: 1 unless neighbours are alike beyond what chance
/// does, by the first autocorrelation on the longer side of the cut. The shorter one may hold a step that is too young to be seen.
fn block_length(values: &[f64], cut: usize) -> usize {
    let level = if 2 * cut > values.len() { &values[..cut] } else { &values[cut..] };
    let n = level.len() as f64;
    let centre = mean(level).unwrap_or(0.0);
    let squares: f64 = level.iter().map(|x| (x - centre) * (x - centre)).sum();
    let products: f64 = level.windows(2).map(|pair| (pair[0] - centre) * (pair[1] - centre)).sum();
    let seen = if squares > 0.0 { products / squares } else { 0.0 };
    // What a mean that is estimated takes away from it.
    let alike = (seen + (1.0 + 3.0 * seen) / n).min(ALIKE_MAX);
    match alike > ALIKE_SD / n.sqrt() {
        true => (((1.0 + alike) / (1.0 - alike)).ceil() as usize).min(values.len() / BLOCKS_MIN).max(1),
        false => 1,
    }
}

/// The greatest energy statistic of all cuts, of values with the sums of their distances to all others. `left` is memory to work in.
fn best_cut(values: &[(f64, f64)], left: &mut Vec<f64>) -> f64 {
    let n = values.len();
    left.clear();
    // Sums of the distances within the left part, within the right part, and between them.
    let mut in_left = 0.0;
    let mut in_right: f64 = 0.5 * values.iter().map(|(_, to_all)| to_all).sum::<f64>();
    let mut between = 0.0;
    let mut best = 0.0_f64;
    for (cut, &(x, to_all)) in (1..n).zip(values) {
        let to_left = distance_sum(x, left);
        let to_right = to_all - to_left;
        left.push(x);
        in_left += to_left;
        in_right -= to_right;
        between += to_right - to_left;
        if cut < LEVEL_MIN || n - cut < LEVEL_MIN {
            continue;
        }
        let (l, r) = (cut as f64, (n - cut) as f64);
        let energy = 2.0 * between / (l * r) - 2.0 * in_left / (l * (l - 1.0)) - 2.0 * in_right / (r * (r - 1.0));
        best = best.max(energy * l * r / (l + r));
    }
    best
}

/// Sum of the distances of a value to others. Several sums side by side: one after the other would wait for each addition.
fn distance_sum(x: f64, others: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let chunks = others.chunks_exact(sums.len());
    let rest: f64 = chunks.remainder().iter().map(|y| (x - y).abs()).sum();
    for chunk in chunks {
        for (sum, y) in sums.iter_mut().zip(chunk) {
            *sum += (x - y).abs();
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal runs with this noise, wild values in one of twenty.
    fn series(rng: &mut Rng, n: usize, noise: f64, wild: bool) -> Vec<f64> {
        let mut value = || {
            let far = if wild && rng.below(20) == 0 { 6.0 } else { 1.0 };
            2.0 + noise * far * rng.normal()
        };
        (0..n).map(|_| value()).collect()
    }

    #[test]
    fn equal_runs_give_a_false_alarm_in_at_most_one_of_a_hundred_series() {
        for (n, wild, series_of) in [(12, false, 1500), (40, true, 400), (120, false, 100)] {
            let alarms = (0..series_of).filter(|&at| {
                let mut rng = Rng::new(1_000_000 + at);
                let values = series(&mut rng, n, 0.01, wild);
                steps(&values, 0.0, at).steps.iter().any(|step| step.confirmed)
            });
            let alarms = alarms.count();
            assert!(alarms <= series_of as usize / 100, "{alarms} of {series_of} series of {n} runs");
        }
    }

    #[test]
    fn runs_that_depend_on_each_other_are_seldom_a_step() {
        let alarms = (0..200).filter(|&at| {
            let (mut rng, mut last) = (Rng::new(2_000_000 + at), 0.0);
            let mut value = || {
                last = 0.5 * last + 0.75_f64.sqrt() * rng.normal();
                0.01 * last
            };
            let values: Vec<f64> = (0..50).map(|_| value()).collect();
            steps(&values, 0.0, at).steps.iter().any(|step| step.confirmed)
        });
        let alarms = alarms.count();
        // Of values that are permuted one by one, about 36 series show a step.
        assert!(alarms <= 24, "{alarms} of 200 series");
    }

    #[test]
    fn planted_steps_are_found_where_they_are() {
        let (mut found, mut exact) = (0, 0);
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut values = series(&mut rng, 40, 0.01, true);
            values[25..].iter_mut().for_each(|v| *v += 0.05);
            let levels = steps(&values, 0.01, seed);
            if let [step] = levels.steps[..] {
                found += usize::from(step.confirmed && step.interval.contains(0.05));
                exact += usize::from(step.at == 25);
            }
        }
        assert!(found >= 40 && exact >= 45, "{found} found, {exact} at their place");
    }

    #[test]
    fn a_young_step_is_reported_and_not_confirmed() {
        // 3 of 8 runs: no permutation test of so few runs can be certain.
        let values = [0.0, 0.001, -0.001, 0.0005, -0.0004, 0.1, 0.1005, 0.0996];
        let levels = steps(&values, 0.01, 1);
        assert_eq!(levels.steps.len(), 1, "{levels:?}");
        assert!(!levels.steps[0].confirmed && levels.steps[0].at == 5, "{levels:?}");
    }

    #[test]
    fn a_young_step_does_not_change_the_one_before() {
        let wobble = |at: usize| 0.001 * [0.3, -0.8, 0.5, 0.1, -0.4, 0.9, -0.2][at % 7];
        let level = |at: usize| match at {
            0..20 => 100.0_f64,
            20..25 => 110.0,
            _ => 150.0,
        };
        let values: Vec<f64> = (0..28).map(|at| level(at).ln() + wobble(at)).collect();
        let found = steps(&values, 0.01, 1);
        let [old, young] = found.steps[..] else { panic!("{found:?}") };
        assert_eq!((old.at, old.confirmed, young.at, young.confirmed), (20, true, 25, false), "{found:?}");
        assert!((old.change.exp() - 1.1).abs() < 0.002 && old.interval.contains(1.1_f64.ln()), "{found:?}");
        // Levels are those that the steps are between.
        let means: Vec<f64> = found.levels.iter().map(|(.., mean)| mean.exp().round()).collect();
        assert_eq!(means, [100.0, 110.0, 150.0]);
        assert!((found.levels[2].2 - found.levels[1].2 - young.change).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn steps_below_the_least_change_are_none() {
        let mut values = vec![1.0; 20];
        values.iter_mut().enumerate().for_each(|(at, v)| *v += 1e-4 * (at % 3) as f64);
        values[10..].iter_mut().for_each(|v| *v += 0.005);
        assert!(steps(&values, 0.01, 1).steps.is_empty());
        let found = steps(&values, 0.001, 1);
        assert!(found.steps.len() == 1 && found.steps[0].confirmed && found.steps[0].at == 10, "{found:?}");
    }

    #[test]
    fn a_single_wild_run_is_no_step_and_nothing_panics() {
        let mut values = vec![1.0; 30];
        values.iter_mut().enumerate().for_each(|(at, v)| *v += 0.002 * ((at * 7) % 5) as f64);
        values[15] += 1.0;
        assert!(steps(&values, 0.01, 1).steps.is_empty());
        for odd in [&[][..], &[1.0], &[1.0, 2.0], &[f64::NAN, 1.0], &[1.0; 7], &[0.0, 0.0, 0.0, 1e300, 1e300, -1e300]] {
            let found = steps(odd, 0.01, 1);
            assert!(found.steps.iter().all(|step| !step.confirmed), "{odd:?}: {found:?}");
        }
        assert_eq!(steps(&[3.0; 12], 0.01, 1).levels, [(0, 12, 3.0)]);
    }
}
