//! A table as a value, without appearance. Terminal and Markdown render the same value.

use crate::elements::chart::{Dot, DotPlot};
use crate::words::number::Decimal;
use crate::words::text::Role;

/// Alignment of a column's text; numbers are always aligned at the decimal point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub align: Align,
    /// 0: never dropped. Otherwise the greatest is dropped first on a narrow screen.
    pub priority: u8,
    /// Hidden unless the user asks; pages can switch it on.
    pub optional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Empty,
    Text { text: String, role: Role },
    Number { number: Decimal, role: Role, suffix: String, suffix_role: Role },
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::styled(text, Role::Plain)
    }

    pub fn styled(text: impl Into<String>, role: Role) -> Cell {
        let text = text.into();
        if text.is_empty() {
            Cell::Empty
        } else {
            Cell::Text { text, role }
        }
    }

    pub fn number(number: Decimal, role: Role, suffix: impl Into<String>) -> Cell {
        Cell::Number { number, role, suffix: suffix.into(), suffix_role: role }
    }

    /// The text alone, for Markdown.
    pub fn plain(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text { text, .. } => text.clone(),
            Cell::Number { number, suffix, .. } if suffix.is_empty() => number.joined(),
            Cell::Number { number, suffix, .. } => format!("{} {suffix}", number.joined()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// One cell per shared column.
    Cells(Vec<Cell>),
    /// The leading cells that name the case, then text in place of the numbers.
    Message { named: Vec<Cell>, text: String, role: Role },
}

/// Data with which a page sorts, searches, opens and draws a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawn {
    /// The [`Part::anchor`](crate::elements::document::Part::anchor) of its details.
    pub anchor: Option<String>,
    /// The page of a site with its details.
    pub page: Option<String>,
    /// Its values with interval ends, for comparisons: one if rows are runs, else one per [`Compared::runs`].
    pub comparable: Vec<Option<[f64; 3]>>,
    /// Its commit, if the commits between two rows can be listed.
    pub commit: Option<String>,
    /// A link, and the index of its cell in [`Body::Cells`].
    pub link: Option<(usize, String)>,
    /// The number of each cell of [`Body::Cells`], if any.
    pub values: Vec<Option<f64>>,
    pub dot: Option<Dot>,
    /// Its verdict, or `failed`.
    pub word: Option<&'static str>,
    /// Its name for searches, if parts of the name are in columns.
    pub full_name: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// A blank line precedes it: another comparison begins.
    pub gap: bool,
    /// Name and parameters, one cell per column of [`Block::heads`].
    pub heads: Vec<Cell>,
    pub body: Body,
    pub drawn: Option<Box<Drawn>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Title {
    pub long: String,
    pub short: String,
}

impl<T: Into<String>> From<T> for Title {
    fn from(text: T) -> Title {
        let long = text.into();
        Title { short: long.clone(), long }
    }
}

pub(crate) fn interval_title() -> Title {
    Title { long: "95 % interval".to_owned(), short: "95 %".to_owned() }
}

/// Benchmarks of a group, below a line of titles.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Titles of the block's own columns: the group's name, then the parameters.
    pub heads: Vec<String>,
    /// Titles of the shared columns; empty if the block has no values there.
    pub titles: Vec<Title>,
    pub constants: String,
    /// Names contain parameters, and are not cut while cheap columns can be dropped.
    pub full_names: bool,
    pub rows: Vec<Row>,
    /// For pages: the plot with its rows' dots and their common axis.
    pub plot: Option<Box<DotPlot>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    /// The number of leading columns that name the case (language, program, job).
    pub naming: usize,
    pub blocks: Vec<Block>,
    pub compared: Compared,
}

/// Data with which a page compares two runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Compared {
    /// Text and commit of each run, newest first; empty if the rows are runs.
    pub runs: Vec<(String, Option<String>)>,
    /// The web page with the commits between two.
    pub url: Option<String>,
}

/// A column of a single-block table, with a cell per row.
pub struct Filled {
    title: Title,
    align: Align,
    priority: u8,
    cells: Vec<Cell>,
    values: Vec<Option<f64>>,
}

impl Filled {
    pub fn right(title: impl Into<Title>, priority: u8, cells: impl IntoIterator<Item = Cell>) -> Filled {
        Filled {
            title: title.into(),
            align: Align::Right,
            priority,
            cells: cells.into_iter().collect(),
            values: Vec::new(),
        }
    }

    pub fn left(title: impl Into<Title>, priority: u8, cells: impl IntoIterator<Item = Cell>) -> Filled {
        Filled { align: Align::Left, ..Filled::right(title, priority, cells) }
    }

    /// With numbers for sorting on a page.
    pub(crate) fn by(self, values: impl IntoIterator<Item = Option<f64>>) -> Filled {
        Filled { values: values.into_iter().collect(), ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| *cell == Cell::Empty)
    }
}

impl Table {
    /// A single-block table, given the kind of its rows and their names.
    pub fn of(head: &str, names: impl IntoIterator<Item = String>, columns: Vec<Filled>) -> Table {
        let row = |(at, name): (usize, String)| Row {
            gap: false,
            heads: vec![Cell::text(name)],
            body: Body::Cells(columns.iter().map(|column| column.cells[at].clone()).collect()),
            drawn: columns.iter().any(|column| !column.values.is_empty()).then(|| {
                let values = columns.iter().map(|column| column.values.get(at).copied().flatten()).collect();
                Box::new(Drawn { values, ..Drawn::default() })
            }),
        };
        let block = Block {
            heads: vec![head.to_owned()],
            rows: names.into_iter().enumerate().map(row).collect(),
            titles: columns.iter().map(|column| column.title.clone()).collect(),
            constants: String::new(),
            full_names: false,
            plot: None,
        };
        let column = |of: &Filled| Column { align: of.align, priority: of.priority, optional: false };
        Table { columns: columns.iter().map(column).collect(), naming: 0, blocks: vec![block], ..Table::default() }
    }

    /// The same with names that are not cut while cheap columns can be dropped.
    #[must_use]
    pub fn with_full_names(mut self) -> Table {
        self.blocks.iter_mut().for_each(|block| block.full_names = true);
        self
    }
}
