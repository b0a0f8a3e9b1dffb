//! Order statistics of all pairs without building the pairs.
//!
//! Hodges-Lehmann and Shamos estimators are medians over up to n² pairs. For sorted samples, two pointers count the pairs at or below a
//! value in O(n), and the pair of a given rank is found by bisecting on the bit pattern of the answer: at most 64 counts, no allocation, an
//! exact result. Selection in a sorted matrix is due to Johnson & Mizoguchi (1978), its use for this estimator to Monahan (1984).

use crate::sample::midpoint;

/// Maps floats to integers that sort the same way.
fn key(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | (1 << 63)
    }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// The smallest `v` in `[low, high]` with `count(v) > rank`: the pair of that rank, counted from 0.
fn select(rank: u64, low: f64, high: f64, count: impl Fn(f64) -> u64) -> f64 {
    let (mut below, mut at) = (key(low), key(high));
    while below < at {
        let middle = below + (at - below) / 2;
        if count(value(middle)) > rank {
            at = middle;
        } else {
            below = middle + 1;
        }
    }
    // `+ 0.0` turns a negative zero into zero.
    value(at) + 0.0
}

fn median_by(pairs: u64, at: impl Fn(u64) -> f64) -> f64 {
    if pairs % 2 == 1 {
        at(pairs / 2)
    } else {
        midpoint(at(pairs / 2 - 1), at(pairs / 2))
    }
}

/// Median of `(x_i + x_j) / 2` over i <= j of a sorted, non-empty slice.
pub(crate) fn median_walsh(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let count = |v: f64| {
        let mut total = 0u64;
        let mut end = n;
        for i in 0..n {
            while end > i && midpoint(sorted[i], sorted[end - 1]) > v {
                end -= 1;
            }
            if end <= i {
                break;
            }
            total += (end - i) as u64;
        }
        total
    };
    let pairs = n as u64 * (n as u64 + 1) / 2;
    median_by(pairs, |rank| select(rank, sorted[0], sorted[n - 1], count))
}

/// Median of `|x_i - x_j|` over i < j of a sorted slice of at least two values.
pub(crate) fn median_distance(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let count = |v: f64| {
        let mut total = 0u64;
        let mut end = 0;
        for i in 0..n {
            end = end.max(i);
            while end + 1 < n && sorted[end + 1] - sorted[i] <= v {
                end += 1;
            }
            total += (end - i) as u64;
        }
        total
    };
    let pairs = n as u64 * (n as u64 - 1) / 2;
    median_by(pairs, |rank| select(rank, 0.0, sorted[n - 1] - sorted[0], count))
}
