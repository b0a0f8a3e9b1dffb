//! Sorting, checking and summing samples.

/// True if the slice holds at least one value and every value is finite.
///
/// A non-finite measurement is a defect upstream; every estimator of this crate returns `None` for it rather than a plausible number.
pub(crate) fn usable(xs: &[f64]) -> bool {
    !xs.is_empty() && xs.iter().all(|x| x.is_finite())
}

/// A sorted copy, or `None` when the slice is empty or holds a non-finite value.
pub(crate) fn sorted(xs: &[f64]) -> Option<Vec<f64>> {
    if !usable(xs) {
        return None;
    }
    let mut copy = xs.to_vec();
    copy.sort_unstable_by(f64::total_cmp);
    Some(copy)
}

/// The finite values only, in the order given.
pub(crate) fn finite_only(xs: &[f64]) -> Vec<f64> {
    xs.iter().copied().filter(|x| x.is_finite()).collect()
}

/// Neumaier's compensated sum: needed because times with a large common part lose digits otherwise.
pub(crate) fn sum(xs: impl IntoIterator<Item = f64>) -> f64 {
    let mut total = 0.0;
    let mut lost = 0.0;
    for x in xs {
        let next: f64 = total + x;
        lost += if f64::abs(total) >= x.abs() { (total - next) + x } else { (x - next) + total };
        total = next;
    }
    if total.is_finite() {
        total + lost
    } else {
        total
    }
}

pub(crate) fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

/// The median of a sorted, non-empty slice; `NaN` for an empty one.
pub(crate) fn median_of_sorted(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    match n {
        0 => f64::NAN,
        _ if n % 2 == 1 => sorted[n / 2],
        _ => midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// The middle of two values without overflow.
pub(crate) fn midpoint(a: f64, b: f64) -> f64 {
    0.5 * a + 0.5 * b
}

/// Ranks from 1, tied values sharing the mean of their ranks.
pub(crate) fn midranks(xs: &[f64]) -> Vec<f64> {
    let mut index: Vec<usize> = (0..xs.len()).collect();
    index.sort_by(|&i, &j| xs[i].total_cmp(&xs[j]));
    let mut ranks = vec![0.0; xs.len()];
    let mut start = 0;
    while start < index.len() {
        let mut end = start + 1;
        while end < index.len() && xs[index[end]] == xs[index[start]] {
            end += 1;
        }
        let rank = (start + end + 1) as f64 / 2.0;
        for &i in &index[start..end] {
            ranks[i] = rank;
        }
        start = end;
    }
    ranks
}

/// At most `limit` evenly spaced order statistics of a sorted slice.
///
/// Keeps the shape of the distribution without adding sampling noise, so that estimators whose cost grows
/// faster than n stay affordable on a million values.
pub(crate) fn thin(sorted: &[f64], limit: usize) -> Vec<f64> {
    let n = sorted.len();
    if n <= limit || limit < 2 {
        return sorted.to_vec();
    }
    (0..limit).map(|i| sorted[(i as u128 * (n - 1) as u128 / (limit - 1) as u128) as usize]).collect()
}
