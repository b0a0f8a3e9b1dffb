//! Axes: ranges, tick positions and labels.

use super::{Axis, Measure};
use crate::words::number::{count, percent_set, significant, TimeUnit};
use crate::words::text::Glyphs;

/// The ends of an axis; `lower` is smaller, and positive on an axis of ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    pub lower: f64,
    pub upper: f64,
}

impl Range {
    pub(crate) fn of(values: impl Iterator<Item = f64>, is_log: bool) -> Option<Range> {
        let usable = values.filter(|v| v.is_finite() && (!is_log || *v > 0.0));
        let range = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        (range.0 <= range.1).then_some(Range { lower: range.0, upper: range.1 })
    }

    /// Adds a margin at both ends, up to this minimum width: relative on an axis of ratios, absolute otherwise.
    pub(crate) fn padded(self, is_log: bool, least: f64) -> Range {
        const ROOM: f64 = 0.06;
        if is_log {
            let (lower, upper) = (self.lower.ln(), self.upper.ln());
            let half = (0.5 * (upper - lower) * (1.0 + 2.0 * ROOM)).max(0.5 * least.ln_1p());
            let centre = 0.5 * (lower + upper);
            return Range { lower: (centre - half).exp(), upper: (centre + half).exp() };
        }
        let half = (0.5 * (self.upper - self.lower) * (1.0 + 2.0 * ROOM)).max(0.5 * least);
        let centre = 0.5 * (self.lower + self.upper);
        Range { lower: centre - half, upper: centre + half }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    range: Range,
    is_log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    pub(crate) fn new(range: Range, is_log: bool, from: f64, to: f64) -> Scale {
        Scale { range, is_log, from, to }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(f64::MIN_POSITIVE).ln() - self.range.lower.ln())
                / (self.range.upper.ln() - self.range.lower.ln())
        } else {
            (value - self.range.lower) / (self.range.upper - self.range.lower)
        };
        let share = if share.is_nan() || value.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        self.from + share * (self.to - self.from)
    }

    /// -1 if the value is below the lower end, 1 if above the upper, else 0.
    pub(crate) fn beyond(&self, value: f64) -> i8 {
        i8::from(value > self.range.upper) - i8::from(value < self.range.lower)
    }

    pub(crate) fn ticks(&self, most: usize) -> Vec<f64> {
        let Range { lower, upper } = self.range;
        if self.is_log && lower > 0.0 && upper / lower >= WIDE {
            return log_ticks(lower, upper, most);
        }
        linear_ticks(lower, upper, most)
    }
}

/// From this ratio of its ends, an axis of ratios has ticks at powers of ten.
const WIDE: f64 = 8.0;

fn linear_ticks(lower: f64, upper: f64, most: usize) -> Vec<f64> {
    let rough = (upper - lower) / most.max(1) as f64;
    if !rough.is_finite() || rough <= 0.0 {
        return vec![lower];
    }
    let power = 10f64.powf(rough.log10().floor());
    let ends = |step: f64| ((lower / step).ceil() as i64, (upper / step).floor() as i64);
    let is_few = |step: &f64| ends(*step).1 - ends(*step).0 <= most as i64;
    let step = [0.5, 1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(is_few).unwrap_or(rough);
    let (first, last) = ends(step);
    (first..=last.min(first + 50)).map(|n| n as f64 * step).collect()
}

fn log_ticks(lower: f64, upper: f64, most: usize) -> Vec<f64> {
    let powers = (lower.log10().floor() as i32)..=(upper.log10().ceil() as i32);
    let inside = |ticks: Vec<f64>| -> Vec<f64> {
        ticks.into_iter().filter(|t| *t >= lower * 0.9999 && *t <= upper * 1.0001).collect()
    };
    let with = |mantissas: &[f64], step: usize| {
        let all = powers.clone().step_by(step).flat_map(|p| mantissas.iter().map(move |m| m * 10f64.powi(p)));
        inside(all.collect())
    };
    let sets = [with(&[1.0, 2.0, 5.0], 1), with(&[1.0, 3.0], 1), with(&[1.0], 1), with(&[1.0], 2), with(&[1.0], 3)];
    sets.into_iter().find(|ticks| ticks.len() <= most.max(2) + 1).unwrap_or_else(|| vec![lower, upper])
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Labels {
    pub ticks: Vec<String>,
    pub title: String,
}

pub(crate) fn labels(axis: &Axis, ticks: &[f64]) -> Labels {
    let plain = |ticks: Vec<String>| Labels { ticks, title: axis.label.clone() };
    match axis.measure {
        Measure::Time => time_labels(axis, ticks),
        Measure::Share => plain(ticks.iter().map(|t| percent_set(*t)).collect()),
        Measure::Deviation => plain(ticks.iter().map(|t| deviation(*t)).collect()),
        Measure::Seconds => with_unit(axis, ticks, "s"),
        Measure::Ratio | Measure::Count | Measure::Number => plain(even(ticks)),
    }
}

fn with_unit(axis: &Axis, ticks: &[f64], unit: &str) -> Labels {
    Labels { ticks: even(ticks), title: format!("{}, {unit}", axis.label) }
}

fn time_labels(axis: &Axis, ticks: &[f64]) -> Labels {
    let glyphs = Glyphs::Unicode;
    match TimeUnit::of_block(ticks) {
        Some(unit) if ticks.len() > 1 || axis.is_log => {
            let scaled: Vec<f64> = ticks.iter().map(|t| t / unit.ns()).collect();
            with_unit(axis, &scaled, unit.symbol(glyphs))
        }
        _ => {
            let one = |ns: &f64| {
                let unit = TimeUnit::of(*ns);
                format!("{} {}", count(ns / unit.ns()), unit.symbol(glyphs))
            };
            Labels { ticks: ticks.iter().map(one).collect(), title: axis.label.clone() }
        }
    }
}

/// `+5 %`, `0 %`, `−5 %`.
fn deviation(share: f64) -> String {
    let text = percent_set(share.abs());
    match share {
        s if s > 0.0 => format!("+{text}"),
        s if s < 0.0 => format!("−{text}"),
        _ => "0 %".to_owned(),
    }
}

/// Numbers with just enough decimals to distinguish them; very large or small ones are shortened.
fn even(ticks: &[f64]) -> Vec<String> {
    let least = ticks.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(f64::INFINITY, f64::min);
    let most = ticks.iter().fold(0.0_f64, |most, t| most.max(t.abs()));
    if ticks.len() < 2 || most >= 1e6 || most / least > 1e4 {
        return ticks.iter().map(|t| short(*t)).collect();
    }
    let decimals = (-(least * 1.0001).log10().floor()).clamp(0.0, 9.0) as usize;
    let is_even = |t: &f64| (t / least - (t / least).round()).abs() < 1e-6;
    if ticks.iter().all(is_even) {
        ticks.iter().map(|t| format!("{t:.decimals$}")).collect()
    } else {
        ticks.iter().map(|t| short(*t)).collect()
    }
}

/// `1e6` is `1 M`.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 1e9 => format!("{}G", count(value / 1e9)),
        v if v >= 1e6 => format!("{}M", count(value / 1e6)),
        v if v >= 1e4 => format!("{}k", count(value / 1e3)),
        v if v >= 1e-4 || v == 0.0 => count(value),
        _ => significant(value, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(lower: f64, upper: f64, is_log: bool) -> Scale {
        Scale::new(Range { lower, upper }, is_log, 0.0, 100.0)
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |lower, upper, is_log, most| -> Vec<String> {
            scale(lower, upper, is_log).ticks(most).into_iter().map(|tick| format!("{tick:.4}")).collect()
        };
        assert_eq!(ticks(9.3, 10.4, false, 4), ["9.5000", "10.0000"]);
        assert_eq!(ticks(0.93, 1.12, true, 5), ["0.9500", "1.0000", "1.0500", "1.1000"]);
        assert_eq!(ticks(8.0, 3000.0, true, 4), ["10.0000", "100.0000", "1000.0000"]);
        assert_eq!(ticks(5.0, 5.0, false, 4), ["5.0000"]);
        for (lower, upper) in [(1e-3, 1e9), (0.2, 4e3), (1.0, 9.0), (1e-12, 1e12)] {
            let ticks = scale(lower, upper, true).ticks(5);
            assert!(ticks.len() >= 2 && ticks.len() <= 9, "{ticks:?}");
            assert!(ticks.iter().all(|t| *t >= lower * 0.999 && *t <= upper * 1.001), "{ticks:?}");
        }
    }

    #[test]
    fn labels_have_one_unit_and_equal_decimals() {
        let time = |is_log| Axis { label: "time".into(), measure: Measure::Time, is_log };
        let found = labels(&time(false), &[1000.0, 1050.0, 1100.0]);
        assert_eq!((found.ticks, found.title), (vec!["1.00".into(), "1.05".into(), "1.10".into()], "time, µs".into()));
        let found = labels(&time(true), &[1.0, 1e3, 1e6]);
        assert_eq!((found.ticks, found.title), (vec!["1 ns".into(), "1 µs".into(), "1 ms".into()], "time".into()));
        let ratio = Axis::log("ratio", Measure::Ratio);
        assert_eq!(labels(&ratio, &[0.95, 1.0, 1.05]).ticks, ["0.95", "1.00", "1.05"]);
        assert_eq!(labels(&ratio, &[0.1, 1.0, 10.0]).ticks, ["0.1", "1", "10"]);
        let deviation = Axis::linear("deviation", Measure::Deviation);
        assert_eq!(labels(&deviation, &[-0.05, 0.0, 0.05]).ticks, ["−5 %", "0 %", "+5 %"]);
    }

    #[test]
    fn places_stay_inside_whatever_the_value() {
        let infinite = (f64::INFINITY, 100.0);
        for (value, place) in
            [(1.0, 0.0), (100.0, 100.0), (10.0, 50.0), (1e9, 100.0), (0.0, 0.0), (f64::NAN, 50.0), infinite]
        {
            assert!((scale(1.0, 100.0, true).at(value) - place).abs() < 1e-9, "{value}");
        }
        assert_eq!((scale(1.0, 2.0, true).beyond(3.0), scale(1.0, 2.0, true).beyond(0.5)), (1, -1));
        // An empty range is valid.
        assert!(scale(5.0, 5.0, false).at(5.0).is_finite());
    }
}
