//! Runs a plan: does what the engine says with real children, and tells what happens as events. It prints nothing.
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
    /// A run that was cut off, with time and place of now.
    Resume(Box<Run>, Resumption),
}

/// Why a run could not be made. What was measured until then is in the events.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The request's event is not `run-started`.
    #[error("the run has no start")]
    NotStarted,
    /// A program of the run was not asked what it is.
    #[error("`{0}` was not listed before the run")]
    NotListed(String),
}

/// Who hears what happens.
pub trait Listener {
    /// Something happened.
    fn hear(&mut self, event: &Event) -> ControlFlow<()>;

    /// Keeps the content of an attachment, of which an event follows.
    /// Err: why it cannot be kept, for people.
    fn keep(&mut self, attachment: &Attachment, content: &[u8]) -> Result<(), String>;
}

/// Nobody hears what happens.
pub struct NoListener;

impl Listener for NoListener {
    fn hear(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn keep(&mut self, _: &Attachment, _: &[u8]) -> Result<(), String> {
        Err("the run is not saved".to_owned())
    }
}

/// Runs the plan to its end, or until the user interrupts or the listener breaks off. Every event reaches the
/// listener before the next request is sent; none does while an iteration is measured. What programs make once for all
/// of their launches is in `folder`.
/// Err: when the request makes no sense; children that misbehave are failures of their cases, not errors.
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

/// Makes the passes that the run asks for, when all times are there.
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
        // What the user ended did not fail: the pass is made when the run is resumed.
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

/// Without a machine profile the reference clock is this run's own; it is written down so that it never changes.
fn settle_clock(engine: &mut Engine) {
    if engine.run().environment().clock_reference.is_some() {
        return;
    }
    if let Some(cycle_ns) = tare_analysis::own_cycle_ns(engine.run()) {
        engine.note(Event::ClockSettled { cycle_ns });
    }
}
