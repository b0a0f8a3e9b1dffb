//! Settings of a run's jobs that their names do not reveal, and context from programs: `data = big.txt`.

use crate::elements::document::Fact;
use crate::words::text::clean;
use serde::Serialize;
use tare_analysis::{each_once, CaseReport, JobReport, ProgramReport, Report};
use tare_model::{ContextEntry, Setting, ToolchainSetting};

/// The settings in which jobs differ, in order, except those that all job names contain.
pub(crate) fn varying(report: &Report) -> Vec<String> {
    let mut names = each_once(report.jobs.iter().flat_map(|job| &job.settings).map(|setting| &setting.name));
    // The same order in all tables, independent of the first job.
    names.sort_by_key(|name| Setting::names().position(|known| known == name));
    let varies = |name: &String| {
        let differs = report.jobs.iter().any(|job| value_of(job, name) != value_of(&report.jobs[0], name));
        let is_said = report.jobs.iter().all(|job| {
            let value = value_of(job, name);
            let also = ToolchainSetting::named(name).and_then(|setting| (setting.also)(value));
            says(&job.name, value) || also.is_some_and(|other| says(&job.name, &other))
        });
        // A job that was not built has no row, and its column would be empty.
        let is_shown = || report.cases.iter().any(|case| !value(report, case, name).is_empty());
        differs && !is_said && is_shown()
    };
    names.into_iter().filter(varies).collect()
}

/// Whether the name contains the value, ignoring case: `Mono`.
fn says(name: &str, value: &str) -> bool {
    name.to_lowercase().contains(&value.to_lowercase())
}

fn value_of<'a>(job: &'a JobReport, name: &str) -> &'a str {
    job.settings.iter().find(|setting| setting.name == name).map_or("", |setting| &setting.value)
}

pub(crate) fn value(report: &Report, case: &CaseReport, name: &str) -> String {
    let job = report.jobs.iter().find(|job| job.name == case.job);
    job.map_or_else(String::new, |job| clean(value_of(job, name)))
}

/// All settings of a job in one text: `compiler=clang++; flags=-O3`.
pub(crate) fn settings(job: &JobReport) -> String {
    let all: Vec<String> = job.settings.iter().map(|s| format!("{}={}", s.name, s.value)).collect();
    all.join("; ")
}

/// The only job, if it has a name: it gets no column.
pub(crate) fn only(report: &Report) -> Option<String> {
    let [job] = report.jobs.as_slice() else { return None };
    let settings = settings(job);
    Some(clean(&match job.settings.iter().all(|setting| says(&job.name, &setting.value)) {
        true => format!("job {}", job.name),
        false => format!("job {}: {settings}", job.name),
    }))
}

pub(crate) fn facts(report: &Report) -> impl Iterator<Item = Fact> + '_ {
    report.jobs.iter().map(|job| Fact::new("job", vec![clean(&format!("{}: {}", job.name, settings(job)))]))
}

/// The context entries of all programs without duplicates; with the index of a program if not all have it.
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

/// The line above the table; without items if there is no context.
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

/// What distinguishes a program: its side, its name, its job.
fn owner(report: &Report, at: usize) -> String {
    let name = report.programs[at].name.as_str();
    match report.cases.iter().find(|case| case.program as usize == at) {
        Some(case) if !case.side.is_empty() => case.side.clone(),
        Some(case) if report.jobs.len() > 1 => format!("{name}@{}", case.job),
        _ => name.to_owned(),
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct ContextEntryJson<'a> {
    name: &'a str,
    value: &'a str,
    /// The side or program of the entry; omitted if all share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

pub(crate) fn said(report: &Report) -> Vec<ContextEntryJson<'_>> {
    let all = entries(&report.programs).into_iter();
    all.map(|(entry, program)| ContextEntryJson {
        name: &entry.name,
        value: &entry.value,
        of: program.map(|at| owner(report, at)),
    })
    .collect()
}

/// The context of one program in one text: `data=big.txt; seed=42`.
pub(crate) fn text(program: &ProgramReport) -> String {
    let all: Vec<String> = program.context.iter().map(|entry| format!("{}={}", entry.name, entry.value)).collect();
    all.join("; ")
}
