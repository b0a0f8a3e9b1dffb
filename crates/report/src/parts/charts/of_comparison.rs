//! Charts of a comparison from its rows alone.

use super::of_run::{bar_chart, time_text};
use crate::elements::chart::{effect_band, Axis, Chart, Dot, DotPlot, Measure, Tone};
use crate::parts::comparison::{label, ratio_text, rows_of, ORDER};
use crate::words::number::{ratio, ratio_interval};
use crate::words::text::clean;
use tare_analysis::{Comparison, ComparisonRow, Verdict};

/// The times of saved results, whose launches are unknown, as bars.
pub(crate) fn bars_of_rows(comparison: &Comparison) -> Vec<Chart> {
    let labels = comparison.labels();
    let chart = |row: &ComparisonRow| {
        let of_base = (&comparison.base.name, row.base_ns, Tone::Base);
        let of_new = (&comparison.new.name, row.new_ns, Tone::New);
        let bar = |(name, ns, tone): (&String, Option<f64>, Tone)| {
            Some(Dot { label: clean(name), value: ns?, interval: None, text: time_text(ns?, None), tone })
        };
        let bars: Vec<Dot> = [of_base, of_new].into_iter().filter_map(bar).collect();
        (!bars.is_empty()).then(|| bar_chart(clean(&labels.of(row)), vec![(String::new(), bars)]))
    };
    comparison.rows.iter().filter(|row| row.metric.is_none()).filter_map(chart).collect()
}

pub(crate) fn comparison_dots(comparison: &Comparison) -> Option<DotPlot> {
    let labels = comparison.labels();
    let dot = |row: &&ComparisonRow| Dot {
        label: label(&labels, row),
        value: row.ratio,
        interval: row.interval,
        text: match &row.interval {
            Some(i) => format!("{} {}", ratio(row.ratio, i), ratio_interval(i)),
            None => ratio_text(row),
        },
        tone: Tone::Verdict(row.verdict),
    };
    let group = |verdict: Verdict| {
        let dots: Vec<Dot> = rows_of(comparison, verdict, None).0.iter().map(dot).collect();
        (!dots.is_empty()).then(|| (format!("{} ({})", verdict.word(), dots.len()), dots))
    };
    let groups: Vec<(String, Vec<Dot>)> = ORDER.into_iter().filter_map(group).collect();
    // Metrics have their own minimum effects.
    let times = comparison.rows.iter().filter(|row| row.metric.is_none());
    let least = times.map(|row| row.minimum_effect).fold(f64::INFINITY, f64::min);
    let axis = Axis::log("ratio, new / base", Measure::Ratio);
    (!groups.is_empty()).then(|| DotPlot { axis, groups, reference: Some(1.0), band: effect_band(least) })
}
