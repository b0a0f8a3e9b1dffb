//! The end of a bisection: all that was found, and the commit that was found against the one before it.

use super::journal::Last;
use super::measure::{Bench, Sought};
use super::outcome::{self, Base, Compared, End, Outcome, TriedCommit};
use super::{compared, load, Search};
use crate::failure::Failure;
use tare_model::RunStatus;
use tare_stats::bisection::Bisection;

impl Search<'_> {
    /// All that was found, with the culprit against its parent.
    pub fn outcome(
        &mut self,
        bench: &Bench,
        sought: &Sought,
        bisection: Bisection,
        ends: Compared,
        end: End,
    ) -> Outcome {
        let tried = self.tried(&bisection);
        let failed = load(self.store, &ends.run).map(|run| compared(&run).failed).unwrap_or_default();
        let mut outcome = Outcome {
            name: sought.name(),
            names: self.names.clone(),
            good: self.between.good.clone(),
            commits: self.between.commits.clone(),
            posterior: bisection.posterior(),
            tried,
            ends,
            end,
            against_parent: None,
            trouble: None,
            failed,
            elapsed_s: 0.0,
        };
        if let Some((base, new)) = outcome.last_pair(bisection.history()) {
            let mut compared = self.last(bench, sought, (&base, new), &outcome.ends);
            // One that is older than the good end may lack the benchmark, or not build.
            if let (Base::Outside(id), Err(failure)) = (&base, &compared) {
                if !tare_process::interrupted() {
                    let (id, why) = (outcome::shortened(id, &outcome.good), failure.what());
                    outcome.trouble = Some(format!("{id}: {}", why.lines().next().unwrap_or_default()));
                    compared = self.last(bench, sought, (&Base::Good, new), &outcome.ends);
                }
            }
            match compared {
                Ok(compared) => outcome.against_parent = Some(compared),
                Err(failure) => outcome.trouble = Some(failure.what()),
            }
        }
        outcome.elapsed_s = self.start.elapsed().as_secs_f64();
        outcome
    }

    fn tried(&self, bisection: &Bisection) -> Vec<TriedCommit> {
        let journal = self.journal.iter().flat_map(|journal| &journal.tried);
        let mut all: Vec<TriedCommit> = Vec::new();
        for tried in journal {
            let Some(commit) = self.place(&tried.commit) else { continue };
            let level = tried.run.as_ref().and_then(|id| load(self.store, id).ok());
            let level = level.as_ref().and_then(tare_analysis::contrast).map(|contrast| contrast.level);
            match all.iter_mut().find(|known| known.commit == commit) {
                Some(known) => {
                    known.levels.extend(level);
                    known.runs.extend(tried.run.clone());
                    known.passing = tried.passing;
                    known.reason = tried.reason.clone().filter(|_| known.runs.is_empty());
                }
                None => all.push(TriedCommit {
                    commit,
                    levels: level.into_iter().collect(),
                    runs: tried.run.iter().cloned().collect(),
                    bad: bisection.distance(commit).map(|distance| distance.bad()),
                    reason: tried.reason.clone(),
                    passing: tried.passing,
                }),
            }
        }
        all.sort_by_key(|tried| tried.commit);
        all
    }

    /// The culprit against its parent. Where these are the ends, they were compared.
    fn last(
        &mut self,
        bench: &Bench,
        sought: &Sought,
        (base, new): (&Base, usize),
        ends: &Compared,
    ) -> Result<Compared, Failure> {
        let of = |place: usize| {
            let commit = &self.between.commits[place].commit;
            (commit.id.clone(), commit.short.clone())
        };
        let (base_id, base_name) = match base {
            Base::Good => (self.between.good.id.clone(), self.names[0].clone()),
            Base::Between(place) => of(*place),
            Base::Outside(id) => (id.clone(), outcome::shortened(id, &self.between.good)),
        };
        let (new_id, new_name) = of(new);
        let of_parent = self.between.commits[new].first_parent.as_ref() == Some(&base_id);
        if *base == Base::Good && new + 1 == self.between.commits.len() {
            return Ok(Compared { of_parent, ..ends.clone() });
        }
        let commits = [base_id, new_id];
        let before = self.journal.as_ref().and_then(|journal| journal.last.as_ref());
        let before = before.filter(|last| last.commits == commits).and_then(|last| load(self.store, &last.run).ok());
        let run = match before {
            Some(run) => run,
            None => {
                self.progress(&format!("{new_name} against {base_name}"));
                let sides = [bench.revision(&commits[0], &base_name)?, bench.revision(&commits[1], &new_name)?];
                bench.compare(sides, Some(sought))?
            }
        };
        if let Some(journal) = self.journal.as_mut().filter(|_| run.status == RunStatus::Finished) {
            journal.last = Some(Last { commits, run: run.id.clone() });
            journal.write(self.store)?;
        }
        let row = compared(&run).rows.into_iter().find(|row| row.metric.is_none());
        match row {
            _ if run.status != RunStatus::Finished => Err(Failure::Interrupted),
            Some(row) => Ok(Compared { of_parent, base: base_name, row, run: run.id }),
            None => Err(Failure::Undecided { what: "the benchmark failed".to_owned(), hint: String::new() }),
        }
    }
}
