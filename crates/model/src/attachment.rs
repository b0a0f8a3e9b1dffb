//! Attachments: files of a case, a launch or a side with findings beyond numbers.

use crate::{Run, Side};
use serde::{Deserialize, Serialize};

/// What an attachment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// A case, by its index.
    Case(u32),
    /// A launch, by its number.
    Launch(u32),
    /// A side of a comparison.
    Side(Side),
}

/// Who made the content of an attachment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Maker {
    /// Tare itself.
    Tare,
    /// A program of the user's.
    #[default]
    Program,
}

/// A file that belongs to a part of the run. Its bytes are in the folder of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attachment {
    /// What it belongs to.
    pub of: Owner,
    /// The part of the run in which it was made: index into [`Run::parts`].
    pub part: u32,
    /// The diagnoser that made it.
    pub diagnoser: String,
    /// The name that its maker gives it: `calls.txt`.
    pub name: String,
    /// What it shows, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Its media type, such as `text/plain`.
    pub media_type: String,
    /// Who made the content.
    #[serde(default)]
    pub maker: Maker,
    /// Its size, bytes.
    pub bytes: u64,
    /// BLAKE3 of the content, hexadecimal.
    pub hash: String,
    /// Why the content was not kept. The rest of the run is as it would be without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

impl Attachment {
    pub const FOLDER: &'static str = "attachments";
    /// Largest size of an attachment, in bytes.
    pub const BYTES_MAX: u64 = 16 << 20;
    /// A run with more is rejected.
    pub const COUNT_MAX: usize = 100_000;

    /// Its file name in [`Attachment::FOLDER`], safe whatever the document contains. None: it has no hash.
    pub fn file(&self) -> Option<String> {
        /// Digits of the hash, enough to distinguish the files of a run.
        const DIGITS: usize = 16;
        const NAME_MAX: usize = 60;
        let is_hash = self.hash.len() == 64 && self.hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let name: String = self.name.chars().map(plain).collect();
        let name = &name[name.len().saturating_sub(NAME_MAX)..];
        is_hash.then(|| format!("{}-{name}", &self.hash[..DIGITS]))
    }

    pub fn path(&self) -> Option<String> {
        self.file().map(|file| format!("{}/{file}", Attachment::FOLDER))
    }

    pub(crate) fn is_replaced_by(&self, newer: &Attachment) -> bool {
        (self.of, self.part) == (newer.of, newer.part) && self.diagnoser == newer.diagnoser && self.name == newer.name
    }
}

impl Run {
    pub(crate) fn has_owner(&self, attachment: &Attachment) -> bool {
        let exists = match attachment.of {
            Owner::Case(case) => (case as usize) < self.plan.cases.len(),
            Owner::Launch(launch) => (launch as usize) < self.launches.len(),
            Owner::Side(_) => self.sides.is_some(),
        };
        exists && (attachment.part as usize) < self.parts.len()
    }

    /// Drops attachments whose owner does not exist, as after damage.
    pub fn leave_out_strangers(&mut self) {
        let mut all = std::mem::take(&mut self.attachments);
        all.truncate(Attachment::COUNT_MAX);
        all.retain(|attachment| self.has_owner(attachment));
        self.attachments = all;
    }
}
