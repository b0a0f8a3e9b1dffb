//! Akinshin's lowland detector on a quantile-respectful density (aakinshin.net; perfolizer, MIT; arXiv 2404.03835).
//!
//! Two peaks are two modes when the basin between them, filled with water to the lower peak, would hold more water
//! than ground.

use super::Mode;
use crate::interval::Interval;
use crate::quantile::harrell_davis;
use crate::sample::{sorted, thin};

/// Quantile bins of the density (perfolizer's precision of .01).
const BINS: usize = 100;
/// Larger samples are thinned to this many evenly spaced order statistics.
const LIMIT: usize = 20_000;
/// Bins narrower than this share of the range are ties, and have no density.
const NARROWEST: f64 = 1e-12;

#[derive(Clone, Copy)]
struct Column {
    lower: f64,
    upper: f64,
    height: f64,
}

impl Column {
    fn middle(&self) -> f64 {
        0.5 * self.lower + 0.5 * self.upper
    }
}

/// The quantile-respectful density: bins of equal mass (here 100) between Harrell-Davis quantiles.
fn columns(sorted: &[f64]) -> Vec<Column> {
    let s = thin(sorted, LIMIT);
    let quantiles: Option<Vec<f64>> = (0..=BINS).map(|i| harrell_davis(&s, i as f64 / BINS as f64)).collect();
    let range = s[s.len() - 1] - s[0];
    let ends = quantiles.unwrap_or_default();
    let column = |pair: &[f64]| {
        let width = pair[1] - pair[0];
        let height = 1.0 / (BINS as f64 * width);
        (width > NARROWEST * range && height.is_finite()).then_some(Column { lower: pair[0], upper: pair[1], height })
    };
    ends.windows(2).filter_map(column).collect()
}

/// Modes of the sample, ascending; `sensitivity` in `[0, 1]`, by default 0.5 (less finds fewer).
///
/// `None` for an empty or non-finite sample; a constant one has one mode.
pub fn lowland(xs: &[f64], sensitivity: f64) -> Option<Vec<Mode>> {
    let s = sorted(xs)?;
    let columns = columns(&s);
    let whole = Interval { lower: s[0], upper: s[s.len() - 1] };
    let (places, cuts) = split(&columns, sensitivity);
    if places.len() < 2 {
        let location = match places.first() {
            Some(&place) => place,
            None => columns.iter().max_by(|a, b| a.height.total_cmp(&b.height)).map_or(s[0], Column::middle),
        };
        return Some(vec![Mode { location, range: whole, share: 1.0 }]);
    }
    let mut modes = Vec::new();
    let mut from = 0;
    for (i, &location) in places.iter().enumerate() {
        let to = cuts.get(i).map_or(s.len(), |&cut| s.partition_point(|&x| x < cut));
        if to > from {
            let range = Interval { lower: s[from], upper: s[to - 1] };
            modes.push(Mode { location, range, share: (to - from) as f64 / s.len() as f64 });
        }
        from = to.max(from);
    }
    Some(modes)
}

/// Locations of the modes, and the lowest points between neighbours.
fn split(columns: &[Column], sensitivity: f64) -> (Vec<f64>, Vec<f64>) {
    let height = |i: usize| columns[i].height;
    let is_peak = |i: &usize| height(*i) > height(i - 1) && height(*i) >= height(i + 1);
    let peaks: Vec<usize> = (1..columns.len().saturating_sub(1)).filter(is_peak).collect();
    let (mut places, mut cuts) = (Vec::new(), Vec::new());
    // Peaks of the current mode that a later, deeper basin may still be compared with.
    let mut open: Vec<usize> = Vec::new();
    for &peak in &peaks {
        while let (Some(&first), Some(&last)) = (open.first(), open.last()) {
            let lower = height(last) < height(peak);
            if height(last) != height(peak) && is_lowland(columns, last, peak, sensitivity) {
                places.push(columns[first].middle());
                let lowest = (last..peak).min_by(|&i, &j| height(i).total_cmp(&height(j)));
                cuts.push(columns[lowest.unwrap_or(last)].middle());
                open.clear();
            } else if lower {
                open.pop();
            } else {
                break;
            }
        }
        open.push(peak);
    }
    places.extend(open.first().map(|&i| columns[i].middle()));
    (places, cuts)
}

/// True if less than `sensitivity` of the basin between two peaks is ground.
fn is_lowland(columns: &[Column], left: usize, right: usize, sensitivity: f64) -> bool {
    let water = columns[left].height.min(columns[right].height);
    let (mut left, mut right) = (left, right);
    while left < right && columns[left].height > water {
        left += 1;
    }
    while left < right && columns[right].height > water {
        right -= 1;
    }
    let ground = (right - left + 1) as f64 / columns.len() as f64;
    let basin = (columns[right].upper - columns[left].lower) * water;
    ground / basin < sensitivity
}
