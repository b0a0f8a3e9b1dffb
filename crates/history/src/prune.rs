//! Leaving old runs out of a history.

use crate::{HistoryError, HistoryFile};
use rusqlite::TransactionBehavior;
use std::collections::BTreeSet;

/// Which runs stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// The newest so many of each machine.
    Newest(usize),
    /// Those made at or after this time: UTC, RFC 3339.
    Since(String),
}

impl HistoryFile {
    /// Drops the runs that are not to be kept and says which, the oldest first; those in `named` always stay.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn prune(&mut self, keep: &Keep, named: &BTreeSet<String>) -> Result<Vec<String>, HistoryError> {
        let mut dropped: Vec<(i64, String)> = Vec::new();
        for machine in self.machines()? {
            let runs = self.all(
                "SELECT id, run, created FROM run WHERE machine = ?1 ORDER BY created, id",
                [machine.id],
                |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
            )?;
            let newest = match keep {
                Keep::Newest(count) => runs.len().saturating_sub(*count),
                Keep::Since(time) => runs.iter().filter(|(.., created)| created < time).count(),
            };
            let old = runs.into_iter().take(newest).map(|(id, run, _)| (id, run));
            dropped.extend(old.filter(|(_, run)| !named.contains(run)));
        }
        if dropped.is_empty() {
            return Ok(Vec::new());
        }
        let of = HistoryError::of(&self.path);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&of)?;
        {
            let mut values = transaction.prepare("DELETE FROM point WHERE run = ?1").map_err(&of)?;
            let mut runs = transaction.prepare("DELETE FROM run WHERE id = ?1").map_err(&of)?;
            for (id, _) in &dropped {
                values.execute([id]).map_err(&of)?;
                runs.execute([id]).map_err(&of)?;
            }
        }
        // Names that no value has any more.
        transaction
            .execute_batch(
                "DELETE FROM series WHERE id NOT IN (SELECT series FROM point);
                 DELETE FROM build WHERE id NOT IN (SELECT build FROM point);
                 DELETE FROM base WHERE id NOT IN (SELECT base FROM point WHERE base IS NOT NULL);
                 DELETE FROM machine WHERE id NOT IN (SELECT machine FROM run);",
            )
            .map_err(&of)?;
        transaction.commit().map_err(&of)?;
        // The runs are gone. Where there is no space for a smaller file, or somebody reads this one, the next time makes it small.
        let _ = self.connection.execute_batch("VACUUM");
        Ok(dropped.into_iter().map(|(_, run)| run).collect())
    }
}
