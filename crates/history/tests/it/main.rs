//! Histories in a file and in a PostgreSQL database started by the tests.

#[cfg(feature = "postgres")]
mod database;
mod file;
mod made;
#[cfg(feature = "postgres")]
mod postgres;
