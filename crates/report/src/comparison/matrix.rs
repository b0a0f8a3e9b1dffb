//! Several machines beside each other: which benchmarks changed everywhere, and where one machine stands alone.

use super::notes::findings;
use crate::csv::{record, Fields};
use crate::document::{Content, Document, More};
use crate::gate::{follow, gate};
use crate::number::ratio_interval;
use crate::table::{Align, Block, Body, Cell, Column, Row, Table, Title};
use crate::tabulate::verdict_role;
use crate::view::Medium;
use crate::{clean, percent, significant, Decimal, Glyphs, Role};
use serde::Serialize;
use tare_analysis::gate::Judgement;
use tare_analysis::{Consistency, Matrix, MatrixCell, MatrixRow, Verdict, WordCounts};
use tare_model::Request;

/// Version of the JSON form.
const VERSION: &str = "1.0";

impl Document {
    /// The document of several machines: the sums a machine, then the benchmarks that changed somewhere; all of them for those who ask.
    pub fn of_matrix(matrix: &Matrix, judgement: Option<&Judgement>, medium: &Medium) -> Document {
        let mut document = Document::default();
        if let Some(judgement) = judgement.filter(|_| medium.is_page) {
            document.add(gate(judgement));
        }
        let (verdict, text) = follow(judgement.filter(|_| medium.is_page), None, headline(matrix));
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

const WORDS: [Verdict; 4] = [Verdict::Slower, Verdict::Faster, Verdict::Unclear, Verdict::Same];

fn machines(matrix: &Matrix) -> Table {
    let titles = WORDS.iter().map(|w| w.word()).chain(["mean of ratios", "failed", "one side"]);
    let columns =
        (0..7).map(|at| Column { align: Align::Right, priority: if at < 4 { 0 } else { at }, optional: false });
    let rows = matrix.machines.iter().map(|machine| {
        let mean = machine
            .geometric_mean
            .value
            .map_or(Cell::Empty, |m| Cell::number(Decimal::of(&significant(m, 4)), Role::Value, ""));
        let counts = [machine.failed, machine.unpaired].map(|n| Cell::text(n.to_string()));
        let cells = WORDS.iter().map(|&w| words(&machine.words, w)).chain([mean]).chain(counts);
        Row {
            gap: false,
            heads: vec![Cell::text(clean(&machine.name))],
            body: Body::Cells(cells.collect()),
            drawn: None,
        }
    });
    let block = Block {
        heads: vec!["machine".to_owned()],
        titles: titles.map(Title::of).collect(),
        constants: String::new(),
        full_names: false,
        rows: rows.collect(),
        plot: None,
    };
    Table { columns: columns.collect(), naming: 0, blocks: vec![block] }
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
    let shown = matrix.rows.iter().filter(|r| all || r.score != 0.0);
    let cell = |cell: &Option<MatrixCell>| match cell {
        None => Cell::styled(glyphs.dash(), Role::Quiet),
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
    // A machine whose data has no intervals has no column of them.
    let with_interval: Vec<bool> = (0..matrix.machines.len())
        .map(|at| matrix.rows.iter().any(|row| row.cells[at].as_ref().is_some_and(|cell| cell.interval.is_some())))
        .collect();
    let row = |row: &MatrixRow| {
        let (word, role) = consistency(row.consistency);
        let mut cells = Vec::new();
        for (of_machine, &with_interval) in row.cells.iter().zip(&with_interval) {
            cells.push(cell(of_machine));
            cells.extend(with_interval.then(|| interval(of_machine)));
        }
        cells.push(Cell::styled(word, role));
        Row { gap: false, heads: vec![Cell::text(clean(&row.key))], body: Body::Cells(cells), drawn: None }
    };
    let (mut titles, mut columns) = (Vec::new(), Vec::new());
    for (machine, &with_interval) in matrix.machines.iter().zip(&with_interval) {
        titles.push(Title::of(clean(&machine.name)));
        columns.push(Column { align: Align::Right, priority: 0, optional: false });
        if with_interval {
            titles.push(Title { long: "95 % interval".into(), short: "95 %".into() });
            columns.push(Column { align: Align::Left, priority: 2, optional: false });
        }
    }
    titles.push(Title::of("machines"));
    columns.push(Column { align: Align::Left, priority: 1, optional: false });
    let block = Block {
        heads: vec!["benchmark".to_owned()],
        titles,
        constants: String::new(),
        full_names: false,
        rows: shown.map(row).collect(),
        plot: None,
    };
    Table { columns, naming: 0, blocks: vec![block] }
}

/// The matrix as CSV: one row a benchmark and machine.
pub fn matrix_csv(matrix: &Matrix) -> String {
    let mut text = String::new();
    for row in &matrix.rows {
        for (machine, cell) in matrix.machines.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let mut f = Fields::new();
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
            if text.is_empty() {
                text.push_str(&record(&f.names));
            }
            text.push_str(&record(&f.values));
        }
    }
    text
}

/// The matrix as one JSON document.
pub fn matrix_json(matrix: &Matrix) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        format: &'static str,
        version: &'static str,
        matrix: &'a Matrix,
    }
    let document = Document { format: "tare-matrix", version: VERSION, matrix };
    serde_json::to_string_pretty(&document).expect("a matrix is plain data") + "\n"
}
