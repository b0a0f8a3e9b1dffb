//! `tare run`: measures benchmarks by themselves or against others of the run.

mod wanted;

use super::dry;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::jobs::{self, Declared};
use crate::pipeline::{name_not_imported, prepare_jobs, Prepared};
use crate::recording;
use crate::request::{self, Settings};
use crate::session::Session;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tare_analysis::gate::Gate;
use tare_build::discover::Target;
use tare_build::languages::runtimes;
use tare_build::revision::lfs_pointers;
use tare_build::toolchain::BuildOptions;
use tare_model::{ContextEntry, ExitCode, Job, Plan};
use tare_report::clean;
use wanted::Wanted;

pub fn run(settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    Session::hold(settings, console, |session| match &settings.resume {
        Some(id) => session.go_on(id),
        None => measure(session),
    })
}

fn measure(session: &Session) -> Result<ExitCode, Failure> {
    let Session { settings, console, .. } = *session;
    let amount = &settings.amount;
    gate::check(&settings.gate, amount.policy().minimum_effect, Least::MinimumEffect)?;
    let mut options = settings.build.clone();
    let diagnosers = settings.diagnosing.prepared(&settings.gate.limits, &mut options, console)?;
    let Built { jobs, mut prepared, is_declared } = Built::of(settings, &options, console)?;
    say_pointers(&mut prepared, console);
    let (seed, baseline) = (request::seed(amount), settings.baseline.as_ref());
    let base = jobs::base(&jobs, baseline.filter(|_| jobs.len() > 1))?;
    let wanted = Wanted { jobs: &jobs, base, baseline, is_declared };
    // Checks a baseline against all benchmarks: a value that none of them has is reported for the selected ones.
    let all = wanted.plan(&prepared, amount.policy(), seed).ok();
    let (names, trouble) = (prepared.names(), prepared.trouble);
    let mut prepared = match prepared.narrow(&settings.selection, console) {
        // The filter may name a benchmark in a program that failed to build.
        Err(failure) => return session.without(trouble, failure),
        Ok(narrowed) => narrowed,
    };
    let gate = Gate { scope: gate::scope(settings.is_of_project(), names, &prepared.names()), ..settings.gate.clone() };
    let policy = amount.policy();
    let benchmarks = prepared.entries.iter().flat_map(|e| e.benchmarks.iter().map(|one| (e.artifact, one)));
    let (diagnosers, diagnosis) = settings.diagnosing.settle(
        diagnosers,
        benchmarks,
        &mut prepared.artifacts,
        &jobs,
        policy.timeout_s,
        console,
    )?;
    let mut plan =
        wanted.plan(&prepared, policy, seed).inspect_err(|_| name_not_imported(&prepared.entries, console))?;
    plan.diagnosis = diagnosis;
    if settings.is_dry {
        let ended = dry::dry(&prepared.artifacts, &jobs, &plan, settings.recorded.keep_folder, console)?;
        return Ok(gate::worst(&[prepared.trouble.unwrap_or(ExitCode::Ok), ended]));
    }
    let cases = plan.cases.len();
    amount.set_budget(&mut plan.policy, cases);
    note_comparisons(&wanted, &plan, &prepared, console);
    recording::note_invocations(&plan, &jobs, console);
    // Stored in the run, so that a resumed or shown run reports it too, as comparisons of two sides do.
    let alone = all.map(|all| tare_engine::without_baseline(&all, &plan)).unwrap_or_default();
    let mut start = session.start(prepared, jobs, plan);
    start.missing.alone = alone;
    session.conclude(session.measure(start, diagnosers)?, &gate)
}

/// Reports pointers of Git LFS in place of data, since the benchmark measures something else then. The run keeps the note.
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

struct Built {
    jobs: Vec<Job>,
    prepared: Prepared,
    is_declared: bool,
}

impl Built {
    fn of(settings: &Settings, options: &BuildOptions, console: &Console) -> Result<Built, Failure> {
        let jobs = settings.jobs.over(&options.job)?;
        let timeout_s = settings.amount.policy().timeout_s;
        let prepared = prepare_jobs(&settings.places(), &jobs::build_options(options, &jobs), timeout_s, console)?;
        let built = Built { jobs, prepared, is_declared: false };
        built.with_declared(options, timeout_s, console)
    }

    /// Builds for the jobs that programs declare, if neither the command line nor `tare.toml` names any.
    fn with_declared(self, options: &BuildOptions, timeout_s: f64, console: &Console) -> Result<Built, Failure> {
        let installed = OnceCell::new();
        let has = |word: &str| runtimes::has(installed.get_or_init(runtimes::installed), word);
        let only = self.jobs.first().filter(|job| self.jobs.len() == 1 && job.id.is_empty());
        let Some(declared) = only.and_then(|base| Declared::of(&self.prepared, base, &has)) else { return Ok(self) };
        for (job, runtime) in &declared.lacking {
            console.warn(&clean(&format!("job `{job}` is left out: {}", jobs::why_lacking(runtime))));
        }
        let of_jobs = jobs::build_options(options, &declared.jobs);
        let prepared = declared.prepare(self.prepared, &of_jobs, timeout_s, console)?;
        Ok(Built { jobs: declared.jobs, prepared, is_declared: true })
    }
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
