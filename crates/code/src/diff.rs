//! How the machine code of two sides differs: aligns instructions, ignoring addresses and registers.

mod beside;

use crate::inlining::{turned, Inlining};
use crate::listing::{consists, cut, heading, written};
use crate::values::{Code, Function, Instruction};
use std::collections::{BTreeMap, VecDeque};
use tare_model::text::plural;

pub use beside::Beside;

/// If the product of the instruction counts of two functions is greater, they are compared only from both ends.
const CELLS_MAX: usize = 16 << 20;
const AROUND: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sameness {
    /// All instructions are equal; addresses aside.
    Same,
    /// They differ only in registers and places on the stack.
    Registers,
    Different,
}

#[derive(Debug, Clone)]
pub struct Difference<'a> {
    /// Of all functions together.
    pub sameness: Sameness,
    /// Instructions of the base that the new side lacks.
    pub removed: usize,
    /// Instructions of the new side that the base lacks.
    pub added: usize,
    sides: [&'a Code; 2],
    functions: Vec<Pair<'a>>,
}

#[derive(Debug, Clone)]
struct Pair<'a> {
    sides: [Option<&'a Function>; 2],
    rows: Vec<Row<'a>>,
}

/// A line of one side, of the other, or of both.
#[derive(Debug, Clone, Copy)]
enum Row<'a> {
    Both(Item<'a>, Item<'a>),
    Base(Item<'a>),
    New(Item<'a>),
}

#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    Label(&'a str),
    Of(&'a Function, &'a Instruction),
}

impl Item<'_> {
    /// Equal in both if they may be aligned.
    fn key(&self) -> &str {
        match self {
            Item::Label(_) => ":",
            Item::Of(_, one) => &one.normal,
        }
    }

    fn is_same(&self, other: &Item) -> bool {
        match (self, other) {
            (Item::Of(_, a), Item::Of(_, b)) => (&a.text, &a.constant) == (&b.text, &b.constant),
            (Item::Label(a), Item::Label(b)) => a == b,
            _ => false,
        }
    }

    /// Whether they differ in what the instruction does, not only in registers.
    fn differs(&self, other: &Item) -> bool {
        match (self, other) {
            (Item::Of(_, a), Item::Of(_, b)) => a.constant != b.constant,
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            Item::Label(label) => format!("{label}:"),
            Item::Of(function, one) => format!("  {}", written(function, one)),
        }
    }
}

pub fn compare<'a>(base: &'a Code, new: &'a Code) -> Difference<'a> {
    let mut functions: Vec<Pair> = Vec::new();
    // Functions that differ only in template arguments may share a name; they are paired in order.
    let mut others: BTreeMap<&str, VecDeque<&Function>> = BTreeMap::new();
    new.functions.iter().for_each(|of| others.entry(&of.name).or_default().push_back(of));
    for of in &base.functions {
        let other = others.get_mut(&*of.name).and_then(VecDeque::pop_front);
        functions.push(Pair { sides: [Some(of), other], rows: rows(Some(of), other) });
    }
    for of in others.into_values().flatten() {
        functions.push(Pair { sides: [None, Some(of)], rows: rows(None, Some(of)) });
    }
    let (mut removed, mut added, mut renamed) = (0, 0, false);
    for row in functions.iter().flat_map(|pair| &pair.rows) {
        match row {
            Row::Base(Item::Of(..)) => removed += 1,
            Row::New(Item::Of(..)) => added += 1,
            Row::Both(a, b) if a.differs(b) => (removed, added) = (removed + 1, added + 1),
            Row::Both(a, b) => renamed |= !a.is_same(b),
            _ => {}
        }
    }
    let sameness = match (removed + added, renamed) {
        (0, false) => Sameness::Same,
        (0, true) => Sameness::Registers,
        _ => Sameness::Different,
    };
    Difference { sameness, removed, added, sides: [base, new], functions }
}

fn items(of: Option<&Function>) -> Vec<Item<'_>> {
    let Some(function) = of else { return Vec::new() };
    let mut items = Vec::new();
    for block in &function.blocks {
        if !block.label.is_empty() {
            items.push(Item::Label(&block.label));
        }
        // The number of instructions that fill the gap before a loop depends on its address.
        items.extend(block.instructions.iter().filter(|one| !one.is_filling()).map(|one| Item::Of(function, one)));
    }
    items
}

/// The longest common sequence, with the unpaired lines in between.
fn rows<'a>(base: Option<&'a Function>, new: Option<&'a Function>) -> Vec<Row<'a>> {
    let (base, new) = (items(base), items(new));
    let is_pair = |at: usize, to: usize| base[at].key() == new[to].key();
    let least = base.len().min(new.len());
    let start = (0..least).take_while(|at| is_pair(*at, *at)).count();
    let end = (1..=least - start).take_while(|back| is_pair(base.len() - back, new.len() - back)).count();
    let (a, b) = (&base[start..base.len() - end], &new[start..new.len() - end]);
    let mut rows: Vec<Row> = (0..start).map(|at| Row::Both(base[at], new[at])).collect();
    rows.extend(middle(a, b));
    rows.extend((1..=end).rev().map(|back| Row::Both(base[base.len() - back], new[new.len() - back])));
    rows
}

fn middle<'a>(base: &[Item<'a>], new: &[Item<'a>]) -> Vec<Row<'a>> {
    let columns = new.len() + 1;
    if (base.len() + 1).saturating_mul(columns) > CELLS_MAX {
        return base.iter().map(|item| Row::Base(*item)).chain(new.iter().map(|item| Row::New(*item))).collect();
    }
    // Common items from each position on.
    let mut pairs = vec![0_u16; (base.len() + 1) * columns];
    for at in (0..base.len()).rev() {
        for to in (0..new.len()).rev() {
            pairs[at * columns + to] = match base[at].key() == new[to].key() {
                true => pairs[(at + 1) * columns + to + 1].saturating_add(1),
                false => pairs[(at + 1) * columns + to].max(pairs[at * columns + to + 1]),
            };
        }
    }
    let (mut at, mut to, mut rows) = (0, 0, Vec::new());
    while at < base.len() || to < new.len() {
        if at < base.len() && to < new.len() && base[at].key() == new[to].key() {
            rows.push(Row::Both(base[at], new[to]));
            (at, to) = (at + 1, to + 1);
        } else if to == new.len() || at < base.len() && pairs[(at + 1) * columns + to] >= pairs[at * columns + to + 1] {
            rows.push(Row::Base(base[at]));
            at += 1;
        } else {
            rows.push(Row::New(new[to]));
            to += 1;
        }
    }
    rows
}

impl Difference<'_> {
    /// One line about it.
    pub fn summary(&self) -> String {
        let is_whole = self.sides.iter().all(|side| side.is_whole);
        let scope = if is_whole { "" } else { " as far as it is listed" };
        match self.sameness {
            Sameness::Same => format!("the machine code is the same{scope}"),
            Sameness::Registers => {
                format!("the machine code is the same{scope}, except for the registers and places on the stack that it uses")
            }
            Sameness::Different => format!(
                "the machine code differs: {} of the base {}, {} of the new side {}",
                plural(self.removed, "instruction"),
                if self.removed == 1 { "is gone" } else { "are gone" },
                plural(self.added, "instruction"),
                if self.added == 1 { "is new" } else { "are new" },
            ),
        }
    }

    /// What one side inlines and the other calls; one line per direction.
    pub fn inlined_differently(&self) -> Vec<String> {
        let [base, new] = self.sides.map(Code::inlining);
        Inlining::differently(&base, &new)
    }

    /// What loops of the new side call and the base inlines, and the reverse.
    pub fn turned_in_loops(&self) -> [Vec<String>; 2] {
        let [base, new] = self.sides.map(Code::inlining);
        let in_loops = |code: &Code, mut names: Vec<String>| {
            names.retain(|name| code.called_in_loops().contains(name.as_str()));
            names
        };
        [in_loops(self.sides[1], turned(&base, &new)), in_loops(self.sides[0], turned(&new, &base))]
    }

    /// The differences with context: `-` marks what only the base has, `+` what only the new side has, `~` what differs in registers.
    pub fn lines(&self, columns: usize) -> Vec<String> {
        let mut lines = vec![self.summary()];
        if self.sameness == Sameness::Same {
            lines.push(format!("both: {}", consists(&self.sides[0].total)));
            return lines;
        }
        for (side, code) in ["base", "new"].into_iter().zip(self.sides) {
            lines.push(format!("{side}: {}", consists(&code.total)));
        }
        lines.extend(self.inlined_differently());
        for pair in self.functions.iter().filter(|pair| pair.differs()) {
            lines.push(String::new());
            match pair.sides {
                [Some(base), Some(new)] => {
                    let name = &base.name;
                    lines.push(format!("- {}", heading(base)));
                    lines.push(format!("+ {name}: {}", consists(&new.summary)));
                }
                [base, new] => {
                    let sign = if base.is_some() { '-' } else { '+' };
                    lines.extend(base.or(new).map(|of| format!("{sign} {}", heading(of))));
                }
            }
            pair.rows_around(&mut lines);
        }
        lines.iter().map(|line| cut(line, columns.max(40))).collect()
    }
}

impl Pair<'_> {
    fn differs(&self) -> bool {
        self.rows.iter().any(is_difference)
    }

    fn rows_around(&self, lines: &mut Vec<String>) {
        let places: Vec<usize> = (0..self.rows.len()).filter(|at| is_difference(&self.rows[*at])).collect();
        let mut hidden = 0;
        for (at, row) in self.rows.iter().enumerate() {
            let next = places.partition_point(|place| place + AROUND < at);
            if places.get(next).is_none_or(|place| *place > at + AROUND) {
                hidden += 1;
                continue;
            }
            if std::mem::take(&mut hidden) > 0 {
                lines.push("    …".to_owned());
            }
            match row {
                Row::Base(item) => lines.push(format!("- {}", item.text())),
                Row::New(item) => lines.push(format!("+ {}", item.text())),
                Row::Both(a, b) if a.differs(b) => {
                    lines.push(format!("- {}", a.text()));
                    lines.push(format!("+ {}", b.text()));
                }
                Row::Both(a, b) if a.is_same(b) => lines.push(format!("  {}", b.text())),
                Row::Both(_, b) => lines.push(format!("~ {}", b.text())),
            }
        }
        if hidden > 0 {
            lines.push("    …".to_owned());
        }
    }
}

/// A label with another number is no difference.
fn is_difference(row: &Row) -> bool {
    match row {
        Row::Both(a @ Item::Of(..), b) => !a.is_same(b),
        Row::Both(..) => false,
        _ => true,
    }
}
