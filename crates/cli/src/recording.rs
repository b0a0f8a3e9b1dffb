//! One run from its first event to its document.

use crate::cluster;
use crate::console::Console;
use crate::diagnose;
use crate::failure::{quoted_list, Failure};
use crate::gate;
use crate::machine_profile;
use crate::painter::Painter;
use crate::request;
use crate::session::Session;
use crate::steps::Steps;
use crate::time;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tare_build::toolchain;
use tare_diagnose::Diagnosers;
use tare_engine::Resumption;
use tare_machine::environment;
use tare_model::text::plural;
use tare_model::{
    Artifact, Attachment, CommandLine, CoreWidth, Environment, Event, Job, Missing, Plan, Run, RunStatus, Sides,
    WidthProbe, METHOD_VERSION, SCHEMA_VERSION,
};
use tare_runner::{Listener, RunFolder, RunRequest};
use tare_store::{RunWriter, Store, StoreError};

const THIS_RUN: &str = "this run";

pub struct Start {
    pub artifacts: Vec<Artifact>,
    pub jobs: Vec<Job>,
    pub sides: Option<Sides>,
    pub missing: Missing,
    pub plan: Plan,
    pub request: CommandLine,
    /// The folder whose revision is recorded.
    pub code: PathBuf,
}

/// The first event of a run: everything known before the first launch.
pub fn started(mut start: Start, store: &Store, console: &Console) -> Event {
    let mut environment = environment_here(&start.artifacts, console);
    environment.git = environment::git_state(&start.code);
    toolchain::note_instruments(&mut start.artifacts);
    if compares_programs(&start.plan) {
        toolchain::note_inlining(&mut start.artifacts);
    }
    Event::RunStarted {
        schema: SCHEMA_VERSION.to_owned(),
        id: store.fresh_id(),
        created: time::now(),
        tare: env!("CARGO_PKG_VERSION").to_owned(),
        method: METHOD_VERSION.to_owned(),
        command: start.request.words(),
        request: start.request,
        environment: Box::new(environment),
        artifacts: start.artifacts,
        jobs: start.jobs,
        sides: start.sides.map(Box::new),
        missing: start.missing,
        plan: Box::new(start.plan),
    }
}

pub fn environment_here(artifacts: &[Artifact], console: &Console) -> Environment {
    let mut environment = environment::read();
    machine_profile::know(&mut environment, console);
    let has_width =
        |artifact: &Artifact| artifact.child.as_ref().is_some_and(|facts| facts.width_probe() == WidthProbe::Native);
    if environment.core_width.is_none() && artifacts.iter().any(has_width) {
        look_at_width(&mut environment);
    }
    environment
}

/// Whether benchmarks in different programs are compared with each other.
fn compares_programs(plan: &Plan) -> bool {
    let program = |case: u32| plan.cases.get(case as usize).map(|case| case.artifact);
    let mut compared = plan.groups.iter().filter(|group| group.same_invocations);
    compared.any(|group| {
        let base = group.baseline.map(program);
        group.contestants().any(|case| Some(program(case)) != base)
    })
}

/// Notes benchmarks that allow fewer invocations per iteration than the user requested.
pub fn note_invocations(plan: &Plan, jobs: &[Job], console: &Console) {
    let mut bounded: BTreeMap<(u64, u64), Vec<String>> = BTreeMap::new();
    for case in plan.cases.iter().filter(|case| case.benchmark.invalid.is_none() && case.benchmark.skipped.is_none()) {
        let of_job = jobs.get(case.job as usize).and_then(|job| job.policy.invocations);
        let (wanted, benchmark) = (of_job.or(plan.policy.invocations), &case.benchmark);
        let (Some(wanted), Some(most)) = (wanted, benchmark.invocations_max) else { continue };
        let names = bounded.entry((most, wanted)).or_default();
        names.push(benchmark.full_name());
        names.dedup();
    }
    for ((most, wanted), names) in bounded.iter().filter(|((most, wanted), _)| wanted > most) {
        let (is, why) = match names.len() {
            1 => ("is", "its declaration allows"),
            _ => ("are", "their declarations allow"),
        };
        let (names, most) = (quoted_list(names), plural(*most, "invocation"));
        console.note(&format!("{names} {is} measured with {most} per iteration instead of {wanted}: {why} no more"));
    }
}

pub fn look_at_width(environment: &mut Environment) {
    let this_run = |cycles_per_addition| CoreWidth { cycles_per_addition, source: THIS_RUN.to_owned() };
    environment.core_width = environment::core_width().map(this_run).or_else(|| environment.core_width.take());
}

/// What is kept of a run, and when it ends early.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recorded {
    pub keep: bool,
    /// End at the first case that fails.
    pub stop_on_error: bool,
    /// Keep the folder of files that benchmarks made once for all launches.
    pub keep_folder: bool,
}

impl Recorded {
    pub fn kept(keep: bool) -> Recorded {
        Recorded { keep, ..Recorded::default() }
    }
}

impl Session<'_> {
    pub fn measure_here(&self, started: Event, diagnosers: Diagnosers) -> Result<Done, Failure> {
        // Held from the first file of the run to its document, so that an interrupt leaves no folder without a document.
        let _hold = tare_process::hold_interrupts();
        let writer = match self.settings.recorded.keep {
            false => None,
            true => Some(self.store.create(&started).map_err(Failure::Store)?),
        };
        let mut painter = Painter::new(self.console);
        if let Event::RunStarted { plan, jobs, .. } = &started {
            painter.begin(plan, jobs);
            painter.say_at_most(plan);
        }
        self.record(RunRequest::New(Box::new(started)), diagnosers, writer, painter)
    }

    /// Resumes a run, if its rules can break the gate.
    pub fn resume(&self, id: &str) -> Result<Done, Failure> {
        let _hold = tare_process::hold_interrupts();
        let (store, console) = (self.store, self.console);
        let reference = store.reference(id).map_err(Failure::Store)?;
        // Checked before anything is written: a run that cannot be resumed stays unchanged.
        let stored = request::load(store, &reference)?;
        gate::check(&self.settings.gate, stored.plan.policy.minimum_effect, gate::Least::OfRun)?;
        has_its_programs(&stored)?;
        let folder = store.locate(&reference).ok().and_then(|folder| cluster::Folder::of(&folder).ok());
        if let Some(folder) = folder.filter(cluster::Folder::is_made) {
            return cluster::resume(&folder, self);
        }
        let (run, writer) = store.resume(&reference).map_err(Failure::Store)?;
        let mut painter = Painter::new(console);
        painter.resume(&run);
        let resumption = Resumption { at: time::now(), environment: Box::new(environment_now(&run, console)) };
        // Set-ups of commands run again, since the rest of the run may need what they leave.
        let steps = Steps::of(&run);
        steps.set_up(console)?;
        let diagnosers = diagnose::of_run(&run, &self.settings.diagnosing.known, console);
        let done = self.record(RunRequest::Resume(Box::new(run), resumption), diagnosers, Some(writer), painter);
        steps.clean_up(console);
        done
    }

    fn record(
        &self,
        request: RunRequest,
        mut diagnosers: Diagnosers,
        writer: Option<RunWriter>,
        painter: Painter,
    ) -> Result<Done, Failure> {
        let (folder, how) = (RunFolder::new(), self.settings.recorded);
        let mut heard = Listeners { recorder: Recorder { writer, broken: None }, painter, how };
        let run = tare_runner::run(request, &folder, &mut diagnosers, &mut heard);
        let Listeners { recorder, mut painter, .. } = heard;
        painter.clear();
        painter.end();
        end_folder(folder, how.keep_folder, self.console);
        let run = run.map_err(Failure::Run)?;
        let keeps = recorder.writer.is_some();
        if keeps && run.results.iter().any(tare_model::CaseResult::is_failed) {
            self.console.note(&format!("what was built, started and printed: `tare show {} --log`", run.id));
        }
        let (saved, broken) = recorder.finish(&run);
        if keeps && run.status == RunStatus::Finished {
            machine_profile::keep(&run, self.console);
        }
        Ok(Done { run, saved, broken, lost: None })
    }
}

fn environment_now(run: &Run, console: &Console) -> Environment {
    let mut environment = environment::read();
    machine_profile::know(&mut environment, console);
    let before = run.newest_environment();
    if (&before.cpu, before.processors) == (&environment.cpu, environment.processors) {
        environment.clock_reference.clone_from(&before.clock_reference);
        environment.core_width = before.core_width.clone().or(environment.core_width);
        environment.core_width_of.extend(before.core_width_of.clone());
    }
    environment
}

/// Whether every program still to be run is the one measured before; otherwise the numbers of two programs would be mixed under one name.
fn has_its_programs(run: &Run) -> Result<(), Failure> {
    if run.status == RunStatus::Finished {
        return Ok(());
    }
    for artifact in &run.artifacts {
        toolchain::is_as_measured(artifact).map_err(|change| Failure::ProgramChanged {
            program: artifact.name.clone(),
            change,
            id: run.id.clone(),
            command: run.command.clone(),
        })?;
    }
    Ok(())
}

struct Recorder {
    writer: Option<RunWriter>,
    broken: Option<StoreError>,
}

impl Recorder {
    fn record(&mut self, event: &Event) {
        // The first event was written with the folder.
        if self.broken.is_some() || matches!(event, Event::RunStarted { .. }) {
            return;
        }
        if let Some(writer) = &mut self.writer {
            self.broken = writer.append(event).err();
        }
    }

    /// If the disk has space again, the document may still be written, and nothing is lost.
    fn finish(self, run: &Run) -> (bool, Option<StoreError>) {
        match self.writer.map(|writer| writer.finish(run)) {
            None => (false, None),
            Some(Ok(_)) => (true, None),
            Some(Err(error)) => (false, Some(self.broken.unwrap_or(error))),
        }
    }
}

pub struct Done {
    pub run: Run,
    pub saved: bool,
    /// Why it is not stored although it should be.
    pub broken: Option<StoreError>,
    /// Why a part measured elsewhere is missing.
    pub lost: Option<Failure>,
}

/// Removes the files that benchmarks made once, or prints their location.
pub fn end_folder(folder: RunFolder, is_kept: bool, console: &Console) {
    if !is_kept {
        if let Err((error, path)) = folder.remove() {
            let path = path.display();
            console
                .warn(&format!("cannot remove the data that the benchmarks share: {error}; remove `{path}` yourself"));
        }
        return;
    }
    match folder.keep() {
        Some(path) => console.note(&format!("the data that the benchmarks share is in `{}`", path.display())),
        None => console.note("`--keep` kept nothing: no benchmark made data for the whole run"),
    }
}

struct Listeners<'a> {
    recorder: Recorder,
    painter: Painter<'a>,
    how: Recorded,
}

impl Listener for Listeners<'_> {
    fn hear(&mut self, event: &Event) -> ControlFlow<()> {
        self.recorder.record(event);
        self.painter.event(event);
        match event {
            Event::CaseFailed { .. } if self.how.stop_on_error => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn keep(&mut self, attachment: &Attachment, content: &[u8]) -> Result<(), String> {
        let writer = self.recorder.writer.as_ref().ok_or("the run is not saved")?;
        writer.attachments().write(attachment, content).map_err(|error| error.to_string())
    }
}
