//! Two runs of one plan made into one: shards, sessions and machines that measured the same programs.

use crate::{Artifact, Case, CaseGroup, CaseResult, Policy, Run, RunStatus};

/// Why two runs cannot be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeError {
    /// What differs.
    pub what: String,
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the runs cannot be merged: {}", self.what)
    }
}

impl std::error::Error for MergeError {}

impl Run {
    /// Adds what another run of the same plan measured. Its parts, launches and waves follow those of this run, and every launch
    /// keeps its environment.
    ///
    /// # Errors
    /// When they are not of the same programs, benchmarks, jobs and rules, a benchmark gave two results, or both measured a group whose
    /// waves could end early. Nothing is changed then.
    pub fn merge(&mut self, other: Run) -> Result<(), MergeError> {
        self.fits(&other)?;
        let (launches, parts) = (self.launches.len() as u32, self.parts.len() as u32);
        let waves = waves(self);
        if waves.iter().zip(self::waves(&other)).any(|(mine, theirs)| *mine > 0 && theirs > 0) {
            self.plan.policy.waves_min += other.plan.policy.waves_min;
            self.plan.policy.waves_max += other.plan.policy.waves_max;
        }
        let before_ns = self.elapsed_s * 1e9;
        self.launches.extend(other.launches.into_iter().map(|mut launch| {
            launch.id += launches;
            launch.part += parts;
            launch.wave += waves[launch.group as usize];
            launch.start_ns += before_ns;
            launch
        }));
        self.parts.extend(other.parts);
        for (mine, theirs) in self.results.iter_mut().zip(other.results) {
            *mine = both(mine, theirs);
        }
        self.elapsed_s += other.elapsed_s;
        self.status = match (self.status, other.status) {
            (RunStatus::Finished, status) | (status, RunStatus::Finished) => status,
            _ => RunStatus::Interrupted,
        };
        Ok(())
    }

    fn fits(&self, other: &Run) -> Result<(), MergeError> {
        let program = |artifact: &Artifact| (artifact.name.clone(), artifact.hash.clone(), artifact.job);
        let programs = |run: &Run| run.artifacts.iter().map(program).collect::<Vec<_>>();
        // Paths and lines of declarations are of a machine.
        let case = |case: &Case| (case.artifact, case.job, case.side, case.key.clone(), case.benchmark.operations);
        let cases = |run: &Run| run.plan.cases.iter().map(case).collect::<Vec<_>>();
        let groups = |run: &Run| -> Vec<CaseGroup> { run.plan.groups.clone() };
        // How much was measured may differ, and how it was measured may not.
        let rules = |run: &Run| Policy {
            waves_min: 0,
            waves_max: 0,
            rounds: 0,
            budget_s: None,
            processor: None,
            ..run.plan.policy.clone()
        };
        let differences = [
            ("the schemas", self.schema != other.schema),
            ("the methods", self.method != other.method),
            ("the programs", programs(self) != programs(other)),
            ("the jobs", self.jobs != other.jobs),
            ("the sides", self.sides != other.sides),
            ("the benchmarks", cases(self) != cases(other)),
            ("the groups", groups(self) != groups(other)),
            ("the rules of measuring", rules(self) != rules(other)),
        ];
        if let Some((what, _)) = differences.iter().find(|(_, differs)| *differs) {
            return Err(MergeError { what: format!("{what} differ") });
        }
        let both_measured = waves(self).into_iter().zip(waves(other)).any(|(mine, theirs)| mine > 0 && theirs > 0);
        let may_end = |run: &Run| run.plan.policy.waves_min < run.plan.policy.waves_max;
        if both_measured && (may_end(self) || may_end(other)) {
            let what = "both measured the same benchmarks until they were precise enough, and that rule is of one run";
            return Err(MergeError { what: what.to_owned() });
        }
        let results = self.results.iter().zip(&other.results).zip(&self.plan.cases);
        for ((mine, theirs), case) in results {
            if mine.digest.is_some() && theirs.digest.is_some() && mine.digest != theirs.digest {
                return Err(MergeError { what: format!("`{}` gave two results", case.key) });
            }
        }
        Ok(())
    }
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
    }
}

#[cfg(test)]
mod tests {
    use crate::{Run, RunStatus};

    /// A run of two benchmarks, each a group of its own, with a launch of those that are named.
    fn run(processor: &str, groups: &[u32], waves: (u32, u32)) -> Run {
        let case = |name: &str| serde_json::json!({"artifact": 0, "job": 0, "key": name, "benchmark": {"index": 0, "group": "", "name": name}});
        let launch = |(id, group): (usize, &u32)| serde_json::json!({"id": id, "case": group, "group": group, "wave": 0, "seed": 1, "start_ns": 5.0, "outcome": "finished", "series": []});
        let run = serde_json::json!({
            "schema": "2.0", "id": "a", "created": "2026-01-02T03:04:05Z", "tare": "0.1.0", "method": "m", "command": [],
            "parts": [{"created": "2026-01-02T03:04:05Z", "environment": {"cpu": processor}, "elapsed_s": 2.0}],
            "artifacts": [{"name": "p", "language": "c", "toolchain": "file", "command": ["p"], "directory": ".", "hash": "00"}],
            "jobs": [{"id": ""}],
            "plan": {
                "cases": [case("a"), case("b")], "policy": {"waves_min": waves.0, "waves_max": waves.1}, "seed": 1,
                "groups": [{"cases": [0], "baseline": null}, {"cases": [1], "baseline": null}],
            },
            "results": [{"complete": true}, {"complete": true}], "status": "finished", "elapsed_s": 2.0,
            "launches": groups.iter().enumerate().map(launch).collect::<Vec<_>>(),
        });
        serde_json::from_value(run).expect("a run")
    }

    #[test]
    fn launches_of_two_machines_keep_their_environments() {
        let mut merged = run("one", &[0, 1], (2, 2));
        merged.merge(run("two", &[1], (3, 3))).expect("the same plan");
        merged.validate().expect("a run");
        let of = |l: &crate::Launch| (l.group, l.wave, merged.environment_of(l).cpu.clone(), l.start_ns);
        let launches: Vec<_> = merged.launches.iter().map(of).collect();
        let one = || "one".to_owned();
        assert_eq!(launches, [(0, 0, one(), 5.0), (1, 0, one(), 5.0), (1, 1, "two".to_owned(), 2e9 + 5.0)]);
        assert_eq!((merged.parts.len(), merged.elapsed_s, merged.status), (2, 4.0, RunStatus::Finished));
        assert_eq!((merged.plan.policy.waves_min, merged.plan.policy.waves_max), (5, 5));
    }

    #[test]
    fn shards_may_end_early_and_two_runs_of_one_group_may_not() {
        let mut merged = run("one", &[0], (1, 16));
        let before = merged.clone();
        assert!(merged.merge(run("two", &[0], (1, 16))).is_err());
        assert_eq!(merged, before);
        merged.merge(run("two", &[1], (1, 16))).expect("another group");
        assert_eq!((merged.launches.len(), merged.plan.policy.waves_max), (2, 16));
    }

    #[test]
    fn what_differs_is_named() {
        let with = |change: fn(&mut Run)| {
            let mut other = run("two", &[0], (2, 2));
            change(&mut other);
            run("one", &[0], (2, 2)).merge(other).map_err(|error| error.what)
        };
        assert_eq!(with(|_| ()), Ok(()));
        assert_eq!(with(|r| r.artifacts[0].hash = "01".into()), Err("the programs differ".into()));
        assert_eq!(with(|r| r.jobs[0].flags = vec!["-O3".into()]), Err("the jobs differ".into()));
        assert_eq!(with(|r| r.plan.policy.visit_ns = 1.0), Err("the rules of measuring differ".into()));
        assert_eq!(with(|r| r.plan.cases[1].key = "c".into()), Err("the benchmarks differ".into()));
        let results = |r: &mut Run, digest: &str| r.results[0].digest = Some(digest.into());
        let mut one = run("one", &[0], (2, 2));
        results(&mut one, "x");
        let mut two = one.clone();
        results(&mut two, "y");
        assert_eq!(one.merge(two).map_err(|error| error.what), Err("`a` gave two results".into()));
    }
}
