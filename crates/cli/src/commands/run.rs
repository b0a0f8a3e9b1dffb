//! `tare run`: discover, build, list, plan, measure, record, analyse, report.

use super::no_result;
use super::output;
use crate::args::RunArgs;
use crate::config::Config;
use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use crate::gate::{self, Least};
use crate::pipeline::{self, prepare, Prepared};
use crate::recording::{self, Done, Recorded, Start};
use crate::request::{self, Output};
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_model::{CaseResult, ExitCode, FailedProgram, FailureKind, Missing, Parameter, Plan, Policy, Run, RunStatus};
use tare_report::{clean, Exporter, Subject, Volume};
use tare_store::Store;

/// `tare run`.
pub fn run(args: &RunArgs, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = request::outputs(&args.output.written.files)?;
    no_result::guard(&outputs, console, || run_to(args, &outputs, console))
}

fn run_to(args: &RunArgs, outputs: &[Output], console: &Console) -> Result<ExitCode, Failure> {
    let config = Config::find(Path::new("."))?;
    let gate = gate::gate(&args.gate, &config);
    // That of the current folder, as `tare show` looks there too.
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    if let Some(id) = &args.resume {
        let done = recording::measure_rest(id, &gate, &store, console)?;
        let gate = gate::of_run(gate, &done.run);
        return Ending { format: args.output.format, outputs, gate: &gate }.conclude(done, console);
    }
    request::check_processor(args.effort.cpu, &tare_process::allowed_processors())?;
    let mut policy = request::effort(&args.effort, args.precision, &config).policy();
    gate::check(&gate, policy.minimum_effect, Least::MinimumEffect)?;
    let mut options = request::build_options(&args.build, &config, console.volume == Volume::Verbose)?;
    options.discover.command.clone_from(&args.command);
    options.given.clone_from(&args.select.param);
    request::count_memory(&args.diagnose, &gate.limits, &mut options, console);
    let prepared = prepare(&request::paths(&args.paths, &args.command), &options, policy.timeout_s, console)?;
    let seed = args.effort.seed.unwrap_or_else(recording::random_seed);
    // A value that is no baseline of all is none of some either; that is said of what is taken.
    let all = plan(&prepared, policy.clone(), seed, args.baseline.as_ref()).ok();
    let (names, trouble) = (prepared.names(), prepared.trouble);
    let prepared = match prepared.narrow(&request::selection(&args.select), console) {
        // What was not built, as was said, may be what the filter is of.
        Err(failure) if trouble.is_some() => {
            no_result::write(&failure, outputs, console);
            return Ok(pipeline::after(trouble, &failure, console));
        }
        narrowed => narrowed?,
    };
    let gate =
        Gate { scope: gate::scope(args.paths.is_empty() && args.command.is_empty(), names, &prepared.names()), ..gate };
    policy.diagnose = request::diagnosers(&args.diagnose, &gate.limits, &prepared.artifacts)?;
    let mut plan = plan(&prepared, policy, seed, args.baseline.as_ref())?;
    let cases = plan.cases.len();
    request::set_budget(&mut plan.policy, &args.effort, &config, cases);
    if args.baseline.is_none() {
        note_kept_apart(&plan, &prepared, console);
        for (second, first) in tare_engine::second_baselines(&plan) {
            let (second, first) = (clean(&second), clean(&first));
            console.warn(&format!(
                "`{second}` is declared as a baseline too: it is compared with `{first}`, the first of the group"
            ));
        }
    }
    // As the comparison of two sides keeps what it lacks, so that a run that is resumed or shown again knows it too.
    let alone = all.map(|all| tare_engine::without_baseline(&all, &plan)).unwrap_or_default();
    let missing = Missing { alone, failed: prepared.failed };
    let code = request::code_of(args);
    let (artifacts, jobs) = (prepared.artifacts, vec![options.job]);
    let start = Start { artifacts, jobs, sides: None, missing, plan, code: &code };
    let started = recording::started(start, &store, console);
    let how = Recorded { keep: !args.no_save, stop_on_error: args.stop_on_error };
    let done = recording::measure_new(started, &store, how, console)?;
    Ending { format: args.output.format, outputs, gate: &gate }.conclude(done, console)
}

fn plan(prepared: &Prepared, policy: Policy, seed: u64, baseline: Option<&Parameter>) -> Result<Plan, Failure> {
    let plan = tare_engine::plan(&prepared.entries, policy, seed);
    let Some(baseline) = baseline else { return Ok(plan) };
    tare_engine::compare_parameter(plan, baseline).ok_or_else(|| Failure::Usage {
        what: format!(
            "no benchmark has `{}={}` and another value to compare with it",
            clean(&baseline.name),
            clean(&baseline.value)
        ),
        hint: format!("list the parameters with their values: `{}`", prepared.list),
    })
}

/// Says where two programs look as if they were compared with each other, and are not.
fn note_kept_apart(plan: &Plan, prepared: &Prepared, console: &Console) {
    for apart in tare_engine::kept_apart(plan) {
        let names: Vec<String> = apart
            .artifacts
            .iter()
            .filter_map(|at| prepared.artifacts.get(*at as usize))
            .map(|a| a.name.clone())
            .collect();
        console.note(&format!(
            "group `{}` has a baseline in more than one of {}, so each program is compared with its own; declare only one \
             baseline to compare all with it",
            clean(&apart.group),
            quoted_list(&names)
        ));
    }
}

/// How a run is shown and judged.
pub struct Ending<'a> {
    /// The form on standard output.
    pub format: &'static Exporter,
    /// The files to write too.
    pub outputs: &'a [Output],
    /// What must not happen.
    pub gate: &'a Gate,
}

impl Ending<'_> {
    /// Shows what was measured; the exit code is that of the worst thing that happened.
    pub fn conclude(&self, done: Done, console: &Console) -> Result<ExitCode, Failure> {
        let report = tare_analysis::analyse(&done.run);
        let shown = output::shown(Subject::of_run(&done.run, &report), done.saved, self.gate, console);
        output::print(&shown, self.format, console)?;
        output::write(&shown, self.outputs)?;
        if let Some(error) = done.broken {
            return Err(Failure::Store(error));
        }
        Ok(gate::worst(&[ended(&done.run), trouble_of(&done.run), output::say_judgement(&shown, console)]))
    }
}

/// What a run itself ends with.
pub fn ended(run: &Run) -> ExitCode {
    match run.status {
        // By `--stop-on-error`.
        RunStatus::Interrupted if !tare_process::interrupted() && run.results.iter().any(CaseResult::is_failed) => {
            ExitCode::CaseFailed
        }
        RunStatus::Interrupted | RunStatus::Open => ExitCode::Interrupted,
        RunStatus::Finished if run.results.iter().any(CaseResult::is_failed) => ExitCode::CaseFailed,
        RunStatus::Finished => ExitCode::Ok,
    }
}

/// What could not be built or listed, also of a run that was resumed.
pub fn trouble_of(run: &Run) -> ExitCode {
    let of_sides = run.sides.iter().flat_map(|sides| sides.both()).map(|(_, side)| &side.missing);
    let failed: Vec<&FailedProgram> = of_sides.chain([&run.missing]).flat_map(|missing| &missing.failed).collect();
    let not_built = |f: &&&FailedProgram| matches!(f.failure.cause, FailureKind::NotBuilt { .. });
    match (failed.is_empty(), failed.iter().find(not_built)) {
        (true, _) => ExitCode::Ok,
        (false, Some(_)) => ExitCode::BuildFailed,
        (false, None) => ExitCode::ListFailed,
    }
}
