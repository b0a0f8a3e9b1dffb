//! What a run compares with what.

use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use crate::pipeline::Prepared;
use std::collections::HashSet;
use tare_engine::{Base, Baseline, CatalogEntry};
use tare_model::text::nearest;
use tare_model::{Benchmark, Job, Parameter, Plan, Policy};
use tare_report::{clean, shell_word};

pub(super) struct Wanted<'a> {
    pub jobs: &'a [Job],
    pub base: Option<u32>,
    pub baseline: Option<&'a Baseline>,
    /// The jobs come from declarations, which also set the baseline.
    pub is_declared: bool,
}

impl Wanted<'_> {
    pub(super) fn plan(&self, prepared: &Prepared, policy: Policy, seed: u64) -> Result<Plan, Failure> {
        let mut plan = match self.jobs.len() {
            0 | 1 => {
                let plan = tare_engine::plan(&prepared.entries, policy, seed);
                match self.baseline {
                    None => plan,
                    Some(baseline) => tare_engine::compare_baseline(&plan, baseline)
                        .ok_or_else(|| no_such_baseline(baseline, &[plan], prepared))?,
                }
            }
            _ => self.matrix(prepared, policy, seed)?,
        };
        if self.is_declared {
            // They have become jobs of the run.
            plan.cases.iter_mut().for_each(|case| case.benchmark.jobs.clear());
        }
        Ok(plan)
    }

    fn matrix(&self, prepared: &Prepared, policy: Policy, seed: u64) -> Result<Plan, Failure> {
        let of_job = |job: usize| {
            let is_of_it = |entry: &&CatalogEntry| prepared.artifacts[entry.artifact as usize].job as usize == job;
            let entries: Vec<CatalogEntry> = prepared.entries.iter().filter(is_of_it).cloned().collect();
            tare_engine::plan(&entries, policy, seed)
        };
        let mut plans: Vec<Plan> = (0..self.jobs.len()).map(of_job).collect();
        if let Some(baseline) = self.baseline.filter(|_| self.base.is_none()) {
            let compared = |plan: &Plan| tare_engine::compare_baseline(plan, baseline);
            let by_value: Vec<Option<Plan>> = plans.iter().map(compared).collect();
            if by_value.iter().all(Option::is_none) {
                return Err(no_such_baseline(baseline, &plans, prepared));
            }
            plans = by_value.into_iter().zip(plans).map(|(compared, plain)| compared.unwrap_or(plain)).collect();
        }
        // If no job has its own rules, only the job differs.
        let same = self.jobs.iter().all(|job| job.policy.is_empty() && job.strategy.is_none());
        let base = match self.base {
            Some(_) if self.is_declared && self.baseline.is_none() => Base::Cases(&|case| is_base(&case.benchmark)),
            Some(base) => Base::Job(base),
            None => Base::Groups,
        };
        tare_engine::matrix(plans, base, same)
            .ok_or_else(|| Failure::NoBenchmarks { programs: Vec::new(), language: String::new() })
    }

    pub(super) fn note_baselines(&self, prepared: &Prepared, console: &Console) {
        let Some(base) = self.base.and_then(|base| self.jobs.get(base as usize)) else { return };
        if self.is_declared && self.baseline.is_none() {
            // If a class has both kinds of baseline, the one of the job is used.
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

/// Whether the benchmark is listed under the job under which it is compared.
fn is_base(benchmark: &Benchmark) -> bool {
    benchmark.jobs.first().is_some_and(|job| job.is_base)
}

/// Explains how to compare variants that nothing marks as such.
pub(super) fn note_uncompared(plan: &Plan, console: &Console) {
    if let Some(baseline) = tare_engine::suggested_baseline(plan) {
        console.note(&format!("no baseline is declared; to compare: `--baseline {}`", shell_word(&clean(&baseline))));
    }
}

fn no_such_baseline(baseline: &Baseline, plans: &[Plan], prepared: &Prepared) -> Failure {
    let all = || plans.iter().flat_map(|plan| &plan.cases).map(|case| &case.benchmark);
    let names: Vec<String> = plans.iter().flat_map(tare_engine::possible_baselines).collect();
    let text = clean(&baseline.text);
    let Some(Parameter { name, value, .. }) = baseline.parameter() else {
        let is_alone = all().any(|one| one.name == baseline.text || one.full_name() == baseline.text);
        let what = match is_alone {
            true => format!("`{text}` is the only benchmark of its group, so nothing can be compared with it"),
            false => format!("no benchmark is called `{text}`"),
        };
        return Failure::Usage { what, hint: one_of(&baseline.text, &names, prepared) };
    };
    let values: Vec<String> = all()
        .flat_map(|one| &one.parameters)
        .filter(|parameter| parameter.name == name)
        .map(|parameter| format!("{name}={}", parameter.value))
        .collect();
    match values.is_empty() {
        // The part before `=` may be meant as the kind of name.
        true => Failure::Usage {
            what: format!("no benchmark has a parameter `{}`", clean(&name)),
            hint: one_of(&value, &names, prepared),
        },
        false => Failure::Usage {
            what: format!("no benchmark has `{text}` and another value to compare with it"),
            hint: one_of(&baseline.text, &values, prepared),
        },
    }
}

fn one_of(wanted: &str, names: &[String], prepared: &Prepared) -> String {
    let mut seen = HashSet::new();
    let names: Vec<String> = names.iter().filter(|name| seen.insert(*name)).cloned().collect();
    let near = names.iter().find(|name| *name == wanted).cloned();
    match (near.or_else(|| nearest(wanted, &names, 1).pop()), names.is_empty()) {
        (Some(near), _) => format!("did you mean `--baseline {}`?", shell_word(&clean(&near))),
        (None, false) => format!("name one of {}", quoted_list(&names)),
        (None, true) => format!("list the benchmarks with their parameters: `{}`", prepared.list),
    }
}
