//! A history in each form: what its runs say, and where they changed for good.

mod data;
mod document;
mod spark;
mod words;

pub use data::HISTORY_VERSION;
pub(crate) use words::{creep_text, left_out, step_text, value_text};

use crate::chart::{trend_chart, Chart};
use crate::exporters::{html, markdown, picture_of, screen, Rendered};
use crate::{clean, Document, View};
use std::fmt;
use tare_analysis::history::{History, Trend};

/// A history with how it is shown.
pub struct HistoryShown<'a> {
    /// What.
    pub history: &'a History,
    /// Columns, characters and volume.
    pub view: View,
    /// Characters of Markdown at most; None: as many as it takes.
    pub md_limit: Option<usize>,
    /// Benchmarks were named: each is shown with its values.
    pub is_detailed: bool,
}

/// A form of a history.
pub struct HistoryForm {
    /// The value of `--format`.
    pub name: &'static str,
    /// How the names of its files end.
    pub extension: &'static str,
    /// What it is, in a line for the help.
    pub about: &'static str,
    /// The history in this form.
    pub render: for<'a> fn(&HistoryShown<'a>) -> Rendered<'static>,
}

/// All forms, the default first.
pub const HISTORY_FORMS: &[HistoryForm] = &[
    HistoryForm {
        name: "table",
        extension: ".txt",
        about: "the screen",
        render: |shown| Rendered::Lines(screen(&Document::of_history(shown, false), &shown.view)),
    },
    HistoryForm {
        name: "md",
        extension: ".md",
        about: "Markdown for GitHub",
        render: |shown| Rendered::Text(markdown(&Document::of_history(shown, true), shown.view.glyphs, shown.md_limit)),
    },
    HistoryForm {
        name: "html",
        extension: ".html",
        about: "a page with charts, to open in a browser",
        render: |shown| Rendered::Text(html(&Document::page_of_history(shown), &title(shown.history))),
    },
    HistoryForm {
        name: "csv",
        extension: ".csv",
        about: "CSV, one row per benchmark and run",
        render: |shown| Rendered::Text(data::csv(shown.history)),
    },
    HistoryForm {
        name: "json",
        extension: ".json",
        about: "values, levels and steps as JSON",
        render: |shown| Rendered::Text(data::json(shown.history)),
    },
    HistoryForm {
        name: "svg",
        extension: ".svg",
        about: "a picture: each benchmark over its runs",
        render: |shown| svg(shown.history),
    },
];

impl fmt::Debug for HistoryForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl HistoryForm {
    /// The form of a name.
    pub fn of_name(name: &str) -> Option<&'static HistoryForm> {
        HISTORY_FORMS.iter().find(|form| form.name == name)
    }

    /// The form of a file, by the end of its name.
    pub fn of_file(name: &str) -> Option<&'static HistoryForm> {
        HISTORY_FORMS.iter().find(|form| name.ends_with(form.extension))
    }
}

fn title(history: &History) -> String {
    format!("Tare: history of {}{}", words::runs(history.runs.len()), on_machine(history))
}

fn on_machine(history: &History) -> String {
    if history.runs.is_empty() {
        return String::new();
    }
    format!(" on {}", clean(&history.machine.label()))
}

/// The maximum of charts in a picture, and of charts on a page that have every value. Charts with steps come first.
const CHARTS_MAX: usize = 100;
/// Most charts of a page. Without the values a chart is a few kB.
const CHARTS_OF_PAGE: usize = 1000;

/// The trends that are drawn, those that changed first.
fn drawn(history: &History, most: usize) -> Vec<&Trend> {
    let mut trends: Vec<&Trend> = history.trends.iter().collect();
    trends.sort_by_key(|trend| trend.steps.is_empty() && trend.creep.is_none());
    trends.truncate(most);
    trends
}

fn svg(history: &History) -> Rendered<'static> {
    let charts = drawn(history, CHARTS_MAX).into_iter().filter_map(|trend| trend_chart(history, trend, true));
    let failed = history.runs.last().map_or(0, |run| run.failed.len());
    let failed = if failed > 0 { format!(", {failed} failed in the newest run") } else { String::new() };
    let of = format!("{}{}{failed}", words::runs(history.runs.len()), on_machine(history));
    let why = match history.trends.is_empty() {
        true => "nothing to draw: the history has no runs of this machine",
        false => "nothing to draw: no benchmark can be distinguished from an empty loop",
    };
    picture_of(&["history".to_owned(), of], &charts.collect::<Vec<Chart>>(), why)
}
