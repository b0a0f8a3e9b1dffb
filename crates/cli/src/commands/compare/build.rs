//! Both sides built apart and at the same time, then listed.

use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use crate::pipeline::{self, Prepared};
use crate::sides::Runnable;
use std::sync::mpsc::channel;
use std::thread;
use tare_host::discover::{self, Target};
use tare_host::toolchain::{self, BuildEvent, BuildFailure, BuildOptions};
use tare_model::Artifact;

type Built = Vec<Result<Artifact, BuildFailure>>;

/// The programs of both sides with their benchmarks, the base first.
pub fn both(
    sides: [&Runnable; 2],
    options: &BuildOptions,
    timeout_s: f64,
    console: &Console,
) -> Result<[Prepared; 2], Failure> {
    let mut targets = Vec::new();
    for side in sides {
        for warning in &side.warnings {
            console.warn(&format!("`{}`: {}", side.name, tare_report::clean(warning)));
        }
        let found = discover::discover(&side.paths).map_err(|error| of_side(side, Failure::Discover(error)))?;
        targets.push(found);
    }
    let built = build([&targets[0], &targets[1]], sides, options, console);
    let [of_base, of_new] = built;
    let list = |side, built| pipeline::list_built(built, timeout_s, console, &|failure| of_side(side, failure));
    // What fails on both sides is said of both.
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

/// Builds of both sides run side by side, each with half of the processors.
fn build(targets: [&[Target]; 2], sides: [&Runnable; 2], options: &BuildOptions, console: &Console) -> [Built; 2] {
    let options = BuildOptions { parallel: options.parallel.div_ceil(2), ..options.clone() };
    let mut painter = Painter::new(console);
    let (messages, received) = channel();
    let built = thread::scope(|scope| {
        let handles = [0, 1].map(|side| {
            let (messages, options) = (messages.clone(), &options);
            let (targets, name) = (targets[side], &sides[side].name);
            // Nobody listens any more only when the command is about to end.
            let tell = move |event| drop(messages.send(named(event, name)));
            scope.spawn(move || toolchain::build(targets, options, &mut { tell }))
        });
        drop(messages);
        received.iter().for_each(|event| painter.build(&event));
        handles.map(|handle| handle.join())
    });
    painter.clear();
    built.map(|side| side.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// Both sides have targets of the same names: an event says whose it is.
fn named(event: BuildEvent, side: &str) -> BuildEvent {
    let of = |target: String| format!("{target} of {side}");
    match event {
        BuildEvent::Started { target, command } => BuildEvent::Started { target: of(target), command },
        BuildEvent::Finished { target, seconds, cached } => {
            BuildEvent::Finished { target: of(target), seconds, cached }
        }
        BuildEvent::Warned { target, text } => BuildEvent::Warned { target: of(target), text },
        BuildEvent::Failed { target, seconds, failure } => BuildEvent::Failed { target: of(target), seconds, failure },
    }
}

fn of_side(side: &Runnable, failure: Failure) -> Failure {
    Failure::OfSide { side: side.name.clone(), failure: Box::new(failure) }
}
