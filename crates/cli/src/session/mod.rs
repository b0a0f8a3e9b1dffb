//! A measuring command, from its settings to its exit code. Each command prepares and plans in its own way; measuring, showing and judging
//! are shared.

mod pairs;
mod sides;

pub use pairs::{distinct, not_paired};
pub use sides::build_sides;

use crate::cluster;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::history;
use crate::jobs;
use crate::output::{self, in_front, no_result};
use crate::pipeline::Prepared;
use crate::recording::{self, Done, Start};
use crate::request::Settings;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_diagnose::Diagnosers;
use tare_model::{ExitCode, FailedProgram, FailureKind, Job, Missing, Plan, Run, RunStatus};
use tare_report::{clean, Line, Presentation, Role, Subject};
use tare_store::Store;

#[derive(Clone, Copy)]
pub struct Session<'a> {
    pub settings: &'a Settings,
    pub store: &'a Store,
    pub console: &'a Console,
}

impl<'a> Session<'a> {
    /// Runs a command that writes files and stores a run.
    pub fn hold(
        settings: &Settings,
        console: &Console,
        work: impl FnOnce(&Session) -> Result<ExitCode, Failure>,
    ) -> Result<ExitCode, Failure> {
        no_result::guard(&settings.forms.outputs, console, || {
            // The current folder's store, where `tare show` looks too.
            let store = Store::find_unless(!settings.recorded.keep, Path::new(".")).map_err(Failure::Store)?;
            work(&Session { settings, store: &store, console })
        })
    }

    /// Ends a command with nothing left after programs failed; the benchmarks may be in those.
    pub fn without(&self, trouble: Option<ExitCode>, failure: Failure) -> Result<ExitCode, Failure> {
        let Some(trouble) = trouble else { return Err(failure) };
        no_result::write(&failure, &self.settings.forms.outputs, self.console);
        self.console.fail(&failure);
        Ok(gate::worst(&[trouble, failure.exit_code()]))
    }

    pub fn start(&self, prepared: Prepared, jobs: Vec<Job>, mut plan: Plan) -> Start {
        jobs::set_strategies(&mut plan, &jobs);
        tare_engine::side_by_side(&mut plan, &prepared.artifacts);
        let missing = Missing { alone: Vec::new(), failed: prepared.failed };
        let (request, code) = (self.settings.request.clone(), self.settings.code().to_owned());
        Start { artifacts: prepared.artifacts, jobs, sides: None, missing, plan, request, code }
    }

    pub fn measure(&self, start: Start, diagnosers: Diagnosers) -> Result<Done, Failure> {
        let started = recording::started(start, self.store, self.console);
        match &self.settings.cluster {
            None => self.measure_here(started, diagnosers),
            Some(cluster) => cluster::measure(cluster, started, self),
        }
    }

    /// Measures times without the diagnosers that benchmarks declare.
    pub fn measure_times(&self, mut start: Start) -> Result<Done, Failure> {
        start.plan.cases.iter_mut().for_each(|case| case.benchmark.diagnosers.clear());
        self.measure(start, Diagnosers::default())
    }

    /// Resumes a stored run and ends like the command that made it.
    pub fn go_on(&self, id: &str) -> Result<ExitCode, Failure> {
        let done = self.resume(id)?;
        let gate = gate::of_run(self.settings.gate.clone(), &done.run);
        self.conclude(done, &gate)
    }

    pub fn shown<'s>(&self, subject: Box<dyn Subject + 's>, saved: bool, gate: &Gate) -> Presentation<'s> {
        let shown = output::shown(subject, saved, gate, &self.settings.forms, self.console);
        Presentation { top: self.settings.top, ..shown }
    }

    /// Shows, stores and judges the result.
    pub fn conclude(&self, done: Done, gate: &Gate) -> Result<ExitCode, Failure> {
        let (settings, console) = (self.settings, self.console);
        let report = tare_analysis::analyse(&done.run).in_order(settings.order);
        let shown = self.shown(tare_report::of_run(&done.run, &report), done.saved, gate);
        let written = output::show(&shown, &settings.forms, console);
        history::record(&done, &report, &settings.request, console);
        output::both(written, done.broken, console)?;
        let in_front = match settings.request.has(in_front::FLAG) {
            true => in_front::summaries(&shown, &done.run, &settings.forms, console)?,
            false => ExitCode::Ok,
        };
        let judged = output::judged(&shown, console);
        say_trouble(&done.run, console);
        let ended = match &done.lost {
            Some(lost) => {
                console.fail(lost);
                lost.exit_code()
            }
            None => ended(&done.run),
        };
        Ok(gate::worst(&[ended, trouble_of(&done.run), in_front, judged]))
    }
}

fn ended(run: &Run) -> ExitCode {
    let failures = run.results.iter().filter(|result| result.is_failed()).filter_map(|result| result.failure.as_ref());
    let failed = gate::of_failures(failures);
    match run.status {
        // Ended by `--stop-on-error`.
        RunStatus::Interrupted if !tare_process::interrupted() && failed != ExitCode::Ok => failed,
        RunStatus::Interrupted | RunStatus::Open => ExitCode::Interrupted,
        RunStatus::Finished => failed,
    }
}

/// Repeats at the end what has no results, since the compiler's messages have scrolled away.
fn say_trouble(run: &Run, console: &Console) {
    let say = |missing: &Missing, of: &str| {
        if let Some(text) = tare_report::not_built_text(&missing.failed) {
            console.say(&[Line::of(Role::Error, "error:").with(Role::Plain, format!(" {text}{of}"))]);
        }
    };
    say(&run.missing, "");
    for (_, side) in run.sides.iter().flat_map(|sides| sides.both()) {
        say(&side.missing, &format!(" of `{}`", clean(&side.name)));
    }
}

/// The exit code for what could not be built or listed, also for a resumed run.
fn trouble_of(run: &Run) -> ExitCode {
    let of_sides = run.sides.iter().flat_map(|sides| sides.both()).map(|(_, side)| &side.missing);
    let failed: Vec<&FailedProgram> = of_sides.chain([&run.missing]).flat_map(|missing| &missing.failed).collect();
    let not_built =
        |f: &&&FailedProgram| matches!(f.failure.cause, FailureKind::NotBuilt { .. }) || f.failure.is_not_loaded();
    match (failed.is_empty(), failed.iter().find(not_built)) {
        (true, _) => ExitCode::Ok,
        (false, Some(_)) => ExitCode::BuildFailed,
        (false, None) => ExitCode::ListFailed,
    }
}
