//! The names under which a person finds a case again. Parameters stand in columns, in the name, or once above all rows.

use crate::words::text::{clean, cut_middle, width, Glyphs};
use std::collections::HashMap;
use std::hash::Hash;
use tare_analysis::{each_once, CaseReport, GroupReport, Report};

/// `group/name[n=10, kind=sorted]`: what `--filter` compares its globs with.
pub fn selector(case: &CaseReport) -> String {
    clean(&case.selector())
}

/// A name in a sentence or on its own line: a very long name is shown by both ends.
pub fn short(name: &str) -> String {
    cut_middle(name, NAME_COLUMNS, Glyphs::Unicode)
}

const NAME_COLUMNS: usize = 72;

/// Which names beside the selector are needed to tell the cases of a report apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Naming {
    pub language: bool,
    pub program: bool,
    pub job: bool,
}

impl Naming {
    /// The selector of a case with what else tells it from the others of this report: language, program, job. To find the naming takes a look at all cases, so that it is found once for many labels.
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

    /// The name of a case in its group, with what else tells it from the others.
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

/// Names of the parameters that differ between the cases, and the others with their one value.
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

/// Parameters have their own columns up to this total width.
const PARAMETERS_MAX: usize = 24;

/// Whether the parameters of a block stand in columns: where all rows have the same and they are short. Else a row has its full name.
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

/// The same with all parameters.
pub(crate) fn whole_name(case: &CaseReport) -> String {
    full_name(case, &case.parameters.iter().map(|p| p.name.clone()).collect::<Vec<String>>())
}

/// The parameters in an order that does not depend on the front end.
pub(crate) fn in_order(case: &CaseReport) -> Vec<(&str, &str)> {
    let mut parameters: Vec<_> = case.parameters.iter().map(|p| (p.name.as_str(), p.value.as_str())).collect();
    parameters.sort_unstable();
    parameters
}

/// Those with the same key together, in the order of the first of each. No group is empty.
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
