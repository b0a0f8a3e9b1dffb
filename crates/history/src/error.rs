use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file is corrupt.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Another version of Tare created the tables.
    #[error("`{place}` has schema {found}, this `tare` reads {known}")]
    OtherSchema { place: String, found: i64, known: i64 },
    /// The path may lead elsewhere.
    #[error("`{}` is ignored: {reason}", path.display())]
    NotTrusted { path: PathBuf, reason: &'static str },
    /// Another process has been writing for longer than the time limit.
    #[error("`{place}` is being written by another process")]
    Busy { place: String },
    #[error("cannot open `{}`", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The address needs a `tare` built with the feature `postgres`.
    #[error("`url` in the section `[history]` names a database, and this `tare` was built without PostgreSQL")]
    WithoutPostgres,
    /// The address is unusable. It is not repeated, as it may contain a password.
    #[error("the address of the history cannot be used: {reason}")]
    Address { reason: String },
    #[error("cannot reach `{place}`: {reason}")]
    Unreachable { place: String, reason: String },
    /// The database rejects the role, password, database or certificate.
    #[error("`{place}` refuses the connection: {reason}")]
    Refused { place: String, reason: String },
    #[error("`{place}` does not allow this: {reason}")]
    NotAllowed { place: String, reason: String },
    /// Any other error of the database: disk full, no permission.
    #[error("cannot use `{place}`: {reason}")]
    Other { place: String, reason: String },
}

impl HistoryError {
    /// The file is unusable, but can be rebuilt.
    pub fn is_damage(&self) -> bool {
        match self {
            HistoryError::Damaged { .. } => true,
            HistoryError::OtherSchema { found, known, .. } => found < known,
            _ => false,
        }
    }
}
