//! `tare watch`: measures, waits until a source changes, and measures the programs before and after the change in turn.

mod files;
mod rounds;

use crate::console::Console;
use crate::failure::Failure;
use crate::pipeline::{prepare_jobs, Prepared};
use crate::request::Settings;
use crate::session::Session;
use files::{Snapshot, Watched};
use rounds::{Earlier, Rounds};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};
use tare_build::discover::{self, Target, TargetKind};
use tare_build::toolchain::{self, BuildOptions};
use tare_model::text::plural;
use tare_model::ExitCode;
use tare_report::{clean, Line, Role};

const PAUSE: Duration = Duration::from_millis(250);
/// Reading the files may take at most 1 / `PART` of the time.
const PART: u32 = 20;
/// System headers are not watched: there are hundreds, and they are not edited.
const SYSTEM: &str = "/usr";

pub fn watch(settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    Session::hold(settings, console, watch_in)
}

fn watch_in(session: &Session) -> Result<ExitCode, Failure> {
    let Session { settings, console, .. } = *session;
    let (options, paths) = (settings.jobs.apply(&settings.build)?, settings.places());
    // A mistyped path is an error; waiting would not help.
    let targets = discover::survey(&paths, &options.discover).map_err(Failure::Discover)?.targets;
    let mut watched = watched_at_first(&settings.also, &paths, &targets)?;
    // From here on an interrupt ends the watch without cutting anything off.
    let _hold = tare_process::hold_interrupts();
    let mut rounds = Rounds { session: *session, job: options.job.clone(), known: Earlier::default() };
    let mut seen = watched.look(&Snapshot::default());
    let mut changed = Vec::new();
    loop {
        let began = SystemTime::now();
        let prepared =
            prepare_jobs(&paths, std::slice::from_ref(&options), settings.amount.policy().timeout_s, console);
        if let Ok(prepared) = &prepared {
            add_sources(&mut watched, prepared, &options);
        }
        // Files that the build reported are new to the watch; changes count from here on.
        seen.learn(&watched, began);
        let done = prepared.and_then(|prepared| rounds.measure(prepared));
        if tare_process::interrupted() {
            break;
        }
        match done {
            // Errors in the sources are fixed by editing them; any other error ends the watch.
            Err(failure) if changed.is_empty() && !is_of_sources(&failure) => return Err(failure),
            Err(failure) => console.fail(&failure),
            Ok(()) => {}
        }
        say_watching(&seen, console);
        match next_change(&watched, &mut seen) {
            Some(files) => changed = files,
            None => break,
        }
        say_changed(&changed, console);
    }
    console.note("stopped");
    Ok(ExitCode::Ok)
}

/// The initial watch list: the named paths, their folders, and the sources of the targets.
fn watched_at_first(also: &[PathBuf], paths: &[PathBuf], targets: &[Target]) -> Result<Watched, Failure> {
    let mut watched = Watched::default();
    for path in also {
        path.metadata().map_err(|source| Failure::CannotRead { path: path.clone(), source })?;
        watched.add(path);
    }
    paths.iter().filter(|path| path.is_dir()).for_each(|path| watched.add(path));
    for target in targets {
        match &target.kind {
            TargetKind::File => watched.add_source(&target.path),
            TargetKind::Project(project) => watched.add(&project.folder),
            TargetKind::Program => watched.add(&target.path),
            TargetKind::Statements(_) => {}
            TargetKind::Command { words } => {
                words.iter().map(Path::new).filter(|word| word.is_file()).for_each(|word| watched.add(word));
            }
        }
    }
    Ok(watched)
}

fn add_sources(watched: &mut Watched, prepared: &Prepared, options: &BuildOptions) {
    for artifact in &prepared.artifacts {
        let read = toolchain::sources_of(&options.cache, &artifact.hash);
        let own = |path: &&std::path::PathBuf| !path.starts_with(SYSTEM) && !path.starts_with(&options.cache);
        read.iter().filter(own).for_each(|path| watched.add(path));
    }
}

/// Whether editing the sources can fix the failure.
fn is_of_sources(failure: &Failure) -> bool {
    match failure {
        Failure::Build(build) => !build.lacking,
        Failure::List { .. } | Failure::NoBenchmarks { .. } => true,
        _ => false,
    }
}

/// Waits for a change and until files are stable again; None if the user interrupted.
fn next_change(watched: &Watched, seen: &mut Snapshot) -> Option<Vec<String>> {
    loop {
        let begin = Instant::now();
        let mut now = watched.look(seen);
        let mut changed = now.changed_since(seen);
        if !changed.is_empty() {
            // Editors write in several steps, and a checkout changes many files.
            loop {
                pause(PAUSE)?;
                let later = watched.look(&now);
                let still = later.changed_since(&now).is_empty();
                now = later;
                if still {
                    break;
                }
            }
            changed = now.changed_since(seen);
            *seen = now;
            if !changed.is_empty() {
                return Some(changed.iter().map(|path| name_of(path)).collect());
            }
        } else {
            *seen = now;
        }
        pause(PAUSE.max(begin.elapsed() * PART))?;
    }
}

fn pause(time: Duration) -> Option<()> {
    const STEP: Duration = Duration::from_millis(50);
    let begin = Instant::now();
    while begin.elapsed() < time {
        if tare_process::interrupted() {
            return None;
        }
        sleep(STEP.min(time));
    }
    (!tare_process::interrupted()).then_some(())
}

fn name_of(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let short = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    clean(&short.as_deref().unwrap_or(path).to_string_lossy())
}

fn say_watching(seen: &Snapshot, console: &Console) {
    let files = plural(seen.len(), "file");
    if seen.is_cut {
        console.warn(&format!("only {files} are watched: name fewer folders"));
    }
    console.say(&[Line::of(Role::Quiet, format!("watching {files}; Ctrl-C ends"))]);
}

fn say_changed(changed: &[String], console: &Console) {
    const SHOWN: usize = 4;
    let mut names: Vec<String> = changed.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if changed.len() > SHOWN {
        names.push(format!("{} more", changed.len() - SHOWN));
    }
    let at = crate::time::now();
    let at = at.split('T').nth(1).unwrap_or_default().trim_end_matches('Z');
    console.say(&[
        Line::new(),
        Line::of(Role::Heading, format!("{at} UTC")).with(Role::Plain, format!("  changed: {}", names.join(", "))),
    ]);
    if changed.iter().any(|name| Path::new(name).file_name().is_some_and(|name| name == "tare.toml")) {
        console.note("`tare.toml` is read when the watch starts: restart it to use the changes");
    }
}
