//! Several machines beside each other: which benchmarks changed everywhere, and where one machine stands alone.

use super::notes::findings;
use crate::csv::{record, Fields};
use crate::layout::table_lines;
use crate::markdown::{block_table, escape, section};
use crate::number::ratio_interval;
use crate::screen::{View, Volume};
use crate::table::{Align, Block, Body, Cell, Column, Row, Table, Title};
use crate::tabulate::verdict_role;
use crate::{clean, percent, significant, Decimal, Glyphs, Line, Role};
use serde::Serialize;
use tare_analysis::{Consistency, Matrix, MatrixCell, MatrixRow, Verdict, WordCounts};

/// Version of the JSON form.
const VERSION: &str = "1.0";

/// The screen of a matrix: the sums a machine, then the benchmarks that changed somewhere (with `-v` all).
pub fn matrix_screen(matrix: &Matrix, view: &View) -> Vec<Line> {
    let mut lines = vec![headline(matrix)];
    lines.push(Line::new());
    lines.extend(table_lines(&machines(matrix, view.glyphs), view.columns, view.glyphs));
    let table = benchmarks(matrix, view.volume == Volume::Verbose, view.glyphs);
    if !table.blocks[0].rows.is_empty() {
        lines.push(Line::new());
        lines.extend(table_lines(&table, view.columns, view.glyphs));
    }
    let hidden = matrix.rows.len() - table.blocks[0].rows.len() + matrix.left_out;
    if hidden > 0 {
        lines.push(Line::new());
        let text = format!("{hidden} more benchmarks: ");
        lines.push(
            Line::of(Role::Quiet, text).with(Role::Command, if matrix.left_out > 0 { "`--top`" } else { "`-v`" }),
        );
    }
    let findings = findings(&matrix.findings(), &[], view);
    if !findings.is_empty() {
        lines.push(Line::new());
        lines.extend(findings);
    }
    view.glyphs.of_lines(lines)
}

fn headline(matrix: &Matrix) -> Line {
    let of = |c: Consistency| matrix.rows.iter().filter(|r| r.consistency == c).count();
    let changed = matrix.rows.iter().filter(|r| r.score != 0.0).count();
    let total = matrix.rows.len() + matrix.left_out;
    let text = format!(
        "{changed} of {total} benchmarks changed on at least one of {} machines; for {} benchmarks the machines contradict each other",
        matrix.machines.len(),
        of(Consistency::Contradict)
    );
    Line::of(Role::Heading, text)
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

fn machines(matrix: &Matrix, _glyphs: Glyphs) -> Table {
    let titles = WORDS.iter().map(|w| w.word()).chain(["mean of ratios", "failed", "one side"]);
    let columns = (0..7).map(|at| Column { align: Align::Right, priority: if at < 4 { 0 } else { at } });
    let rows = matrix.machines.iter().map(|machine| {
        let mean = machine
            .geometric_mean
            .value
            .map_or(Cell::Empty, |m| Cell::number(Decimal::of(&significant(m, 4)), Role::Value, ""));
        let counts = [machine.failed, machine.unpaired].map(|n| Cell::text(n.to_string()));
        let cells = WORDS.iter().map(|&w| words(&machine.words, w)).chain([mean]).chain(counts);
        Row { gap: false, heads: vec![Cell::text(clean(&machine.name))], body: Body::Cells(cells.collect()) }
    });
    let block = Block {
        heads: vec!["machine".to_owned()],
        titles: titles.map(Title::of).collect(),
        constants: String::new(),
        full_names: false,
        rows: rows.collect(),
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
            suffix: format!("{}{}", cell.verdict.word(), if cell.several_modes { ", modes" } else { "" }),
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
        Row { gap: false, heads: vec![Cell::text(clean(&row.key))], body: Body::Cells(cells) }
    };
    let (mut titles, mut columns) = (Vec::new(), Vec::new());
    for (machine, &with_interval) in matrix.machines.iter().zip(&with_interval) {
        titles.push(Title::of(clean(&machine.name)));
        columns.push(Column { align: Align::Right, priority: 0 });
        if with_interval {
            titles.push(Title { long: "95 % interval".into(), short: "95 %".into() });
            columns.push(Column { align: Align::Left, priority: 2 });
        }
    }
    titles.push(Title::of("machines"));
    columns.push(Column { align: Align::Left, priority: 1 });
    let block = Block {
        heads: vec!["benchmark".to_owned()],
        titles,
        constants: String::new(),
        full_names: false,
        rows: shown.map(row).collect(),
    };
    Table { columns, naming: 0, blocks: vec![block] }
}

/// The matrix as Markdown.
pub fn matrix_markdown(matrix: &Matrix, glyphs: Glyphs) -> String {
    let mut text = format!("### {}\n\n", escape(&headline(matrix).plain()));
    for table in [machines(matrix, glyphs), benchmarks(matrix, false, glyphs)] {
        block_table(&table, &table.blocks[0], &mut text);
        text.push('\n');
    }
    if let Some(findings) = section("Findings", super::markdown::findings(&matrix.findings(), &[])) {
        text.push_str(&findings);
        text.push('\n');
    }
    let all = benchmarks(matrix, true, glyphs);
    let mut folded = String::new();
    block_table(&all, &all.blocks[0], &mut folded);
    text.push_str(&format!("<details><summary>All benchmarks</summary>\n\n{folded}\n</details>\n"));
    glyphs.of(&text)
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
