//! What a result is about: one file for each subject. [`Subject`] is all that forms, templates, pictures and the command line know of it, so a new
//! subject is a new file here (or beside its command, if its values come from there) and works in every form that it does not refuse by name.

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

use crate::forms::chart::Chart;
use crate::forms::document::{Document, Medium, Volume};
use crate::parts::charts::{Panel, Source};
use crate::subjects::presentation::Presentation;
use crate::subjects::values::Values;
use crate::words::text::Glyphs;
use tare_analysis::gate::{Fits, Gate, Judgement};
use tare_analysis::{Comparison, Report};
use tare_model::Run;

/// What a kind of subject is called and which forms it has, so that others are refused before anything is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubjectKind {
    /// In templates: `run`.
    pub name: &'static str,
    /// In a sentence: `a run`.
    pub phrase: &'static str,
    /// It has the single measurements of a run.
    pub has_measurements: bool,
    /// The pictures that it has, by their names; None: all.
    pub pictures: Option<&'static [&'static str]>,
}

impl SubjectKind {
    /// Why it is not made by this format or template, which shows single measurements.
    pub(crate) fn without_measurements(&self, what: &str, name: &str) -> String {
        format!("the {what} `{name}` needs a run of Tare, with what each visit measured; this is {}", self.phrase)
    }
}

pub struct Picture {
    /// What it shows: `times as bars`.
    pub title: &'static str,
    pub charts: Vec<Chart>,
    /// Why there are none: `nothing to draw: ...`; None: as of every picture.
    pub why: Option<&'static str>,
}

pub trait Subject {
    fn kind(&self) -> &'static SubjectKind;

    fn name(&self) -> &'static str {
        self.kind().name
    }

    fn title(&self) -> String;

    /// What is said of it, and in which order, for a form that people read.
    fn document(&self, shown: &Presentation, medium: &Medium) -> Document;

    /// Everything that is known of it with its charts, for a page that draws.
    fn page(&self, shown: &Presentation) -> Document {
        self.document(shown, &Medium::page(Volume::Verbose, Glyphs::Unicode))
    }

    /// Its plain values, for templates and the forms of other tools; what a run has is there already.
    fn values<'a>(&'a self, values: &mut Values<'a>);

    /// It with every digit, for programs.
    fn json(&self, shown: &Presentation) -> String;

    /// The same as a table.
    fn csv(&self) -> String;

    /// What stands below the title of its pictures.
    fn about(&self) -> String {
        String::new()
    }

    fn dots(&self) -> Picture;

    fn bars(&self, _panels: &[Panel]) -> Vec<Chart> {
        Vec::new()
    }

    /// What its pictures of single measurements show beside each other.
    fn panels<'a>(&'a self, _source: &Source<'a>) -> Vec<Panel<'a>> {
        Vec::new()
    }

    fn judge(&self, gate: &Gate, fits: Fits) -> Judgement;

    /// What to do where a gate could not decide.
    fn what_decides(&self) -> &'static str;

    /// The run with its measurements and its report.
    fn measured(&self) -> Option<(&Run, &Report)> {
        None
    }

    /// Whether a form that people read lists the files of the run, and what profiles say.
    fn lists_files(&self, medium: &Medium) -> bool {
        !medium.is_quiet()
    }

    /// The comparison that must have a row.
    fn comparison(&self) -> Option<&Comparison> {
        None
    }
}
