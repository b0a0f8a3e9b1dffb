//! Why the times of a run or a comparison are what they are.

use super::{Picture, Subject, SubjectKind};
use crate::chart::{Panel, Source};
use crate::exporters::Presentation;
use crate::values::Values;
use crate::why;
use crate::{csv_record, Chart, CsvFields, Document, Medium, Volume};
use serde::Serialize;
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_analysis::why::{Role, Why};
use tare_analysis::{Comparison, Report};
use tare_model::{Request, Run};

/// An explanation, with what it is about.
pub struct WhySubject<'a> {
    pub why: Why,
    /// The run or the comparison.
    pub of: Box<dyn Subject + 'a>,
    /// Its run; of two saved ones that of the new side.
    pub run: &'a Run,
    /// The names of both sides; None of benchmarks of one run.
    pub sides: Option<[String; 2]>,
    pub request: &'a Request,
}

const KIND: SubjectKind = SubjectKind { name: "why", phrase: "an explanation", has_measurements: true, pictures: None };

/// The document for programs.
#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    run: &'a str,
    sides: Option<&'a [String; 2]>,
    #[serde(flatten)]
    why: &'a Why,
}

/// Version of the document for programs.
const VERSION: u32 = 1;

impl<'a> WhySubject<'a> {
    /// An explanation of a run.
    pub fn of_run(why: Why, of: Box<dyn Subject + 'a>, run: &'a Run, report: &'a Report) -> WhySubject<'a> {
        let sides = run.sides.as_ref().map(|sides| [sides.base.name.clone(), sides.new.name.clone()]);
        WhySubject { why, of, run, sides, request: &report.request }
    }

    fn shown<'b>(&'b self, shown: &'b Presentation) -> why::Explanation<'b> {
        // Of two runs each is stored.
        let is_of_saved = self.of.measured().is_none();
        why::Explanation {
            why: &self.why,
            request: self.request,
            run: (shown.view.saved || is_of_saved).then_some(self.run.id.as_str()),
            is_of_saved,
            view: shown.view,
        }
    }
}

impl Subject for WhySubject<'_> {
    fn kind(&self) -> &'static SubjectKind {
        &KIND
    }

    fn title(&self) -> String {
        match &self.sides {
            Some([base, new]) => format!("Tare: why {new} differs from {base}"),
            None => format!("Tare: what the times of run {} consist of", self.run.id),
        }
    }

    fn document(&self, shown: &Presentation, medium: &Medium) -> Document {
        let mut document = Document::of_why(&self.shown(shown), medium);
        if medium.volume == Volume::Verbose {
            document.parts.extend(self.of.document(shown, medium).parts);
        }
        document
    }

    fn page(&self, shown: &Presentation) -> Document {
        let medium = Medium::page(Volume::Verbose, crate::Glyphs::Unicode);
        let mut document = Document::of_why(&self.shown(shown), &medium);
        document.parts.extend(self.of.page(shown).parts);
        document
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        self.of.values(values);
    }

    fn json(&self, _: &Presentation) -> String {
        let sides = self.sides.as_ref();
        let json = Json { format: "tare-why", version: VERSION, run: &self.run.id, sides, why: &self.why };
        serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"
    }

    /// A row for each piece of evidence, or for each part of the time of one benchmark alone.
    fn csv(&self) -> String {
        let mut text = String::new();
        for case in &self.why.cases {
            let mut causes = 0;
            let evidence = case.evidence.iter().map(|found| {
                causes += usize::from(found.role == Role::Cause);
                let rank = if found.role == Role::Cause { causes.to_string() } else { String::new() };
                (
                    rank,
                    found.kind,
                    found.text.as_str(),
                    found.values.map(|v| v[0]),
                    found.values.map(|v| v[1]),
                    Some(found),
                )
            });
            let parts = case.parts.iter();
            let parts = parts.map(|part| (String::new(), "part", part.text.as_str(), None, Some(part.value), None));
            for (rank, kind, what, base, new, found) in evidence.chain(parts) {
                let mut fields = CsvFields::new();
                fields.put("benchmark", &case.name);
                fields.put("rank", rank);
                fields.put("kind", kind);
                fields.put("text", what);
                fields.number("base", base);
                fields.number("new", new);
                fields.number("typical_ns", found.and_then(|found| found.ns));
                fields.put("role", found.map_or("", |found| found.role.word()));
                fields.number("share", found.and_then(|found| found.share));
                if text.is_empty() {
                    text.push_str(&csv_record(&fields.names));
                }
                text.push_str(&csv_record(&fields.values));
            }
        }
        text
    }

    fn about(&self) -> String {
        self.of.about()
    }

    fn dots(&self) -> Picture {
        self.of.dots()
    }

    fn bars(&self, panels: &[Panel]) -> Vec<Chart> {
        self.of.bars(panels)
    }

    fn bars_have_intervals(&self) -> bool {
        self.of.bars_have_intervals()
    }

    fn panels<'a>(&'a self, source: &Source<'a>) -> Vec<Panel<'a>> {
        self.of.panels(source)
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement {
        self.of.judge(gate, fits)
    }

    fn what_decides(&self) -> &'static str {
        self.of.what_decides()
    }

    fn measured(&self) -> Option<(&Run, &Report)> {
        self.of.measured()
    }

    /// Each piece of evidence names the command that shows more of it.
    fn lists_files(&self, medium: &Medium) -> bool {
        medium.is_page || medium.volume == Volume::Verbose
    }

    fn comparison(&self) -> Option<&Comparison> {
        self.of.comparison()
    }
}
