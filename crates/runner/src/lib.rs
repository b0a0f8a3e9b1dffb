//! Runs a plan: performs the engine's actions with real children and reports events. It prints nothing.
#![forbid(unsafe_code)]

mod children;
pub mod conformance;
mod conversation;
mod dry;
mod environment;
mod launches;
mod listing;
mod measured;
mod passes;
mod placement;
mod programs;
mod run_folder;

pub use dry::{dry, DryResult};
pub use listing::{list, Listing, SetParameter};
pub use run_folder::RunFolder;

use launches::Launches;
use passes::Processes;
use std::ops::ControlFlow;
use std::time::Instant;
use tare_diagnose::Diagnosers;
use tare_engine::{Action, Engine, Resumption};
use tare_model::{Artifact, Attachment, Event, Run, RunStatus};

#[derive(Debug, Clone)]
pub enum RunRequest {
    /// A new run: its `run-started` event.
    New(Box<Event>),
    /// An interrupted run, with the time and place of resumption.
    Resume(Box<Run>, Resumption),
}

/// Why a run could not be made. The events hold everything measured before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The event of the request is not `run-started`.
    #[error("the run has no start")]
    NotStarted,
    /// A program of the run has not been listed.
    #[error("`{0}` was not listed before the run")]
    NotListed(String),
}

/// Receives the events of a run.
pub trait Listener {
    fn hear(&mut self, event: &Event) -> ControlFlow<()>;

    /// Keeps the content of an attachment, before its event.
    /// Err: why it cannot be kept, for people.
    fn keep(&mut self, attachment: &Attachment, content: &[u8]) -> Result<(), String>;
}

/// Ignores all events.
pub struct NoListener;

impl Listener for NoListener {
    fn hear(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn keep(&mut self, _: &Attachment, _: &[u8]) -> Result<(), String> {
        Err("the run is not saved".to_owned())
    }
}

/// Runs the plan to its end, or until the user interrupts or the listener stops it. The listener receives every event before the next
/// request is sent, and none during an iteration. `folder` is for things that programs make once for all their launches.
/// Err: when the request makes no sense. Misbehaving children are failures of their cases, not errors.
pub fn run(
    request: RunRequest,
    folder: &RunFolder,
    diagnosers: &mut Diagnosers,
    listener: &mut dyn Listener,
) -> Result<Run, RunError> {
    let start = Instant::now();
    let noise = tare_machine::environment::noise_start();
    let processors = tare_process::processors().max(1) as usize;
    let mut engine = match request {
        RunRequest::New(event) => {
            let Event::RunStarted { artifacts, .. } = event.as_ref() else { return Err(RunError::NotStarted) };
            are_listed(artifacts)?;
            Engine::new(*event, processors).ok_or(RunError::NotStarted)?
        }
        RunRequest::Resume(run, resumption) => {
            are_listed(&run.artifacts)?;
            Engine::resume(*run, processors, resumption)
        }
    };
    let mut launches = Launches::new(engine.run(), folder);
    let mut heard = report_events(&mut engine, listener);
    let status = loop {
        if heard.is_break() || tare_process::interrupted() {
            break RunStatus::Interrupted;
        }
        let action = engine.next(start.elapsed().as_nanos() as f64);
        if action == Action::Done {
            break RunStatus::Finished;
        }
        let answers = launches.act(action, engine.run());
        for (launch, processor) in answers.placed {
            engine.note(Event::LaunchPlaced { launch, processor });
        }
        let interrupted = answers.interrupted;
        for (launch, answer) in answers.by_launch {
            engine.answer(launch, answer);
        }
        heard = report_events(&mut engine, listener);
        if interrupted {
            break RunStatus::Interrupted;
        }
    };
    settle_clock(&mut engine);
    let status = diagnose(&mut engine, status, (&mut launches, folder), diagnosers, listener);
    drop(launches);
    let (steal, cpu_pressure) = noise.finish();
    engine.finish(status, start.elapsed().as_secs_f64(), steal, cpu_pressure);
    let _ = report_events(&mut engine, listener);
    Ok(engine.run().clone())
}

/// Runs the requested passes after all times are measured.
fn diagnose(
    engine: &mut Engine,
    status: RunStatus,
    (processes, folder): (&mut dyn Processes, &RunFolder),
    diagnosers: &mut Diagnosers,
    listener: &mut dyn Listener,
) -> RunStatus {
    if status != RunStatus::Finished {
        return status;
    }
    for (case, name) in passes::wanted(engine.run(), diagnosers) {
        let made = passes::pass(engine.run(), case, diagnosers.get(&name), processes, folder);
        let Some(passes::PassResult { diagnosis, files }) = made else { return RunStatus::Interrupted };
        // An interrupted pass has not failed: it is repeated when the run is resumed.
        if diagnosis.failure.as_ref().is_some_and(children::is_interrupt) {
            return RunStatus::Interrupted;
        }
        for (mut attachment, content) in files {
            if attachment.lost.is_none() {
                attachment.lost = listener.keep(&attachment, &content).err();
            }
            engine.note(Event::Attached { attachment: Box::new(attachment) });
        }
        engine.note(Event::Diagnosed { diagnosis: Box::new(diagnosis) });
        if report_events(engine, listener).is_break() || tare_process::interrupted() {
            return RunStatus::Interrupted;
        }
    }
    status
}

fn report_events(engine: &mut Engine, listener: &mut dyn Listener) -> ControlFlow<()> {
    for event in engine.take_events() {
        listener.hear(&event)?;
    }
    ControlFlow::Continue(())
}

fn are_listed(artifacts: &[Artifact]) -> Result<(), RunError> {
    let other = artifacts.iter().find(|artifact| artifact.child.is_none());
    other.map_or(Ok(()), |artifact| Err(RunError::NotListed(artifact.name.clone())))
}

/// Without a machine profile, the run derives its own reference clock and records it so that it never changes.
fn settle_clock(engine: &mut Engine) {
    if engine.run().environment().clock_reference.is_some() {
        return;
    }
    if let Some(cycle_ns) = tare_analysis::own_cycle_ns(engine.run()) {
        engine.note(Event::ClockSettled { cycle_ns });
    }
}
