//! The adaptive histogram of BenchmarkDotNet (perfolizer's `AdaptiveHistogramBuilder`).
//!
//! Bins are centred on dense places instead of a fixed grid, so that a mode is not cut in two.

use super::Bin;
use crate::sample::sorted;
use crate::spread::sd;

const EPSILON: f64 = 1e-9;
const MARGIN: f64 = 0.1;
/// Smallest width of a bin, relative to its value: finer detail is noise.
const ADAPTIVE: f64 = 0.02;

pub(crate) fn width_of(n: usize, sd: f64) -> f64 {
    let width = 0.75 * 3.5 * sd / (n as f64).cbrt();
    if width < EPSILON {
        1.0
    } else {
        width
    }
}

/// The adaptive histogram with BenchmarkDotNet's bin width. Values in nanoseconds.
///
/// Empty for an empty or non-finite sample, and if the algorithm does not end (more than ten edges per value), where BenchmarkDotNet
/// throws.
pub fn adaptive_histogram(xs: &[f64]) -> Vec<Bin> {
    let Some(s) = sorted(xs) else { return Vec::new() };
    let width = width_of(s.len(), sd(&s).unwrap_or(0.0));
    adaptive_histogram_of_sorted(&s, width).unwrap_or_default()
}

/// The same for a sorted sample and a given width.
pub(crate) fn adaptive_histogram_of_sorted(s: &[f64], width: f64) -> Option<Vec<Bin>> {
    let (&first, &last) = (s.first()?, s.last()?);
    if !(width.is_finite() && width > 0.0 && (last - first).is_finite()) {
        return None;
    }
    // BenchmarkDotNet rounds edges to 1e-4 ns; narrower bins need a finer grid or all edges would coincide.
    let grid = if width >= 1e-3 { 1e-4 } else { width * 0.1 };
    let width = (width / grid).ceil() * grid;
    if last - first < width {
        let centre = 0.5 * first + 0.5 * last;
        return Some(vec![Bin { lower: centre - width / 2.0, upper: centre + width / 2.0, count: s.len() }]);
    }
    let mut bins = fill(s, &edges(s, width, grid)?);
    while bins.first().is_some_and(|b| b.0.count == 0) {
        bins.remove(0);
    }
    while bins.last().is_some_and(|b| b.0.count == 0) {
        bins.pop();
    }
    join_narrow(&mut bins, width);
    Some(bins.into_iter().map(|(bin, _)| bin).collect())
}

/// Inserts edges from left to right until no gap is wider than allowed.
fn edges(s: &[f64], width: f64, grid: f64) -> Option<Vec<f64>> {
    let floor = |x: f64| (x / grid).floor() * grid;
    let start = floor(s[0] - width / 2.0);
    // Edges right of the current gap, nearest last, so that inserting before the rest is a push.
    let mut right = vec![((s[s.len() - 1] + width / 2.0) / grid).ceil() * grid];
    let mut done = vec![start];
    let limit = (10 * s.len()).min(1_000_000);
    while let Some(&upper) = right.last() {
        if done.len() + right.len() > limit {
            return None;
        }
        let lower = done[done.len() - 1];
        if upper - lower <= (width * (1.0 + 2.0 * MARGIN)).max((lower + upper) / 2.0 * ADAPTIVE) {
            right.pop();
            done.push(upper);
            continue;
        }
        let Some(centre) = densest(s, lower, upper, width) else {
            done.push(floor(lower + width));
            continue;
        };
        let reach = width.max(centre * ADAPTIVE) / 2.0;
        let (a, b) = (floor(centre - reach), floor((centre + reach).min(upper)));
        if a > lower + width * MARGIN {
            right.push(a);
        } else if b < upper - width * MARGIN && b > lower + width * MARGIN {
            done.push(b);
        } else {
            // The whole gap becomes one bin although it is wide.
            right.pop();
            done.push(upper);
        }
    }
    Some(done)
}

/// Centre of the window narrower than `width` that holds most values of the gap; on ties, the shorter one.
fn densest(s: &[f64], lower: f64, upper: f64, width: f64) -> Option<f64> {
    let from = s.partition_point(|&x| x <= lower - EPSILON);
    let to = s.partition_point(|&x| x < upper - EPSILON);
    let mut best: Option<(usize, f64, usize)> = None;
    let mut end = from;
    for i in from..to {
        end = end.max(i + 1);
        while end < to && s[end] - s[i] < width {
            end += 1;
        }
        let (count, span) = (end - i, s[end - 1] - s[i]);
        if best.is_none_or(|(most, least, _)| count > most || count == most && span < least) {
            best = Some((count, span, i));
        }
    }
    best.map(|(count, _, i)| 0.5 * s[i] + 0.5 * s[i + count - 1])
}

/// Bins with the largest value of each.
fn fill(s: &[f64], edges: &[f64]) -> Vec<(Bin, f64)> {
    let mut from = 0;
    edges
        .windows(2)
        .map(|edge| {
            let to = from + s[from..].partition_point(|&x| x < edge[1]);
            let largest = if to > from { s[to - 1] } else { f64::NEG_INFINITY };
            let bin = Bin { lower: edge[0], upper: edge[1], count: to - from };
            from = to;
            (bin, largest)
        })
        .collect()
}

/// Merges bins that are much narrower than `width` into their narrower neighbour.
fn join_narrow(bins: &mut Vec<(Bin, f64)>, width: f64) {
    let mut i = 0;
    let mut largest = 0.0_f64;
    while i < bins.len() {
        largest = largest.max(bins[i].1);
        if bins[i].0.upper - bins[i].0.lower >= (width / 3.0).max(largest * ADAPTIVE) {
            i += 1;
            continue;
        }
        let gap = |j: Option<usize>| j.and_then(|j| bins.get(j)).map_or(f64::MAX, |b| b.0.upper - b.0.lower);
        let into = if i > 0 && gap(i.checked_sub(1)) < gap(Some(i + 1)) {
            i - 1
        } else if i + 1 < bins.len() {
            i
        } else {
            i += 1;
            continue;
        };
        let taken = bins.remove(into + 1);
        bins[into].0.upper = taken.0.upper;
        bins[into].0.count += taken.0.count;
        bins[into].1 = bins[into].1.max(taken.1);
        // After a merge to the left the same index holds the next bin; after one to the right, the merged bin.
    }
}
