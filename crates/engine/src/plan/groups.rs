//! From the selected benchmarks to a plan: its cases, and the groups in which they are compared.

use super::catalog::{parameters_in_order, row_key, CatalogEntry};
use std::collections::BTreeMap;
use tare_model::{Case, CaseGroup, Plan, Policy};

/// Most cases of a comparison group that are alive together; larger groups are split, with the baseline in each part.
pub(crate) const CASES_TOGETHER_MAX: usize = 8;

/// The plan of the selected benchmarks. The same entries, policy and seed give the same plan.
pub fn plan(entries: &[CatalogEntry], policy: Policy, seed: u64) -> Plan {
    let mut cases = Vec::new();
    for entry in entries {
        for benchmark in &entry.benchmarks {
            cases.push(Case {
                artifact: entry.artifact,
                job: 0,
                side: None,
                benchmark: benchmark.clone(),
                key: row_key(entry, benchmark),
            });
        }
    }
    let groups = groups(&cases);
    Plan { cases, groups, policy, seed, ..Plan::default() }
}

/// Forms groups of cases with the same group name and parameters. Programs share a group if one baseline serves all of them, or if each has
/// a baseline and nothing to compare with it. Otherwise each program stays separate.
pub(super) fn groups(cases: &[Case]) -> Vec<CaseGroup> {
    let mut groups = Vec::new();
    for members in sets(cases) {
        if !keeps_apart(&members, cases) {
            groups.extend(compared(&members, cases));
            continue;
        }
        let by_artifact = by_artifact(&members, cases);
        groups.extend(by_artifact.values().flat_map(|members| compared(members, cases)));
    }
    groups
}

/// Groups of cases that are alive together: all with the baseline, or each alone if there is none.
fn compared(members: &[u32], cases: &[Case]) -> Vec<CaseGroup> {
    let baseline = members.iter().copied().find(|&m| cases[m as usize].benchmark.baseline);
    let Some(baseline) = baseline.filter(|_| members.len() > 1) else {
        return members.iter().map(|&m| CaseGroup { cases: vec![m], baseline: None, ..CaseGroup::default() }).collect();
    };
    against(baseline, members.iter().copied().filter(|&m| m != baseline)).collect()
}

/// Cases against a baseline, as many at a time as may be alive together.
pub(super) fn against(baseline: u32, others: impl IntoIterator<Item = u32>) -> impl Iterator<Item = CaseGroup> {
    let others: Vec<u32> = others.into_iter().collect();
    let parts: Vec<Vec<u32>> = others.chunks(CASES_TOGETHER_MAX - 1).map(|part| [&[baseline], part].concat()).collect();
    parts.into_iter().map(move |cases| CaseGroup { cases, baseline: Some(baseline), ..CaseGroup::default() })
}

/// Sets of cases with the same group name and parameters, in the order of their first case.
pub(super) fn sets(cases: &[Case]) -> Vec<Vec<u32>> {
    let mut places: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let key = (case.benchmark.group.as_str(), parameters_in_order(&case.benchmark.parameters));
        let place = *places.entry(key).or_insert(sets.len());
        match sets.get_mut(place) {
            Some(set) => set.push(index as u32),
            None => sets.push(vec![index as u32]),
        }
    }
    sets
}

fn by_artifact(members: &[u32], cases: &[Case]) -> BTreeMap<u32, Vec<u32>> {
    let mut by_artifact: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &member in members {
        by_artifact.entry(cases[member as usize].artifact).or_default().push(member);
    }
    by_artifact
}

/// Whether several programs have a baseline in this set, and one of them also contestants.
fn keeps_apart(members: &[u32], cases: &[Case]) -> bool {
    let is_baseline = |member: &&u32| cases[**member as usize].benchmark.baseline;
    let with_baseline: Vec<Vec<u32>> =
        by_artifact(members, cases).into_values().filter(|of_one| of_one.iter().any(|m| is_baseline(&m))).collect();
    with_baseline.len() > 1 && with_baseline.iter().any(|of_one| !of_one.iter().all(|m| is_baseline(&m)))
}

/// Baselines that became contestants because their program has an earlier one in the group: their names and the earlier one's.
pub fn second_baselines(plan: &Plan) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for group in &plan.groups {
        let Some(first) = group.baseline.map(|base| &plan.cases[base as usize]) else { continue };
        for case in group.contestants().map(|case| &plan.cases[case as usize]) {
            let names = (case.benchmark.full_name(), first.benchmark.full_name());
            if case.benchmark.baseline && case.artifact == first.artifact && !all.contains(&names) {
                all.push(names);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::tests::{benchmark, entry};
    use tare_model::{Benchmark, Parameter};

    #[test]
    fn a_second_baseline_is_noticed_where_its_program_has_the_first() {
        let b = |name: &str, baseline| benchmark("g", name, None, baseline);
        let plan = plan(&[entry(0, vec![b("a", true), b("b", true), b("c", false)])], Policy::default(), 1);
        assert_eq!(second_baselines(&plan), [("g/b".to_owned(), "g/a".to_owned())]);
        let apart = super::plan(&[entry(0, vec![b("a", true)]), entry(1, vec![b("b", true)])], Policy::default(), 1);
        assert!(second_baselines(&apart).is_empty(), "{apart:?}");
    }

    #[test]
    fn parameters_and_baselines_make_groups() {
        let list = vec![
            benchmark("sort", "std", Some("10"), true),
            benchmark("sort", "own", Some("10"), false),
            benchmark("sort", "std", Some("99"), true),
            benchmark("sort", "own", Some("99"), false),
            benchmark("", "alone", None, false),
        ];
        let plan = plan(&[entry(0, list)], Policy::default(), 1);
        let groups: Vec<(Vec<u32>, Option<u32>)> = plan.groups.iter().map(|g| (g.cases.clone(), g.baseline)).collect();
        assert_eq!(groups, [(vec![0, 1], Some(0)), (vec![2, 3], Some(2)), (vec![4], None)]);
        assert_eq!(plan.cases[1].key, "p0:sort/own[n=10]");
    }

    #[test]
    fn programs_share_one_baseline_or_keep_to_themselves() {
        let one = |others: &[&str]| {
            let others = others.iter().map(|name| benchmark("g", name, None, false));
            entry(0, std::iter::once(benchmark("g", "a", None, true)).chain(others).collect())
        };
        let other = |baseline| entry(1, vec![benchmark("g", "b", None, baseline), benchmark("g", "c", None, false)]);
        let planned = |entries: &[CatalogEntry]| {
            let plan = plan(entries, Policy::default(), 1);
            plan.groups.iter().map(|g| g.cases.clone()).collect::<Vec<Vec<u32>>>()
        };
        assert_eq!(planned(&[one(&[]), other(false)]), vec![vec![0, 1, 2]]);
        assert_eq!(planned(&[one(&[]), other(true)]), vec![vec![0], vec![1, 2]]);
        assert_eq!(planned(&[one(&["x"]), other(true)]), vec![vec![0, 1], vec![2, 3]]);
        // The same in three languages, each only with a baseline: the first is the baseline of all.
        let alone = |artifact| entry(artifact, vec![benchmark("g", "a", None, true)]);
        assert_eq!(planned(&[alone(0), alone(1), alone(2)]), vec![vec![0, 1, 2]]);
    }

    #[test]
    fn the_order_of_parameters_does_not_matter() {
        let of = |name: &str, parameters: [(&str, &str); 2], baseline| {
            let parameters = parameters.map(|(name, value)| Parameter::new(name, value));
            Benchmark { parameters: parameters.to_vec(), ..benchmark("g", name, None, baseline) }
        };
        let one = entry(0, vec![of("a", [("n", "1"), ("k", "2")], true)]);
        let other = entry(1, vec![of("b", [("k", "2"), ("n", "1")], false), of("c", [("k", "1"), ("n", "2")], false)]);
        let groups = plan(&[one, other], Policy::default(), 1).groups;
        assert_eq!(groups.iter().map(|g| g.cases.clone()).collect::<Vec<_>>(), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn large_groups_are_split_with_the_baseline_repeated() {
        let mut list = vec![benchmark("g", "base", None, true)];
        list.extend((0..20).map(|i| benchmark("g", &format!("b{i}"), None, false)));
        let plan = plan(&[entry(0, list)], Policy::default(), 1);
        assert_eq!(plan.groups.len(), 3);
        assert!(plan.groups.iter().all(|g| g.cases.len() <= CASES_TOGETHER_MAX && g.cases[0] == 0));
    }
}
