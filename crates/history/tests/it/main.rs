//! Histories: in a file, and in a database of PostgreSQL that the tests start.

#[cfg(unix)]
mod database;
mod file;
mod made;
#[cfg(unix)]
mod postgres;
