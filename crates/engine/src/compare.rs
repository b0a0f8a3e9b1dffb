//! The plan of a comparison: every benchmark that exists on both sides is a group of two builds.

use crate::catalog::{filter_name, parameters_in_order, CatalogEntry};
use std::collections::{BTreeMap, HashMap, HashSet};
use tare_model::{Benchmark, Case, CaseGroup, Plan, Policy, Side};

/// A plan of pairs, and what has no partner.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPlan {
    /// Two cases for each benchmark: the base first.
    pub plan: Plan,
    /// Names of benchmarks of the base alone.
    pub only_base: Vec<String>,
    /// Names of benchmarks of the new side alone.
    pub only_new: Vec<String>,
}

/// A benchmark with what it takes to find its partner.
struct Found<'a> {
    artifact: u32,
    program: &'a str,
    key: String,
    name: String,
    /// Its name with the parameters in an order that both sides have.
    in_order: String,
    benchmark: &'a Benchmark,
}

/// Pairs the benchmarks of two sides. They are partners when program, group, name and parameters are equal, the last in any order; where the
/// programs are named differently, when the rest is equal and stands once on each side. `renamed` maps names of the base
/// (`group/name` or with parameters) to names of the new side; one whose new name is not there changes nothing.
pub fn plan_comparison(
    base: &[CatalogEntry],
    new: &[CatalogEntry],
    renamed: &[(String, String)],
    policy: Policy,
    seed: u64,
) -> ComparisonPlan {
    let new = found(new, &HashMap::new());
    let there: HashSet<String> = new.iter().flat_map(|f| [f.name.clone(), f.benchmark.full_name()]).collect();
    let holds = |(_, to): &&(String, String)| there.contains(to);
    let renamed: HashMap<&str, &str> = renamed.iter().filter(holds).map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let base = found(base, &renamed);
    let by_key: BTreeMap<&str, usize> = new.iter().enumerate().map(|(i, f)| (f.key.as_str(), i)).collect();
    let in_order = |found: &Found| (found.program.to_owned(), found.in_order.clone());
    let by_order: BTreeMap<(String, String), usize> = new.iter().enumerate().map(|(i, f)| (in_order(f), i)).collect();
    let (of_base, of_new) = (places(&base), places(&new));
    let mut partner_of = vec![None; new.len()];
    let mut only_base = Vec::new();
    for (index, old) in base.iter().enumerate() {
        let same_program = by_key.get(old.key.as_str()).or_else(|| by_order.get(&in_order(old))).copied();
        let name = old.in_order.as_str();
        let by_name = || match (&of_base[name][..], of_new.get(name).map(Vec::as_slice)) {
            ([_], Some(&[partner])) => Some(partner),
            _ => None,
        };
        let partner = same_program.or_else(by_name);
        match partner {
            Some(partner) => partner_of[partner] = Some(index),
            None => only_base.push(old.name.clone()),
        }
    }
    let mut cases = Vec::new();
    let mut groups = Vec::new();
    let mut only_new = Vec::new();
    for (found, partner) in new.iter().zip(partner_of) {
        let Some(partner) = partner.map(|p| &base[p]) else {
            only_new.push(found.name.clone());
            continue;
        };
        let first = cases.len() as u32;
        cases.push(case(partner, Side::Base, &found.key));
        cases.push(case(found, Side::New, &found.key));
        groups.push(CaseGroup {
            cases: vec![first, first + 1],
            baseline: Some(first),
            same_invocations: true,
            ..CaseGroup::default()
        });
    }
    ComparisonPlan { plan: Plan { cases, groups, policy, seed }, only_base, only_new }
}

/// Where each name stands.
fn places<'a>(side: &'a [Found]) -> HashMap<&'a str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, found) in side.iter().enumerate() {
        places.entry(&found.in_order).or_default().push(index);
    }
    places
}

fn case(found: &Found, side: Side, key: &str) -> Case {
    let (benchmark, key) = (found.benchmark.clone(), key.to_owned());
    Case { artifact: found.artifact, job: 0, side: Some(side), benchmark, key }
}

fn found<'a>(entries: &'a [CatalogEntry], renamed: &HashMap<&str, &str>) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    for entry in entries {
        for benchmark in &entry.benchmarks {
            let own = filter_name(benchmark);
            let ordered = match parameters_in_order(&benchmark.parameters) {
                none if none.is_empty() => benchmark.full_name(),
                parameters => format!("{}[{parameters}]", benchmark.full_name()),
            };
            let in_order = match (renamed.get(own.as_str()), renamed.get(benchmark.full_name().as_str())) {
                (Some(new), _) => (*new).to_owned(),
                (None, Some(new)) => ordered.replacen(&benchmark.full_name(), new, 1),
                (None, None) => ordered,
            };
            let name = match (renamed.get(own.as_str()), renamed.get(benchmark.full_name().as_str())) {
                (Some(new), _) => (*new).to_owned(),
                (None, Some(new)) => own.replacen(&benchmark.full_name(), new, 1),
                (None, None) => own,
            };
            let key = format!("{}:{}", entry.program, name);
            all.push(Found { artifact: entry.artifact, program: &entry.program, key, name, in_order, benchmark });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(artifact: u32, program: &str, names: &[&str]) -> CatalogEntry {
        let benchmarks = names
            .iter()
            .enumerate()
            .map(|(index, name)| crate::catalog::tests::benchmark_at(index as u32, "g", name))
            .collect();
        CatalogEntry { artifact, program: program.into(), benchmarks }
    }

    #[test]
    fn partners_by_name_and_the_rest_is_told() {
        let base = [entry(0, "bench", &["a", "gone", "old"])];
        let new = [entry(1, "bench", &["new", "a", "fresh"])];
        let renamed = [("g/old".to_owned(), "g/new".to_owned())];
        let planned = plan_comparison(&base, &new, &renamed, Policy::default(), 1);
        assert_eq!(planned.only_base, ["g/gone"]);
        assert_eq!(planned.only_new, ["g/fresh"]);
        let keys: Vec<_> = planned.plan.cases.iter().map(|c| (c.key.as_str(), c.side.map(Side::name))).collect();
        let both = |key| [(key, Some("base")), (key, Some("new"))];
        assert_eq!(keys, [both("bench:g/new"), both("bench:g/a")].concat());
        assert_eq!(planned.plan.cases[0].benchmark.name, "old");
        let nowhere = [("g/a".to_owned(), "g/nowhere".to_owned())];
        assert_eq!(plan_comparison(&base, &new, &nowhere, Policy::default(), 1).plan.groups.len(), 1);
        assert!(planned.plan.groups.iter().all(|g| g.same_invocations && g.baseline == Some(g.cases[0])));
        assert_eq!(planned.plan.comparisons(), 2);
    }

    #[test]
    fn programs_of_other_names_are_partners_when_it_is_clear() {
        let base = [entry(0, "a.out", &["x"]), entry(1, "b.out", &["y"])];
        let new = [entry(2, "c.out", &["x", "y"])];
        assert_eq!(plan_comparison(&base, &new, &[], Policy::default(), 1).plan.groups.len(), 2);
        let twice = [entry(0, "a.out", &["x"]), entry(1, "b.out", &["x"])];
        assert_eq!(plan_comparison(&twice, &new, &[], Policy::default(), 1).plan.groups.len(), 0);
    }

    #[test]
    fn parameters_in_another_order_are_the_same() {
        let with = |parameters: [(&str, &str); 2]| {
            let parameters = parameters.map(|(name, value)| tare_model::Parameter::new(name, value));
            let benchmark = crate::catalog::tests::benchmark_at(0, "g", "a");
            let benchmarks = vec![Benchmark { parameters: parameters.to_vec(), ..benchmark }];
            CatalogEntry { artifact: 0, program: "bench".into(), benchmarks }
        };
        let paired = |base, new, renamed: &[(String, String)]| {
            let planned = plan_comparison(&[base], &[new], renamed, Policy::default(), 1);
            (planned.plan.groups.len(), planned.only_base, planned.only_new)
        };
        let (one, other) = (with([("n", "1"), ("k", "2")]), with([("k", "2"), ("n", "1")]));
        assert_eq!(paired(one.clone(), other.clone(), &[]), (1, vec![], vec![]));
        let alone = paired(one, with([("n", "2"), ("k", "1")]), &[]);
        assert_eq!(alone, (0, vec!["g/a[n=1, k=2]".to_owned()], vec!["g/a[n=2, k=1]".to_owned()]));
    }
}
