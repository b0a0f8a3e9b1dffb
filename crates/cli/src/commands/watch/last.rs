//! The last measurements of each program by itself: what a program is compared with that is gone once it changed, such as a script.

use std::collections::{BTreeMap, BTreeSet};
use tare_analysis::{fact, Saved};
use tare_model::Run;

/// By the names of programs.
#[derive(Debug, Default)]
pub struct Last(BTreeMap<String, Saved>);

impl Last {
    /// Takes over the programs that a run measured. One of which it has no time keeps what it had.
    pub fn keep(&mut self, run: &Run) {
        let all = Saved::from_run(run);
        for (at, artifact) in run.artifacts.iter().enumerate() {
            let own = run.plan.cases.iter().filter(|case| case.artifact as usize == at);
            let part = part(&all, &own.map(|case| case.key.as_str()).collect());
            if part.cases.iter().any(|case| !case.launches.is_empty()) {
                self.0.insert(artifact.name.clone(), part);
            }
        }
    }

    /// These programs were measured since, together with others: what is known of them is older than what was before a change.
    pub fn forget(&mut self, programs: &[String]) {
        self.0.retain(|name, _| !programs.contains(name));
    }

    /// What is known of these programs, as one side of a comparison.
    pub fn of(&self, programs: &[String]) -> Option<Saved> {
        let mut parts: Vec<&Saved> = programs.iter().filter_map(|name| self.0.get(name)).collect();
        // What is said of the whole side is that of the newest.
        parts.sort_by(|a, b| b.machine.get(fact::DATE).cmp(&a.machine.get(fact::DATE)));
        let (newest, others) = parts.split_first()?;
        let mut whole = Saved::clone(newest);
        for other in others {
            whole.cases.extend(other.cases.iter().cloned());
            whole.failed.extend(other.failed.iter().cloned());
            whole.categories.extend(other.categories.clone());
        }
        Some(whole)
    }
}

/// The benchmarks of these keys.
fn part(all: &Saved, keys: &BTreeSet<&str>) -> Saved {
    let mut part = all.clone();
    part.cases.retain(|case| keys.contains(case.key.as_str()));
    part.failed.retain(|failed| keys.contains(failed.key.as_str()));
    part.categories.retain(|key, _| keys.contains(key.as_str()));
    part
}
