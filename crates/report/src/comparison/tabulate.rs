//! The tables of a comparison: one block per verdict, the largest change first.

use super::words::{label, rows_of, ORDER};
use crate::chart::comparison_dots;
use crate::number::{byte_unit, ratio_interval, time_digits, PLAIN_MIN};
use crate::table::{interval_title, Align, Block, Body, Cell, Column, Drawn, Filled, Row, Table, Title};
use crate::tabulate::{small, verdict_role};
use crate::{clean, percent, ratio, significant, Decimal, Glyphs, Role, TimeUnit};
use tare_analysis::{Comparison, ComparisonRow, CountRow, Labels, Verdict};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ComparisonColumn {
    Language,
    Base,
    New,
    Ratio,
    Interval,
    OwnErrors,
    Within,
    Launches,
    P,
    Mark,
}

impl ComparisonColumn {
    /// Every column with its place in the queue of those that go when the screen is narrow; 0 stays.
    const ALL: [(ComparisonColumn, u8); 10] = [
        (ComparisonColumn::Language, 2),
        (ComparisonColumn::Base, 3),
        (ComparisonColumn::New, 2),
        (ComparisonColumn::Ratio, 0),
        (ComparisonColumn::Interval, 1),
        (ComparisonColumn::OwnErrors, 4),
        (ComparisonColumn::Within, 4),
        (ComparisonColumn::Launches, 5),
        (ComparisonColumn::P, 6),
        (ComparisonColumn::Mark, 0),
    ];

    fn value(self, row: &ComparisonRow) -> Option<f64> {
        let metric = row.metric.as_ref();
        match self {
            ComparisonColumn::Base => metric.map(|m| m.base).or(row.base_ns),
            ComparisonColumn::New => metric.map(|m| m.new).or(row.new_ns),
            ComparisonColumn::Ratio | ComparisonColumn::Interval => Some(row.ratio),
            ComparisonColumn::Within => within(row),
            ComparisonColumn::Launches => Some((row.launches[0] + row.launches[1]) as f64),
            ComparisonColumn::P => row.q,
            ComparisonColumn::OwnErrors => row.own_errors.map(|[base, new]| base.max(new)),
            ComparisonColumn::Language | ComparisonColumn::Mark => None,
        }
    }

    fn title(self) -> Title {
        match self {
            ComparisonColumn::Language => Title { long: "language".into(), short: "lang".into() },
            ComparisonColumn::Base => "base".into(),
            ComparisonColumn::New => "new".into(),
            ComparisonColumn::Ratio => "ratio".into(),
            ComparisonColumn::Interval => interval_title(),
            ComparisonColumn::OwnErrors => Title { long: "tool's own errors".into(), short: "own errors".into() },
            ComparisonColumn::Within => Title { long: "same within".into(), short: "same in".into() },
            ComparisonColumn::Launches => "launches".into(),
            ComparisonColumn::P => "q".into(),
            ComparisonColumn::Mark => Title::default(),
        }
    }
}

/// The tables of all verdicts for a page, with the dots of the rows; a row is called by the anchor of its number.
pub(crate) fn tabulate_drawn(comparison: &Comparison, anchor: impl Fn(&ComparisonRow) -> Option<String>) -> Table {
    /// Columns that are dropped so early are for those who ask.
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

/// The tables of the verdicts that are shown; blocks without rows are left out.
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
    let kinds: Vec<(ComparisonColumn, u8)> =
        ComparisonColumn::ALL.into_iter().filter(|(kind, _)| says_something(&rows, *kind, detailed)).collect();
    let labels = comparison.labels();
    let blocks = shown.iter().map(|(verdict, rows, left_out)| {
        let heading = match left_out {
            0 => format!("{} ({})", verdict.word(), rows.len()),
            more => format!("{} ({} of {})", verdict.word(), rows.len(), rows.len() + more),
        };
        let within = *verdict != Verdict::Slower && *verdict != Verdict::Faster;
        let titles = kinds.iter().map(|(kind, _)| match kind {
            ComparisonColumn::Within if !within => Title::default(),
            kind => kind.title(),
        });
        Block {
            heads: vec![heading],
            titles: titles.collect(),
            constants: String::new(),
            full_names: false,
            rows: rows.iter().map(|row| table_row(&labels, row, &kinds, glyphs)).collect(),
            plot: None,
        }
    });
    let align = |kind: ComparisonColumn| match kind {
        ComparisonColumn::Language
        | ComparisonColumn::Interval
        | ComparisonColumn::OwnErrors
        | ComparisonColumn::Mark => Align::Left,
        _ => Align::Right,
    };
    Table {
        columns: kinds
            .iter()
            .map(|&(kind, priority)| Column { align: align(kind), priority, optional: false })
            .collect(),
        naming: 0,
        blocks: blocks.collect(),
    }
}

/// What is counted on both sides and not judged.
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

fn says_something(rows: &[&ComparisonRow], kind: ComparisonColumn, detailed: bool) -> bool {
    match kind {
        ComparisonColumn::Language => rows.iter().any(|r| r.language != rows[0].language),
        ComparisonColumn::Base | ComparisonColumn::New | ComparisonColumn::Ratio => true,
        ComparisonColumn::Interval => rows.iter().any(|r| r.interval.is_some()),
        ComparisonColumn::OwnErrors => rows.iter().any(|r| r.own_errors.is_some()),
        ComparisonColumn::Within => rows.iter().any(|r| within(r).is_some()),
        ComparisonColumn::Launches => detailed,
        ComparisonColumn::P => detailed && rows.iter().any(|r| r.q.is_some()),
        ComparisonColumn::Mark => {
            rows.iter().any(|r| r.several_modes || r.ratio_of_times.is_some() || r.below().is_some())
        }
    }
}

/// The margin within which both sides are the same, of rows whose word is not a direction.
fn within(row: &ComparisonRow) -> Option<f64> {
    let directed = matches!(row.verdict, Verdict::Slower | Verdict::Faster);
    row.certified_margin.filter(|m| !directed && m.is_finite())
}

/// A value of a metric, in the unit that its name ends in.
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

fn table_row(labels: &Labels, row: &ComparisonRow, kinds: &[(ComparisonColumn, u8)], glyphs: Glyphs) -> Row {
    // Rows are different benchmarks: what is compared at a glance are both sides of a row, and they share a unit.
    let times: Vec<f64> = [row.base_ns, row.new_ns].into_iter().flatten().collect();
    let unit = TimeUnit::of_block(&times);
    let cell = |kind: ComparisonColumn| match kind {
        ComparisonColumn::Language => Cell::text(clean(&row.language)),
        ComparisonColumn::Base | ComparisonColumn::New if row.metric.is_some() => {
            let metric = row.metric.as_ref().map(|m| if kind == ComparisonColumn::Base { m.base } else { m.new });
            let unit = row.metric.as_ref().map_or("", |m| m.unit.as_str());
            metric.map_or(Cell::Empty, |value| metric_cell(value, unit, glyphs))
        }
        ComparisonColumn::Base => time(row.base_ns, unit, Role::Plain, glyphs),
        ComparisonColumn::New => time(row.new_ns, unit, Role::Value, glyphs),
        ComparisonColumn::Ratio if row.has_no_ratio() => Cell::styled(ratio_text(row), verdict_role(row.verdict)),
        ComparisonColumn::Ratio => Cell::number(Decimal::of(&ratio_text(row)), verdict_role(row.verdict), ""),
        ComparisonColumn::Interval => match &row.interval {
            Some(interval) => Cell::text(ratio_interval(interval)),
            None => Cell::styled("none", Role::Quiet),
        },
        ComparisonColumn::OwnErrors => row.own_errors.map_or(Cell::Empty, |[base, new]| {
            let of = |share: f64| format!("{}{}", glyphs.plus_minus(), percent(share));
            Cell::styled(format!("{}, {}", of(base), of(new)), Role::Quiet)
        }),
        ComparisonColumn::Within => within(row).map_or(Cell::Empty, |m| Cell::text(percent(m))),
        ComparisonColumn::Launches if row.launches[0] == row.launches[1] => Cell::text(row.launches[0].to_string()),
        ComparisonColumn::Launches => Cell::text(format!("{}+{}", row.launches[0], row.launches[1])),
        ComparisonColumn::P => row.q.map_or(Cell::Empty, |q| Cell::text(probability(q))),
        ComparisonColumn::Mark => {
            let below = row.below().map(small);
            let modes = row.several_modes.then(|| "modes".to_owned());
            let other_ratio = row.ratio_of_times.map(|_| "!".to_owned());
            let role = if modes.is_some() { Role::Warning } else { Role::Quiet };
            let marks: Vec<String> = [below, modes, other_ratio].into_iter().flatten().collect();
            if marks.is_empty() {
                Cell::Empty
            } else {
                Cell::styled(marks.join(" "), role)
            }
        }
    };
    Row {
        gap: false,
        heads: vec![Cell::text(label(labels, row))],
        body: Body::Cells(kinds.iter().map(|(kind, _)| cell(*kind)).collect()),
        drawn: Some(Box::new(Drawn {
            values: kinds.iter().map(|(kind, _)| kind.value(row)).collect(),
            word: Some(row.verdict.word()),
            ..Drawn::default()
        })),
    }
}

/// A count as it is, a mean of counts with four digits.
fn count(value: f64) -> String {
    const EXACT: f64 = 1e6;
    if value.fract() == 0.0 && value.abs() < EXACT {
        format!("{value:.0}")
    } else if value.abs() < PLAIN_MIN {
        crate::count(value)
    } else {
        significant(value, 4)
    }
}

/// A ratio without an interval has three digits; from nothing to something, or back, there is none.
pub(crate) fn ratio_text(row: &ComparisonRow) -> String {
    match &row.interval {
        _ if row.is_from_nothing() => "from 0".to_owned(),
        _ if row.is_to_nothing() => "to 0".to_owned(),
        Some(interval) => ratio(row.ratio, interval),
        None => significant(row.ratio, if row.ratio < 1.0 { 2 } else { 3 }),
    }
}

/// Two digits, or a bound below which the value does not matter.
fn probability(value: f64) -> String {
    if value < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        significant(value, 2)
    }
}

fn time(ns: Option<f64>, unit: Option<TimeUnit>, role: Role, glyphs: Glyphs) -> Cell {
    let Some(ns) = ns.filter(|ns| ns.is_finite()) else { return Cell::styled("not resolved", Role::Quiet) };
    let unit = unit.unwrap_or_else(|| TimeUnit::of(ns));
    Cell::number(Decimal::of(&time_digits(ns / unit.ns(), 4)), role, unit.symbol(glyphs))
}
