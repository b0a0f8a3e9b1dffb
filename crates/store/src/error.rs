//! Errors of the store, with the facts needed to fix them.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No run has this id, number or path.
    #[error("no run `{asked}` in `{}`", runs.display())]
    NotFound { asked: String, runs: PathBuf, known: Vec<String> },
    /// Several ids start with this.
    #[error("`{asked}` is the start of {} run ids", candidates.len())]
    Ambiguous { asked: String, candidates: Vec<String> },
    /// Neither an id, nor `latest~N`, nor a path.
    #[error("`{asked}` is not an id, `latest`, `latest~N` or a path to a run")]
    BadReference { asked: String },
    /// A run with this id exists already.
    #[error("run `{id}` already exists")]
    IdTaken { id: String },
    #[error("run `{id}` is being written by process {pid}")]
    Locked { id: String, pid: u32 },
    /// The run has finished and cannot be resumed.
    #[error("run `{id}` is finished: there is nothing to resume")]
    AlreadyFinished { id: String },
    /// The folder may belong to another user or lead elsewhere, so it is neither read nor written.
    #[error("`{}` cannot be used: {reason}", path.display())]
    NotTrusted { path: PathBuf, reason: String },
    /// The file or folder is not a run.
    #[error("`{}` is not a run of Tare", path.display())]
    NotARun { path: PathBuf },
    #[error("`{}` is damaged{}: {reason}", path.display(), place(*line))]
    Damaged {
        path: PathBuf,
        /// Line from 1, if known.
        line: Option<usize>,
        reason: String,
    },
    #[error("`{}` has schema {found}, this `tare` reads {known}", path.display())]
    OtherSchema { path: PathBuf, found: String, known: &'static str, is_newer: bool },
    #[error("cannot read `{}`", path.display())]
    CannotRead { path: PathBuf, source: io::Error },
    /// A file could not be written: disk full, no permission.
    #[error("cannot write `{}`", path.display())]
    CannotWrite {
        path: PathBuf,
        /// Content that is safely stored; may be empty.
        safe: String,
        source: io::Error,
    },
}

fn place(line: Option<usize>) -> String {
    line.map(|n| format!(" in line {n}")).unwrap_or_default()
}

impl StoreError {
    pub(crate) fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::CannotRead { path, source }
    }

    pub(crate) fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::CannotWrite { path, safe: String::new(), source }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>, line: Option<usize>, reason: impl ToString) -> StoreError {
        StoreError::Damaged { path: path.into(), line, reason: reason.to_string() }
    }

    /// Invalid JSON on this line of the file. The parser's message ends with its own line, always 1 when lines are parsed one by one. I/O
    /// errors have no location.
    pub(crate) fn damaged_json(path: impl Into<PathBuf>, line: usize, error: &serde_json::Error) -> StoreError {
        if error.is_io() {
            return StoreError::damaged(path, None, error);
        }
        let (text, column) = (error.to_string(), error.column());
        let said = text.rsplit_once(" at line ").map_or(text.as_str(), |(said, _)| said);
        let reason = match (error.is_eof(), column) {
            (true, _) => format!("it is cut off at column {column}"),
            // A value that was buffered before parsing has no location.
            (false, 0) => said.to_owned(),
            (false, _) => format!("{said}, at column {column}"),
        };
        StoreError::damaged(path, Some(line), reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_damaged_in_no_line() {
        let error = serde_json::from_reader::<_, u32>(Broken).expect_err("no text");
        let said = StoreError::damaged_json("run.json", error.line(), &error).to_string();
        assert_eq!(said, "`run.json` is damaged: the disk is gone");
    }

    #[test]
    fn a_value_without_a_place_is_told_without_a_column() {
        let error = serde_json::from_value::<u32>(serde_json::Value::Null).expect_err("null");
        let said = StoreError::damaged_json("events.jsonl", 9, &error).to_string();
        assert_eq!(said, "`events.jsonl` is damaged in line 9: invalid type: null, expected u32");
    }
}
