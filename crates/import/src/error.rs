//! What is wrong with a file, where, and what to do about it.

use crate::formats::{known, Format};
use std::fmt;
use tare_model::text::shell_word;

/// Line and column in a text, both from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPlace {
    pub line: usize,
    pub column: usize,
}

impl TextPlace {
    /// The place of a byte in a text.
    pub(crate) fn of(text: &str, offset: usize) -> TextPlace {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        TextPlace { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("`{file}` {problem}")]
pub struct ImportError {
    pub file: String,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error("is empty")]
    Empty,
    /// Too large. Readers stop at the limit, so its size is unknown.
    #[error("is larger than {} MiB", crate::BYTES_MAX >> 20)]
    TooLarge,
    /// Gzip: the whole file is unpacked before it is read.
    #[error("is a gzip file that is damaged or cut off")]
    Damaged,
    /// Neither UTF-8 nor UTF-16.
    #[error("is not text: byte {offset} is not UTF-8")]
    NotText { offset: usize },
    #[error("is compressed ({form})")]
    Compressed { form: &'static str, command: &'static str },
    #[error("is not a known result format: {found}")]
    Unknown {
        /// What it looks like.
        found: String,
    },
    #[error("is {form}")]
    Unsupported { form: &'static str, instead: &'static str },
    #[error("is broken at {place}: {what}")]
    Syntax {
        place: TextPlace,
        what: String,
        /// The tool that wrote it, as far as it is known.
        tool: &'static str,
    },
    #[error("is cut off: the JSON ends at {place}, inside the value that begins at {begin}")]
    CutOff { place: TextPlace, begin: TextPlace },
    #[error("is nested deeper than {} levels at {place}", crate::DEPTH_MAX)]
    TooDeep { place: TextPlace },
    #[error("has more than {limit} {what}")]
    TooMany {
        /// The kind of values.
        what: &'static str,
        limit: usize,
    },
    #[error("is an incomplete result of {tool}: `{path}` has no `{field}` ({place})")]
    Missing {
        tool: &'static str,
        path: String,
        /// The missing field.
        field: &'static str,
        place: TextPlace,
    },
    /// A field has another type than the form requires.
    #[error("is not a result of {tool}: `{path}` is {found}, not {expected} ({place})")]
    WrongType { tool: &'static str, path: String, expected: &'static str, found: String, place: TextPlace },
    #[error("is not a run that this version of tare can read: {reason}")]
    BadRun { reason: String },
    #[error("is a result of {tool} without benchmarks")]
    NoBenchmarks { tool: &'static str },
    #[error("is a folder without results: {found}")]
    NothingInFolder { found: String },
}

impl ImportError {
    /// The error of a file below this folder.
    pub(crate) fn below(self, folder: &str) -> ImportError {
        ImportError { file: format!("{}/{}", folder.trim_end_matches('/'), self.file), ..self }
    }

    /// Whether it is not the result of a benchmark tool, or not one that can be read by itself.
    pub fn is_unknown(&self) -> bool {
        use Problem::{Compressed, NotText, Unknown, Unsupported};
        matches!(self.problem, Unknown { .. } | Unsupported { .. } | NotText { .. } | Compressed { .. })
    }

    pub fn hint(&self) -> String {
        match &self.problem {
            Problem::Empty => "measure again: the tool wrote nothing, perhaps because it failed".to_owned(),
            Problem::TooLarge => "leave out single samples when saving, or split the file".to_owned(),
            Problem::NotText { .. } => format!("use one of these formats: {}", known()),
            Problem::Damaged => "fetch or write it again: `gzip -t FILE` tests it".to_owned(),
            Problem::Compressed { command, .. } => format!("unpack it first: `{command} {}`", shell_word(&self.file)),
            Problem::Unknown { .. } | Problem::NothingInFolder { .. } => format!("supported formats: {}", known()),
            Problem::Unsupported { instead, .. } => (*instead).to_owned(),
            Problem::WrongType { found: said, .. } | Problem::Syntax { what: said, .. } if is_localised(said) => {
                "run the program with `LC_ALL=C`: its numbers have another locale's format, and are ambiguous"
                    .to_owned()
            }
            Problem::Syntax { tool, .. } => {
                let broken = Format::of_tool(tool).and_then(|format| format.broken);
                broken.unwrap_or("write the file again: it contains other output").to_owned()
            }
            Problem::CutOff { .. } => {
                "measure again and let the tool finish: the file is incomplete".to_owned()
            }
            Problem::TooDeep { .. } => "use the result file of a benchmark tool: `tare help compare`".to_owned(),
            Problem::TooMany { .. } => "choose fewer benchmarks, or fewer values for each".to_owned(),
            Problem::Missing { .. } | Problem::WrongType { .. } => {
                "write the file again with an unmodified tool; if it is complete, this version of the format is not supported"
                    .to_owned()
            }
            Problem::BadRun { .. } => "use a `tare` of the version that wrote it, or measure again".to_owned(),
            Problem::NoBenchmarks { tool } => {
                let empty = Format::of_tool(tool).and_then(|format| format.empty);
                empty.unwrap_or("check the filter of the measurement").to_owned()
            }
        }
    }
}

/// Whether a message ends with a number that contains a comma or several points.
fn is_localised(said: &str) -> bool {
    let number = said.trim_end_matches(['"', '`']).rsplit(['"', '`']).next().unwrap_or_default();
    (number.contains(',') || number.matches('.').count() > 1)
        && number.chars().all(|c| c.is_ascii_digit() || "+-.,e".contains(c))
}
