//! `tare run`: discover, build, list, plan, measure, record, analyse, report.

use super::output::{print, write, Shown};
use crate::args::RunArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::painter::Painter;
use crate::pipeline::{prepare, Prepared};
use crate::request::{self, Output};
use crate::time;
use std::ops::ControlFlow;
use std::path::Path;
use tare_host::environment;
use tare_host::runner::{self, RunRequest};
use tare_model::{
    ClockReference, Environment, Event, ExitCode, Job, Policy, Run, RunStatus, METHOD_VERSION, SCHEMA_VERSION,
};
use tare_report::Volume;
use tare_store::{MachineProfile, RunRef, RunWriter, Store, StoreError};

/// Where the machine profile says that it is from; the word stands in the header of the table.
const PROFILE: &str = "machine profile";

/// `tare run`.
pub fn run(args: &RunArgs, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = request::outputs(&args.output)?;
    // Without the handler Ctrl-C would leave the status line and half a run; it is worth a try, not an error.
    let _ = tare_process::install_interrupt_handler();
    // That of the current folder, as `tare show` looks there too.
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    if let Some(id) = &args.resume {
        return resume(id, args, &outputs, &store, console);
    }
    let policy = request::policy(&args.effort);
    let options = request::build_options(&args.build, console.volume == Volume::Verbose)?;
    let prepared = prepare(&request::paths(&args.paths), &options, policy.timeout_s, console)?;
    let prepared = prepared.narrow(&request::selection(&args.select))?;
    let trouble = prepared.trouble;
    let started = started(args, prepared, policy, &store, console);
    let writer = match args.no_save {
        true => None,
        false => Some(store.create(&started).map_err(Failure::Store)?),
    };
    let mut painter = Painter::new(console);
    if let Event::RunStarted { plan, artifacts, .. } = &started {
        painter.begin(plan, artifacts.len());
    }
    let recorder = Recorder { writer, broken: None };
    let done = measure(RunRequest::New(Box::new(started)), recorder, painter)?;
    conclude(done, trouble, args, &outputs, console)
}

/// Goes on with a run that was cut off.
fn resume(id: &str, args: &RunArgs, outputs: &[Output], store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let reference: RunRef = id.parse().map_err(Failure::Store)?;
    let (run, writer) = store.resume(&reference).map_err(Failure::Store)?;
    for artifact in &run.artifacts {
        let program = artifact.command.first().map(Path::new);
        if program.is_some_and(|p| p.is_absolute() && !p.exists()) {
            let reason = format!("`{}` is gone", artifact.command[0]);
            return Err(Failure::ProgramChanged { program: artifact.name.clone(), reason, id: run.id });
        }
    }
    let mut painter = Painter::new(console);
    painter.resume(&run);
    let recorder = Recorder { writer: Some(writer), broken: None };
    let done = measure(RunRequest::Resume(Box::new(run), time::now()), recorder, painter)?;
    conclude(done, None, args, outputs, console)
}

/// The first event of a run: all that is known before the first launch.
fn started(args: &RunArgs, prepared: Prepared, policy: Policy, store: &Store, console: &Console) -> Event {
    let seed = args.effort.seed.unwrap_or_else(random_seed);
    let plan = tare_engine::plan(&prepared.entries, policy, seed);
    let mut environment = environment::read();
    environment.git = environment::git_state(&request::code_of(args));
    environment.clock_reference = clock_reference(&environment, console);
    Event::RunStarted {
        schema: SCHEMA_VERSION.to_owned(),
        id: store.fresh_id(),
        created: time::now(),
        tare: env!("CARGO_PKG_VERSION").to_owned(),
        method: METHOD_VERSION.to_owned(),
        command: request::command_line(),
        environment: Box::new(environment),
        artifacts: prepared.artifacts,
        jobs: vec![Job::default()],
        plan: Box::new(plan),
    }
}

/// A seed that nobody chose; it is in the run, so that the run can be repeated.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

fn clock_reference(environment: &Environment, console: &Console) -> Option<ClockReference> {
    let folder = tare_store::state_dir()?;
    let (profile, note) = MachineProfile::load(&folder, &environment.cpu, environment.processors);
    if let Some(note) = note {
        console.note(&format!("`{}` is not used: {}", note.path.display(), note.reason));
    }
    profile.map(|p| ClockReference { cycle_ns: p.cycle_ns, source: PROFILE.to_owned() })
}

/// The first run on a machine writes its clock down, so that later runs are given at the same one.
fn keep_clock(run: &Run) {
    let Some(clock) = run.environment.clock_reference.as_ref().filter(|clock| clock.source != PROFILE) else { return };
    let (cpu, processors) = (run.environment.cpu.clone(), run.environment.processors);
    let Some(folder) = tare_store::state_dir() else { return };
    if MachineProfile::load(&folder, &cpu, processors).0.is_none() {
        // Without it the next run takes its own clock again: nothing is wrong then, and nothing is worth a word.
        let _ = MachineProfile { cpu, processors, cycle_ns: clock.cycle_ns, recorded: time::now() }.save(&folder);
    }
}

/// Writes events down until the first that cannot be written.
struct Recorder {
    writer: Option<RunWriter>,
    broken: Option<StoreError>,
}

impl Recorder {
    fn record(&mut self, event: &Event) {
        // The first event was written when the folder was made.
        if self.broken.is_some() || matches!(event, Event::RunStarted { .. }) {
            return;
        }
        if let Some(writer) = &mut self.writer {
            self.broken = writer.append(event).err();
        }
    }

    /// The document may still be written when there is room again; then nothing is lost.
    fn finish(self, run: &Run) -> (bool, Option<StoreError>) {
        match self.writer.map(|writer| writer.finish(run)) {
            None => (false, None),
            Some(Ok(_)) => (true, None),
            Some(Err(error)) => (false, Some(self.broken.unwrap_or(error))),
        }
    }
}

/// What a run left.
struct Done {
    run: Run,
    saved: bool,
    broken: Option<StoreError>,
}

fn measure(request: RunRequest, mut recorder: Recorder, mut painter: Painter) -> Result<Done, Failure> {
    let run = runner::run(request, &mut |event| {
        recorder.record(event);
        painter.event(event);
        ControlFlow::Continue(())
    });
    painter.clear();
    let run = run.map_err(Failure::Run)?;
    let keeps = recorder.writer.is_some();
    let (saved, broken) = recorder.finish(&run);
    if keeps && run.status == RunStatus::Finished {
        keep_clock(&run);
    }
    Ok(Done { run, saved, broken })
}

/// Shows what was measured; the exit code is that of the worst thing that happened.
fn conclude(
    done: Done,
    trouble: Option<ExitCode>,
    args: &RunArgs,
    outputs: &[Output],
    console: &Console,
) -> Result<ExitCode, Failure> {
    let report = tare_analysis::analyse(&done.run);
    let shown = Shown { run: &done.run, report: &report, saved: done.saved };
    print(&shown, args.format, console)?;
    write(&shown, outputs, console)?;
    if let Some(error) = done.broken {
        return Err(Failure::Store(error));
    }
    let failed = done.run.results.iter().any(|r| r.failure.is_some());
    Ok(match (done.run.status, trouble) {
        (RunStatus::Interrupted | RunStatus::Open, _) => ExitCode::Interrupted,
        (RunStatus::Finished, Some(code)) => code,
        (RunStatus::Finished, None) if failed => ExitCode::CaseFailed,
        (RunStatus::Finished, None) => ExitCode::Ok,
    })
}
