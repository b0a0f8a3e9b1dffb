//! What a page needs of the table of a run beside its cells: the numbers to sort by, the dots, the columns for those who ask.

use crate::chart::{group_dots, Tone};
use crate::kind::ColumnKind;
use crate::parameters::{full_name, parameter};
use crate::rates::rate;
use crate::table::{Block, Cell, Drawn};
use crate::tabulate::{measured, shown_ns, start_up_ns};
use crate::{bytes, count, duration, percent, Glyphs, Role};
use std::collections::HashMap;
use tare_analysis::{CaseEstimates, CaseReport, GroupReport, NetTime, Outcome, Report};
use tare_model::Metric;

pub(crate) fn anchor(case: u32) -> String {
    format!("case-{case}")
}

/// What is known of the row of a case; its dot comes later.
pub(crate) fn of_case(
    case: &CaseReport,
    kinds: &[ColumnKind],
    metrics: &[Metric],
    rates: &[String],
    parameters: &[String],
) -> Drawn {
    let estimates = measured(case);
    let number = |kind: &ColumnKind| match kind {
        ColumnKind::Parameter(at) => parameters.get(*at).and_then(|name| parameter(case, name)?.parse().ok()),
        kind => value(*kind, case, estimates?, metrics, rates),
    };
    let values = kinds.iter().map(number).collect();
    let word = match &case.outcome {
        Outcome::Failed { .. } => Some("failed"),
        Outcome::NotMeasured => Some("not measured"),
        Outcome::Skipped { .. } => Some("skipped"),
        Outcome::Measured(e) => e.ratio.as_ref().map(|ratio| ratio.verdict.word()),
    };
    let names: Vec<String> = case.parameters.iter().map(|p| p.name.clone()).collect();
    let full_name = (!parameters.is_empty()).then(|| full_name(case, &names));
    Drawn { anchor: estimates.map(|_| anchor(case.case)), values, word, full_name, ..Drawn::default() }
}

fn value(
    kind: ColumnKind,
    case: &CaseReport,
    estimates: &CaseEstimates,
    metrics: &[Metric],
    rates: &[String],
) -> Option<f64> {
    let summary = estimates.summary.as_ref();
    match kind {
        ColumnKind::Time => Some(shown_ns(estimates)),
        ColumnKind::Interval => match &estimates.time {
            NetTime::Resolved { value_ns, interval: Some(i) } => Some(i.width() / value_ns),
            _ => None,
        },
        ColumnKind::Cycles => estimates.cycles.as_ref().map(|cycles| cycles.value),
        ColumnKind::StartUp => start_up_ns(case),
        ColumnKind::Ratio | ColumnKind::RatioInterval => {
            estimates.ratio.as_ref().map(|ratio| ratio.ratio).or(case.baseline.then_some(1.0))
        }
        ColumnKind::Metric(at) => metrics.get(at).and_then(|metric| estimates.metric(&metric.name)),
        ColumnKind::Rate(at) => rates.get(at).and_then(|name| rate(estimates, name)).map(|rate| rate.per_second),
        ColumnKind::Launches => Some(estimates.launches.len() as f64),
        ColumnKind::Visits => Some(estimates.visits.valid as f64),
        ColumnKind::Median => summary.map(|s| s.median),
        ColumnKind::Deviation => summary.filter(|s| s.mean > 0.0).map(|s| s.standard_deviation / s.mean),
        ColumnKind::Memory => estimates.peak_memory_bytes.map(|bytes| bytes as f64),
        ColumnKind::Language
        | ColumnKind::Program
        | ColumnKind::Job
        | ColumnKind::Setting(_)
        | ColumnKind::Parameter(_)
        | ColumnKind::Clock
        | ColumnKind::Core
        | ColumnKind::Strategy => None,
        ColumnKind::Shape | ColumnKind::Mark => None,
    }
}

pub(crate) fn more_cell(kind: ColumnKind, estimates: &CaseEstimates, glyphs: Glyphs) -> Cell {
    let text = match kind {
        ColumnKind::Launches => Some(count(estimates.launches.len() as f64)),
        ColumnKind::Visits => Some(format!("{} of {}", estimates.visits.valid, estimates.visits.measured)),
        ColumnKind::Median => estimates.summary.as_ref().map(|s| duration(s.median, glyphs)),
        ColumnKind::Deviation => {
            let summary = estimates.summary.as_ref().filter(|s| s.mean > 0.0);
            summary.map(|s| percent(s.standard_deviation / s.mean))
        }
        ColumnKind::Memory => estimates.peak_memory_bytes.map(|n| bytes(n as f64)),
        _ => None,
    };
    text.map_or(Cell::Empty, |text| Cell::styled(text, Role::Plain))
}

/// The dots of a group at its rows, and its axis; `cases` are in the order of the rows.
pub(crate) fn place_dots(report: &Report, group: &GroupReport, cases: &[&CaseReport], block: &mut Block) {
    let (plot, dots) = group_dots(report, group);
    let mut dots: HashMap<u32, _> = dots.into_iter().collect();
    for (case, row) in cases.iter().zip(&mut block.rows) {
        if let Some(drawn) = &mut row.drawn {
            drawn.dot = dots.remove(&case.case);
        }
    }
    let some =
        plot.groups.iter().flat_map(|(_, dots)| dots).any(|dot| dot.interval.is_some() || dot.tone == Tone::Base);
    block.plot = some.then(|| Box::new(plot));
}
