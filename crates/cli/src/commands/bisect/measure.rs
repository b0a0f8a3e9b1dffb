//! The measurements of a bisection: two revisions as `tare compare` has them.

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
use tare_analysis::{analyse, compare_run, Comparison, ComparisonRow, Interval, Outcome};
use tare_build::toolchain::BuildOptions;
use tare_engine::{filter_name, pair, Selection, SideCatalog};
use tare_model::{Policy, Profile, Request, Run, RunStatus};
use tare_report::{failure_text, Volume};
use tare_stats::bisection::Distance;
use tare_stats::special::t_isf;
use tare_store::Store;

/// Layouts of each program at most: the waves of a commit have no more than 24 launches a side.
const LAYOUTS: u32 = 32;

/// More degrees of freedom change nothing that can be seen.
const DF_MAX: u32 = 100;

pub struct Bench<'a> {
    paths: &'a [PathBuf],
    selection: Selection,
    request: &'a Request,
    store: &'a Store,
    pub sides: &'a Sides<'a>,
    options: BuildOptions,
    amount: PlanRequest,
    console: &'a Console,
}

/// A revision: its id, and what it is called.
#[derive(Clone, Copy)]
pub struct Revision<'a>(pub &'a str, pub &'a str);

#[derive(Debug, Clone)]
pub struct Sought {
    program: String,
    pub name: String,
}

pub enum Unmeasured {
    /// By a fault of its own: the commit is left out.
    Because(String),
    /// By none of its own: it is measured again.
    NotNow(String),
    Ends(Box<Failure>),
}

impl<'a> Bench<'a> {
    pub fn new(
        (args, request): (&'a BisectArgs, &'a Request),
        store: &'a Store,
        sides: &'a Sides<'a>,
        console: &'a Console,
    ) -> Result<Bench<'a>, Failure> {
        let amount = PlanRequest::of(&args.effort, None)?.for_one_comparison();
        let mut options =
            request::build_options(&args.build, &args.param, (&[], &[]), console.volume == Volume::Verbose)?;
        options.main_arguments.clone_from(&args.arguments);
        options.layouts = args.layouts.unwrap_or(amount.effort.layouts().min(LAYOUTS));
        let selection = Selection { filters: args.filter.clone(), ..Selection::default() };
        Ok(Bench { paths: &args.paths, selection, request, store, sides, options, amount, console })
    }

    fn side(&self, Revision(id, name): Revision) -> Result<Runnable, Failure> {
        Ok(Runnable { name: name.to_owned(), ..self.sides.revision(id, self.paths)? })
    }

    /// Two revisions: all benchmarks that the filters take, or the one that is sought.
    pub fn compare(&self, both: [Revision; 2], sought: Option<&Sought>) -> Result<Run, Failure> {
        let sides = [self.side(both[0])?, self.side(both[1])?];
        self.measure(&sides, sought, |policy| policy)
    }

    /// A commit against the good end.
    pub fn commit(&self, both: [Revision; 2], sought: &Sought) -> Result<Run, Unmeasured> {
        let side = |of| self.side(of).map_err(|failure| unmeasured(failure, None));
        let sides = [side(both[0])?, side(both[1])?];
        // A number that is fixed: which commit is measured next decides by the probabilities of all.
        let waves = match (self.amount.effort.launches, self.amount.effort.profile) {
            (Some(_), _) => None,
            (None, Profile::Quick) => Some(2),
            (None, Profile::Default) => Some(3),
            (None, Profile::Long) => Some(6),
        };
        let fixed = |policy: Policy| {
            let waves = waves.unwrap_or(policy.waves_max);
            Policy { waves_min: waves, waves_max: waves, ..policy }
        };
        let run = self.measure(&sides, Some(sought), fixed);
        let run = run.map_err(|failure| unmeasured(failure, sides[1].paths.first()))?;
        let failed = |side: usize| {
            let result = run.plan.groups.first().and_then(|group| run.results.get(*group.cases.get(side)? as usize))?;
            result.failure.as_ref().map(failure_text)
        };
        match (failed(0), failed(1)) {
            _ if run.status != RunStatus::Finished => Err(Unmeasured::Ends(Box::new(Failure::Interrupted))),
            (Some(why), _) => Err(Unmeasured::NotNow(format!("`{}` failed: {why}", both[0].1))),
            (None, Some(why)) => Err(Unmeasured::Because(why)),
            (None, None) => Ok(run),
        }
    }

    fn measure(
        &self,
        sides: &[Runnable; 2],
        sought: Option<&Sought>,
        change: impl Fn(Policy) -> Policy,
    ) -> Result<Run, Failure> {
        // Of the many measurements between the ends less is said.
        let aside = self.console.aside();
        let console = if sought.is_some() { &aside } else { self.console };
        let policy = self.amount.effort.comparison_policy();
        let [base, new] = sides;
        let program = sought.map(|sought| sought.program.as_str());
        let [of_base, of_new] = build::both([base, new], &self.options, policy.timeout_s, program, console)?;
        let selection = if sought.is_some() { Selection::default() } else { self.selection.clone() };
        let catalog = |side| live::side_catalog(only(side, sought));
        let [of_base, of_new]: [SideCatalog; 2] = [catalog(of_base), catalog(of_new)];
        let paired = pair(of_base, of_new, &[], &selection, policy, self.amount.seed()).map_err(live::not_paired)?;
        let least = |least, varies| live::least_effect(least, varies, console);
        let policy = change(self.amount.comparison_policy(&paired.artifacts, paired.plan.groups.len(), least));
        let facts = [base, new].map(Runnable::facts);
        let job = self.options.job.clone();
        let mut start = Start::of_pairs(paired, facts, policy, job, (self.request, request::code_of(&new.paths)));
        let none = diagnose::none(&mut start.plan);
        let done = recording::measure_start(start, none, self.store, Recorded::kept(true), console)?;
        match done.broken {
            Some(error) => Err(Failure::Store(error)),
            None => Ok(done.run),
        }
    }
}

impl Sought {
    pub fn of(run: &Run, key: &str) -> Option<Sought> {
        let case = run.plan.cases.iter().find(|case| case.key == key)?;
        let program = run.artifacts.get(case.artifact as usize)?.name.clone();
        Some(Sought { program, name: filter_name(&case.benchmark) })
    }
}

fn only(mut side: Prepared, sought: Option<&Sought>) -> Prepared {
    let Some(sought) = sought else { return side };
    side.entries.iter_mut().for_each(|entry| entry.benchmarks.retain(|one| filter_name(one) == sought.name));
    side.without_empty()
}

pub fn compared(run: &Run) -> Comparison {
    compare_run(run, &analyse(run))
}

pub fn only_row(run: &Run) -> Option<ComparisonRow> {
    compared(run).rows.into_iter().find(|row| row.metric.is_none())
}

/// The log of the ratio that a run measured: of the benchmark with this key, or of its only one.
pub fn level(run: &Run, key: Option<&str>) -> Option<Distance> {
    let report = analyse(run);
    let of_it = report.cases.iter().filter(|case| key.is_none_or(|key| case.key == key));
    let mut ratios = of_it.filter_map(|case| match &case.outcome {
        Outcome::Measured(estimates) => estimates.ratio.as_ref(),
        _ => None,
    });
    let ratio = ratios.next()?;
    let reach = |interval: &Interval| (interval.upper / interval.lower).ln() / 2.0;
    let (reach_95, reach_99) = (reach(&ratio.interval), reach(&ratio.interval_99));
    // How much wider one is than the other tells the degrees of freedom.
    let is_wide = |df: &f64| t_isf(0.005, *df) / t_isf(0.025, *df) > reach_99 / reach_95;
    let df = (1..DF_MAX).map(f64::from).find(|df| !is_wide(df)).unwrap_or(f64::from(DF_MAX));
    Some(Distance { estimate: ratio.ratio.ln(), standard_error: reach_95 / t_isf(0.025, df), df })
}

/// How far a commit is from the middle between both ends, positive towards the bad one: `whole` is the change between them.
pub fn from_middle(level: &Distance, whole: &Distance) -> Distance {
    let estimate = level.estimate * whole.estimate.signum() - whole.estimate.abs() / 2.0;
    let standard_error = level.standard_error.hypot(whole.standard_error / 2.0);
    Distance { estimate, standard_error, df: level.df }
}

/// Whether a failure is one of the commit, which others may not have.
fn unmeasured(failure: Failure, folder: Option<&PathBuf>) -> Unmeasured {
    // Where it is checked out is of no use to anybody.
    let short = |text: String| folder.map_or(text.clone(), |folder| text.replace(&folder.display().to_string(), "."));
    match failure {
        _ if tare_process::interrupted() => Unmeasured::Ends(Box::new(Failure::Interrupted)),
        Failure::OfSide { failure, .. } => unmeasured(*failure, folder),
        Failure::Build(build) if build.lacking => Unmeasured::Ends(Box::new(Failure::Build(build))),
        Failure::Build(build) if build.was_killed() => Unmeasured::NotNow("its compiler was killed".to_owned()),
        Failure::Build(build) => {
            let program = pipeline::failed_program(&Failure::Build(build));
            let output = program.map(|program| program.failure.output).unwrap_or_default();
            let first = output.first().map(|line| format!(": {}", line.trim())).unwrap_or_default();
            Unmeasured::Because(short(tare_report::clean(&format!("it does not build{first}"))))
        }
        Failure::Discover(_)
        | Failure::Revision(_)
        | Failure::List { .. }
        | Failure::NoBenchmarks { .. }
        | Failure::NothingInCommon { .. } => {
            Unmeasured::Because(short(failure.what().lines().next().unwrap_or_default().to_owned()))
        }
        other => Unmeasured::Ends(Box::new(other)),
    }
}
