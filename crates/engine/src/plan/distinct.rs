//! Makes the names of a program's benchmarks unique: a wrong declaration costs only its own row.

use super::catalog::filter_name;
use std::collections::hash_map::{Entry, HashMap};
use tare_model::{Benchmark, FailureKind};

/// Shown for an empty name.
const NO_NAME: &str = "(no name)";

/// The benchmarks with unique names: the first measurable one keeps its name, the others are invalid.
pub fn distinct(mut benchmarks: Vec<Benchmark>) -> Vec<Benchmark> {
    for benchmark in benchmarks.iter_mut().filter(|b| b.name.is_empty()) {
        benchmark.name = NO_NAME.to_owned();
        benchmark.invalid.get_or_insert_with(|| "its name is empty; give it one".to_owned());
    }
    let mut owners: HashMap<String, usize> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    // Measurable ones choose first.
    let order = |valid: bool| move |b: &Benchmark| b.invalid.is_none() == valid;
    let (valid, invalid) = (order(true), order(false));
    let all = || benchmarks.iter().enumerate();
    let turns: Vec<usize> =
        all().filter(|(_, b)| valid(b)).chain(all().filter(|(_, b)| invalid(b))).map(|(at, _)| at).collect();
    let mut twins = Vec::new();
    for at in turns {
        match owners.entry(filter_name(&benchmarks[at])) {
            Entry::Vacant(free) => {
                free.insert(at);
            }
            Entry::Occupied(taken) => twins.push((at, *taken.get())),
        }
    }
    for (at, owner) in twins {
        let name = filter_name(&benchmarks[at]);
        let reason = twin_text(&name, &benchmarks[owner], &benchmarks[at]);
        let benchmark = &mut benchmarks[at];
        let stem = std::mem::take(&mut benchmark.name);
        let number = numbers.entry(name).or_insert(1);
        // Ends: there are fewer names than benchmarks.
        loop {
            *number += 1;
            benchmark.name = format!("{stem} ({number})");
            if let Entry::Vacant(free) = owners.entry(filter_name(benchmark)) {
                free.insert(at);
                break;
            }
        }
        benchmark.baseline = false;
        benchmark.invalid.get_or_insert(reason);
    }
    benchmarks
}

/// Says which two share a name, and what to change.
fn twin_text(name: &str, owner: &Benchmark, twin: &Benchmark) -> String {
    let place = |benchmark: &Benchmark| match (&benchmark.file, benchmark.line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        (Some(file), None) => Some(file.clone()),
        _ => None,
    };
    let advice = if twin.parameters.is_empty() {
        "give one of them another name or group"
    } else {
        "give one of them another name or group, or parameter values with different texts"
    };
    match (place(owner), place(twin)) {
        (Some(one), Some(other)) if one == other => format!("`{name}` is declared twice at {one}; {advice}"),
        (Some(one), Some(other)) => format!("`{name}` is declared at {one} and at {other}; {advice}"),
        _ => format!("`{name}` is declared twice; {advice}"),
    }
}

/// Why a benchmark cannot be measured: its declaration is wrong, or it requires something that this host lacks.
pub fn unmeasurable(benchmark: &Benchmark) -> Option<FailureKind> {
    if let (None, Some(reason)) = (&benchmark.invalid, &benchmark.skipped) {
        return Some(FailureKind::Skipped { reason: reason.clone() });
    }
    if let Some(reason) = &benchmark.invalid {
        return Some(FailureKind::Declaration { reason: reason.clone() });
    }
    let requires = tare_protocol::lacking(&benchmark.requires);
    (!requires.is_empty()).then_some(FailureKind::Unsupported { requires })
}

#[cfg(test)]
mod tests {
    use super::distinct;
    use crate::plan::catalog::tests::benchmark_at;
    use tare_model::Benchmark;

    fn names(benchmarks: &[Benchmark]) -> Vec<(&str, bool)> {
        benchmarks.iter().map(|b| (b.name.as_str(), b.invalid.is_none())).collect()
    }

    #[test]
    fn the_first_of_several_keeps_the_name_and_the_others_fail() {
        let mut list: Vec<Benchmark> =
            ["a", "b", "a", "a", "a (2)"].iter().zip(0..).map(|(n, i)| benchmark_at(i, "g", n)).collect();
        for (line, benchmark) in (10..).zip(&mut list) {
            (benchmark.file, benchmark.line, benchmark.baseline) = (Some("x.cpp".to_owned()), Some(line), true);
        }
        let list = distinct(list);
        assert_eq!(names(&list), [("a", true), ("b", true), ("a (3)", false), ("a (4)", false), ("a (2)", true)]);
        let text = list[2].invalid.as_deref().unwrap_or_default();
        assert_eq!(text, "`g/a` is declared at x.cpp:10 and at x.cpp:12; give one of them another name or group");
        assert!(list[0].baseline && !list[2].baseline);
    }

    #[test]
    fn an_invalid_one_does_not_take_the_name_of_one_that_can_be_measured() {
        let mut list = vec![benchmark_at(0, "", "a"), benchmark_at(1, "", "a"), benchmark_at(2, "", "")];
        list[0].invalid = Some("it is broken".to_owned());
        let list = distinct(list);
        assert_eq!(names(&list), [("a (2)", false), ("a", true), ("(no name)", false)]);
        assert_eq!(list[0].invalid.as_deref(), Some("it is broken"));
    }

    #[test]
    fn many_of_one_name_take_no_time() {
        let list: Vec<Benchmark> = (0..20_000).map(|i| benchmark_at(i, "g", "same")).collect();
        assert_eq!(distinct(list).iter().filter(|b| b.invalid.is_none()).count(), 1);
    }
}
