//! A baseline given by its benchmark's name: the others of its group are compared with it, in each group that has this name.

use super::by_parameter::compare_parameter;
use super::catalog::filter_name;
use super::groups::{groups, sets};
use std::collections::BTreeSet;
use tare_model::{Benchmark, Case, Parameter, Plan};

/// What the user wants to compare with: `n=10`, a value of a parameter, or `parse/library`, a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    pub text: String,
}

impl Baseline {
    /// As typed; `None` if empty.
    pub fn of(text: &str) -> Option<Baseline> {
        let text = text.trim();
        (!text.is_empty()).then(|| Baseline { text: text.to_owned() })
    }

    /// Read as the value of a parameter.
    pub fn parameter(&self) -> Option<Parameter> {
        let (name, value) = self.text.split_once('=')?;
        (!name.trim().is_empty()).then(|| Parameter::new(name.trim(), value.trim()))
    }

    fn names(&self, benchmark: &Benchmark) -> bool {
        let short = benchmark.name == self.text || benchmark.full_name() == self.text;
        short || filter_name(benchmark) == self.text
    }
}

/// The plan with its cases compared with this baseline; `None` if nothing can be compared with it.
pub fn compare_baseline(plan: &Plan, baseline: &Baseline) -> Option<Plan> {
    let by_value = baseline.parameter().and_then(|value| compare_parameter(plan.clone(), &value));
    by_value.or_else(|| compare_benchmark(plan, baseline))
}

/// Groups without this benchmark stay as they are.
fn compare_benchmark(plan: &Plan, baseline: &Baseline) -> Option<Plan> {
    let mut cases = plan.cases.clone();
    let mut is_compared = false;
    for members in sets(&plan.cases) {
        let is_base = |case: u32| baseline.names(&plan.cases[case as usize].benchmark);
        let bases = members.iter().filter(|case| is_base(**case)).count();
        if bases == 0 {
            continue;
        }
        is_compared |= members.len() > 1;
        for case in members {
            cases[case as usize].benchmark.baseline = is_base(case);
        }
    }
    let groups = groups(&cases);
    is_compared.then(|| Plan { cases, groups, ..plan.clone() })
}

/// Names of possible baselines: benchmarks with others in their group, each once, in the order of the plan.
pub fn possible_baselines(plan: &Plan) -> Vec<String> {
    let several = |members: &Vec<u32>| members.len() > 1;
    let members = sets(&plan.cases).into_iter().filter(several).flatten();
    let mut seen = BTreeSet::new();
    let names = members.map(|case| plan.cases[case as usize].benchmark.name.clone());
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// A possible baseline for a run that compares nothing: a benchmark of a named group, or a word as a parameter.
pub fn suggested_baseline(plan: &Plan) -> Option<String> {
    if plan.comparisons() > 0 {
        return None;
    }
    let sets = sets(&plan.cases);
    let is_variant = |members: &&Vec<u32>| members.len() > 1 && !case(plan, members[0]).benchmark.group.is_empty();
    let of_group = sets.iter().find(is_variant).map(|members| case(plan, members[0]).benchmark.name.clone());
    of_group.or_else(|| {
        let words = plan.cases.iter().filter_map(|case| match case.benchmark.parameters.as_slice() {
            [one] if is_word(&one.value) => Some(one),
            _ => None,
        });
        words
            .take(WORDS_MAX)
            .find(|word| compare_parameter(plan.clone(), word).is_some())
            .map(|word| format!("{}={}", word.name, word.value))
    })
}

/// Most values to try.
const WORDS_MAX: usize = 16;

fn case(plan: &Plan, at: u32) -> &Case {
    &plan.cases[at as usize]
}

/// Excludes sizes, which are no variants.
fn is_word(value: &str) -> bool {
    value.starts_with(|c: char| c.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use crate::plan::catalog::tests::{benchmark, entry};
    use tare_model::Policy;

    fn of(benchmarks: Vec<Benchmark>) -> Plan {
        plan(&[entry(0, benchmarks)], Policy::default(), 1)
    }

    fn two_groups() -> Plan {
        let b = |group: &str, name: &str, n| benchmark(group, name, n, false);
        of(vec![
            b("parse", "library", Some("1")),
            b("parse", "byHand", Some("1")),
            b("parse", "library", Some("2")),
            b("parse", "byHand", Some("2")),
            b("sort", "byHand", None),
            b("sort", "library", None),
            b("", "alone", None),
        ])
    }

    fn compared(plan: &Plan, text: &str) -> Option<Vec<(Vec<u32>, Option<u32>)>> {
        let compared = compare_baseline(plan, &Baseline::of(text).expect("a text"))?;
        Some(compared.groups.into_iter().map(|group| (group.cases, group.baseline)).collect())
    }

    #[test]
    fn a_benchmark_is_the_baseline_of_each_group_that_has_it() {
        let plan = two_groups();
        let all = vec![(vec![0, 1], Some(0)), (vec![2, 3], Some(2)), (vec![5, 4], Some(5)), (vec![6], None)];
        assert_eq!(compared(&plan, "library"), Some(all));
        let one = vec![
            (vec![0], None),
            (vec![1], None),
            (vec![2], None),
            (vec![3], None),
            (vec![5, 4], Some(5)),
            (vec![6], None),
        ];
        assert_eq!(compared(&plan, "sort/library"), Some(one));
        let one = compared(&plan, "parse/byHand[n=2]").expect("a plan");
        assert_eq!(one.iter().filter_map(|(_, baseline)| *baseline).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_name_that_nothing_can_be_compared_with_is_no_baseline() {
        let plan = two_groups();
        assert_eq!(
            [compared(&plan, "alone"), compared(&plan, "libary"), compared(&plan, "impl=library")],
            [None, None, None]
        );
        assert_eq!(possible_baselines(&plan), ["library", "byHand"]);
    }

    #[test]
    fn it_takes_the_place_of_a_declared_one() {
        let b = |name: &str, baseline| benchmark("g", name, None, baseline);
        let plan = of(vec![b("a", true), b("b", false)]);
        assert_eq!(compared(&plan, "b"), Some(vec![(vec![1, 0], Some(1))]));
    }

    #[test]
    fn a_baseline_is_suggested_where_nothing_is_compared_and_something_could_be() {
        assert_eq!(suggested_baseline(&two_groups()), Some("library".to_owned()));
        let b = |value: &str| Benchmark {
            parameters: vec![Parameter::new("impl", value)],
            ..benchmark("", "Parse", None, false)
        };
        assert_eq!(suggested_baseline(&of(vec![b("library"), b("by_hand")])), Some("impl=library".to_owned()));
        assert_eq!(suggested_baseline(&of(vec![b("10"), b("99")])), None);
        assert_eq!(
            suggested_baseline(&of(vec![benchmark("", "a", None, false), benchmark("", "b", None, false)])),
            None
        );
        let declared = of(vec![benchmark("g", "a", None, true), benchmark("g", "b", None, false)]);
        assert_eq!(suggested_baseline(&declared), None);
    }
}
