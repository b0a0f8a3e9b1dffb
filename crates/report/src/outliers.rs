//! Means with and without outliers, and statistics requested by name: views of a run in addition to its result.

use crate::document::{Content, Document};
use crate::header::{header, plural};
use crate::label::Naming;
use crate::statistics::small_table;
use crate::table::{Cell, Filled};
use crate::{clean, count, percent, significant, Decimal, Glyphs, Role, TimeUnit};
use tare_analysis::{CaseStatistics, MeanAndDeviation, Removal, Report, Statistic, StatisticKind, WithoutOutliers};

impl Document {
    pub fn of_outliers(report: &Report, rows: &[WithoutOutliers], removal: Removal, glyphs: Glyphs) -> Document {
        let naming = Naming::of(report);
        // In the order of the table.
        let place = |row: &&WithoutOutliers| {
            report.groups.iter().flat_map(|group| &group.cases).position(|case| *case == row.case)
        };
        let mut sorted: Vec<&WithoutOutliers> = rows.iter().collect();
        sorted.sort_by_key(place);
        let cells = |of: &dyn Fn(&WithoutOutliers) -> Cell| -> Vec<Cell> { sorted.iter().map(|row| of(row)).collect() };
        let columns = vec![
            Filled::right("mean", 0, cells(&|row| time(row, row.all.mean_ns, Role::Plain, glyphs))),
            Filled::right("std dev", 2, cells(&|row| deviation(row, &row.all, glyphs))),
            Filled::right("mean without", 0, cells(&|row| time(row, row.left.mean_ns, Role::Value, glyphs))),
            Filled::right("std dev without", 2, cells(&|row| deviation(row, &row.left, glyphs))),
            Filled::right("change", 1, cells(&|row| Cell::text(change(row, glyphs)))),
            Filled::right(
                "removed",
                0,
                cells(&|row| Cell::text(format!("{} of {}", row.removed, plural(row.visits, "visit")))),
            ),
        ];
        let names = sorted.iter().map(|row| naming.label(report, row.case)).collect();
        let mut document = Document::default();
        document.add([Content::Facts(header(report))]);
        document.add([Content::Table(small_table("benchmark", names, columns))]);
        document.add([
            Content::Note("a view only: times and verdicts keep every visit".to_owned()),
            Content::Note(format!("removed: {}", which(removal))),
        ]);
        document
    }
}

fn which(removal: Removal) -> &'static str {
    match removal {
        Removal::DontRemove => "no outliers",
        Removal::RemoveUpper => "outliers above Tukey's upper fence",
        Removal::RemoveLower => "outliers below Tukey's lower fence",
        Removal::RemoveAll => "outliers beyond either of Tukey's fences",
    }
}

/// All times of a row in one unit.
fn time(row: &WithoutOutliers, ns: f64, role: Role, glyphs: Glyphs) -> Cell {
    let unit = TimeUnit::of(row.all.mean_ns);
    Cell::number(Decimal::of(&significant(ns / unit.ns(), 4)), role, unit.symbol(glyphs))
}

fn deviation(row: &WithoutOutliers, spread: &MeanAndDeviation, glyphs: Glyphs) -> Cell {
    let Some(ns) = spread.deviation_ns else { return Cell::Empty };
    let unit = TimeUnit::of(row.all.mean_ns);
    Cell::number(Decimal::of(&significant(ns / unit.ns(), 3)), Role::Quiet, unit.symbol(glyphs))
}

/// By how much the mean differs: `−1.2 %`.
fn change(row: &WithoutOutliers, glyphs: Glyphs) -> String {
    let change = row.left.mean_ns / row.all.mean_ns - 1.0;
    let sign = match change {
        c if c < 0.0 => glyphs.minus(),
        c if c > 0.0 => "+",
        _ => return String::new(),
    };
    format!("{sign}{}", percent(change.abs()))
}

impl Document {
    pub fn of_statistics(report: &Report, asked: &[Statistic], rows: &[CaseStatistics], glyphs: Glyphs) -> Document {
        let naming = Naming::of(report);
        let place = |row: &&CaseStatistics| {
            report.groups.iter().flat_map(|group| &group.cases).position(|case| *case == row.case)
        };
        let mut sorted: Vec<&CaseStatistics> = rows.iter().collect();
        sorted.sort_by_key(place);
        let column = |(at, statistic): (usize, &Statistic)| {
            let cells = sorted.iter().map(|row| cell(row, row.values[at], statistic, glyphs));
            Filled::right(clean(&statistic.name), 0, cells)
        };
        let visits = Filled::right("visits", 1, sorted.iter().map(|row| Cell::text(count(row.visits as f64))));
        let columns = asked.iter().enumerate().map(column).chain([visits]).collect();
        let names = sorted.iter().map(|row| naming.label(report, row.case)).collect();
        let few = asked.iter().filter(|statistic| sorted.iter().any(|row| row.visits < statistic.visits_min()));
        let few = few.map(|s| Content::Note(format!("`{}` needs {}", clean(&s.name), plural(s.visits_min(), "visit"))));
        let mut document = Document::default();
        document.add([Content::Facts(header(report))]);
        document.add([Content::Table(small_table("benchmark", names, columns))]);
        let about = "of all valid visits, with the loop; a visit is the mean of many invocations".to_owned();
        document.add(few.chain([Content::Note(about)]));
        document
    }
}

/// All times of a row in one unit.
fn cell(row: &CaseStatistics, value: Option<f64>, statistic: &Statistic, glyphs: Glyphs) -> Cell {
    let Some(value) = value else {
        let is_few = row.visits < statistic.visits_min();
        return Cell::styled(if is_few { "too few" } else { glyphs.dash() }, Role::Quiet);
    };
    match statistic.kind() {
        StatisticKind::Time => {
            let unit = TimeUnit::of(row.median_ns);
            Cell::number(Decimal::of(&significant(value / unit.ns(), 4)), Role::Value, unit.symbol(glyphs))
        }
        StatisticKind::Share => Cell::text(percent(value)),
        StatisticKind::Number => Cell::number(Decimal::of(&significant(value, 4)), Role::Value, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_visits_and_a_divisor_of_0_differ() {
        let row = CaseStatistics { case: 0, visits: 5, median_ns: 0.0, values: Vec::new() };
        let shown = |name: &str| cell(&row, None, &name.parse().expect("a statistic"), Glyphs::Unicode).plain();
        assert_eq!((shown("p99"), shown("max/min")), ("too few".to_owned(), "–".to_owned()));
    }
}
