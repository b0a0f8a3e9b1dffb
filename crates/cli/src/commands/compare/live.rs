//! Two sides that can be run: built apart, their children interleaved in waves.

use super::super::no_result;
use super::super::output::{Shown, Subject};
use super::super::run::{ended, trouble_of};
use super::{build, Wish};
use crate::console::Console;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::pipeline::{self, Prepared};
use crate::recording::{self, Done, Start};
use crate::renames::{self, Names};
use crate::request;
use crate::sides::Runnable;
use std::collections::HashSet;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_engine::{filter_name, plan_comparison, select, CatalogEntry, ComparisonPlan, Selection};
use tare_model::{Artifact, Benchmark, ExitCode, FailedProgram, Job, Plan, Policy};
use tare_report::{percent_set, Volume};

/// Layouts of each program: with 32 launches a side each launch has its own, so that launches are independent.
const LAYOUTS: u32 = 32;
/// With `--quick`, which makes some 8 launches.
const LAYOUTS_QUICK: u32 = 8;
/// Minimum effect where code layout cannot be varied: as much can be luck of the build (`method.md`).
const LAYOUT_LIMITED: f64 = 0.03;

/// Builds, plans, measures and shows.
pub fn compare(base: Runnable, new: Runnable, wish: &Wish) -> Result<ExitCode, Failure> {
    let (args, config, console) = (wish.args, wish.config, wish.console);
    request::check_processor(args.effort.cpu, &tare_process::allowed_processors())?;
    let mut policy = request::comparison_policy(args, config);
    // Once before minutes of building, and once more when it is known whether the layout can be varied.
    gate::check(wish.gate, policy.minimum_effect, Least::MinimumEffect)?;
    let mut options = request::build_options(&args.build, config, console.volume == Volume::Verbose)?;
    options.given.clone_from(&args.select.param);
    options.layouts =
        args.layouts.or(config.compare.layouts).unwrap_or(if args.effort.quick { LAYOUTS_QUICK } else { LAYOUTS });
    let [of_base, of_new] = build::both([&base, &new], &options, policy.timeout_s, console)?;
    let seed = args.effort.seed.unwrap_or_else(recording::random_seed);
    let selection = request::selection(&args.select);
    let trouble = of_base.trouble.or(of_new.trouble);
    let renames = match renames(&of_base.entries, &of_new.entries, wish) {
        Err(failure) if trouble.is_some() => return Ok(pipeline::after(trouble, &failure, console)),
        renames => renames?,
    };
    let planned = match plan(of_base, of_new, &renames, &selection, policy.clone(), seed, console) {
        // What could not be built, as was said, may be all that both have.
        Err(failure) if trouble.is_some() => {
            no_result::write(&failure, wish.outputs, console);
            return Ok(pipeline::after(trouble, &failure, console));
        }
        planned => planned?,
    };
    let is_project = args.paths.is_empty() && [&base, &new].iter().all(|side| side.is_project);
    let gate = Gate { scope: gate::scope(is_project, planned.all, &planned.taken), ..wish.gate.clone() };
    let wish = &Wish { gate: &gate, ..*wish };
    let asked = args.effort.min_effect.is_some() || config.run.min_effect.is_some();
    if args.effort.launches.is_none() {
        policy.waves_max = waves_max(&policy, &planned.artifacts);
    }
    if !asked {
        policy.minimum_effect = least_effect(policy.minimum_effect, &planned.artifacts, console);
    }
    gate::check(wish.gate, policy.minimum_effect, Least::MinimumEffect)?;
    let pairs = planned.plan.groups.len();
    request::set_comparison_budget(&mut policy, args, config, pairs);
    let job = |side: &Runnable, alone: Vec<String>, failed: Vec<FailedProgram>| Job {
        name: side.name.clone(),
        detail: side.detail.clone(),
        alone,
        failed,
    };
    let start = Start {
        artifacts: planned.artifacts,
        jobs: vec![job(&base, planned.only_base, planned.failed_base), job(&new, planned.only_new, planned.failed_new)],
        plan: Plan { policy, ..planned.plan },
        code: new.paths.first().map_or(Path::new("."), |path| folder_of(path)),
    };
    let started = recording::started(start, wish.store, console);
    let done = recording::measure_new(started, wish.store, !args.no_save, console)?;
    conclude(done, wish)
}

/// Launches that may draw the same layout: what they share is not averaged out by more of them.
const LAUNCHES_OF_A_LAYOUT: usize = 2;

/// Waves at most, so that launches stay as good as independent. Where layout is not varied the minimum effect is larger instead.
fn waves_max(policy: &Policy, artifacts: &[Artifact]) -> u32 {
    let layouts = artifacts.iter().filter(|a| a.varies_layout()).map(|a| a.layouts.len()).min();
    let fitting = layouts.map(|layouts| (LAUNCHES_OF_A_LAYOUT * layouts) as u32 / policy.width.max(1));
    fitting.map_or(policy.waves_max, |fitting| policy.waves_max.min(fitting.max(1)))
}

/// The minimum effect where nobody asks for one: more where layout is luck, and where the calibration of this machine says so.
fn least_effect(usual: f64, artifacts: &[Artifact], console: &Console) -> f64 {
    let varies_layout = artifacts.iter().all(Artifact::varies_layout);
    let by_layout = if varies_layout { usual } else { usual.max(LAYOUT_LIMITED) };
    let least = recording::calibration().map_or(by_layout, |c| c.minimum_effect(by_layout, varies_layout));
    let why = match (least > by_layout, varies_layout) {
        (true, _) => "this machine's calibration requires it",
        (false, false) => "the code layout cannot be varied enough",
        (false, true) => return least,
    };
    console.note(&format!("{why}, so the minimum effect is {}; `--min-effect` sets another", percent_set(least)));
    least
}

/// Goes on with a comparison that was cut off.
pub fn resume(id: &str, wish: &Wish) -> Result<ExitCode, Failure> {
    let done = recording::measure_rest(id, wish.gate, wish.store, wish.console)?;
    let gate = gate::of_run(wish.gate.clone(), &done.run);
    conclude(done, &Wish { gate: &gate, ..*wish })
}

fn conclude(done: Done, wish: &Wish) -> Result<ExitCode, Failure> {
    let report = tare_analysis::analyse(&done.run);
    let judged = wish.show(Shown::new(Subject::of_run(&done.run, &report), done.saved))?;
    if let Some(error) = done.broken {
        return Err(Failure::Store(error));
    }
    Ok(gate::worst(&[ended(&done.run), trouble_of(&done.run), judged]))
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() {
        path
    } else {
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}

/// What will be run, with what has no partner.
struct Planned {
    artifacts: Vec<Artifact>,
    plan: Plan,
    only_base: Vec<String>,
    only_new: Vec<String>,
    failed_base: Vec<FailedProgram>,
    failed_new: Vec<FailedProgram>,
    /// Names of all benchmarks of both sides.
    all: Vec<String>,
    /// Those that the selection takes.
    taken: Vec<String>,
}

fn plan(
    base: Prepared,
    new: Prepared,
    renames: &[(String, String)],
    selection: &Selection,
    policy: Policy,
    seed: u64,
    console: &Console,
) -> Result<Planned, Failure> {
    let offset = base.artifacts.len() as u32;
    let shifted = |entry: CatalogEntry| CatalogEntry { artifact: entry.artifact + offset, ..entry };
    let new_entries: Vec<CatalogEntry> = new.entries.into_iter().map(shifted).collect();
    let planned = plan_comparison(&base.entries, &new_entries, renames, policy, seed);
    if planned.plan.groups.is_empty() {
        return Err(Failure::NothingInCommon { base: names(&base.entries), new: names(&new_entries) });
    }
    let entries: Vec<CatalogEntry> = base.entries.iter().chain(&new_entries).cloned().collect();
    let has_all = base.trouble.or(new.trouble).is_none();
    let unfitting = tare_engine::unfitting(&entries, selection);
    if !unfitting.is_empty() {
        let failure = pipeline::nothing_matched(&entries, &unfitting);
        match has_all {
            true => return Err(failure),
            // It may be of what could not be built.
            false => console.warn(&failure.what()),
        }
    }
    let taken = Taken::of(&entries, selection);
    let mut planned = taken.narrow(planned);
    if planned.plan.groups.is_empty() {
        return Err(pipeline::nothing_matched(&new_entries, selection));
    }
    let failed_base = missing(base.failed, &new_entries, &mut planned.only_new);
    let failed_new = missing(new.failed, &base.entries, &mut planned.only_base);
    let artifacts: Vec<Artifact> = base.artifacts.into_iter().chain(new.artifacts).collect();
    let taken = taken.names.into_iter().collect();
    Ok(Planned { failed_base, failed_new, all: names(&entries), taken, ..without_idle(artifacts, planned) })
}

/// The failed programs of one side. What the same program of the other side has is not of that side alone: nobody knows.
fn missing(failed: Vec<FailedProgram>, other: &[CatalogEntry], alone: &mut Vec<String>) -> Vec<FailedProgram> {
    let with_partners = |failed: FailedProgram| {
        // A project that cannot be configured has no programs of its own yet.
        let is_same = |e: &&CatalogEntry| {
            let rest = e.program.strip_prefix(&failed.program);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let of_program: HashSet<String> =
            other.iter().filter(is_same).flat_map(|e| &e.benchmarks).map(filter_name).collect();
        let (partners, rest) = std::mem::take(alone).into_iter().partition(|name| of_program.contains(name));
        *alone = rest;
        FailedProgram { partners, ..failed }
    };
    failed.into_iter().map(with_partners).collect()
}

/// The renames of the command line, which must fit, and those of `tare.toml`, which may be of other revisions.
fn renames(base: &[CatalogEntry], new: &[CatalogEntry], wish: &Wish) -> Result<Vec<(String, String)>, Failure> {
    // Either name of a benchmark stands for itself: that without parameters is of all that have some.
    let known = |entries: &[CatalogEntry]| {
        let each = entries.iter().flat_map(|e| &e.benchmarks).flat_map(|b| [filter_name(b), b.full_name()]);
        Names::of(each.map(|name| (name, [])))
    };
    let mut all: Vec<(String, String)> = wish.config.compare.rename.clone().into_iter().collect();
    if !wish.args.rename.is_empty() {
        let (base, new) = (known(base), known(new));
        for rename in &wish.args.rename {
            all.push(renames::resolve(rename, &base, &new)?);
        }
    }
    Ok(all)
}

fn names(entries: &[CatalogEntry]) -> Vec<String> {
    entries.iter().flat_map(|e| &e.benchmarks).map(filter_name).collect()
}

/// What the selection takes. A pair is taken when one of its names is: a renamed benchmark has two.
struct Taken {
    benchmarks: HashSet<(u32, u32)>,
    names: HashSet<String>,
}

impl Taken {
    fn of(entries: &[CatalogEntry], selection: &Selection) -> Taken {
        let kept = select(entries.to_vec(), selection);
        let each = || kept.iter().flat_map(|e| e.benchmarks.iter().map(move |b| (e.artifact, b)));
        let place = |(artifact, b): (u32, &Benchmark)| (artifact, b.index);
        Taken { benchmarks: each().map(place).collect(), names: each().map(|(_, b)| filter_name(b)).collect() }
    }

    fn narrow(&self, planned: ComparisonPlan) -> ComparisonPlan {
        let ComparisonPlan { plan, mut only_base, mut only_new } = planned;
        let takes = |case: u32| {
            let case = &plan.cases[case as usize];
            self.benchmarks.contains(&(case.artifact, case.benchmark.index))
        };
        let (mut cases, mut groups) = (Vec::new(), Vec::new());
        for group in plan.groups.iter().filter(|group| group.cases.iter().any(|&case| takes(case))) {
            let first = cases.len() as u32;
            cases.extend(group.cases.iter().map(|&case| plan.cases[case as usize].clone()));
            let members: Vec<u32> = (first..cases.len() as u32).collect();
            groups.push(tare_model::CaseGroup { cases: members, baseline: Some(first), ..group.clone() });
        }
        only_base.retain(|name| self.names.contains(name));
        only_new.retain(|name| self.names.contains(name));
        ComparisonPlan { plan: Plan { cases, groups, ..plan }, only_base, only_new }
    }
}

/// Leaves out the programs that no case needs: nothing is said of what is not measured.
fn without_idle(artifacts: Vec<Artifact>, planned: ComparisonPlan) -> Planned {
    let ComparisonPlan { mut plan, only_base, only_new } = planned;
    let mut places: Vec<Option<u32>> = vec![None; artifacts.len()];
    let mut kept = Vec::new();
    for (at, artifact) in artifacts.into_iter().enumerate() {
        if plan.cases.iter().any(|case| case.artifact as usize == at) {
            places[at] = Some(kept.len() as u32);
            kept.push(artifact);
        }
    }
    for case in &mut plan.cases {
        case.artifact = places[case.artifact as usize].unwrap_or_default();
    }
    let (failed_base, failed_new) = (Vec::new(), Vec::new());
    let (all, taken) = (Vec::new(), Vec::new());
    Planned { artifacts: kept, plan, only_base, only_new, failed_base, failed_new, all, taken }
}
