use crate::engine::{execute, first, insert, within, Access, Engine, Value};
use crate::names::{Names, Table};
use crate::{HistoryDb, HistoryError};
use std::collections::{BTreeMap, HashSet};
use tare_analysis::history::{HistoryPoint, HistoryRun};

const SERIES: Table = Table { name: "series", keys: &["project", "key", "job"], others: &["name"], is_renamed: true };
const BUILDS: Table = Table { name: "build", keys: &["compiler", "flags"], others: &[], is_renamed: false };
const BASES: Table = Table { name: "base", keys: &["identity"], others: &["name"], is_renamed: false };

const POINT: [&str; 13] = [
    "series",
    "run",
    "build",
    "time_ns",
    "lower_ns",
    "upper_ns",
    "is_cpu_time",
    "is_shared",
    "at_reference",
    "base",
    "ratio",
    "ratio_lower",
    "ratio_upper",
];

impl HistoryDb {
    /// Adds a run with its values atomically. A run with the same id and creation time is replaced.
    pub fn append(&mut self, run: &HistoryRun, points: &[HistoryPoint]) -> Result<(), HistoryError> {
        within(self.engine.as_mut(), Access::Write, |engine| {
            let machine = machine(engine, run)?;
            let id = replace_run(engine, run, machine)?;
            add_points(engine, run, id, points)
        })
    }

    pub fn has(&mut self, run: &str, created: &str) -> Result<bool, HistoryError> {
        let sql = "SELECT id FROM run WHERE run = ?1 AND created = ?2";
        Ok(first(self.engine.as_mut(), sql, &[run.into(), created.into()], |row| row.int(0))?.is_some())
    }
}

fn machine(engine: &mut dyn Engine, run: &HistoryRun) -> Result<i64, HistoryError> {
    let m = &run.machine;
    let with = [(&m.cpu).into(), i64::from(m.processors).into(), (&m.architecture).into()];
    let find = "SELECT id FROM machine WHERE cpu = ?1 AND processors = ?2 AND architecture = ?3";
    if let Some(known) = first(engine, find, &with, |row| row.int(0))? {
        return Ok(known);
    }
    added(engine, "INSERT INTO machine (cpu, processors, architecture) VALUES (?1, ?2, ?3) RETURNING id", &with)
}

fn added(engine: &mut dyn Engine, sql: &str, with: &[Value]) -> Result<i64, HistoryError> {
    let number = first(engine, sql, with, |row| row.int(0))?;
    // Every added row has a number, else it is an error.
    Ok(number.unwrap_or_default())
}

fn replace_run(engine: &mut dyn Engine, run: &HistoryRun, machine: i64) -> Result<i64, HistoryError> {
    let which = [(&run.run).into(), (&run.created).into()];
    let before = first(engine, "SELECT id FROM run WHERE run = ?1 AND created = ?2", &which, |row| row.int(0))?;
    if let Some(before) = before {
        execute(engine, "DELETE FROM point WHERE run = ?1", &[before.into()])?;
        execute(engine, "DELETE FROM run WHERE id = ?1", &[before.into()])?;
    }
    let json = |text: serde_json::Result<String>| Value::Text(text.unwrap_or_default());
    let maybe = |text: &Option<String>| text.as_ref().map_or(Value::Null, Value::from);
    added(
        engine,
        "INSERT INTO run (run, created, project, machine, tare, method, os, revision, branch, dirty, cycle_ns, minimum_effect, command,
             failed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING id",
        &[
            (&run.run).into(),
            (&run.created).into(),
            (&run.project).into(),
            machine.into(),
            (&run.tare).into(),
            (&run.method).into(),
            (&run.os).into(),
            maybe(&run.revision),
            maybe(&run.branch),
            run.dirty.into(),
            run.cycle_ns.into(),
            Value::Real(run.minimum_effect),
            json(serde_json::to_string(&run.command)),
            json(serde_json::to_string(&run.failed)),
        ],
    )
}

fn series_of(run: &HistoryRun, point: &HistoryPoint) -> Vec<String> {
    vec![run.project.clone(), point.key.clone(), point.job.clone()]
}

fn build_of(point: &HistoryPoint) -> Vec<String> {
    vec![point.compiler.clone(), point.flags.clone()]
}

fn add_points(engine: &mut dyn Engine, run: &HistoryRun, id: i64, points: &[HistoryPoint]) -> Result<(), HistoryError> {
    let wanted = points.iter().map(|point| (series_of(run, point), vec![point.name.clone()]));
    let series = Names::of(engine, &SERIES, wanted.collect())?;
    let wanted: BTreeMap<_, _> = points.iter().map(|point| (build_of(point), Vec::new())).collect();
    let builds = Names::of(engine, &BUILDS, wanted)?;
    let bases = points.iter().filter_map(|point| point.base.as_ref());
    let wanted = bases.map(|base| (vec![base.identity.clone()], vec![base.name.clone()]));
    let bases = Names::of(engine, &BASES, wanted.collect())?;
    let number = |found: Option<i64>| found.map_or(Value::Null, Value::Int);
    // If a benchmark has two values, the last one counts.
    let mut seen = HashSet::new();
    let rows = points.iter().rev().filter_map(|point| {
        let series = series.id(&series_of(run, point)).filter(|series| seen.insert(*series))?;
        let of_base = point.base.as_ref();
        Some(vec![
            series.into(),
            id.into(),
            number(builds.id(&build_of(point))),
            point.time_ns.into(),
            point.interval.map(|interval| interval.lower).into(),
            point.interval.map(|interval| interval.upper).into(),
            point.is_cpu_time.into(),
            point.is_shared.into(),
            point.at_reference.into(),
            number(of_base.and_then(|base| bases.id(std::slice::from_ref(&base.identity)))),
            of_base.map(|base| base.ratio).into(),
            of_base.map(|base| base.interval.lower).into(),
            of_base.map(|base| base.interval.upper).into(),
        ])
    });
    insert(engine, "point", &POINT, &rows.collect::<Vec<_>>())
}
