//! The history of a project: what each case of each run came to, in one SQLite file, `.tare/history.db`.
//!
//! It is an index and never the truth: every value in it was computed from a run folder, a run is never refused because its history
//! cannot be written, and `tare history rebuild` makes it again. `docs/decisions/0023-history.md` says why it is SQLite.
#![forbid(unsafe_code)]

mod append;
mod error;
mod prune;
mod query;
mod schema;

pub use error::HistoryError;
pub use prune::Keep;
pub use query::{Case, Machine, Range};
pub use schema::{set_aside, HistoryFile, SCHEMA_VERSION};
