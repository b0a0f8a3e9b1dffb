//! The columns of a run's table: order, titles, cells, and priorities on a narrow screen.

use super::cell::{interval, is_named, mark, ratio_cell, shape, shown_ns, start_up_ns, time};
use super::{estimates, measured, Context};
use crate::elements::table::{Align, Cell, Title};
use crate::parts::header::is_shared_time;
use crate::parts::metric::{rate, rate_cell};
use crate::parts::tabulate::large;
use crate::parts::{jobs, metric};
use crate::words::label::{parameter, Naming};
use crate::words::number::{
    bytes, count, digits_for, duration, percent, ratio_interval, relative_half_width, significant, Decimal, TimeUnit,
};
use crate::words::text::{clean, Glyphs, Role};
use tare_analysis::{CaseEstimates, CaseReport, CoreUse, NetTime, Quantity, Report};
use tare_model::Metric;

pub(super) struct CellContext<'a> {
    pub context: &'a Context<'a>,
    pub case: &'a CaseReport,
    pub estimates: &'a CaseEstimates,
    pub unit: Option<TimeUnit>,
}

type OfCase<'a, T> = Box<dyn Fn(&CaseReport) -> T + 'a>;

pub(super) struct Kind<'a> {
    pub title: Title,
    pub align: Align,
    /// See [`Column`](crate::elements::table::Column).
    pub priority: u8,
    pub optional: bool,
    pub is_result: bool,
    /// For a column that names cases, the name of a case in it.
    pub name: Option<OfCase<'a, String>>,
    pub cell: Box<dyn Fn(&CellContext) -> Cell + 'a>,
    pub value: OfCase<'a, Option<f64>>,
    /// Blocks without such a case have no title.
    pub has: OfCase<'a, bool>,
}

impl<'a> Kind<'a> {
    fn left(title: impl Into<Title>, priority: u8, cell: impl Fn(&CellContext) -> Cell + 'a) -> Kind<'a> {
        Kind {
            title: title.into(),
            align: Align::Left,
            priority,
            optional: false,
            is_result: false,
            name: None,
            cell: Box::new(cell),
            value: Box::new(|_| None),
            has: Box::new(|_| true),
        }
    }

    fn right(title: impl Into<Title>, priority: u8, cell: impl Fn(&CellContext) -> Cell + 'a) -> Kind<'a> {
        Kind { align: Align::Right, ..Kind::left(title, priority, cell) }
    }

    fn naming(title: impl Into<Title>, name: impl Fn(&CaseReport) -> String + 'a) -> Kind<'a> {
        Kind { name: Some(Box::new(name)), ..Kind::left(title, 0, |_| Cell::Empty) }
    }

    fn short(mut self, short: &str) -> Kind<'a> {
        short.clone_into(&mut self.title.short);
        self
    }

    fn result(self) -> Kind<'a> {
        Kind { is_result: true, ..self }
    }

    /// Sets the number by which a page sorts measured cases.
    fn by(self, value: impl Fn(&CaseReport, &CaseEstimates) -> Option<f64> + 'a) -> Kind<'a> {
        Kind { value: Box::new(move |case| value(case, measured(case)?)), ..self }
    }

    fn titled_if(self, has: impl Fn(&CaseReport) -> bool + 'a) -> Kind<'a> {
        Kind { has: Box::new(has), ..self }
    }
}

fn has(case: &CaseReport, holds: impl Fn(&CaseEstimates) -> bool) -> bool {
    measured(case).is_some_and(holds)
}

/// The non-empty columns in display order. Pages (`drawn`) have more.
pub(super) fn kinds<'a>(
    report: &'a Report,
    (metrics, rates, parameters): (&'a [Metric], &'a [String], &'a [String]),
    drawn: bool,
) -> Vec<Kind<'a>> {
    let naming = Naming::of(report);
    let any = |holds: &dyn Fn(&CaseEstimates) -> bool| estimates(report).any(holds);
    let of_parameter = |name: &'a String| Kind {
        align: Align::Right,
        value: Box::new(|case| parameter(case, name)?.parse().ok()),
        ..Kind::naming(clean(name), |case| parameter(case, name).map(clean).unwrap_or_default())
    };
    let mut kinds: Vec<Kind> = parameters.iter().map(of_parameter).collect();
    if naming.language {
        kinds.push(Kind::naming("language", |case| clean(&case.language)).short("lang"));
    }
    if naming.program {
        let name = |case: &CaseReport| report.programs.get(case.program as usize).map(|p| clean(&p.name));
        kinds.push(Kind::naming("program", move |case| name(case).unwrap_or_default()));
    }
    if naming.job {
        kinds.push(Kind::naming("job", |case| clean(&case.job)));
    }
    let settings = jobs::varying(report).into_iter().map(|name| {
        let title = name.clone();
        Kind::left(title, 3, move |of| Cell::text(jobs::value(report, of.case, &name)))
    });
    let settings: Vec<Kind> = settings.collect();
    let before_results = kinds.len();
    kinds.push(Kind::right("time", 0, time).by(|_, e| Some(shown_ns(e))).result());
    if any(&|e| matches!(e.time, NetTime::Resolved { .. })) {
        let width = |e: &CaseEstimates| match &e.time {
            NetTime::Resolved { value_ns, interval: Some(i) } => Some(i.width() / value_ns),
            _ => None,
        };
        let kind = Kind::left("95 % interval", 1, interval).short("95 %").by(move |_, e| width(e));
        kinds.push(kind.titled_if(|case| has(case, |_| true)).result());
    }
    // CPU times are marked in their rows, as the exception among wall times.
    let is_cpu = |e: &CaseEstimates| e.quantity == Quantity::Cpu;
    let marked = |word: &'static str, is: fn(&CaseEstimates) -> bool| {
        move |of: &CellContext| Cell::styled(if is(of.estimates) { word } else { "" }, Role::Warning)
    };
    if any(&is_cpu) {
        kinds.push(Kind::left("clock", 1, marked("cpu", is_cpu)).titled_if(|case| has(case, |_| true)));
    }
    // If no time is alone, the line above says so.
    if any(&is_shared_time) && any(&|e| e.core.is_some_and(|c| c.times == CoreUse::Alone)) {
        kinds.push(Kind::left("core", 1, marked("shared", is_shared_time)).titled_if(|case| has(case, |_| true)));
    }
    if any(&|e| e.cycles.is_some()) {
        let cell = |of: &CellContext| {
            of.estimates.cycles.as_ref().map_or(Cell::Empty, |e| {
                let (size, symbol) = large(e.value);
                let digits = digits_for(relative_half_width(e.value, Some(&e.interval)));
                Cell::number(Decimal::of(&significant(e.value / size, digits)), Role::Plain, symbol)
            })
        };
        let kind = Kind::right("cycles", 6, cell).by(|_, e| e.cycles.as_ref().map(|cycles| cycles.value));
        kinds.push(kind.titled_if(|case| has(case, |e| e.cycles.is_some())).result());
    }
    if report.cases.iter().any(|case| has(case, |_| is_named(case.strategy))) {
        let cell = |of: &CellContext| match is_named(of.case.strategy) {
            true => Cell::styled(of.case.strategy.title(), Role::Quiet),
            false => Cell::Empty,
        };
        kinds.push(Kind::left("strategy", 1, cell).titled_if(|case| is_named(case.strategy)));
    }
    if report.cases.iter().any(|case| start_up_ns(case).is_some()) {
        let cell = |of: &CellContext| {
            start_up_ns(of.case).map_or(Cell::Empty, |ns| {
                let unit = TimeUnit::of(ns);
                let number = Decimal::of(&significant(ns / unit.ns(), 3));
                Cell::number(number, Role::Quiet, unit.symbol(of.context.glyphs))
            })
        };
        let kind = Kind::right("start-up", 2, cell).by(|case, _| start_up_ns(case));
        kinds.push(kind.titled_if(|case| start_up_ns(case).is_some()));
    }
    if any(&|e| e.ratio.is_some()) {
        let value = |case: &CaseReport, e: &CaseEstimates| {
            e.ratio.as_ref().map(|ratio| ratio.ratio).or(case.baseline.then_some(1.0))
        };
        let ends = |of: &CellContext| {
            let ratio = of.estimates.ratio.as_ref();
            ratio.map_or(Cell::Empty, |ratio| Cell::styled(ratio_interval(&ratio.interval), Role::Quiet))
        };
        let compared = |case: &CaseReport| has(case, |e| e.ratio.is_some());
        let ratio = Kind::left("ratio to base", 0, ratio_cell).short("ratio");
        let interval = Kind::left("95 % of ratio", 3, ends).short("95 %");
        kinds.extend([ratio, interval].map(|kind| kind.by(value).titled_if(compared).result()));
    }
    // On a page, where settings may be long, results come first.
    let place = match drawn {
        true => kinds.iter().rposition(|kind| kind.is_result).map_or(0, |at| at + 1),
        false => before_results,
    };
    kinds.splice(place..place, settings);
    for (at, name) in rates.iter().enumerate() {
        let cell = move |of: &CellContext| {
            rate(of.estimates, name).map_or(Cell::Empty, |rate| rate_cell(rate, of.context.prefixes[at]))
        };
        let kind = Kind::right(format!("{}/s", clean(name)), if at == 0 { 1 } else { 2 }, cell);
        let kind = kind.titled_if(move |case| has(case, |e| rate(e, name).is_some()));
        kinds.push(kind.by(move |_, e| rate(e, name).map(|rate| rate.per_second)));
    }
    let first = metrics.iter().position(is_asked).unwrap_or(0);
    for (at, of) in metrics.iter().enumerate() {
        let cell = move |p: &CellContext| metric::cell(of, p.estimates, p.context.units[at], p.context.glyphs);
        let kind = Kind::right(metric::title(of), if at == first || is_asked(of) { 2 } else { 3 }, cell);
        let kind = kind.titled_if(move |case| has(case, |e| e.metric(&of.name).is_some()));
        kinds.push(kind.by(move |_, e| e.metric(&of.name)));
    }
    if drawn {
        kinds.extend(more().map(|kind| Kind { optional: true, ..kind }));
    }
    if any(&|e| !e.shape.is_empty()) {
        let cell = |of: &CellContext| Cell::styled(shape(&of.estimates.shape, of.context.glyphs), Role::Quiet);
        kinds.push(Kind::left("shape", 7, cell).titled_if(|case| has(case, |_| true)));
    }
    if report.cases.iter().any(|case| mark(report, case).is_some()) {
        let cell =
            |of: &CellContext| mark(report, of.case).map_or(Cell::Empty, |(text, role)| Cell::styled(text, role));
        kinds.push(Kind::left("", 0, cell));
    }
    kinds
}

/// A requested metric of a diagnoser is shown even if it is zero: it was counted.
pub(super) fn is_asked(metric: &Metric) -> bool {
    metric.name.contains('/')
}

fn more<'a>() -> [Kind<'a>; 5] {
    fn kind<'a>(
        title: &str,
        value: fn(&CaseEstimates) -> Option<f64>,
        text: fn(&CaseEstimates, f64, Glyphs) -> String,
    ) -> Kind<'a> {
        let cell = move |of: &CellContext| {
            let found = value(of.estimates);
            found.map_or(Cell::Empty, |value| Cell::text(text(of.estimates, value, of.context.glyphs)))
        };
        Kind::right(title, 8, cell).by(move |_, e| value(e))
    }
    let deviation = |e: &CaseEstimates| {
        let summary = e.summary.as_ref().filter(|s| s.mean > 0.0);
        summary.map(|s| s.standard_deviation / s.mean)
    };
    [
        kind("launches", |e| Some(e.launches.len() as f64), |_, n, _| count(n)),
        kind(
            "valid visits",
            |e| Some(e.visits.valid as f64),
            |e, _, _| format!("{} of {}", e.visits.valid, e.visits.measured),
        ),
        kind("median with loop", |e| e.summary.as_ref().map(|s| s.median), |_, ns, glyphs| duration(ns, glyphs)),
        kind("std. deviation", deviation, |_, share, _| percent(share)),
        kind("peak memory", |e| e.peak_memory_bytes.map(|n| n as f64), |_, n, _| bytes(n)),
    ]
}
