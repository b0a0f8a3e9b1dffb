//! Builds both sides separately and at the same time, then lists them.

use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use crate::pipeline::{self, Prepared};
use crate::sides::Runnable;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;
use tare_build::discover::{self, ProjectTarget, Skipped, Target};
use tare_build::revision;
use tare_build::toolchain::{self, BuildEvent, BuildFailure, BuildOptions};
use tare_model::Artifact;

type Built = Vec<Result<Artifact, BuildFailure>>;

/// The programs of both sides with their benchmarks, base first. If a side has a program named `only`, its others are dropped.
pub fn build_sides(
    sides: [&Runnable; 2],
    options: &BuildOptions,
    timeout_s: f64,
    only: Option<&str>,
    console: &Console,
) -> Result<[Prepared; 2], Failure> {
    let (mut targets, mut skipped) = (Vec::new(), Vec::new());
    for side in sides {
        for warning in &side.warnings {
            console.warn(&format!("`{}`: {}", side.name, tare_report::clean(warning)));
        }
        for note in &side.notes {
            console.note(&format!("`{}`: {note}", side.name));
        }
        prepare(side, console)?;
        let found = discover::survey(&side.paths, &BuildOptions::discovery(std::slice::from_ref(options)));
        let found = found.map_err(|error| of_side(side, Failure::Discover(error)))?;
        pipeline::has_cache(&found.targets, options)?;
        let mut of_side = found.targets;
        let is_wanted = |target: &Target| only == Some(target.name.as_str());
        if of_side.iter().any(is_wanted) {
            of_side.retain(is_wanted);
        }
        targets.push(of_side);
        skipped.push(found.skipped);
    }
    name_alike(&mut targets);
    let (built, more) = build([&targets[0], &targets[1]], sides, options, console);
    for (skipped, more) in skipped.iter_mut().zip(more) {
        skipped.extend(more);
    }
    note_skipped(sides, &skipped, console);
    for ((side, built), skipped) in sides.iter().zip(&built).zip(skipped) {
        if built.is_empty() {
            return Err(of_side(side, pipeline::all_skipped(&side.paths, skipped)));
        }
    }
    let [of_base, of_new] = built;
    let list = |side: &Runnable, built| {
        let command = pipeline::list_command(if side.is_project { &[] } else { &side.paths }, &[]);
        pipeline::list_built(
            built,
            std::slice::from_ref(&options.job),
            timeout_s,
            (command, true),
            console,
            &|failure| of_side(side, failure),
        )
    };
    // Failures on both sides are reported for both.
    match (list(sides[0], of_base), list(sides[1], of_new)) {
        (Ok(base), Ok(new)) => Ok([base, new]),
        (Err(interrupted @ Failure::Interrupted), _) | (_, Err(interrupted @ Failure::Interrupted)) => Err(interrupted),
        (Err(of_base), Err(of_new)) => {
            console.fail(&of_base);
            Err(of_new)
        }
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// Generates the git-ignored files with the project's command.
fn prepare(side: &Runnable, console: &Console) -> Result<(), Failure> {
    let Some((line, folder)) = &side.prepare else { return Ok(()) };
    let target = format!("{} with `{line}`", side.name);
    let (mut painter, start) = (Painter::new(console), Instant::now());
    painter.build(&BuildEvent::Started { target: target.clone(), command: vec![line.clone()] });
    let failed = |failure| Failure::Build(Box::new(failure));
    toolchain::prepare(line, folder, &side.name).map_err(failed)?;
    painter.build(&BuildEvent::Finished { target, seconds: start.elapsed().as_secs_f64(), cached: false });
    Ok(())
}

/// If each side is a single whole project, both get the new side's name, so that benchmarks in several programs find their partners.
fn name_alike(targets: &mut [Vec<Target>]) {
    let project = |targets: &[Target]| -> Option<usize> {
        let mut projects = targets.iter().enumerate().filter(|(_, t)| t.project().is_some_and(ProjectTarget::is_whole));
        projects.next().filter(|_| projects.next().is_none()).map(|(at, _)| at)
    };
    let [base, new] = targets else { return };
    let (Some(of_base), Some(of_new)) = (project(base), project(new)) else { return };
    let name = new[of_new].name.clone();
    if base.iter().all(|target| target.name != name) {
        base[of_base].name = name;
    }
}

/// Reports once what is left out on both sides.
fn note_skipped(sides: [&Runnable; 2], skipped: &[Vec<Skipped>], console: &Console) {
    let notes: Vec<Vec<String>> = skipped.iter().map(|of_side| pipeline::skip_notes(of_side)).collect();
    for (at, (side, notes_of_side)) in sides.iter().zip(&notes).enumerate() {
        for note in notes_of_side {
            match (notes[1 - at].contains(note), at) {
                (true, 0) => console.note(note),
                (true, _) => {}
                (false, _) => console.note(&format!("`{}`: {note}", side.name)),
            }
        }
    }
}

/// Builds both sides in parallel, each with half of the processors. Also returns what turned out not to be benchmarks.
fn build(
    targets: [&[Target]; 2],
    sides: [&Runnable; 2],
    options: &BuildOptions,
    console: &Console,
) -> ([Built; 2], [Vec<Skipped>; 2]) {
    let options = BuildOptions { parallel: options.parallel.div_ceil(2), ..options.clone() };
    let mut painter = Painter::new(console);
    let mut skipped: [Vec<Skipped>; 2] = Default::default();
    let (messages, received) = channel();
    let built = thread::scope(|scope| {
        let handles = [0, 1].map(|side| {
            let (messages, options) = (messages.clone(), &options);
            let (targets, name) = (targets[side], &sides[side].name);
            // Sending fails only when the command is about to end.
            let tell = move |event| drop(messages.send((side, named(event, name))));
            let work = move || toolchain::build(targets, options, &mut { tell });
            // If no thread can be started (`ulimit -u`), this one does the work.
            thread::Builder::new().spawn_scoped(scope, work.clone()).map_err(|_| work())
        });
        drop(messages);
        received.iter().for_each(|(side, event)| match event {
            BuildEvent::Skipped { skipped: one } => skipped[side].push(one),
            event => painter.build(&event),
        });
        handles.map(|side| side.map_or_else(Ok, |handle| handle.join()))
    });
    painter.clear();
    (built.map(|side| side.unwrap_or_else(|panic| std::panic::resume_unwind(panic))), skipped)
}

fn named(event: BuildEvent, side: &str) -> BuildEvent {
    let of = |target: String| format!("{target} of {side}");
    match event {
        BuildEvent::Started { target, command } => BuildEvent::Started { target: of(target), command },
        BuildEvent::Finished { target, seconds, cached } => {
            BuildEvent::Finished { target: of(target), seconds, cached }
        }
        BuildEvent::Warned { target, text } => BuildEvent::Warned { target: of(target), text },
        BuildEvent::Skipped { skipped } => BuildEvent::Skipped { skipped },
        BuildEvent::Failed { target, seconds, failure } => BuildEvent::Failed { target: of(target), seconds, failure },
    }
}

fn of_side(side: &Runnable, failure: Failure) -> Failure {
    let said = [vec![failure.what()], failure.causes()].concat().join("\n");
    let ignored = side.paths.first().and_then(|path| revision::ignored(path, &said));
    Failure::OfSide { side: side.name.clone(), ignored, failure: Box::new(failure) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_build::discover::{Language, ProjectTool, TargetKind};

    fn target(name: &str, kind: TargetKind) -> Target {
        Target { name: name.to_owned(), kind, path: "/x".into(), language: Language::UNKNOWN }
    }

    #[test]
    fn projects_of_both_sides_have_one_name() {
        let project = |name| {
            let (tool, folder) = (ProjectTool::named("cmake").expect("a tool"), "/x".into());
            let project = ProjectTarget { tool, folder, package: String::new(), name: String::new(), below: None };
            target(name, TargetKind::Project(project))
        };
        let mut sides = [vec![project("f4f23f1d"), target("a.cpp", TargetKind::File)], vec![project("app")]];
        name_alike(&mut sides);
        assert_eq!((sides[0][0].name.as_str(), sides[0][1].name.as_str()), ("app", "a.cpp"));
        // With several projects it would be a guess.
        let mut sides = [vec![project("one"), project("two")], vec![project("app")]];
        name_alike(&mut sides);
        assert_eq!(sides[0][0].name, "one");
    }
}
