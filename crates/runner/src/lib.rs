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

pub use dry::{dry, Ran};
pub use listing::{list, Listing, SetParameter};
pub use run_folder::RunFolder;

use launches::Launches;
use passes::Processes;
use std::ops::ControlFlow;
use std::time::Instant;
use tare_diagnose::Diagnosers;
use tare_engine::{Action, Resumed, Session, Started};
use tare_model::{Attachment, ChildFacts, Event, Run, RunStatus};

/// What to run.
#[derive(Debug, Clone)]
pub enum RunRequest {
    /// A new run: its `run-started` event.
    New(Box<Event>),
    /// A run that was cut off, with time and place of now.
    Resume(Box<Run>, Resumed),
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
    ///
    /// # Errors
    /// Why it cannot be kept, for people.
    fn keep(&mut self, attachment: &Attachment, content: &[u8]) -> Result<(), String>;
}

/// Nobody hears it.
pub struct Unheard;

impl Listener for Unheard {
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
///
/// # Errors
/// When the request makes no sense; children that misbehave are failures of their cases, not errors.
pub fn run(
    request: RunRequest,
    folder: &RunFolder,
    diagnosers: &mut Diagnosers,
    listener: &mut dyn Listener,
) -> Result<Run, RunError> {
    let start = Instant::now();
    let noise = tare_machine::environment::noise_start();
    let processors = tare_process::processors().max(1) as usize;
    let mut session = match request {
        RunRequest::New(event) => {
            let Event::RunStarted { artifacts, .. } = event.as_ref() else { return Err(RunError::NotStarted) };
            let facts = facts(artifacts)?;
            Session::new(Started { event: *event, facts, processors }).ok_or(RunError::NotStarted)?
        }
        RunRequest::Resume(run, resumed) => {
            let facts = facts(&run.artifacts)?;
            Session::resume(*run, facts, processors, resumed)
        }
    };
    let run = session.run().ok_or(RunError::NotStarted)?;
    let mut launches = Launches::new(run, folder);
    let mut heard = report_events(&mut session, listener);
    let status = loop {
        if heard.is_break() || tare_process::interrupted() {
            break RunStatus::Interrupted;
        }
        let action = session.next(start.elapsed().as_nanos() as f64);
        if action == Action::Done {
            break RunStatus::Finished;
        }
        let answers = launches.act(action, session.run());
        for (launch, processor) in answers.placed {
            session.note(Event::LaunchPlaced { launch, processor });
        }
        let interrupted = answers.interrupted;
        for (launch, answer) in answers.by_launch {
            session.answer(launch, answer);
        }
        heard = report_events(&mut session, listener);
        if interrupted {
            break RunStatus::Interrupted;
        }
    };
    settle_clock(&mut session);
    let status = diagnose(&mut session, status, (&mut launches, folder), diagnosers, listener);
    drop(launches);
    let (steal, cpu_pressure) = noise.finish();
    session.finish(status, start.elapsed().as_secs_f64(), steal, cpu_pressure);
    let _ = report_events(&mut session, listener);
    session.run().cloned().ok_or(RunError::NotStarted)
}

/// Makes the passes that the run asks for, when all times are there.
fn diagnose(
    session: &mut Session,
    status: RunStatus,
    (processes, folder): (&mut dyn Processes, &RunFolder),
    diagnosers: &mut Diagnosers,
    listener: &mut dyn Listener,
) -> RunStatus {
    let Some(run) = session.run().filter(|_| status == RunStatus::Finished) else { return status };
    for (case, name) in passes::wanted(run, diagnosers) {
        let made = session.run().and_then(|run| passes::pass(run, case, diagnosers.get(&name), processes, folder));
        let Some(passes::Made { diagnosis, files }) = made else { return RunStatus::Interrupted };
        // What the user ended did not fail: the pass is made when the run is resumed.
        if diagnosis.failure.is_some() && tare_process::interrupted() {
            return RunStatus::Interrupted;
        }
        for (mut attachment, content) in files {
            if attachment.lost.is_none() {
                attachment.lost = listener.keep(&attachment, &content).err();
            }
            session.note(Event::Attached { attachment: Box::new(attachment) });
        }
        session.note(Event::Diagnosed { diagnosis: Box::new(diagnosis) });
        if report_events(session, listener).is_break() || tare_process::interrupted() {
            return RunStatus::Interrupted;
        }
    }
    status
}

fn report_events(session: &mut Session, listener: &mut dyn Listener) -> ControlFlow<()> {
    for event in session.take_events() {
        listener.hear(&event)?;
    }
    ControlFlow::Continue(())
}

fn facts(artifacts: &[tare_model::Artifact]) -> Result<Vec<ChildFacts>, RunError> {
    artifacts.iter().map(|a| a.child.clone().ok_or_else(|| RunError::NotListed(a.name.clone()))).collect()
}

/// Without a machine profile the reference clock is this run's own; it is written down so that it never changes.
fn settle_clock(session: &mut Session) {
    let own =
        session.run().filter(|run| run.environment().clock_reference.is_none()).and_then(tare_analysis::own_cycle_ns);
    if let Some(cycle_ns) = own {
        session.note(Event::ClockSettled { cycle_ns });
    }
}
