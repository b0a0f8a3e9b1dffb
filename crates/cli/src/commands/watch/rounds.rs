//! The rounds of a watch: the first measures, each further one compares what was before the change with what is now.

use super::super::compare::live::side_catalog;
use super::super::output;
use super::super::run::Ending;
use crate::console::Console;
use crate::diagnose;
use crate::failure::Failure;
use crate::forms::{Form, Forms};
use crate::jobs;
use crate::machine_profile;
use crate::pipeline::Prepared;
use crate::recording::{self, Done, Recorded, Start};
use crate::request::PlanRequest;
use std::collections::BTreeMap;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::{compare_saved, RowOrder, Saved, SavedOptions};
use tare_build::toolchain;
use tare_engine::{pair, CatalogEntry, PairingError, Selection};
use tare_model::{Artifact, Job, Missing, Request, Run, SideFacts};
use tare_report::{ComparisonSubject, Subject, EXPORTERS};
use tare_store::Store;

const BEFORE: &str = "before";
const NOW: &str = "now";

pub struct Rounds<'a> {
    pub request: &'a Request,
    pub selection: Selection,
    pub keep: bool,
    pub amount: PlanRequest,
    pub job: Job,
    pub store: &'a Store,
    pub console: &'a Console,
    pub known: Known,
}

#[derive(Default)]
pub struct Known {
    before: Option<Prepared>,
    /// The last measurements of each program by itself: what one is compared with that is gone once it changed, such as a script.
    last: BTreeMap<String, Saved>,
}

impl Rounds<'_> {
    pub fn timeout_s(&self) -> f64 {
        self.amount.policy().timeout_s
    }

    /// Measures what was built: the first time by itself, then with what was before.
    pub fn measure(&mut self, prepared: Prepared) -> Result<(), Failure> {
        let Some(before) = self.known.before.take() else {
            let kept = prepared.clone();
            self.run(prepared.narrow(&self.selection, self.console)?)?;
            self.known.before = Some(kept);
            return Ok(());
        };
        let names = changed_programs(&before, &prepared);
        // What could not be built now stays as it was, for the next round.
        let failed = before.artifacts.iter().filter(|old| prepared.failed.iter().any(|new| new.program == old.name));
        let kept = with(&prepared, &before, &failed.map(|artifact| artifact.name.clone()).collect::<Vec<_>>());
        let result = if names.is_empty() {
            self.console.note("the programs are the same as before: nothing to measure");
            Ok(())
        } else {
            self.compare(&before, &prepared, &names)
        };
        // After a failure the next change is compared with what worked.
        self.known.before = Some(if result.is_ok() { kept } else { before });
        result
    }

    /// Measures the programs that changed: those that are still there before the change together with them, the others by themselves.
    fn compare(&mut self, before: &Prepared, now: &Prepared, changed: &[String]) -> Result<(), Failure> {
        let [there, gone, new] = by_what_was(before, changed);
        if !there.is_empty() {
            self.compare_in_turn([before, now].map(|side| only(side, &there)))?;
            // What is known of them by themselves is older than what was before the change.
            self.known.last.retain(|name, _| !there.contains(name));
        }
        for name in gone {
            self.compare_runs(&name, only(now, std::slice::from_ref(&name)))?;
        }
        if !new.is_empty() {
            self.console.note("this program is new, so it is measured on its own");
            if let Some(new) = self.narrowed(only(now, &new)) {
                self.run(new)?;
            }
        }
        Ok(())
    }

    /// What the selection takes; None where that is nothing.
    fn narrowed(&self, programs: Prepared) -> Option<Prepared> {
        let entries = programs.selected(&self.selection, &[]);
        let left = Prepared { entries, ..programs }.without_empty();
        if left.entries.is_empty() {
            self.console.note("no selected benchmark is in the changed code");
            return None;
        }
        Some(left)
    }

    /// Measures a program whose state before the change is gone, and compares it with what was measured of it.
    fn compare_runs(&mut self, name: &str, new: Prepared) -> Result<(), Failure> {
        let Some(new) = self.narrowed(new) else { return Ok(()) };
        let last = self.known.last.remove(name);
        let now = Saved { name: NOW.into(), ..Saved::from_run(&self.run(new)?) };
        let Some(last) = last else {
            self.console
                .note("the program before the change is gone, and so are its runs: there is nothing to compare with");
            return Ok(());
        };
        self.console.note("the program before the change is gone, so two consecutive runs are compared");
        let mut base = Saved { name: BEFORE.into(), ..last };
        // That run may be of other programs too.
        let is_now = |key: &str| now.cases.iter().any(|new| new.key == key);
        base.cases.retain(|old| is_now(&old.key));
        base.failed.retain(|old| is_now(&old.key));
        let comparison = compare_saved(&base, &now, &SavedOptions::default());
        self.show(Box::new(ComparisonSubject::saved(comparison)), false)
    }

    fn compare_in_turn(&mut self, [old, new]: [Prepared; 2]) -> Result<(), Failure> {
        let policy = self.amount.effort.comparison_policy();
        let seed = self.amount.seed();
        let paired = pair(side_catalog(old), side_catalog(new.clone()), &[], &self.selection, policy, seed);
        let paired = match paired {
            Err(PairingError::NothingInCommon { .. }) => {
                self.console.note("no benchmark has its old name, so they are measured on their own");
                return self.run(new.narrow(&self.selection, self.console)?).map(drop);
            }
            Err(PairingError::NothingMatched { .. }) => {
                self.console.note("no selected benchmark is in the changed code");
                return Ok(());
            }
            Ok(paired) => paired,
        };
        let pairs = paired.plan.groups.len();
        let policy = self.amount.comparison_policy(&paired.artifacts, pairs, |least, varies| {
            machine_profile::calibration().map_or(least, |calibration| calibration.minimum_effect(least, varies))
        });
        let sides = [BEFORE, NOW].map(|name| SideFacts { name: name.to_owned(), ..SideFacts::default() });
        let of = (self.request, Path::new("."));
        let done = self.measured(Start::of_pairs(paired, sides, policy, self.job.clone(), of))?;
        let report = tare_analysis::analyse(&done.run);
        let shown = self.show(tare_report::of_run(&done.run, &report), done.saved);
        output::both(shown, done.broken, self.console)
    }

    fn run(&mut self, prepared: Prepared) -> Result<Run, Failure> {
        let seed = self.amount.seed();
        let mut plan = tare_engine::plan(&prepared.entries, self.amount.policy(), seed);
        let cases = plan.cases.len();
        self.amount.set_budget(&mut plan.policy, cases);
        tare_engine::side_by_side(&mut plan, &prepared.artifacts);
        let missing = Missing { alone: Vec::new(), failed: prepared.failed };
        let (artifacts, jobs) = (prepared.artifacts, vec![self.job.clone()]);
        let done = self.measured(Start {
            artifacts,
            jobs,
            sides: None,
            missing,
            plan,
            request: self.request.clone(),
            code: Path::new("."),
        })?;
        let run = done.run.clone();
        let gate = Gate::default();
        let forms = screen();
        let ending = Ending { request: self.request, forms: &forms, order: RowOrder::Declared, gate: &gate, top: None };
        ending.conclude(done, self.console)?;
        let saved = Saved::from_run(&run);
        for (at, artifact) in run.artifacts.iter().enumerate() {
            let is_its = |key: &str| run.plan.cases.iter().any(|case| case.artifact as usize == at && case.key == key);
            // One that has no time now keeps what it had.
            if saved.cases.iter().any(|case| is_its(&case.key) && !case.launches.is_empty()) {
                self.known.last.insert(artifact.name.clone(), saved.clone());
            }
        }
        Ok(run)
    }

    fn measured(&self, mut start: Start) -> Result<Done, Failure> {
        jobs::set_strategies(&mut start.plan, &start.jobs);
        let none = diagnose::none(&mut start.plan);
        recording::measure_start(start, none, self.store, Recorded::kept(self.keep), self.console)
    }

    fn show<'s>(&self, subject: Box<dyn Subject + 's>, saved: bool) -> Result<(), Failure> {
        output::show(&output::shown(subject, saved, &Gate::default(), &screen(), self.console), &screen(), self.console)
            .map(drop)
    }
}

fn screen() -> Forms {
    Forms { printed: Form::Exporter(EXPORTERS[0]), outputs: Vec::new(), md_limit: None }
}

fn changed_programs(before: &Prepared, now: &Prepared) -> Vec<String> {
    let same = |a: &Artifact, b: &Artifact| a.name == b.name && a.hash == b.hash;
    let is_other = |artifact: &&Artifact| !before.artifacts.iter().any(|known| same(known, artifact));
    now.artifacts.iter().filter(is_other).map(|artifact| artifact.name.clone()).collect()
}

/// The programs of these names whose state before is still there, those where it is gone, and those that were not there.
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
