//! What stands in the cells of a row, and what a page needs of them beside: the numbers to sort by, the dots.

use super::{measured, Context};
use crate::chart::{group_dots, Tone};
use crate::failures::cause_text;
use crate::header::{is_shared_time, plural};
use crate::kind::ColumnKind;
use crate::label::{full_name, parameter};
use crate::metric::{rate, rate_cell};
use crate::number::{digits_for, ratio_interval, relative_half_width, time_digits};
use crate::table::{Block, Body, Cell, Drawn};
use crate::{
    bytes, clean, count, duration, half_width, jobs, metric, percent, ratio, significant, Decimal, Glyphs, Role,
    TimeUnit,
};
use std::collections::HashMap;
use tare_analysis::{
    at_most, CaseEstimates, CaseReport, GroupReport, NetTime, Outcome, Quantity, Report, Severity, Verdict,
};
use tare_model::{Metric, RunStatus, Strategy};

pub(super) fn body(
    context: &Context,
    case: &CaseReport,
    unit: Option<TimeUnit>,
    kinds: &[ColumnKind],
    naming: usize,
) -> Body {
    let name = |kind: &ColumnKind| match kind {
        ColumnKind::Language => Cell::text(clean(&case.language)),
        ColumnKind::Program => {
            Cell::text(context.report.programs.get(case.program as usize).map_or_else(String::new, |p| clean(&p.name)))
        }
        ColumnKind::Parameter(at) => {
            let name = &context.parameters[*at];
            Cell::text(parameter(case, name).map(clean).unwrap_or_default())
        }
        _ => Cell::text(clean(&case.job)),
    };
    let message = |text: String, role| Body::Message { named: kinds[..naming].iter().map(name).collect(), text, role };
    match &case.outcome {
        Outcome::Failed { failure } => {
            message(format!("failed: {}", cause_text(&failure.cause, case.is_command())), Role::Error)
        }
        Outcome::Skipped { reason } => message(format!("skipped: {}", clean(reason)), Role::Quiet),
        Outcome::NotMeasured => message(format!("not measured: {}", why_not(context.report)), Role::Quiet),
        Outcome::Measured(estimates) => {
            let cell =
                |kind: &ColumnKind| if kind.names() { name(kind) } else { cell(context, case, estimates, unit, *kind) };
            Body::Cells(kinds.iter().map(cell).collect())
        }
    }
}

pub(crate) fn why_not(report: &Report) -> &'static str {
    if report.status != RunStatus::Finished {
        "the run was stopped"
    } else if report.findings.iter().any(|f| f.code == tare_analysis::Code::OutOfTime) {
        "the budget was spent"
    } else {
        "too few undisturbed visits"
    }
}

fn cell(
    context: &Context,
    case: &CaseReport,
    estimates: &CaseEstimates,
    unit: Option<TimeUnit>,
    kind: ColumnKind,
) -> Cell {
    match kind {
        ColumnKind::Time => time(context, case, estimates, unit),
        ColumnKind::Interval => interval(context, estimates),
        // The exception is named, not the rule.
        ColumnKind::Clock => Cell::styled(if estimates.quantity == Quantity::Cpu { "cpu" } else { "" }, Role::Warning),
        ColumnKind::Core => Cell::styled(if is_shared_time(estimates) { "shared" } else { "" }, Role::Warning),
        ColumnKind::Cycles => estimates.cycles.as_ref().map_or(Cell::Empty, |e| {
            let (size, symbol) = large(e.value);
            let digits = digits_for(relative_half_width(e.value, Some(&e.interval)));
            Cell::number(Decimal::of(&significant(e.value / size, digits)), Role::Plain, symbol)
        }),
        ColumnKind::Ratio => ratio_cell(context, case, estimates),
        ColumnKind::RatioInterval => match &estimates.ratio {
            Some(ratio) => Cell::styled(ratio_interval(&ratio.interval), Role::Quiet),
            None => Cell::Empty,
        },
        ColumnKind::Setting(at) => Cell::text(jobs::value(context.report, case, &context.settings[at])),
        ColumnKind::Metric(at) => metric::cell(&context.metrics[at], estimates, context.units[at], context.glyphs),
        ColumnKind::Rate(at) => {
            rate(estimates, &context.rates[at]).map_or(Cell::Empty, |rate| rate_cell(rate, context.prefixes[at]))
        }
        ColumnKind::Strategy if !is_named(case.strategy) => Cell::Empty,
        ColumnKind::Strategy => Cell::styled(case.strategy.title(), Role::Quiet),
        ColumnKind::StartUp => start_up_ns(case).map_or(Cell::Empty, |ns| {
            let unit = TimeUnit::of(ns);
            Cell::number(Decimal::of(&significant(ns / unit.ns(), 3)), Role::Quiet, unit.symbol(context.glyphs))
        }),
        ColumnKind::Shape => Cell::styled(shape(&estimates.shape, context.glyphs), Role::Quiet),
        ColumnKind::Mark => mark(context.report, case).map_or(Cell::Empty, |(text, role)| Cell::styled(text, role)),
        ColumnKind::Language | ColumnKind::Program | ColumnKind::Job | ColumnKind::Parameter(_) => Cell::Empty,
        ColumnKind::Launches | ColumnKind::Visits | ColumnKind::Median | ColumnKind::Deviation | ColumnKind::Memory => {
            crate::tabulate::more_cell(kind, estimates, context.glyphs)
        }
    }
}

/// The table says by which strategy a benchmark was measured. Of one that another harness measures the harness is named above it.
pub(super) fn is_named(strategy: Strategy) -> bool {
    strategy.keeps_all() && strategy != Strategy::Process
}

/// Median time from the start of a process until it was open, of a case whose processes are started for one invocation each.
pub(crate) fn start_up_ns(case: &CaseReport) -> Option<f64> {
    let launches = measured(case).filter(|_| case.strategy == Strategy::ColdStart)?.launches.iter();
    let mut times: Vec<f64> = launches.filter_map(|launch| launch.start_up_ns).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Step and symbol of a count that would be too long in digits.
pub(crate) fn large(value: f64) -> (f64, &'static str) {
    match value.abs() {
        v if v >= 1e12 => (1e12, "T"),
        v if v >= 1e9 => (1e9, "G"),
        v if v >= 1e6 => (1e6, "M"),
        _ => (1.0, ""),
    }
}

fn time(context: &Context, case: &CaseReport, estimates: &CaseEstimates, unit: Option<TimeUnit>) -> Cell {
    let unit = unit.unwrap_or_else(|| TimeUnit::of(shown_ns(estimates)));
    let per = if context.operation.is_none() { format!("/{}", clean(&case.unit)) } else { String::new() };
    let suffix = format!("{}{per}", unit.symbol(context.glyphs));
    let role = match worst(context.report, case) {
        Some(Severity::Error) => Role::Quiet,
        _ => Role::Value,
    };
    match &estimates.time {
        NetTime::Resolved { value_ns, .. } if !value_ns.is_finite() => Cell::styled("none", Role::Quiet),
        NetTime::Resolved { value_ns, interval } => {
            let digits = digits_for(relative_half_width(*value_ns, interval.as_ref()));
            Cell::number(Decimal::of(&time_digits(value_ns / unit.ns(), digits)), role, suffix)
        }
        NetTime::Below { upper_ns } => Cell::number(Decimal::of(&below(upper_ns / unit.ns())), role, suffix),
    }
}

/// `< 0.031`: two digits, rounded up, because it is a bound.
pub(crate) fn below(upper: f64) -> String {
    format!("< {}", at_most(upper))
}

fn interval(context: &Context, estimates: &CaseEstimates) -> Cell {
    match &estimates.time {
        // `< U` is itself the end of an interval.
        NetTime::Below { .. } => Cell::Empty,
        NetTime::Resolved { interval: None, .. } => {
            Cell::styled(plural(estimates.launches.len(), "launch"), Role::Quiet)
        }
        NetTime::Resolved { value_ns, interval: Some(interval) } => {
            let text = half_width(*value_ns, interval, context.glyphs);
            match text.strip_suffix(" %").filter(|t| t.starts_with(context.glyphs.plus_minus())) {
                Some(number) => Cell::number(Decimal::of(number), Role::Plain, "%"),
                None => Cell::text(text),
            }
        }
    }
}

fn ratio_cell(context: &Context, case: &CaseReport, estimates: &CaseEstimates) -> Cell {
    let Some(report) = &estimates.ratio else {
        let base = case.baseline && context.compared;
        return if base { Cell::number(Decimal::of("1.00"), Role::Plain, "base") } else { Cell::Empty };
    };
    Cell::Number {
        number: Decimal::of(&ratio(report.ratio, &report.interval)),
        role: Role::Plain,
        suffix: format!(
            "{}{}",
            report.verdict.word(),
            report.below().map(|m| format!(" {}", small(m))).unwrap_or_default()
        ),
        suffix_role: verdict_role(report.verdict),
    }
}

/// What stands beside `same` where there is a real difference: the minimum effect that it is below.
pub(crate) fn small(minimum: f64) -> String {
    format!("<{}", percent(minimum))
}

pub(crate) fn verdict_role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Faster => Role::Good,
        Verdict::Slower => Role::Bad,
        Verdict::Same => Role::Plain,
        Verdict::Unclear => Role::Warning,
    }
}

/// The small picture of how the visits are spread.
pub(crate) fn shape(counts: &[usize], glyphs: Glyphs) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let level = |n: usize| if n == 0 { 0 } else { (7 * n).div_ceil(most).clamp(1, 7) };
    counts.iter().map(|&n| glyphs.spark(level(n))).collect()
}

fn worst(report: &Report, case: &CaseReport) -> Option<Severity> {
    report.findings.iter().filter(|f| f.concerns(case.case)).map(|f| f.severity).max()
}

/// The sign at the end of a row that a finding speaks about it.
pub(super) fn mark(report: &Report, case: &CaseReport) -> Option<(&'static str, Role)> {
    let disagrees = || measured(case)?.ratio.as_ref()?.ratio_of_times.map(|_| ("!", Role::Quiet));
    match worst(report, case) {
        Some(Severity::Error) => Some(("!!", Role::Error)),
        Some(Severity::Warning) => Some(("!", Role::Warning)),
        Some(Severity::Note) | None => disagrees(),
    }
}

pub(crate) fn shown_ns(estimates: &CaseEstimates) -> f64 {
    match estimates.time {
        NetTime::Resolved { value_ns, .. } => value_ns,
        NetTime::Below { upper_ns } => upper_ns,
    }
}

pub(crate) fn anchor_of(case: u32) -> String {
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
    Drawn { anchor: estimates.map(|_| anchor_of(case.case)), values, word, full_name, ..Drawn::default() }
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
