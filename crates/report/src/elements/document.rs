//! A result as a list of parts: content and order without appearance. Subjects compose it, and each form renders it.

use crate::elements::chart::Chart;
use crate::elements::table::Table;
use crate::words::advice::Hint;
use crate::words::number::TimeUnit;
use crate::words::text::{Glyphs, Line, Role};
use tare_analysis::{Code, Severity};
use tare_stats::histogram::Bin;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The title in forms that can fold parts and put them last; other forms show the part in place.
    pub folded: Option<String>,
    /// The id by which table rows and list entries refer to it.
    pub anchor: Option<String>,
    pub contents: Vec<Content>,
}

/// A piece of a document. All texts are free of control characters, except the output of children.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// The overall result: `SLOWER`, `2 of 12 benchmarks`.
    Headline {
        verdict: Option<(String, Role)>,
        text: String,
    },
    Heading(String),
    /// Counts by kind: `28 cases: 3 faster, 1 slower`.
    Counts {
        /// What is counted; names in backquotes.
        of: String,
        items: Vec<(String, Role)>,
    },
    /// What was measured, where and how; shortened on a narrow screen.
    Facts(Vec<Fact>),
    /// All facts about something, never shortened.
    Sheet(Vec<Fact>),
    Table(Table),
    Note(String),
    /// Results, one per line, instead of a table.
    Brief(Vec<Line>),
    List(List),
    Hint(Hint),
    More(More),
    Histogram {
        bins: Vec<Bin>,
        unit: TimeUnit,
    },
    Chart(Box<Chart>),
    /// Machine code by line, of one side or of both side by side. Pages only.
    Listing(Vec<ListingRow>),
    /// Where the run is stored, and the next command.
    Next {
        run: Option<String>,
        command: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The run and its machine. The first items are the most important; others may be dropped.
    Title {
        lead: Line,
        items: Vec<String>,
    },
    Programs {
        items: Vec<String>,
        short: Option<String>,
        size: String,
    },
    /// Items that are never dropped.
    Items {
        label: String,
        items: Vec<String>,
        separator: &'static str,
    },
}

impl Fact {
    pub(crate) fn new(label: &str, items: Vec<String>) -> Fact {
        Fact::Items { label: label.to_owned(), items, separator: ", " }
    }

    pub fn text(&self) -> String {
        match self {
            Fact::Title { lead, items } => lead.clone().with(Role::Plain, items.join(", ")).plain(),
            Fact::Programs { items, size, .. } => format!("{}   {size}", items.join("; ")),
            Fact::Items { label, items, separator } if label.is_empty() => items.join(separator),
            Fact::Items { label, items, separator } => format!("{label:<10}{}", items.join(separator)),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Fact::Items { items, .. } if items.is_empty())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// `findings`, in lower case.
    pub title: String,
    /// The total, if useful: an entry may represent several.
    pub count: Option<usize>,
    pub entries: Vec<Entry>,
    pub hidden: usize,
    /// A flag or a command that shows them; may be empty.
    pub command: String,
}

impl List {
    pub(crate) fn of(
        title: &str,
        count: Option<usize>,
        mut entries: Vec<Entry>,
        most: usize,
        command: impl Into<String>,
    ) -> Content {
        let hidden = entries.len().saturating_sub(most);
        entries.truncate(most);
        Content::List(List { title: title.to_owned(), count, entries, hidden, command: command.into() })
    }

    pub fn whole(title: &str, entries: Vec<Entry>) -> Content {
        List::of(title, None, entries, usize::MAX, "")
    }

    pub(crate) fn more(&self) -> Option<More> {
        (self.hidden > 0).then(|| More { text: format!("{} more", self.hidden), command: self.command.clone() })
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListingRow {
    pub cells: Vec<ListingCell>,
    /// How the two lines differ, as a character; empty: they are equal.
    pub sign: &'static str,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListingCell {
    pub text: String,
    pub samples: u64,
    /// The same as a share of all samples, 0 to 1.
    pub share: f64,
    pub is_hottest: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct More {
    pub text: String,
    pub command: String,
}

/// An entry of a list; fields may be empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    pub severity: Option<Severity>,
    pub code: Option<Code>,
    /// The names it is about, or a command in backquotes.
    pub about: String,
    /// What happened, or the name in a list of names.
    pub text: String,
    pub command: Option<String>,
    /// Its last lines of output, unmodified; for a crash report, the first as well.
    pub output: Vec<String>,
    /// An SVG picture drawn by Tare. Forms without pictures skip it.
    pub picture: Option<Vec<u8>>,
    pub hint: Option<Hint>,
    /// The [`Part::anchor`] of its subject.
    pub anchor: Option<String>,
    pub page: Option<String>,
}

impl Entry {
    pub(crate) fn text(text: String) -> Entry {
        Entry { text, ..Entry::default() }
    }
}

impl Content {
    pub fn chart(chart: Chart) -> Content {
        Content::Chart(Box::new(chart))
    }

    pub(crate) fn hint(text: &str, command: String) -> Content {
        Content::Hint(Hint { text: text.to_owned(), command: Some(command) })
    }

    fn is_empty(&self) -> bool {
        match self {
            Content::Counts { of, items } => of.is_empty() && items.is_empty(),
            Content::Facts(facts) | Content::Sheet(facts) => facts.is_empty(),
            Content::Table(table) => table.blocks.iter().all(|block| block.rows.is_empty()),
            Content::Brief(lines) => lines.is_empty(),
            Content::List(list) => list.entries.is_empty() && list.hidden == 0,
            Content::Histogram { bins, .. } => bins.iter().all(|bin| bin.count == 0),
            Content::Listing(rows) => rows.is_empty(),
            Content::Next { run, command } => run.is_none() && command.is_none(),
            Content::Headline { .. } | Content::Heading(_) | Content::Note(_) => false,
            Content::Hint(_) | Content::More(_) | Content::Chart(_) => false,
        }
    }
}

impl Document {
    /// Adds a part without its empty contents.
    pub fn add(&mut self, contents: impl IntoIterator<Item = Content>) {
        self.push(None, None, contents);
    }

    pub(crate) fn fold(&mut self, title: String, contents: impl IntoIterator<Item = Content>) {
        self.push(Some(title), None, contents);
    }

    pub(crate) fn fold_at(&mut self, title: String, anchor: String, contents: impl IntoIterator<Item = Content>) {
        self.push(Some(title), Some(anchor), contents);
    }

    /// Inserts parts before a closing next command.
    pub(crate) fn before_closing(&mut self, more: Document) {
        let is_closing = |part: &Part| part.contents.iter().any(|content| matches!(content, Content::Next { .. }));
        let at = self.parts.len() - usize::from(self.parts.last().is_some_and(is_closing));
        self.parts.splice(at..at, more.parts);
    }

    fn push(&mut self, folded: Option<String>, anchor: Option<String>, contents: impl IntoIterator<Item = Content>) {
        let said = |mut content: Content| {
            if let Content::Facts(facts) | Content::Sheet(facts) = &mut content {
                facts.retain(|fact| !fact.is_empty());
            }
            Some(content).filter(|content| !content.is_empty())
        };
        let contents: Vec<Content> = contents.into_iter().filter_map(said).collect();
        if !contents.is_empty() {
            self.parts.push(Part { folded, anchor, contents });
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volume {
    Quiet,
    /// About one line per case.
    Default,
    /// Stages, launches, full statistics of each case with its histogram.
    Verbose,
}

/// How to show a result on a terminal. The same result and view give the same screen, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub columns: usize,
    pub glyphs: Glyphs,
    pub volume: Volume,
    /// The run is in the store, so commands can name it.
    pub saved: bool,
}

/// Where the run is stored, for use in commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub in_store: bool,
    pub in_history: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Medium {
    pub volume: Volume,
    /// For people who did not run the command: shows the gate's result, folds details and has no next command.
    pub is_page: bool,
    pub glyphs: Glyphs,
    /// The run is in the store, so commands can name it.
    pub saved: bool,
    pub columns: usize,
}

impl Medium {
    pub fn screen(view: &View) -> Medium {
        Medium { volume: view.volume, is_page: false, glyphs: view.glyphs, saved: view.saved, columns: view.columns }
    }

    /// For a file to be passed on. With [`Volume::Verbose`] it is complete, with each case's statistics folded.
    pub fn page(volume: Volume, glyphs: Glyphs) -> Medium {
        Medium { volume, is_page: true, glyphs, saved: false, columns: 100 }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.volume == Volume::Verbose
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet && !self.is_page
    }

    /// Most items of a kind: all on a page and with `-v`.
    pub(crate) fn most(&self) -> usize {
        match self.is_page || self.is_verbose() {
            true => usize::MAX,
            false => 5,
        }
    }
}
