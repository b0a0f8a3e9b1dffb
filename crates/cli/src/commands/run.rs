//! `tare run`: discover, build, list, plan, measure, record, analyse, report.

mod wanted;

use super::dry;
use super::in_front;
use super::no_result;
use super::output;
use crate::args::RunArgs;
use crate::cluster;
use crate::console::Console;
use crate::diagnose;
use crate::failure::Failure;
use crate::forms::{self, Forms};
use crate::gate::{self, Least};
use crate::jobs::{self, Declared};
use crate::pipeline::{self, prepare_jobs, Prepared};
use crate::recording::{self, Done, Recorded, Start};
use crate::request::{self, PlanRequest};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tare_analysis::gate::Gate;
use tare_analysis::RowOrder;
use tare_build::discover::Target;
use tare_build::languages::runtimes;
use tare_build::revision::lfs_pointers;
use tare_build::toolchain::BuildOptions;
use tare_diagnose::Diagnosers;
use tare_model::{
    ContextEntry, ExitCode, FailedProgram, FailureKind, Job, Missing, Plan, Policy, Request, Run, RunStatus,
};
use tare_report::{clean, Line, Presentation, Role, Volume};
use tare_store::Store;
use wanted::Wanted;

pub fn run(args: &RunArgs, request: &Request, console: &Console) -> Result<ExitCode, Failure> {
    let forms = forms::asked(&args.output)?;
    no_result::guard(&forms.outputs, console, || run_to(args, request, &forms, console))
}

fn run_to(args: &RunArgs, request: &Request, forms: &Forms, console: &Console) -> Result<ExitCode, Failure> {
    let gate = gate::gate(&args.gate);
    // That of the current folder, as `tare show` looks there too.
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    let how = Recorded { keep: !args.no_save, stop_on_error: args.stop_on_error, keep_folder: args.keep };
    if let Some(id) = &args.resume {
        let how = Recorded { keep: true, ..how };
        let done = recording::measure_rest(id, (&gate, &args.build.known_diagnosers), &store, how, console)?;
        let gate = gate::of_run(gate, &done.run);
        return Ending { request, forms, order: args.order.order, gate: &gate, top: None }.conclude(done, console);
    }
    let amount = PlanRequest::of(&args.effort, args.precision)?;
    gate::check(&gate, amount.policy().minimum_effect, Least::MinimumEffect)?;
    let (options, diagnosers) = wishes(args, &gate, console)?;
    let mut built = Built::of(args, &options, amount.policy().timeout_s, console)?;
    say_pointers(&mut built.prepared, console);
    let seed = amount.seed();
    let base = jobs::base(&built.jobs, args.baseline.as_ref().filter(|_| built.jobs.len() > 1))?;
    let wanted = Wanted { jobs: &built.jobs, base, baseline: args.baseline.as_ref(), is_declared: built.is_declared };
    // A value that is no baseline of all is none of some either; that is said of what is taken.
    let all = wanted.plan(&built.prepared, amount.policy(), seed).ok();
    let (names, trouble) = (built.prepared.names(), built.prepared.trouble);
    let mut prepared = match built.prepared.narrow(&request::selection(&args.select), console) {
        // What was not built, as was said, may be what the filter is of.
        Err(failure) if trouble.is_some() => {
            no_result::write(&failure, &forms.outputs, console);
            return Ok(pipeline::after(trouble, &failure, console));
        }
        narrowed => narrowed?,
    };
    let gate = Gate { scope: gate::scope(names_no_target(args), names, &prepared.names()), ..gate };
    let (diagnosers, policy) = looks(args, (diagnosers, &options), (&mut prepared, &built.jobs), &amount, console)?;
    let mut plan = wanted.plan(&prepared, policy, seed)?;
    if args.dry {
        let ended = dry::dry(&prepared.artifacts, &built.jobs, &plan, args.keep, console)?;
        return Ok(gate::worst(&[prepared.trouble.unwrap_or(ExitCode::Ok), ended]));
    }
    let cases = plan.cases.len();
    amount.set_budget(&mut plan.policy, cases);
    note_comparisons(&wanted, &plan, &prepared, console);
    recording::note_invocations(&plan, &built.jobs, console);
    // As the comparison of two sides keeps what it lacks, so that a run that is resumed or shown again knows it too.
    let alone = all.map(|all| tare_engine::without_baseline(&all, &plan)).unwrap_or_default();
    let start = start_of(args, request, (prepared, built.jobs), (plan, alone));
    let started = recording::started(start, &store, console);
    let done = cluster::measure(&args.cluster, started, diagnosers, &store, how, console)?;
    Ending { request, forms, order: args.order.order, gate: &gate, top: None }.conclude(done, console)
}

/// What reads a pointer of Git LFS in place of its data measures something else: the run keeps it.
fn say_pointers(prepared: &mut Prepared, console: &Console) {
    let folder = |target: &Target| match target.path.is_dir() {
        true => Some(target.path.clone()),
        false => target.path.parent().map(Path::to_owned),
    };
    let folders: BTreeSet<PathBuf> = prepared.targets.iter().filter_map(folder).collect();
    let files = lfs_pointers(folders.iter().map(PathBuf::as_path));
    if !files.is_empty() {
        console.warn(&format!("files of Git LFS are pointers without content: {files}; `git lfs pull` fetches them"));
        let entry = ContextEntry { name: "git-lfs".to_owned(), value: format!("pointers without content: {files}") };
        prepared.artifacts.iter_mut().for_each(|artifact| artifact.context.push(entry.clone()));
    }
}

fn asked(args: &RunArgs) -> diagnose::Asked<'_> {
    diagnose::Asked { diagnose: &args.diagnose, counters: &args.watched.counters, is_why: args.why, of_all: true }
}

fn wishes(args: &RunArgs, gate: &Gate, console: &Console) -> Result<(BuildOptions, Diagnosers), Failure> {
    let mut options = request::build_options(
        &args.build,
        &args.select.param,
        (&args.paths, &args.command),
        console.volume == Volume::Verbose,
    )?;
    options.discover.statements = request::statements(&args.python, &args.set_up)?;
    options.context = request::context(&args.context)?;
    let known = &args.build.known_diagnosers;
    let diagnosers = diagnose::prepared(&asked(args), &gate.limits, known, &mut options, console)?;
    Ok((options, diagnosers))
}

struct Built {
    jobs: Vec<Job>,
    prepared: Prepared,
    /// The jobs stand at the declarations.
    is_declared: bool,
}

impl Built {
    fn of(args: &RunArgs, options: &BuildOptions, timeout_s: f64, console: &Console) -> Result<Built, Failure> {
        let known = &args.build.known_jobs;
        let jobs = jobs::jobs(&args.job, &args.runtimes, &args.jobs_folder, known, &options.job)?;
        let paths = match args.python.is_empty() {
            true => request::paths(&args.paths, &args.command),
            false => args.paths.clone(),
        };
        let of_jobs = jobs::build_options(options, &jobs);
        let prepared = prepare_jobs(&paths, &of_jobs, timeout_s, console)?;
        let (jobs, prepared, is_declared) = with_declared(jobs, prepared, options, timeout_s, console)?;
        Ok(Built { jobs, prepared, is_declared })
    }
}

/// The diagnosers with those that benchmarks ask for, as far as any of them can look at a program, and the policy that names them.
fn looks(
    args: &RunArgs,
    (mut diagnosers, options): (Diagnosers, &BuildOptions),
    (prepared, jobs): (&mut Prepared, &[Job]),
    amount: &PlanRequest,
    console: &Console,
) -> Result<(Diagnosers, Policy), Failure> {
    let (known, mut policy) = (&args.build.known_diagnosers, amount.policy());
    let benchmarks = prepared.entries.iter().flat_map(|e| e.benchmarks.iter().map(|one| (e.artifact, one)));
    let programs = (&mut prepared.artifacts[..], jobs);
    diagnose::declared(&mut diagnosers, benchmarks, programs, (known, options), policy.timeout_s)?;
    diagnose::watched(&args.watched, &diagnosers, &mut policy, console);
    let names = diagnose::settled(&diagnosers, &mut prepared.artifacts, known)?;
    asked(args).plan(names, &mut policy);
    Ok((diagnosers, policy))
}

/// What a run begins with. `alone`: what has nothing to be compared with, since its baseline was left out.
fn start_of<'a>(
    args: &'a RunArgs,
    request: &Request,
    (prepared, jobs): (Prepared, Vec<Job>),
    (mut plan, alone): (Plan, Vec<String>),
) -> Start<'a> {
    let missing = Missing { alone, failed: prepared.failed };
    let artifacts = prepared.artifacts;
    tare_engine::side_by_side(&mut plan, &artifacts);
    let code = request::code_of(&args.paths);
    Start { artifacts, jobs, sides: None, missing, plan, request: request.clone(), code }
}

fn note_comparisons(wanted: &Wanted, plan: &Plan, prepared: &Prepared, console: &Console) {
    if wanted.jobs.len() > 1 {
        wanted.note_baselines(prepared, console);
    } else if wanted.baseline.is_none() {
        wanted::note_uncompared(plan, console);
        for (second, first) in tare_engine::second_baselines(plan) {
            let (second, first) = (clean(&second), clean(&first));
            console.warn(&format!(
                "`{second}` is also declared as a baseline: it is compared with `{first}`, the first baseline of the group"
            ));
        }
    }
}

/// The jobs that programs declare, where the command line and `tare.toml` name none, with what was built for each of them.
fn with_declared(
    jobs: Vec<Job>,
    prepared: Prepared,
    options: &BuildOptions,
    timeout_s: f64,
    console: &Console,
) -> Result<(Vec<Job>, Prepared, bool), Failure> {
    let installed = OnceCell::new();
    let has = |word: &str| runtimes::has(installed.get_or_init(runtimes::installed), word);
    let only = jobs.first().filter(|job| jobs.len() == 1 && job.id.is_empty());
    let Some(declared) = only.and_then(|base| Declared::of(&prepared, base, &has)) else {
        return Ok((jobs, prepared, false));
    };
    for (job, runtime) in &declared.lacking {
        console.warn(&clean(&format!("job `{job}` is left out: {}", jobs::why_lacking(runtime))));
    }
    let of_jobs = jobs::build_options(options, &declared.jobs);
    let prepared = declared.prepare(prepared, &of_jobs, timeout_s, console)?;
    Ok((declared.jobs, prepared, true))
}

fn names_no_target(args: &RunArgs) -> bool {
    args.paths.is_empty() && args.command.is_empty() && args.python.is_empty()
}

pub struct Ending<'a> {
    pub request: &'a Request,
    pub forms: &'a Forms,
    pub order: RowOrder,
    pub gate: &'a Gate,
    /// Changes of each verdict that are shown.
    pub top: Option<usize>,
}

impl Ending<'_> {
    pub fn conclude(&self, done: Done, console: &Console) -> Result<ExitCode, Failure> {
        let report = tare_analysis::analyse(&done.run).in_order(self.order);
        let shown = output::shown(tare_report::of_run(&done.run, &report), done.saved, self.gate, self.forms, console);
        let shown = Presentation { top: self.top, ..shown };
        let written = output::show(&shown, self.forms, console);
        super::history::record(&done, &report, self.request, console);
        output::both(written, done.broken, console)?;
        if self.request.has(in_front::FLAG) {
            in_front::summaries(&shown, &done.run, self.forms, console)?;
        }
        let judged = output::judged(&shown, console);
        say_trouble(&done.run, console);
        let ended = match &done.lost {
            Some(lost) => {
                console.fail(lost);
                lost.exit_code()
            }
            None => ended(&done.run),
        };
        Ok(gate::worst(&[ended, trouble_of(&done.run), judged]))
    }
}

fn ended(run: &Run) -> ExitCode {
    let mut failures =
        run.results.iter().filter(|result| result.is_failed()).filter_map(|result| result.failure.as_ref());
    let failed = match (failures.clone().next(), failures.any(tare_model::Failure::is_not_loaded)) {
        (None, _) => ExitCode::Ok,
        (_, true) => ExitCode::BuildFailed,
        (_, false) => ExitCode::CaseFailed,
    };
    match run.status {
        // By `--stop-on-error`.
        RunStatus::Interrupted if !tare_process::interrupted() && failed != ExitCode::Ok => failed,
        RunStatus::Interrupted | RunStatus::Open => ExitCode::Interrupted,
        RunStatus::Finished => failed,
    }
}

/// Says last what has no results, since what the compiler said of it is far above by now.
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

/// What could not be built or listed, also of a run that was resumed.
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
