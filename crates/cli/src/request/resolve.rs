//! Settles a command once, filling in defaults from `tare.toml`, which no other code reads. The request records the lines that were used.

use super::config::Config;
use super::settings::Settings;
use super::timed::Timed;
use super::{amount, build, context, selection, statements};
use crate::args::{
    BisectArgs, BuildArgs, ClusterArgs, Command, CompareArgs, EffortArgs, GateArgs, ListArgs, RunArgs, TimeArgs,
    WatchArgs, WatchedArgs,
};
use crate::cluster::Cluster;
use crate::diagnose::Diagnosing;
use crate::failure::Failure;
use crate::jobs::{self, WantedJobs};
use crate::output;
use crate::recording::Recorded;
use crate::renames::Renames;
use std::path::{Path, PathBuf};
use tare_analysis::gate::{Gate, Rule};
use tare_build::toolchain::BuildOptions;
use tare_engine::{Amount, Budget, Selection};
use tare_model::{Clocking, CommandLine, DiagnosisPlan, Parameter};

/// The line that enables the history; only `true` is recorded.
pub const RECORD: &str = "history.record";

/// Maximum layouts per program of a bisection: the waves of a commit have at most 24 launches per side.
const BISECT_LAYOUTS: u32 = 32;

pub fn resolve(command: &Command, request: CommandLine) -> Result<Settings, Failure> {
    let needs_project = match command {
        Command::Run(_) | Command::Time(_) | Command::Compare(_) | Command::Watch(_) | Command::List(_) => true,
        // A resumed bisection is replaced by its original request, which is resolved instead.
        Command::Bisect(args) => args.resume.is_none(),
        // A run can be shown even if `tare.toml` is invalid.
        Command::Show(args) => args.gate.fail_on.contains(&Rule::Limit) || !args.gate.limit.is_empty(),
        _ => false,
    };
    let config = if needs_project { Config::find(Path::new("."))? } else { Config::default() };
    Project { config, request }.settings(command)
}

/// The place and settings of the project's history. Read on demand and never part of a request: the address of the database is for members
/// of the project, but runs are sent to others.
pub fn history_settings() -> Result<HistorySettings, Failure> {
    let config = Config::find(Path::new("."))?;
    let folder = config.folder().file_name().map(|name| name.to_string_lossy().into_owned());
    let project = config.history.project.clone().or_else(|| config.history.url.as_ref().and(folder));
    Ok(HistorySettings {
        url: config.history.url,
        commit_url: config.history.commit_url,
        project: project.unwrap_or_default(),
        renames: config.compare.rename.into_iter().collect(),
    })
}

#[derive(Debug, Default)]
pub struct HistorySettings {
    /// The database; None: the file in the store.
    pub url: Option<String>,
    /// Address prefix for showing a commit on the web.
    pub commit_url: Option<String>,
    /// The project's name in it; empty if it needs none.
    pub project: String,
    /// Renamed benchmarks: old name, new name.
    pub renames: Vec<(String, String)>,
}

struct Project {
    config: Config,
    request: CommandLine,
}

impl Project {
    fn settings(mut self, command: &Command) -> Result<Settings, Failure> {
        if self.config.history.record {
            self.note(RECORD);
        }
        let settings = match command {
            Command::Run(args) => self.run(args)?,
            Command::Compare(args) => self.compare(args)?,
            Command::Bisect(args) => self.bisect(args)?,
            Command::Watch(args) => self.watch(args)?,
            Command::Time(args) => self.time(args)?,
            Command::List(args) => self.list(args)?,
            Command::Show(args) => {
                Settings { gate: self.limited(&args.gate, args.gate.fail_on.clone()), ..Settings::default() }
            }
            _ => Settings::default(),
        };
        let takes_all = matches!(command, Command::Run(_) | Command::Compare(_));
        let whole = takes_all && settings.is_of_project() && settings.selection.is_empty();
        Ok(Settings { request: CommandLine { whole, ..self.request }, ..settings })
    }

    fn run(&mut self, args: &RunArgs) -> Result<Settings, Failure> {
        let run = self.config.run.clone();
        let effort = self.effort(&args.effort);
        let budget = self.usual_budget("run.budget", &effort, run.budget.map(|b| b.0));
        // `--quick` and `--long` override the project's amount.
        let usual = run.precision.filter(|_| !(effort.quick || effort.long));
        let precision = self.or("run.precision", args.precision, usual.map(|p| p.0));
        let mut jobs = WantedJobs { given: args.job.clone(), runtimes: args.runtimes.clone(), ..WantedJobs::default() };
        if jobs.is_empty() && !run.jobs.is_empty() {
            // Paths in the file are relative to it, paths on the command line to the current folder.
            jobs = WantedJobs { given: run.jobs.clone(), folder: self.config.folder().to_owned(), ..jobs };
            self.note("run.jobs");
        }
        let (mut build, jobs) = self.build(&args.build, &args.select.param, (&args.paths, &args.command), jobs)?;
        build.discover.statements = statements(&args.python, &args.set_up)?;
        build.context = context(&args.context)?;
        Ok(Settings {
            paths: args.paths.clone(),
            command: args.command.clone(),
            selection: selection(&args.select),
            baseline: args.baseline.clone(),
            amount: amount::amount(&effort, precision, budget)?,
            is_dry: args.dry,
            diagnosing: Diagnosing { of_all: true, ..self.diagnosing(&args.diagnose, &args.watched, args.why) },
            build,
            jobs,
            gate: self.gate(&args.gate),
            cluster: cluster(&args.cluster),
            recorded: Recorded { keep: !args.no_save, stop_on_error: args.stop_on_error, keep_folder: args.keep },
            resume: args.resume.clone(),
            forms: output::asked(&args.output)?,
            order: args.order.order,
            ..Settings::default()
        })
    }

    fn compare(&mut self, args: &CompareArgs) -> Result<Settings, Failure> {
        let (compare, of_runs) = (self.config.compare.clone(), self.config.run.budget);
        let effort = self.effort(&args.effort);
        // The project's time for comparisons would be too long for a quick one.
        let of_all = compare.budget.filter(|_| !effort.quick).map(|b| b.0);
        let budget = self.usual_budget("compare.budget", &effort, of_all);
        let budget = budget.or_else(|| self.usual_budget("run.budget", &effort, of_runs.map(|b| b.0)));
        let amount = amount::amount(&effort, None, budget)?;
        let mut saved = args.saved.clone();
        saved.threshold = self.or("compare.threshold", saved.threshold, compare.threshold.map(|t| t.0));
        saved.noise = self.or("compare.noise", saved.noise, compare.noise.map(|n| n.0));
        self.note("compare.rename.");
        let jobs = WantedJobs { given: args.saved.job.iter().cloned().collect(), ..WantedJobs::default() };
        let (build, jobs) = self.build(&args.build, &args.select.param, (&[], &[]), jobs)?;
        let layouts = self.layouts(args.layouts).unwrap_or(amount.layouts());
        Ok(Settings {
            paths: args.paths.clone(),
            base: args.base.clone(),
            new: args.new.clone(),
            benchmarks_from: args.benchmarks_from.clone(),
            prepare: self.prepare(),
            selection: selection(&args.select),
            renames: Renames { typed: args.rename.clone(), usual: compare.rename.into_iter().collect() },
            diagnosing: Diagnosing {
                // Named benchmarks are diagnosed even if they did not change.
                of_all: !args.select.filter.is_empty(),
                ..self.diagnosing(&args.diagnose, &args.watched, args.why)
            },
            build: BuildOptions { layouts, main_arguments: args.arguments.clone(), ..build },
            amount,
            jobs,
            saved,
            gate: self.gate(&args.gate),
            cluster: cluster(&args.cluster),
            recorded: Recorded::kept(!args.no_save),
            resume: args.resume.clone(),
            forms: output::asked(&args.output)?,
            top: args.top.map(|n| n as usize),
            ..Settings::default()
        })
    }

    fn bisect(&mut self, args: &BisectArgs) -> Result<Settings, Failure> {
        let amount = amount::amount(&self.effort(&args.effort), None, None)?.of_several();
        let (build, jobs) = self.build(&args.build, &args.param, (&[], &[]), WantedJobs::default())?;
        let usual = amount.layouts().min(BISECT_LAYOUTS);
        let layouts = self.layouts(args.layouts).unwrap_or(usual);
        Ok(Settings {
            paths: args.paths.clone(),
            base: args.good.clone(),
            new: args.bad.clone(),
            benchmarks_from: args.benchmarks_from.clone(),
            prepare: self.prepare(),
            selection: Selection { filters: args.filter.clone(), ..Selection::default() },
            build: BuildOptions { layouts, main_arguments: args.arguments.clone(), ..build },
            amount,
            jobs,
            faster: args.faster,
            first_parent: args.first_parent,
            recorded: Recorded::kept(true),
            resume: args.resume.clone(),
            forms: output::asked(&args.output)?.or_json(args.json),
            ..Settings::default()
        })
    }

    fn watch(&mut self, args: &WatchArgs) -> Result<Settings, Failure> {
        let effort = self.effort(&args.effort);
        let of_runs = self.config.run.budget.map(|b| b.0);
        let amount = amount::amount(&effort, None, self.usual_budget("run.budget", &effort, of_runs))?.or_quick();
        let jobs = WantedJobs { given: args.job.iter().cloned().collect(), ..WantedJobs::default() };
        let (build, jobs) = self.build(&args.build, &args.select.param, (&args.paths, &args.command), jobs)?;
        let layouts = self.layouts(None).unwrap_or(amount.layouts());
        Ok(Settings {
            paths: args.paths.clone(),
            command: args.command.clone(),
            also: args.also.clone(),
            selection: selection(&args.select),
            build: BuildOptions { layouts, ..build },
            amount,
            jobs,
            recorded: Recorded::kept(!args.no_save),
            ..Settings::default()
        })
    }

    /// A project's limits concern its benchmarks, not commands.
    fn time(&mut self, args: &TimeArgs) -> Result<Settings, Failure> {
        let (asked, run) = (&args.effort, self.config.run.clone());
        let amount = Amount {
            effort: amount::effort(asked.quick, asked.long),
            launches: asked.launches,
            minimum_effect: self.or("run.min-effect", asked.min_effect, run.min_effect.map(|m| m.0)),
            timeout_s: asked.timeout,
            clocking: Clocking::Wall,
            budget: self.or("run.budget", asked.budget, run.budget.map(|b| b.0)),
            keep_order: asked.keep_order,
            seed: asked.seed,
            ..Amount::default()
        };
        Ok(Settings {
            timed: Timed::of(args)?,
            amount,
            gate: Gate { rules: self.rules(&args.gate), ..Gate::default() },
            recorded: Recorded { stop_on_error: asked.stop_on_error, ..Recorded::kept(!args.no_save) },
            forms: output::asked(&args.output)?,
            order: args.order.order,
            ..Settings::default()
        })
    }

    fn list(&mut self, args: &ListArgs) -> Result<Settings, Failure> {
        let jobs = WantedJobs { given: args.job.clone(), ..WantedJobs::default() };
        let usual = self.config.run.timeout.map(|t| t.0);
        let timeout_s = self.or("run.timeout", args.timeout, usual);
        let (build, jobs) = self.build(&args.build, &args.select.param, (&args.paths, &args.command), jobs)?;
        Ok(Settings {
            paths: args.paths.clone(),
            command: args.command.clone(),
            selection: selection(&args.select),
            amount: Amount { timeout_s, ..Amount::default() },
            build,
            jobs,
            ..Settings::default()
        })
    }

    /// The given value, or else the line of the file. Unused lines are not recorded.
    fn or<T>(&mut self, key: &str, given: Option<T>, usual: Option<T>) -> Option<T> {
        if given.is_none() && usual.is_some() {
            self.note(key);
        }
        given.or(usual)
    }

    fn usual_budget(&mut self, key: &str, effort: &EffortArgs, usual: Option<Budget>) -> Option<Budget> {
        usual.filter(|_| effort.budget.is_none()).inspect(|_| self.note(key))
    }

    fn note(&mut self, key: &str) {
        self.request.project.extend(self.config.lines(key));
    }

    fn effort(&mut self, args: &EffortArgs) -> EffortArgs {
        let (timeout, min_effect) = (self.config.run.timeout, self.config.run.min_effect);
        let timeout = self.or("run.timeout", args.timeout, timeout.map(|t| t.0));
        let min_effect = self.or("run.min-effect", args.min_effect, min_effect.map(|m| m.0));
        EffortArgs { timeout, min_effect, ..args.clone() }
    }

    fn build(
        &mut self,
        args: &BuildArgs,
        given: &[Parameter],
        what: (&[PathBuf], &[String]),
        jobs: WantedJobs,
    ) -> Result<(BuildOptions, WantedJobs), Failure> {
        let cxx = self.or("build.cxx", args.cxx.clone(), self.config.build.cxx.clone());
        let cc = self.or("build.cc", args.cc.clone(), self.config.build.cc.clone());
        if args.features.is_empty() {
            self.note("build.features");
        }
        ["build.align", "build.flags", "interpreters.", "harness."].iter().for_each(|key| self.note(key));
        // `fast`, and `fast: -O3` over it.
        let names: Vec<String> = self.config.jobs.keys().cloned().collect();
        let is_given = |name: &&String| jobs.given.iter().any(|text| jobs::name(text) == *name);
        names.iter().filter(is_given).for_each(|name| self.note(&format!("jobs.{name}.")));
        let options = build::options(&BuildArgs { cxx, cc, ..args.clone() }, &self.config, given, what)?;
        Ok((options, WantedJobs { declared: self.config.jobs.clone(), ..jobs }))
    }

    fn layouts(&mut self, given: Option<u32>) -> Option<u32> {
        let usual = self.config.compare.layouts.map(|layouts| layouts.0);
        self.or("compare.layouts", given, usual)
    }

    fn prepare(&mut self) -> Option<(String, PathBuf)> {
        self.note("compare.prepare");
        let line = self.config.compare.prepare.clone().filter(|line| !line.trim().is_empty())?;
        Some((line, self.config.folder().to_owned()))
    }

    /// The diagnosers of the file, if none were requested. Its programs are recorded.
    fn diagnosing(&mut self, asked: &[String], args: &WatchedArgs, why: bool) -> Diagnosing {
        let (mut names, mut counters) = (asked.to_vec(), args.counters.clone());
        if names.is_empty() && !self.config.run.diagnose.is_empty() {
            names.clone_from(&self.config.run.diagnose);
            self.note("run.diagnose");
        }
        names.iter().for_each(|name| self.note(&format!("diagnosers.{name}.")));
        if counters.is_empty() && names.iter().any(|name| name == tare_diagnose::COUNTERS) {
            counters.clone_from(&self.config.run.counters);
            self.note("run.counters");
        }
        let (watch_s, depth) = (args.diagnose_for, args.diagnose_depth);
        let asked = DiagnosisPlan { diagnosers: names, counters, watch_s, depth, why, ..DiagnosisPlan::default() };
        Diagnosing { asked, of_all: false, known: self.config.diagnosers() }
    }

    fn rules(&mut self, args: &GateArgs) -> Vec<Rule> {
        if !args.fail_on.is_empty() {
            return args.fail_on.clone();
        }
        self.note("gate.fail-on");
        self.config.gate.fail_on.iter().map(|rule| rule.0).collect()
    }

    fn gate(&mut self, args: &GateArgs) -> Gate {
        self.note("limits.");
        let rules = self.rules(args);
        self.limited(args, rules)
    }

    /// Adds the limits of the file and of the command line. Giving a limit requests its check.
    fn limited(&self, args: &GateArgs, rules: Vec<Rule>) -> Gate {
        let limits = self.config.limits().into_iter().chain(args.limit.iter().cloned()).collect();
        Gate { rules, limits, ..Gate::default() }
    }
}

fn cluster(args: &ClusterArgs) -> Option<Cluster> {
    Some(Cluster { slurm: args.on.clone()?, parts: args.parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::parse;
    use tare_engine::{Budget, Precision};

    const FILE: &str = "[run]\nprecision = \"1%\"\nbudget = \"30s\"\njobs = [\"a\"]\n[compare]\nbudget = \"5s/case\"\n\
                        layouts = 4\n[gate]\nfail-on = [\"slower\"]\n[jobs.a]\nnice = 1\n[jobs.other]\nnice = 2\n[limits]\n\"x\" = { time = \"1 s\" }\n";

    fn resolved(line: &str) -> Settings {
        let config = Config::parse(FILE, Path::new("tare.toml")).expect("a configuration");
        let (cli, request) = parse(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
        Project { config, request }.settings(&cli.command).expect("settings")
    }

    #[test]
    fn the_project_says_what_the_command_line_does_not() {
        let settings = resolved("tare run");
        let Settings { amount, jobs, gate, request, .. } = &settings;
        let precision = amount.precision;
        assert_eq!((precision, amount.usual_budget), (Some(Precision::Share(0.01)), Some(Budget::Total(30.0))));
        assert_eq!((&jobs.given, gate.limits.len()), (&vec!["a".to_owned()], 1));
        let keys: Vec<&str> = request.project.keys().map(String::as_str).collect();
        assert_eq!(keys, ["gate.fail-on", "jobs.a.nice", "limits.x.time", "run.budget", "run.jobs", "run.precision"]);
        assert_eq!(request.project["run.budget"], "30s");
        assert_eq!(request.words(), ["tare", "run"], "what the file says is not typed");
        let Settings { amount, jobs, request, .. } = resolved("tare run --precision 2% --job -O2 --fail-on faster");
        assert_eq!((amount.precision, jobs.given), (Some(Precision::Share(0.02)), vec!["-O2".to_owned()]));
        assert!(["run.precision", "run.jobs", "gate.fail-on"].iter().all(|key| !request.project.contains_key(*key)));
        for line in ["tare run --quick", "tare run --long"] {
            let precision = resolved(line).amount.precision;
            assert_eq!(precision, None, "{line}: who wants a quick or a long run wants another amount");
        }
    }

    #[test]
    fn a_quick_comparison_has_not_the_time_of_every_other() {
        let of = |line: &str| {
            let Settings { amount, build, .. } = resolved(line);
            (amount.usual_budget, build.layouts)
        };
        assert_eq!(of("tare compare main"), (Some(Budget::PerCase(5.0)), 4));
        assert_eq!(of("tare compare main --quick --layouts 8"), (Some(Budget::Total(30.0)), 8));
    }
}
