//! Names by which people recognise a case. Parameters are in columns, in the name, or stated once above all rows.

use crate::words::text::{clean, cut_middle, width, Glyphs};
use std::collections::HashMap;
use std::hash::Hash;
use tare_analysis::{each_once, CaseReport, GroupReport, Report};

/// `group/name[n=10, kind=sorted]`, the text that `--filter` matches.
pub fn selector(case: &CaseReport) -> String {
    clean(&case.selector())
}

/// A name within a sentence or on its own line; a very long one loses its middle.
pub fn short(name: &str) -> String {
    cut_middle(name, NAME_COLUMNS, Glyphs::Unicode)
}

const NAME_COLUMNS: usize = 72;

/// What cases of a report need besides the selector to be distinguished.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Naming {
    pub language: bool,
    pub program: bool,
    pub job: bool,
}

impl Naming {
    /// The selector of a case plus what distinguishes it in this report: language, program, job. Computing the naming reads all cases, so
    /// it is done once for many labels.
    pub(crate) fn label(self, report: &Report, case: u32) -> String {
        let found = report.cases.get(case as usize);
        found.map_or_else(|| format!("case {case}"), |case| self.with(report, case))
    }

    pub(crate) fn with(self, report: &Report, case: &CaseReport) -> String {
        self.append(report, case, selector(case))
    }

    fn append(self, report: &Report, case: &CaseReport, mut label: String) -> String {
        let program = report.programs.get(case.program as usize).map_or("", |p| p.name.as_str());
        for (shown, text) in
            [(self.language, case.language.as_str()), (self.program, program), (self.job, case.job.as_str())]
        {
            if shown && !text.is_empty() {
                label = format!("{label} {}", clean(text));
            }
        }
        label
    }

    /// The name of a case within its group plus what distinguishes it.
    pub(crate) fn within(self, report: &Report, case: &CaseReport, name: &str) -> String {
        self.append(report, case, name.to_owned())
    }

    pub(crate) fn of(report: &Report) -> Naming {
        let differs = |text: fn(&CaseReport) -> &str| {
            report.cases.first().is_some_and(|first| report.cases.iter().any(|c| text(c) != text(first)))
        };
        let mut seen = std::collections::HashSet::new();
        let all_unique = report.cases.iter().all(|c| {
            let parameters: Vec<(&str, &str)> =
                c.parameters.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
            seen.insert((&c.group, &c.name, parameters, &c.language, &c.job))
        });
        Naming { language: differs(|c| &c.language), program: !all_unique, job: differs(|c| &c.job) }
    }
}

/// Names of the parameters that differ between the cases, and the constant ones with their values.
pub(crate) fn parameters(cases: &[&CaseReport]) -> (Vec<String>, String) {
    let names = each_once(cases.iter().flat_map(|c| &c.parameters).map(|parameter| &parameter.name));
    let is_constant =
        |name: &String| cases.len() > 1 && cases.iter().all(|c| parameter(c, name) == parameter(cases[0], name));
    let (constant, varying): (Vec<String>, Vec<String>) = names.into_iter().partition(is_constant);
    let constant: Vec<String> =
        constant.iter().map(|name| clean(&format!("{name}={}", parameter(cases[0], name).unwrap_or("")))).collect();
    (varying, constant.join(", "))
}

pub(crate) fn parameter<'a>(case: &'a CaseReport, name: &str) -> Option<&'a str> {
    case.parameters.iter().find(|p| p.name == name).map(|p| p.value.as_str())
}

const PARAMETERS_MAX: usize = 24;

/// Whether a block's parameters get columns: all rows have the same ones, and they are short. Otherwise rows have full names.
pub(crate) fn in_columns(group: &GroupReport, cases: &[&CaseReport], varying: &[String]) -> bool {
    let widest = |name: &String| {
        let values = cases.iter().filter_map(|case| parameter(case, name)).map(|value| width(&clean(value)));
        values.max().unwrap_or(0).max(width(&clean(name)))
    };
    let has_all = |case: &&CaseReport| varying.iter().all(|name| parameter(case, name).is_some());
    let columns: usize = varying.iter().map(|name| widest(name) + GAP).sum();
    (!group.name.is_empty() || are_commands(cases)) && cases.iter().all(has_all) && columns <= PARAMETERS_MAX
}

/// Whether these are whole commands, which belong together without a group.
pub(crate) fn are_commands(cases: &[&CaseReport]) -> bool {
    cases.iter().all(|case| case.is_command())
}

const GAP: usize = 2;

/// `name[n=10, kind=sorted]`, as in `--filter` after the group.
pub(crate) fn full_name(case: &CaseReport, names: &[String]) -> String {
    let own = case.parameters.iter().filter(|p| names.contains(&p.name));
    let parameters: Vec<String> = own.map(|p| format!("{}={}", p.name, p.value)).collect();
    match parameters.is_empty() {
        true => clean(&case.name),
        false => clean(&format!("{}[{}]", case.name, parameters.join(", "))),
    }
}

/// The same with all parameters.
pub(crate) fn whole_name(case: &CaseReport) -> String {
    full_name(case, &case.parameters.iter().map(|p| p.name.clone()).collect::<Vec<String>>())
}

/// The parameters in an order independent of the front end.
pub(crate) fn in_order(case: &CaseReport) -> Vec<(&str, &str)> {
    let mut parameters: Vec<_> = case.parameters.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
    parameters.sort_unstable();
    parameters
}

/// Groups items by key, in order of first appearance. No group is empty.
pub(crate) fn alike<T, K: Eq + Hash>(items: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        let place = *places.entry(key(&item)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

pub(crate) fn stage(stage: tare_model::Stage) -> String {
    format!("{stage:?}").to_lowercase()
}
