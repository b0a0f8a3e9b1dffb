//! Histories: in a file, and in a database of PostgreSQL that the tests start.

mod database;
mod file;
mod made;
mod postgres;
