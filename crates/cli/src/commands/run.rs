//! `tare run`: discover, build, list, plan, measure, record, analyse, report.

use super::output::{self, Shown, Subject};
use crate::args::RunArgs;
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::pipeline::{prepare, Prepared};
use crate::recording::{self, Done, Start};
use crate::request::{self, Output};
use std::collections::HashSet;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_model::{Case, ExitCode, Job, Parameter, Plan, Policy, RunStatus};
use tare_report::{clean, Volume};
use tare_store::Store;

/// `tare run`.
pub fn run(args: &RunArgs, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = request::outputs(&args.output)?;
    let config = Config::find(Path::new("."))?;
    let gate = gate::gate(&args.gate, &config);
    // Without the handler Ctrl-C would leave the status line and half a run; it is worth a try, not an error.
    let _ = tare_process::install_interrupt_handler();
    // That of the current folder, as `tare show` looks there too.
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let mut ending = Ending { args, outputs: &outputs, gate: &gate, without_baseline: Vec::new() };
    if let Some(id) = &args.resume {
        let done = recording::measure_rest(id, &gate, &store, console)?;
        return ending.conclude(done, None, console);
    }
    let policy = request::policy(&args.effort, &config);
    gate::check(&gate, policy.minimum_effect, Least::MinimumEffect)?;
    let options = request::build_options(&args.build, &config, console.volume == Volume::Verbose)?;
    let prepared = prepare(&request::paths(&args.paths), &options, policy.timeout_s, console)?;
    let seed = args.effort.seed.unwrap_or_else(recording::random_seed);
    // A value that is no baseline of all is none of some either; that is told of what is taken.
    let all = plan(&prepared, policy.clone(), seed, args.baseline.as_ref()).ok();
    let prepared = prepared.narrow(&request::selection(&args.select))?;
    let trouble = prepared.trouble;
    let plan = plan(&prepared, policy, seed, args.baseline.as_ref())?;
    ending.without_baseline = all.map(|all| without_baseline(&all, &plan)).unwrap_or_default();
    let code = request::code_of(args);
    let start = Start { artifacts: prepared.artifacts, jobs: vec![Job::default()], plan, code: &code };
    let started = recording::started(start, &store, console);
    let done = recording::measure_new(started, &store, !args.no_save, console)?;
    ending.conclude(done, trouble, console)
}

fn plan(prepared: &Prepared, policy: Policy, seed: u64, baseline: Option<&Parameter>) -> Result<Plan, Failure> {
    let plan = tare_engine::plan(&prepared.entries, policy, seed);
    let Some(baseline) = baseline else { return Ok(plan) };
    tare_engine::compare_parameter(plan, baseline).ok_or_else(|| Failure::Usage {
        what: format!("no benchmark has `{}={}` beside another value", clean(&baseline.name), clean(&baseline.value)),
        hint: "see the parameters with their values: `tare list`".to_owned(),
    })
}

/// The contestants of a plan that would be compared with a baseline if all benchmarks were taken, and now are not.
fn without_baseline(all: &Plan, taken: &Plan) -> Vec<String> {
    let contestants = |plan: &Plan| -> HashSet<String> {
        let compared = plan.groups.iter().filter(|group| group.baseline.is_some());
        let others = compared.flat_map(|group| group.cases.iter().filter(|&&case| Some(case) != group.baseline));
        others.map(|&case| plan.cases[case as usize].key.clone()).collect()
    };
    let (before, now) = (contestants(all), contestants(taken));
    let is_lost = |case: &&Case| before.contains(&case.key) && !now.contains(&case.key);
    taken.cases.iter().filter(is_lost).map(|case| tare_engine::filter_name(&case.benchmark)).collect()
}

/// How a run is shown and judged.
struct Ending<'a> {
    args: &'a RunArgs,
    outputs: &'a [Output],
    gate: &'a Gate,
    /// Benchmarks whose baselines were filtered out.
    without_baseline: Vec<String>,
}

impl Ending<'_> {
    /// Shows what was measured; the exit code is that of the worst thing that happened.
    fn conclude(&self, done: Done, trouble: Option<ExitCode>, console: &Console) -> Result<ExitCode, Failure> {
        let report = tare_analysis::analyse(&done.run);
        let shown = Shown::new(Subject::of_run(&done.run, &report), done.saved)
            .judged(self.gate)
            .without_baseline(self.gate, &self.without_baseline);
        output::print(&shown, self.args.format, console)?;
        output::write(&shown, self.outputs, console)?;
        if let Some(error) = done.broken {
            return Err(Failure::Store(error));
        }
        Ok(gate::worst(&[ended(&done.run), trouble.unwrap_or(ExitCode::Ok), shown.say_judgement(console)]))
    }
}

/// What a run itself ends with.
pub fn ended(run: &tare_model::Run) -> ExitCode {
    match run.status {
        RunStatus::Interrupted | RunStatus::Open => ExitCode::Interrupted,
        RunStatus::Finished if run.results.iter().any(|r| r.failure.is_some()) => ExitCode::CaseFailed,
        RunStatus::Finished => ExitCode::Ok,
    }
}
