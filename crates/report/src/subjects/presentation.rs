//! How a subject is shown.

use super::Subject;
use crate::forms::document::{Document, Kept, Medium, View, Volume};
use crate::parts::attachments::{Attached, Files};
use crate::parts::profile;
use crate::words::text::Glyphs;
use tare_analysis::gate::Judgement;

/// A subject with how it is shown and what the gate says of it: what an exporter renders.
pub struct Presentation<'a> {
    pub subject: Box<dyn Subject + 'a>,
    /// Characters, columns and volume, for the forms that have them.
    pub view: View,
    /// How many rows with the largest changes are shown for each verdict; None: all.
    pub top: Option<usize>,
    pub has_history: bool,
    /// Characters of Markdown at most; None: as many as it takes.
    pub md_limit: Option<usize>,
    pub judgement: Option<Judgement>,
    /// The files that belong to the run, as they were found.
    pub attached: Attached,
}

impl Presentation<'_> {
    pub fn document(&self, medium: &Medium) -> Document {
        let mut document = self.subject.document(self, medium);
        if self.subject.lists_files(medium) {
            self.add_files(&mut document, medium, false);
        }
        document
    }

    /// Everything that is known of it with its charts, for a page that draws.
    pub(crate) fn page(&self) -> Document {
        let mut document = self.subject.page(self);
        self.add_files(&mut document, &Medium::page(Volume::Verbose, Glyphs::Unicode), true);
        document
    }

    fn add_files(&self, document: &mut Document, medium: &Medium, draws: bool) {
        if let Some((_, report)) = self.subject.measured() {
            profile::add_to(document, report, &self.attached, medium, draws);
            Files { report, attached: &self.attached }.add_to(document, medium, draws);
        }
    }

    pub(crate) fn kept(&self) -> Kept {
        Kept { in_store: self.view.saved, in_history: self.has_history }
    }
}
