//! Builds the table of a Report: non-empty columns and their cells.

mod cell;
mod kind;

pub(crate) use cell::{anchor_of, below, large, shown_ns, small, verdict_role, why_not};

use crate::elements::table::{Block, Cell, Column, Row, Table, Title};
use crate::parts::metric;
use crate::parts::metric::{prefix_of_block, rate, rates, Prefix};
use crate::words::label::{alike, are_commands, full_name, in_columns, in_order, parameter, parameters};
use crate::words::number::TimeUnit;
use crate::words::text::{clean, Glyphs};
use cell::{body, of_case, place_dots};
use kind::{is_asked, kinds, Kind};
use std::collections::BTreeSet;
use tare_analysis::{each_once, CaseEstimates, CaseReport, GroupReport, Report};
use tare_model::Metric;

struct Context<'a> {
    report: &'a Report,
    glyphs: Glyphs,
    /// The operation that all cases of the block count, if it is the same.
    operation: Option<&'a str>,
    /// The unit of bytes or time for each metric in the block, if any.
    units: Vec<Option<(&'static str, f64)>>,
    prefixes: Vec<Option<Prefix>>,
    compared: bool,
}

/// The table of a report, without empty columns.
pub fn tabulate(report: &Report, glyphs: Glyphs) -> Table {
    tabulate_groups(report, &report.groups, glyphs)
}

pub(crate) fn tabulate_groups(report: &Report, groups: &[GroupReport], glyphs: Glyphs) -> Table {
    tabulate_for(report, groups, glyphs, false)
}

/// The table for a page: with drawing data and optional columns.
pub(crate) fn tabulate_drawn(report: &Report, glyphs: Glyphs) -> Table {
    tabulate_for(report, &report.groups, glyphs, true)
}

fn tabulate_for(report: &Report, groups: &[GroupReport], glyphs: Glyphs, drawn: bool) -> Table {
    let counts_somewhere = |metric: &Metric| {
        estimates(report).filter_map(|e| e.metric(&metric.name)).any(|value| !is_nothing(metric, value))
    };
    let asked = |metric: &&Metric| counts_somewhere(metric) || is_asked(metric);
    let metrics: Vec<Metric> = metrics(report, |_| true).into_iter().filter(asked).cloned().collect();
    let rates = rates(report);
    let parameters = if drawn { of_page(report) } else { Vec::new() };
    let kinds = kinds(report, (&metrics, &rates, &parameters), drawn);
    let column = |kind: &Kind| Column { align: kind.align, priority: kind.priority, optional: kind.optional };
    let naming = kinds.iter().filter(|kind| kind.name.is_some()).count();
    let block = |group| block(report, group, (&metrics, &rates, &parameters), &kinds, glyphs, drawn);
    Table {
        columns: kinds.iter().map(column).collect(),
        naming,
        blocks: groups.iter().map(block).collect(),
        ..Table::default()
    }
}

/// The metrics for which a case has such a value, in order of appearance.
pub(crate) fn metrics(report: &Report, such: impl Fn(f64) -> bool) -> Vec<&Metric> {
    let mut found: Vec<&Metric> = Vec::new();
    for one in estimates(report).flat_map(|e| &e.metrics) {
        if found.iter().all(|metric| metric.name != one.metric.name) {
            found.push(&one.metric);
        }
    }
    found.retain(|metric| estimates(report).filter_map(|e| e.metric(&metric.name)).any(&such));
    found
}

/// Which columns are not from timed launches.
pub(crate) fn separate_passes(report: &Report) -> Option<String> {
    let of_metrics = estimates(report).flat_map(|e| &e.metrics).filter_map(|metric| metric.diagnoser.as_deref());
    let names: BTreeSet<String> = of_metrics.map(|name| format!("{}/*", clean(name))).collect();
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| format!("{}: measured in a separate pass after the times", names.join(", ")))
}

/// Whether 0 is shown: stray events of a runtime round to it, but a benchmark's own small values stay.
pub(crate) fn is_nothing(metric: &Metric, value: f64) -> bool {
    let is_of_runtime = [Metric::ALLOCATIONS, Metric::ALLOCATED_BYTES].contains(&metric.name.as_str())
        || Metric::is_collections(&metric.name)
        || is_asked(metric);
    value == 0.0 || (is_of_runtime && !counts(value))
}

/// More than a value that rounds to zero: one stray allocation in a thousand operations does not count.
pub(crate) fn counts(value: f64) -> bool {
    value >= 0.001
}

pub(crate) fn estimates(report: &Report) -> impl Iterator<Item = &CaseEstimates> {
    report.cases.iter().filter_map(measured)
}

pub(crate) fn measured(case: &CaseReport) -> Option<&CaseEstimates> {
    case.estimates()
}

fn block(
    report: &Report,
    group: &GroupReport,
    (metrics, rates, shared): (&[Metric], &[String], &[String]),
    kinds: &[Kind],
    glyphs: Glyphs,
    drawn: bool,
) -> Block {
    let cases = ordered(report, group);
    let context = Context {
        report,
        glyphs,
        operation: cases.first().map(|c| c.unit.as_str()).filter(|unit| cases.iter().all(|c| c.unit == *unit)),
        units: metrics.iter().map(|metric| metric::unit_of_block(metric, &cases, glyphs)).collect(),
        prefixes: rates
            .iter()
            .map(|name| prefix_of_block(cases.iter().filter_map(|c| rate(measured(c)?, name))))
            .collect(),
        compared: cases.iter().filter_map(|c| measured(c)).any(|e| e.ratio.is_some()),
    };
    let (varying, constant) = parameters(&cases);
    let gaps = gaps(&cases, context.compared);
    let units = units(&cases, &gaps);
    let (in_name, in_columns) = match (in_columns(group, &cases, &varying), drawn) {
        (true, false) => (vec![], varying),
        // On a page, shared parameters are columns of the whole table.
        (_, true) => (varying.into_iter().filter(|name| !shared.contains(name)).collect(), vec![]),
        (false, false) => (varying, vec![]),
    };
    let rows = cases.iter().zip(gaps).zip(units).map(|((case, gap), unit)| {
        let heads = std::iter::once(Cell::text(full_name(case, &in_name)))
            .chain(in_columns.iter().map(|name| Cell::text(parameter(case, name).map(clean).unwrap_or_default())));
        let drawn = drawn.then(|| Box::new(of_case(case, kinds, shared)));
        Row { gap, heads: heads.collect(), body: body(&context, case, unit, kinds), drawn }
    });
    let name = match (group.name.as_str(), are_commands(&cases)) {
        ("", true) => "command".to_owned(),
        ("", false) => "benchmark".to_owned(),
        (name, _) => clean(name),
    };
    let mut block = Block {
        heads: std::iter::once(name).chain(in_columns.iter().map(|name| clean(name))).collect(),
        rows: rows.collect(),
        plot: None,
        titles: kinds.iter().map(|kind| title(&context, kind, &cases)).collect(),
        constants: constant,
        full_names: !in_name.is_empty(),
    };
    if drawn {
        place_dots(report, group, &cases, &mut block);
    }
    block
}

/// Parameters with columns in any block of a screen; none if they are too many for a common table.
fn of_page(report: &Report) -> Vec<String> {
    const COLUMNS_MAX: usize = 4;
    let of_group = |group: &GroupReport| {
        let cases = ordered(report, group);
        let (varying, _) = parameters(&cases);
        in_columns(group, &cases, &varying).then_some(varying)
    };
    let names = each_once(report.groups.iter().filter_map(of_group).flatten());
    Some(names).filter(|names| names.len() <= COLUMNS_MAX).unwrap_or_default()
}

/// The cases of a block, with compared ones adjacent even if the front end lists them by name.
pub(crate) fn ordered<'a>(report: &'a Report, group: &GroupReport) -> Vec<&'a CaseReport> {
    let cases: Vec<&CaseReport> = group.cases.iter().filter_map(|&i| report.cases.get(i as usize)).collect();
    match cases.iter().filter_map(|c| measured(c)).any(|e| e.ratio.is_some()) {
        true => alike(cases, |case| in_order(case)).concat(),
        false => cases,
    }
}

/// The unit of each row: a common one for adjacent rows, for comparison at a glance.
fn units(cases: &[&CaseReport], gaps: &[bool]) -> Vec<Option<TimeUnit>> {
    let mut units = Vec::with_capacity(cases.len());
    while units.len() < cases.len() {
        let start = units.len();
        let length = 1 + gaps[start + 1..].iter().take_while(|&&gap| !gap).count();
        let times = cases[start..start + length].iter().filter_map(|c| measured(c)).map(shown_ns);
        let times: Vec<f64> = times.filter(|ns| ns.is_finite()).collect();
        units.resize(start + length, TimeUnit::of_block(&times));
    }
    units
}

/// Where a blank line separates comparisons: only if rows are in parameter order.
pub(crate) fn gaps(cases: &[&CaseReport], compared: bool) -> Vec<bool> {
    let sets: Vec<_> = cases.iter().map(|case| in_order(case)).collect();
    let changes: Vec<bool> = (0..cases.len()).map(|i| i > 0 && sets[i] != sets[i - 1]).collect();
    let runs = 1 + changes.iter().filter(|&&c| c).count();
    let firsts = sets.iter().collect::<std::collections::BTreeSet<_>>().len();
    let useful = compared && runs == firsts && runs < cases.len();
    changes.into_iter().map(|change| change && useful).collect()
}

fn title(context: &Context, kind: &Kind, cases: &[&CaseReport]) -> Title {
    match context.operation {
        _ if !cases.iter().any(|case| (kind.has)(case)) => Title::default(),
        Some(operation) if operation != "op" && kind.is_result && kind.title.long == "time" => {
            format!("time/{}", clean(operation)).into()
        }
        _ => kind.title.clone(),
    }
}
