//! Builds targets in parallel.

use super::cache::{Cache, CacheError};
use super::context::{BuildContext, BuildResult, Message, Variables};
use super::failure::BuildFailure;
use super::options::{BuildEvent, BuildOptions};
use super::{program, retention};
use crate::discover::{Target, TargetKind};
use crate::revision::Moved;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;
use tare_model::Artifact;

/// Builds the targets, `options.parallel` at once. The results are in the order of the targets; a CMake project gives one for each of its
/// executables. `on` receives events as they happen.
pub fn build(
    targets: &[Target],
    options: &BuildOptions,
    on: &mut dyn FnMut(BuildEvent),
) -> Vec<Result<Artifact, BuildFailure>> {
    build_with(targets, options, &Variables::of_process(), on)
}

pub(crate) fn build_with(
    targets: &[Target],
    options: &BuildOptions,
    variables: &Variables,
    on: &mut dyn FnMut(BuildEvent),
) -> Vec<Result<Artifact, BuildFailure>> {
    // On an interrupt, the temporary files of stopped compilers are removed.
    let _hold = tare_process::hold_interrupts();
    let cache = match open_cache(targets, options) {
        Ok(cache) => cache,
        Err(error) => {
            let failure = BuildFailure::from(error);
            return targets.iter().map(|target| Err(failure.clone().of(&target.name))).collect();
        }
    };
    let units = units(targets);
    let workers = options.parallel.clamp(1, units.len().max(1));
    let (messages, received) = channel();
    let kept = cache.clone();
    let (target, jobs) = (String::new(), (options.parallel / workers).max(1));
    let context = BuildContext { target, options, variables, cache, jobs, messages };
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, Result<Artifact, BuildFailure>)> = Vec::new();
    let mut is_larger = false;
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..workers {
            let messages = context.messages.clone();
            let context = BuildContext { target: String::new(), messages, cache: context.cache.clone(), ..context };
            let (units, next) = (&units, &next);
            let worker = thread::Builder::new().spawn_scoped(scope, move || work(&context, targets, units, next));
            started += usize::from(worker.is_ok());
        }
        if started == 0 {
            // No more threads can be started (`ulimit -u`): this one does the work, and its events are reported at the end.
            work(&context, targets, &units, &next);
        }
        // When the last worker drops the last sender, the loop below ends.
        drop(context);
        for message in received {
            match message {
                Message::Event(event) => on(event),
                Message::Result(index, result, seconds) => {
                    is_larger |= matches!(&*result, Ok(built) if !built.cached);
                    results.push((index, conclude(*result, seconds, on)));
                }
            }
        }
    });
    results.sort_by_key(|(index, _)| *index);
    let given = |artifact: Artifact| Artifact {
        given: options.given.clone(),
        context: options.context.clone(),
        listed_with: options.listed_with.clone(),
        ..artifact
    };
    let results: Vec<_> = results.into_iter().map(|(_, result)| result.map(given)).collect();
    retention::touch(&kept, results.iter().flatten());
    if is_larger {
        retention::bound(&kept, options.cache_max);
    }
    results
}

fn work(context: &BuildContext, targets: &[Target], units: &[Vec<usize>], next: &AtomicUsize) {
    while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
        if tare_process::interrupted() {
            break;
        }
        build_unit(context, targets, unit);
    }
}

/// The cache, which is only created if a target needs it.
fn open_cache(targets: &[Target], options: &BuildOptions) -> Result<Cache, CacheError> {
    match targets.iter().any(needs_cache) {
        true => Cache::open(&options.cache).inspect(retention::register),
        false => Ok(Cache::unopened(&options.cache)),
    }
}

pub fn needs_cache(target: &Target) -> bool {
    !matches!(target.kind, TargetKind::Program | TargetKind::Command { .. })
}

fn conclude(result: BuildResult, seconds: f64, on: &mut dyn FnMut(BuildEvent)) -> Result<Artifact, BuildFailure> {
    match result {
        Ok(built) => {
            on(BuildEvent::Finished { target: built.artifact.name.clone(), seconds, cached: built.cached });
            Ok(built.artifact)
        }
        Err(failure) => {
            on(BuildEvent::Failed { target: failure.target.clone(), seconds, failure: failure.clone() });
            Err(failure)
        }
    }
}

/// Groups targets that one command builds: those of the same part of a project. Every other target is alone.
fn units(targets: &[Target]) -> Vec<Vec<usize>> {
    let mut projects: BTreeMap<(&str, &Path, Option<&Path>), usize> = BTreeMap::new();
    let mut units: Vec<Vec<usize>> = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        let next = units.len();
        let unit = target.project().map_or(next, |project| {
            let part = (project.tool.name(), project.folder.as_path(), project.below.as_deref());
            *projects.entry(part).or_insert(next)
        });
        match units.get_mut(unit) {
            Some(unit) => unit.push(index),
            None => units.push(vec![index]),
        }
    }
    units
}

fn build_unit(context: &BuildContext, targets: &[Target], unit: &[usize]) {
    let start = Instant::now();
    let Some(&index) = unit.first() else { return };
    let target = &targets[index];
    let context = context.named(&target.name);
    let moved = Moved::of(&target.path, context.variables, context.options);
    let context = &match &moved {
        Some(moved) => BuildContext { variables: &moved.variables, options: &moved.options, ..context },
        None => context,
    };
    for path in moved.iter().flat_map(|moved| &moved.kept) {
        let path = path.display();
        context.warn(format!(
            "`{path}` of a flag or variable is ignored by git: all sides use the files that are there now"
        ));
    }
    let send = |index: usize, mut result: BuildResult| {
        if let (Ok(built), Some(moved)) = (&mut result, &moved) {
            for (name, value) in &moved.changed {
                built.artifact.environment.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        // The receiver outlives all workers.
        let result = result.map_err(|failure| failure.of(&targets[index].name));
        let _ = context.messages.send(Message::Result(index, Box::new(result), start.elapsed().as_secs_f64()));
    };
    match &target.kind {
        TargetKind::File | TargetKind::Program | TargetKind::Statements(_) => {
            send(index, (target.language.source().build)(context, target))
        }
        TargetKind::Command { words } => send(index, program::build_command(context, target, words)),
        TargetKind::Project(project) => {
            let of_unit: Vec<&Target> = unit.iter().map(|i| &targets[*i]).collect();
            for (at, result) in (project.tool.tool().build)(context, &of_unit) {
                send(unit[at], result);
            }
        }
    }
}
