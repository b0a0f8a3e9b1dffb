//! Histories: in a file, and in a database of PostgreSQL that the tests start.

#[cfg(feature = "postgres")]
mod database;
mod file;
mod made;
#[cfg(feature = "postgres")]
mod postgres;
