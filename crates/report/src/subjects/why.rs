//! Explains the times of a run or a comparison.

use super::{Picture, Subject, SubjectKind};
use crate::documents::why;
use crate::elements::chart::Chart;
use crate::elements::data::{pretty, Fields as CsvFields};
use crate::elements::document::{Document, Medium, Volume};
use crate::parts::charts::{Panel, Source};
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::words::text::Glyphs;
use serde::Serialize;
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_analysis::why::{Role, Why};
use tare_analysis::{Comparison, Report};
use tare_model::{CommandLine, Run};

pub struct WhySubject<'a> {
    pub why: Why,
    pub of: Box<dyn Subject + 'a>,
    /// Its run; of two saved runs, the new side's.
    pub run: &'a Run,
    /// The names of both sides; None for benchmarks of one run.
    pub sides: Option<[String; 2]>,
    pub request: &'a CommandLine,
}

const KIND: SubjectKind = SubjectKind { name: "why", phrase: "an explanation", has_measurements: true, pictures: None };

#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    run: &'a str,
    sides: Option<&'a [String; 2]>,
    #[serde(flatten)]
    why: &'a Why,
}

impl<'a> WhySubject<'a> {
    pub fn of_run(why: Why, of: Box<dyn Subject + 'a>, run: &'a Run, report: &'a Report) -> WhySubject<'a> {
        let sides = run.sides.as_ref().map(|sides| [sides.base.name.clone(), sides.new.name.clone()]);
        WhySubject { why, of, run, sides, request: &report.request }
    }

    fn shown<'b>(&'b self, shown: &'b Presentation) -> why::Explanation<'b> {
        // Each of two runs is stored.
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
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        let mut document = Document::of_why(&self.shown(shown), &medium);
        document.parts.extend(self.of.page(shown).parts);
        document
    }

    fn values<'a>(&'a self, values: &mut Values<'a>) {
        self.of.values(values);
    }

    fn json(&self, _: &Presentation) -> String {
        let sides = self.sides.as_ref();
        let json = Json { format: "tare-why", version: 1, run: &self.run.id, sides, why: &self.why };
        pretty(&json)
    }

    /// A row per piece of evidence, or per part of the time of a single benchmark.
    fn csv(&self) -> String {
        let rows = self.why.cases.iter().flat_map(|case| {
            let mut causes = 0;
            let evidence = case.evidence.iter().map(move |found| {
                let is_cause = found.role == Role::Cause;
                causes += usize::from(is_cause);
                let values = [0, 1].map(|side| found.values.map(|values| values[side]));
                let mut f = of_case(&case.name, is_cause.then_some(causes), found.kind, &found.text, values);
                f.number("typical_ns", found.ns);
                f.put("role", found.role.word());
                f.number("share", found.share);
                f
            });
            let parts = case.parts.iter().map(|part| {
                let mut f = of_case(&case.name, None, "part", &part.text, [None, Some(part.value)]);
                ["typical_ns", "role", "share"].into_iter().for_each(|name| f.put(name, ""));
                f
            });
            evidence.chain(parts)
        });
        CsvFields::csv(rows)
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

    /// Each piece of evidence names the command that shows more.
    fn lists_files(&self, medium: &Medium) -> bool {
        medium.is_page || medium.volume == Volume::Verbose
    }

    fn comparison(&self) -> Option<&Comparison> {
        self.of.comparison()
    }
}

fn of_case(name: &str, rank: Option<usize>, kind: &str, text: &str, [base, new]: [Option<f64>; 2]) -> CsvFields {
    let mut f = CsvFields::default();
    f.put("benchmark", name);
    f.count("rank", rank);
    f.put("kind", kind);
    f.put("text", text);
    f.number("base", base);
    f.number("new", new);
    f
}
