//! Several jobs in one run: each benchmark under one job is compared with itself under the others, in the same waves.

use super::catalog::Selection;
use super::groups::against;
use std::collections::{HashMap, HashSet};
use tare_model::{Case, CaseGroup, Plan};

/// What benchmarks are compared with in a run of several jobs.
#[derive(Clone, Copy)]
pub enum Base<'a> {
    /// With themselves under this job, an index into the list of jobs, whatever they were compared with before.
    Job(u32),
    /// With themselves if one of their cases is such a base; groups of other benchmarks stay as they are.
    Cases(&'a dyn Fn(&Case) -> bool),
    /// Groups stay as they are.
    Groups,
}

impl Base<'_> {
    fn is(self, case: &Case) -> bool {
        match self {
            Base::Job(job) => case.job == job,
            Base::Cases(is_base) => is_base(case),
            Base::Groups => false,
        }
    }
}

/// Merges the plans of all jobs into one; the rows of a benchmark are adjacent.
pub fn matrix(plans: Vec<Plan>, base: Base, same_invocations: bool) -> Option<Plan> {
    let mut all: Vec<Case> = Vec::new();
    let mut groups: Vec<CaseGroup> = Vec::new();
    let mut rules = None;
    for (job, plan) in plans.into_iter().enumerate() {
        let offset = all.len() as u32;
        all.extend(plan.cases.into_iter().map(|case| Case { job: job as u32, ..case }));
        let moved = |group: CaseGroup| CaseGroup {
            cases: group.cases.iter().map(|case| case + offset).collect(),
            baseline: group.baseline.map(|case| case + offset),
            ..group
        };
        groups.extend(plan.groups.into_iter().map(moved));
        rules.get_or_insert((plan.policy, plan.seed));
    }
    let (policy, seed) = rules?;
    let (mut cases, place) = side_by_side(all);
    // Benchmarks that are compared with themselves.
    let own: HashSet<&str> = match base {
        Base::Job(_) => cases.iter().map(|case| case.key.as_str()).collect(),
        _ => cases.iter().filter(|case| base.is(case)).map(|case| case.key.as_str()).collect(),
    };
    let is_own: Vec<bool> = cases.iter().map(|case| own.contains(case.key.as_str())).collect();
    let mut kept: Vec<CaseGroup> = groups.into_iter().flat_map(|group| without(group, &place, &is_own)).collect();
    kept.extend(compared(&cases, &is_own, base, same_invocations));
    let baselines: HashSet<u32> = kept.iter().filter_map(|group| group.baseline).collect();
    for (at, case) in cases.iter_mut().enumerate().filter(|(at, _)| is_own[*at]) {
        case.benchmark.baseline = baselines.contains(&(at as u32));
    }
    Some(Plan { cases, groups: kept, policy, seed, ..Plan::default() })
}

/// A group with new case numbers, without the cases that are compared with themselves; if its baseline is gone, each of the others is
/// alone.
fn without(group: CaseGroup, place: &[u32], is_own: &[bool]) -> Vec<CaseGroup> {
    let stays = |case: &u32| !is_own[*case as usize];
    let cases: Vec<u32> = group.cases.iter().map(|case| place[*case as usize]).filter(stays).collect();
    let baseline = group.baseline.map(|case| place[case as usize]).filter(stays);
    match baseline.is_none() && group.baseline.is_some() {
        true => cases.into_iter().map(|case| CaseGroup { cases: vec![case], baseline: None, ..group }).collect(),
        false if cases.is_empty() => Vec::new(),
        false => vec![CaseGroup { cases, baseline, ..group }],
    }
}

/// The cases with those of each benchmark adjacent, in order of first appearance, and the new index of each.
fn side_by_side(cases: Vec<Case>) -> (Vec<Case>, Vec<u32>) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (at, case) in cases.iter().enumerate() {
        first.entry(&case.key).or_insert(at);
    }
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|&at| (first.get(cases[at].key.as_str()).copied(), at));
    let mut place = vec![0; cases.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new as u32;
    }
    let sorted = order.iter().map(|&at| cases[at].clone()).collect();
    (sorted, place)
}

/// A group of each of these benchmarks with all its jobs; if none is the base, each job is alone.
fn compared(cases: &[Case], is_own: &[bool], base: Base, same_invocations: bool) -> Vec<CaseGroup> {
    let mut groups = Vec::new();
    let mut from = 0;
    while from < cases.len() {
        let length = cases[from..].iter().take_while(|case| case.key == cases[from].key).count();
        let members = from as u32..(from + length) as u32;
        let is_wanted = is_own[from];
        from += length;
        if !is_wanted {
            continue;
        }
        match members.clone().find(|&case| base.is(&cases[case as usize])).filter(|_| length > 1) {
            None => groups.extend(members.map(|case| CaseGroup { cases: vec![case], ..CaseGroup::default() })),
            Some(baseline) => {
                let others = members.filter(|&case| case != baseline);
                groups.extend(against(baseline, others).map(|group| CaseGroup { same_invocations, ..group }));
            }
        }
    }
    groups
}

impl Selection {
    /// The part of the selection that concerns one of the jobs: `sort/*@fast` concerns only the job `fast`, `@fast` all that it runs.
    /// `None` if every filter concerns another job. Text after an `@` that is no job is part of a name.
    pub fn of_job(&self, job: &str, jobs: &[&str]) -> Option<Selection> {
        let about = |pattern: &String| match split(pattern, jobs) {
            (_, Some(other)) if other != job => None,
            (name, _) => Some(name),
        };
        let filters: Vec<String> = self.filters.iter().filter_map(about).collect();
        if filters.is_empty() && !self.filters.is_empty() {
            return None;
        }
        let exclusions = self.exclusions.iter().filter_map(about).collect();
        Some(Selection { filters, exclusions, ..self.clone() })
    }

    /// The selection of benchmarks, whatever the job.
    pub fn without_jobs(&self, jobs: &[&str]) -> Selection {
        let names = |patterns: &[String]| patterns.iter().map(|pattern| split(pattern, jobs).0).collect();
        Selection { filters: names(&self.filters), exclusions: names(&self.exclusions), ..self.clone() }
    }
}

/// The pattern of names, and the only job that it concerns, if any.
fn split<'a>(pattern: &'a str, jobs: &[&str]) -> (String, Option<&'a str>) {
    match pattern.rsplit_once('@').filter(|(_, job)| jobs.contains(job)) {
        Some(("", job)) => ("*".to_owned(), Some(job)),
        Some((name, job)) => (name.to_owned(), Some(job)),
        None => (pattern.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::tests::benchmark_at;
    use crate::{plan, CatalogEntry};
    use tare_model::{Benchmark, Policy};

    fn of_job(artifact: u32, names: &[&str]) -> Plan {
        let named = |(at, name): (usize, &&str)| Benchmark { baseline: at == 0, ..benchmark_at(at as u32, "g", name) };
        let benchmarks = names.iter().enumerate().map(named).collect();
        plan(&[CatalogEntry { artifact, program: "p".into(), benchmarks }], Policy::default(), 1)
    }

    fn rows(plan: &Plan) -> Vec<(String, u32)> {
        plan.cases.iter().map(|case| (case.benchmark.name.clone(), case.job)).collect()
    }

    #[test]
    fn each_benchmark_is_compared_with_itself() {
        let plan =
            matrix(vec![of_job(0, &["a", "b"]), of_job(1, &["a", "b", "c"])], Base::Job(0), true).expect("a plan");
        let named = |name: &str, job| (name.to_owned(), job);
        assert_eq!(rows(&plan), [named("a", 0), named("a", 1), named("b", 0), named("b", 1), named("c", 1)]);
        let groups: Vec<_> = plan.groups.iter().map(|g| (g.cases.clone(), g.baseline)).collect();
        assert_eq!(groups, [(vec![0, 1], Some(0)), (vec![2, 3], Some(2)), (vec![4], None)]);
        assert!(plan.groups[0].same_invocations && !plan.groups[2].same_invocations);
        let baselines: Vec<bool> = plan.cases.iter().map(|case| case.benchmark.baseline).collect();
        assert_eq!(baselines, [true, false, true, false, false]);
        let last = matrix(vec![of_job(0, &["a"]), of_job(1, &["a"])], Base::Job(1), false).expect("a plan");
        assert_eq!(last.groups[0], CaseGroup { cases: vec![1, 0], baseline: Some(1), ..CaseGroup::default() });
        let many = matrix((0..10).map(|job| of_job(job, &["a"])).collect(), Base::Job(0), true).expect("a plan");
        assert_eq!(many.groups.iter().map(|g| g.cases.len()).collect::<Vec<_>>(), [8, 3]);
        assert!(matrix(Vec::new(), Base::Groups, false).is_none());
    }

    #[test]
    fn groups_of_a_job_stay_where_jobs_are_not_compared() {
        let plan = matrix(vec![of_job(0, &["a", "b"]), of_job(1, &["a", "b"])], Base::Groups, true).expect("a plan");
        let groups: Vec<_> = plan.groups.iter().map(|g| (g.cases.clone(), g.baseline)).collect();
        assert_eq!(groups, [(vec![0, 2], Some(0)), (vec![1, 3], Some(1))]);
    }

    #[test]
    fn a_declared_base_is_for_its_benchmark_alone() {
        let is_base = |case: &Case| case.benchmark.name == "b" && case.job == 1;
        let plans = vec![of_job(0, &["a", "b", "c"]), of_job(1, &["a", "b", "c"])];
        let plan = matrix(plans, Base::Cases(&is_base), false).expect("a plan");
        let groups: Vec<_> = plan.groups.iter().map(|g| (g.cases.clone(), g.baseline)).collect();
        assert_eq!(groups, [(vec![0, 4], Some(0)), (vec![1, 5], Some(1)), (vec![3, 2], Some(3))]);
        let baselines: Vec<bool> = plan.cases.iter().map(|case| case.benchmark.baseline).collect();
        assert_eq!(baselines, [true, true, false, true, false, false]);
    }

    #[test]
    fn a_filter_may_name_a_job() {
        let selection = |filter: &str| Selection { filters: vec![filter.to_owned()], ..Selection::default() };
        let of = |filter: &str, job| selection(filter).of_job(job, &["fast", "slow"]).map(|s| s.filters);
        let some = |text: &str| Some(vec![text.to_owned()]);
        assert_eq!((of("a*@fast", "fast"), of("a*@fast", "slow")), (some("a*"), None));
        assert_eq!(
            (of("@slow", "slow"), of("mail@host", "slow"), of("a", "fast")),
            (some("*"), some("mail@host"), some("a"))
        );
    }
}
