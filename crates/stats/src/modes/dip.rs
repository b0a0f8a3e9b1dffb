//! Hartigan's dip: the distance of a sample from the nearest unimodal distribution (Hartigan & Hartigan 1985).

use crate::sample::sorted;

/// Result of the dip test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DipTest {
    /// The dip, in `[1/(2n), 1/4]`; 0 for a constant sample.
    pub statistic: f64,
    /// Probability of a dip at least this large under the uniform distribution, the hardest unimodal one.
    pub p: f64,
}

/// Quantile levels of the table below: `1 - p`.
const LEVELS: [f64; 8] = [0.1, 0.5, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999];
/// Quantiles of sqrt(n)·dip under the uniform distribution at the levels above, by size of sample.
///
/// Monte Carlo with 60,000 samples a row (25,000 in the last), printed by `tests/slow.rs`.
const TABLE: [(usize, [f64; 8]); 15] = [
    (4, [0.2500, 0.2500, 0.3139, 0.3742, 0.4136, 0.4635, 0.4743, 0.4884]),
    (5, [0.2236, 0.2711, 0.3598, 0.3953, 0.4166, 0.4390, 0.4431, 0.4463]),
    (6, [0.2041, 0.3013, 0.3654, 0.3895, 0.4035, 0.4713, 0.4957, 0.5367]),
    (7, [0.2162, 0.3114, 0.3612, 0.3821, 0.4241, 0.4876, 0.5064, 0.5347]),
    (8, [0.2319, 0.3138, 0.3546, 0.4013, 0.4356, 0.4901, 0.5049, 0.5486]),
    (10, [0.2462, 0.3092, 0.3759, 0.4131, 0.4422, 0.5040, 0.5269, 0.5662]),
    (15, [0.2487, 0.3239, 0.3855, 0.4259, 0.4600, 0.5256, 0.5493, 0.5969]),
    (20, [0.2543, 0.3276, 0.3943, 0.4335, 0.4695, 0.5410, 0.5652, 0.6268]),
    (30, [0.2599, 0.3369, 0.4056, 0.4467, 0.4832, 0.5590, 0.5848, 0.6387]),
    (50, [0.2672, 0.3459, 0.4166, 0.4595, 0.4972, 0.5747, 0.6049, 0.6615]),
    (100, [0.2739, 0.3548, 0.4259, 0.4712, 0.5102, 0.5872, 0.6190, 0.6838]),
    (200, [0.2798, 0.3616, 0.4352, 0.4810, 0.5210, 0.6039, 0.6362, 0.6927]),
    (500, [0.2849, 0.3682, 0.4428, 0.4890, 0.5300, 0.6127, 0.6504, 0.7130]),
    (1000, [0.2879, 0.3710, 0.4460, 0.4922, 0.5346, 0.6209, 0.6551, 0.7273]),
    (5000, [0.2923, 0.3756, 0.4522, 0.4985, 0.5417, 0.6208, 0.6569, 0.7304]),
];

/// Dip statistic and p-value by interpolation in a Monte Carlo table; `None` for an empty or non-finite sample.
///
/// The p-value is accurate to about a tenth of itself down to .001 and extrapolated below.
pub fn dip_test(xs: &[f64]) -> Option<DipTest> {
    let statistic = dip_statistic(xs)?;
    Some(DipTest { statistic, p: dip_p_value(statistic, xs.len()) })
}

/// p-value of a dip for `n` values; 1 below four values or for a NaN dip.
pub fn dip_p_value(dip: f64, n: usize) -> f64 {
    if n < 4 || dip.is_nan() || dip <= 0.0 {
        return 1.0;
    }
    let scaled = dip * (n as f64).sqrt();
    // sqrt(n)·dip has a limit distribution; convergence is close to linear in 1/sqrt(n).
    let place = |n: usize| 1.0 / (n as f64).sqrt();
    let row = TABLE.iter().position(|(size, _)| *size >= n);
    let quantile = |level: usize| match row {
        Some(0) => TABLE[0].1[level],
        Some(i) => {
            let ((n0, q0), (n1, q1)) = (&TABLE[i - 1], &TABLE[i]);
            let weight = (place(n) - place(*n0)) / (place(*n1) - place(*n0));
            q0[level] + weight * (q1[level] - q0[level])
        }
        None => TABLE[TABLE.len() - 1].1[level],
    };
    // Between levels, and in the tail, the logarithm of p is close to linear in the scaled dip.
    let ln_p = |level: usize| (1.0 - LEVELS[level]).ln();
    let above = (0..LEVELS.len()).find(|&l| quantile(l) >= scaled);
    let (from, to) = match above {
        Some(0) => return 1.0 + (0.9 - 1.0) * (scaled / quantile(0)).powi(4),
        Some(l) => (l - 1, l),
        None => (LEVELS.len() - 2, LEVELS.len() - 1),
    };
    let weight = (scaled - quantile(from)) / (quantile(to) - quantile(from));
    (ln_p(from) + weight * (ln_p(to) - ln_p(from))).exp().clamp(0.0, 1.0)
}

/// The dip statistic; `None` for an empty or non-finite sample.
pub fn dip_statistic(xs: &[f64]) -> Option<f64> {
    sorted(xs).map(|s| dip_of_sorted(&s))
}

/// Algorithm AS 217 (Hartigan 1985) with the later correction of its loop: narrows the modal interval `[low, high]` until the greatest
/// convex minorant to its left and the least concave majorant to its right fit no better.
pub(crate) fn dip_of_sorted(x: &[f64]) -> f64 {
    let n = x.len();
    if n < 2 || x[0] == x[n - 1] {
        return 0.0;
    }
    let minorant = convex_minorant(x);
    let majorant = concave_majorant(x);
    let (mut low, mut high) = (0, n - 1);
    // In units of 1/(2n).
    let mut dip: f64 = 1.0;
    for _ in 0..n {
        if low >= high {
            break;
        }
        let left = chain(high, low, &minorant);
        let right = chain(low, high, &majorant);
        let (distance, i, j) = widest(x, &left, &right);
        if distance < dip {
            break;
        }
        let below = left[i..].windows(2).map(|w| misfit_below(x, w[1], w[0])).fold(0.0, f64::max);
        let above = right[j..].windows(2).map(|w| misfit_above(x, w[0], w[1])).fold(0.0, f64::max);
        dip = dip.max(below).max(above);
        if (low, high) == (left[i], right[j]) {
            break;
        }
        (low, high) = (left[i], right[j]);
    }
    dip / (2 * n) as f64
}

/// For each point, the one before it on the greatest convex minorant of the points up to it.
fn convex_minorant(x: &[f64]) -> Vec<usize> {
    let mut before = vec![0; x.len()];
    for j in 1..x.len() {
        let mut i = j - 1;
        while i > 0 {
            let k = before[i];
            if (x[j] - x[i]) * ((i - k) as f64) < (x[i] - x[k]) * ((j - i) as f64) {
                break;
            }
            i = k;
        }
        before[j] = i;
    }
    before
}

/// For each point, the one after it on the least concave majorant of the points from it on.
fn concave_majorant(x: &[f64]) -> Vec<usize> {
    let last = x.len() - 1;
    let mut after = vec![last; x.len()];
    for j in (0..last).rev() {
        let mut i = j + 1;
        while i < last {
            let k = after[i];
            if (x[i] - x[j]) * ((k - i) as f64) < (x[k] - x[i]) * ((i - j) as f64) {
                break;
            }
            i = k;
        }
        after[j] = i;
    }
    after
}

/// Follows the links from one end of the modal interval to the other.
fn chain(from: usize, to: usize, link: &[usize]) -> Vec<usize> {
    let mut points = vec![from];
    let mut at = from;
    // Every link moves on, so the chain is no longer than the interval. Links were built for the whole sample and may overshoot its end.
    for _ in 0..from.abs_diff(to) {
        at = if from > to { link[at].max(to) } else { link[at].min(to) };
        points.push(at);
        if at == to {
            break;
        }
    }
    points
}

/// Largest vertical distance between minorant and majorant, with its indices in the chains.
fn widest(x: &[f64], left: &[usize], right: &[usize]) -> (f64, usize, usize) {
    if left.len() == 2 && right.len() == 2 {
        return (1.0, left.len() - 1, right.len() - 1);
    }
    let slope = |a: usize, b: usize| if x[a] == x[b] { 0.0 } else { (b as f64 - a as f64) / (x[b] - x[a]) };
    let mut best = (0.0, left.len() - 1, right.len() - 1);
    // `i` walks the minorant from high to low, `j` the majorant from low to high; they meet.
    let (mut i, mut j) = (left.len().saturating_sub(2), 1.min(right.len() - 1));
    for _ in 0..left.len() + right.len() {
        let (g, l) = (left[i], right[j]);
        let candidate = if g > l {
            let from = left[i + 1];
            let d = (l as f64 - from as f64 + 1.0) - (x[l] - x[from]) * slope(from, g);
            j += 1;
            (d, i + 1, j - 1)
        } else {
            let from = right[j - 1];
            let d = (x[g] - x[from]) * slope(from, l) - (g as f64 - from as f64 - 1.0);
            let at = (d, i, j);
            i = i.saturating_sub(1);
            at
        };
        if candidate.0 >= best.0 {
            best = candidate;
        }
        j = j.min(right.len() - 1);
        if left[i] == right[j] {
            break;
        }
    }
    best
}

/// How far the empirical distribution rises above the chord of the minorant, at least 1.
fn misfit_below(x: &[f64], from: usize, to: usize) -> f64 {
    if to - from <= 1 || x[to] == x[from] {
        return 1.0;
    }
    let slope = (to - from) as f64 / (x[to] - x[from]);
    (from..=to).map(|i| (i - from + 1) as f64 - (x[i] - x[from]) * slope).fold(1.0, f64::max)
}

/// How far it falls below the chord of the majorant, at least 1.
fn misfit_above(x: &[f64], from: usize, to: usize) -> f64 {
    if to - from <= 1 || x[to] == x[from] {
        return 1.0;
    }
    let slope = (to - from) as f64 / (x[to] - x[from]);
    (from..=to).map(|i| (x[i] - x[from]) * slope - (i as f64 - from as f64 - 1.0)).fold(1.0, f64::max)
}
