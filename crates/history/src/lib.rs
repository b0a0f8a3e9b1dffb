//! The history of a project: the result of each case of each run, in an SQLite file, `.tare/history.db`, or in a PostgreSQL database shared
//! by a team.
//!
//! It is only an index: every value was computed from a run folder, a run never fails because its history cannot be written, and
//! `tare history rebuild` recreates it. `docs/decisions/0023-history.md` explains the choice of SQLite, and of PostgreSQL beside it.
#![forbid(unsafe_code)]

mod append;
mod engine;
mod error;
mod marks;
mod names;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(not(feature = "postgres"))]
#[path = "without_postgres.rs"]
mod postgres;
mod prune;
mod query;
mod schema;
mod sqlite;

pub use error::HistoryError;
pub use marks::Renamed;
pub use postgres::Address;
pub use prune::Keep;
pub use query::{Case, Machine, Range};
pub use sqlite::{set_aside, SCHEMA_VERSION};

use engine::Engine;
use sqlite::Sqlite;
use std::fs;
use std::io;
use std::path::Path;

#[derive(Debug)]
pub struct HistoryDb {
    engine: Box<dyn Engine>,
}

impl HistoryDb {
    /// Opens a history file, or creates it, private to this user.
    pub fn open(path: &Path) -> Result<HistoryDb, HistoryError> {
        Ok(HistoryDb { engine: Box::new(Sqlite::open(path)?) })
    }

    /// Opens an existing history file; None if there is none.
    pub fn open_existing(path: &Path) -> Result<Option<HistoryDb>, HistoryError> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(HistoryError::Io { path: path.to_owned(), source }),
            Ok(_) => HistoryDb::open(path).map(Some),
        }
    }

    /// Opens a shared history, or creates it.
    pub fn connect(address: &Address) -> Result<HistoryDb, HistoryError> {
        Ok(HistoryDb { engine: Box::new(postgres::Postgres::open(address)?) })
    }

    /// Opens a shared history for reading; a read-only role is enough. None if it does not exist.
    pub fn connect_existing(address: &Address) -> Result<Option<HistoryDb>, HistoryError> {
        Ok(postgres::Postgres::open_existing(address)?.map(|engine| HistoryDb { engine: Box::new(engine) }))
    }

    pub fn check(&mut self) -> Result<(), HistoryError> {
        self.engine.check()
    }
}
