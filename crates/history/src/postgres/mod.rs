//! PostgreSQL: a history that a team shares. Writers take turns by a lock of the transaction, as those of a file do, so that none of them
//! sees half of what another one adds, and no two of them add the same name.

mod address;
mod errors;
mod tls;
mod value;

pub use address::Address;

use crate::engine::{Access, Engine, Odd, Row, Value};
use crate::HistoryError;
use errors::fail;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, NoTls};
use std::io::Write as _;

/// The lock of writers: `TAREHIST`.
const LOCK: i64 = 0x5441_5245_4849_5354;

/// Of a transaction that writes: a writer that hangs must not keep the others out for good.
const PATIENCE: &str =
    "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '60s'; SET LOCAL idle_in_transaction_session_timeout = '60s'";

/// What makes each schema of the one before. They are never changed: databases that have them exist. Texts of any length are found by
/// hashes: a tree has no room for a long one.
const MIGRATIONS: [&str; 2] = [
    // 1. The tables of SQLite.
    "CREATE TABLE machine (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        cpu TEXT NOT NULL,
        processors BIGINT NOT NULL,
        architecture TEXT NOT NULL
    );
    CREATE TABLE run (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run TEXT NOT NULL,
        created TEXT NOT NULL,
        project TEXT NOT NULL,
        machine BIGINT NOT NULL REFERENCES machine (id),
        tare TEXT NOT NULL,
        method TEXT NOT NULL,
        os TEXT NOT NULL,
        revision TEXT,
        branch TEXT,
        dirty BOOLEAN NOT NULL,
        cycle_ns DOUBLE PRECISION,
        minimum_effect DOUBLE PRECISION NOT NULL,
        command TEXT NOT NULL,
        failed TEXT NOT NULL,
        UNIQUE (run, created)
    );
    CREATE INDEX run_by_time ON run (project, machine, created);
    CREATE TABLE series (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project TEXT NOT NULL,
        key TEXT NOT NULL,
        job TEXT NOT NULL,
        name TEXT NOT NULL
    );
    CREATE INDEX series_by_key ON series USING hash (key);
    CREATE INDEX series_by_project ON series USING hash (project);
    CREATE TABLE build (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        compiler TEXT NOT NULL,
        flags TEXT NOT NULL
    );
    CREATE TABLE base (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name TEXT NOT NULL,
        identity TEXT NOT NULL
    );
    CREATE INDEX base_by_identity ON base USING hash (identity);
    CREATE TABLE point (
        series BIGINT NOT NULL REFERENCES series (id),
        run BIGINT NOT NULL REFERENCES run (id),
        build BIGINT NOT NULL REFERENCES build (id),
        time_ns DOUBLE PRECISION,
        lower_ns DOUBLE PRECISION,
        upper_ns DOUBLE PRECISION,
        is_cpu_time BOOLEAN NOT NULL,
        is_shared BOOLEAN NOT NULL,
        at_reference BOOLEAN NOT NULL,
        base BIGINT REFERENCES base (id),
        ratio DOUBLE PRECISION,
        ratio_lower DOUBLE PRECISION,
        ratio_upper DOUBLE PRECISION,
        PRIMARY KEY (series, run)
    );
    CREATE INDEX point_by_run ON point (run);",
    // 2. What people say of a history.
    "CREATE TABLE renamed (
        project TEXT NOT NULL,
        old TEXT NOT NULL,
        new TEXT NOT NULL,
        PRIMARY KEY (project, old)
    );
    CREATE TABLE accepted (
        project TEXT NOT NULL,
        key TEXT NOT NULL,
        job TEXT NOT NULL,
        run TEXT NOT NULL,
        created TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (project, key, job)
    );",
];

const VERSION: i64 = MIGRATIONS.len() as i64;

/// A connection to a database.
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
    /// Connects, and brings the tables to the newest schema.
    pub(crate) fn open(address: &Address) -> Result<Postgres, HistoryError> {
        let mut database = Postgres::connect(address)?;
        match database.version()? {
            Some(VERSION) => {}
            _ => database.migrate()?,
        }
        database.enter()?;
        Ok(database)
    }

    /// Connects to read; None where there are no tables yet.
    pub(crate) fn open_existing(address: &Address) -> Result<Option<Postgres>, HistoryError> {
        let mut database = Postgres::connect(address)?;
        match database.version()? {
            None => return Ok(None),
            Some(found) if found > VERSION => return Err(database.newer(found)),
            Some(VERSION) => {}
            // Who may write brings them forward; who may not says what to do.
            Some(found) => match database.migrate() {
                Err(HistoryError::NotAllowed { place, .. }) => {
                    return Err(HistoryError::Older { place, found, known: VERSION })
                }
                done => done?,
            },
        }
        database.enter()?;
        Ok(Some(database))
    }

    fn connect(address: &Address) -> Result<Postgres, HistoryError> {
        let place = address.place().to_owned();
        let connected = match address.tls()? {
            None => address.config().connect(NoTls),
            Some(tls) => address.config().connect(tls),
        };
        Ok(Postgres { client: connected.map_err(|error| address.refused(&error))?, place })
    }

    /// Names without a schema are those of ours.
    fn enter(&mut self) -> Result<(), HistoryError> {
        self.client.batch_execute("SET search_path TO tare").map_err(fail(&self.place))
    }

    fn newer(&self, found: i64) -> HistoryError {
        HistoryError::Newer { place: self.place.clone(), found, known: VERSION }
    }

    /// The schema of the tables; None where there are none.
    fn version(&mut self) -> Result<Option<i64>, HistoryError> {
        let of = fail(&self.place);
        let there = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'tare' AND tablename = 'version'";
        if self.client.query_opt(there, &[]).map_err(&of)?.is_none() {
            return Ok(None);
        }
        let row = self.client.query_opt("SELECT number FROM tare.version", &[]).map_err(&of)?;
        Ok(row.map(|row| row.get(0)))
    }

    fn migrate(&mut self) -> Result<(), HistoryError> {
        self.begin(Access::Write)?;
        let done = self.migrate_locked();
        let ended = self.end(done.is_ok());
        done.and(ended)
    }

    /// Another process may have done the same: what counts is seen with the lock.
    fn migrate_locked(&mut self) -> Result<(), HistoryError> {
        let found = self.version()?.unwrap_or(0);
        if !(0..=VERSION).contains(&found) {
            return Err(self.newer(found));
        }
        let of = fail(&self.place);
        let there = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'tare'";
        if self.client.query_opt(there, &[]).map_err(&of)?.is_none() {
            self.client.batch_execute("CREATE SCHEMA tare").map_err(&of)?;
        }
        self.client.batch_execute("SET LOCAL search_path TO tare").map_err(&of)?;
        if found == 0 {
            let table = "CREATE TABLE version (number BIGINT NOT NULL); INSERT INTO version VALUES (0)";
            self.client.batch_execute(table).map_err(&of)?;
        }
        for script in &MIGRATIONS[found as usize..] {
            self.client.batch_execute(script).map_err(&of)?;
        }
        self.client.execute("UPDATE version SET number = $1", &[&VERSION]).map_err(&of)?;
        Ok(())
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
            row(&mut taken).map_err(|odd| HistoryError::Other { place: self.place.clone(), reason: odd.reason() })?;
        }
        Ok(())
    }

    fn insert(
        &mut self,
        table: &str,
        columns: &[&str],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), HistoryError> {
        let of = fail(&self.place);
        let sql = format!("COPY {table} ({}) FROM STDIN", columns.join(", "));
        let mut writer = self.client.copy_in(&sql).map_err(&of)?;
        for row in rows {
            writer.write_all(value::line(&row).as_bytes()).map_err(|error| errors::of_io(&self.place, error))?;
        }
        writer.finish().map_err(&of)?;
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

    /// What the database keeps is for its own tools to look at; here all of it is read once.
    fn check(&mut self) -> Result<(), HistoryError> {
        self.query("SELECT count(ratio_upper) FROM point", &[], &mut |_| Ok(()))
    }
}
