//! SQLite: one file, opened, checked, brought to the newest schema.

use crate::engine::{Access, Engine, Odd, Row, Value};
use crate::HistoryError;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{params_from_iter, Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// `TARE`: what the file says it is of.
const APPLICATION: i64 = 0x5441_5245;
/// Longest wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The schema of this version: the number of [`MIGRATIONS`].
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// What makes each schema of the one before. They are never changed: files that have them exist.
const MIGRATIONS: [&str; 3] = [
    // 1. Names stand once. Values are clustered by series, so that asking for one benchmark reads its values alone.
    "CREATE TABLE machine (
        id INTEGER PRIMARY KEY,
        cpu TEXT NOT NULL,
        processors INTEGER NOT NULL,
        architecture TEXT NOT NULL,
        UNIQUE (cpu, processors, architecture)
    );
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL UNIQUE,
        created TEXT NOT NULL,
        machine INTEGER NOT NULL REFERENCES machine (id),
        tare TEXT NOT NULL,
        method TEXT NOT NULL,
        os TEXT NOT NULL,
        revision TEXT,
        dirty INTEGER NOT NULL,
        cycle_ns REAL,
        minimum_effect REAL NOT NULL,
        command TEXT NOT NULL
    );
    CREATE INDEX run_by_time ON run (machine, created);
    CREATE TABLE series (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        job TEXT NOT NULL,
        name TEXT NOT NULL,
        UNIQUE (key, job)
    );
    CREATE TABLE build (
        id INTEGER PRIMARY KEY,
        compiler TEXT NOT NULL,
        flags TEXT NOT NULL,
        UNIQUE (compiler, flags)
    );
    CREATE TABLE base (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        identity TEXT NOT NULL UNIQUE
    );
    CREATE TABLE point (
        series INTEGER NOT NULL REFERENCES series (id),
        run INTEGER NOT NULL REFERENCES run (id),
        build INTEGER NOT NULL REFERENCES build (id),
        time_ns REAL,
        lower_ns REAL,
        upper_ns REAL,
        is_cpu_time INTEGER NOT NULL,
        is_shared INTEGER NOT NULL,
        at_reference INTEGER NOT NULL,
        base INTEGER REFERENCES base (id),
        ratio REAL,
        ratio_lower REAL,
        ratio_upper REAL,
        PRIMARY KEY (series, run)
    ) WITHOUT ROWID;
    CREATE INDEX point_by_run ON point (run);",
    // 2. What of a run gave no value, as JSON: it is read with the run.
    "ALTER TABLE run ADD COLUMN failed TEXT NOT NULL DEFAULT '[]';",
    // 3. Projects and branches. A run is known by its id and its time: ids of several machines may be the same.
    "CREATE TABLE run_3 (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        created TEXT NOT NULL,
        project TEXT NOT NULL,
        machine INTEGER NOT NULL REFERENCES machine (id),
        tare TEXT NOT NULL,
        method TEXT NOT NULL,
        os TEXT NOT NULL,
        revision TEXT,
        branch TEXT,
        dirty INTEGER NOT NULL,
        cycle_ns REAL,
        minimum_effect REAL NOT NULL,
        command TEXT NOT NULL,
        failed TEXT NOT NULL,
        UNIQUE (run, created)
    );
    INSERT INTO run_3 SELECT id, run, created, '', machine, tare, method, os, revision, NULL, dirty, cycle_ns, minimum_effect, command,
        failed FROM run;
    DROP TABLE run;
    ALTER TABLE run_3 RENAME TO run;
    CREATE INDEX run_by_time ON run (project, machine, created);
    CREATE TABLE series_3 (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL,
        key TEXT NOT NULL,
        job TEXT NOT NULL,
        name TEXT NOT NULL,
        UNIQUE (project, key, job)
    );
    INSERT INTO series_3 SELECT id, '', key, job, name FROM series;
    DROP TABLE series;
    ALTER TABLE series_3 RENAME TO series;
    CREATE TABLE renamed (
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

/// A file of SQLite.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    path: PathBuf,
}

/// Lets readers and a writer work side by side. SQLite does not wait while another process does the same to a new file.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

impl Sqlite {
    /// Opens a history; one that is not there is made, closed to other users.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, HistoryError> {
        is_plain_file(path)?;
        for journal in JOURNALS {
            is_plain_file(&with_ending(path, journal))?;
        }
        make_private(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let of = of(path);
        let connection = Connection::open_with_flags(path, flags).map_err(&of)?;
        connection.busy_timeout(PATIENCE).map_err(&of)?;
        // A reader never waits for a writer then. A file system without shared memory keeps its own kind of journal.
        write_ahead(&connection).map_err(&of)?;
        // What a power cut takes away is in the run folders.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(&of)?;
        let mut file = Sqlite { connection, path: path.to_owned() };
        file.migrate()?;
        Ok(file)
    }

    /// Brings the file to the newest schema.
    fn migrate(&mut self) -> Result<(), HistoryError> {
        if self.version()? == SCHEMA_VERSION {
            return self.is_ours();
        }
        let of = of(&self.path);
        // A table that is made anew is dropped for a moment, while others refer to it. This does nothing within a transaction.
        self.connection.pragma_update(None, "foreign_keys", false).map_err(&of)?;
        // Another process may do the same: the version counts that is seen with the lock.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&of)?;
        let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(&of)?;
        if !(0..=SCHEMA_VERSION).contains(&found) {
            return Err(HistoryError::Newer { place: shown(&self.path), found, known: SCHEMA_VERSION });
        }
        let tables: i64 =
            transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(&of)?;
        let application: i64 = transaction.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(&of)?;
        if tables > 0 && application != APPLICATION {
            return Err(foreign(&self.path));
        }
        for script in &MIGRATIONS[found as usize..] {
            transaction.execute_batch(script).map_err(&of)?;
        }
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(&of)?;
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(&of)?;
        transaction.commit().map_err(&of)?;
        self.connection.pragma_update(None, "foreign_keys", true).map_err(&of)
    }

    fn version(&self) -> Result<i64, HistoryError> {
        let of = of(&self.path);
        self.connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(of)
    }

    /// A database of another program may have the same number.
    fn is_ours(&self) -> Result<(), HistoryError> {
        let of = of(&self.path);
        let application: i64 =
            self.connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(of)?;
        if application == APPLICATION {
            Ok(())
        } else {
            Err(foreign(&self.path))
        }
    }
}

impl Engine for Sqlite {
    fn query(
        &mut self,
        sql: &str,
        with: &[Value],
        row: &mut dyn FnMut(&mut Row) -> Result<(), Odd>,
    ) -> Result<(), HistoryError> {
        let of = of(&self.path);
        // The same is asked for many benchmarks.
        let mut statement = self.connection.prepare_cached(sql).map_err(&of)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(with)).map_err(&of)?;
        let mut taken = Row(Vec::with_capacity(columns));
        while let Some(found) = rows.next().map_err(&of)? {
            taken.0.clear();
            for column in 0..columns {
                taken.0.push(
                    value(found.get_ref(column).map_err(&of)?, Odd::at(column))
                        .map_err(|odd| damaged(&self.path, odd))?,
                );
            }
            row(&mut taken).map_err(|odd| damaged(&self.path, odd))?;
        }
        Ok(())
    }

    fn insert(
        &mut self,
        table: &str,
        columns: &[&str],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), HistoryError> {
        let of = of(&self.path);
        let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
        let sql = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), places.join(", "));
        let mut statement = self.connection.prepare_cached(&sql).map_err(&of)?;
        for row in rows {
            statement.execute(params_from_iter(row)).map_err(&of)?;
        }
        Ok(())
    }

    fn begin(&mut self, access: Access) -> Result<(), HistoryError> {
        let begin = match access {
            Access::Read => "BEGIN",
            Access::Write => "BEGIN IMMEDIATE",
        };
        self.connection.execute_batch(begin).map_err(of(&self.path))
    }

    fn end(&mut self, is_kept: bool) -> Result<(), HistoryError> {
        self.connection.execute_batch(if is_kept { "COMMIT" } else { "ROLLBACK" }).map_err(of(&self.path))
    }

    // Opening a file reads its first page alone.
    fn check(&mut self) -> Result<(), HistoryError> {
        /// What SQLite puts before the first thing that it finds.
        const HEADING: &str = "*** in database main ***\n";
        let of = of(&self.path);
        let said: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(of)?;
        match said.as_str() {
            "ok" => Ok(()),
            _ => Err(HistoryError::Damaged {
                path: self.path.clone(),
                reason: said.trim_start_matches(HEADING).replace('\n', " "),
            }),
        }
    }

    fn compact(&mut self) {
        // Where there is no space for a smaller file, or somebody reads this one, the next time makes it small.
        let _ = self.connection.execute_batch("VACUUM");
    }
}

fn value(found: ValueRef, odd: Odd) -> Result<Value, Odd> {
    Ok(match found {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(std::str::from_utf8(text).map_err(|_| odd)?.to_owned()),
        ValueRef::Blob(_) => return Err(odd),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Flag(flag) => ValueRef::Integer(i64::from(*flag)),
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// An error of SQLite about this file.
fn of(path: &Path) -> impl Fn(rusqlite::Error) -> HistoryError + '_ {
    move |error| {
        let (place, path) = (shown(path), path.to_owned());
        match &error {
            rusqlite::Error::SqliteFailure(cause, _) => match cause.code {
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                    HistoryError::Damaged { path, reason: error.to_string() }
                }
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => HistoryError::Busy { place },
                _ => HistoryError::Other { place, reason: error.to_string() },
            },
            // A column that is not there or holds something else: another program wrote it.
            _ => HistoryError::Damaged { path, reason: error.to_string() },
        }
    }
}

fn damaged(path: &Path, odd: Odd) -> HistoryError {
    HistoryError::Damaged { path: path.to_owned(), reason: odd.reason() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn foreign(path: &Path) -> HistoryError {
    HistoryError::Damaged { path: path.to_owned(), reason: "it is a database of another program".to_owned() }
}

/// How the names of the files end that SQLite keeps beside the file.
const JOURNALS: [&str; 3] = ["-wal", "-shm", "-journal"];

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A repository may carry a link: it must not say where we write.
fn is_plain_file(path: &Path) -> Result<(), HistoryError> {
    let refused = |reason| Err(HistoryError::NotTrusted { path: path.to_owned(), reason });
    match fs::symlink_metadata(path) {
        Ok(data) if data.file_type().is_symlink() => refused("it is a symbolic link"),
        Ok(data) if !data.is_file() => refused("it is not a regular file"),
        _ => Ok(()),
    }
}

/// Makes the file, which SQLite would make for everybody to read; its journals get the rights of the file.
fn make_private(path: &Path) -> Result<(), HistoryError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    with_private_mode(&mut options);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(HistoryError::Io { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

fn with_private_mode(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

/// Moves a history that cannot be read out of the way, with its journals, and says where it is now.
///
/// # Errors
/// The system's.
pub fn set_aside(path: &Path) -> Result<PathBuf, HistoryError> {
    let with = |ending: &str| with_ending(path, ending);
    // One of before stays: it may be what somebody still wants to look into.
    let free = (1..).map(|n| with(&format!(".damaged-{n}"))).find(|path| fs::symlink_metadata(path).is_err());
    let aside = free.unwrap_or_else(|| with(".damaged"));
    fs::rename(path, &aside).map_err(|source| HistoryError::Io { path: path.to_owned(), source })?;
    // Journals belong to the file that is gone; to a new one they would be damage.
    for journal in JOURNALS {
        let _ = fs::remove_file(with(journal));
    }
    Ok(aside)
}
