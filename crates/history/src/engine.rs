//! Database access. History queries are written once, for all engines.

use crate::HistoryError;

/// A value in a row, or a parameter of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Int(i64),
    Real(f64),
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// Excludes other writers.
    Write,
}

/// A database with a history. The SQL works on all engines; placeholders are `?1`, `?2`.
pub(crate) trait Engine: std::fmt::Debug + Send {
    fn query(
        &mut self,
        sql: &str,
        with: &[Value],
        row: &mut dyn FnMut(&mut Row) -> Result<(), Odd>,
    ) -> Result<(), HistoryError>;

    fn begin(&mut self, access: Access) -> Result<(), HistoryError>;

    /// Ends the transaction: commits, or rolls back.
    fn end(&mut self, is_kept: bool) -> Result<(), HistoryError>;

    fn check(&mut self) -> Result<(), HistoryError>;

    /// Reclaims the space of deleted rows, for engines that do not do so themselves.
    fn compact(&mut self) {}
}

/// A row of a result; values are taken out by column.
#[derive(Debug)]
pub(crate) struct Row(pub Vec<Value>);

/// The column of a value with an unexpected type: another program wrote it.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("column {0} holds something else")]
pub(crate) struct Odd(pub usize);

impl Row {
    fn take(&mut self, column: usize) -> Result<Value, Odd> {
        self.0.get_mut(column).map(|value| std::mem::replace(value, Value::Null)).ok_or(Odd(column))
    }

    pub(crate) fn text(&mut self, column: usize) -> Result<String, Odd> {
        self.maybe_text(column)?.ok_or(Odd(column))
    }

    pub(crate) fn maybe_text(&mut self, column: usize) -> Result<Option<String>, Odd> {
        match self.take(column)? {
            Value::Text(text) => Ok(Some(text)),
            Value::Null => Ok(None),
            _ => Err(Odd(column)),
        }
    }

    pub(crate) fn int(&mut self, column: usize) -> Result<i64, Odd> {
        self.maybe_int(column)?.ok_or(Odd(column))
    }

    pub(crate) fn maybe_int(&mut self, column: usize) -> Result<Option<i64>, Odd> {
        match self.take(column)? {
            Value::Int(number) => Ok(Some(number)),
            Value::Null => Ok(None),
            _ => Err(Odd(column)),
        }
    }

    pub(crate) fn count<T: TryFrom<i64>>(&mut self, column: usize) -> Result<T, Odd> {
        T::try_from(self.int(column)?).map_err(|_| Odd(column))
    }

    pub(crate) fn real(&mut self, column: usize) -> Result<Option<f64>, Odd> {
        match self.take(column)? {
            Value::Real(number) => Ok(Some(number)),
            Value::Int(number) => Ok(Some(number as f64)),
            Value::Null => Ok(None),
            _ => Err(Odd(column)),
        }
    }

    pub(crate) fn flag(&mut self, column: usize) -> Result<bool, Odd> {
        match self.take(column)? {
            Value::Flag(flag) => Ok(flag),
            // SQLite has no boolean type.
            Value::Int(number) => Ok(number != 0),
            _ => Err(Odd(column)),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::Text(text.clone())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<Option<f64>> for Value {
    /// A history contains neither NaN nor infinity: unknown values are null.
    fn from(number: Option<f64>) -> Value {
        number.filter(|number| number.is_finite()).map_or(Value::Null, Value::Real)
    }
}

pub(crate) fn all<T>(
    engine: &mut dyn Engine,
    sql: &str,
    with: &[Value],
    mut make: impl FnMut(&mut Row) -> Result<T, Odd>,
) -> Result<Vec<T>, HistoryError> {
    let mut found = Vec::new();
    engine.query(sql, with, &mut |row| {
        found.push(make(row)?);
        Ok(())
    })?;
    Ok(found)
}

pub(crate) fn first<T>(
    engine: &mut dyn Engine,
    sql: &str,
    with: &[Value],
    make: impl FnMut(&mut Row) -> Result<T, Odd>,
) -> Result<Option<T>, HistoryError> {
    Ok(all(engine, sql, with, make)?.into_iter().next())
}

/// Most values per query. Databases have a limit.
pub(crate) const VALUES_MAX: usize = 3000;

/// `(?1, ?2), (?3, ?4)`: placeholders for this many rows.
pub(crate) fn places(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> = (1..=columns).map(|column| format!("?{}", row * columns + column)).collect();
        format!("({})", places.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

pub(crate) fn insert(
    engine: &mut dyn Engine,
    table: &str,
    columns: &[&str],
    rows: &[Vec<Value>],
) -> Result<(), HistoryError> {
    for some in rows.chunks(VALUES_MAX / columns.len()) {
        let places = places(some.len(), columns.len());
        let sql = format!("INSERT INTO {table} ({}) VALUES {places}", columns.join(", "));
        execute(engine, &sql, &some.concat())?;
    }
    Ok(())
}

pub(crate) fn execute(engine: &mut dyn Engine, sql: &str, with: &[Value]) -> Result<(), HistoryError> {
    engine.query(sql, with, &mut |_| Ok(()))
}

pub(crate) fn within<T>(
    engine: &mut dyn Engine,
    access: Access,
    work: impl FnOnce(&mut dyn Engine) -> Result<T, HistoryError>,
) -> Result<T, HistoryError> {
    engine.begin(access)?;
    match work(engine) {
        Ok(done) => engine.end(true).map(|()| done),
        Err(error) => {
            // The first error is reported. A lost connection has rolled back already.
            let _ = engine.end(false);
            Err(error)
        }
    }
}
