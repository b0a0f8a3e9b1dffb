//! How much of a result is shown, to whom, and in which characters.

use crate::Glyphs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volume {
    Quiet,
    /// About a line a case.
    Default,
    /// Stages, launches, the full statistics of each case with its histogram.
    Verbose,
}

/// How a result is looked at on a terminal. The same result and the same view give the same screen, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub columns: usize,
    pub glyphs: Glyphs,
    pub volume: Volume,
    /// The run is in the store, so that a command can name it.
    pub saved: bool,
}

/// Where a run is kept, so that commands can name it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub in_store: bool,
    pub in_history: bool,
}

const PAGE_COLUMNS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Medium {
    pub volume: Volume,
    /// A page is passed on to people who did not run the command: it says what the gate says, folds what few need instead of leaving
    /// it out, and has no next command. A screen is for the one who ran it.
    pub is_page: bool,
    pub glyphs: Glyphs,
    /// The run is in the store, so that a command can name it.
    pub saved: bool,
    pub columns: usize,
}

impl Medium {
    pub fn screen(view: &View) -> Medium {
        Medium { volume: view.volume, is_page: false, glyphs: view.glyphs, saved: view.saved, columns: view.columns }
    }

    /// In a file that is passed on. With [`Volume::Verbose`] all that is known is in it, the statistics of each case folded.
    pub fn page(volume: Volume, glyphs: Glyphs) -> Medium {
        Medium { volume, is_page: true, glyphs, saved: false, columns: PAGE_COLUMNS }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.volume == Volume::Verbose
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet && !self.is_page
    }

    /// How many of a kind are shown: all on a page and with `-v`.
    pub(crate) fn most(&self) -> usize {
        const SHOWN_MAX: usize = 5;
        if self.is_page || self.is_verbose() {
            usize::MAX
        } else {
            SHOWN_MAX
        }
    }
}
