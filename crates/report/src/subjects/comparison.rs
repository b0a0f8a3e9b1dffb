//! A comparison of two sides: measured in one run, or saved before.

use super::{Picture, RunSubject, Subject, SubjectKind, WhySubject};
use crate::documents::comparison::{comparison_csv, comparison_json, Compared};
use crate::elements::chart::{Chart, Plot};
use crate::elements::document::{Document, Medium};
use crate::parts::charts::{bars_of_pairs, bars_of_rows, comparison_dots, panels_of_comparison, Panel, Source};
use crate::parts::header::machine_line;
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::words::text::clean;
use tare_analysis::gate::{judge_comparison, Fits, Gate, Judgement};
use tare_analysis::why::{is_why, why};
use tare_analysis::{compare_run, is_comparison, traces, CaseTrace, Comparison, ComparisonRow, Report};
use tare_model::Run;

/// A comparison, with its run unless both sides were saved.
#[derive(Debug, Clone)]
pub struct ComparisonSubject<'a> {
    comparison: Comparison,
    run: Option<RunSubject<'a>>,
}

const KIND: SubjectKind =
    SubjectKind { name: "comparison", phrase: "a comparison", has_measurements: true, pictures: None };

/// A run, its comparison, or the explanation of its times.
pub fn of_run<'a>(run: &'a Run, report: &'a Report) -> Box<dyn Subject + 'a> {
    let of = RunSubject { run, report };
    let subject: Box<dyn Subject + 'a> = match is_comparison(run) {
        true => Box::new(ComparisonSubject { comparison: compare_run(run, report), run: Some(of) }),
        false => Box::new(of),
    };
    match is_why(run) {
        true => Box::new(WhySubject::of_run(why(run, report), subject, run, report)),
        false => subject,
    }
}

impl<'a> ComparisonSubject<'a> {
    pub const SAVED: &'static SubjectKind =
        &SubjectKind { phrase: "a comparison of saved results", has_measurements: false, ..KIND };

    pub fn saved(comparison: Comparison) -> ComparisonSubject<'a> {
        ComparisonSubject { comparison, run: None }
    }

    fn compared<'b>(&'b self, shown: &'b Presentation) -> Compared<'b> {
        let report = self.run.map(|of| of.report);
        Compared { comparison: &self.comparison, report, judgement: shown.judgement.as_ref(), top: shown.top }
    }

    fn traces(&self) -> Vec<CaseTrace> {
        self.run.map(|of| traces(of.run)).unwrap_or_default()
    }
}

impl Subject for ComparisonSubject<'_> {
    fn kind(&self) -> &'static SubjectKind {
        if self.run.is_some() {
            &KIND
        } else {
            ComparisonSubject::SAVED
        }
    }

    fn title(&self) -> String {
        format!("Tare: {} against {}", self.comparison.new.name, self.comparison.base.name)
    }

    fn document(&self, shown: &Presentation, medium: &Medium) -> Document {
        let mut document = Document::of_comparison(&self.compared(shown), medium);
        // Pages draw more details themselves.
        if let Some(of) = self.run.filter(|_| medium.is_verbose() && !medium.is_page) {
            document.draw_pairs(&self.comparison, of.report, &self.traces());
        }
        document
    }

    fn page(&self, shown: &Presentation) -> Document {
        Document::page_of_comparison(&self.compared(shown), &self.traces(), shown.kept())
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        let comparison = &self.comparison;
        values.between(&comparison.base.name, &comparison.new.name);
        values.elapsed_s = comparison.elapsed_s;
        values.compared(comparison);
        values.remark(&comparison.findings, &comparison.request, &|_| String::new());
    }

    fn json(&self, shown: &Presentation) -> String {
        comparison_json(&self.compared(shown))
    }

    fn csv(&self) -> String {
        comparison_csv(&self.comparison)
    }

    fn about(&self) -> String {
        let machine = self.run.map(|of| format!("; {}", machine_line(of.report))).unwrap_or_default();
        format!("{} against {}{machine}", clean(&self.comparison.new.name), clean(&self.comparison.base.name))
    }

    fn dots(&self) -> Picture {
        let chart = |plot| Chart {
            title: "ratio of each benchmark with its 95 % interval".to_owned(),
            reading: "the shaded strip around 1 is the minimum effect".to_owned(),
            plot: Plot::Dots(plot),
        };
        let charts = comparison_dots(&self.comparison).map(chart).into_iter().collect();
        Picture { title: "every case with its 95 % interval", charts, why: None }
    }

    fn bars(&self, panels: &[Panel]) -> Vec<Chart> {
        match self.run {
            Some(_) => bars_of_pairs(panels),
            None => bars_of_rows(&self.comparison),
        }
    }

    fn panels<'a>(&'a self, source: &Source<'a>) -> Vec<Panel<'a>> {
        panels_of_comparison(&self.comparison, source)
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement {
        judge_comparison(&self.comparison, self.run.map(|of| of.report), gate, fits)
    }

    fn what_decides(&self) -> &'static str {
        let rows = &self.comparison.rows;
        match self.run {
            Some(_) => {
                "measure what is missing (use `--rename OLD=NEW` or `--exclude NAME` for benchmarks that were renamed or \
                 removed); decide the rest with `--long`, or on a less busy machine"
            }
            None if !rows.is_empty() && rows.iter().all(ComparisonRow::is_command) => {
                "measure both in one run: `tare time 'OLD COMMAND' 'NEW COMMAND' --fail-on slower`"
            }
            None => {
                "measure what is missing (use `--rename OLD=NEW` or `--exclude NAME` for benchmarks that were renamed or \
                 removed); decide the rest by measuring both sides again"
            }
        }
    }

    fn measured(&self) -> Option<(&Run, &Report)> {
        self.run.map(|of| (of.run, of.report))
    }

    fn comparison(&self) -> Option<&Comparison> {
        Some(&self.comparison)
    }
}
