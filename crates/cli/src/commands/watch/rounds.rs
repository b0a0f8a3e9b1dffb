//! The rounds of a watch: the first measures, each further one compares the state before a change with the one after it.

use crate::failure::Failure;
use crate::output;
use crate::pipeline::Prepared;
use crate::request;
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tare_analysis::gate::Gate;
use tare_analysis::{compare_saved, Saved, SavedOptions};
use tare_build::toolchain;
use tare_engine::{CatalogEntry, PairingError};
use tare_model::{Artifact, Job, Run, SideFacts};
use tare_report::{ComparisonSubject, Subject};

const BEFORE: &str = "before";
const NOW: &str = "now";

pub struct Rounds<'a> {
    pub session: Session<'a>,
    pub job: Job,
    pub known: Earlier,
}

#[derive(Default)]
pub struct Earlier {
    before: Option<Prepared>,
    /// The last measurements of each program alone, for programs whose old state is lost after a change, such as scripts.
    last: BTreeMap<String, Saved>,
}

impl Rounds<'_> {
    /// Measures the programs: alone the first time, then against their previous state.
    pub fn measure(&mut self, prepared: Prepared) -> Result<(), Failure> {
        let Some(before) = self.known.before.take() else {
            let kept = prepared.clone();
            self.run(prepared.narrow(&self.session.settings.selection, self.session.console)?)?;
            self.known.before = Some(kept);
            return Ok(());
        };
        let names = changed_programs(&before, &prepared);
        // A program that failed to build keeps its previous state for the next round.
        let failed = before.artifacts.iter().filter(|old| prepared.failed.iter().any(|new| new.program == old.name));
        let kept = with(&prepared, &before, &failed.map(|artifact| artifact.name.clone()).collect::<Vec<_>>());
        let result = if names.is_empty() {
            self.session.console.note("the programs are the same as before: nothing to measure");
            Ok(())
        } else {
            self.compare(&before, &prepared, &names)
        };
        // After a failure the next change is compared with the last state that worked.
        self.known.before = Some(if result.is_ok() { kept } else { before });
        result
    }

    /// Measures changed programs: together with their previous state if it still exists, else alone.
    fn compare(&mut self, before: &Prepared, now: &Prepared, changed: &[String]) -> Result<(), Failure> {
        let [there, gone, new] = by_what_was(before, changed);
        if !there.is_empty() {
            self.compare_in_turn([before, now].map(|side| only(side, &there)))?;
            // Results of these programs alone are outdated now.
            self.known.last.retain(|name, _| !there.contains(name));
        }
        for name in gone {
            self.compare_runs(&name, only(now, std::slice::from_ref(&name)))?;
        }
        if !new.is_empty() {
            self.session.console.note("this program is new, so it is measured on its own");
            if let Some(new) = self.narrowed(only(now, &new)) {
                self.run(new)?;
            }
        }
        Ok(())
    }

    fn narrowed(&self, programs: Prepared) -> Option<Prepared> {
        let entries = programs.selected(&self.session.settings.selection, &[]);
        let left = Prepared { entries, ..programs }.without_empty();
        if left.entries.is_empty() {
            self.session.console.note("no selected benchmark is in the changed code");
            return None;
        }
        Some(left)
    }

    /// Measures a program whose previous state is gone, and compares it with its last measurements.
    fn compare_runs(&mut self, name: &str, new: Prepared) -> Result<(), Failure> {
        let Some(new) = self.narrowed(new) else { return Ok(()) };
        let last = self.known.last.remove(name);
        let now = Saved { name: NOW.into(), ..Saved::from_run(&self.run(new)?) };
        let Some(last) = last else {
            self.session
                .console
                .note("the program before the change is gone, and so are its runs: there is nothing to compare with");
            return Ok(());
        };
        self.session.console.note("the program before the change is gone, so two consecutive runs are compared");
        let mut base = Saved { name: BEFORE.into(), ..last };
        // That run may contain other programs.
        let is_now = |key: &str| now.cases.iter().any(|new| new.key == key);
        base.cases.retain(|old| is_now(&old.key));
        base.failed.retain(|old| is_now(&old.key));
        let comparison = compare_saved(&base, &now, &SavedOptions::default());
        self.show(Box::new(ComparisonSubject::saved(comparison)), false)
    }

    fn compare_in_turn(&mut self, [old, new]: [Prepared; 2]) -> Result<(), Failure> {
        let silent = self.session.console.silent();
        let paired = match self.session.pair([old, new.clone()], &[], &self.session.settings.selection) {
            Err(PairingError::NothingInCommon { .. }) => {
                self.session.console.note("no benchmark has its old name, so they are measured on their own");
                let selection = &self.session.settings.selection;
                return self.run(new.narrow(selection, self.session.console)?).map(drop);
            }
            Err(PairingError::NothingMatched { .. }) => {
                self.session.console.note("no selected benchmark is in the changed code");
                return Ok(());
            }
            Ok(paired) => paired,
        };
        let policy = Session { console: &silent, ..self.session }.policy_of(&paired);
        let sides = [BEFORE, NOW].map(|name| SideFacts { name: name.to_owned(), ..SideFacts::default() });
        let start = self.session.start_of_pairs(paired, sides, policy, &self.job, PathBuf::from("."));
        let done = self.session.measure_times(start)?;
        let report = tare_analysis::analyse(&done.run);
        let shown = self.show(tare_report::of_run(&done.run, &report), done.saved);
        output::both(shown, done.broken, self.session.console)
    }

    fn run(&mut self, prepared: Prepared) -> Result<Run, Failure> {
        let amount = &self.session.settings.amount;
        let mut plan = tare_engine::plan(&prepared.entries, amount.policy(), request::seed(amount));
        let cases = plan.cases.len();
        amount.set_budget(&mut plan.policy, cases);
        let done = self.session.measure_times(self.session.start(prepared, vec![self.job.clone()], plan))?;
        let run = done.run.clone();
        self.session.conclude(done, &Gate::default())?;
        let saved = Saved::from_run(&run);
        for (at, artifact) in run.artifacts.iter().enumerate() {
            let is_its = |key: &str| run.plan.cases.iter().any(|case| case.artifact as usize == at && case.key == key);
            // A benchmark without a new time keeps its previous one.
            if saved.cases.iter().any(|case| is_its(&case.key) && !case.launches.is_empty()) {
                self.known.last.insert(artifact.name.clone(), saved.clone());
            }
        }
        Ok(run)
    }

    fn show<'s>(&self, subject: Box<dyn Subject + 's>, saved: bool) -> Result<(), Failure> {
        let Session { settings, console, .. } = self.session;
        output::show(&self.session.shown(subject, saved, &Gate::default()), &settings.forms, console).map(drop)
    }
}

fn changed_programs(before: &Prepared, now: &Prepared) -> Vec<String> {
    let same = |a: &Artifact, b: &Artifact| a.name == b.name && a.hash == b.hash;
    let is_other = |artifact: &&Artifact| !before.artifacts.iter().any(|known| same(known, artifact));
    now.artifacts.iter().filter(is_other).map(|artifact| artifact.name.clone()).collect()
}

/// Splits programs by their previous state: still there, gone, or new.
fn by_what_was(before: &Prepared, names: &[String]) -> [Vec<String>; 3] {
    let mut all: [Vec<String>; 3] = Default::default();
    for name in names {
        let old: Vec<&Artifact> = before.artifacts.iter().filter(|old| old.name == *name).collect();
        let is_there = || old.iter().all(|old| toolchain::is_as_measured(old).is_ok());
        let at = match old.is_empty() {
            true => 2,
            false => usize::from(!is_there()),
        };
        all[at].push(name.clone());
    }
    all
}

fn only(prepared: &Prepared, names: &[String]) -> Prepared {
    let mut found = Prepared { artifacts: Vec::new(), entries: Vec::new(), ..prepared.clone() };
    for entry in &prepared.entries {
        let Some(artifact) = prepared.artifacts.get(entry.artifact as usize) else { continue };
        if names.contains(&artifact.name) {
            found.entries.push(CatalogEntry { artifact: found.artifacts.len() as u32, ..entry.clone() });
            found.artifacts.push(artifact.clone());
        }
    }
    found
}

fn with(now: &Prepared, before: &Prepared, names: &[String]) -> Prepared {
    let mut all = now.clone();
    let added = only(before, names);
    for entry in added.entries {
        let artifact = added.artifacts[entry.artifact as usize].clone();
        all.entries.push(CatalogEntry { artifact: all.artifacts.len() as u32, ..entry });
        all.artifacts.push(artifact);
    }
    all
}
