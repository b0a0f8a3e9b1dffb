//! User annotations of a history: renamed benchmarks and accepted changes.

use crate::engine::{all, execute, within, Access};
use crate::{HistoryDb, HistoryError};
use tare_analysis::history::Accepted;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub old: String,
    pub new: String,
}

impl HistoryDb {
    pub fn renames(&mut self, project: &str) -> Result<Vec<Renamed>, HistoryError> {
        let sql = "SELECT old, new FROM renamed WHERE project = ?1 ORDER BY old";
        all(self.engine.as_mut(), sql, &[project.into()], |row| Ok(Renamed { old: row.text(0)?, new: row.text(1)? }))
    }

    /// Stores renames, replacing earlier ones of the same benchmarks.
    pub fn rename(&mut self, project: &str, renames: &[Renamed]) -> Result<(), HistoryError> {
        let known = self.renames(project)?;
        let new: Vec<&Renamed> = renames.iter().filter(|one| !known.contains(one)).collect();
        if new.is_empty() {
            return Ok(());
        }
        within(self.engine.as_mut(), Access::Write, |engine| {
            for one in new {
                let sql = "INSERT INTO renamed (project, old, new) VALUES (?1, ?2, ?3)
                           ON CONFLICT (project, old) DO UPDATE SET new = excluded.new";
                execute(engine, sql, &[project.into(), (&one.old).into(), (&one.new).into()])?;
            }
            Ok(())
        })
    }

    /// Removes the rename of a benchmark; false if there was none.
    pub fn forget_rename(&mut self, project: &str, old: &str) -> Result<bool, HistoryError> {
        let sql = "DELETE FROM renamed WHERE project = ?1 AND old = ?2 RETURNING old";
        within(self.engine.as_mut(), Access::Write, |engine| {
            Ok(!all(engine, sql, &[project.into(), old.into()], |row| row.text(0))?.is_empty())
        })
    }

    pub fn accepted(&mut self, project: &str) -> Result<Vec<Accepted>, HistoryError> {
        let sql = "SELECT key, job, run, created, reason FROM accepted WHERE project = ?1 ORDER BY key, job";
        all(self.engine.as_mut(), sql, &[project.into()], |row| {
            Ok(Accepted {
                key: row.text(0)?,
                job: row.text(1)?,
                run: row.text(2)?,
                created: row.text(3)?,
                reason: row.text(4)?,
            })
        })
    }

    pub fn accept(&mut self, project: &str, changes: &[Accepted]) -> Result<(), HistoryError> {
        within(self.engine.as_mut(), Access::Write, |engine| {
            for one in changes {
                let sql =
                    "INSERT INTO accepted (project, key, job, run, created, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                           ON CONFLICT (project, key, job)
                           DO UPDATE SET run = excluded.run, created = excluded.created, reason = excluded.reason";
                let with = [&one.key, &one.job, &one.run, &one.created, &one.reason].map(|text| text.into());
                execute(engine, sql, &[&[project.into()][..], &with].concat())?;
            }
            Ok(())
        })
    }

    /// Withdraws the acceptance of a benchmark's changes; false if there was none.
    pub fn forget_accepted(&mut self, project: &str, key: &str, job: &str) -> Result<bool, HistoryError> {
        let sql = "DELETE FROM accepted WHERE project = ?1 AND key = ?2 AND job = ?3 RETURNING key";
        let with = [project.into(), key.into(), job.into()];
        within(
            self.engine.as_mut(),
            Access::Write,
            |engine| Ok(!all(engine, sql, &with, |row| row.text(0))?.is_empty()),
        )
    }
}
