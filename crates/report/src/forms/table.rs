//! The table as a value: what is in it, not how it looks. Terminal and Markdown are renderings of the same value.

use crate::forms::chart::{Dot, DotPlot};
use crate::words::number::Decimal;
use crate::words::text::Role;

/// On which side a column's text stands; numbers are aligned at their decimal point anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub align: Align,
    /// 0: never dropped. Of the others the greatest goes first when the screen is narrow.
    pub priority: u8,
    /// Only for those who ask: a page can switch it on.
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

    /// The text on its own, as Markdown wants it.
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
    /// One cell a shared column.
    Cells(Vec<Cell>),
    /// The cells of the leading columns that name the case, then words where the numbers would be.
    Message { named: Vec<Cell>, text: String, role: Role },
}

/// What a page needs of a row to sort, find, open and draw it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawn {
    /// The [`Part::anchor`](crate::forms::document::Part::anchor) of what is known of it.
    pub anchor: Option<String>,
    /// The page of a site that tells more about it.
    pub page: Option<String>,
    /// Its values with the ends of their intervals, to compare: one where rows are runs, else one for each of [`Compared::runs`].
    pub comparable: Vec<Option<[f64; 3]>>,
    /// Its commit, where the commits between two rows can be listed.
    pub commit: Option<String>,
    /// The address that a cell of [`Body::Cells`] leads to.
    pub link: Option<(usize, String)>,
    /// The number behind each cell of [`Body::Cells`], if there is one.
    pub values: Vec<Option<f64>>,
    pub dot: Option<Dot>,
    /// Its verdict, or `failed`.
    pub word: Option<&'static str>,
    /// What it is found by, where its name has parts that stand in columns.
    pub full_name: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// A blank line stands above: another comparison begins.
    pub gap: bool,
    /// The name and the parameters, one cell a column of [`Block::heads`].
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

/// Benchmarks of one group with a line of titles.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Titles of the columns that this block alone has: the group's name, then the parameters.
    pub heads: Vec<String>,
    /// Titles of the shared columns; empty if the block has nothing to say in it.
    pub titles: Vec<Title>,
    pub constants: String,
    /// Parameters stand in the names, which are not cut while cheap columns can go instead.
    pub full_names: bool,
    pub rows: Vec<Row>,
    /// For pages: the axis that the dots of its rows stand on, with all of them.
    pub plot: Option<Box<DotPlot>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    /// How many of them, from the left, name the case (language, program, job).
    pub naming: usize,
    pub blocks: Vec<Block>,
    pub compared: Compared,
}

/// What a page needs to compare two runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Compared {
    /// Text and commit of each run, the newest first; none where the rows are the runs.
    pub runs: Vec<(String, Option<String>)>,
    /// Where the web shows the commits between two.
    pub url: Option<String>,
}

/// A column of a table of one block, with a cell for each row.
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

    /// With the numbers that a page sorts its rows by.
    pub(crate) fn by(self, values: impl IntoIterator<Item = Option<f64>>) -> Filled {
        Filled { values: values.into_iter().collect(), ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| *cell == Cell::Empty)
    }
}

impl Table {
    /// A table of one block: what its rows are, and what each is called.
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

    /// The same, where names are not cut while cheap columns can go instead.
    #[must_use]
    pub fn with_full_names(mut self) -> Table {
        self.blocks.iter_mut().for_each(|block| block.full_names = true);
        self
    }
}
