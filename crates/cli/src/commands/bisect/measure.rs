//! The measurements of a bisection: two revisions as a comparison, and a commit between both ends as three builds whose children are
//! interleaved.

use super::super::compare::{build, live};
use crate::args::BisectArgs;
use crate::console::Console;
use crate::diagnose;
use crate::failure::Failure;
use crate::pipeline::{self, Prepared};
use crate::recording::{self, Recorded, Start};
use crate::request::{self, PlanRequest};
use crate::sides::{Runnable, Sides};
use std::path::PathBuf;
use tare_build::toolchain::BuildOptions;
use tare_engine::{filter_name, pair, plan_comparison, CatalogEntry, Selection, SideCatalog};
use tare_model::{Artifact, Benchmark, Case, CaseGroup, Missing, Plan, Policy, Profile, Request, Run, RunStatus};
use tare_report::{failure_text, Volume};
use tare_store::Store;

/// Waves of the measurement of a commit; of a quick and of a long one.
const WAVES: u32 = 3;
const WAVES_QUICK: u32 = 2;
const WAVES_LONG: u32 = 6;
/// Layouts of each program at most: these waves have no more than 24 launches a side.
const LAYOUTS: u32 = 32;
/// Letters of a name in the table of a measurement.
const NAME_MAX: usize = 24;

/// What all measurements have in common.
pub struct Bench<'a> {
    paths: &'a [PathBuf],
    selection: Selection,
    request: &'a Request,
    pub store: &'a Store,
    pub sides: &'a Sides<'a>,
    pub options: BuildOptions,
    pub amount: PlanRequest,
    pub console: &'a Console,
    /// Says less: on the many measurements between the ends.
    pub aside: Console,
}

/// The benchmark whose change is searched, with both of its ends.
#[derive(Debug, Clone)]
pub struct Sought {
    /// Its key in the run of the ends.
    pub key: String,
    /// The program and the benchmark of the good end.
    pub good: (Artifact, Benchmark),
    /// Those of the bad end.
    pub bad: (Artifact, Benchmark),
}

/// Why a commit has no measurement.
pub enum Unmeasured {
    /// By a fault of its own: the commit is left out.
    Because(String),
    /// By none of its own: it is measured again.
    NotNow(String),
    /// The command ends.
    Ends(Box<Failure>),
}

impl<'a> Bench<'a> {
    pub fn new(
        (args, request): (&'a BisectArgs, &'a Request),
        store: &'a Store,
        sides: &'a Sides<'a>,
        console: &'a Console,
    ) -> Result<Bench<'a>, Failure> {
        let amount = PlanRequest::of(&args.effort, None)?;
        let mut options = request::build_options(&args.build, &args.param, &[], console.volume == Volume::Verbose)?;
        options.layouts = args.layouts.unwrap_or(amount.effort.layouts().min(LAYOUTS));
        let aside = console.aside();
        let selection = Selection { filters: args.filter.clone(), ..Selection::default() };
        Ok(Bench { paths: &args.paths, selection, request, store, sides, options, amount, console, aside })
    }

    /// A revision, under the name that the screen has for it.
    pub fn revision(&self, id: &str, name: &str) -> Result<Runnable, Failure> {
        let runnable = self.sides.revision(id, self.paths)?;
        Ok(Runnable { name: name.to_owned(), ..runnable })
    }

    /// Two revisions as `tare compare` has them: of all benchmarks that the filters take, or of the one that is sought.
    pub fn compare(&self, [base, new]: [Runnable; 2], sought: Option<&Sought>) -> Result<Run, Failure> {
        let console = if sought.is_some() { &self.aside } else { self.console };
        let timeout_s = self.amount.effort.comparison_policy().timeout_s;
        let [of_base, of_new] = build::both([&base, &new], &self.options, timeout_s, console)?;
        let (selection, catalogs) = match sought {
            None => (self.selection.clone(), [live::side_catalog(of_base), live::side_catalog(of_new)]),
            Some(sought) => (Selection::default(), [catalog_of(of_base, sought)?, catalog_of(of_new, sought)?]),
        };
        let [of_base, of_new] = catalogs;
        let paired = pair(of_base, of_new, &[], &selection, self.amount.effort.comparison_policy(), self.amount.seed());
        let paired = paired.map_err(live::not_paired)?;
        let amount = self.amount.clone().for_one_comparison();
        let policy = amount.comparison_policy(&paired.artifacts, paired.plan.groups.len(), |least, varies| {
            live::least_effect(least, varies, console)
        });
        let [missing_base, missing_new] = paired.missing;
        let facts = |side: &Runnable, missing| side.facts(missing);
        self.run(
            Start {
                artifacts: paired.artifacts,
                jobs: vec![self.options.job.clone()],
                sides: Some(tare_model::Sides { base: facts(&base, missing_base), new: facts(&new, missing_new) }),
                missing: Missing::default(),
                plan: Plan { policy, ..paired.plan },
                request: self.request.clone(),
                code: request::code_of(&new.paths),
            },
            console,
        )
    }

    /// A commit between both ends, which are called by these names.
    pub fn between(&self, commit: &Runnable, names: [&str; 3], sought: &Sought) -> Result<Run, Unmeasured> {
        let timeout_s = self.amount.effort.comparison_policy().timeout_s;
        let program = &sought.bad.0.name;
        let prepared = build::one(commit, program, &self.options, timeout_s, &self.aside);
        let prepared = prepared.map_err(|failure| unmeasured(failure, commit.paths.first()))?;
        let (artifact, benchmark) = partner(prepared, sought)
            .ok_or_else(|| Unmeasured::Because(format!("it has no benchmark `{}`", sought.name())))?;
        let three = [sought.good.clone(), (artifact, benchmark), sought.bad.clone()];
        let cases = three.iter().zip(names).enumerate().map(|(at, ((_, benchmark), name))| Case {
            artifact: at as u32,
            job: 0,
            side: None,
            benchmark: Benchmark {
                group: benchmark.full_name(),
                name: tare_report::cut_end(name, NAME_MAX, self.console.glyphs),
                baseline: at == 0,
                ..benchmark.clone()
            },
            key: format!("{}:{name}", sought.key),
        });
        let plan = Plan {
            cases: cases.collect(),
            groups: vec![CaseGroup {
                cases: vec![0, 1, 2],
                baseline: Some(0),
                same_invocations: true,
                ..CaseGroup::default()
            }],
            policy: self.policy_between(),
            seed: self.amount.seed(),
        };
        let start = Start {
            artifacts: three.map(|(artifact, _)| artifact).to_vec(),
            jobs: vec![self.options.job.clone()],
            sides: None,
            missing: Missing::default(),
            plan,
            request: self.request.clone(),
            code: request::code_of(&commit.paths),
        };
        let run = self.run(start, &self.aside).map_err(|failure| Unmeasured::Ends(Box::new(failure)))?;
        match why_failed(&run, names) {
            _ if run.status != RunStatus::Finished => Err(Unmeasured::Ends(Box::new(Failure::Interrupted))),
            Some(why) => Err(why),
            None => Ok(run),
        }
    }

    /// As a comparison, with a number of waves that is fixed: who measures the next commit decides by the probabilities of all.
    fn policy_between(&self) -> Policy {
        let policy = self.amount.effort.comparison_policy();
        let waves = match (self.amount.effort.launches, self.amount.effort.profile) {
            (Some(_), _) => policy.waves_max,
            (None, Profile::Quick) => WAVES_QUICK,
            (None, Profile::Default) => WAVES,
            (None, Profile::Long) => WAVES_LONG,
        };
        Policy { waves_min: waves, waves_max: waves, ..policy }
    }

    fn run(&self, mut start: Start, console: &Console) -> Result<Run, Failure> {
        let none = diagnose::none(&mut start.plan);
        let started = recording::started(start, self.store, console);
        let done = recording::measure_new(started, none, self.store, Recorded::kept(true), console)?;
        match done.broken {
            Some(error) => Err(Failure::Store(error)),
            None => Ok(done.run),
        }
    }
}

/// The failure of a commit that was measured between both ends. That of an end says nothing of the commit.
fn why_failed(run: &Run, names: [&str; 3]) -> Option<Unmeasured> {
    let failed = |at: usize| run.results.get(at)?.failure.as_ref().map(failure_text);
    let of_end = |at: usize| Some(Unmeasured::NotNow(format!("`{}` failed: {}", names[at], failed(at)?)));
    of_end(0).or_else(|| of_end(2)).or_else(|| failed(1).map(Unmeasured::Because))
}

impl Sought {
    /// The benchmark with this key, from the run of the ends.
    pub fn of(run: &Run, key: &str) -> Option<Sought> {
        let group = run.plan.groups.iter().find(|group| {
            group.contestants().any(|case| run.plan.cases.get(case as usize).is_some_and(|case| case.key == key))
        })?;
        let of = |case: u32| -> Option<(Artifact, Benchmark)> {
            let case = run.plan.cases.get(case as usize)?;
            Some((run.artifacts.get(case.artifact as usize)?.clone(), case.benchmark.clone()))
        };
        Some(Sought { key: key.to_owned(), good: of(group.baseline?)?, bad: of(group.contestants().next()?)? })
    }

    /// What `--filter` takes.
    pub fn name(&self) -> String {
        filter_name(&self.bad.1)
    }
}

/// The benchmark of a revision that is the one sought, with its program.
fn partner(prepared: Prepared, sought: &Sought) -> Option<(Artifact, Benchmark)> {
    let (artifact, benchmark) = &sought.bad;
    let wanted = CatalogEntry { artifact: 0, program: artifact.name.clone(), benchmarks: vec![benchmark.clone()] };
    let planned = plan_comparison(&prepared.entries, &[wanted], &[], Policy::default(), 0);
    let case = planned.plan.cases.into_iter().next()?;
    Some((prepared.artifacts.get(case.artifact as usize)?.clone(), case.benchmark))
}

/// A side with the benchmark that is sought and no other.
fn catalog_of(prepared: Prepared, sought: &Sought) -> Result<SideCatalog, Failure> {
    let names = prepared.names();
    let (artifact, benchmark) =
        partner(prepared, sought).ok_or_else(|| Failure::NothingInCommon { base: names, new: vec![sought.name()] })?;
    let entries = vec![CatalogEntry { artifact: 0, program: artifact.name.clone(), benchmarks: vec![benchmark] }];
    Ok(SideCatalog { artifacts: vec![artifact], entries, failed: Vec::new() })
}

/// Whether a failure is one of the commit, which others may not have.
pub fn unmeasured(failure: Failure, folder: Option<&PathBuf>) -> Unmeasured {
    // Where it is checked out is of no use to anybody.
    let short = |text: String| folder.map_or(text.clone(), |folder| text.replace(&folder.display().to_string(), "."));
    match failure {
        _ if tare_process::interrupted() => Unmeasured::Ends(Box::new(Failure::Interrupted)),
        Failure::Build(build) if build.lacking => Unmeasured::Ends(Box::new(Failure::Build(build))),
        Failure::Build(build) if build.was_killed() => Unmeasured::NotNow("its compiler was killed".to_owned()),
        Failure::Build(build) => {
            let program = pipeline::failed_program(&Failure::Build(build));
            let output = program.map(|program| program.failure.output).unwrap_or_default();
            let first = output.first().map(|line| format!(": {}", line.trim())).unwrap_or_default();
            Unmeasured::Because(short(tare_report::clean(&format!("it does not build{first}"))))
        }
        Failure::Discover(_) | Failure::Revision(_) | Failure::List { .. } | Failure::NoBenchmarks { .. } => {
            Unmeasured::Because(short(failure.what().lines().next().unwrap_or_default().to_owned()))
        }
        other => Unmeasured::Ends(Box::new(other)),
    }
}
