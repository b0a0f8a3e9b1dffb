//! Fills in what the command line leaves open, once, from `tare.toml`. No other code reads the file. The request
//! notes which of its lines count.

use super::config::Config;
use crate::args::{BuildArgs, Command, EffortArgs, GateArgs};
use crate::failure::Failure;
use std::path::Path;
use tare_analysis::gate::Rule;
use tare_engine::Budget;
use tare_model::Request;

/// The line that asks for a history; one that says no is not noted.
pub const RECORD: &str = "history.record";

pub fn resolve(command: &mut Command, request: &mut Request) -> Result<(), Failure> {
    let needs_project = match command {
        Command::Run(_) | Command::Time(_) | Command::Compare(_) => true,
        // A bisection that is resumed has the request with which it began, which is resolved in its place.
        Command::Bisect(args) => args.resume.is_none(),
        Command::Watch(_) | Command::List(_) => true,
        // A run can be shown even if `tare.toml` is invalid.
        Command::Show(args) => args.gate.fail_on.contains(&Rule::Limit) || !args.gate.limit.is_empty(),
        _ => false,
    };
    if !needs_project {
        return Ok(());
    }
    let config = Config::find(Path::new("."))?;
    let mut project = Project { config: &config, request };
    if config.history.record {
        project.note(RECORD);
    }
    project.fill(command);
    Ok(())
}

/// Where the history of the project here is, and what belongs to it. It is read where it is needed and never part of a request: an
/// address is for those who have the project, and runs are sent to others.
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
    /// What a revision is written behind, to see the commit on the web.
    pub commit_url: Option<String>,
    /// What the project is called in it; empty where it needs no name.
    pub project: String,
    /// Benchmarks that have another name now: old, new.
    pub renames: Vec<(String, String)>,
}

struct Project<'a> {
    config: &'a Config,
    request: &'a mut Request,
}

impl Project<'_> {
    fn fill(&mut self, command: &mut Command) {
        let (run, compare) = (&self.config.run, &self.config.compare);
        match command {
            Command::Run(args) => {
                self.effort(&mut args.effort);
                self.usual_budget("run.budget", &mut args.effort, run.budget.map(|b| b.0));
                // Who asks for a quick or a long run does not want the amount of every other.
                let usual = run.precision.filter(|_| !(args.effort.quick || args.effort.long));
                self.value("run.precision", &mut args.precision, usual.map(|p| p.0));
                if args.job.is_empty() && args.runtimes.is_empty() && !run.jobs.is_empty() {
                    // What the file names is beside it; what the command line names is here.
                    self.config.folder().clone_into(&mut args.jobs_folder);
                    args.job.clone_from(&run.jobs);
                    self.note("run.jobs");
                }
                self.build(&mut args.build, &args.job);
                self.diagnosers(&mut args.diagnose);
                self.counters(&args.diagnose, &mut args.watched.counters);
                self.gate(&mut args.gate);
            }
            Command::Compare(args) => {
                self.effort(&mut args.effort);
                // What a project gives every comparison is more than a quick one wants.
                let of_all = compare.budget.filter(|_| !args.effort.quick).map(|b| b.0);
                self.usual_budget("compare.budget", &mut args.effort, of_all);
                self.usual_budget("run.budget", &mut args.effort, run.budget.map(|b| b.0));
                self.value("compare.layouts", &mut args.layouts, compare.layouts);
                self.value("compare.threshold", &mut args.saved.threshold, compare.threshold.map(|t| t.0));
                self.value("compare.noise", &mut args.saved.noise, compare.noise.map(|n| n.0));
                args.usual_renames = compare.rename.clone().into_iter().collect();
                self.note("compare.rename.");
                self.build(&mut args.build, args.saved.job.as_slice());
                self.prepare(&mut args.build);
                self.diagnosers(&mut args.diagnose);
                self.counters(&args.diagnose, &mut args.watched.counters);
                self.gate(&mut args.gate);
            }
            Command::Bisect(args) => {
                self.effort(&mut args.effort);
                self.value("compare.layouts", &mut args.layouts, compare.layouts);
                self.build(&mut args.build, &[]);
                self.prepare(&mut args.build);
            }
            Command::Watch(args) => {
                self.effort(&mut args.effort);
                self.usual_budget("run.budget", &mut args.effort, run.budget.map(|b| b.0));
                self.value("compare.layouts", &mut args.layouts, compare.layouts);
                self.build(&mut args.build, args.job.as_slice());
            }
            Command::Time(args) => {
                self.value("run.budget", &mut args.effort.budget, run.budget.map(|b| b.0));
                self.value("run.min-effect", &mut args.effort.min_effect, run.min_effect.map(|m| m.0));
                self.rules(&mut args.gate);
                args.gate.limits.clone_from(&args.gate.limit);
            }
            Command::List(args) => {
                self.value("run.timeout", &mut args.timeout, run.timeout.map(|t| t.0));
                self.build(&mut args.build, &args.job);
            }
            Command::Show(args) => self.limits(&mut args.gate),
            _ => {}
        }
    }

    /// Takes a line where nothing was given; one that is not used is not noted.
    fn value<T>(&mut self, key: &str, place: &mut Option<T>, value: Option<T>) {
        if let (None, Some(value)) = (&place, value) {
            *place = Some(value);
            self.note(key);
        }
    }

    /// That of a command that was given none.
    fn usual_budget(&mut self, key: &str, effort: &mut EffortArgs, value: Option<Budget>) {
        if effort.budget.is_none() {
            self.value(key, &mut effort.usual_budget, value);
        }
    }

    fn note(&mut self, key: &str) {
        self.request.project.extend(self.config.lines(key));
    }

    fn effort(&mut self, args: &mut EffortArgs) {
        let run = &self.config.run;
        self.value("run.timeout", &mut args.timeout, run.timeout.map(|t| t.0));
        self.value("run.min-effect", &mut args.min_effect, run.min_effect.map(|m| m.0));
    }

    fn build(&mut self, args: &mut BuildArgs, jobs: &[String]) {
        let build = &self.config.build;
        self.value("build.cxx", &mut args.cxx, build.cxx.clone());
        self.value("build.cc", &mut args.cc, build.cc.clone());
        args.no_align |= build.align == Some(false);
        args.usual_flags.clone_from(&build.flags.0);
        if args.features.is_empty() {
            args.usual_features.clone_from(&build.features.0);
            self.note("build.features");
        }
        args.interpreters = self.config.interpreters.iter().map(|(of, words)| (of.clone(), words.0.clone())).collect();
        args.harnesses.clone_from(&self.config.harness);
        args.known_jobs.clone_from(&self.config.jobs);
        args.known_diagnosers = self.config.diagnosers();
        ["build.align", "build.flags", "interpreters.", "harness."].iter().for_each(|key| self.note(key));
        // `fast`, and `fast: -O3` over it.
        let of_jobs = self.config.jobs.keys().filter(|name| jobs.iter().any(|text| crate::jobs::name(text) == *name));
        of_jobs.for_each(|name| self.note(&format!("jobs.{name}.")));
    }

    fn prepare(&mut self, args: &mut BuildArgs) {
        let folder = self.config.folder();
        args.prepare = self
            .config
            .compare
            .prepare
            .clone()
            .filter(|line| !line.trim().is_empty())
            .map(|line| (line, folder.to_owned()));
        self.note("compare.prepare");
    }

    fn counters(&mut self, asked: &[String], counters: &mut Vec<String>) {
        if counters.is_empty() && asked.iter().any(|name| name == tare_diagnose::COUNTERS) {
            counters.clone_from(&self.config.run.counters);
            self.note("run.counters");
        }
    }

    /// Those of the file where none are asked for; the programs among them are noted.
    fn diagnosers(&mut self, asked: &mut Vec<String>) {
        if asked.is_empty() && !self.config.run.diagnose.is_empty() {
            asked.clone_from(&self.config.run.diagnose);
            self.note("run.diagnose");
        }
        asked.iter().for_each(|name| self.note(&format!("diagnosers.{name}.")));
    }

    fn rules(&mut self, args: &mut GateArgs) {
        if args.fail_on.is_empty() {
            args.fail_on = self.config.gate.fail_on.iter().map(|rule| rule.0).collect();
            self.note("gate.fail-on");
        }
    }

    fn gate(&mut self, args: &mut GateArgs) {
        self.rules(args);
        self.limits(args);
        self.note("limits.");
    }

    /// Those of the file, and those that were typed.
    fn limits(&self, args: &mut GateArgs) {
        args.limits = self.config.limits().into_iter().chain(args.limit.iter().cloned()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::parse;
    use tare_engine::{Budget, Precision};

    const FILE: &str = "[run]\nprecision = \"1%\"\nbudget = \"30s\"\njobs = [\"a\"]\n[compare]\nbudget = \"5s/case\"\n\
                        layouts = 4\n[gate]\nfail-on = [\"slower\"]\n[jobs.a]\nnice = 1\n[jobs.other]\nnice = 2\n[limits]\n\"x\" = { time = \"1 s\" }\n";

    fn resolved(line: &str) -> (Command, Request) {
        let config = Config::parse(FILE, Path::new("tare.toml")).expect("a configuration");
        let (cli, mut request) = parse(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut command = cli.command;
        Project { config: &config, request: &mut request }.fill(&mut command);
        (command, request)
    }

    #[test]
    fn the_project_says_what_the_command_line_does_not() {
        let of_run = |line: &str| match resolved(line) {
            (Command::Run(args), request) => (args, request),
            other => panic!("{other:?}"),
        };
        let (args, request) = of_run("tare run");
        assert_eq!(
            (args.precision, args.effort.usual_budget),
            (Some(Precision::Share(0.01)), Some(Budget::Total(30.0)))
        );
        assert_eq!((args.job, args.gate.limits.len()), (vec!["a".to_owned()], 1));
        let keys: Vec<&str> = request.project.keys().map(String::as_str).collect();
        assert_eq!(keys, ["gate.fail-on", "jobs.a.nice", "limits.x.time", "run.budget", "run.jobs", "run.precision"]);
        assert_eq!(request.project["run.budget"], "30s");
        assert_eq!(request.words(), ["tare", "run"], "what the file says is not typed");
        let (args, request) = of_run("tare run --precision 2% --job -O2 --fail-on faster");
        assert_eq!((args.precision, args.job), (Some(Precision::Share(0.02)), vec!["-O2".to_owned()]));
        assert!(["run.precision", "run.jobs", "gate.fail-on"].iter().all(|key| !request.project.contains_key(*key)));
        for line in ["tare run --quick", "tare run --long"] {
            assert_eq!(of_run(line).0.precision, None, "{line}: who wants a quick or a long run wants another amount");
        }
    }

    #[test]
    fn a_quick_comparison_has_not_the_time_of_every_other() {
        let budget = |line: &str| match resolved(line) {
            (Command::Compare(args), _) => (args.effort.usual_budget, args.layouts),
            other => panic!("{other:?}"),
        };
        assert_eq!(budget("tare compare main"), (Some(Budget::PerCase(5.0)), Some(4)));
        assert_eq!(budget("tare compare main --quick --layouts 8"), (Some(Budget::Total(30.0)), Some(8)));
    }
}
