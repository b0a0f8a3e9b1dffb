//! The visits of launches, each computed once.

use crate::core::{is_restless, judges_of, own_level, visits_with, windows_of, Judge};
use std::collections::HashMap;
use std::sync::Arc;
use tare_model::{ChildFacts, Draw, Launch, LaunchOutcome, Run, RunStatus, Stage, Visit, Windows};

#[derive(Debug, Clone)]
pub(crate) struct LaunchVisits {
    pub(crate) id: u32,
    pub(crate) group: u32,
    pub(crate) wave: u32,
    pub(crate) draw: Draw,
    pub(crate) judge: Option<Judge>,
    pub(crate) visits: Arc<[Visit]>,
}

impl LaunchVisits {
    pub(crate) fn windows(&self) -> Option<Windows> {
        windows_of(&self.visits)
    }

    pub(crate) fn is_restless(&self) -> bool {
        is_restless(&self.visits)
    }
}

/// The finished launches of each case. For whole commands, each run of which is a separate process, also those that an interrupt cut off.
pub fn finished_by_case(run: &Run) -> Vec<Vec<&Launch>> {
    let has_parts = run.plan.policy.launch_ns.is_some() && run.status == RunStatus::Interrupted;
    let counts = |launch: &&Launch| match launch.outcome {
        LaunchOutcome::Finished => true,
        LaunchOutcome::Unfinished => has_parts && launch.is_visited(),
        LaunchOutcome::Failed => false,
    };
    let mut by_case: Vec<Vec<&Launch>> = vec![Vec::new(); run.plan.cases.len()];
    for launch in run.launches.iter().filter(counts) {
        by_case[launch.case as usize].push(launch);
    }
    by_case
}

/// The visits of finished launches, computed again only if another level judges their windows.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptVisits {
    of_launch: HashMap<u32, LaunchVisits>,
    /// Levels of processes, if each has its own.
    levels: HashMap<u32, Option<f64>>,
}

impl KeptVisits {
    pub(super) fn of(&mut self, run: &Run, case: u32, launches: &[&Launch]) -> Vec<LaunchVisits> {
        let level = |l: &Launch, facts: &ChildFacts| *self.levels.entry(l.id).or_insert_with(|| own_level(l, facts));
        let judges = judges_of(run, case, launches, level);
        launches.iter().zip(judges).map(|(launch, judge)| self.of_one(launch, judge)).collect()
    }

    fn of_one(&mut self, launch: &Launch, judge: Option<Judge>) -> LaunchVisits {
        if let Some(known) = self.of_launch.get(&launch.id).filter(|known| known.judge == judge) {
            return known.clone();
        }
        let actual = launch.series.iter().filter(|s| s.stage == Stage::Actual);
        let mut visits: Vec<Visit> = actual.flat_map(|s| visits_with(s, judge)).collect();
        visits.sort_by_key(|visit| visit.round);
        let found = LaunchVisits {
            id: launch.id,
            group: launch.group,
            wave: launch.wave,
            draw: launch.draw,
            judge,
            visits: visits.into(),
        };
        self.of_launch.insert(launch.id, found.clone());
        found
    }
}
