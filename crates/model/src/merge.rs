//! Merges two runs: shards, sessions and machines that measured the same programs.

use crate::{
    schema_major, Artifact, Case, CaseGroup, CaseResult, DiagnosisPlan, Missing, Owner, Policy, Run, RunStatus,
    SideFacts,
};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeError {
    /// Their plans differ.
    Differ { what: &'static str },
    /// One is not finished and may still change.
    NotFinished { id: String },
    /// They contain the same measurements.
    Twice {
        /// The start time of these.
        created: String,
    },
    /// Both measured the same benchmarks with a stopping rule that holds only for a single run.
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
    /// Adds the measurements of another run, and the programs, cases and groups that only its plan has. Its parts, launches and waves
    /// follow those of this run, and every launch keeps its environment. On error nothing is changed.
    pub fn merge(&mut self, other: Run) -> Result<(), MergeError> {
        let places = self.fits(&other)?;
        let both_measured = places.both_measured(self, &other);
        let other = self.over_both_plans(other, &places);
        self.artifacts.iter_mut().zip(&other.artifacts).for_each(|(mine, theirs)| mine.add_context(theirs));
        let (launches, parts) = (self.launches.len() as u32, self.parts.len() as u32);
        let mut waves = waves(self);
        if both_measured {
            self.plan.policy.waves_min += other.plan.policy.waves_min;
            self.plan.policy.waves_max += other.plan.policy.waves_max;
        }
        let before_ns = self.elapsed_s * 1e9;
        let planned = self.planned_groups();
        let repeated = self.add_groups(&other);
        let place = |group: u32| repeated[group as usize];
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
        let diagnosers = &mut self.plan.diagnosis.diagnosers;
        let more =
            other.plan.diagnosis.diagnosers.into_iter().filter(|name| !diagnosers.contains(name)).collect::<Vec<_>>();
        diagnosers.extend(more);
        self.plan.only = both_only(planned, &self.plan.only, &other.plan.only);
        self.parts.extend(other.parts);
        self.missing.add(other.missing);
        for (mine, theirs) in self.sides.iter_mut().zip(other.sides) {
            mine.base.missing.add(theirs.base.missing);
            mine.new.missing.add(theirs.new.missing);
        }
        for (mine, mut theirs) in self.results.iter_mut().zip(other.results) {
            theirs.repeated.iter_mut().for_each(|alone| alone.group = place(alone.group));
            *mine = both(mine, theirs);
        }
        self.elapsed_s += other.elapsed_s;
        Ok(())
    }

    /// Unifies the plans: adds missing programs, cases and groups to this run, and maps the other onto it.
    fn over_both_plans(&mut self, mut other: Run, places: &Places) -> Run {
        let (mine, theirs) = (self.planned_groups(), other.planned_groups());
        if theirs != mine || places.groups.iter().any(|place| *place as usize >= mine) {
            // Each measured all of its own plan, which is only part of the merged one.
            for (only, planned) in [(&mut self.plan.only, mine), (&mut other.plan.only, theirs)] {
                if only.is_empty() {
                    *only = (0..planned as u32).collect();
                }
            }
        }
        append_new(&mut self.artifacts, other.artifacts.clone(), &places.artifacts);
        let mut artifacts = self.artifacts.clone();
        for (place, artifact) in places.artifacts.iter().zip(other.artifacts) {
            artifacts[*place as usize] = artifact;
        }
        other.artifacts = artifacts;
        let cases = other
            .plan
            .cases
            .into_iter()
            .map(|case| Case { artifact: places.artifacts[case.artifact as usize], ..case });
        append_new(&mut self.plan.cases, cases.collect(), &places.cases);
        other.plan.cases = self.plan.cases.clone();
        self.results.resize_with(self.plan.cases.len(), CaseResult::default);
        let mut results = vec![CaseResult::default(); self.plan.cases.len()];
        for (place, result) in places.cases.iter().zip(other.results) {
            results[*place as usize] = result;
        }

        // Groups added for repeated cases follow all planned ones.
        let mut groups: Vec<CaseGroup> = other.plan.groups.iter().map(|group| places.of_group(group)).collect();
        let mut planned = self.plan.groups[..mine].to_vec();
        let again = groups.split_off(theirs);
        append_new(&mut planned, groups, &places.groups);
        let further = (planned.len() - mine) as u32;
        let own = self.launches.iter_mut().map(|launch| &mut launch.group);
        let repeated = self.results.iter_mut().filter_map(|result| Some(&mut result.repeated.as_mut()?.group));
        own.chain(repeated).filter(|group| **group as usize >= mine).for_each(|group| *group += further);
        self.plan.groups.splice(..mine, planned.iter().cloned());
        let total = planned.len() as u32;
        let place = |group: &mut u32| {
            *group = places.groups.get(*group as usize).copied().unwrap_or_else(|| total + *group - theirs as u32);
        };
        planned.extend(again);
        other.plan.groups = planned;

        for launch in &mut other.launches {
            launch.case = places.cases[launch.case as usize];
            place(&mut launch.group);
        }
        results.iter_mut().filter_map(|result| result.repeated.as_mut()).for_each(|alone| place(&mut alone.group));
        other.results = results;
        other.plan.only.iter_mut().for_each(place);
        other.diagnoses.iter_mut().for_each(|diagnosis| diagnosis.case = places.cases[diagnosis.case as usize]);
        for attachment in &mut other.attachments {
            if let Owner::Case(case) = &mut attachment.of {
                *case = places.cases[*case as usize];
            }
        }
        other
    }

    /// Adds the other run's groups of repeated cases. Returns the index of each of its groups in this run.
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

    fn fits(&self, other: &Run) -> Result<Places, MergeError> {
        // The amount of measurement may differ, the rules may not.
        let rules = |run: &Run| {
            let of_amount = Policy { waves_min: 0, waves_max: 0, rounds: 0, budget_s: None, ..run.plan.policy };
            let policy = Policy { usual_launches: false, processor: None, ..of_amount };
            (policy, DiagnosisPlan { diagnosers: Vec::new(), ..run.plan.diagnosis.clone() })
        };
        let sides = |run: &Run| {
            let facts = |side: &SideFacts| SideFacts { missing: Missing::default(), ..side.clone() };
            run.sides.as_ref().map(|sides| sides.both().map(|(_, side)| facts(side)))
        };
        let differences = [
            ("the schemas", schema_major(&self.schema) != schema_major(&other.schema)),
            ("the methods", self.method != other.method),
            ("the jobs", self.jobs != other.jobs),
            ("the sides", sides(self) != sides(other)),
            ("the rules of measuring", rules(self) != rules(other)),
        ];
        if let Some((what, _)) = differences.into_iter().find(|(_, differs)| *differs) {
            return Err(MergeError::Differ { what });
        }
        let places = Places::find(self, other)?;
        if let Some(open) = [self, other].into_iter().find(|run| run.status != RunStatus::Finished) {
            return Err(MergeError::NotFinished { id: open.id.clone() });
        }
        if let Some(part) = self.parts.iter().find(|part| other.parts.contains(part)) {
            return Err(MergeError::Twice { created: part.created.clone() });
        }
        let may_end = |run: &Run| run.plan.policy.waves_min < run.plan.policy.waves_max;
        if places.both_measured(self, other) && (may_end(self) || may_end(other)) {
            return Err(MergeError::MayEndEarly);
        }
        let visited = |run: &Run, case: usize| run.launches.iter().any(|l| l.case as usize == case && l.is_visited());
        for (case, theirs) in other.results.iter().enumerate() {
            let place = places.cases[case] as usize;
            let Some(mine) = self.results.get(place) else { continue };
            if mine.unrolled != theirs.unrolled && visited(self, place) && visited(other, case) {
                return Err(MergeError::Differ { what: "the loops" });
            }
            if mine.digest.is_some() && theirs.digest.is_some() && mine.digest != theirs.digest {
                return Err(MergeError::TwoResults { case: other.plan.cases[case].key.clone() });
            }
        }
        Ok(places)
    }
}

/// Indices of a run's programs, cases and planned groups in another run; past the end if missing there.
struct Places {
    artifacts: Vec<u32>,
    cases: Vec<u32>,
    groups: Vec<u32>,
}

impl Places {
    fn find(mine: &Run, theirs: &Run) -> Result<Places, MergeError> {
        // A comparison has the programs of each side. Those with the same name and job are in side order.
        let program = |artifact: &Artifact| (artifact.name.clone(), artifact.job);
        let artifacts = placed(&mine.artifacts, &theirs.artifacts, program);
        let same = |(place, one): (&u32, &Artifact)| {
            mine.artifacts.get(*place as usize).is_none_or(|own| own.hash == one.hash)
        };
        if !artifacts.iter().zip(&theirs.artifacts).all(same) {
            return Err(MergeError::Differ { what: "the programs" });
        }
        let of_mine: Vec<u32> = (0..mine.artifacts.len() as u32).collect();
        let name =
            |places: &[u32], case: &Case| (places[case.artifact as usize], case.job, case.side, case.key.clone());
        let own: Vec<_> = mine.plan.cases.iter().map(|case| name(&of_mine, case)).collect();
        let their: Vec<_> = theirs.plan.cases.iter().map(|case| name(&artifacts, case)).collect();
        let cases = placed(&own, &their, Clone::clone);
        // Paths and lines of declarations depend on the machine.
        let declared = |case: &Case| (case.benchmark.operations, case.benchmark.rates.clone());
        let same = |(place, one): (&u32, &Case)| {
            mine.plan.cases.get(*place as usize).is_none_or(|own| declared(own) == declared(one))
        };
        if !cases.iter().zip(&theirs.plan.cases).all(same) {
            return Err(MergeError::Differ { what: "the benchmarks" });
        }
        let mut places = Places { artifacts, cases, groups: Vec::new() };
        let own = &mine.plan.groups[..mine.planned_groups()];
        let their: Vec<CaseGroup> =
            theirs.plan.groups[..theirs.planned_groups()].iter().map(|g| places.of_group(g)).collect();
        places.groups = placed(own, &their, Clone::clone);
        let is_new = |place: &u32| *place as usize >= own.len();
        let has_own = |group: &CaseGroup| group.cases.iter().any(|case| (*case as usize) < mine.plan.cases.len());
        if places.groups.iter().zip(&their).any(|(place, group)| is_new(place) && has_own(group)) {
            return Err(MergeError::Differ { what: "the groups" });
        }
        Ok(places)
    }

    /// Whether both have waves of a planned group.
    fn both_measured(&self, mine: &Run, theirs: &Run) -> bool {
        let (own, their) = (waves(mine), waves(theirs));
        let has_own = |place: &u32| own.get(*place as usize).is_some_and(|waves| *waves > 0);
        self.groups.iter().zip(their).any(|(place, waves)| waves > 0 && has_own(place))
    }

    fn of_group(&self, group: &CaseGroup) -> CaseGroup {
        let place = |case: u32| self.cases[case as usize];
        CaseGroup {
            cases: group.cases.iter().copied().map(place).collect(),
            baseline: group.baseline.map(place),
            ..group.clone()
        }
    }
}

/// The index of each of `theirs` in `mine`; duplicates match in order, missing ones come past the end.
fn placed<T, N: PartialEq>(mine: &[T], theirs: &[T], name: impl Fn(&T) -> N) -> Vec<u32> {
    let mut names: Vec<Option<N>> = mine.iter().map(|one| Some(name(one))).collect();
    let mut further = mine.len() as u32..;
    let place = |one: &T| {
        let wanted = Some(name(one));
        let found = names.iter_mut().enumerate().find(|(_, name)| **name == wanted);
        found.map(|(at, name)| (at as u32, name.take()).0).or_else(|| further.next()).unwrap_or_default()
    };
    theirs.iter().map(place).collect()
}

fn append_new<T>(mine: &mut Vec<T>, theirs: Vec<T>, places: &[u32]) {
    let len = mine.len();
    mine.extend(theirs.into_iter().zip(places).filter(|(_, place)| **place as usize >= len).map(|(one, _)| one));
}

/// The groups that two runs measure together; empty if they are all groups.
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

fn waves(run: &Run) -> Vec<u32> {
    let mut waves = vec![0; run.plan.groups.len()];
    for launch in &run.launches {
        let waves = &mut waves[launch.group as usize];
        *waves = (launch.wave + 1).max(*waves);
    }
    waves
}

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
