use crate::engine::{all, execute, within, Access, Engine};
use crate::{HistoryDb, HistoryError};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// The newest runs of each machine.
    Newest(usize),
    /// Runs since this time: UTC, RFC 3339.
    Since(String),
}

impl HistoryDb {
    /// Removes runs of a project and returns which, oldest first; those in `named` always stay.
    pub fn prune(&mut self, project: &str, keep: &Keep, named: &BTreeSet<String>) -> Result<Vec<String>, HistoryError> {
        let dropped = within(self.engine.as_mut(), Access::Write, |engine| {
            let dropped = old(engine, project, keep, named)?;
            for (id, _) in &dropped {
                execute(engine, "DELETE FROM point WHERE run = ?1", &[(*id).into()])?;
                execute(engine, "DELETE FROM run WHERE id = ?1", &[(*id).into()])?;
            }
            // Names without values.
            for sql in [
                "DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM point WHERE point.series = series.id)",
                "DELETE FROM build WHERE id NOT IN (SELECT build FROM point)",
                "DELETE FROM base WHERE id NOT IN (SELECT base FROM point WHERE base IS NOT NULL)",
                "DELETE FROM machine WHERE id NOT IN (SELECT machine FROM run)",
            ] {
                if !dropped.is_empty() {
                    execute(engine, sql, &[])?;
                }
            }
            Ok(dropped)
        })?;
        if !dropped.is_empty() {
            self.engine.compact();
        }
        Ok(dropped.into_iter().map(|(_, run)| run).collect())
    }
}

fn old(
    engine: &mut dyn Engine,
    project: &str,
    keep: &Keep,
    named: &BTreeSet<String>,
) -> Result<Vec<(i64, String)>, HistoryError> {
    let sql = "SELECT machine, id, run, created FROM run WHERE project = ?1 ORDER BY machine, created, id";
    let runs = all(engine, sql, &[project.into()], |row| Ok((row.int(0)?, row.int(1)?, row.text(2)?, row.text(3)?)))?;
    let mut dropped = Vec::new();
    for of_machine in runs.chunk_by(|a, b| a.0 == b.0) {
        let old = match keep {
            Keep::Newest(count) => of_machine.len().saturating_sub(*count),
            Keep::Since(time) => of_machine.iter().filter(|(.., created)| created < time).count(),
        };
        dropped.extend(of_machine.iter().take(old).map(|(_, id, run, _)| (*id, run.clone())));
    }
    dropped.retain(|(_, run)| !named.contains(run));
    Ok(dropped)
}
