//! Lists the benchmarks of the built programs. Failures are reported and the others continue.

use super::building::in_job;
use super::parameters::RequestedParameters;
use super::Prepared;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::painter::Painter;
use tare_build::toolchain::BuildFailure;
use tare_engine::CatalogEntry;
use tare_model::{Artifact, Benchmark, ExitCode, FailedProgram, FailureKind, Job, Step};

/// Lists built programs as `tare list` does. `wrap` adds context to each failure. On a side of a comparison, a file that cannot be imported
/// has none of the other side's benchmarks, so it is not one itself.
pub fn list_built(
    built: Vec<Result<Artifact, BuildFailure>>,
    jobs: &[Job],
    timeout_s: f64,
    (list, is_side): (String, bool),
    console: &Console,
    wrap: &dyn Fn(Failure) -> Failure,
) -> Result<Prepared, Failure> {
    let mut painter = Painter::new(console);
    let mut requested = RequestedParameters::of(&built, &list);
    let names = jobs.iter().map(|job| job.id.clone()).collect();
    let (artifacts, entries, failed) = (Vec::new(), Vec::new(), Vec::new());
    let (notes, targets) = (Vec::new(), Vec::new());
    let mut prepared = Prepared { artifacts, entries, trouble: None, failed, list, notes, jobs: names, targets };
    let mut failures = Vec::new();
    for result in built {
        match result {
            Ok(artifact) => {
                list_one(artifact, jobs, timeout_s, &mut painter, &mut prepared, &mut failures, &mut requested)?
            }
            Err(failure) => failures.push(Failure::Build(Box::new(failure))),
        }
        if tare_process::interrupted() {
            return Err(Failure::Interrupted);
        }
    }
    painter.clear();
    if is_side {
        failures.extend(take_not_imported(&mut prepared, jobs));
    }
    if !prepared.entries.is_empty() {
        requested.all_taken().inspect_err(|_| name_not_imported(&prepared.entries, console)).map_err(wrap)?;
    }
    prepared.failed = failures.iter().filter_map(failed_program).collect();
    conclude(prepared, failures.into_iter().map(wrap).collect(), console).map_err(|failure| match failure {
        none @ Failure::NoBenchmarks { .. } => wrap(none),
        other => other,
    })
}

/// The failure whose exit code counts, independent of the order of the programs.
fn worst(failures: &[Failure]) -> Option<usize> {
    let codes: Vec<ExitCode> = failures.iter().map(Failure::exit_code).collect();
    codes.iter().position(|code| *code == gate::worst(&codes))
}

/// Reports the failures. The worst one comes last, and ends the command if nothing is left.
fn conclude(mut prepared: Prepared, mut failures: Vec<Failure>, console: &Console) -> Result<Prepared, Failure> {
    let worst = worst(&failures);
    prepared.trouble = worst.map(|at| failures[at].exit_code());
    let last = worst.filter(|_| prepared.entries.is_empty()).map(|at| failures.remove(at));
    for failure in &failures {
        console.fail(failure);
    }
    match last {
        Some(failure) => Err(failure),
        None if prepared.entries.iter().all(|e| e.benchmarks.is_empty()) => {
            let language = prepared.artifacts.first().map(|artifact| artifact.language.clone()).unwrap_or_default();
            Err(Failure::NoBenchmarks {
                programs: prepared.artifacts.iter().map(|a| a.name.clone()).collect(),
                language,
            })
        }
        None => Ok(prepared),
    }
}

fn list_one(
    mut artifact: Artifact,
    jobs: &[Job],
    timeout_s: f64,
    painter: &mut Painter,
    prepared: &mut Prepared,
    failures: &mut Vec<Failure>,
    requested: &mut RequestedParameters,
) -> Result<(), Failure> {
    painter.list(&artifact.name);
    let of_job = artifact.job as usize;
    let job = jobs.get(of_job).cloned().unwrap_or_default();
    match tare_runner::list(&artifact, &job, timeout_s) {
        Ok(None) => return Err(Failure::Interrupted),
        Ok(Some(listing)) => {
            let mut benchmarks = listing.benchmarks;
            for note in listing.notes {
                if !prepared.notes.contains(&note) {
                    prepared.notes.push(note);
                }
            }
            requested.note(&mut artifact, &listing.facts, listing.set_parameters, &mut benchmarks)?;
            let (number, program) = (prepared.artifacts.len() as u32, artifact.name.clone());
            let entry = CatalogEntry { artifact: number, program, benchmarks };
            // Only its end failed, so its list is kept.
            if let Some(failure) = listing.crash {
                failures.push(not_listed(&artifact, jobs, failure));
            }
            artifact.child = Some(listing.facts);
            prepared.artifacts.push(artifact);
            prepared.entries.push(entry);
        }
        Err(failure) => failures.push(not_listed(&artifact, jobs, failure)),
    }
    Ok(())
}

/// Names the files that could not be imported, since they may contain the requested benchmarks.
pub fn name_not_imported(entries: &[CatalogEntry], console: &Console) {
    for benchmark in entries.iter().flat_map(|entry| &entry.benchmarks) {
        let Some(reason) = &benchmark.invalid else { continue };
        if (FailureKind::Declaration { reason: reason.clone() }).is_not_imported() {
            console.warn(&tare_report::clean(&format!("`{}`: {reason}", benchmark.full_name())));
        }
    }
}

/// Removes the programs whose only declaration says that their file cannot be imported.
fn take_not_imported(prepared: &mut Prepared, jobs: &[Job]) -> Vec<Failure> {
    let mut failures = Vec::new();
    let artifacts = &prepared.artifacts;
    prepared.entries.retain(|entry| {
        let [Benchmark { invalid: Some(reason), .. }] = &entry.benchmarks[..] else { return true };
        let cause = FailureKind::Declaration { reason: reason.clone() };
        if cause.is_not_imported() {
            let failure = tare_model::Failure { cause, step: Step::List, output: Vec::new() };
            failures.push(not_listed(&artifacts[entry.artifact as usize], jobs, failure));
            return false;
        }
        true
    });
    failures
}

fn not_listed(artifact: &Artifact, jobs: &[Job], failure: tare_model::Failure) -> Failure {
    Failure::List {
        program: in_job(&artifact.name, jobs, artifact.job as usize),
        command: artifact.command.clone(),
        language: artifact.language.clone(),
        failure: Box::new(failure),
    }
}

/// The first error in a compiler's output, a few lines of it. If a build tool repeats a program's output, the error is there.
fn first_error(text: &str) -> Vec<String> {
    /// Lines from the first error on.
    const LINES: usize = 4;
    /// Cargo prints this above the output of `rustc` or a build script.
    const REPEATED: &str = "--- stderr";
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let repeated = lines.iter().position(|line| line.trim() == REPEATED).map(|at| &lines[at + 1..]);
    let lines = repeated.filter(|said| !said.is_empty()).unwrap_or(&lines);
    let from = lines.iter().position(|line| line.contains("error")).unwrap_or(0);
    lines[from..].iter().take(LINES).map(|line| (*line).to_owned()).collect()
}

/// The run's record of a program that failed: the first error of the compiler's output.
pub fn failed_program(failure: &Failure) -> Option<FailedProgram> {
    let (program, failure) = match failure {
        Failure::Build(build) => {
            let output = first_error(&build.output);
            let cause = FailureKind::NotBuilt { reason: build.status.clone(), hint: build.hint.clone() };
            (build.target.clone(), tare_model::Failure { cause, step: Step::Start, output })
        }
        Failure::List { program, failure, .. } => (program.clone(), (**failure).clone()),
        _ => return None,
    };
    Some(FailedProgram { program, failure, partners: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_what_the_compiler_said() {
        let compiler = "warning: unused\n\nerror[E0425]: cannot find `x`\n --> a.rs:2:22\n  |\n2 | x\n  | ^\n";
        assert_eq!(first_error(compiler)[0], "error[E0425]: cannot find `x`");
        assert_eq!(first_error(compiler).len(), 4);
        // Cargo asks `rustc` about the target before it compiles anything, and `rustc` rejects the flag.
        let cargo = "error: failed to run `rustc` to learn about target-specific information\n\nCaused by:\n  process didn't \
                     exit successfully: `rustc - --no-such-flag` (exit status: 1)\n  --- stderr\n  error: Unrecognized option: \
                     'no-such-flag'\n";
        assert_eq!(first_error(cargo), ["  error: Unrecognized option: 'no-such-flag'"]);
        assert_eq!(first_error("error: x\n--- stderr\n"), ["error: x", "--- stderr"]);
    }

    #[test]
    fn the_failure_that_counts_is_the_same_in_every_order() {
        let build = || {
            Failure::Build(Box::new(BuildFailure {
                target: "by".to_owned(),
                command: Vec::new(),
                status: "exit status 1".to_owned(),
                output: Box::default(),
                hint: None,
                lacking: false,
            }))
        };
        let list = || Failure::List {
            program: "bx".to_owned(),
            command: Vec::new(),
            language: String::new(),
            failure: Box::new(tare_model::Failure {
                step: Step::List,
                cause: FailureKind::NoValidVisits,
                output: Vec::new(),
            }),
        };
        assert_eq!(worst(&[build(), list()]), Some(0));
        assert_eq!(worst(&[list(), build()]), Some(1));
        assert_eq!(worst(&[]), None);
    }
}
