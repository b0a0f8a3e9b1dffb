//! Kinds of results, one file each. Forms, templates, pictures and the command line know only [`Subject`], so a new subject is a new file
//! here (or beside its command, if its values come from there) and works in every form that it does not exclude.

mod comparison;
mod history;
pub(crate) mod presentation;
mod run;
pub(crate) mod values;
mod why;

pub use comparison::{of_run, ComparisonSubject};
pub use history::HistorySubject;
pub use run::{RunSubject, OTHER_TOOL};
pub use why::WhySubject;

use crate::elements::chart::Chart;
use crate::elements::document::{Document, Medium, Volume};
use crate::parts::charts::{Panel, Source};
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::words::text::Glyphs;
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_analysis::{Comparison, Report};
use tare_model::Run;

/// Names and available forms of a kind of subject, so that others are refused before anything is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubjectKind {
    /// Name in templates: `run`.
    pub name: &'static str,
    /// Name in a sentence: `a run`.
    pub phrase: &'static str,
    /// It has a run's single measurements.
    pub has_measurements: bool,
    /// The names of its pictures; None: all.
    pub pictures: Option<&'static [&'static str]>,
}

impl SubjectKind {
    /// Why this format or template, which shows single measurements, is refused.
    pub(crate) fn without_measurements(&self, what: &str, name: &str) -> String {
        format!("the {what} `{name}` needs a run of Tare, with what each visit measured; this is {}", self.phrase)
    }
}

pub struct Picture {
    /// Its content: `times as bars`.
    pub title: &'static str,
    pub charts: Vec<Chart>,
    /// Why there are none: `nothing to draw: ...`; None: the usual reason.
    pub why: Option<&'static str>,
}

pub trait Subject {
    fn kind(&self) -> &'static SubjectKind;

    fn name(&self) -> &'static str {
        self.kind().name
    }

    fn title(&self) -> String;

    /// The document for forms that people read.
    fn document(&self, shown: &Presentation, medium: &Medium) -> Document;

    /// All details with charts, for a page with drawings.
    fn page(&self, shown: &Presentation) -> Document {
        self.document(shown, &Medium::page(Volume::Verbose, Glyphs::Unicode))
    }

    /// Plain values for templates and other tools' formats; a run's are filled in already.
    fn values<'a>(&'a self, values: &mut Values<'a>);

    /// All values at full precision, as JSON.
    fn json(&self, shown: &Presentation) -> String;

    fn csv(&self) -> String;

    /// The line below the title of its pictures.
    fn about(&self) -> String {
        String::new()
    }

    fn dots(&self) -> Picture;

    fn bars(&self, _panels: &[Panel]) -> Vec<Chart> {
        Vec::new()
    }

    fn panels<'a>(&'a self, _source: &Source<'a>) -> Vec<Panel<'a>> {
        Vec::new()
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement;

    /// Advice if a gate could not decide.
    fn what_decides(&self) -> &'static str;

    fn measured(&self) -> Option<(&Run, &Report)> {
        None
    }

    /// Whether forms for people list the run's files and profiles.
    fn lists_files(&self, medium: &Medium) -> bool {
        !medium.is_quiet()
    }

    /// The comparison that must have a row.
    fn comparison(&self) -> Option<&Comparison> {
        None
    }
}
