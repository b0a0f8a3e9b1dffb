//! Several machines beside each other: which benchmarks changed everywhere, and where one machine stands alone.

use super::notes::findings;
use super::ORDER;
use crate::document::Medium;
use crate::document::{Content, Document, More};
use crate::exporters::json::pretty;
use crate::findings::{follow, gate};
use crate::number::ratio_interval;
use crate::table::{interval_title, Cell, Filled, Table};
use crate::tabulate::verdict_role;
use crate::{clean, percent, significant, CsvFields as Fields, Decimal, Glyphs, Role};
use serde::Serialize;
use tare_analysis::gate::Judgement;
use tare_analysis::{Consistency, Matrix, MatrixCell, MatrixRow, Verdict, WordCounts};
use tare_model::Request;

impl Document {
    /// The document of several machines: the sums a machine, then the benchmarks that changed somewhere; all of them for those who ask.
    pub fn of_matrix(matrix: &Matrix, judgement: Option<&Judgement>, medium: &Medium) -> Document {
        let mut document = Document::default();
        let judgement = judgement.filter(|_| medium.is_page);
        document.add(gate(judgement));
        let (verdict, text) = follow(judgement, None, headline(matrix));
        document.add([Content::Headline { verdict, text }]);
        document.add([Content::Table(machines(matrix))]);
        let all = medium.is_verbose() && !medium.is_page;
        let table = benchmarks(matrix, all, medium.glyphs);
        let hidden = matrix.rows.len() - table.blocks[0].rows.len() + matrix.left_out;
        document.add([Content::Table(table)]);
        if medium.is_page {
            let all = benchmarks(matrix, true, medium.glyphs);
            document.fold("All benchmarks".to_owned(), [Content::Table(all)]);
        } else if hidden > 0 {
            let command = if matrix.left_out > 0 { "--top" } else { "-v" };
            let text = format!("{hidden} more benchmarks");
            document.add([Content::More(More { text, command: command.to_owned() })]);
        }
        document.add([findings(&matrix.findings(), &Request::default(), "", medium)]);
        document
    }
}

fn headline(matrix: &Matrix) -> String {
    let of = |c: Consistency| matrix.rows.iter().filter(|r| r.consistency == c).count();
    let changed = matrix.rows.iter().filter(|r| r.score != 0.0).count();
    let total = matrix.rows.len() + matrix.left_out;
    let contradicting = match of(Consistency::Contradict) {
        0 => String::new(),
        1 => "; for 1 the machines contradict each other".to_owned(),
        n => format!("; for {n} the machines contradict each other"),
    };
    format!(
        "{changed} of {total} benchmarks changed on at least one of {} machines{contradicting}",
        matrix.machines.len()
    )
}

fn words(counts: &WordCounts, verdict: Verdict) -> Cell {
    let n = match verdict {
        Verdict::Slower => counts.slower,
        Verdict::Faster => counts.faster,
        Verdict::Same => counts.same,
        Verdict::Unclear => counts.unclear,
    };
    Cell::styled(
        format!("{n}  {}", percent(counts.share(verdict))),
        if n > 0 { verdict_role(verdict) } else { Role::Quiet },
    )
}

fn machines(matrix: &Matrix) -> Table {
    let machines = || matrix.machines.iter();
    let mean = |mean: f64| Cell::number(Decimal::of(&significant(mean, 4)), Role::Value, "");
    let of_word = |&word: &Verdict| Filled::right(word.word(), 0, machines().map(|one| words(&one.words, word)));
    let others = [
        Filled::right("mean of ratios", 4, machines().map(|one| one.geometric_mean.value.map_or(Cell::Empty, mean))),
        Filled::right("failed", 5, machines().map(|one| Cell::text(one.failed.to_string()))),
        Filled::right("one side", 6, machines().map(|one| Cell::text(one.unpaired.to_string()))),
    ];
    let names = machines().map(|one| clean(&one.name));
    Table::of("machine", names, ORDER.iter().map(of_word).chain(others).collect())
}

fn consistency(c: Consistency) -> (&'static str, Role) {
    match c {
        Consistency::Agree => ("agree", Role::Plain),
        Consistency::Partial => ("some", Role::Plain),
        Consistency::Contradict => ("contradict", Role::Warning),
        Consistency::Undecided => ("undecided", Role::Quiet),
    }
}

fn benchmarks(matrix: &Matrix, all: bool, glyphs: Glyphs) -> Table {
    let shown: Vec<&MatrixRow> = matrix.rows.iter().filter(|r| all || r.score != 0.0).collect();
    let cell = |cell: &Option<MatrixCell>| match cell {
        None => Cell::styled(glyphs.of("–"), Role::Quiet),
        Some(cell) => Cell::Number {
            number: Decimal::of(&significant(cell.ratio, if cell.ratio < 1.0 { 2 } else { 3 })),
            role: Role::Plain,
            suffix: format!(
                "{}{}{}",
                cell.verdict.word(),
                if cell.several_modes { ", modes" } else { "" },
                if cell.ratio_of_times.is_some() { " !" } else { "" }
            ),
            suffix_role: verdict_role(cell.verdict),
        },
    };
    let interval = |cell: &Option<MatrixCell>| {
        let interval = cell.as_ref().and_then(|cell| cell.interval.as_ref());
        interval.map_or(Cell::Empty, |interval| Cell::text(ratio_interval(interval)))
    };
    let mut columns = Vec::new();
    for (at, machine) in matrix.machines.iter().enumerate() {
        columns.push(Filled::right(clean(&machine.name), 0, shown.iter().map(|row| cell(&row.cells[at]))));
        // A machine whose data has no intervals has no column of them.
        if matrix.rows.iter().any(|row| row.cells[at].as_ref().is_some_and(|cell| cell.interval.is_some())) {
            columns.push(Filled::left(interval_title(), 2, shown.iter().map(|row| interval(&row.cells[at]))));
        }
    }
    let agree = |row: &&MatrixRow| {
        let (word, role) = consistency(row.consistency);
        Cell::styled(word, role)
    };
    columns.push(Filled::left("machines", 1, shown.iter().map(agree)));
    Table::of("benchmark", shown.iter().map(|row| clean(&row.key)), columns)
}

pub fn matrix_csv(matrix: &Matrix) -> String {
    let cells = matrix.rows.iter().flat_map(|row| matrix.machines.iter().zip(&row.cells).map(move |cell| (row, cell)));
    Fields::csv(cells.filter_map(|(row, (machine, cell))| {
        let cell = cell.as_ref()?;
        let mut f = Fields::default();
        f.put("benchmark", &row.key);
        f.put("machine", &machine.name);
        f.put("verdict", cell.verdict.word());
        f.number("ratio", Some(cell.ratio));
        f.interval("ratio", cell.interval.as_ref());
        f.number("base_ns", cell.base_ns);
        f.number("new_ns", cell.new_ns);
        f.put("several_modes", cell.several_modes);
        f.put("machines", consistency(row.consistency).0);
        f.number("score", Some(row.score));
        f.put("remark", &cell.remark);
        Some(f)
    }))
}

pub fn matrix_json(matrix: &Matrix) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        matrix: &'a Matrix,
    }
    pretty(&Document { format: "tare-matrix", version: "1.0", matrix })
}
