//! The history of a project: what each case of each run came to, in an SQLite file, `.tare/history.db`, or in a PostgreSQL database that
//! a team shares.
//!
//! It is an index and never the truth: every value in it was computed from a run folder, a run is never refused because its history
//! cannot be written, and `tare history rebuild` makes it again. `docs/decisions/0023-history.md` says why it is SQLite, and why PostgreSQL is beside it.
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
    /// Opens the history of a file; one that is not there is made, closed to other users.
    pub fn open(path: &Path) -> Result<HistoryDb, HistoryError> {
        Ok(HistoryDb { engine: Box::new(Sqlite::open(path)?) })
    }

    /// Opens the history of a file that is there; None where there is none.
    pub fn open_existing(path: &Path) -> Result<Option<HistoryDb>, HistoryError> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(HistoryError::Io { path: path.to_owned(), source }),
            Ok(_) => HistoryDb::open(path).map(Some),
        }
    }

    /// Opens a history that a team shares; where there is none, it is made.
    pub fn connect(address: &Address) -> Result<HistoryDb, HistoryError> {
        Ok(HistoryDb { engine: Box::new(postgres::Postgres::open(address)?) })
    }

    /// Opens a history that a team shares, to read it: a role that may do no more will do. None where there is none.
    pub fn connect_existing(address: &Address) -> Result<Option<HistoryDb>, HistoryError> {
        Ok(postgres::Postgres::open_existing(address)?.map(|engine| HistoryDb { engine: Box::new(engine) }))
    }

    pub fn check(&mut self) -> Result<(), HistoryError> {
        self.engine.check()
    }
}
