//! Statistics requested by name: a view of a run in addition to its result.

use crate::elements::document::{Content, Document};
use crate::elements::table::{Cell, Filled};
use crate::parts::header::header;
use crate::parts::statistics::small_table;
use crate::words::label::Naming;
use crate::words::number::{count, percent, significant, Decimal, TimeUnit};
use crate::words::text::{clean, plural, Glyphs, Role};
use tare_analysis::{CaseStatistics, Report, Statistic, StatisticKind};

/// In table order.
fn sorted<'a>(report: &Report, rows: &'a [CaseStatistics]) -> Vec<&'a CaseStatistics> {
    let place = |of: u32| report.groups.iter().flat_map(|group| &group.cases).position(|case| *case == of);
    let mut sorted: Vec<&CaseStatistics> = rows.iter().collect();
    sorted.sort_by_key(|row| place(row.case));
    sorted
}

/// All times of a row use the unit of `of`.
fn time(of: f64, ns: f64, digits: usize, role: Role, glyphs: Glyphs) -> Cell {
    let unit = TimeUnit::of(of);
    Cell::number(Decimal::of(&significant(ns / unit.ns(), digits)), role, unit.symbol(glyphs))
}

impl Document {
    pub fn of_statistics(report: &Report, asked: &[Statistic], rows: &[CaseStatistics], glyphs: Glyphs) -> Document {
        let naming = Naming::of(report);
        let sorted = sorted(report, rows);
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

fn cell(row: &CaseStatistics, value: Option<f64>, statistic: &Statistic, glyphs: Glyphs) -> Cell {
    let Some(value) = value else {
        let is_few = row.visits < statistic.visits_min();
        return Cell::styled(if is_few { "too few".to_owned() } else { glyphs.of("–") }, Role::Quiet);
    };
    match statistic.kind() {
        StatisticKind::Time => time(row.median_ns, value, 4, Role::Value, glyphs),
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
