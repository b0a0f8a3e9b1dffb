//! Means with and without outliers, as a separate screen: a view of a run in addition to its result.

use crate::document::{Content, Document};
use crate::header::{header, plural};
use crate::label::Naming;
use crate::statistics::small_table;
use crate::table::{Cell, Filled};
use crate::{percent, significant, Decimal, Glyphs, Role, TimeUnit};
use tare_analysis::{MeanAndDeviation, Removal, Report, WithoutOutliers};

impl Document {
    /// The means of a run with and without the outliers of this kind.
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
