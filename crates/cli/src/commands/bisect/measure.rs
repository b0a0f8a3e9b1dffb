//! The measurements of a bisection: comparisons of two revisions, as by `tare compare`.

use crate::failure::Failure;
use crate::pipeline::{self, Prepared};
use crate::request;
use crate::session::{build_sides, not_paired, Session};
use crate::sides::{Runnable, Sides};
use std::path::PathBuf;
use tare_analysis::{analyse, compare_run, Comparison, ComparisonRow, Interval, Outcome};
use tare_engine::{filter_name, Selection};
use tare_model::{Effort, Policy, Run, RunStatus};
use tare_report::failure_text;
use tare_stats::bisection::Distance;
use tare_stats::special::t_isf;

/// More degrees of freedom make no visible difference.
const DF_MAX: u32 = 100;

pub struct Bench<'a> {
    pub session: Session<'a>,
    pub sides: &'a Sides<'a>,
}

/// A revision: its id and its name.
#[derive(Clone, Copy)]
pub struct Revision<'a>(pub &'a str, pub &'a str);

#[derive(Debug, Clone)]
pub struct Sought {
    program: String,
    pub name: String,
}

pub enum Unmeasured {
    /// The commit itself failed: it is left out.
    Because(String),
    /// The failure is not the commit's: it is measured again.
    NotNow(String),
    Ends(Box<Failure>),
}

impl Bench<'_> {
    fn side(&self, Revision(id, name): Revision) -> Result<Runnable, Failure> {
        Ok(Runnable { name: name.to_owned(), ..self.sides.revision(id, &self.session.settings.paths)? })
    }

    /// Compares two revisions: all selected benchmarks, or only the one that is bisected.
    pub fn compare(&self, both: [Revision; 2], sought: Option<&Sought>) -> Result<Run, Failure> {
        let sides = [self.side(both[0])?, self.side(both[1])?];
        self.measure(&sides, sought, |policy| policy)
    }

    pub fn commit(&self, both: [Revision; 2], sought: &Sought) -> Result<Run, Unmeasured> {
        let side = |of| self.side(of).map_err(|failure| unmeasured(failure, None));
        let sides = [side(both[0])?, side(both[1])?];
        // Fixed, because the next commit to measure is chosen from the probabilities of all of them.
        let amount = &self.session.settings.amount;
        let waves = match (amount.launches, amount.effort) {
            (Some(_), _) => None,
            (None, Effort::Quick) => Some(2),
            (None, Effort::Default) => Some(3),
            (None, Effort::Long) => Some(6),
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
        // The many measurements between the ends print less.
        let aside = self.session.console.aside();
        let console = if sought.is_some() { &aside } else { self.session.console };
        let session = Session { console, ..self.session };
        let (options, amount) = (&session.settings.build, &session.settings.amount);
        let program = sought.map(|sought| sought.program.as_str());
        let timeout_s = amount.comparison_policy().timeout_s;
        let both = build_sides([&sides[0], &sides[1]], options, timeout_s, program, console)?;
        let all = Selection::default();
        let selection = if sought.is_some() { &all } else { &session.settings.selection };
        let paired = session
            .pair(both.map(|side| only(side, sought)), &[], selection)
            .map_err(|error| not_paired(error, &session.settings.gate))?;
        let policy = change(session.policy_of(&paired));
        let (facts, code) = (sides.each_ref().map(Runnable::facts), request::code_of(&sides[1].paths).to_owned());
        let start = session.start_of_pairs(paired, facts, policy, &options.job, code);
        let done = session.measure_times(start)?;
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

/// The log of the measured ratio of the benchmark with this key, or of the only one.
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
    // The ratio of the two interval widths gives the degrees of freedom.
    let is_wide = |df: &f64| t_isf(0.005, *df) / t_isf(0.025, *df) > reach_99 / reach_95;
    let df = (1..DF_MAX).map(f64::from).find(|df| !is_wide(df)).unwrap_or(f64::from(DF_MAX));
    Some(Distance { estimate: ratio.ratio.ln(), standard_error: reach_95 / t_isf(0.025, df), df })
}

/// Distance of a commit from the midpoint of both ends, positive towards the bad end. `whole` is the change between the ends.
pub fn from_middle(level: &Distance, whole: &Distance) -> Distance {
    let estimate = level.estimate * whole.estimate.signum() - whole.estimate.abs() / 2.0;
    let standard_error = level.standard_error.hypot(whole.standard_error / 2.0);
    Distance { estimate, standard_error, df: level.df }
}

/// Whether a failure belongs to this commit alone.
fn unmeasured(failure: Failure, folder: Option<&PathBuf>) -> Unmeasured {
    // The path of the checkout does not help the reader.
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
