//! Asking: which machines, which benchmarks, their values.

use crate::{HistoryError, HistoryFile};
use rusqlite::{params, Row};
use std::collections::{BTreeSet, HashMap};
use tare_analysis::history::{HistoryBase, HistoryMachine, HistoryPoint, HistoryRun, Kept};
use tare_stats::Interval;

/// A machine that has runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Its number in the file.
    pub id: i64,
    /// What it is.
    pub machine: HistoryMachine,
    /// How many runs it has.
    pub runs: usize,
}

/// A benchmark that has values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its number in the file.
    pub id: i64,
    /// Unique and stable name.
    pub key: String,
    /// `group/name[n=10]`.
    pub name: String,
    /// Name of the job.
    pub job: String,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The machine: [`Machine::id`].
    pub machine: i64,
    /// Only these benchmarks ([`Case::id`]); None: all.
    pub cases: Option<Vec<i64>>,
    /// The newest so many runs that have any of them.
    pub last: usize,
}

impl HistoryFile {
    /// The machines, that of the newest run first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn machines(&self) -> Result<Vec<Machine>, HistoryError> {
        self.all(
            "SELECT machine.id, cpu, processors, architecture, count(*)
             FROM machine JOIN run ON run.machine = machine.id GROUP BY machine.id ORDER BY max(created) DESC, max(run.id) DESC",
            [],
            |row| {
                let machine = HistoryMachine { cpu: row.get(1)?, processors: row.get(2)?, architecture: row.get(3)? };
                Ok(Machine { id: row.get(0)?, machine, runs: row.get::<_, i64>(4)? as usize })
            },
        )
    }

    /// The benchmarks.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn cases(&self) -> Result<Vec<Case>, HistoryError> {
        self.all("SELECT id, key, name, job FROM series ORDER BY name, key, job", [], |row| {
            Ok(Case { id: row.get(0)?, key: row.get(1)?, name: row.get(2)?, job: row.get(3)? })
        })
    }

    /// The runs of a range, the oldest first, how many older ones there are, and their values.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, range: &Range) -> Result<(Vec<HistoryRun>, usize, Vec<Kept>), HistoryError> {
        // One view of the file: a run that is added meanwhile is in all of it or in nothing.
        let of = HistoryError::of(&self.path);
        let _view = self.connection.unchecked_transaction().map_err(of)?;
        let mut runs = self.runs(range)?;
        let older = runs.len().saturating_sub(range.last);
        runs.drain(..older);
        let places: HashMap<i64, usize> = runs.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
        let first = places.keys().copied().min().unwrap_or(0);
        let mut kept = Vec::new();
        let names = self.names()?;
        for case in self.cases()? {
            if range.cases.as_ref().is_none_or(|asked| asked.contains(&case.id)) {
                self.values(&case, first, &places, &names, &mut kept)?;
            }
        }
        Ok((runs.into_iter().map(|(_, run)| run).collect(), older, kept))
    }

    /// All runs of the machine that have one of the benchmarks.
    fn runs(&self, range: &Range) -> Result<Vec<(i64, HistoryRun)>, HistoryError> {
        let machine =
            HashMap::<i64, HistoryMachine>::from_iter(self.machines()?.into_iter().map(|m| (m.id, m.machine)));
        let of_machine = machine.get(&range.machine).cloned().unwrap_or_default();
        let mut runs = self.all(
            "SELECT id, run, created, tare, method, os, revision, dirty, cycle_ns, minimum_effect, command, failed
             FROM run WHERE machine = ?1 ORDER BY created, id",
            [range.machine],
            |row| run(row, &of_machine),
        )?;
        if let Some(cases) = &range.cases {
            let mut having = BTreeSet::new();
            for case in cases {
                let of_case = "SELECT run FROM point WHERE series = ?1";
                having.extend(self.all(of_case, [*case], |row| row.get::<_, i64>(0))?);
            }
            let asked = self.cases()?.into_iter().filter(|case| cases.contains(&case.id));
            let asked: BTreeSet<(String, String)> = asked.map(|case| (case.name, case.job)).collect();
            let has_failed =
                |run: &HistoryRun| run.failed.iter().any(|f| asked.contains(&(f.name.clone(), f.job.clone())));
            runs.retain(|(id, run)| having.contains(id) || has_failed(run));
        }
        Ok(runs)
    }

    /// Compilers and bases: there are few, so a value has their number and no join brings them.
    fn names(&self) -> Result<Names, HistoryError> {
        let of_build = |row: &Row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?]));
        let builds = self.all("SELECT id, compiler, flags FROM build", [], of_build)?;
        let bases = self.all("SELECT id, name, identity FROM base", [], of_build)?;
        Ok(Names { builds: builds.into_iter().collect(), bases: bases.into_iter().collect() })
    }

    fn values(
        &self,
        case: &Case,
        first: i64,
        places: &HashMap<i64, usize>,
        names: &Names,
        kept: &mut Vec<Kept>,
    ) -> Result<(), HistoryError> {
        let all = self.all(
            "SELECT run, time_ns, lower_ns, upper_ns, is_cpu_time, is_shared, at_reference, ratio, ratio_lower, ratio_upper, build, base
             FROM point WHERE series = ?1 AND run >= ?2",
            params![case.id, first],
            |row| {
                let Some(&run) = places.get(&row.get(0)?) else { return Ok(None) };
                Ok(Some(Kept { run, point: point(row, case, names)? }))
            },
        )?;
        kept.extend(all.into_iter().flatten());
        Ok(())
    }

    pub(crate) fn all<T>(
        &self,
        query: &str,
        with: impl rusqlite::Params,
        make: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, HistoryError> {
        let of = HistoryError::of(&self.path);
        // One for each benchmark would else be translated as often as there are benchmarks.
        let mut statement = self.connection.prepare_cached(query).map_err(&of)?;
        let rows = statement.query_map(with, make).map_err(&of)?;
        rows.collect::<rusqlite::Result<Vec<T>>>().map_err(of)
    }
}

fn run(row: &Row, machine: &HistoryMachine) -> rusqlite::Result<(i64, HistoryRun)> {
    let (command, failed): (String, String) = (row.get(10)?, row.get(11)?);
    let run = HistoryRun {
        run: row.get(1)?,
        created: row.get(2)?,
        tare: row.get(3)?,
        method: row.get(4)?,
        machine: machine.clone(),
        os: row.get(5)?,
        revision: row.get(6)?,
        dirty: row.get(7)?,
        cycle_ns: row.get(8)?,
        minimum_effect: row.get(9)?,
        command: serde_json::from_str(&command).unwrap_or_default(),
        failed: serde_json::from_str(&failed).unwrap_or_default(),
    };
    Ok((row.get(0)?, run))
}

/// Names that many values share, by their number: compiler and flags, name and identity.
struct Names {
    builds: HashMap<i64, [String; 2]>,
    bases: HashMap<i64, [String; 2]>,
}

fn point(row: &Row, case: &Case, names: &Names) -> rusqlite::Result<HistoryPoint> {
    let interval = |lower: Option<f64>, upper: Option<f64>| Some(Interval { lower: lower?, upper: upper? });
    let ratio: Option<f64> = row.get(7)?;
    let ratio_interval = interval(row.get(8)?, row.get(9)?);
    let of_base = row.get::<_, Option<i64>>(11)?.and_then(|id| names.bases.get(&id));
    let base = of_base.zip(ratio).map(|([name, identity], ratio)| HistoryBase {
        name: name.clone(),
        identity: identity.clone(),
        ratio,
        // Ends that were infinite.
        interval: ratio_interval.unwrap_or(Interval { lower: 0.0, upper: f64::INFINITY }),
    });
    let [compiler, flags] = names.builds.get(&row.get(10)?).cloned().unwrap_or_default();
    Ok(HistoryPoint {
        key: case.key.clone(),
        name: case.name.clone(),
        job: case.job.clone(),
        time_ns: row.get(1)?,
        interval: interval(row.get(2)?, row.get(3)?),
        is_cpu_time: row.get(4)?,
        is_shared: row.get(5)?,
        at_reference: row.get(6)?,
        compiler,
        flags,
        base,
    })
}
