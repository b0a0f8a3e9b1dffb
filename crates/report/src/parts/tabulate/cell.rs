//! The cells of a row, and what a page needs besides: numbers to sort by, dots.

use super::kind::{CellContext, Kind};
use super::{measured, Context};
use crate::elements::chart::Tone;
use crate::elements::table::{Block, Body, Cell, Drawn};
use crate::parts::charts::group_dots;
use crate::parts::failures::cause_text;
use crate::words::label::whole_name;
use crate::words::number::{
    digits_for, half_width, percent, ratio, relative_half_width, time_digits, Decimal, TimeUnit,
};
use crate::words::text::{clean, plural, Glyphs, Role};
use std::collections::HashMap;
use tare_analysis::{at_most, CaseEstimates, CaseReport, GroupReport, NetTime, Outcome, Report, Severity, Verdict};
use tare_model::{RunStatus, Strategy};

pub(super) fn body(context: &Context, case: &CaseReport, unit: Option<TimeUnit>, kinds: &[Kind]) -> Body {
    let named = || kinds.iter().filter_map(|kind| Some(Cell::text((kind.name.as_ref()?)(case))));
    let message = |text: String, role| Body::Message { named: named().collect(), text, role };
    match &case.outcome {
        Outcome::Failed { failure } => {
            message(format!("failed: {}", cause_text(&failure.cause, case.is_command())), Role::Error)
        }
        Outcome::Skipped { reason } => message(format!("skipped: {}", clean(reason)), Role::Quiet),
        Outcome::NotMeasured => message(format!("not measured: {}", why_not(context.report)), Role::Quiet),
        Outcome::Measured(estimates) => {
            let place = CellContext { context, case, estimates, unit };
            let numbers = kinds.iter().filter(|kind| kind.name.is_none()).map(|kind| (kind.cell)(&place));
            Body::Cells(named().chain(numbers).collect())
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

/// Whether the table names the strategy of a benchmark. If another harness measures it, the harness is named above the table.
pub(super) fn is_named(strategy: Strategy) -> bool {
    strategy.keeps_all() && strategy != Strategy::Process
}

/// Median time from process start until `opened`, for a case with one invocation per process.
pub(crate) fn start_up_ns(case: &CaseReport) -> Option<f64> {
    let launches = measured(case).filter(|_| case.strategy == Strategy::ColdStart)?.launches.iter();
    let mut times: Vec<f64> = launches.filter_map(|launch| launch.start_up_ns).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Divisor and symbol for a count that would be too long.
pub(crate) fn large(value: f64) -> (f64, &'static str) {
    match value.abs() {
        v if v >= 1e12 => (1e12, "T"),
        v if v >= 1e9 => (1e9, "G"),
        v if v >= 1e6 => (1e6, "M"),
        _ => (1.0, ""),
    }
}

pub(super) fn time(&CellContext { context, case, estimates, unit }: &CellContext) -> Cell {
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

/// `< 0.031`: two digits, rounded up, as it is a bound.
pub(crate) fn below(upper: f64) -> String {
    format!("< {}", at_most(upper))
}

pub(super) fn interval(&CellContext { context, estimates, .. }: &CellContext) -> Cell {
    match &estimates.time {
        // `< U` is itself the upper end of the interval.
        NetTime::Below { .. } => Cell::Empty,
        NetTime::Resolved { interval: None, .. } => {
            Cell::styled(plural(estimates.launches.len(), "launch"), Role::Quiet)
        }
        NetTime::Resolved { value_ns, interval: Some(interval) } => {
            let text = half_width(*value_ns, interval, context.glyphs);
            match text.strip_suffix(" %").filter(|t| t.starts_with(&context.glyphs.of("±"))) {
                Some(number) => Cell::number(Decimal::of(number), Role::Plain, "%"),
                None => Cell::text(text),
            }
        }
    }
}

pub(super) fn ratio_cell(&CellContext { context, case, estimates, .. }: &CellContext) -> Cell {
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

/// Shown beside `same` for a real difference: the minimum effect that it stays below.
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

pub(super) fn shape(counts: &[usize], glyphs: Glyphs) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let level = |n: usize| if n == 0 { 0 } else { (7 * n).div_ceil(most).clamp(1, 7) };
    counts.iter().map(|&n| glyphs.spark(level(n))).collect()
}

fn worst(report: &Report, case: &CaseReport) -> Option<Severity> {
    report.findings.iter().filter(|f| f.concerns(case.case)).map(|f| f.severity).max()
}

/// The sign at the end of a row with a finding.
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

pub(super) fn of_case(case: &CaseReport, kinds: &[Kind], parameters: &[String]) -> Drawn {
    let word = match &case.outcome {
        Outcome::Failed { .. } => Some("failed"),
        Outcome::NotMeasured => Some("not measured"),
        Outcome::Skipped { .. } => Some("skipped"),
        Outcome::Measured(e) => e.ratio.as_ref().map(|ratio| ratio.verdict.word()),
    };
    Drawn {
        anchor: measured(case).map(|_| anchor_of(case.case)),
        values: kinds.iter().map(|kind| (kind.value)(case)).collect(),
        word,
        full_name: (!parameters.is_empty()).then(|| whole_name(case)),
        ..Drawn::default()
    }
}

/// Adds a group's dots to its rows, and the axis; `cases` are in row order.
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
