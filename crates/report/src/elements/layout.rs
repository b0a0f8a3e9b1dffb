//! Fits a table to the width of a terminal. A row is one line: columns are dropped by priority, then names are cut, keeping what
//! distinguishes them.

use crate::elements::table::{Align, Block, Body, Cell, Row, Table};
use crate::words::text::{cut_apart, cut_middle, width, Glyphs, Line, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Indentation of rows below their group's name.
const INDENT: usize = 2;
/// A name is at least this wide while anything else can shrink.
const NAME_MIN: usize = 10;
const NAME_LEAST: usize = 4;
/// Names are shortened to keep columns up to this priority.
const DEAR: u8 = 3;
/// Titles are not shortened to keep columns above this priority.
const CHEAP: u8 = 5;
/// A group's name with its rows' common values may widen the name column up to this; beyond, it gets its own line.
const HEADING_MAX: usize = 24;
/// Other naming columns are at least this wide while a name can shrink.
const NAMING_MIN: usize = 6;
const NAMING_LEAST: usize = 3;

pub(crate) fn table_lines(table: &Table, columns: usize, glyphs: Glyphs) -> Vec<Line> {
    let plan = Plan::of(table, columns);
    let mut lines = Vec::new();
    for block in &table.blocks {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        plan.block(block, columns, glyphs, &mut lines);
    }
    lines
}

/// Names the columns with content that do not fit.
pub(crate) fn without_room(table: &Table, columns: usize) -> Option<String> {
    let plan = Plan::of(table, columns);
    let is_gone = |at: &usize| plan.shared[*at].is_none() && (1..=DEAR).contains(&table.columns[*at].priority);
    let titles = |at: usize| table.blocks.iter().filter_map(move |block| block.titles.get(at));
    let named = |at: usize| titles(at).map(|title| title.long.as_str()).find(|title| !title.is_empty());
    let mut names: Vec<&str> = (0..plan.shared.len()).filter(is_gone).filter_map(named).collect();
    names.dedup();
    (!names.is_empty()).then(|| format!("no room for {}: widen the terminal", names.join(", ")))
}

/// Widths of a column's cells. Numbers are aligned at the decimal point, so the three parts have their own widths.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    whole: usize,
    fraction: usize,
    suffix: usize,
    text: usize,
}

impl Parts {
    fn take(&mut self, cell: &Cell) {
        match cell {
            Cell::Empty => {}
            Cell::Text { text, .. } => self.text = self.text.max(width(text)),
            Cell::Number { number, suffix, .. } => {
                self.whole = self.whole.max(width(&number.whole));
                self.fraction = self.fraction.max(width(&number.fraction));
                self.suffix = self.suffix.max(if suffix.is_empty() { 0 } else { 1 + width(suffix) });
            }
        }
    }

    fn width(&self) -> usize {
        self.text.max(self.whole + self.fraction + self.suffix)
    }
}

struct Plan {
    gap: usize,
    /// Width of name and parameters together, including indentation.
    heads: usize,
    /// Width of each shared column; None if dropped.
    shared: Vec<Option<usize>>,
    short: bool,
    naming: usize,
    aligns: Vec<Align>,
}

impl Plan {
    fn of(table: &Table, columns: usize) -> Plan {
        let natural = |short| -> Vec<Option<usize>> {
            (0..table.columns.len()).map(|at| Some(shared_width(table, at, short))).collect()
        };
        let mut plan = Plan {
            gap: 3,
            heads: 0,
            shared: natural(false),
            short: false,
            naming: table.naming,
            aligns: table.columns.iter().map(|c| c.align).collect(),
        };
        let heads =
            |gap| table.blocks.iter().map(|b| head_widths(b).iter().sum::<usize>() + (b.heads.len() - 1) * gap).max();
        let heads = |gap| INDENT + heads(gap).unwrap_or(0);
        for gap in [3, 2] {
            (plan.gap, plan.heads) = (gap, heads(gap));
            if plan.heads + plan.rest() <= columns {
                return plan;
            }
        }
        // Then columns are dropped, cheapest first; the cheap ones before titles are shortened.
        let longest = plan.heads;
        let mut dropped: Vec<usize> = Vec::new();
        let with_parameters = table.blocks.iter().map(|block| least_heads(block, plan.gap)).max().unwrap_or(0);
        // Long names shrink before a column is dropped: more for a dear column than for a cheap one.
        let least_for = |at: usize| {
            let least = if table.columns[at].priority > DEAR { columns / 3 } else { columns / 4 };
            longest.min(least.max(with_parameters.min(columns / 2)).max(INDENT + NAME_MIN))
        };
        loop {
            let droppable =
                (0..table.columns.len()).filter(|&at| plan.shared[at].is_some() && table.columns[at].priority > 0);
            let Some(last) = droppable.max_by_key(|&at| table.columns[at].priority) else { break };
            if least_for(last) + plan.rest() <= columns {
                break;
            }
            if table.columns[last].priority <= CHEAP && !plan.short {
                plan.short = true;
                for (width, short) in plan.shared.iter_mut().zip(natural(true)) {
                    *width = width.and(short);
                }
                continue;
            }
            plan.shared[last] = None;
            dropped.push(last);
        }
        // Dropping a wide column may have made room for an earlier one. Cheap columns do not return once a dear one is gone.
        let mut is_dear_gone = false;
        while let Some(at) = dropped.pop() {
            let priority = table.columns[at].priority;
            plan.shared[at] = natural(plan.short)[at];
            if least_for(at) + plan.rest() > columns || (is_dear_gone && priority > DEAR) {
                plan.shared[at] = None;
                is_dear_gone |= priority <= DEAR;
            }
        }
        let room = columns.saturating_sub(plan.rest());
        plan.heads = longest.min(room.max(INDENT + NAME_MIN));
        plan.squeeze_naming(columns, NAMING_MIN);
        // The end of a row, with the verdict, is cut last.
        if plan.heads + plan.rest() > columns {
            plan.fit(table, columns, longest);
            plan.squeeze_naming(columns, NAMING_LEAST);
            if plan.heads + plan.rest() > columns {
                plan.gap = 1;
                plan.fit(table, columns, longest);
            }
            for at in 0..plan.naming {
                if plan.heads + plan.rest() > columns {
                    plan.shared[at] = None;
                    plan.fit(table, columns, longest);
                }
            }
        }
        plan
    }

    /// Gives the heads the remaining width, or their minimum.
    fn fit(&mut self, table: &Table, columns: usize, longest: usize) {
        self.heads = columns.saturating_sub(self.rest()).min(longest);
        let taken = |b: &Block| INDENT + self.fit_heads(b).iter().sum::<usize>() + (b.heads.len() - 1) * self.gap;
        self.heads = table.blocks.iter().map(taken).max().unwrap_or(0);
    }

    fn rest(&self) -> usize {
        self.shared.iter().flatten().map(|w| self.gap + w).sum()
    }

    /// Shrinks language, program and job as a last resort.
    fn squeeze_naming(&mut self, columns: usize, least: usize) {
        for at in 0..self.naming {
            let excess = (self.heads + self.rest()).saturating_sub(columns);
            if let Some(width) = &mut self.shared[at] {
                *width = width.saturating_sub(excess).max(least.min(*width));
            }
        }
    }

    fn block(&self, block: &Block, columns: usize, glyphs: Glyphs, lines: &mut Vec<Line>) {
        let heads = self.fit_heads(block);
        let parts = |at: usize| {
            let mut parts = Parts::default();
            block.rows.iter().filter_map(|row| shared_cell(row, at)).for_each(|cell| parts.take(cell));
            parts
        };
        let parts: Vec<Parts> = (0..self.shared.len()).map(parts).collect();
        let names: Vec<BTreeMap<String, String>> =
            (0..heads.len()).map(|at| names(block, at, heads[at], glyphs)).collect();
        let (heading, inline) = self.heading(block, &heads, columns, glyphs);
        let start = if inline {
            heading
        } else {
            lines.push(heading);
            Line::new()
        };
        lines.push(self.titles(block, start, &heads, glyphs).fit(columns, glyphs));
        let mut above: Option<&Row> = None;
        for row in &block.rows {
            if row.gap {
                lines.push(Line::new());
            }
            let repeated = !row.gap && above.is_some_and(|above| above.heads.first() == row.heads.first());
            lines.push(self.row(row, (&heads, &names), &parts, repeated, glyphs).fit(columns, glyphs));
            above = Some(row);
        }
    }

    /// Widths of this block's name and parameters within their common width.
    fn fit_heads(&self, block: &Block) -> Vec<usize> {
        let mut widths = head_widths(block);
        let room = self.heads.saturating_sub(INDENT + (widths.len() - 1) * self.gap);
        let excess = |widths: &[usize]| widths.iter().sum::<usize>().saturating_sub(room);
        let least = widths[0].min(NAME_MIN);
        widths[0] = widths[0].saturating_sub(excess(&widths)).max(least);
        for at in 1..widths.len() {
            let least = widths[at].min(4);
            widths[at] = widths[at].saturating_sub(excess(&widths)).max(least);
        }
        widths[0] = widths[0].saturating_sub(excess(&widths)).max(widths[0].min(NAME_LEAST));
        widths
    }

    /// The group's name with its rows' common values, and whether it fits above the names.
    fn heading(&self, block: &Block, heads: &[usize], columns: usize, glyphs: Glyphs) -> (Line, bool) {
        let mut line = Line::of(Role::Heading, block.heads[0].clone());
        if !block.constants.is_empty() {
            line.push(Role::Quiet, format!("  {}", block.constants));
        }
        let inline = line.width() <= heads[0] + INDENT;
        (line.fit(columns, glyphs), inline)
    }

    fn titles(&self, block: &Block, mut line: Line, heads: &[usize], glyphs: Glyphs) -> Line {
        line.pad_to(heads[0] + INDENT);
        for (title, width) in block.heads.iter().zip(heads).skip(1) {
            line.push(Role::Plain, " ".repeat(self.gap));
            put(&mut line, &Cell::styled(cut_middle(title, *width, glyphs), Role::Quiet), *width, Align::Right, None);
        }
        line.pad_to(self.heads);
        for (at, title) in block.titles.iter().enumerate() {
            let Some(width) = self.shared[at] else { continue };
            line.push(Role::Plain, " ".repeat(self.gap));
            let title = if self.short { &title.short } else { &title.long };
            put(&mut line, &Cell::styled(cut_middle(title, width, glyphs), Role::Quiet), width, self.aligns[at], None);
        }
        line
    }

    fn row(
        &self,
        row: &Row,
        (heads, names): (&[usize], &[BTreeMap<String, String>]),
        parts: &[Parts],
        repeated: bool,
        glyphs: Glyphs,
    ) -> Line {
        let mut line = Line::of(Role::Plain, " ".repeat(INDENT));
        for (at, (cell, width)) in row.heads.iter().zip(heads).enumerate() {
            let (cell, align) = match at {
                0 if repeated => (Cell::Empty, Align::Left),
                0 => (cell.clone(), Align::Left),
                _ => (cell.clone(), Align::Right),
            };
            let cell = match cell {
                Cell::Text { text, role } => Cell::Text { text: names[at].get(&text).cloned().unwrap_or(text), role },
                other => other,
            };
            if at > 0 {
                line.push(Role::Plain, " ".repeat(self.gap));
            }
            put(&mut line, &cell, *width, align, None);
        }
        line.pad_to(self.heads);
        let cells = match &row.body {
            Body::Cells(cells) => cells,
            Body::Message { named, .. } => named,
        };
        for (at, cell) in cells.iter().enumerate() {
            let Some(width) = self.shared[at] else { continue };
            line.push(Role::Plain, " ".repeat(self.gap));
            put(&mut line, &cut(cell.clone(), width, glyphs), width, self.aligns[at], Some(parts[at]));
        }
        if let Body::Message { text, role, .. } = &row.body {
            line.push(Role::Plain, " ".repeat(self.gap));
            line.push(*role, text.clone());
        }
        line
    }
}

fn names(block: &Block, at: usize, columns: usize, glyphs: Glyphs) -> BTreeMap<String, String> {
    let texts = block.rows.iter().filter_map(|row| match row.heads.get(at) {
        Some(Cell::Text { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect::<BTreeSet<_>>().into_iter().collect();
    let cut = cut_apart(&texts, columns, glyphs);
    texts.into_iter().map(str::to_owned).zip(cut).collect()
}

fn cut(cell: Cell, width: usize, glyphs: Glyphs) -> Cell {
    match cell {
        Cell::Text { text, role } => Cell::Text { text: cut_middle(&text, width, glyphs), role },
        other => other,
    }
}

/// Natural widths of the name (including the group's name above) and of the parameters.
fn head_widths(block: &Block) -> Vec<usize> {
    let constants = if block.constants.is_empty() { 0 } else { 2 + width(&block.constants) };
    let title = |at: usize| match at {
        0 => Some(width(&block.heads[0]) + constants).filter(|w| *w <= HEADING_MAX).unwrap_or(0).saturating_sub(INDENT),
        _ => width(&block.heads[at]),
    };
    let cell = |row: &Row, at: usize| row.heads.get(at).map_or(0, |cell| width(&cell.plain()));
    (0..block.heads.len()).map(|at| block.rows.iter().map(|row| cell(row, at)).fold(title(at), usize::max)).collect()
}

/// Width of a block's heads with complete parameters, including those inside names.
fn least_heads(block: &Block, gap: usize) -> usize {
    let widths = head_widths(block);
    let name = if block.full_names { widths[0] } else { widths[0].min(NAME_MIN) };
    INDENT + name + widths[1..].iter().map(|width| gap + width).sum::<usize>()
}

/// Natural width of a shared column: numbers are aligned per block, and the widest block counts.
fn shared_width(table: &Table, at: usize, short: bool) -> usize {
    let of_block = |block: &Block| {
        let mut parts = Parts::default();
        block.rows.iter().filter_map(|row| shared_cell(row, at)).for_each(|cell| parts.take(cell));
        let title = if short { &block.titles[at].short } else { &block.titles[at].long };
        parts.width().max(width(title))
    };
    table.blocks.iter().map(of_block).max().unwrap_or(0)
}

fn shared_cell(row: &Row, at: usize) -> Option<&Cell> {
    match &row.body {
        Body::Cells(cells) => cells.get(at),
        Body::Message { named, .. } => named.get(at),
    }
}

/// Puts a cell into `columns`; if the column's parts are given, numbers are aligned at the point.
fn put(line: &mut Line, cell: &Cell, columns: usize, align: Align, parts: Option<Parts>) {
    let start = line.width();
    match cell {
        Cell::Empty => {}
        Cell::Text { text, role } => {
            if align == Align::Right {
                line.pad_to(start + columns.saturating_sub(width(text)));
            }
            line.push(*role, text.clone());
        }
        Cell::Number { number, role, suffix, suffix_role } => {
            let parts = parts.unwrap_or_default();
            if align == Align::Right {
                line.pad_to(start + columns.saturating_sub(parts.whole + parts.fraction + parts.suffix));
            }
            let start = line.width();
            line.pad_to(start + parts.whole.saturating_sub(width(&number.whole)));
            line.push(*role, number.joined());
            if !suffix.is_empty() {
                line.pad_to(start + parts.whole + parts.fraction + 1);
                line.push(*suffix_role, suffix.clone());
            }
        }
    }
    line.pad_to(start + columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::table::{Column, Title};

    #[test]
    fn what_goes_first_comes_back_where_the_room_is_left() {
        let column = |priority| Column { align: Align::Left, priority, optional: false };
        let cells = ["12.34 ns", "[0.501, 0.523]", "picture"].map(Cell::text).to_vec();
        let row = Row { gap: false, heads: vec![Cell::text("name")], body: Body::Cells(cells), drawn: None };
        let block = Block {
            heads: vec!["sort".to_owned()],
            titles: ["time", "95 %", "shape"].map(Title::from).to_vec(),
            constants: String::new(),
            full_names: false,
            rows: vec![row],
            plot: None,
        };
        let of = |priority: u8| Table {
            columns: [0, priority, 7].map(column).to_vec(),
            naming: 0,
            blocks: vec![block.clone()],
            ..Table::default()
        };
        let row_of =
            |table: &Table, columns| table_lines(table, columns, Glyphs::Unicode).pop().expect("a row").plain();
        let row = |columns| row_of(&of(4), columns);
        assert!(row(60).contains("0.523]") && row(60).contains("picture"));
        assert!(row(36).contains("0.523]") && !row(36).contains("picture"), "the cheap one goes first: {}", row(36));
        assert!(!row(28).contains("0.523]") && row(28).contains("picture"), "room for the narrow one: {}", row(28));
        let dear = row_of(&of(3), 28);
        assert!(
            !dear.contains("0.523]") && !dear.contains("picture"),
            "nothing cheap where a dear one is gone: {dear}"
        );
    }

    #[test]
    fn a_verdict_is_never_cut() {
        let column = |align| Column { align, priority: 0, optional: false };
        let cells = ["rust", "g++ -O2", "12.34 ns", "0.512 faster"].map(Cell::text).to_vec();
        let row = Row {
            gap: false,
            heads: vec![Cell::text("a_long_name_of_a_benchmark")],
            body: Body::Cells(cells),
            drawn: None,
        };
        let block = Block {
            heads: vec!["sort".to_owned()],
            titles: ["language", "job", "time", "ratio"].map(Title::from).to_vec(),
            constants: String::new(),
            full_names: false,
            rows: vec![row],
            plot: None,
        };
        let columns = [Align::Left, Align::Left, Align::Right, Align::Left].map(column).to_vec();
        let table = Table { columns, naming: 2, blocks: vec![block], ..Table::default() };
        let rows = |table: &Table, columns| {
            let row = table_lines(table, columns, Glyphs::Unicode).pop().expect("a row").plain();
            assert!(width(&row) <= columns && row.ends_with("0.512 faster"), "{columns}: {row}");
            row
        };
        for columns in [36, 40, 46, 60] {
            rows(&table, columns);
        }
        // Gaps go before languages and jobs, which distinguish rows.
        assert!(rows(&table, 40).contains("r…t"), "{}", rows(&table, 40));
        // Parameters have gaps too.
        let mut table = table;
        let block = &mut table.blocks[0];
        block.heads.extend(["n".to_owned(), "kind".to_owned()]);
        block.rows[0].heads.extend(["100000", "sorted"].map(Cell::text));
        for columns in [40, 44, 50] {
            rows(&table, columns);
        }
    }
}
