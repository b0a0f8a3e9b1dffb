//! Adding a run.

use crate::{HistoryError, HistoryFile};
use rusqlite::{params, OptionalExtension, Transaction, TransactionBehavior};
use tare_analysis::history::{HistoryPoint, HistoryRun};

impl HistoryFile {
    /// Adds a run with its values, whole or not at all; one that is there is replaced.
    ///
    /// # Errors
    /// When another process writes for too long, or the file cannot be written.
    pub fn append(&mut self, run: &HistoryRun, points: &[HistoryPoint]) -> Result<(), HistoryError> {
        let of = HistoryError::of(&self.path);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&of)?;
        add(&transaction, run, points).map_err(&of)?;
        transaction.commit().map_err(&of)
    }

    /// Whether a run is in it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn has(&self, run: &str) -> Result<bool, HistoryError> {
        let found = self.connection.query_row("SELECT 1 FROM run WHERE run = ?1", [run], |_| Ok(())).optional();
        found.map(|found| found.is_some()).map_err(HistoryError::of(&self.path))
    }
}

fn add(transaction: &Transaction, run: &HistoryRun, points: &[HistoryPoint]) -> rusqlite::Result<()> {
    let machine = machine(transaction, run)?;
    let run = replace_run(transaction, run, machine)?;
    add_points(transaction, run, points)
}

/// The row of the machine of a run, which is added where it is a new one.
fn machine(transaction: &Transaction, run: &HistoryRun) -> rusqlite::Result<i64> {
    let m = &run.machine;
    transaction.execute(
        "INSERT INTO machine (cpu, processors, architecture) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        params![m.cpu, m.processors, m.architecture],
    )?;
    transaction.query_row(
        "SELECT id FROM machine WHERE cpu = ?1 AND processors = ?2 AND architecture = ?3",
        params![m.cpu, m.processors, m.architecture],
        |row| row.get(0),
    )
}

/// The row of a run that is added; what was there of it goes.
fn replace_run(transaction: &Transaction, run: &HistoryRun, machine: i64) -> rusqlite::Result<i64> {
    let before: Option<i64> =
        transaction.query_row("SELECT id FROM run WHERE run = ?1", [&run.run], |row| row.get(0)).optional()?;
    if let Some(before) = before {
        transaction.execute("DELETE FROM point WHERE run = ?1", [before])?;
        transaction.execute("DELETE FROM run WHERE id = ?1", [before])?;
    }
    let command = serde_json::to_string(&run.command).unwrap_or_default();
    let failed = serde_json::to_string(&run.failed).unwrap_or_default();
    transaction.execute(
        "INSERT INTO run (run, created, machine, tare, method, os, revision, dirty, cycle_ns, minimum_effect, command, failed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            run.run,
            run.created,
            machine,
            run.tare,
            run.method,
            run.os,
            run.revision,
            run.dirty,
            run.cycle_ns,
            run.minimum_effect,
            command,
            failed
        ],
    )?;
    Ok(transaction.last_insert_rowid())
}

fn add_points(transaction: &Transaction, run: i64, points: &[HistoryPoint]) -> rusqlite::Result<()> {
    let mut names = Names::new(transaction)?;
    let mut insert = transaction.prepare(
        "INSERT OR REPLACE INTO point (series, run, build, time_ns, lower_ns, upper_ns, is_cpu_time, is_shared, at_reference,
             base, ratio, ratio_lower, ratio_upper)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for point in points {
        let series = names.series(point)?;
        let build = names.build(point)?;
        let base = names.base(point)?;
        let of_base = point.base.as_ref();
        // SQLite has no NaN; an end of an interval that is not known is none.
        let finite = |value: Option<f64>| value.filter(|v| v.is_finite());
        insert.execute(params![
            series,
            run,
            build,
            finite(point.time_ns),
            finite(point.interval.map(|i| i.lower)),
            finite(point.interval.map(|i| i.upper)),
            point.is_cpu_time,
            point.is_shared,
            point.at_reference,
            base,
            finite(of_base.map(|b| b.ratio)),
            finite(of_base.map(|b| b.interval.lower)),
            finite(of_base.map(|b| b.interval.upper)),
        ])?;
    }
    Ok(())
}

/// What stands once for many values.
struct Names<'a> {
    add_series: rusqlite::Statement<'a>,
    find_series: rusqlite::Statement<'a>,
    add_build: rusqlite::Statement<'a>,
    find_build: rusqlite::Statement<'a>,
    add_base: rusqlite::Statement<'a>,
    find_base: rusqlite::Statement<'a>,
}

impl<'a> Names<'a> {
    fn new(transaction: &'a Transaction) -> rusqlite::Result<Names<'a>> {
        Ok(Names {
            add_series: transaction.prepare(
                "INSERT INTO series (key, job, name) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key, job) DO UPDATE SET name = ?3 WHERE name <> ?3",
            )?,
            find_series: transaction.prepare("SELECT id FROM series WHERE key = ?1 AND job = ?2")?,
            add_build: transaction
                .prepare("INSERT INTO build (compiler, flags) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?,
            find_build: transaction.prepare("SELECT id FROM build WHERE compiler = ?1 AND flags = ?2")?,
            add_base: transaction
                .prepare("INSERT INTO base (name, identity) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?,
            find_base: transaction.prepare("SELECT id FROM base WHERE identity = ?1")?,
        })
    }

    fn series(&mut self, point: &HistoryPoint) -> rusqlite::Result<i64> {
        self.add_series.execute(params![point.key, point.job, point.name])?;
        self.find_series.query_row(params![point.key, point.job], |row| row.get(0))
    }

    fn build(&mut self, point: &HistoryPoint) -> rusqlite::Result<i64> {
        let of = params![point.compiler, point.flags];
        if let Some(known) = self.find_build.query_row(of, |row| row.get(0)).optional()? {
            return Ok(known);
        }
        self.add_build.execute(of)?;
        self.find_build.query_row(of, |row| row.get(0))
    }

    fn base(&mut self, point: &HistoryPoint) -> rusqlite::Result<Option<i64>> {
        let Some(base) = &point.base else { return Ok(None) };
        if let Some(known) = self.find_base.query_row([&base.identity], |row| row.get(0)).optional()? {
            return Ok(Some(known));
        }
        self.add_base.execute(params![base.name, base.identity])?;
        self.find_base.query_row([&base.identity], |row| row.get(0)).map(Some)
    }
}
