//! `tare run`: discover, build, list, plan, measure, record, analyse, report.

use super::dry;
use super::in_front;
use super::no_result;
use super::output;
use crate::args::RunArgs;
use crate::choose;
use crate::cluster;
use crate::console::Console;
use crate::diagnose;
use crate::failure::{quoted_list, Failure};
use crate::forms::{self, Forms};
use crate::gate::{self, Least};
use crate::jobs::{self, Declared};
use crate::pipeline::{self, prepare_jobs, Prepared};
use crate::recording::{self, Done, Recorded, Start};
use crate::request::{self, PlanRequest};
use std::cell::OnceCell;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::RowOrder;
use tare_build::languages::Language;
use tare_build::toolchain::BuildOptions;
use tare_engine::{Base, CatalogEntry};
use tare_model::{
    Benchmark, CaseResult, ExitCode, FailedProgram, FailureKind, Job, Missing, Parameter, Plan, Policy, Profile,
    Request, Run, RunStatus,
};
use tare_report::{clean, Line, Role, Volume};
use tare_store::Store;

/// `tare run`.
pub fn run(args: &RunArgs, request: &Request, console: &Console) -> Result<ExitCode, Failure> {
    let forms = forms::asked(&args.output)?;
    no_result::guard(&forms.outputs, console, || run_to(args, request, &forms, console))
}

fn run_to(args: &RunArgs, request: &Request, forms: &Forms, console: &Console) -> Result<ExitCode, Failure> {
    let gate = gate::gate(&args.gate);
    cluster::check(&args.cluster, !args.no_save, args.keep)?;
    // That of the current folder, as `tare show` looks there too.
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    if let Some(id) = &args.resume {
        let how = Recorded { keep: true, stop_on_error: args.stop_on_error, keep_folder: args.keep };
        let done = recording::measure_rest(id, (&gate, &args.build.known_diagnosers), &store, how, console)?;
        let gate = gate::of_run(gate, &done.run);
        return Ending { request, forms, order: args.order.order(), gate: &gate }.conclude(done, console);
    }
    let amount = PlanRequest::of(&args.effort, args.precision)?;
    let mut policy = amount.policy();
    gate::check(&gate, policy.minimum_effect, Least::MinimumEffect)?;
    let mut options =
        request::build_options(&args.build, &args.select.param, &args.command, console.volume == Volume::Verbose)?;
    options.discover.statements = request::statements(&args.python, &args.set_up)?;
    options.context = request::context(&args.context)?;
    let known = &args.build.known_diagnosers;
    let asked =
        diagnose::Asked { diagnose: &args.diagnose, counters: &args.watched.counters, is_why: args.why, of_all: true };
    let mut diagnosers = diagnose::prepared(&asked, &gate.limits, known, &mut options, console)?;
    let jobs = jobs::jobs(&args.job, &args.runtimes, &args.jobs_folder, &args.build.known_jobs, &options.job)?;
    let paths = match args.python.is_empty() {
        true => request::paths(&args.paths, &args.command),
        false => args.paths.clone(),
    };
    let prepared =
        prepare_jobs(&paths, &jobs::build_options(&options, &jobs), policy.timeout_s, names_nothing(args), console)?;
    let (jobs, prepared, is_declared) = with_declared(jobs, prepared, &options, policy.timeout_s, console)?;
    let base = jobs::base(&jobs, args.baseline.as_ref().filter(|_| jobs.len() > 1))?;
    let wanted = Wanted { jobs: &jobs, base, baseline: args.baseline.as_ref(), is_declared };
    let seed = amount.seed();
    // A value that is no baseline of all is none of some either; that is said of what is taken.
    let all = wanted.plan(&prepared, policy.clone(), seed).ok();
    let (names, trouble) = (prepared.names(), prepared.trouble);
    let prepared = match prepared.narrow(&request::selection(&args.select), console) {
        // What was not built, as was said, may be what the filter is of.
        Err(failure) if trouble.is_some() => {
            no_result::write(&failure, &forms.outputs, console);
            return Ok(pipeline::after(trouble, &failure, console));
        }
        narrowed => narrowed?,
    };
    let mut prepared = if args.choose { choose::benchmarks(prepared, console)? } else { prepared };
    let gate = Gate { scope: gate::scope(names_no_target(args), names, &prepared.names()), ..gate };
    let benchmarks = prepared.entries.iter().flat_map(|e| e.benchmarks.iter().map(|one| (e.artifact, one)));
    let programs = (&mut prepared.artifacts[..], &jobs[..]);
    diagnose::declared(&mut diagnosers, benchmarks, programs, (known, &options), policy.timeout_s)?;
    diagnose::watched(&args.watched, &mut diagnosers, &mut policy, console);
    let names = diagnose::settled(&diagnosers, &mut prepared.artifacts, known)?;
    asked.plan(names, &mut policy);
    let mut plan = wanted.plan(&prepared, policy, seed)?;
    if args.dry {
        let ended = dry::dry(&prepared.artifacts, &jobs, &plan, args.keep, console)?;
        return Ok(gate::worst(&[prepared.trouble.unwrap_or(ExitCode::Ok), ended]));
    }
    let cases = plan.cases.len();
    amount.set_budget(&mut plan.policy, cases);
    note_comparisons(&wanted, &plan, &prepared, console);
    warn_of_explosions(&plan, console);
    recording::note_invocations(&plan, &jobs, console);
    // As the comparison of two sides keeps what it lacks, so that a run that is resumed or shown again knows it too.
    let alone = all.map(|all| tare_engine::without_baseline(&all, &plan)).unwrap_or_default();
    let missing = Missing { alone, failed: prepared.failed };
    let artifacts = prepared.artifacts;
    tare_engine::side_by_side(&mut plan, &artifacts);
    let start = Start {
        artifacts,
        jobs,
        sides: None,
        missing,
        plan,
        request: request.clone(),
        code: request::code_of(&args.paths),
    };
    let started = recording::started(start, &store, console);
    let how = Recorded { keep: !args.no_save, stop_on_error: args.stop_on_error, keep_folder: args.keep };
    match cluster::measure(&args.cluster, started, diagnosers, &store, how, console)? {
        cluster::Outcome::Printed(code) => Ok(code),
        cluster::Outcome::Done(done) => {
            Ending { request, forms, order: args.order.order(), gate: &gate }.conclude(*done, console)
        }
    }
}

/// Says what is not compared as one might expect.
fn note_comparisons(wanted: &Wanted, plan: &Plan, prepared: &Prepared, console: &Console) {
    if wanted.jobs.len() > 1 {
        wanted.note_baselines(prepared, console);
    } else if wanted.baseline.is_none() {
        note_kept_apart(plan, prepared, console);
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
    let has = |word: &str| {
        Language::with_runtimes()
            .is_some_and(|(_, runtimes)| (runtimes.has)(installed.get_or_init(runtimes.installed), word))
    };
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

/// Nothing says which benchmarks are wanted: of many it is asked.
fn names_nothing(args: &RunArgs) -> bool {
    let targets = [&args.build.package, &args.build.bench].iter().all(|names| names.is_empty());
    names_no_target(args) && targets && request::selection(&args.select).is_empty()
}

/// Neither a path, nor a program, nor a statement.
fn names_no_target(args: &RunArgs) -> bool {
    args.paths.is_empty() && args.command.is_empty() && args.python.is_empty()
}

/// What is compared with what.
struct Wanted<'a> {
    jobs: &'a [Job],
    /// The job that the others are compared with.
    base: Option<u32>,
    baseline: Option<&'a Parameter>,
    /// The jobs stand at the declarations, which also say what is compared with what.
    is_declared: bool,
}

impl Wanted<'_> {
    fn plan(&self, prepared: &Prepared, policy: Policy, seed: u64) -> Result<Plan, Failure> {
        let mut plan = match self.jobs.len() {
            0 | 1 => {
                let plan = tare_engine::plan(&prepared.entries, policy, seed);
                match self.baseline {
                    None => plan,
                    Some(baseline) => tare_engine::compare_parameter(plan, baseline)
                        .ok_or_else(|| no_such_baseline(baseline, prepared))?,
                }
            }
            _ => self.matrix(prepared, &policy, seed)?,
        };
        jobs::set_strategies(&mut plan, self.jobs);
        if self.is_declared {
            // They are jobs of the run now.
            plan.cases.iter_mut().for_each(|case| case.benchmark.jobs.clear());
        }
        Ok(plan)
    }

    /// The plans of all jobs as one.
    fn matrix(&self, prepared: &Prepared, policy: &Policy, seed: u64) -> Result<Plan, Failure> {
        let of_job = |job: usize| {
            let is_of_it = |entry: &&CatalogEntry| prepared.artifacts[entry.artifact as usize].job as usize == job;
            let entries: Vec<CatalogEntry> = prepared.entries.iter().filter(is_of_it).cloned().collect();
            tare_engine::plan(&entries, policy.clone(), seed)
        };
        let mut plans: Vec<Plan> = (0..self.jobs.len()).map(of_job).collect();
        if let Some(baseline) = self.baseline.filter(|_| self.base.is_none()) {
            let compared = |plan: &Plan| tare_engine::compare_parameter(plan.clone(), baseline);
            let by_value: Vec<Option<Plan>> = plans.iter().map(compared).collect();
            if by_value.iter().all(Option::is_none) {
                return Err(no_such_baseline(baseline, prepared));
            }
            plans = by_value.into_iter().zip(plans).map(|(compared, plain)| compared.unwrap_or(plain)).collect();
        }
        // Where no job has rules of its own, nothing but the job differs.
        let same = self.jobs.iter().all(|job| job.policy.is_empty() && job.strategy.is_none());
        let base = match self.base {
            Some(_) if self.is_declared && self.baseline.is_none() => Base::Cases(&|case| is_base(&case.benchmark)),
            Some(base) => Base::Job(base),
            None => Base::Groups,
        };
        tare_engine::matrix(plans, base, same).ok_or_else(|| Failure::NoBenchmarks { programs: Vec::new() })
    }

    /// Says what becomes of baselines that the code declares.
    fn note_baselines(&self, prepared: &Prepared, console: &Console) {
        let Some(base) = self.base.and_then(|base| self.jobs.get(base as usize)) else { return };
        if self.is_declared && self.baseline.is_none() {
            // Of a class with a baseline of each kind: that of the jobs is the one.
            let of_both = |benchmark: &&Benchmark| benchmark.baseline && is_base(benchmark);
            if let Some(one) = prepared.entries.iter().flat_map(|entry| &entry.benchmarks).find(of_both) {
                let (group, job) = (clean(&one.group), one.jobs.first().map_or("", |job| &job.name));
                console.note(&format!(
                    "each benchmark of `{group}` is compared with itself under job `{}`; the baseline among its methods does not apply",
                    clean(job)
                ));
            }
            return;
        }
        if prepared.entries.iter().flat_map(|entry| &entry.benchmarks).any(|benchmark| benchmark.baseline) {
            console.note(&format!(
                "each benchmark is compared with itself under job `{}`; the baselines that the code declares do not apply",
                clean(&base.id)
            ));
        }
    }
}

/// The job that a benchmark is listed under is the one that it is compared under.
fn is_base(benchmark: &Benchmark) -> bool {
    benchmark.jobs.first().is_some_and(|job| job.is_base)
}

fn no_such_baseline(baseline: &Parameter, prepared: &Prepared) -> Failure {
    Failure::Usage {
        what: format!(
            "no benchmark has `{}={}` and another value to compare with it",
            clean(&baseline.name),
            clean(&baseline.value)
        ),
        hint: format!("list the parameters with their values: `{}`", prepared.list),
    }
}

/// Says where parameters make more cases than anybody waits for.
fn warn_of_explosions(plan: &Plan, console: &Console) {
    for (name, count) in tare_engine::explosions(plan) {
        let seconds = if plan.policy.profile == Profile::Quick { 0.2 } else { 1.2 };
        let minutes = (count as f64 * seconds / 60.0).ceil();
        console.warn(&format!(
            "the parameters of `{}` make {count} cases, about {minutes} min: choose some with `--filter` or `--param NAME=VALUE`, \
             or leave out combinations in the code",
            clean(&name)
        ));
    }
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
    /// What the user wants.
    pub request: &'a Request,
    /// The forms.
    pub forms: &'a Forms,
    /// How the rows of the table stand.
    pub order: RowOrder,
    /// What must not happen.
    pub gate: &'a Gate,
}

impl Ending<'_> {
    /// Shows what was measured; the exit code is that of the worst thing that happened.
    pub fn conclude(&self, done: Done, console: &Console) -> Result<ExitCode, Failure> {
        let report = tare_analysis::analyse(&done.run).in_order(self.order);
        let shown = output::shown(tare_report::of_run(&done.run, &report), done.saved, self.gate, self.forms, console);
        let written = output::show(&shown, self.forms, console);
        super::history::record(&done, &report, self.request, console);
        output::both(written, done.broken, console)?;
        if self.request.has(in_front::FLAG) {
            in_front::summaries(&shown, &done.run, self.forms, console)?;
        }
        let judged = output::say_judgement(&shown, console);
        say_trouble(&done.run, console);
        Ok(gate::worst(&[how_it_ended(&done.run, done.lost.as_ref(), console), trouble_of(&done.run), judged]))
    }
}

/// What a run itself ends with; says why a part of it is missing.
pub fn how_it_ended(run: &Run, lost: Option<&Failure>, console: &Console) -> ExitCode {
    match lost {
        Some(lost) => {
            console.fail(lost);
            lost.exit_code()
        }
        None => ended(run),
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

/// Says last what has no results, since what the compiler said of it is far above by now.
pub fn say_trouble(run: &Run, console: &Console) {
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
