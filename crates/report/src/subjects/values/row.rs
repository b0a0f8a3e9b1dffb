use super::case::finite;
use crate::parts::failures::text_of;
use serde::Serialize;
use tare_analysis::{Comparison, Design, SkippedRow};
use tare_model::Better;
use tare_stats::interval::Interval;

/// A benchmark of a comparison. Times are in ns per operation; unknown values are None.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Row {
    /// Unique within the comparison.
    pub label: String,
    pub group: String,
    pub name: String,
    pub language: String,
    /// `compared`, `failed-base`, `failed-new`, `only-base`, `only-new`, `not-measured` or `skipped`.
    pub state: &'static str,
    /// Why it was not compared, or what limits its verdict.
    pub reason: String,
    pub base_ns: Option<f64>,
    pub new_ns: Option<f64>,
    /// The unit of the compared values if they are not times.
    pub metric: String,
    pub base_metric: Option<f64>,
    pub new_metric: Option<f64>,
    /// Smaller is better: a time, or a metric that says so.
    #[serde(skip)]
    pub less_is_better: bool,
    pub ratio: Option<f64>,
    pub ratio_lower: Option<f64>,
    pub ratio_upper: Option<f64>,
    pub verdict: &'static str,
    pub p: Option<f64>,
    pub q: Option<f64>,
    pub launches_base: usize,
    pub launches_new: usize,
}

impl Row {
    pub fn of_ratio(name: &str, verdict: &'static str, ratio: Option<(f64, Option<Interval>)>, reason: &str) -> Row {
        let interval = ratio.and_then(|(_, interval)| interval);
        Row {
            group: group_part(name).to_owned(),
            ratio: ratio.and_then(|(value, _)| finite(value)),
            ratio_lower: interval.and_then(|interval| finite(interval.lower)),
            ratio_upper: interval.and_then(|interval| finite(interval.upper)),
            verdict,
            ..Row::absent(name, if ratio.is_some() { "compared" } else { "not-measured" }, reason.to_owned())
        }
    }

    fn absent(label: &str, state: &'static str, reason: String) -> Row {
        Row { label: label.to_owned(), name: label.to_owned(), state, reason, less_is_better: true, ..Row::default() }
    }
}

/// The rows of a comparison: first compared ones, then the others.
pub(crate) fn rows(comparison: &Comparison) -> Vec<Row> {
    let labels = comparison.labels();
    let mut rows: Vec<Row> = comparison
        .rows
        .iter()
        .map(|row| Row {
            group: row.group.clone(),
            name: row.name.clone(),
            language: row.language.clone(),
            base_ns: row.base_ns.and_then(finite),
            new_ns: row.new_ns.and_then(finite),
            metric: row.metric.as_ref().map(|metric| metric.unit.clone()).unwrap_or_default(),
            base_metric: row.metric.as_ref().and_then(|metric| finite(metric.base)),
            new_metric: row.metric.as_ref().and_then(|metric| finite(metric.new)),
            less_is_better: row.metric.as_ref().is_none_or(|metric| metric.better == Better::Lower),
            ratio: finite(row.ratio),
            ratio_lower: row.interval.and_then(|Interval { lower, .. }| finite(lower)),
            ratio_upper: row.interval.and_then(|Interval { upper, .. }| finite(upper)),
            verdict: row.verdict.word(),
            p: row.p,
            q: row.q,
            launches_base: row.launches[0],
            launches_new: row.launches[1],
            ..Row::absent(&labels.of(row), "compared", row.remark.clone())
        })
        .collect();
    let is_saved = comparison.design != Design::Interleaved;
    for failed in &comparison.failed {
        let state = if failed.side == 0 { "failed-base" } else { "failed-new" };
        rows.push(Row {
            group: group_part(&failed.name).to_owned(),
            name: failed.name.clone(),
            ..Row::absent(&failed.key, state, text_of(&failed.failure, is_saved))
        });
    }
    let missing = [
        ("only-base", &comparison.only_base),
        ("only-new", &comparison.only_new),
        ("not-measured", &comparison.not_measured),
    ];
    for (state, names) in missing {
        rows.extend(names.iter().map(|name| {
            let reason = comparison.why_not.get(name).cloned().unwrap_or_default();
            Row::absent(name, state, reason)
        }));
    }
    let skipped = |row: &SkippedRow| Row {
        group: group_part(&row.name).to_owned(),
        name: row.name.clone(),
        ..Row::absent(&row.key, "skipped", row.text())
    };
    rows.extend(comparison.skipped.iter().map(skipped));
    rows
}

/// The group of `group/name[n=10]`; empty if unknown.
pub(super) fn group_part(name: &str) -> &str {
    let bare = name.split('[').next().unwrap_or_default();
    bare.rsplit_once('/').map_or("", |(group, _)| group)
}
