//! From paths to listed programs: discovers, builds, lists, and applies the selection.

mod building;
mod listing;
mod parameters;

pub use building::{all_skipped, build_jobs, has_cache, skip_notes, BuiltBefore};
pub use listing::{failed_program, list_built, name_not_imported};

use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use std::path::PathBuf;
use tare_build::discover::{self, Survey, Target};
use tare_build::toolchain::BuildOptions;
use tare_engine::{filter_name, select, CatalogEntry, Selection};
use tare_model::{Artifact, ExitCode, FailedProgram, Job};
use tare_report::{clean, shell_word};

#[derive(Debug, Clone, Default)]
pub struct Prepared {
    pub artifacts: Vec<Artifact>,
    /// Their lists; an entry's artifact index is a place in `artifacts`.
    pub entries: Vec<CatalogEntry>,
    pub trouble: Option<ExitCode>,
    pub failed: Vec<FailedProgram>,
    pub list: String,
    /// Notes from programs about their declarations, without duplicates.
    pub notes: Vec<String>,
    /// Names of the artifacts' jobs; a single empty name if no jobs were requested.
    pub jobs: Vec<String>,
    pub targets: Vec<Target>,
}

pub fn list_command(paths: &[PathBuf], command: &[String]) -> String {
    let here = [PathBuf::from(".")];
    let paths = paths.iter().filter(|_| paths != here).map(|path| shell_word(&path.to_string_lossy()));
    let behind = (!command.is_empty()).then(|| "--".to_owned()).into_iter();
    let words = paths.chain(behind).chain(command.iter().map(|word| shell_word(word)));
    clean(&std::iter::once("tare list".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// Builds and lists the benchmarks at these paths for each job. Equal builds of two jobs are made once.
pub fn prepare_jobs(
    paths: &[PathBuf],
    of_jobs: &[BuildOptions],
    timeout_s: f64,
    console: &Console,
) -> Result<Prepared, Failure> {
    let Some(options) = of_jobs.first() else {
        return Err(Failure::NoBenchmarks { programs: Vec::new(), language: String::new() });
    };
    let Survey { targets, mut skipped } =
        discover::survey(paths, &BuildOptions::discovery(of_jobs)).map_err(Failure::Discover)?;
    has_cache(&targets, options)?;
    let (built, of_build) = build_jobs(&targets, of_jobs, None, console);
    skipped.extend(of_build);
    if built.is_empty() {
        return Err(all_skipped(paths, skipped));
    }
    skip_notes(&skipped).iter().for_each(|note| console.note(note));
    let list = list_command(paths, &options.discover.command);
    let jobs: Vec<Job> = of_jobs.iter().map(|options| options.job.clone()).collect();
    let prepared = list_built(built, &jobs, timeout_s, (list, false), console, &|failure| failure)?;
    prepared.notes.iter().for_each(|note| console.note(&clean(note)));
    Ok(Prepared { targets, ..prepared })
}

impl Prepared {
    pub fn names(&self) -> Vec<String> {
        self.entries.iter().flat_map(|e| &e.benchmarks).map(filter_name).collect()
    }

    /// The selected benchmarks; the selection may name one of the jobs.
    pub fn selected(&self, selection: &Selection, jobs: &[&str]) -> Vec<CatalogEntry> {
        let job_of = |entry: &CatalogEntry| {
            let job = self.artifacts.get(entry.artifact as usize).and_then(|a| self.jobs.get(a.job as usize));
            job.map_or("", String::as_str)
        };
        // All programs of a job together, because whether a pattern matches names in code depends on all of them.
        let mut found: Vec<&str> = self.entries.iter().map(job_of).collect();
        found.sort_unstable();
        found.dedup();
        let of_job = |job: &str| {
            let own = selection.of_job(job, jobs)?;
            Some(select(self.entries.iter().filter(|entry| job_of(entry) == job).cloned().collect(), &own))
        };
        let mut selected: Vec<CatalogEntry> = found.into_iter().filter_map(of_job).flatten().collect();
        let place = |entry: &CatalogEntry| self.entries.iter().position(|other| other.artifact == entry.artifact);
        selected.sort_by_cached_key(place);
        selected
    }

    pub fn narrow(self, selection: &Selection, console: &Console) -> Result<Prepared, Failure> {
        let jobs: Vec<&str> =
            if self.jobs.len() > 1 { self.jobs.iter().map(String::as_str).collect() } else { Vec::new() };
        let unfitting = tare_engine::unfitting(&self.entries, &selection.without_jobs(&jobs));
        let failure = (!unfitting.is_empty()).then(|| nothing_matched(&self.entries, &unfitting, &self.list));
        let kept = self.selected(selection, &jobs);
        match failure {
            None if kept.is_empty() => {
                name_not_imported(&self.entries, console);
                let whole = self.selected(&Selection { shard: None, ..selection.clone() }, &jobs);
                let of = whole.iter().map(|entry| entry.benchmarks.len()).sum();
                return Err(match selection.shard {
                    Some(shard) if of > 0 => Failure::EmptyPart { shard, of },
                    _ => nothing_matched(&self.entries, selection, &self.list),
                });
            }
            Some(failure) if kept.is_empty() || self.trouble.is_none() => {
                name_not_imported(&self.entries, console);
                return Err(failure);
            }
            Some(failure) => console.warn(&failure.what()),
            None => {}
        }
        Ok(Prepared { entries: kept, ..self }.without_empty())
    }

    #[must_use]
    pub fn without_empty(self) -> Prepared {
        let kept: Vec<CatalogEntry> = self.entries.into_iter().filter(|entry| !entry.benchmarks.is_empty()).collect();
        let artifacts = kept.iter().map(|entry| self.artifacts[entry.artifact as usize].clone()).collect();
        let renumber = |(at, entry): (usize, CatalogEntry)| CatalogEntry { artifact: at as u32, ..entry };
        let entries = kept.into_iter().enumerate().map(renumber).collect();
        Prepared { artifacts, entries, ..self }
    }
}

/// The failure of a selection that matches nothing, with similar names.
pub fn nothing_matched(entries: &[CatalogEntry], selection: &Selection, list: &str) -> Failure {
    nothing_matched_of(entries.iter().map(|e| e.benchmarks.len()).sum(), entries, selection, list)
}

/// The same, with the number of benchmarks given, since those on both sides may count once.
pub fn nothing_matched_of(of: usize, entries: &[CatalogEntry], selection: &Selection, list: &str) -> Failure {
    let all = || entries.iter().flat_map(|e| &e.benchmarks);
    let names: Vec<String> = all().map(filter_name).collect();
    let categories: Vec<String> = all().flat_map(|b| b.categories.iter().cloned()).collect();
    let nearest = meant(selection, &names, &categories);
    Failure::NothingMatched { selection: request::selection_text(selection), of, nearest, list: list.to_owned() }
}

pub fn either(a: Option<ExitCode>, b: Option<ExitCode>) -> Option<ExitCode> {
    let codes: Vec<ExitCode> = a.into_iter().chain(b).collect();
    (!codes.is_empty()).then(|| crate::gate::worst(&codes))
}

/// Ends a command that has nothing left, after some programs failed.
pub fn after(trouble: Option<ExitCode>, failure: &Failure, console: &Console) -> ExitCode {
    console.fail(failure);
    crate::gate::worst(&[trouble.unwrap_or(ExitCode::Ok), failure.exit_code()])
}

fn meant(selection: &Selection, names: &[String], categories: &[String]) -> Vec<String> {
    let of = |patterns: &[String], all: &[String]| -> Vec<String> {
        patterns.iter().flat_map(|pattern| tare_model::text::nearest(pattern, all, 3)).collect()
    };
    let mut nearest = of(&selection.filters, names);
    nearest.extend(of(&selection.categories, categories));
    nearest.extend(of(&selection.all_categories, categories));
    nearest.dedup();
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, CodeName};

    #[test]
    fn a_pattern_is_about_names_in_code_only_where_no_program_has_the_name() {
        let benchmark = |name: &str, full: &str| Benchmark {
            name: name.to_owned(),
            code: Some(CodeName { full: full.to_owned(), ..CodeName::default() }),
            ..Benchmark::default()
        };
        let entry =
            |artifact: u32, benchmark| CatalogEntry { artifact, program: String::new(), benchmarks: vec![benchmark] };
        let entries =
            vec![entry(1, benchmark("fill", "org.sort.Fill.fill")), entry(0, benchmark("sort", "org.sort.Sort.sort"))];
        let prepared = Prepared { entries, ..Prepared::default() };
        let taken = |filter: &str| {
            let selection = Selection { filters: vec![filter.to_owned()], ..Selection::default() };
            let kept = prepared.selected(&selection, &[]);
            kept.into_iter().flat_map(|entry| entry.benchmarks).map(|b| b.name).collect::<Vec<_>>()
        };
        assert_eq!(
            (taken("sort"), taken("org.sort.*"), taken("Fill.fill")),
            (vec!["sort".to_owned()], vec!["fill".to_owned(), "sort".to_owned()], vec!["fill".to_owned()])
        );
    }
}
