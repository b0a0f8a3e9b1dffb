//! From a [`Report`](tare_analysis::Report) or a [`Comparison`](tare_analysis::Comparison) to what people and programs read: the screen of a terminal, Markdown, CSV, JSON, the forms of other tools.
//!
//! The crate is pure: it takes values and gives text. It knows neither the terminal (the width is an argument) nor
//! colours (a [`Span`] has a [`Role`], the edge gives it a colour), so that every screen is a snapshot in the tests.
#![forbid(unsafe_code)]

mod advice;
mod again;
mod attachments;
mod chart;
mod comparison;
mod document;
mod exporters;
mod failures;
mod findings;
mod flow;
mod header;
mod history;
mod jobs;
mod label;
mod layout;
mod machine_code;
mod metric;
mod named_statistics;
mod number;
mod page;
mod profile;
mod run;
mod shorten;
mod site;
mod statistics;
mod subjects;
mod table;
mod tabulate;
mod template;
mod text;
mod values;
mod why;

pub use advice::{sentence_text, Hint};
pub use again::{once_more, resumed};
pub use attachments::{is_read, is_shown, Attached};
pub use chart::svg::{themed, Theme};
pub use chart::{
    Axis, BoxPlot, BoxRow, Chart, Density, Dot, DotPlot, LinePlot, LineSeries, Measure, Plot, Point, Strip,
    StripLaunch, Style, Tone, TrendCut, TrendMark, TrendPlot,
};
pub use comparison::{comparison_csv, comparison_json, undecided_of_comparison, violation_text, Compared};
pub use document::{Content, Document, Entry, Fact, Kept, List, Medium, More, Part, View, Volume};
pub use exporters::csv::{csv, measurements_csv, Fields as CsvFields};
pub use exporters::json::json;
pub use exporters::{html, markdown, screen, Exporter, Needs, NoResult, Presentation, Rendered, EXPORTERS, GZIP};
pub use failures::{
    cause_text, ended_otherwise, failure_hint, failure_hint_for, failure_text, not_built_text, step_text,
};
pub use findings::gate_lines;
pub use flow::paragraph;
pub use label::{selector, short};
pub use number::{bytes, count, duration, half_width, percent, percent_set, ratio, significant, Decimal, TimeUnit};
pub use profile::is_profile;
pub use run::undecided;
pub use shorten::COMMENT_MAX;
pub use site::{page_of_run, Site};
pub use subjects::{
    of_run, ComparisonSubject, HistorySubject, Picture, RunSubject, Subject, SubjectKind, WhySubject, OTHER_TOOL,
};
pub use table::{Align, Block, Body, Cell, Column, Drawn, Filled, Row, Table, Title};
pub use tabulate::tabulate;
pub use tare_model::text::shell_word;
pub use template::{Template, TemplateError, TEMPLATES};
pub use text::{clean, cut_end, cut_middle, width, Glyphs, Line, Role, Span};
pub use values::Values;
