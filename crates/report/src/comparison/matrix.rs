//! Several machines beside each other: which benchmarks changed everywhere, and where one machine stands alone.

use crate::csv::{record, Fields};
use crate::layout::table_lines;
use crate::markdown::{block_table, escape};
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
    view.glyphs.of_lines(lines)
}

fn headline(matrix: &Matrix) -> Line {
    let of = |c: Consistency| matrix.rows.iter().filter(|r| r.consistency == c).count();
    let changed = matrix.rows.iter().filter(|r| r.score != 0.0).count();
    let total = matrix.rows.len() + matrix.left_out;
    let text = format!(
        "{changed} of {total} benchmarks changed on some of {} machines; on {} of them the machines contradict each other",
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
    let row = |row: &MatrixRow| {
        let (word, role) = consistency(row.consistency);
        let cells = row.cells.iter().map(cell).chain([Cell::styled(word, role)]);
        Row { gap: false, heads: vec![Cell::text(clean(&row.key))], body: Body::Cells(cells.collect()) }
    };
    let titles = matrix.machines.iter().map(|m| Title::of(clean(&m.name))).chain([Title::of("machines")]);
    let columns = matrix.machines.iter().map(|_| Column { align: Align::Right, priority: 0 });
    let block = Block {
        heads: vec!["benchmark".to_owned()],
        titles: titles.collect(),
        constants: String::new(),
        rows: shown.map(row).collect(),
    };
    let columns = columns.chain([Column { align: Align::Left, priority: 1 }]).collect();
    Table { columns, naming: 0, blocks: vec![block] }
}

/// The matrix as Markdown.
pub fn matrix_markdown(matrix: &Matrix, glyphs: Glyphs) -> String {
    let mut text = format!("### {}\n\n", escape(&headline(matrix).plain()));
    for table in [machines(matrix, glyphs), benchmarks(matrix, false, glyphs)] {
        block_table(&table, &table.blocks[0], &mut text);
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
