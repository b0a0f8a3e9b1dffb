//! SQLite: one file, opened, checked and migrated.

use crate::engine::{Access, Engine, Odd, Row, Value};
use crate::schema::tables;
use crate::HistoryError;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{params_from_iter, Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// `TARE`: the application id in the file.
const APPLICATION: i64 = 0x5441_5245;
/// Longest wait for another writer.
const PATIENCE: Duration = Duration::from_secs(10);

pub const SCHEMA_VERSION: i64 = 3;

#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    path: PathBuf,
}

/// Lets readers and a writer work concurrently. SQLite does not wait if another process does the same to a new file.
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
    /// Opens a history, or creates it, private to this user.
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
        // Readers then never wait for a writer. A file system without shared memory keeps its default journal.
        write_ahead(&connection).map_err(&of)?;
        // The run folders still have what a power cut loses.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(&of)?;
        let mut file = Sqlite { connection, path: path.to_owned() };
        file.prepare()?;
        Ok(file)
    }

    /// Creates the tables of a new file; refuses those of another version or program.
    fn prepare(&mut self) -> Result<(), HistoryError> {
        let of = of(&self.path);
        let number =
            |connection: &Connection, sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(&of);
        let is_empty = |connection: &Connection| Ok(number(connection, "SELECT count(*) FROM sqlite_schema")? == 0);
        if is_empty(&self.connection)? {
            // Another process may do the same; now the lock is held.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&of)?;
            if is_empty(&transaction)? {
                transaction.execute_batch(&tables("INTEGER PRIMARY KEY", "")).map_err(&of)?;
                transaction.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(&of)?;
                transaction.pragma_update(None, "application_id", APPLICATION).map_err(&of)?;
            }
            transaction.commit().map_err(&of)?;
        }
        if number(&self.connection, "PRAGMA application_id")? != APPLICATION {
            let reason = "it is a database of another program".to_owned();
            return Err(HistoryError::Damaged { path: self.path.clone(), reason });
        }
        match number(&self.connection, "PRAGMA user_version")? {
            SCHEMA_VERSION => Ok(()),
            found => Err(HistoryError::OtherSchema { place: shown(&self.path), found, known: SCHEMA_VERSION }),
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
        // The same query runs for many benchmarks.
        let mut statement = self.connection.prepare_cached(sql).map_err(&of)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(with)).map_err(&of)?;
        let mut taken = Row(Vec::with_capacity(columns));
        while let Some(found) = rows.next().map_err(&of)? {
            taken.0.clear();
            for column in 0..columns {
                let found = value(found.get_ref(column).map_err(&of)?).ok_or(Odd(column));
                taken.0.push(found.map_err(|odd| damaged(&self.path, odd))?);
            }
            row(&mut taken).map_err(|odd| damaged(&self.path, odd))?;
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

    // Opening a file reads only its first page.
    fn check(&mut self) -> Result<(), HistoryError> {
        /// SQLite's prefix of its first finding.
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
        // May fail if the disk is full or another process reads the file; the next time shrinks it.
        let _ = self.connection.execute_batch("VACUUM");
    }
}

fn value(found: ValueRef) -> Option<Value> {
    Some(match found {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(std::str::from_utf8(text).ok()?.to_owned()),
        ValueRef::Blob(_) => return None,
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
            // A missing column or an unexpected type: another program wrote it.
            _ => HistoryError::Damaged { path, reason: error.to_string() },
        }
    }
}

fn damaged(path: &Path, odd: Odd) -> HistoryError {
    HistoryError::Damaged { path: path.to_owned(), reason: odd.to_string() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

const JOURNALS: [&str; 3] = ["-wal", "-shm", "-journal"];

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A link in a repository must not decide where Tare writes.
fn is_plain_file(path: &Path) -> Result<(), HistoryError> {
    let refused = |reason| Err(HistoryError::NotTrusted { path: path.to_owned(), reason });
    match fs::symlink_metadata(path) {
        Ok(data) if data.file_type().is_symlink() => refused("it is a symbolic link"),
        Ok(data) if !data.is_file() => refused("it is not a regular file"),
        _ => Ok(()),
    }
}

/// Creates the file, which SQLite would make readable for all; journals inherit its permissions.
fn make_private(path: &Path) -> Result<(), HistoryError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(HistoryError::Io { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

/// Moves an unreadable history and its journals aside; returns the new path.
pub fn set_aside(path: &Path) -> Result<PathBuf, HistoryError> {
    let with = |ending: &str| with_ending(path, ending);
    // Earlier ones are kept, in case someone wants to examine them.
    let free = (1..).map(|n| with(&format!(".damaged-{n}"))).find(|path| fs::symlink_metadata(path).is_err());
    let aside = free.unwrap_or_else(|| with(".damaged"));
    fs::rename(path, &aside).map_err(|source| HistoryError::Io { path: path.to_owned(), source })?;
    // Journals of the old file would damage a new one.
    for journal in JOURNALS {
        let _ = fs::remove_file(with(journal));
    }
    Ok(aside)
}
