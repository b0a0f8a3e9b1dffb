use super::Subject;
use crate::elements::document::{Document, Kept, Medium, View, Volume};
use crate::parts::attachments::{Attached, Files};
use crate::parts::profile;
use crate::words::text::Glyphs;
use tare_analysis::gate::Judgement;

/// A subject with its view and the gate's result: the input of exporters.
pub struct Presentation<'a> {
    pub subject: Box<dyn Subject + 'a>,
    /// Characters, columns and volume, for forms that use them.
    pub view: View,
    /// The number of rows with the largest changes per verdict; None: all.
    pub top: Option<usize>,
    pub has_history: bool,
    /// Most characters of Markdown; None: no limit.
    pub md_limit: Option<usize>,
    pub judgement: Option<Judgement>,
    /// The files that belong to the run, as found.
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

    /// All details with charts, for a page with drawings.
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
