//! A table of fifty rows must not get fifty lines: findings common to many cases are merged.

use super::facts::Context;
use super::{Code, Finding, Observation, Sentence, Severity};
use crate::finding::{each_once, Advice, Again, LISTED_MAX};

/// Number of cases with the same warning from which it is merged. With fewer, each keeps the mark at its row.
const MERGE_FROM: usize = 4;
/// The same for notes, which have no mark.
const MERGE_NOTES_FROM: usize = 2;
/// Most groups that a command names; beyond that it covers the whole run.
const GROUPS_MAX: usize = 2;
const NAMED: usize = 3;

pub(super) fn findings(context: &Context, code: Code, found: Vec<Observation>) -> Vec<Finding> {
    let mut all = Vec::new();
    let quoted = |found: &Observation| code.quotes().then(|| found.evidence.clone());
    let mut texts: Vec<Option<Sentence>> = Vec::new();
    for found in &found {
        if !texts.contains(&quoted(found)) {
            texts.push(quoted(found));
        }
    }
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    for (severity, text) in severities.into_iter().flat_map(|s| texts.iter().map(move |text| (s, text))) {
        let is_one = |f: &&Observation| f.severity == severity && quoted(f) == *text;
        let some: Vec<Observation> = found.iter().filter(is_one).cloned().collect();
        let limit = if severity == Severity::Note { MERGE_NOTES_FROM } else { MERGE_FROM };
        if some.iter().filter(|f| f.case.is_some()).count() >= limit {
            all.extend(merged(context, code, some));
        } else {
            all.extend(some.into_iter().map(|f| single(context, code, f)));
        }
    }
    all
}

fn single(context: &Context, code: Code, found: Observation) -> Finding {
    let keys = found.case.map_or_else(|| found.only.clone(), |case| names(context, case));
    finding(code, &keys, found)
}

/// The row of a case and those compared with it: alone it would have no ratio.
fn names(context: &Context, case: u32) -> Vec<String> {
    let baseline_of = |case: u32| Some(context.cases[case as usize].estimates()?.ratio.as_ref()?.baseline);
    let others = (0..context.cases.len() as u32).filter(|other| baseline_of(*other) == Some(case));
    let names = each_once(baseline_of(case).into_iter().chain([case]).chain(others).map(|case| context.name(case)));
    if names.len() > LISTED_MAX {
        groups(context, &[case])
    } else {
        names
    }
}

fn finding(code: Code, keys: &[String], found: Observation) -> Finding {
    let again = found.again.map(|how| Again::only(how, keys));
    Finding {
        code,
        severity: found.severity,
        case: found.case,
        cases: Vec::new(),
        evidence: found.evidence,
        advice: Advice { text: found.advice, again },
    }
}

/// Filters for the groups of many cases, including baselines, if the groups are few: the names of all cases would be too long.
fn groups(context: &Context, cases: &[u32]) -> Vec<String> {
    let mut filters: Vec<String> = Vec::new();
    for case in cases {
        let group = context.cases.get(*case as usize).map_or("", |c| c.group.as_str());
        let filter = format!("{group}/");
        if group.is_empty() || group.contains(['*', '?']) || filters.len() > GROUPS_MAX {
            return Vec::new();
        }
        if !filters.contains(&filter) {
            filters.push(filter);
        }
    }
    if filters.len() > GROUPS_MAX {
        filters.clear();
    }
    filters
}

/// The others: the first ones by name, and how many more.
fn also(context: &Context, others: &[u32]) -> Sentence {
    let places: Vec<String> = (1..=others.len().min(NAMED)).map(|at| format!("{{other-{at}}}")).collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let sentence = Sentence::new(&format!("; also {}{more}", places.join(", ")));
    let named = others.iter().take(NAMED).zip(1..);
    named.fold(sentence, |sentence, (&case, at)| sentence.name(&format!("other-{at}"), context.label(case)))
}

fn merged(context: &Context, code: Code, mut found: Vec<Observation>) -> Option<Finding> {
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut cases: Vec<u32> = found.iter().filter_map(|f| f.case).collect();
    let filters = groups(context, &cases);
    let worst = found.into_iter().find(|f| f.case.is_some())?;
    let others: Vec<u32> = cases.iter().copied().filter(|&c| Some(c) != worst.case).collect();
    let name = worst.case.map_or_else(String::new, |c| context.label(c));
    let evidence = Sentence::new("{cases} cases: {worst}: ")
        .count("cases", cases.len())
        .name("worst", name)
        .then(worst.evidence)
        .then(also(context, &others));
    cases.sort_unstable();
    Some(Finding { cases, ..finding(code, &filters, Observation { case: None, evidence, ..worst }) })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{log_ns, noisy_logs, RunBuilder};
    use crate::Severity;

    /// Cases whose launches all use more and more memory.
    fn growing(count: usize) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new();
        for i in 0..count {
            let case = builder.case("list", &format!("push{i}"), false);
            for n in 0..12 {
                let launch = builder.launch(case, n / 4, &noisy_logs(log_ns(100.0), 24, u64::from(n)));
                launch.memory_growth_bytes = Some((8 << 20) + i as i64 * 100_000);
            }
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn few_cases_have_a_line_each_and_many_one() {
        let few = growing(3);
        assert_eq!(few.iter().map(|f| f.case).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
        assert!(few[0].advice.again.as_ref().is_none_or(|a| a.only == ["list/push0"]));
        let many = growing(12);
        assert_eq!(many.len(), 1, "{many:#?}");
        assert_eq!((many[0].case, many[0].severity), (None, Severity::Warning));
        assert_eq!(many[0].cases, (0..12).collect::<Vec<u32>>(), "every row gets its mark");
        assert!(many[0].advice.again.as_ref().is_none_or(|a| a.only == ["list/"]), "{many:#?}");
        assert!(many[0].evidence.to_string().starts_with("12 cases: list/push11: "), "{}", many[0].evidence);
        assert!(many[0].evidence.to_string().ends_with("list/push8 and 8 more"), "{}", many[0].evidence);
    }

    #[test]
    fn the_two_sides_of_a_benchmark_have_two_names() {
        let mut builder = RunBuilder::new();
        for at in 0..2 {
            for (name, baseline) in [("old", true), ("new", false)] {
                let case = builder.case(&format!("g{at}"), name, baseline);
                for n in 0..12 {
                    let launch = builder.launch(case, n / 4, &noisy_logs(log_ns(100.0), 24, u64::from(n)));
                    launch.memory_growth_bytes = Some(8 << 20);
                }
            }
        }
        builder.compared();
        for (at, case) in builder.run.plan.cases.iter_mut().enumerate() {
            case.key = format!("bench.cpp:list/push{}", at / 2);
        }
        let sides = builder.run.sides.as_mut().expect("sides");
        (sides.base.name, sides.new.name) = ("v1".to_owned(), "v2".to_owned());
        let evidence = crate::analyse(&builder.run()).findings[0].evidence.to_string();
        assert!(evidence.starts_with("4 cases: list/push0 of `v1`: "), "{evidence}");
        assert!(evidence.ends_with("; also list/push0 of `v2`, list/push1 of `v1`, list/push1 of `v2`"), "{evidence}");
    }
}
