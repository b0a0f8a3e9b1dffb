//! Queries: machines, benchmarks and their values.

use crate::engine::{all, within, Access, Engine, Odd, Row};
use crate::{HistoryDb, HistoryError};
use std::collections::{BTreeSet, HashMap};
use tare_analysis::history::{HistoryBase, HistoryMachine, HistoryPoint, HistoryRun, Kept};
use tare_stats::Interval;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    pub id: i64,
    /// The project; empty if it has no name.
    pub project: String,
    pub machine: HistoryMachine,
    pub runs: usize,
    pub branches: Vec<(String, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub id: i64,
    pub key: String,
    /// `group/name[n=10]`.
    pub name: String,
    pub job: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub project: String,
    pub machine: i64,
    /// Only runs of this branch or of an unknown branch; None: all.
    pub branch: Option<String>,
    /// Only these benchmarks ([`Case::id`]); None: all.
    pub cases: Option<Vec<i64>>,
    /// The number of newest runs with any of them.
    pub last: usize,
}

impl HistoryDb {
    pub fn machines(&mut self) -> Result<Vec<Machine>, HistoryError> {
        let engine = self.engine.as_mut();
        let by_branch = "SELECT machine, project, branch, count(*) FROM run WHERE branch IS NOT NULL
                         GROUP BY machine, project, branch ORDER BY branch";
        let branches = all(engine, by_branch, &[], |row| {
            Ok(((row.int(0)?, row.text(1)?), (row.text(2)?, row.count::<usize>(3)?)))
        })?;
        all(
            engine,
            "SELECT machine.id, cpu, processors, architecture, count(*), project
             FROM machine JOIN run ON run.machine = machine.id
             GROUP BY machine.id, cpu, processors, architecture, project ORDER BY max(created) DESC, max(run.id) DESC",
            &[],
            |row| {
                let of = (row.int(0)?, row.text(5)?);
                Ok(Machine {
                    id: of.0,
                    machine: HistoryMachine {
                        cpu: row.text(1)?,
                        processors: row.count(2)?,
                        architecture: row.text(3)?,
                    },
                    runs: row.count(4)?,
                    branches: branches
                        .iter()
                        .filter(|(other, _)| *other == of)
                        .map(|(_, branch)| branch.clone())
                        .collect(),
                    project: of.1,
                })
            },
        )
    }

    pub fn cases(&mut self, project: &str) -> Result<Vec<Case>, HistoryError> {
        cases(self.engine.as_mut(), project)
    }

    /// The runs of a range, oldest first, the number of older ones, and the values.
    pub fn read(&mut self, range: &Range) -> Result<(Vec<HistoryRun>, usize, Vec<Kept>), HistoryError> {
        // A single snapshot: a run added meanwhile appears completely or not at all.
        within(self.engine.as_mut(), Access::Read, |engine| {
            let cases = cases(engine, &range.project)?;
            let mut runs = runs(engine, range, &cases)?;
            let older = runs.len().saturating_sub(range.last);
            runs.drain(..older);
            let kept = values(engine, range, &runs, cases)?;
            Ok((runs.into_iter().map(|(_, run)| run).collect(), older, kept))
        })
    }
}

fn cases(engine: &mut dyn Engine, project: &str) -> Result<Vec<Case>, HistoryError> {
    let sql = "SELECT id, key, name, job FROM series WHERE project = ?1 ORDER BY name, key, job";
    all(engine, sql, &[project.into()], |row| {
        Ok(Case { id: row.int(0)?, key: row.text(1)?, name: row.text(2)?, job: row.text(3)? })
    })
}

/// `(1, 2)`. Written into the query, since placeholders are limited to fewer than there may be benchmarks.
fn listed(ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("({})", ids.join(", "))
}

fn runs(engine: &mut dyn Engine, range: &Range, cases: &[Case]) -> Result<Vec<(i64, HistoryRun)>, HistoryError> {
    let of_machine = all(
        engine,
        "SELECT cpu, processors, architecture FROM machine WHERE id = ?1",
        &[range.machine.into()],
        |row| Ok(HistoryMachine { cpu: row.text(0)?, processors: row.count(1)?, architecture: row.text(2)? }),
    )?;
    let machine = of_machine.into_iter().next().unwrap_or_default();
    let mut runs = all(
        engine,
        "SELECT id, run, created, project, tare, method, os, revision, branch, dirty, cycle_ns, minimum_effect, command, failed
         FROM run WHERE project = ?1 AND machine = ?2 ORDER BY created, id",
        &[(&range.project).into(), range.machine.into()],
        |row| run(row, &machine),
    )?;
    if let Some(branch) = &range.branch {
        runs.retain(|(_, run)| run.branch.as_ref().is_none_or(|of_run| of_run == branch));
    }
    if let Some(ids) = range.cases.as_ref().filter(|ids| !ids.is_empty()) {
        let sql = format!("SELECT DISTINCT run FROM point WHERE series IN {}", listed(ids));
        let having: BTreeSet<i64> = all(engine, &sql, &[], |row| row.int(0))?.into_iter().collect();
        let asked = cases.iter().filter(|case| ids.contains(&case.id));
        let asked: BTreeSet<(&str, &str)> = asked.map(|case| (case.name.as_str(), case.job.as_str())).collect();
        let has_failed =
            |run: &HistoryRun| run.failed.iter().any(|f| asked.contains(&(f.name.as_str(), f.job.as_str())));
        runs.retain(|(id, run)| having.contains(id) || has_failed(run));
    }
    Ok(runs)
}

fn values(
    engine: &mut dyn Engine,
    range: &Range,
    runs: &[(i64, HistoryRun)],
    cases: Vec<Case>,
) -> Result<Vec<Kept>, HistoryError> {
    let names = names(engine)?;
    let places: HashMap<i64, usize> = runs.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let (Some(first), Some(last)) = (places.keys().min(), places.keys().max()) else { return Ok(Vec::new()) };
    let asked = |case: &Case| range.cases.as_ref().is_none_or(|asked| asked.contains(&case.id));
    let cases: HashMap<i64, Case> = cases.into_iter().filter(asked).map(|case| (case.id, case)).collect();
    let only = match &range.cases {
        Some(ids) if ids.is_empty() => return Ok(Vec::new()),
        Some(ids) => format!(" AND series.id IN {}", listed(ids)),
        None => String::new(),
    };
    let mut kept = Vec::new();
    // By series, in SQLite's storage order; `CROSS JOIN` forces it to read them that way.
    let sql = format!(
        "SELECT point.series, point.run, time_ns, lower_ns, upper_ns, is_cpu_time, is_shared, at_reference, ratio, ratio_lower,
             ratio_upper, build, base
         FROM series CROSS JOIN point
         WHERE point.series = series.id AND series.project = ?1 AND point.run >= ?2 AND point.run <= ?3{only}
         ORDER BY point.series"
    );
    engine.query(&sql, &[(&range.project).into(), (*first).into(), (*last).into()], &mut |row| {
        let (series, run) = (row.int(0)?, row.int(1)?);
        if let (Some(case), Some(&run)) = (cases.get(&series), places.get(&run)) {
            kept.push(Kept { run, point: point(row, case, &names)? });
        }
        Ok(())
    })?;
    Ok(kept)
}

/// Compilers and bases. They are few, so they are looked up by number instead of joined.
fn names(engine: &mut dyn Engine) -> Result<Names, HistoryError> {
    let read = |row: &mut Row| Ok((row.int(0)?, [row.text(1)?, row.text(2)?]));
    let builds = all(engine, "SELECT id, compiler, flags FROM build", &[], read)?;
    let bases = all(engine, "SELECT id, name, identity FROM base", &[], read)?;
    Ok(Names { builds: builds.into_iter().collect(), bases: bases.into_iter().collect() })
}

fn run(row: &mut Row, machine: &HistoryMachine) -> Result<(i64, HistoryRun), Odd> {
    let run = HistoryRun {
        run: row.text(1)?,
        created: row.text(2)?,
        project: row.text(3)?,
        tare: row.text(4)?,
        method: row.text(5)?,
        machine: machine.clone(),
        os: row.text(6)?,
        revision: row.maybe_text(7)?,
        branch: row.maybe_text(8)?,
        dirty: row.flag(9)?,
        cycle_ns: row.real(10)?,
        minimum_effect: row.real(11)?.unwrap_or_default(),
        command: serde_json::from_str(&row.text(12)?).unwrap_or_default(),
        failed: serde_json::from_str(&row.text(13)?).unwrap_or_default(),
    };
    Ok((row.int(0)?, run))
}

/// Texts shared by many values, by number: compiler and flags, name and identity.
struct Names {
    builds: HashMap<i64, [String; 2]>,
    bases: HashMap<i64, [String; 2]>,
}

fn point(row: &mut Row, case: &Case, names: &Names) -> Result<HistoryPoint, Odd> {
    let interval = |lower: Option<f64>, upper: Option<f64>| Some(Interval { lower: lower?, upper: upper? });
    let ratio = row.real(8)?;
    let ratio_interval = interval(row.real(9)?, row.real(10)?);
    let of_base = row.maybe_int(12)?.and_then(|id| names.bases.get(&id));
    let base = of_base.zip(ratio).map(|([name, identity], ratio)| HistoryBase {
        name: name.clone(),
        identity: identity.clone(),
        ratio,
        // Stored as null because it was infinite.
        interval: ratio_interval.unwrap_or(Interval { lower: 0.0, upper: f64::INFINITY }),
    });
    let [compiler, flags] = names.builds.get(&row.int(11)?).cloned().unwrap_or_default();
    Ok(HistoryPoint {
        key: case.key.clone(),
        name: case.name.clone(),
        job: case.job.clone(),
        time_ns: row.real(2)?,
        interval: interval(row.real(3)?, row.real(4)?),
        is_cpu_time: row.flag(5)?,
        is_shared: row.flag(6)?,
        at_reference: row.flag(7)?,
        compiler,
        flags,
        base,
    })
}
