//! The names under which a person finds a case again: on the screen and as an argument of a command.

use crate::{clean, cut_middle, Glyphs};
use tare_analysis::{CaseReport, Report};

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

    /// The same of a case that is not one of the report as it is.
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
