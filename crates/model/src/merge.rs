//! Two runs of one plan made into one: shards, parts and machines that measured the same programs.

use crate::{schema_major, Artifact, Benchmark, Case, CaseGroup, CaseResult, Owner, Policy, Run, RunStatus};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeError {
    /// They are not of the same plan.
    Differ { what: &'static str },
    /// One of them is not finished, so that it may still change.
    NotFinished { id: String },
    /// They hold the same measurements.
    Twice {
        /// When these were begun.
        created: String,
    },
    /// Both measured the same benchmarks, by a rule of when to stop that holds for one run alone.
    MayEndEarly,
    /// A benchmark gave two results.
    TwoResults { case: String },
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MergeError::Differ { what } => write!(f, "{what} differ"),
            MergeError::NotFinished { id } => write!(f, "run `{id}` is not finished"),
            MergeError::Twice { created } => write!(f, "both contain the measurements that began at {created}"),
            MergeError::MayEndEarly => {
                write!(
                    f,
                    "both measured the same benchmarks until they were precise enough, and this rule is only valid for a single run"
                )
            }
            MergeError::TwoResults { case } => write!(f, "`{case}` gave two different results"),
        }
    }
}

impl std::error::Error for MergeError {}

impl Run {
    /// Adds what another run of the same plan measured. Its parts, launches and waves follow those of this run, and every launch keeps its
    /// environment. When they do not fit nothing is changed.
    pub fn merge(&mut self, other: Run) -> Result<(), MergeError> {
        self.fits(&other)?;
        self.artifacts.iter_mut().zip(&other.artifacts).for_each(|(mine, theirs)| mine.add_context(theirs));
        let (launches, parts) = (self.launches.len() as u32, self.parts.len() as u32);
        let mut waves = waves(self);
        if both_measured(self, &other) {
            self.plan.policy.waves_min += other.plan.policy.waves_min;
            self.plan.policy.waves_max += other.plan.policy.waves_max;
        }
        let before_ns = self.elapsed_s * 1e9;
        let planned = self.planned_groups();
        let places = self.add_groups(&other);
        let place = |group: u32| places[group as usize];
        waves.resize(self.plan.groups.len(), 0);
        self.launches.extend(other.launches.into_iter().map(|mut launch| {
            launch.group = place(launch.group);
            launch.id += launches;
            launch.part += parts;
            launch.wave += waves[launch.group as usize];
            launch.start_ns += before_ns;
            launch
        }));
        self.diagnoses.extend(other.diagnoses.into_iter().map(|mut diagnosis| {
            diagnosis.part += parts;
            diagnosis
        }));
        self.attachments.extend(other.attachments.into_iter().map(|mut attachment| {
            attachment.part += parts;
            if let Owner::Launch(launch) = &mut attachment.of {
                *launch += launches;
            }
            attachment
        }));
        let diagnosers = &mut self.plan.policy.diagnose;
        let more = other.plan.policy.diagnose.into_iter().filter(|name| !diagnosers.contains(name)).collect::<Vec<_>>();
        diagnosers.extend(more);
        self.plan.policy.only = both_only(planned, &self.plan.policy.only, &other.plan.policy.only);
        self.parts.extend(other.parts);
        for (mine, mut theirs) in self.results.iter_mut().zip(other.results) {
            theirs.repeated.iter_mut().for_each(|alone| alone.group = place(alone.group));
            *mine = both(mine, theirs);
        }
        self.elapsed_s += other.elapsed_s;
        Ok(())
    }

    /// Adds the groups of cases that the other run alone measured again alone; the place of each of its groups in this run.
    fn add_groups(&mut self, other: &Run) -> Vec<u32> {
        let planned = other.planned_groups();
        let mut places: Vec<u32> = (0..planned as u32).collect();
        for group in &other.plan.groups[planned..] {
            let own = group.cases.first().and_then(|case| self.results.get(*case as usize)?.repeated.as_ref());
            places.push(own.map_or(self.plan.groups.len() as u32, |own| own.group));
            if own.is_none() {
                self.plan.groups.push(group.clone());
            }
        }
        places
    }

    fn fits(&self, other: &Run) -> Result<(), MergeError> {
        let program = |artifact: &Artifact| (artifact.name.clone(), artifact.hash.clone(), artifact.job);
        let programs = |run: &Run| run.artifacts.iter().map(program).collect::<Vec<_>>();
        // Paths and lines of declarations are of a machine.
        let case = |case: &Case| {
            let Benchmark { operations, rates, .. } = &case.benchmark;
            (case.artifact, case.job, case.side, case.key.clone(), *operations, rates.clone())
        };
        let cases = |run: &Run| run.plan.cases.iter().map(case).collect::<Vec<_>>();
        let groups = |run: &Run| -> Vec<CaseGroup> { run.plan.groups[..run.planned_groups()].to_vec() };
        // How much was measured may differ, and how it was measured may not.
        let rules = |run: &Run| Policy {
            waves_min: 0,
            waves_max: 0,
            rounds: 0,
            budget_s: None,
            processor: None,
            diagnose: Vec::new(),
            only: Vec::new(),
            ..run.plan.policy.clone()
        };
        let visited = |run: &Run, case: usize| run.launches.iter().any(|l| l.case as usize == case && l.is_visited());
        let loops_differ = self.results.iter().zip(&other.results).enumerate().any(|(case, (mine, theirs))| {
            mine.unrolled != theirs.unrolled && visited(self, case) && visited(other, case)
        });
        let differences = [
            ("the schemas", schema_major(&self.schema) != schema_major(&other.schema)),
            ("the methods", self.method != other.method),
            ("the programs", programs(self) != programs(other)),
            ("the jobs", self.jobs != other.jobs),
            ("the sides", self.sides != other.sides),
            ("the benchmarks", cases(self) != cases(other)),
            ("the groups", groups(self) != groups(other)),
            ("the rules of measuring", rules(self) != rules(other)),
            ("the loops", loops_differ),
        ];
        if let Some((what, _)) = differences.into_iter().find(|(_, differs)| *differs) {
            return Err(MergeError::Differ { what });
        }
        if let Some(open) = [self, other].into_iter().find(|run| run.status != RunStatus::Finished) {
            return Err(MergeError::NotFinished { id: open.id.clone() });
        }
        if let Some(part) = self.parts.iter().find(|part| other.parts.contains(part)) {
            return Err(MergeError::Twice { created: part.created.clone() });
        }
        let both_measured = both_measured(self, other);
        let may_end = |run: &Run| run.plan.policy.waves_min < run.plan.policy.waves_max;
        if both_measured && (may_end(self) || may_end(other)) {
            return Err(MergeError::MayEndEarly);
        }
        let results = self.results.iter().zip(&other.results).zip(&self.plan.cases);
        for ((mine, theirs), case) in results {
            if mine.digest.is_some() && theirs.digest.is_some() && mine.digest != theirs.digest {
                return Err(MergeError::TwoResults { case: case.key.clone() });
            }
        }
        Ok(())
    }
}

/// The groups that two runs measure together; none where that is all of them.
fn both_only(planned: usize, mine: &[u32], theirs: &[u32]) -> Vec<u32> {
    if mine.is_empty() || theirs.is_empty() {
        return Vec::new();
    }
    let all: BTreeSet<u32> = mine.iter().chain(theirs).copied().collect();
    match all.len() >= planned {
        true => Vec::new(),
        false => all.into_iter().collect(),
    }
}

fn both_measured(mine: &Run, theirs: &Run) -> bool {
    let planned = mine.planned_groups().min(theirs.planned_groups());
    waves(mine).into_iter().zip(waves(theirs)).take(planned).any(|(mine, theirs)| mine > 0 && theirs > 0)
}

/// Waves of each group that were begun.
fn waves(run: &Run) -> Vec<u32> {
    let mut waves = vec![0; run.plan.groups.len()];
    for launch in &run.launches {
        let waves = &mut waves[launch.group as usize];
        *waves = (launch.wave + 1).max(*waves);
    }
    waves
}

/// How a case ended in two runs together.
fn both(mine: &CaseResult, theirs: CaseResult) -> CaseResult {
    CaseResult {
        complete: mine.complete || theirs.complete,
        failure: mine.failure.clone().or(theirs.failure),
        digest: mine.digest.clone().or(theirs.digest),
        text: mine.text.clone().or(theirs.text),
        then: mine.then.clone().or(theirs.then),
        repeated: mine.repeated.clone().or(theirs.repeated),
        unrolled: mine.unrolled || theirs.unrolled,
    }
}
