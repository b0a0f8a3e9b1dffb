//! What can go wrong with a history.

use rusqlite::ErrorCode;
use std::io;
use std::path::{Path, PathBuf};

/// Why the history could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file is not what Tare wrote.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file was written by a newer Tare.
    #[error("`{}` has schema {found}, this `tare` reads {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// What this program reads.
        known: i64,
    },
    /// What stands there may lead elsewhere.
    #[error("`{}` is ignored: {reason}", path.display())]
    NotTrusted {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// Another process writes it for longer than anybody waits.
    #[error("`{}` is being written by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot open `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Anything else that SQLite says: disk full, no permission.
    #[error("cannot use `{}`: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
}

impl HistoryError {
    /// An error of SQLite about this file.
    pub(crate) fn of(path: &Path) -> impl Fn(rusqlite::Error) -> HistoryError + '_ {
        move |error| {
            let path = path.to_owned();
            match &error {
                rusqlite::Error::SqliteFailure(cause, _) => match cause.code {
                    ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                        HistoryError::Damaged { path, reason: error.to_string() }
                    }
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => HistoryError::Busy { path },
                    _ => HistoryError::Other { path, reason: error.to_string() },
                },
                // A column that is not there or holds something else: another program wrote it.
                _ => HistoryError::Damaged { path, reason: error.to_string() },
            }
        }
    }

    /// The file cannot be used, and one that is built again can.
    pub fn is_damage(&self) -> bool {
        matches!(self, HistoryError::Damaged { .. })
    }
}
