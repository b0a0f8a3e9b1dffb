//! The tables of a comparison: one block per verdict, the largest change first.

use crate::elements::table::{Align, Block, Body, Cell, Column, Drawn, Filled, Row, Table, Title};
use crate::parts::charts::comparison_dots;
use crate::parts::comparison::{label, ratio_text, rows_of, ORDER};
use crate::parts::statistics::probability;
use crate::parts::tabulate::{small, verdict_role};
use crate::words::number;
use crate::words::number::{
    byte_unit, percent, ratio_interval, significant, time_digits, Decimal, TimeUnit, PLAIN_MIN,
};
use crate::words::text::{clean, Glyphs, Role};
use tare_analysis::{Comparison, ComparisonRow, CountRow, Labels, Verdict};

/// A column of the tables: its cells and the numbers behind them.
struct Kind<'a> {
    title: Title,
    align: Align,
    /// See [`Column`].
    priority: u8,
    cell: Box<dyn Fn(&ComparisonRow) -> Cell + 'a>,
    value: fn(&ComparisonRow) -> Option<f64>,
}

fn kinds<'a>(rows: &[&'a ComparisonRow], detailed: bool, glyphs: Glyphs) -> Vec<Kind<'a>> {
    let any = |holds: fn(&ComparisonRow) -> bool| rows.iter().any(|row| holds(row));
    let kind = |title: [&str; 2], align, priority, cell: Box<dyn Fn(&ComparisonRow) -> Cell>, value| {
        let title = Title { long: title[0].to_owned(), short: title[1].to_owned() };
        Kind { title, align, priority, cell, value }
    };
    let side = |at: usize, role: Role| -> Box<dyn Fn(&ComparisonRow) -> Cell> {
        Box::new(move |row| match &row.metric {
            Some(metric) => metric_cell([metric.base, metric.new][at], &metric.unit, glyphs),
            None => time(row, at, role, glyphs),
        })
    };
    let own_errors = move |row: &ComparisonRow| {
        row.own_errors.map_or(Cell::Empty, |[base, new]| {
            let of = |share: f64| format!("{}{}", glyphs.of("±"), percent(share));
            Cell::styled(format!("{}, {}", of(base), of(new)), Role::Quiet)
        })
    };
    let interval = |row: &ComparisonRow| match &row.interval {
        Some(interval) => Cell::text(ratio_interval(interval)),
        None => Cell::styled("none", Role::Quiet),
    };
    let ratio = |row: &ComparisonRow| match row.has_no_ratio() {
        true => Cell::styled(ratio_text(row), verdict_role(row.verdict)),
        false => Cell::number(Decimal::of(&ratio_text(row)), verdict_role(row.verdict), ""),
    };
    let launches = |row: &ComparisonRow| match row.launches {
        [base, new] if base == new => Cell::text(base.to_string()),
        [base, new] => Cell::text(format!("{base}+{new}")),
    };
    let sum = |row: &ComparisonRow| Some((row.launches[0] + row.launches[1]) as f64);
    let base = |row: &ComparisonRow| row.metric.as_ref().map(|m| m.base).or(row.base_ns);
    let new = |row: &ComparisonRow| row.metric.as_ref().map(|m| m.new).or(row.new_ns);
    let text = |value: Option<f64>, text: fn(f64) -> String| value.map_or(Cell::Empty, |value| Cell::text(text(value)));
    let within_cell = Box::new(move |row: &ComparisonRow| text(within(row), percent));
    let q = Box::new(move |row: &ComparisonRow| text(row.q, probability));
    let (left, right) = (Align::Left, Align::Right);
    let language = rows.iter().any(|row| row.language != rows[0].language);
    let language_cell = Box::new(|row: &ComparisonRow| Cell::text(clean(&row.language)));
    let most_own: fn(&ComparisonRow) -> Option<f64> = |row| row.own_errors.map(|[base, new]| base.max(new));
    let all = [
        (language, kind(["language", "lang"], left, 2, language_cell, |_| None)),
        (true, kind(["base"; 2], right, 3, side(0, Role::Plain), base)),
        (true, kind(["new"; 2], right, 2, side(1, Role::Value), new)),
        (true, kind(["ratio"; 2], right, 0, Box::new(ratio), |row| Some(row.ratio))),
        (
            any(|row| row.interval.is_some()),
            kind(["95 % interval", "95 %"], left, 1, Box::new(interval), |row| Some(row.ratio)),
        ),
        (
            any(|row| row.own_errors.is_some()),
            kind(["tool's own errors", "own errors"], left, 4, Box::new(own_errors), most_own),
        ),
        (any(|row| within(row).is_some()), kind([WITHIN, "same in"], right, 4, within_cell, within)),
        (detailed, kind(["launches"; 2], right, 5, Box::new(launches), sum)),
        (detailed && any(|row| row.q.is_some()), kind(["q"; 2], right, 6, q, |row| row.q)),
        (any(|row| mark(row) != Cell::Empty), kind([""; 2], left, 0, Box::new(mark), |_| None)),
    ];
    all.into_iter().filter_map(|(says_something, kind)| says_something.then_some(kind)).collect()
}

const WITHIN: &str = "same within";

/// The tables of all verdicts for a page, with the rows' dots; `anchor` gives the anchor of a row.
pub(crate) fn tabulate_drawn(comparison: &Comparison, anchor: impl Fn(&ComparisonRow) -> Option<String>) -> Table {
    /// Columns of at least this priority value are optional on a page.
    const OPTIONAL: u8 = 5;
    let mut table = tabulate(comparison, &ORDER, None, true, Glyphs::Unicode);
    for column in &mut table.columns {
        column.optional = column.priority >= OPTIONAL;
    }
    let plot = comparison_dots(comparison);
    let mut groups = plot.iter().flat_map(|plot| plot.groups.iter());
    let shown = ORDER.into_iter().map(|verdict| rows_of(comparison, verdict, None).0).filter(|rows| !rows.is_empty());
    for (block, rows) in table.blocks.iter_mut().zip(shown) {
        let dots = groups.next().map(|(_, dots)| dots.as_slice()).unwrap_or_default();
        for ((row, dot), shown) in rows.iter().zip(dots).zip(&mut block.rows) {
            if let Some(drawn) = &mut shown.drawn {
                (drawn.anchor, drawn.dot) = (anchor(row), Some(dot.clone()));
            }
        }
        block.plot = plot.clone().map(Box::new);
    }
    table
}

/// The tables of the shown verdicts, without empty blocks.
pub(crate) fn tabulate(
    comparison: &Comparison,
    words: &[Verdict],
    top: Option<usize>,
    detailed: bool,
    glyphs: Glyphs,
) -> Table {
    let shown: Vec<(Verdict, Vec<&ComparisonRow>, usize)> = ORDER
        .into_iter()
        .filter(|verdict| words.contains(verdict))
        .map(|verdict| {
            let (rows, left_out) = rows_of(comparison, verdict, top);
            (verdict, rows, left_out)
        })
        .filter(|(_, rows, _)| !rows.is_empty())
        .collect();
    let rows: Vec<&ComparisonRow> = shown.iter().flat_map(|(_, rows, _)| rows.iter().copied()).collect();
    let kinds = kinds(&rows, detailed, glyphs);
    let labels = comparison.labels();
    let blocks = shown.iter().map(|(verdict, rows, left_out)| {
        let heading = match left_out {
            0 => format!("{} ({})", verdict.word(), rows.len()),
            more => format!("{} ({} of {})", verdict.word(), rows.len(), rows.len() + more),
        };
        let directed = matches!(verdict, Verdict::Slower | Verdict::Faster);
        let titles = kinds.iter().map(|kind| match kind.title.long == WITHIN && directed {
            true => Title::default(),
            false => kind.title.clone(),
        });
        Block {
            heads: vec![heading],
            titles: titles.collect(),
            constants: String::new(),
            full_names: false,
            rows: rows.iter().map(|row| table_row(&labels, row, &kinds)).collect(),
            plot: None,
        }
    });
    let column = |kind: &Kind| Column { align: kind.align, priority: kind.priority, optional: false };
    let blocks = blocks.collect();
    Table { columns: kinds.iter().map(column).collect(), naming: 0, blocks, ..Table::default() }
}

pub(crate) fn tabulate_counts(comparison: &Comparison, glyphs: Glyphs) -> Table {
    let counted = || comparison.counted.iter();
    let cell = |count: &CountRow, value: f64| metric_cell(value, &count.metric.unit, glyphs);
    let columns = vec![
        Filled::right("base", 0, counted().map(|count| cell(count, count.metric.base))),
        Filled::right("new", 0, counted().map(|count| cell(count, count.metric.new))),
    ];
    let head = format!("counted, not judged ({})", comparison.counted.len());
    Table::of(&head, counted().map(|count| clean(&count.name)), columns)
}

/// The margin within which both sides are the same, for rows without a direction.
fn within(row: &ComparisonRow) -> Option<f64> {
    let directed = matches!(row.verdict, Verdict::Slower | Verdict::Faster);
    row.certified_margin.filter(|m| !directed && m.is_finite())
}

/// A value of a metric, in the unit at the end of its name.
fn metric_cell(value: f64, name: &str, glyphs: Glyphs) -> Cell {
    let of = |text: String, symbol: &'static str| Cell::number(Decimal::of(&text), Role::Plain, symbol);
    let unit = TimeUnit::of(value);
    match name.rsplit(' ').next() {
        Some("ns") if value > 0.0 => of(significant(value / unit.ns(), 3), unit.symbol(glyphs)),
        Some("ns") => of(count(value), "ns"),
        Some("B") => {
            let (symbol, size) = byte_unit(value);
            of(count(value / size), symbol)
        }
        _ => of(count(value), ""),
    }
}

fn table_row(labels: &Labels, row: &ComparisonRow, kinds: &[Kind]) -> Row {
    let values = kinds.iter().map(|kind| (kind.value)(row)).collect();
    Row {
        gap: false,
        heads: vec![Cell::text(label(labels, row))],
        body: Body::Cells(kinds.iter().map(|kind| (kind.cell)(row)).collect()),
        drawn: Some(Box::new(Drawn { values, word: Some(row.verdict.word()), ..Drawn::default() })),
    }
}

fn mark(row: &ComparisonRow) -> Cell {
    let below = row.below().map(small);
    let modes = row.several_modes.then(|| "modes".to_owned());
    let other_ratio = row.ratio_of_times.map(|_| "!".to_owned());
    let role = if modes.is_some() { Role::Warning } else { Role::Quiet };
    Cell::styled([below, modes, other_ratio].into_iter().flatten().collect::<Vec<String>>().join(" "), role)
}

/// A whole count unchanged, a mean of counts with four digits.
fn count(value: f64) -> String {
    const EXACT: f64 = 1e6;
    if value.fract() == 0.0 && value.abs() < EXACT {
        format!("{value:.0}")
    } else if value.abs() < PLAIN_MIN {
        number::count(value)
    } else {
        significant(value, 4)
    }
}

/// The time of a side. Both sides of a row share a unit, as they are compared with each other and not with other rows.
fn time(row: &ComparisonRow, side: usize, role: Role, glyphs: Glyphs) -> Cell {
    let times = [row.base_ns, row.new_ns];
    let Some(ns) = times[side].filter(|ns| ns.is_finite()) else { return Cell::styled("not resolved", Role::Quiet) };
    let unit = TimeUnit::of_block(&times.into_iter().flatten().collect::<Vec<f64>>());
    let unit = unit.unwrap_or_else(|| TimeUnit::of(ns));
    Cell::number(Decimal::of(&time_digits(ns / unit.ns(), 4)), role, unit.symbol(glyphs))
}
