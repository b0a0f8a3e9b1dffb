//! The plan of a comparison: every benchmark that exists on both sides is a group of two builds.

use super::catalog::{filter_name, harness_name, parameters_in_order, row_key, CatalogEntry};
use std::collections::{BTreeMap, HashMap, HashSet};
use tare_model::{Benchmark, Case, CaseGroup, Plan, Policy, Side};

/// A plan of pairs, and the benchmarks without a partner.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPlan {
    /// Two cases for each benchmark: the base first.
    pub plan: Plan,
    pub only_base: Vec<Alone>,
    pub only_new: Vec<Alone>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    pub artifact: u32,
    /// Its index in the program.
    pub index: u32,
    pub program: String,
    /// Its name, with the program if benchmarks of several programs share the name: `bench.cpp:g/x`.
    pub name: String,
}

/// A benchmark with the keys to find its partner.
struct Candidate<'a> {
    artifact: u32,
    program: &'a str,
    key: String,
    name: String,
    /// Its name with the parameters in a canonical order.
    in_order: String,
    benchmark: &'a Benchmark,
}

/// Pairs the benchmarks of two sides: those with equal program, group, name and parameters; if programs are named differently, those whose
/// rest is equal and unique on each side; if another harness runs them, those with the same name there. `renamed` maps names of the base to
/// names of the new side; it has no effect if the new name does not exist.
pub fn plan_comparison(
    base: &[CatalogEntry],
    new: &[CatalogEntry],
    renamed: &[(String, String)],
    policy: Policy,
    seed: u64,
) -> ComparisonPlan {
    let shared = names_of_several_programs(base, new);
    let new = found(new, &HashMap::new(), &[]);
    let there: HashSet<String> =
        new.iter().flat_map(|f| [f.name.clone(), f.key.clone(), f.benchmark.full_name()]).collect();
    let holds = |(_, to): &&(String, String)| there.contains(to);
    let renamed: HashMap<&str, &str> = renamed.iter().filter(holds).map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let base = found(base, &renamed, &new);
    let alone = |found: &Candidate| found.alone(&shared);
    let by_key: BTreeMap<&str, usize> = new.iter().enumerate().map(|(i, f)| (f.key.as_str(), i)).collect();
    let in_order = |found: &Candidate| (found.program.to_owned(), found.in_order.clone());
    let by_order: BTreeMap<(String, String), usize> = new.iter().enumerate().map(|(i, f)| (in_order(f), i)).collect();
    let (of_base, of_new) = (places(&base), places(&new));
    let [in_harness, new_in_harness] = [&base, &new].map(|side| places_by(side, |found| harness_name(found.benchmark)));
    let mut partner_of = vec![None; new.len()];
    let mut only_base = Vec::new();
    for (index, old) in base.iter().enumerate() {
        let same_program = by_key.get(old.key.as_str()).or_else(|| by_order.get(&in_order(old))).copied();
        let name = old.in_order.as_str();
        let by_name = || match (&of_base[name][..], of_new.get(name).map(Vec::as_slice)) {
            ([_], Some(&[partner])) => Some(partner),
            _ => None,
        };
        let by_harness = || {
            let name = harness_name(old.benchmark)?;
            match (in_harness.get(name)?.as_slice(), new_in_harness.get(name)?.as_slice()) {
                ([_], &[partner]) => Some(partner),
                _ => None,
            }
        };
        let partner = same_program.or_else(by_name).or_else(by_harness);
        match partner {
            Some(partner) => partner_of[partner] = Some(index),
            None => only_base.push(alone(old)),
        }
    }
    let mut cases = Vec::new();
    let mut groups = Vec::new();
    let mut only_new = Vec::new();
    for (found, partner) in new.iter().zip(partner_of) {
        let Some(partner) = partner.map(|p| &base[p]) else {
            only_new.push(alone(found));
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
    ComparisonPlan { plan: Plan { cases, groups, policy, seed, ..Plan::default() }, only_base, only_new }
}

impl Candidate<'_> {
    /// For a benchmark without a partner; `shared` are the names that several programs have.
    fn alone(&self, shared: &HashSet<String>) -> Alone {
        let own = filter_name(self.benchmark);
        let name = match shared.contains(&own) {
            true => format!("{}:{}", self.program, self.name),
            false => self.name.clone(),
        };
        Alone { artifact: self.artifact, index: self.benchmark.index, program: self.program.to_owned(), name }
    }
}

/// Names that benchmarks of several programs have, on either side.
fn names_of_several_programs(base: &[CatalogEntry], new: &[CatalogEntry]) -> HashSet<String> {
    let mut programs: HashMap<String, &str> = HashMap::new();
    let mut shared = HashSet::new();
    for (entry, benchmark) in base.iter().chain(new).flat_map(|e| e.benchmarks.iter().map(move |b| (e, b))) {
        let name = filter_name(benchmark);
        if programs.get(&name).is_some_and(|first| *first != entry.program) {
            shared.insert(name);
        } else {
            programs.insert(name, &entry.program);
        }
    }
    shared
}

fn places<'a>(side: &'a [Candidate]) -> HashMap<&'a str, Vec<usize>> {
    places_by(side, |found| Some(&found.in_order))
}

/// Indices by a kind of name, for those that have one.
fn places_by<'a>(
    side: &'a [Candidate<'a>],
    name: impl Fn(&'a Candidate<'a>) -> Option<&'a str>,
) -> HashMap<&'a str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, found) in side.iter().enumerate() {
        if let Some(name) = name(found) {
            places.entry(name).or_default().push(index);
        }
    }
    places
}

fn case(found: &Candidate, side: Side, key: &str) -> Case {
    let (benchmark, key) = (found.benchmark.clone(), key.to_owned());
    Case { artifact: found.artifact, job: 0, side: Some(side), benchmark, key }
}

fn found<'a>(
    entries: &'a [CatalogEntry],
    renamed: &HashMap<&str, &str>,
    partners: &[Candidate<'a>],
) -> Vec<Candidate<'a>> {
    let mut all = Vec::new();
    for (entry, benchmark) in entries.iter().flat_map(|e| e.benchmarks.iter().map(move |b| (e, b))) {
        let (own, full) = (filter_name(benchmark), benchmark.full_name());
        let own_key = row_key(entry, benchmark);
        let renamed_to = [&own_key, &own].into_iter().find_map(|name| renamed.get(name.as_str()).copied());
        // A new name with its program is unique.
        let partner = renamed_to.and_then(|to| partners.iter().find(|partner| partner.key == to));
        if let Some(Candidate { program, key, name, in_order, .. }) = partner {
            let (key, name, in_order) = (key.clone(), name.clone(), in_order.clone());
            all.push(Candidate { artifact: entry.artifact, program, key, name, in_order, benchmark });
            continue;
        }
        let ordered = match parameters_in_order(&benchmark.parameters) {
            none if none.is_empty() => full.clone(),
            parameters => format!("{full}[{parameters}]"),
        };
        let (name, in_order) = match (renamed_to, renamed.get(full.as_str())) {
            (Some(new), _) => (new.to_owned(), new.to_owned()),
            (None, Some(new)) => (own.replacen(&full, new, 1), ordered.replacen(&full, new, 1)),
            (None, None) => (own, ordered),
        };
        let key = format!("{}:{name}", entry.program);
        all.push(Candidate { artifact: entry.artifact, program: &entry.program, key, name, in_order, benchmark });
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
            .map(|(index, name)| crate::plan::catalog::tests::benchmark_at(index as u32, "g", name))
            .collect();
        CatalogEntry { artifact, program: program.into(), benchmarks }
    }

    fn names(alone: &[Alone]) -> Vec<&str> {
        alone.iter().map(|alone| alone.name.as_str()).collect()
    }

    #[test]
    fn what_stands_alone_says_whose_it_is() {
        let base = [entry(0, "a.c", &["x", "y"])];
        let new = [entry(1, "a.c", &["x", "y"]), entry(2, "b.c", &["x", "z"])];
        let planned = plan_comparison(&base, &new, &[], Policy::default(), 1);
        assert_eq!(names(&planned.only_new), ["b.c:g/x", "g/z"], "the target of a name that is there twice");
        let planned = plan_comparison(&new, &base, &[], Policy::default(), 1);
        assert_eq!(names(&planned.only_base), ["b.c:g/x", "g/z"]);
        let twice = [entry(0, "a.c", &["x"]), entry(1, "b.c", &["x"])];
        let moved = [entry(2, "b.c", &["x"]), entry(3, "c.c", &["x"])];
        let planned = plan_comparison(&twice, &moved, &[], Policy::default(), 1);
        assert_eq!((names(&planned.only_base), names(&planned.only_new)), (vec!["a.c:g/x"], vec!["c.c:g/x"]));
        // The shown names can be used for renaming.
        let renamed = [("a.c:g/x".to_owned(), "c.c:g/x".to_owned())];
        let planned = plan_comparison(&twice, &moved, &renamed, Policy::default(), 1);
        let keys: Vec<&str> = planned.plan.cases.iter().map(|case| case.key.as_str()).collect();
        assert_eq!(keys, ["b.c:g/x", "b.c:g/x", "c.c:g/x", "c.c:g/x"]);
        assert_eq!(planned.plan.cases.iter().map(|case| case.artifact).collect::<Vec<_>>(), [1, 2, 0, 3]);
    }

    #[test]
    fn partners_by_name_and_the_rest_is_told() {
        let base = [entry(0, "bench", &["a", "gone", "old"])];
        let new = [entry(1, "bench", &["new", "a", "fresh"])];
        let renamed = [("g/old".to_owned(), "g/new".to_owned())];
        let planned = plan_comparison(&base, &new, &renamed, Policy::default(), 1);
        assert_eq!(names(&planned.only_base), ["g/gone"]);
        assert_eq!(names(&planned.only_new), ["g/fresh"]);
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
    fn partners_of_another_harness_are_called_the_same_there() {
        let of = |artifact, group: &str, name: &str, n: Option<&str>, full: &str| {
            let code = tare_model::CodeName { method: name.into(), full: full.into(), ..Default::default() };
            let listed = crate::plan::catalog::tests::benchmark(group, name, n, false);
            let benchmark = Benchmark { code: Some(code), strategy: tare_model::Strategy::Process, ..listed };
            CatalogEntry { artifact, program: "bench".into(), benchmarks: vec![benchmark] }
        };
        let seen = of(0, "sizes", "parse", Some("small"), "sizes/parse/small");
        let groups = |new| plan_comparison(std::slice::from_ref(&seen), &[new], &[], Policy::default(), 1).plan.groups;
        assert_eq!(groups(of(1, "sizes", "parse/small", None, "sizes/parse/small")).len(), 1);
        assert_eq!(groups(of(1, "sizes", "parse/large", None, "sizes/parse/large")).len(), 0);
    }

    #[test]
    fn parameters_in_another_order_are_the_same() {
        let with = |parameters: [(&str, &str); 2]| {
            let parameters = parameters.map(|(name, value)| tare_model::Parameter::new(name, value));
            let benchmark = crate::plan::catalog::tests::benchmark_at(0, "g", "a");
            let benchmarks = vec![Benchmark { parameters: parameters.to_vec(), ..benchmark }];
            CatalogEntry { artifact: 0, program: "bench".into(), benchmarks }
        };
        let paired = |base, new, renamed: &[(String, String)]| {
            let planned = plan_comparison(&[base], &[new], renamed, Policy::default(), 1);
            let names = |alone: Vec<Alone>| alone.into_iter().map(|alone| alone.name).collect::<Vec<String>>();
            (planned.plan.groups.len(), names(planned.only_base), names(planned.only_new))
        };
        let (one, other) = (with([("n", "1"), ("k", "2")]), with([("k", "2"), ("n", "1")]));
        assert_eq!(paired(one.clone(), other.clone(), &[]), (1, vec![], vec![]));
        let alone = paired(one, with([("n", "2"), ("k", "1")]), &[]);
        assert_eq!(alone, (0, vec!["g/a[n=1, k=2]".to_owned()], vec!["g/a[n=2, k=1]".to_owned()]));
    }
}
