//! All cases of this program: all combinations of values, with unique names.

use std::collections::HashMap;

use super::{benches, Bench, Case, Choice, Chosen};
use crate::guard::guard;
use crate::show::{number_twins, Texts};

/// Values of parameters set by the host, by name.
pub(crate) type Given = Vec<(String, Vec<String>)>;

fn given_for<'a>(given: &'a Given, name: &str) -> &'a [String] {
    given.iter().find(|(known, _)| known == name).map_or(&[], |(_, values)| values)
}

/// The maximum number of cases; more is assumed to be a mistake in the values of parameters.
const MOST: usize = 1_000_000;

/// All cases in declaration order. An error in a benchmark makes only its own cases fail.
pub(crate) fn cases() -> Vec<Case> {
    cases_with(&Given::new())
}

pub(crate) fn cases_with(given: &Given) -> Vec<Case> {
    let mut all = Vec::new();
    for bench in benches() {
        match values(bench, given, MOST - all.len().min(MOST)) {
            Ok(values) => add(bench, given, &values, &mut all),
            Err(fault) => all.push(Case { fault: Some(fault), ..Case::of(bench) }),
        }
    }
    for case in &mut all {
        case.fault = case.fault.take().or(case.bench.manner.fault());
    }
    name_apart(&mut all);
    all
}

/// The number of benchmarks with a parameter of this name, or an error if one of them cannot take these values.
pub(crate) fn having(name: &str, given: &[String]) -> Result<u64, String> {
    let mut count = 0;
    let all = benches();
    let is_of_row = |bench: &&Bench| {
        let at = bench.parameters.iter().position(|parameter| parameter.name == name);
        at.is_some_and(|at| bench.parameters[at].row || bench.parameters.get(at + 1).is_some_and(|next| next.row))
    };
    if all.iter().copied().any(|bench| is_of_row(&bench)) {
        return Err(format!("the parameter `{name}` cannot be set: its values are declared in rows with others"));
    }
    for parameter in all.iter().flat_map(|bench| bench.parameters).filter(|parameter| parameter.name == name) {
        let read = guard("set-up", || (parameter.values)(given));
        read.map_err(|failure| format!("the parameter `{name}`: {}", failure.what()))?;
        count += 1;
    }
    Ok(count)
}

/// The texts of the values of each parameter, or an error.
fn values(bench: &Bench, given: &Given, most: usize) -> Result<Vec<Texts>, String> {
    let mut all = Vec::new();
    let mut count = 1_usize;
    for parameter in bench.parameters {
        let name = parameter.name;
        let values = guard("set-up", || (parameter.values)(given_for(given, name)));
        let values = values.map_err(|failure| format!("the values of its parameter `{name}`: {}", failure.what()))?;
        if values.texts.is_empty() {
            return Err(format!("its parameter `{name}` has no values; give it at least one"));
        }
        if !parameter.row {
            count = count.saturating_mul(values.texts.len());
        }
        all.push(values);
    }
    let mut at = 0;
    while at < all.len() {
        let width = 1 + bench.parameters[at + 1..].iter().take_while(|parameter| parameter.row).count();
        number_twins(&mut all[at..at + width]);
        at += width;
    }
    if count > most {
        return Err(format!("its parameters have {count} combinations; a program has at most {MOST} cases"));
    }
    Ok(all)
}

/// Adds the combinations of the values; the last parameter changes fastest.
fn add(bench: &'static Bench, given: &Given, values: &[Texts], all: &mut Vec<Case>) {
    let leads = |at: &usize| !bench.parameters[*at].row;
    let count: usize = (0..values.len()).filter(leads).map(|at| values[at].texts.len()).product();
    for number in 0..count {
        let mut left = number;
        let mut choice = vec![0; values.len()];
        for at in (0..values.len()).rev().filter(leads) {
            choice[at] = left % values[at].texts.len();
            left /= values[at].texts.len();
        }
        for at in 1..values.len() {
            if bench.parameters[at].row {
                choice[at] = choice[at - 1];
            }
        }
        let chosen = choice.iter().zip(bench.parameters).zip(values);
        let chosen = chosen.map(|((&at, parameter), values)| (parameter.name, values.texts[at].clone()));
        let mut case = Case::of(bench);
        case.parameters.extend(chosen);
        case.types.extend(values.iter().map(|values| values.kind));
        let chosen = choice.iter().zip(bench.parameters).zip(values).map(|((&at, parameter), values)| Chosen {
            at,
            text: values.own[at].clone(),
            given: given_for(given, parameter.name).to_vec(),
        });
        case.choice = Choice(chosen.collect(), bench.added);
        if bench.team {
            case.run_on_threads();
        }
        match guard("set-up", || Ok(bench.skipped.and_then(|skipped| skipped(&case.choice)))) {
            Ok(skipped) => case.skipped = skipped,
            Err(failure) => case.fault = Some(failure.what()),
        }
        case.count();
        all.push(case);
    }
}

/// Renames cases whose name is empty or taken by an earlier one, and marks them as faulty.
fn name_apart(all: &mut [Case]) {
    for case in all.iter_mut().filter(|case| case.bench.name.is_empty()) {
        case.name = "(no name)".to_owned();
        case.fault.get_or_insert_with(|| "its name is empty; give it one".to_owned());
    }
    let names: Vec<String> = all.iter().map(Case::full_name).collect();
    let mut known = HashMap::new();
    for (case, name) in all.iter_mut().zip(&names) {
        let (first, count) = known.entry(name).or_insert((case.bench, 0));
        *count += 1;
        if *count == 1 {
            continue;
        }
        let fault = format!(
            "`{name}` is declared at {}:{} and at {}:{}; give one of them `name = \"...\"` or another group",
            first.file, first.line, case.bench.file, case.bench.line,
        );
        case.name = format!("{} ({count})", case.name);
        case.fault.get_or_insert(fault);
    }
}
