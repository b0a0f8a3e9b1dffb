//! From paths to programs whose benchmarks are known: discover, build, list. What fails is said and the rest goes on.

use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use std::path::PathBuf;
use tare_engine::{filter_name, select, CatalogEntry, Selection};
use tare_host::toolchain::{self, BuildFailure, BuildOptions};
use tare_host::{discover, runner};
use tare_model::{Artifact, ExitCode, FailedProgram, FailureKind, Step};

/// Programs with their benchmarks.
#[derive(Debug)]
pub struct Prepared {
    /// What was built and could be listed.
    pub artifacts: Vec<Artifact>,
    /// What each holds; the index of an entry's artifact is its place in `artifacts`.
    pub entries: Vec<CatalogEntry>,
    /// The first thing that failed, if any did.
    pub trouble: Option<ExitCode>,
    /// What could not be built or listed.
    pub failed: Vec<FailedProgram>,
}

/// Discovers, builds and lists.
pub fn prepare(
    paths: &[PathBuf],
    options: &BuildOptions,
    timeout_s: f64,
    console: &Console,
) -> Result<Prepared, Failure> {
    let targets = discover::discover(paths).map_err(Failure::Discover)?;
    let mut painter = Painter::new(console);
    let built = toolchain::build(&targets, options, &mut |event| painter.build(&event));
    painter.clear();
    list_built(built, timeout_s, console, &|failure| failure)
}

/// Lists what was built. `wrap` says more about each failure.
pub fn list_built(
    built: Vec<Result<Artifact, BuildFailure>>,
    timeout_s: f64,
    console: &Console,
    wrap: &dyn Fn(Failure) -> Failure,
) -> Result<Prepared, Failure> {
    let mut painter = Painter::new(console);
    let mut prepared = Prepared { artifacts: Vec::new(), entries: Vec::new(), trouble: None, failed: Vec::new() };
    let mut failures = Vec::new();
    for result in built {
        match result {
            Ok(artifact) => list_one(artifact, timeout_s, &mut painter, &mut prepared, &mut failures)?,
            Err(failure) => failures.push(Failure::Build(Box::new(failure))),
        }
        if tare_process::interrupted() {
            return Err(Failure::Interrupted);
        }
    }
    painter.clear();
    prepared.failed = failures.iter().filter_map(failed_program).collect();
    conclude(prepared, failures.into_iter().map(wrap).collect(), console).map_err(|failure| match failure {
        none @ Failure::NoBenchmarks { .. } => wrap(none),
        told => told,
    })
}

/// What a run keeps of a program that it lacks: of the compiler's text the first error.
fn failed_program(failure: &Failure) -> Option<FailedProgram> {
    /// Lines from the first error on.
    const LINES: usize = 4;
    let (program, failure) = match failure {
        Failure::Build(build) => {
            let lines: Vec<&str> = build.output.lines().filter(|line| !line.trim().is_empty()).collect();
            let from = lines.iter().position(|line| line.contains("error")).unwrap_or(0);
            let output = lines[from..].iter().take(LINES).map(|line| (*line).to_owned()).collect();
            let cause = FailureKind::NotBuilt { reason: build.status.clone() };
            (build.target.clone(), tare_model::Failure { cause, step: Step::Start, output })
        }
        Failure::List { program, failure, .. } => (program.clone(), (**failure).clone()),
        _ => return None,
    };
    Some(FailedProgram { program, failure, partners: Vec::new() })
}

/// What failed is said; the last of it ends the command when nothing is left.
fn conclude(mut prepared: Prepared, mut failures: Vec<Failure>, console: &Console) -> Result<Prepared, Failure> {
    prepared.trouble = failures.first().map(Failure::exit_code);
    let last = if prepared.entries.is_empty() { failures.pop() } else { None };
    for failure in &failures {
        console.fail(failure);
    }
    match last {
        Some(failure) => Err(failure),
        None if prepared.entries.iter().all(|e| e.benchmarks.is_empty()) => {
            Err(Failure::NoBenchmarks { programs: prepared.artifacts.iter().map(|a| a.name.clone()).collect() })
        }
        None => Ok(prepared),
    }
}

fn list_one(
    mut artifact: Artifact,
    timeout_s: f64,
    painter: &mut Painter,
    prepared: &mut Prepared,
    failures: &mut Vec<Failure>,
) -> Result<(), Failure> {
    painter.list(&artifact.name);
    match runner::list(&artifact, timeout_s) {
        Ok(None) => return Err(Failure::Interrupted),
        Ok(Some(listing)) => {
            let entry = CatalogEntry {
                artifact: prepared.artifacts.len() as u32,
                program: artifact.name.clone(),
                benchmarks: listing.benchmarks,
            };
            artifact.child = Some(listing.facts);
            prepared.artifacts.push(artifact);
            prepared.entries.push(entry);
        }
        Err(failure) => {
            let (program, command) = (artifact.name, artifact.command);
            failures.push(Failure::List { program, command, failure: Box::new(failure) });
        }
    }
    Ok(())
}

impl Prepared {
    /// Leaves what the selection takes, and the programs that hold it.
    pub fn narrow(self, selection: &Selection) -> Result<Prepared, Failure> {
        let names: Vec<String> = self.entries.iter().flat_map(|e| &e.benchmarks).map(filter_name).collect();
        let all = self.entries.iter().flat_map(|e| &e.benchmarks);
        let categories: Vec<String> = all.flat_map(|b| b.categories.iter().cloned()).collect();
        let kept = select(self.entries, selection);
        if kept.is_empty() {
            let nearest = meant(selection, &names, &categories);
            let selection = crate::request::selection_text(selection);
            return Err(Failure::NothingMatched { selection, of: names.len(), nearest });
        }
        let artifacts = kept.iter().map(|entry| self.artifacts[entry.artifact as usize].clone()).collect();
        let renumber = |(at, entry): (usize, CatalogEntry)| CatalogEntry { artifact: at as u32, ..entry };
        let entries = kept.into_iter().enumerate().map(renumber).collect();
        Ok(Prepared { artifacts, entries, ..self })
    }
}

/// The names and categories that a selection may have meant.
fn meant(selection: &Selection, names: &[String], categories: &[String]) -> Vec<String> {
    let of = |patterns: &[String], all: &[String]| -> Vec<String> {
        patterns.iter().flat_map(|pattern| crate::nearest::nearest(pattern, all, 3)).collect()
    };
    let mut nearest = of(&selection.filters, names);
    nearest.extend(of(&selection.categories, categories));
    nearest.dedup();
    nearest
}
