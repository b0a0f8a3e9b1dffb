//! What is compared with what in a run.

use crate::console::Console;
use crate::failure::Failure;
use crate::jobs;
use crate::pipeline::Prepared;
use tare_engine::{Base, CatalogEntry};
use tare_model::{Benchmark, Job, Parameter, Plan, Policy};
use tare_report::clean;

/// What is compared with what.
pub(super) struct Wanted<'a> {
    pub jobs: &'a [Job],
    /// The job that the others are compared with.
    pub base: Option<u32>,
    pub baseline: Option<&'a Parameter>,
    /// The jobs stand at the declarations, which also say what is compared with what.
    pub is_declared: bool,
}

impl Wanted<'_> {
    /// The plan of all jobs.
    pub(super) fn plan(&self, prepared: &Prepared, policy: Policy, seed: u64) -> Result<Plan, Failure> {
        let mut plan = match self.jobs.len() {
            0 | 1 => {
                let plan = tare_engine::plan(&prepared.entries, policy, seed);
                match self.baseline {
                    None => plan,
                    Some(baseline) => tare_engine::compare_parameter(plan, baseline)
                        .ok_or_else(|| no_such_baseline(baseline, prepared))?,
                }
            }
            _ => self.matrix(prepared, &policy, seed)?,
        };
        jobs::set_strategies(&mut plan, self.jobs);
        if self.is_declared {
            // They are jobs of the run now.
            plan.cases.iter_mut().for_each(|case| case.benchmark.jobs.clear());
        }
        Ok(plan)
    }

    /// The plans of all jobs as one.
    fn matrix(&self, prepared: &Prepared, policy: &Policy, seed: u64) -> Result<Plan, Failure> {
        let of_job = |job: usize| {
            let is_of_it = |entry: &&CatalogEntry| prepared.artifacts[entry.artifact as usize].job as usize == job;
            let entries: Vec<CatalogEntry> = prepared.entries.iter().filter(is_of_it).cloned().collect();
            tare_engine::plan(&entries, policy.clone(), seed)
        };
        let mut plans: Vec<Plan> = (0..self.jobs.len()).map(of_job).collect();
        if let Some(baseline) = self.baseline.filter(|_| self.base.is_none()) {
            let compared = |plan: &Plan| tare_engine::compare_parameter(plan.clone(), baseline);
            let by_value: Vec<Option<Plan>> = plans.iter().map(compared).collect();
            if by_value.iter().all(Option::is_none) {
                return Err(no_such_baseline(baseline, prepared));
            }
            plans = by_value.into_iter().zip(plans).map(|(compared, plain)| compared.unwrap_or(plain)).collect();
        }
        // Where no job has rules of its own, nothing but the job differs.
        let same = self.jobs.iter().all(|job| job.policy.is_empty() && job.strategy.is_none());
        let base = match self.base {
            Some(_) if self.is_declared && self.baseline.is_none() => Base::Cases(&|case| is_base(&case.benchmark)),
            Some(base) => Base::Job(base),
            None => Base::Groups,
        };
        tare_engine::matrix(plans, base, same)
            .ok_or_else(|| Failure::NoBenchmarks { programs: Vec::new(), language: String::new() })
    }

    /// Says what becomes of baselines that the code declares.
    pub(super) fn note_baselines(&self, prepared: &Prepared, console: &Console) {
        let Some(base) = self.base.and_then(|base| self.jobs.get(base as usize)) else { return };
        if self.is_declared && self.baseline.is_none() {
            // Of a class with a baseline of each kind: that of the jobs is the one.
            let of_both = |benchmark: &&Benchmark| benchmark.baseline && is_base(benchmark);
            if let Some(one) = prepared.entries.iter().flat_map(|entry| &entry.benchmarks).find(of_both) {
                let (group, job) = (clean(&one.group), one.jobs.first().map_or("", |job| &job.name));
                console.note(&format!(
                    "each benchmark of `{group}` is compared with itself under job `{}`; the baseline among its methods does not apply",
                    clean(job)
                ));
            }
            return;
        }
        if prepared.entries.iter().flat_map(|entry| &entry.benchmarks).any(|benchmark| benchmark.baseline) {
            console.note(&format!(
                "each benchmark is compared with itself under job `{}`; the baselines that the code declares do not apply",
                clean(&base.id)
            ));
        }
    }
}

/// The job that a benchmark is listed under is the one that it is compared under.
fn is_base(benchmark: &Benchmark) -> bool {
    benchmark.jobs.first().is_some_and(|job| job.is_base)
}

fn no_such_baseline(baseline: &Parameter, prepared: &Prepared) -> Failure {
    Failure::Usage {
        what: format!(
            "no benchmark has `{}={}` and another value to compare with it",
            clean(&baseline.name),
            clean(&baseline.value)
        ),
        hint: format!("list the parameters with their values: `{}`", prepared.list),
    }
}
