//! A histogram with bars.

use crate::{significant, width, Line, Role, TimeUnit, View};
use tare_stats::histogram::Bin;

const BAR_MAX: usize = 50;
/// Bins that are drawn; a histogram of more is cut, which is said.
const BINS_MAX: usize = 60;

pub(crate) fn histogram(bins: &[Bin], unit: TimeUnit, indent: usize, view: &View) -> Vec<Line> {
    let most = bins.iter().map(|b| b.count).max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    let digits = digits(bins);
    let end = |ns: f64| significant(ns / unit.ns(), digits);
    let labels: Vec<(String, String)> = bins.iter().map(|b| (end(b.lower), end(b.upper))).collect();
    let left = labels.iter().map(|l| width(&l.0)).max().unwrap_or(0);
    let right = labels.iter().map(|l| width(&l.1)).max().unwrap_or(0);
    let counts = most.to_string().len();
    let symbol = unit.symbol(view.glyphs);
    let taken = indent + 1 + left + 2 + right + 2 + width(symbol) + 2 + counts + 2;
    let room = view.columns.saturating_sub(taken).clamp(8, BAR_MAX);
    let mut lines = Vec::new();
    for (bin, (lower, upper)) in bins.iter().zip(&labels).take(BINS_MAX) {
        let ends = format!("{}[{lower:>left$}, {upper:>right$}) {symbol}", " ".repeat(indent));
        let eighths = (bin.count * room * 8).div_ceil(most);
        lines.push(
            Line::of(Role::Plain, format!("{ends}  {:>counts$}  ", bin.count))
                .with(Role::Value, view.glyphs.bar(eighths)),
        );
    }
    if bins.len() > BINS_MAX {
        lines.push(Line::of(Role::Quiet, format!("{}{} more bins", " ".repeat(indent), bins.len() - BINS_MAX)));
    }
    lines
}

/// Digits that tell the narrowest bin's ends apart, at least four.
fn digits(bins: &[Bin]) -> usize {
    let narrowest = bins.iter().map(|b| b.upper - b.lower).filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    let greatest = bins.iter().map(|b| b.upper.abs()).fold(0.0, f64::max);
    let needed = (greatest / narrowest).log10().ceil();
    if needed.is_finite() {
        (needed as i64 + 1).clamp(4, 9) as usize
    } else {
        4
    }
}
