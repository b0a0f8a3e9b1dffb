//! Replaces `postgres` if the feature is off. No address can be created, so nothing else is ever called.

use crate::sqlite::Sqlite;
use crate::HistoryError;

#[derive(Debug, Clone)]
pub enum Address {}

impl Address {
    pub fn parse(_url: &str) -> Result<Address, HistoryError> {
        Err(HistoryError::WithoutPostgres)
    }

    pub fn place(&self) -> &str {
        match *self {}
    }
}

pub(crate) struct Postgres;

impl Postgres {
    pub(crate) fn open(address: &Address) -> Result<Sqlite, HistoryError> {
        match *address {}
    }

    pub(crate) fn open_existing(address: &Address) -> Result<Option<Sqlite>, HistoryError> {
        match *address {}
    }
}
