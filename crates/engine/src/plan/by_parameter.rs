//! A baseline given by the value of a parameter: `n=10` against all other values of `n`, for each benchmark and each choice of the other
//! parameters.

use super::catalog::{filter_name, parameters_in_order};
use super::groups::against;
use std::collections::{BTreeMap, HashSet};
use tare_model::{Benchmark, Case, CaseGroup, Parameter, Plan};

/// The plan with its cases compared over a parameter. Cases that have it leave their groups, as a case has one ratio; `None` if no
/// benchmark has this value and another one.
pub fn compare_parameter(plan: Plan, baseline: &Parameter) -> Option<Plan> {
    let Plan { mut cases, groups, .. } = plan;
    let mut sets: BTreeMap<(u32, String, String), Vec<u32>> = BTreeMap::new();
    for (index, case) in cases.iter().enumerate().filter(|(_, c)| value(&c.benchmark, &baseline.name).is_some()) {
        let key = (case.artifact, case.benchmark.full_name(), others(&case.benchmark, &baseline.name));
        sets.entry(key).or_default().push(index as u32);
    }
    let is_base = |case: u32, cases: &[tare_model::Case]| {
        value(&cases[case as usize].benchmark, &baseline.name) == Some(baseline.value.as_str())
    };
    let mut compared: Vec<CaseGroup> = Vec::new();
    let mut moved: Vec<u32> = Vec::new();
    for members in sets.into_values() {
        let Some(base) = members.iter().copied().find(|&m| is_base(m, &cases)).filter(|_| members.len() > 1) else {
            continue;
        };
        compared.extend(against(base, members.iter().copied().filter(|&m| m != base)));
        moved.extend(&members);
        for member in members {
            cases[member as usize].benchmark.baseline = member == base;
        }
    }
    if compared.is_empty() {
        return None;
    }
    let mut all: Vec<CaseGroup> = groups.into_iter().filter_map(|group| without(group, &moved)).collect();
    all.extend(compared);
    all.sort_by_key(|group| group.cases.iter().copied().min());
    Some(Plan { cases, groups: all, ..plan })
}

/// The plan with all its cases compared with the first, regardless of parameters.
pub fn compare_all(plan: Plan) -> Plan {
    let mut cases = plan.cases;
    for (index, case) in cases.iter_mut().enumerate() {
        case.benchmark.baseline = index == 0;
    }
    let groups = against(0, 1..cases.len() as u32).collect();
    Plan { cases, groups, ..plan }
}

/// The contestants that lost their baseline because not all benchmarks were taken.
pub fn without_baseline(all: &Plan, taken: &Plan) -> Vec<String> {
    let contestants = |plan: &Plan| -> HashSet<String> {
        let contestants = plan.groups.iter().flat_map(|group| group.contestants());
        contestants.map(|case| plan.cases[case as usize].key.clone()).collect()
    };
    let (before, now) = (contestants(all), contestants(taken));
    let is_lost = |case: &&Case| before.contains(&case.key) && !now.contains(&case.key);
    taken.cases.iter().filter(is_lost).map(|case| filter_name(&case.benchmark)).collect()
}

fn value<'a>(benchmark: &'a Benchmark, name: &str) -> Option<&'a str> {
    benchmark.parameters.iter().find(|p| p.name == name).map(|p| p.value.as_str())
}

fn others(benchmark: &Benchmark, name: &str) -> String {
    let rest: Vec<Parameter> = benchmark.parameters.iter().filter(|p| p.name != name).cloned().collect();
    parameters_in_order(&rest)
}

/// A group without cases that are compared elsewhere; `None` if it is then empty.
fn without(group: CaseGroup, moved: &[u32]) -> Option<CaseGroup> {
    let cases: Vec<u32> = group.cases.into_iter().filter(|case| !moved.contains(case)).collect();
    let baseline = group.baseline.filter(|base| cases.len() > 1 && cases.contains(base));
    (!cases.is_empty()).then_some(CaseGroup { cases, baseline, ..group })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::tests::benchmark_at;
    use crate::{plan, CatalogEntry};
    use tare_model::Policy;

    fn parameter(name: &str, value: &str) -> Parameter {
        Parameter::new(name, value)
    }

    fn planned() -> Plan {
        let mut benchmarks = Vec::new();
        for (index, (name, n)) in
            [("std", "10"), ("std", "99"), ("own", "10"), ("own", "99"), ("alone", "99")].into_iter().enumerate()
        {
            let parameters = vec![parameter("n", n), parameter("kind", "sorted")];
            benchmarks.push(Benchmark {
                parameters,
                baseline: name == "std",
                ..benchmark_at(index as u32, "sort", name)
            });
        }
        benchmarks.push(benchmark_at(5, "hash", "fnv"));
        plan(&[CatalogEntry { artifact: 0, program: "p".into(), benchmarks }], Policy::default(), 1)
    }

    #[test]
    fn each_benchmark_is_compared_with_itself_at_the_value() {
        let plan = compare_parameter(planned(), &parameter("n", "10")).expect("a plan");
        let groups: Vec<(Vec<u32>, Option<u32>)> = plan.groups.iter().map(|g| (g.cases.clone(), g.baseline)).collect();
        assert_eq!(groups, [(vec![0, 1], Some(0)), (vec![2, 3], Some(2)), (vec![4], None), (vec![5], None)]);
        let baselines: Vec<bool> = plan.cases.iter().map(|c| c.benchmark.baseline).collect();
        assert_eq!(baselines, [true, false, true, false, false, false]);
    }

    #[test]
    fn a_value_that_no_benchmark_has_is_no_baseline() {
        assert!(compare_parameter(planned(), &parameter("n", "11")).is_none());
        assert!(compare_parameter(planned(), &parameter("m", "10")).is_none());
    }
}
