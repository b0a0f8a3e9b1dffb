//! Renders a [`Report`](tare_analysis::Report) or a [`Comparison`](tare_analysis::Comparison) for people and programs: as a terminal
//! screen, Markdown, CSV, JSON, or the formats of other tools.
//!
//! The crate is pure: values in, text out. It does not know the terminal (the width is an argument) or colours (a [`Span`] has a [`Role`],
//! to which the caller assigns a colour), so tests can snapshot every screen.
//!
//! Each folder uses only those before it (`xtask/tests/layering.rs`):
//!
//! | folder | what it does |
//! |---|---|
//! | [`words`] | texts, numbers, names and commands |
//! | [`elements`] | the building blocks of documents: tables, charts, lists, and fitting them to a width |
//! | [`parts`] | parts of several documents: header, table of cases, findings, failures |
//! | [`documents`] | content and order of the documents of a run, a comparison, a history |
//! | [`subjects`] | what forms know about any kind of result |
//! | [`exporters`] | a subject in each form, by a template, as a site |
#![forbid(unsafe_code)]

mod documents;
mod elements;
mod exporters;
mod parts;
mod subjects;
mod words;

pub use documents::comparison::{comparison_csv, comparison_json, Compared};
pub use documents::run::data::{csv, json, measurements_csv};
pub use documents::run::undecided;
pub use elements::chart::svg::{themed, Theme};
pub use elements::chart::{
    Axis, BoxPlot, BoxRow, Chart, Density, Dot, DotPlot, LinePlot, LineSeries, Measure, Plot, Point, Strip,
    StripLaunch, Style, Tone, TrendCut, TrendMark, TrendPlot,
};
pub use elements::data::Fields as CsvFields;
pub use elements::document::{Content, Document, Entry, Fact, Kept, List, Medium, More, Part, View, Volume};
pub use elements::flow::paragraph;
pub use elements::shorten::COMMENT_MAX;
pub use elements::table::{Align, Block, Body, Cell, Column, Drawn, Filled, Row, Table, Title};
pub use exporters::site::{page_of_run, Site};
pub use exporters::template::{Template, TemplateError, TEMPLATES};
pub use exporters::{gate_lines, html, markdown, screen, Exporter, Needs, NoResult, Rendered, EXPORTERS, GZIP};
pub use parts::attachments::{is_read, is_shown, Attached};
pub use parts::comparison::{undecided_of_comparison, violation_text};
pub use parts::failures::{
    cause_text, ended_otherwise, failure_hint, failure_hint_for, failure_text, not_built_text, step_text,
};
pub use parts::profile::is_profile;
pub use parts::tabulate::tabulate;
pub use subjects::presentation::Presentation;
pub use subjects::values::Values;
pub use subjects::{
    of_run, ComparisonSubject, HistorySubject, Picture, RunSubject, Subject, SubjectKind, WhySubject, OTHER_TOOL,
};
pub use words::advice::{sentence_text, Hint};
pub use words::again::{once_more, resumed};
pub use words::label::{selector, short};
pub use words::number::{
    bytes, count, duration, half_width, percent, percent_set, ratio, significant, Decimal, TimeUnit,
};
pub use words::text::{clean, cut_end, cut_middle, shell_word, width, Glyphs, Line, Role, Span};
