//! Where the parameters of a case are shown: in their own columns, in its name, or once above all rows.

use crate::{clean, width};
use tare_analysis::{CaseReport, GroupReport};

/// Names of the parameters that differ between the cases, and the others with their one value.
pub(crate) fn parameters(cases: &[&CaseReport]) -> (Vec<String>, String) {
    let mut names: Vec<&str> = Vec::new();
    for parameter in cases.iter().flat_map(|c| &c.parameters) {
        if !names.contains(&parameter.name.as_str()) {
            names.push(&parameter.name);
        }
    }
    let is_constant =
        |name: &&str| cases.len() > 1 && cases.iter().all(|c| parameter(c, name) == parameter(cases[0], name));
    let (constant, varying): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_constant);
    let constant: Vec<String> =
        constant.iter().map(|name| clean(&format!("{name}={}", parameter(cases[0], name).unwrap_or("")))).collect();
    (varying.into_iter().map(str::to_owned).collect(), constant.join(", "))
}

pub(crate) fn parameter<'a>(case: &'a CaseReport, name: &str) -> Option<&'a str> {
    case.parameters.iter().find(|p| p.name == name).map(|p| p.value.as_str())
}

/// Parameters have their own columns up to this total width.
const PARAMETERS_MAX: usize = 24;

/// Whether the parameters of a block stand in columns: where all rows have the same and they are short. Else a row is called by its
/// full name: benchmarks that have nothing to do with each other would make a wide table that is empty for the most part.
pub(crate) fn in_columns(group: &GroupReport, cases: &[&CaseReport], varying: &[String]) -> bool {
    let widest = |name: &String| {
        let values = cases.iter().filter_map(|case| parameter(case, name)).map(|value| width(&clean(value)));
        values.max().unwrap_or(0).max(width(&clean(name)))
    };
    let has_all = |case: &&CaseReport| varying.iter().all(|name| parameter(case, name).is_some());
    let columns: usize = varying.iter().map(|name| widest(name) + GAP).sum();
    (!group.name.is_empty() || are_commands(cases)) && cases.iter().all(has_all) && columns <= PARAMETERS_MAX
}

/// Whether these are whole commands, which belong together although they have no group.
pub(crate) fn are_commands(cases: &[&CaseReport]) -> bool {
    cases.iter().all(|case| case.is_command())
}

const GAP: usize = 2;

/// `name[n=10, kind=sorted]`, as `--filter` takes it behind the group.
pub(crate) fn full_name(case: &CaseReport, names: &[String]) -> String {
    let own = case.parameters.iter().filter(|p| names.contains(&p.name));
    let parameters: Vec<String> = own.map(|p| format!("{}={}", p.name, p.value)).collect();
    match parameters.is_empty() {
        true => clean(&case.name),
        false => clean(&format!("{}[{}]", case.name, parameters.join(", "))),
    }
}

/// The parameters in an order that does not depend on the front end.
pub(crate) fn in_order(case: &CaseReport) -> Vec<(&str, &str)> {
    let mut parameters: Vec<_> = case.parameters.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
    parameters.sort_unstable();
    parameters
}
