//! Steps in a history: lasting changes of level in a series with one value per run.
//!
//! Two different rules must agree, because a false alarm costs someone an afternoon:
//!
//! 1. **Potts.** The series is cut into levels by exact least squares with a penalty for each level
//!    ([`optimal_partition`]); its cuts are candidates. Single wild values are pulled in first.
//! 2. **E-divisive.** The two levels around a candidate form one stretch: the energy statistic of its best cut (Székely & Rizzo 2004;
//!    Matteson & James 2014) is compared with that of its permutations. Every cut of every permutation is tried too, which pays for the
//!    choice of the cut. Autocorrelated values are permuted in blocks, and their levels must also differ by more than their means wander.
//!
//! A candidate that fails the second rule is dropped and its levels are joined. The newest one may just be too young, so it is kept and
//! reported as not confirmed.

use crate::changepoint::optimal_partition;
use crate::interval::Interval;
use crate::location::{mean, median};
use crate::outliers::MAD_TO_SD;
use crate::rng::Rng;
use crate::sample::usable;
use crate::special::t_isf;
use crate::spread::variance;
use std::collections::BTreeMap;

/// Fewest runs of a level.
pub const LEVEL_MIN: usize = 3;
/// Fewest runs from which a step can be confirmed: with fewer, there are too few permutations.
pub const STEP_RUNS_MIN: usize = 10;
/// The penalty of a level is this times ln n, in noise variances.
const PENALTY: f64 = 4.0;
/// A step is confirmed if its p-value is at most this.
const ALPHA: f64 = 0.01;
/// Permutations of a stretch.
const PERMUTATIONS: usize = 999;
/// After this many permutations of which none reached the cut, sampling ends. By chance alone this happens once in 400, and nearly all of
/// those cuts would have passed anyway.
const PERMUTATIONS_OF_NONE: usize = 399;
/// An autocorrelation is used from this many of its standard deviations under independence.
const ALIKE_SD: f64 = 2.0;
/// Larger autocorrelation estimates are cut to this.
const ALIKE_MAX: f64 = 0.9;
/// Greatest share of block orders that may leave either side of the candidate in one piece. They score as high as the observed order, so
/// with more of them the clearest step could not be confirmed. A quarter of the level, as the share among the drawn orders varies.
const WHOLE_MAX: f64 = ALPHA / 4.0;
/// Standard errors, corrected for autocorrelation, that levels must be apart. More than a quantile would ask for: it pays for the choice of
/// the cut, and for the autocorrelation that the choice hides.
const WANDER: f64 = 5.0;
/// Runs on either side of a candidate that the second rule looks at.
const STRETCH: usize = 40;
/// Values further than this from the running median, in robust standard deviations, are winsorised.
const WINSOR: f64 = 3.0;
/// Half of the running median's window.
const HALF_WINDOW: usize = 3;
/// Log likelihood by which the true place of a step may fit worse than the best one, at 95 %: -ln(1 - √0.95).
const PLACE_LOG: f64 = 3.676;
/// Smaller noise estimates (log scale) are raised to this.
const LEAST_NOISE: f64 = 1e-4;
/// Distances between compared values when estimating the noise: a slow drift shows at the greater ones.
const LAGS: std::ops::RangeInclusive<usize> = 1..=3;
/// Fewest runs per unit of such a distance.
const RUNS_OF_LAG: usize = 8;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// Index of the first value of the new level.
    pub at: usize,
    /// Earliest and latest index that this may be, at 95 %.
    pub within: (usize, usize),
    /// Difference of the levels, new - old, as a natural log of a ratio.
    pub change: f64,
    /// Its 95 % interval (Welch); infinite if a level is too short to show a spread.
    pub interval: Interval,
    /// p-value: probability of such a cut without a step, from permutations.
    pub p: f64,
    /// Whether both rules agree and the change is at least the least change asked for.
    pub confirmed: bool,
}

/// Result of [`steps()`].
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Levels {
    /// First index, index after the last, and mean of each level, in order.
    pub levels: Vec<(usize, usize, f64)>,
    /// The changes between them, in order. All are confirmed if the last one is.
    pub steps: Vec<Step>,
}

/// The levels of a series of log values, one per run, and the steps between them. Smaller changes than `least_change` are ignored.
///
/// Empty for an empty or non-finite series.
pub fn steps(log_values: &[f64], least_change: f64, seed: u64) -> Levels {
    if !usable(log_values) {
        return Levels::default();
    }
    let noise = noise(log_values);
    let tame = tamed(log_values, noise);
    let n = tame.len();
    let penalty = potts_penalty(n, noise);
    let mut ends: Vec<usize> = optimal_partition(&tame, penalty, LEVEL_MIN).iter().map(|s| s.end).collect();
    let newest = ends.iter().rev().nth(1).copied();
    let mut rule = SecondRule { values: log_values, least_change, rng: Rng::new(seed), known: BTreeMap::new() };
    let mut found = rule.tested(&ends);
    // The least certain goes first; its levels are joined before the rest is tested again.
    while let Some(weakest) = weakest(&found) {
        ends.remove(weakest);
        found = rule.tested(&ends);
    }
    // The newest is reported even if it is too young to be confirmed.
    if let Some(at) = newest.filter(|at| ends.iter().rev().nth(1).is_none_or(|last| last < at)) {
        if let Some(with) = rule.with_young(&ends, at) {
            (ends, found) = with;
        }
    }
    let starts = || std::iter::once(0).chain(ends.iter().copied());
    for ((step, start), &end) in found.iter_mut().zip(starts()).zip(ends.iter().skip(1)) {
        let (first, last) = places(&tame[start..end], step.at - start);
        step.within = (start + first, start + last);
    }
    let levels = starts().zip(&ends).map(|(from, &to)| (from, to, mean(&log_values[from..to]).unwrap_or(0.0)));
    Levels { levels: levels.collect(), steps: found }
}

/// The second rule, caching the stretches already tested: most stay the same after a candidate is dropped.
struct SecondRule<'a> {
    values: &'a [f64],
    least_change: f64,
    rng: Rng,
    /// p-value of a cut within a stretch, by the place of the cut and the ends of the stretch.
    known: BTreeMap<(usize, usize, usize), f64>,
}

impl SecondRule<'_> {
    /// A step at the end of each level but the last. Takes the raw values: winsorised ones were pulled towards their neighbours, and would
    /// be permuted to others.
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
            let confirmed = p <= ALPHA
                && change.abs() >= self.least_change
                && is_clear_of_wander(&self.values[from..to], at - from);
            Step { at, within: (at, at), change, interval, p, confirmed }
        };
        (0..ends.len().saturating_sub(1)).map(step).collect()
    }

    /// The ends and the steps with the newest cut put back. Earlier steps are computed again, as the new cut shortens a level. `None` if
    /// the newest step is below the least change.
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
                    // Its change was only large enough because of the newest values.
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

fn weakest(found: &[Step]) -> Option<usize> {
    let failed = found.iter().enumerate().filter(|(_, step)| !step.confirmed);
    failed.max_by(|(_, a), (_, b)| a.p.total_cmp(&b.p)).map(|(at, _)| at)
}

/// The first and the last place at which two levels whose best cut is `cut` may meet, at 95 %.
///
/// The true place fits worse than the best one by at most x, as a log likelihood, with probability (1 - exp(-x))² if the levels are far
/// apart (Siegmund 1988, *Confidence sets in change-point problems*). Estimating the noise widens this.
fn places(values: &[f64], cut: usize) -> (usize, usize) {
    let n = values.len();
    let squares = |side: &[f64]| variance(side).unwrap_or(0.0) * (side.len() as f64 - 1.0).max(0.0);
    let left = |at: usize| squares(&values[..at]) + squares(&values[at..]);
    let freedom = (n as f64 - 2.0).max(1.0);
    let noise = (left(cut) / freedom).max(LEAST_NOISE * LEAST_NOISE);
    let worst = 2.0 * noise * PLACE_LOG * values_of_one(alike(values, cut)) * (1.0 + 3.0 / freedom);
    let may_be = |&at: &usize| left(at) - left(cut) <= worst;
    let first = (1..cut).find(may_be).unwrap_or(cut);
    let last = (cut + 1..n).rev().find(may_be).unwrap_or(cut);
    (first, last)
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
        // Equal values throughout show no uncertainty.
        return (change, Interval { lower: change, upper: change });
    }
    let half = t_isf(0.025, df) * (a + b).sqrt();
    (change, Interval { lower: change - half, upper: change + half })
}

/// The penalty of a level in a series of `n` values.
pub(crate) fn potts_penalty(n: usize, noise: f64) -> f64 {
    PENALTY * (n as f64).ln() * noise * noise
}

/// Standard deviation of the noise from run to run, from differences of neighbours, which steps hardly change.
pub(crate) fn noise(values: &[f64]) -> f64 {
    // In a short series, most differences over a greater distance would cross a step.
    let usable = |lag: &usize| *lag == 1 || values.len() >= RUNS_OF_LAG * lag;
    LAGS.filter(usable).map(|lag| noise_of_lag(values, lag)).fold(LEAST_NOISE, f64::max)
}

/// The same from values `lag` apart.
pub(crate) fn noise_of_lag(values: &[f64], lag: usize) -> f64 {
    let others = values.get(lag..).unwrap_or_default();
    let differences: Vec<f64> = values.iter().zip(others).map(|(a, b)| (b - a).abs()).collect();
    (median(&differences).unwrap_or(0.0) * MAD_TO_SD / std::f64::consts::SQRT_2).max(LEAST_NOISE)
}

/// The series with single wild values winsorised.
pub(crate) fn tamed(values: &[f64], noise: f64) -> Vec<f64> {
    let n = values.len();
    let centre = |at: usize| median(&values[at.saturating_sub(HALF_WINDOW)..(at + HALF_WINDOW + 1).min(n)]);
    let tame = |(at, value): (usize, &f64)| {
        let centre = centre(at).unwrap_or(*value);
        value.clamp(centre - WINSOR * noise, centre + WINSOR * noise)
    };
    values.iter().enumerate().map(tame).collect()
}

/// Probability that a permutation of the values has a cut as good as their best one. Ends early if it cannot become small any more (Besag &
/// Clifford 1991). Autocorrelated values are permuted in blocks, which keep the dependence.
fn energy_p(values: &[f64], cut: usize, rng: &mut Rng) -> f64 {
    if values.len() < 2 * LEVEL_MIN {
        return 1.0;
    }
    // A value's sum of distances to all others is the same in any order.
    let whole: Vec<(f64, f64)> = values.iter().map(|x| (*x, distance_sum(*x, values))).collect();
    // Blocks start from the candidate: a block across a step would hide it.
    let (old, new) = whole.split_at(cut);
    let length = block_length(values, cut);
    let mut blocks: Vec<&[(f64, f64)]> = old.rchunks(length).chain(new.chunks(length)).collect();
    let (mut drawn, mut left) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    let observed = best_cut(&whole, &mut left);
    // This many show that p is above the level.
    let most = (ALPHA * (PERMUTATIONS + 1) as f64) as usize + 1;
    let mut reached = 0;
    for count in 1..=PERMUTATIONS {
        rng.shuffle(&mut blocks);
        drawn.clear();
        blocks.iter().for_each(|block| drawn.extend_from_slice(block));
        // Equal values in another order are as good, but their sums differ in the last bit.
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

/// First autocorrelation of the longer side of the cut if it exceeds chance, else 0. The shorter side may hold a step that is too young to
/// be seen.
fn alike(values: &[f64], cut: usize) -> f64 {
    let level = if 2 * cut > values.len() { &values[..cut] } else { &values[cut..] };
    let n = level.len() as f64;
    let centre = mean(level).unwrap_or(0.0);
    let squares: f64 = level.iter().map(|x| (x - centre) * (x - centre)).sum();
    let products: f64 = level.windows(2).map(|pair| (pair[0] - centre) * (pair[1] - centre)).sum();
    let seen = if squares > 0.0 { products / squares } else { 0.0 };
    // Corrects the bias from estimating the mean.
    let alike = (seen + (1.0 + 3.0 * seen) / n).min(ALIKE_MAX);
    if alike > ALIKE_SD / n.sqrt() {
        alike
    } else {
        0.0
    }
}

/// How many autocorrelated values carry as much information as one independent value.
fn values_of_one(alike: f64) -> f64 {
    (1.0 + alike) / (1.0 - alike)
}

/// Number of values permuted together. Capped if the values are too few for their dependence; [`is_clear_of_wander`] makes up for that.
fn block_length(values: &[f64], cut: usize) -> usize {
    let longest = values_of_one(alike(values, cut)).ceil() as usize;
    let blocks = |side: usize, length: usize| side.div_ceil(length);
    let is_testable =
        |length: &usize| whole_share(blocks(cut, *length), blocks(values.len() - cut, *length)) <= WHOLE_MAX;
    (2..=longest).rev().find(is_testable).unwrap_or(1)
}

/// Whether the levels differ by more than the means of autocorrelated values wander. True without autocorrelation.
fn is_clear_of_wander(values: &[f64], cut: usize) -> bool {
    let alike = alike(values, cut);
    let (old, new) = values.split_at(cut);
    if alike == 0.0 || old.len() < 2 || new.len() < 2 {
        return true;
    }
    let squares = |side: &[f64]| variance(side).unwrap_or(0.0) * (side.len() as f64 - 1.0);
    let pooled = (squares(old) + squares(new)) / (values.len() as f64 - 2.0);
    let of_difference = pooled * values_of_one(alike) * (1.0 / old.len() as f64 + 1.0 / new.len() as f64);
    difference(old, new).0.abs() >= WANDER * of_difference.sqrt()
}

/// Share of the orders of `k + m` blocks that keep the `k` on one side and the `m` on the other.
fn whole_share(k: usize, m: usize) -> f64 {
    let factors = (1..=k.min(m)).map(|at| at as f64 / (k.max(m) + at) as f64);
    2.0 * factors.product::<f64>()
}

/// The greatest energy statistic over all cuts. Takes the values with their sums of distances to all others; `left` is scratch memory.
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

/// Sum of the distances of a value to others, in several parallel sums: a single one would wait for each addition.
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
