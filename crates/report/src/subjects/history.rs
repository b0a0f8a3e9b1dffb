//! The results of a project's runs over time.

use super::{Picture, Subject, SubjectKind};
use crate::documents::history::chart::trend_chart;
use crate::documents::history::{csv, drawn, json, on_machine, run_count, CHARTS_MAX};
use crate::elements::document::{Document, Medium};
use crate::subjects::presentation::Presentation;
use crate::subjects::values::{Case, Values};
use tare_analysis::gate::{judge_history, Fits, Gate, Judgement};
use tare_analysis::history::History;

#[derive(Debug, Clone, Copy)]
pub struct HistorySubject<'a> {
    pub history: &'a History,
    /// Benchmarks were named: each is shown with its values.
    pub is_detailed: bool,
}

const KIND: SubjectKind =
    SubjectKind { name: "history", phrase: "a history", has_measurements: false, pictures: Some(&["svg"]) };

impl HistorySubject<'_> {
    pub const KIND: &'static SubjectKind = &KIND;
}

impl Subject for HistorySubject<'_> {
    fn kind(&self) -> &'static SubjectKind {
        &KIND
    }

    fn title(&self) -> String {
        format!("Tare: history of {}{}", run_count(self.history.runs.len()), on_machine(self.history))
    }

    fn document(&self, shown: &Presentation, medium: &Medium) -> Document {
        Document::of_history(self.history, self.is_detailed, shown.judgement.as_ref(), medium)
    }

    fn page(&self, shown: &Presentation) -> Document {
        Document::page_of_history(self.history, shown.judgement.as_ref())
    }

    /// A case for the newest value of each benchmark and for each failure of the newest run, and a row for the newest step.
    fn values<'a>(&'a self, values: &mut Values<'a>) {
        let history = self.history;
        if let Some(newest) = history.runs.last() {
            (values.run, values.created, values.tare) = (&newest.run, &newest.created, &newest.tare);
        }
        values.cases = history.trends.iter().filter_map(Case::of_trend).collect();
        let failed = history.runs.last().map(|run| run.failed.as_slice()).unwrap_or_default();
        values.cases.extend(failed.iter().map(Case::of_history_failure));
        for trend in &history.trends {
            if let Some(step) = trend.steps.last() {
                values.row(&trend.name, step.verdict.word(), Some((step.ratio, Some(step.interval))), "");
            }
        }
    }

    fn json(&self, _: &Presentation) -> String {
        json(self.history)
    }

    fn csv(&self) -> String {
        csv(self.history)
    }

    fn about(&self) -> String {
        let failed = self.history.runs.last().map_or(0, |run| run.failed.len());
        let failed = if failed > 0 { format!(", {failed} failed in the newest run") } else { String::new() };
        format!("{}{}{failed}", run_count(self.history.runs.len()), on_machine(self.history))
    }

    fn dots(&self) -> Picture {
        let trends = drawn(self.history, CHARTS_MAX).into_iter();
        Picture {
            title: "history",
            charts: trends.filter_map(|trend| trend_chart(self.history, trend, true)).collect(),
            why: Some(match self.history.trends.is_empty() {
                true => "nothing to draw: the history has no runs of this machine",
                false => "nothing to draw: no benchmark can be distinguished from an empty loop",
            }),
        }
    }

    fn judge(&self, gate: &Gate, _: Fits) -> Judgement {
        judge_history(self.history, gate)
    }

    fn what_decides(&self) -> &'static str {
        match self.history.runs.is_empty() {
            true => "record runs: `record = true` in the section `[history]` of `tare.toml`",
            false => "fix what failed and run it again, so that the newest run has its value: `tare run`",
        }
    }
}
