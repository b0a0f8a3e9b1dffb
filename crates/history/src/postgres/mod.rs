//! PostgreSQL: a history shared by a team. Writers are serialised by a transaction lock, like those of a file, so that none sees a partial
//! addition and no two add the same name.

mod address;
mod errors;
mod tls;
mod value;

pub use address::Address;

use crate::engine::{Access, Engine, Odd, Row, Value};
use crate::schema::tables;
use crate::HistoryError;
use errors::fail;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, NoTls};

/// The lock of writers: `TAREHIST`.
const LOCK: i64 = 0x5441_5245_4849_5354;

/// For writing transactions: a hanging writer must not block the others for ever.
const PATIENCE: &str =
    "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '60s'; SET LOCAL idle_in_transaction_session_timeout = '60s'";

const VERSION: i64 = 2;

pub(crate) struct Postgres {
    client: Client,
    place: String,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Postgres").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Connects, and creates missing tables.
    pub(crate) fn open(address: &Address) -> Result<Postgres, HistoryError> {
        let mut database = Postgres::connect(address)?;
        if database.version()?.is_none() {
            database.begin(Access::Write)?;
            let made = database.make_tables();
            database.end(made.is_ok())?;
            made?;
        }
        database.enter()
    }

    /// Connects for reading; None if there are no tables.
    pub(crate) fn open_existing(address: &Address) -> Result<Option<Postgres>, HistoryError> {
        let mut database = Postgres::connect(address)?;
        match database.version()? {
            None => Ok(None),
            Some(_) => database.enter().map(Some),
        }
    }

    fn connect(address: &Address) -> Result<Postgres, HistoryError> {
        let place = address.place().to_owned();
        let config = address.config()?;
        let connected = match address.tls()? {
            None => config.connect(NoTls),
            Some(tls) => config.connect(tls),
        };
        Ok(Postgres { client: connected.map_err(|error| errors::connecting(&place, &error))?, place })
    }

    /// Sets the schema for unqualified names; refuses tables of another version.
    fn enter(mut self) -> Result<Postgres, HistoryError> {
        match self.version()? {
            Some(VERSION) => {
                self.client.batch_execute("SET search_path TO tare").map_err(fail(&self.place))?;
                Ok(self)
            }
            found => {
                Err(HistoryError::OtherSchema { place: self.place, found: found.unwrap_or_default(), known: VERSION })
            }
        }
    }

    fn version(&mut self) -> Result<Option<i64>, HistoryError> {
        let of = fail(&self.place);
        let there = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'tare' AND tablename = 'version'";
        if self.client.query_opt(there, &[]).map_err(&of)?.is_none() {
            return Ok(None);
        }
        let row = self.client.query_opt("SELECT number FROM tare.version", &[]).map_err(&of)?;
        Ok(row.map(|row| row.get(0)))
    }

    fn make_tables(&mut self) -> Result<(), HistoryError> {
        // Another process may have created them; now the lock is held.
        if self.version()?.is_some() {
            return Ok(());
        }
        let of = fail(&self.place);
        // A role that cannot create a schema may have been given one.
        let there = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'tare'";
        if self.client.query_opt(there, &[]).map_err(&of)?.is_none() {
            self.client.batch_execute("CREATE SCHEMA tare").map_err(&of)?;
        }
        let version = format!("CREATE TABLE version (number BIGINT NOT NULL); INSERT INTO version VALUES ({VERSION});");
        // A B-tree index cannot hold long texts.
        let tables = tables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "USING hash");
        self.client.batch_execute(&format!("SET LOCAL search_path TO tare; {version} {tables}")).map_err(&of)
    }
}

impl Engine for Postgres {
    fn query(
        &mut self,
        sql: &str,
        with: &[Value],
        row: &mut dyn FnMut(&mut Row) -> Result<(), Odd>,
    ) -> Result<(), HistoryError> {
        let of = fail(&self.place);
        let with = with.iter().map(|value| value as &dyn ToSql);
        let mut rows = self.client.query_raw(&sql.replace('?', "$"), with).map_err(&of)?;
        let mut taken = Row(Vec::new());
        while let Some(found) = rows.next().map_err(&of)? {
            taken.0.clear();
            for column in 0..found.len() {
                taken.0.push(found.try_get(column).map_err(&of)?);
            }
            row(&mut taken)
                .map_err(|odd| HistoryError::Other { place: self.place.clone(), reason: odd.to_string() })?;
        }
        Ok(())
    }

    fn begin(&mut self, access: Access) -> Result<(), HistoryError> {
        let begin = match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".to_owned(),
            Access::Write => format!("BEGIN; {PATIENCE}; SELECT pg_advisory_xact_lock({LOCK})"),
        };
        let begun = self.client.batch_execute(&begin).map_err(fail(&self.place));
        if begun.is_err() {
            let _ = self.client.batch_execute("ROLLBACK");
        }
        begun
    }

    fn end(&mut self, is_kept: bool) -> Result<(), HistoryError> {
        self.client.batch_execute(if is_kept { "COMMIT" } else { "ROLLBACK" }).map_err(fail(&self.place))
    }

    /// Checking storage is up to the database's own tools; here everything is read once.
    fn check(&mut self) -> Result<(), HistoryError> {
        self.query("SELECT count(ratio_upper) FROM point", &[], &mut |_| Ok(()))
    }
}
