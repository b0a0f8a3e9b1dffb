//! A run that is measured in parts on the nodes of a cluster. It is built and planned here, once; each part is a run of the same plan that
//! measures some of its groups, and all of them are merged into one as `tare merge` does it.

mod collect;
mod folder;
mod kubernetes;
mod node;
mod nodes;
mod place;
mod slurm;
mod tools;

pub use node::asked as node;

use crate::args::ClusterArgs;
use crate::console::Console;
use crate::diagnose::KnownDiagnosers;
use crate::failure::Failure;
use crate::recording::{self, Done, Recorded};
use collect::Collector;
use folder::{Cut, Folder};
use kubernetes::{manifest, Manifest};
pub use place::Place;
use slurm::{Slurm, Submission};
use std::path::Path;
use tare_diagnose::Diagnosers;
use tare_model::{Event, ExitCode, Plan, Profile};
use tare_report::shell_word;
use tare_store::Store;

/// What becomes of a run that was asked for.
pub enum Outcome {
    /// It was measured, here or elsewhere.
    Done(Box<Done>),
    /// What is to be done was printed.
    Printed(ExitCode),
}

/// Measures a run of its first event where the user wants it.
///
/// # Errors
/// See [`recording::measure_new`]; what the scheduler refused.
pub fn measure(
    args: &ClusterArgs,
    started: Event,
    diagnosers: Diagnosers,
    store: &Store,
    how: Recorded,
    console: &Console,
) -> Result<Outcome, Failure> {
    let Some(place) = &args.on else {
        return recording::measure_new(started, diagnosers, store, how, console)
            .map(|done| Outcome::Done(Box::new(done)));
    };
    let started = measured_by_hand(place, started);
    let Event::RunStarted { id, plan, sides, artifacts, .. } = &started else {
        return Err(Failure::Bug { what: "the run has no start".to_owned() });
    };
    let parts = tare_engine::cut(plan, args.parts.unwrap_or_else(|| parts_of(plan, sides.is_some())));
    let cut = Cut::new(place, parts, artifacts)?;
    let _hold = tare_process::hold_interrupts();
    if args.dry_run && matches!(place, Place::Slurm(_)) {
        return print(place, &cut, &Folder::new(&absolute(&store.runs_dir().join(id))?), console);
    }
    let writer = store.create(&started).map_err(Failure::Store)?;
    let folder = Folder::new(&absolute(writer.folder())?);
    let made = folder.make(&cut, &started);
    if let (Place::Kubernetes(_), Ok(())) = (place, &made) {
        return print(place, &cut, &folder, console);
    }
    let run = tare_model::Run::of(&started).ok_or_else(|| Failure::Bug { what: "the run has no start".to_owned() })?;
    let first = made.and_then(|()| Collector::new((run, &folder, &cut), how.stop_on_error, console)?.submitted());
    let collector = match first {
        Ok(collector) => collector,
        Err(failure) => {
            // Nothing of it is measured anywhere.
            drop(writer);
            let _ = std::fs::remove_dir_all(folder.run());
            return Err(failure);
        }
    };
    collector.collect(writer).map(|done| Outcome::Done(Box::new(done)))
}

/// Goes on with a run that was submitted, where the scheduler may have gone on with it.
///
/// # Errors
/// It is not there, is finished, or cannot be read.
pub fn resume(folder: &Folder, store: &Store, how: Recorded, console: &Console) -> Result<Done, Failure> {
    let reference = folder.id().parse().map_err(Failure::Store)?;
    let (mut run, writer) = store.resume(&reference).map_err(Failure::Store)?;
    if run.request.is_unknown() {
        run.request = crate::request::of_words(&run.command);
    }
    let cut = folder.cut()?;
    let collector = Collector::new((run, folder, &cut), how.stop_on_error, console)?.resumed()?;
    collector.collect(writer)
}

/// The folder of a run that is measured in parts.
pub fn folder_of(run: &Path) -> Option<Folder> {
    let folder = Folder::new(&absolute(run).ok()?);
    folder.is_made().then_some(folder)
}

/// What a user applies measures a plan, and is not asked for again by the command that printed it.
fn measured_by_hand(place: &Place, mut started: Event) -> Event {
    if let (Place::Kubernetes(_), Event::RunStarted { request, .. }) = (place, &mut started) {
        *request =
            std::mem::take(request).only(|given| !["--on", "--parts", "--dry-run"].contains(&given.flag.as_str()));
    }
    started
}

/// Diagnosers of the project, which a node reads again.
pub fn known_diagnosers() -> Result<KnownDiagnosers, Failure> {
    crate::request::known_diagnosers()
}

fn absolute(path: &Path) -> Result<std::path::PathBuf, Failure> {
    std::path::absolute(path).map_err(|source| Failure::CannotRead { path: path.to_owned(), source })
}

/// What would mislead beside `--on`, or without it; before anything is built.
///
/// # Errors
/// Which flag.
pub fn check(args: &ClusterArgs, keep: bool, keep_folder: bool) -> Result<(), Failure> {
    let refuse = |what: &str, hint: &str| Err(Failure::Usage { what: what.to_owned(), hint: hint.to_owned() });
    let Some(place) = &args.on else {
        return match args {
            ClusterArgs { parts: Some(_), .. } => {
                refuse("`--parts` is for `--on`, which measures a plan in parts", "add `--on slurm`, or leave it out")
            }
            ClusterArgs { dry_run: true, .. } => refuse(
                "`--dry-run` prints what `--on` would submit, and there is no `--on`",
                "add `--on slurm`; to run every body once, write `--dry`",
            ),
            _ => Ok(()),
        };
    };
    match place {
        _ if !keep => refuse(
            "`--no-save` cannot be given with `--on`: nodes write into the folder of the run",
            "leave one of them out",
        ),
        _ if keep_folder => {
            refuse("`--keep` cannot be given with `--on`: the data is on the nodes", "leave one of them out")
        }
        Place::Kubernetes(_) if !args.dry_run => refuse(
            "`--on kubernetes` only prints a manifest: `tare` does not talk to a cluster of Kubernetes",
            "add `--dry-run`, apply what it prints, and collect the result with `tare run --resume ID`",
        ),
        _ => Ok(()),
    }
}

/// What a part takes at least, s: its start costs a few seconds.
const PART_S: f64 = 30.0;
/// Parts of a suite that has so many groups, however short it is.
const PARTS_MIN: usize = 4;
/// Tasks that an array of jobs may have everywhere.
const PARTS_MAX: usize = 1000;

/// How many parts a plan is cut into where the user names no number.
fn parts_of(plan: &Plan, has_sides: bool) -> usize {
    let of_profile = match (plan.policy.profile, has_sides) {
        (Profile::Quick, false) => 0.2,
        (Profile::Quick, true) => 1.0,
        (Profile::Default, false) => 1.2,
        (Profile::Default, true) => 5.0,
        (Profile::Long, _) => 5.0,
    };
    let seconds = plan.cases.len() as f64 * of_profile;
    let seconds = plan.policy.budget_s.map_or(seconds, |budget_s| budget_s.min(seconds));
    ((seconds / PART_S).ceil() as usize).clamp(PARTS_MIN, PARTS_MAX)
}

/// Says what would be submitted, or what a user applies.
fn print(place: &Place, cut: &Cut, folder: &Folder, console: &Console) -> Result<Outcome, Failure> {
    let (script, id) = (folder.script(), folder.id());
    match place {
        Place::Slurm(options) => {
            let tasks: Vec<u32> = (0..cut.parts.len() as u32).collect();
            let submission = Submission {
                name: &format!("tare-{id}"),
                script: &script,
                directory: Path::new(&cut.directory),
                output: &folder.cluster(),
                tasks: &tasks,
                options,
                not_on: &[],
            };
            let words: Vec<String> = Slurm::arguments(&submission).iter().map(|word| shell_word(word)).collect();
            console.data(&format!(
                "# {}:\n{}\n# sbatch {}\n",
                script.display(),
                folder.script_text(cut),
                words.join(" ")
            ))?;
            console.note("`--dry-run`: nothing was submitted");
        }
        Place::Kubernetes(pod) => {
            let (script, directory) = (script.display().to_string(), cut.directory.as_str());
            let of = Manifest { id, parts: cut.parts.len(), script: &script, directory, pod };
            console.data(&manifest(&of))?;
            console.note(&format!(
                "this manifest is untested: apply it yourself, then collect the result: `tare run --resume {id}`, or `tare merge` of the runs in `{}`",
                folder.parts().display()
            ));
        }
    }
    Ok(Outcome::Printed(ExitCode::Ok))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Benchmark, Case, Policy};

    #[test]
    fn a_part_is_worth_its_start() {
        let parts = |cases: usize, policy: Policy, has_sides| {
            let case = Case { artifact: 0, benchmark: Benchmark::default(), job: 0, side: None, key: String::new() };
            parts_of(&Plan { cases: vec![case; cases], groups: Vec::new(), policy, seed: 1 }, has_sides)
        };
        let of = Policy::of;
        assert_eq!(parts(200, of(Profile::Default), false), 8);
        assert_eq!(parts(200, of(Profile::Default), true), 34);
        assert_eq!((parts(200, of(Profile::Quick), false), parts(3, of(Profile::Default), false)), (4, 4));
        assert_eq!(parts(1_000_000, of(Profile::Long), false), 1000);
        let short = Policy { budget_s: Some(60.0), ..Policy::default() };
        assert_eq!(parts(10_000, short, false), 4);
    }
}
