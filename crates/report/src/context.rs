//! What programs and the user say of a run: `data = big.txt`.

use crate::clean;
use crate::document::Fact;
use serde::Serialize;
use tare_analysis::{ProgramReport, Report};
use tare_model::ContextEntry;

/// The entries of all programs, each once; with the number of the program that it is of, where not all say the same.
pub(crate) fn entries(programs: &[ProgramReport]) -> Vec<(&ContextEntry, Option<usize>)> {
    let mut found: Vec<(&ContextEntry, Option<usize>)> = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        for entry in &program.context {
            let of_all = programs.iter().all(|program| program.context.contains(entry));
            if !of_all || found.iter().all(|(known, _)| *known != entry) {
                found.push((entry, (!of_all).then_some(at)));
            }
        }
    }
    found
}

/// The line above the table; without items where nothing is said.
pub(crate) fn fact(report: &Report) -> Fact {
    let item = |(entry, program): (&ContextEntry, Option<usize>)| {
        let text = format!("{} = {}", entry.name, entry.value);
        clean(&match program {
            Some(at) => format!("{text} ({})", owner(report, at)),
            None => text,
        })
    };
    let items = entries(&report.programs).into_iter().map(item).collect();
    Fact::Items { label: "with".to_owned(), items, separator: "; " }
}

/// What tells a program from the others: its side, its name, its job.
fn owner(report: &Report, at: usize) -> String {
    let name = report.programs[at].name.as_str();
    match report.cases.iter().find(|case| case.program as usize == at) {
        Some(case) if !case.side.is_empty() => case.side.clone(),
        Some(case) if report.jobs.len() > 1 => format!("{name}@{}", case.job),
        _ => name.to_owned(),
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Said<'a> {
    name: &'a str,
    value: &'a str,
    /// Who says it: the side, or the program; left out where all say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

pub(crate) fn said(report: &Report) -> Vec<Said<'_>> {
    let all = entries(&report.programs).into_iter();
    all.map(|(entry, program)| Said { name: &entry.name, value: &entry.value, of: program.map(|at| owner(report, at)) })
        .collect()
}

/// All that is said of one program, in one text: `data=big.txt; seed=42`.
pub(crate) fn text(program: &ProgramReport) -> String {
    let all: Vec<String> = program.context.iter().map(|entry| format!("{}={}", entry.name, entry.value)).collect();
    all.join("; ")
}
