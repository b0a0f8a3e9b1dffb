use super::{Picture, Subject, SubjectKind};
use crate::documents::run::data;
use crate::elements::chart::Chart;
use crate::elements::document::{Document, Medium};
use crate::parts::charts::{bars_of_run, panels_of_run, run_dots, Panel, Source};
use crate::parts::header::machine_line;
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::words::label::Naming;
use crate::words::text::clean;
use tare_analysis::gate::{judge_report, Fits, Gate, Judgement};
use tare_analysis::{traces, CaseReport, Report};
use tare_model::Run;

#[derive(Debug, Clone, Copy)]
pub struct RunSubject<'a> {
    pub run: &'a Run,
    pub report: &'a Report,
}

const KIND: SubjectKind = SubjectKind { name: "run", phrase: "a run", has_measurements: true, pictures: None };

/// A run made from another tool's result.
pub const OTHER_TOOL: SubjectKind = SubjectKind { phrase: "a result of another tool", has_measurements: false, ..KIND };

impl Subject for RunSubject<'_> {
    fn kind(&self) -> &'static SubjectKind {
        &KIND
    }

    fn title(&self) -> String {
        format!("Tare: run {}", self.report.run)
    }

    fn document(&self, shown: &Presentation, medium: &Medium) -> Document {
        let mut document = Document::of_run(self.report, shown.judgement.as_ref(), medium);
        // Pages draw more details themselves.
        if medium.is_verbose() && !medium.is_page {
            document.draw_cases(self.report, &traces(self.run));
        }
        document
    }

    fn page(&self, shown: &Presentation) -> Document {
        Document::page_of_run(self.report, &traces(self.run), shown.judgement.as_ref(), shown.kept())
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        let naming = Naming::of(self.report);
        values.remark(&self.report.findings, &self.report.request, &|case| naming.label(self.report, case));
    }

    fn json(&self, _: &Presentation) -> String {
        data::json(self.report)
    }

    fn csv(&self) -> String {
        data::csv(self.report)
    }

    fn about(&self) -> String {
        format!("run {}; {}", clean(&self.report.run), machine_line(self.report))
    }

    fn dots(&self) -> Picture {
        Picture { title: "every case with its 95 % interval", charts: run_dots(self.report), why: None }
    }

    fn bars(&self, _: &[Panel]) -> Vec<Chart> {
        bars_of_run(self.report)
    }

    fn panels<'a>(&'a self, source: &Source<'a>) -> Vec<Panel<'a>> {
        panels_of_run(source)
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement {
        judge_report(self.report, gate, fits)
    }

    fn what_decides(&self) -> &'static str {
        match self.report.cases.iter().all(CaseReport::is_command) {
            true => "decide it with `--long` or a larger `--runs N`, or on a less busy machine",
            false => "measure what is missing; decide the rest with `--long`, or on a less busy machine",
        }
    }

    fn measured(&self) -> Option<(&Run, &Report)> {
        Some((self.run, self.report))
    }
}
