//! What can go wrong with a history.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file is not what Tare wrote.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Another version of Tare made its tables.
    #[error("`{place}` has schema {found}, this `tare` reads {known}")]
    OtherSchema { place: String, found: i64, known: i64 },
    /// What stands there may lead elsewhere.
    #[error("`{}` is ignored: {reason}", path.display())]
    NotTrusted { path: PathBuf, reason: &'static str },
    /// Another process writes it for longer than anybody waits.
    #[error("`{place}` is being written by another process")]
    Busy { place: String },
    /// The system refuses.
    #[error("cannot open `{}`", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The address is for a `tare` that was built with the feature `postgres`.
    #[error("`url` in the section `[history]` names a database, and this `tare` was built without PostgreSQL")]
    WithoutPostgres,
    /// The address of a database cannot be used. What stands in it is not repeated: it may hold a password.
    #[error("the address of the history cannot be used: {reason}")]
    Address { reason: String },
    #[error("cannot reach `{place}`: {reason}")]
    Unreachable { place: String, reason: String },
    /// The database knows no such role, password, database or certificate.
    #[error("`{place}` refuses the connection: {reason}")]
    Refused { place: String, reason: String },
    #[error("`{place}` does not allow this: {reason}")]
    NotAllowed { place: String, reason: String },
    /// Anything else that the database says: disk full, no permission.
    #[error("cannot use `{place}`: {reason}")]
    Other { place: String, reason: String },
}

impl HistoryError {
    /// The file cannot be used, and one that is built again can.
    pub fn is_damage(&self) -> bool {
        match self {
            HistoryError::Damaged { .. } => true,
            HistoryError::OtherSchema { found, known, .. } => found < known,
            _ => false,
        }
    }
}
