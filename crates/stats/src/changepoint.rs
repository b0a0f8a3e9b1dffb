//! Warm-up by change points, and whether there is a steady state.
//!
//! The cost is optimal partitioning's: squared error about segment means plus a penalty per segment. It is minimised exactly by functional
//! pruning (Maidstone, Hocking, Rigaill & Fearnhead 2017), not PELT: PELT is quadratic on a pilot without change points, the common case,
//! while functional pruning keeps a few dozen candidates on any data. The minimum segment length is enforced by admitting a candidate that
//! many points late.

use crate::outliers::MAD_TO_SD;
use crate::sample::{finite_only, median_of_sorted, sorted, usable};

/// Shortest segment, in points.
pub const MIN_SEGMENT: usize = 8;
/// The penalty of a segment is this times ln n, in noise variances.
const PENALTY: f64 = 15.0;
/// Half of the running median's window of 9 points.
const HALF_WINDOW: usize = 4;
/// Points further than this from the running median, in robust standard deviations, are winsorised.
const WINSOR: f64 = 3.0;
/// Levels closer than this (log scale, 1 %) are the same for the warm-up.
const SAME_LEVEL: f64 = 0.01;
/// Smaller noise estimates (log scale) are raised to this: a coarse timer gives runs of equal values.
const LEAST_NOISE: f64 = 1e-4;

/// A stretch of constant level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Index of the first point.
    pub start: usize,
    /// Index after the last point.
    pub end: usize,
    /// Mean of the (winsorised) points, in their unit.
    pub mean: f64,
}

/// What a pilot says about warm-up.
#[derive(Debug, Clone, PartialEq)]
pub struct SteadyState {
    /// The stretches of constant level, in order.
    pub segments: Vec<Segment>,
    /// True if the last segment holds at least a quarter of the pilot.
    pub steady: bool,
    /// Number of points to discard: 1.25 times the end of the last segment that differs more than 1 % from the
    /// final one; 0 when none does; at most the length of the pilot.
    pub warmup: usize,
    /// Number of points at the end that lie within 1 % of the final level, across segments: on a drifting machine the last segment may be
    /// short although nothing relevant has changed.
    pub settled: usize,
}

/// Exact minimum of `sum of squared errors + penalty · segments` with segments of at least `min_segment` points.
///
/// `penalty` has the unit of the values squared. One segment for fewer than `2 · min_segment` points; none for an empty or non-finite
/// series or a NaN penalty.
pub fn optimal_partition(xs: &[f64], penalty: f64, min_segment: usize) -> Vec<Segment> {
    let n = xs.len();
    let Some(order) = sorted(xs) else { return Vec::new() };
    if penalty.is_nan() {
        return Vec::new();
    }
    let m = min_segment.max(1);
    // Sums about the median lose fewer digits.
    let centre = median_of_sorted(&order);
    let mut sums = vec![(0.0, 0.0)];
    for x in xs {
        let (s, q) = sums[sums.len() - 1];
        let d = x - centre;
        sums.push((s + d, q + d * d));
    }
    if !sums[n].1.is_finite() {
        // Squares overflow: no partition can be compared with another.
        return crate::location::mean(xs).map(|mean| Segment { start: 0, end: n, mean }).into_iter().collect();
    }
    let domain = (order[0] - centre, order[n - 1] - centre);
    let starts = last_starts(&sums, penalty.max(0.0), m, domain);
    let mut segments = Vec::new();
    let mut end = n;
    while end > 0 {
        let start = starts[end];
        let mean = centre + (sums[end].0 - sums[start].0) / (end - start) as f64;
        segments.push(Segment { start, end, mean });
        end = start;
    }
    segments.reverse();
    segments
}

/// A range of levels on which the candidate start `tau` is the cheapest.
#[derive(Clone, Copy)]
struct Piece {
    low: f64,
    high: f64,
    tau: usize,
}

/// For each prefix length, the start of its last segment in the best partition.
fn last_starts(sums: &[(f64, f64)], penalty: f64, m: usize, domain: (f64, f64)) -> Vec<usize> {
    let n = sums.len() - 1;
    // best[t] is the least cost of the first t points; the start value cancels the first segment's penalty.
    let mut best = vec![f64::INFINITY; n + 1];
    let mut starts = vec![0; n + 1];
    best[0] = -penalty;
    let mut pieces: Vec<Piece> = Vec::new();
    let mut next: Vec<Piece> = Vec::new();
    for t in 1..=n {
        if t >= m && best[t - m].is_finite() {
            admit(&pieces, &mut next, t - m, sums, &best, domain);
            std::mem::swap(&mut pieces, &mut next);
        }
        for piece in &pieces {
            let (s, q) = (sums[t].0 - sums[piece.tau].0, sums[t].1 - sums[piece.tau].1);
            let count = (t - piece.tau) as f64;
            let level = (s / count).clamp(piece.low, piece.high);
            let cost = best[piece.tau] + penalty + q - 2.0 * level * s + count * level * level;
            if cost < best[t] {
                best[t] = cost;
                starts[t] = piece.tau;
            }
        }
    }
    starts
}

/// Rebuilds the ranges with the new candidate `tau`, which takes every level at which it is cheaper.
///
/// The difference of two candidates does not depend on later points, so a candidate never wins back a level.
fn admit(
    pieces: &[Piece],
    next: &mut Vec<Piece>,
    tau: usize,
    sums: &[(f64, f64)],
    best: &[f64],
    (low, high): (f64, f64),
) {
    next.clear();
    let mut put = |from: f64, to: f64, tau: usize| {
        if let Some(last) = next.last_mut().filter(|p| p.tau == tau) {
            last.high = to;
        } else if to > from || next.is_empty() {
            next.push(Piece { low: from, high: to, tau });
        }
    };
    if pieces.is_empty() {
        put(low, high, tau);
    }
    for piece in pieces {
        // Cost of the older minus cost of the newer: count·µ² - 2·s·µ + constant, convex; below zero between its roots.
        let count = (tau - piece.tau) as f64;
        let s = sums[tau].0 - sums[piece.tau].0;
        let constant = sums[tau].1 - sums[piece.tau].1 + best[piece.tau] - best[tau];
        let discriminant = s * s - count * constant;
        if discriminant <= 0.0 {
            put(piece.low, piece.high, tau);
            continue;
        }
        let root = discriminant.sqrt();
        let from = ((s - root) / count).clamp(piece.low, piece.high);
        let to = ((s + root) / count).clamp(piece.low, piece.high);
        if from > piece.low {
            put(piece.low, from, tau);
        }
        if to > from || piece.low == piece.high {
            put(from, to, piece.tau);
        }
        if to < piece.high {
            put(to, piece.high, tau);
        }
    }
}

/// Segments of a pilot and its warm-up. `log_times` are natural logs of the times of single batches.
///
/// The method uses points of at least 5 ms: with 1 ms points, a neighbour's burst is as long as the shortest segment, and two of three
/// pilots on a simulated CI machine look unsteady instead of one in ten.
///
/// Points are winsorised at 3 robust standard deviations about a running median of 9, the penalty is 15 ln n
/// noise variances, segments have at least 8 points. Non-finite values make the pilot empty; an empty pilot is not steady.
pub fn steady_state(log_times: &[f64]) -> SteadyState {
    let nothing = SteadyState { segments: Vec::new(), steady: false, warmup: 0, settled: 0 };
    if !usable(log_times) {
        return nothing;
    }
    let (clean, noise) = winsorised(log_times);
    let n = clean.len();
    let penalty = PENALTY * (n as f64).ln() * noise * noise;
    let segments = optimal_partition(&clean, penalty, MIN_SEGMENT);
    let Some(last) = segments.last().copied() else { return nothing };
    let differs = segments.iter().rev().find(|s| (s.mean - last.mean).abs() > SAME_LEVEL);
    let settled_from = differs.map_or(0, |s| s.end);
    SteadyState {
        steady: 4 * (last.end - last.start) >= n,
        warmup: (settled_from + settled_from.div_ceil(4)).min(n),
        settled: n - settled_from,
        segments,
    }
}

/// The series with single wild points winsorised, and the robust standard deviation of its noise.
fn winsorised(xs: &[f64]) -> (Vec<f64>, f64) {
    let n = xs.len();
    let centre: Vec<f64> = (0..n)
        .map(|i| {
            let window = &xs[i.saturating_sub(HALF_WINDOW)..(i + HALF_WINDOW + 1).min(n)];
            sorted(window).map_or(xs[i], |s| median_of_sorted(&s))
        })
        .collect();
    let distances: Vec<f64> = finite_only(&xs.iter().zip(&centre).map(|(x, c)| (x - c).abs()).collect::<Vec<_>>());
    let robust = crate::location::median(&distances).unwrap_or(0.0) * MAD_TO_SD;
    // A coarse timer makes most distances zero; their mean still sees the rest.
    let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
    let believed = if robust > 0.0 { robust } else { mean * 1.2533 };
    let noise = believed.max(LEAST_NOISE);
    let clean = xs.iter().zip(&centre).map(|(x, c)| x.clamp(c - WINSOR * noise, c + WINSOR * noise)).collect();
    (clean, noise)
}
