//! A run's files: listed in every form for people, with the content of small and safe ones on pages.

use crate::elements::document::{Document, Entry, List, Medium};
use crate::parts::machine_code;
use crate::parts::profile::is_profile;
use crate::words::again::show;
use crate::words::label::{alike, short, Naming};
use crate::words::number::bytes;
use crate::words::text::clean;
use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{AttachmentReport, Report, Severity};
use tare_model::{Maker, Owner};

/// Larger files are not shown on a page, in bytes.
const SHOWN_BYTES_MAX: u64 = 64 << 10;
/// Nor are files after this many bytes in total.
const PAGE_BYTES_MAX: usize = 4 << 20;

#[derive(Debug, Clone, Default)]
pub struct Attached {
    pub folder: Option<String>,
    /// By [`tare_model::Attachment::path`]: the content if a page shows it, None for other existing files, or what is wrong.
    pub contents: BTreeMap<String, Result<Option<Vec<u8>>, String>>,
}

/// Whether any form needs the content of this file.
pub fn is_read(attachment: &tare_model::Attachment) -> bool {
    is_shown(attachment) || is_profile(attachment) || machine_code::is_machine_code(attachment)
}

/// Whether a page shows the content of this file: plain text, and pictures drawn by Tare.
pub fn is_shown(attachment: &tare_model::Attachment) -> bool {
    attachment.lost.is_none() && attachment.bytes <= SHOWN_BYTES_MAX && (is_text(attachment) || is_picture(attachment))
}

fn is_text(attachment: &tare_model::Attachment) -> bool {
    attachment.media_type.split(';').next().map(str::trim) == Some("text/plain")
}

fn is_picture(attachment: &tare_model::Attachment) -> bool {
    attachment.media_type == "image/svg+xml" && attachment.maker == Maker::Tare
}

pub(crate) struct Files<'a> {
    pub report: &'a Report,
    pub attached: &'a Attached,
}

impl Files<'_> {
    pub(crate) fn add_to(&self, document: &mut Document, medium: &Medium, draws: bool) {
        let naming = Naming::of(self.report);
        let all = &self.report.attachments;
        let lost = alike(all.iter().filter_map(|one| one.attachment.lost.as_ref()), |reason| *reason);
        let kept = all.iter().filter(|one| one.attachment.lost.is_none()).map(|one| self.entry(one, naming));
        let entries: Vec<Entry> = lost.into_iter().map(|of| not_stored(of.len(), of[0])).chain(kept).collect();
        let count = Some(all.len());
        let list = List::of("attachments", count, entries, medium.most(), show(&self.report.run, "-v"));
        let mut parts = Document::default();
        parts.add([list]);
        let mut room = PAGE_BYTES_MAX;
        let listed = if draws { machine_code::add_to(&mut parts, self.report, self.attached) } else { BTreeSet::new() };
        // The text would add nothing to the listing.
        let is_listed = |one: &AttachmentReport| {
            one.case.is_some_and(|case| listed.contains(&(case, one.attachment.diagnoser.clone())))
        };
        let shown_here = self.report.attachments.iter().filter(|one| draws && is_shown(&one.attachment));
        for one in shown_here.filter(|one| !is_listed(one)) {
            let Some(content) = self.content(one).filter(|content| content.len() <= room) else { continue };
            let Some(entry) = shown(one, content) else { continue };
            room -= content.len();
            let title = format!("{}: {}", self.owner(one, naming), clean(&one.attachment.name));
            parts.fold(title, [List::whole("content", vec![entry])]);
        }
        document.before_closing(parts);
    }

    fn content(&self, one: &AttachmentReport) -> Option<&[u8]> {
        self.attached.contents.get(one.path.as_ref()?)?.as_ref().ok()?.as_deref()
    }

    fn owner(&self, one: &AttachmentReport, naming: Naming) -> String {
        let case = || {
            let at = one.case.unwrap_or_default();
            let case = self.report.cases.get(at as usize).filter(|case| !case.side.is_empty());
            let side = case.map(|case| format!(" of {}", clean(&case.side))).unwrap_or_default();
            short(&naming.label(self.report, at)) + &side
        };
        match one.attachment.of {
            Owner::Case(_) => case(),
            Owner::Launch(launch) => format!("launch {launch} of {}", case()),
            Owner::Side(side) => format!("the {} side", side.name()),
        }
    }

    fn entry(&self, one: &AttachmentReport, naming: Naming) -> Entry {
        let attachment = &one.attachment;
        let name = clean(&attachment.name);
        let title = if attachment.title.is_empty() { String::new() } else { format!("{}; ", clean(&attachment.title)) };
        let what = format!("`{name}` ({title}{}, {})", clean(&attachment.media_type), bytes(attachment.bytes as f64));
        let wrong = match &one.path {
            None => Some("the run does not say which file it is".to_owned()),
            Some(path) => self.attached.contents.get(path).and_then(|found| found.clone().err()),
        };
        let place = self.attached.folder.as_ref().zip(one.path.as_ref());
        let text = match (&wrong, place) {
            (Some(wrong), _) => format!("{what} cannot be shown: {}", clean(wrong)),
            (None, Some((folder, path))) => format!("{what}: `{}`", clean(&format!("{folder}/{path}"))),
            (None, None) => what,
        };
        Entry {
            severity: wrong.map(|_| Severity::Warning),
            about: format!("`{}`", self.owner(one, naming)),
            text,
            ..Entry::default()
        }
    }
}

fn not_stored(count: usize, reason: &str) -> Entry {
    let what = if count == 1 { "it was".to_owned() } else { format!("{count} were") };
    Entry {
        severity: Some(Severity::Warning),
        text: format!("{what} not stored: {}", clean(reason)),
        ..Entry::default()
    }
}

/// The content of a file on a page. Binary data is not shown.
fn shown(one: &AttachmentReport, content: &[u8]) -> Option<Entry> {
    let title = if one.attachment.title.is_empty() { &one.attachment.name } else { &one.attachment.title };
    let entry = Entry::text(clean(title));
    if is_picture(&one.attachment) {
        return Some(Entry { picture: Some(content.to_vec()), ..entry });
    }
    let text = std::str::from_utf8(content).ok()?;
    Some(Entry { output: text.lines().map(str::to_owned).collect(), ..entry })
}
