//! A result as a list of parts: what is said, in which order, not how it looks. Each subject is composed to it, each form renders it.

use crate::forms::chart::Chart;
use crate::forms::table::Table;
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
    /// The title for forms that can fold it. Those put folded parts last; others show it in its place.
    pub folded: Option<String>,
    /// What rows of tables and entries of lists call it.
    pub anchor: Option<String>,
    pub contents: Vec<Content>,
}

/// A piece of a document. All texts are without control characters, except for the output of children.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// What came of it: `SLOWER`, `2 of 12 benchmarks`.
    Headline {
        verdict: Option<(String, Role)>,
        /// What it is about, or the whole sentence.
        text: String,
    },
    Heading(String),
    /// How often what occurs: `28 cases: 3 faster, 1 slower`.
    Counts {
        /// Of what; names in backquotes.
        of: String,
        items: Vec<(String, Role)>,
    },
    /// What was measured, where and how; on a narrow screen without its ends.
    Facts(Vec<Fact>),
    /// All that is known of something; nothing is ever left out.
    Sheet(Vec<Fact>),
    Table(Table),
    Note(String),
    /// Results in a line each, instead of a table.
    Brief(Vec<Line>),
    List(List),
    Hint(Hint),
    More(More),
    Histogram {
        bins: Vec<Bin>,
        unit: TimeUnit,
    },
    Chart(Box<Chart>),
    /// Machine code line by line, of one side or of two beside each other. Only pages have it.
    Listing(Vec<ListingRow>),
    /// Where it is kept and what to type now.
    Next {
        run: Option<String>,
        command: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The run and its machine. The first items are the most important, and the others may be left out.
    Title {
        lead: Line,
        items: Vec<String>,
    },
    Programs {
        items: Vec<String>,
        short: Option<String>,
        size: String,
    },
    /// What is not left out.
    Items {
        /// What they are; may be empty.
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
    /// `findings`, in small letters.
    pub title: String,
    /// How many there are, where that is worth saying; entries may stand for several.
    pub count: Option<usize>,
    pub entries: Vec<Entry>,
    pub hidden: usize,
    /// A flag or a command that shows those; may be empty.
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
    /// How they differ, in a character; empty: not at all.
    pub sign: &'static str,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListingCell {
    pub text: String,
    pub samples: u64,
    /// The same as a share of all, from 0 to 1.
    pub share: f64,
    pub is_hottest: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct More {
    pub text: String,
    pub command: String,
}

/// An entry of a list; what it does not have is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    pub severity: Option<Severity>,
    pub code: Option<Code>,
    /// Names; what is typed in backquotes.
    pub about: String,
    /// What happened; of a name the name.
    pub text: String,
    pub command: Option<String>,
    /// The last lines that it printed, as they came; of the report of a crash also the first.
    pub output: Vec<String>,
    /// A picture as SVG, which Tare has drawn. Forms without pictures leave it out.
    pub picture: Option<Vec<u8>>,
    pub hint: Option<Hint>,
    /// The [`Part::anchor`] of what it is about.
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
    /// Adds a part; what is empty in it is left out.
    pub fn add(&mut self, contents: impl IntoIterator<Item = Content>) {
        self.push(None, None, contents);
    }

    pub(crate) fn fold(&mut self, title: String, contents: impl IntoIterator<Item = Content>) {
        self.push(Some(title), None, contents);
    }

    /// Adds what is known of a row that has this anchor.
    pub(crate) fn fold_at(&mut self, title: String, anchor: String, contents: impl IntoIterator<Item = Content>) {
        self.push(Some(title), Some(anchor), contents);
    }

    /// Adds parts before what closes it: the next command.
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
    /// About a line a case.
    Default,
    /// Stages, launches, the full statistics of each case with its histogram.
    Verbose,
}

/// How a result is looked at on a terminal. The same result and the same view give the same screen, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub columns: usize,
    pub glyphs: Glyphs,
    pub volume: Volume,
    /// The run is in the store, so that a command can name it.
    pub saved: bool,
}

/// Where a run is kept, so that commands can name it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub in_store: bool,
    pub in_history: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Medium {
    pub volume: Volume,
    /// For people who did not run the command: it says what the gate says, folds what few need, and has no next command.
    pub is_page: bool,
    pub glyphs: Glyphs,
    /// The run is in the store, so that a command can name it.
    pub saved: bool,
    pub columns: usize,
}

impl Medium {
    pub fn screen(view: &View) -> Medium {
        Medium { volume: view.volume, is_page: false, glyphs: view.glyphs, saved: view.saved, columns: view.columns }
    }

    /// In a file that is passed on. With [`Volume::Verbose`] all that is known is in it, the statistics of each case folded.
    pub fn page(volume: Volume, glyphs: Glyphs) -> Medium {
        Medium { volume, is_page: true, glyphs, saved: false, columns: 100 }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.volume == Volume::Verbose
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet && !self.is_page
    }

    /// How many of a kind are shown: all on a page and with `-v`.
    pub(crate) fn most(&self) -> usize {
        match self.is_page || self.is_verbose() {
            true => usize::MAX,
            false => 5,
        }
    }
}
