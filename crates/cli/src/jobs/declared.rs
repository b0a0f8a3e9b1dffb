//! Jobs from declarations: a program's list says that its benchmarks want several runtimes, collectors or strategies. They become jobs of
//! the run, as if named on the command line.

use super::Job;
use crate::console::Console;
use crate::failure::Failure;
use crate::pipeline::{self, BuiltBefore, Prepared};
use std::collections::HashSet;
use tare_build::languages::runtimes;
use tare_build::toolchain::BuildOptions;
use tare_engine::CatalogEntry;
use tare_model::{Benchmark, DeclaredJob, Parameter};

/// The parameter that distinguishes jobs where they are not jobs of the run.
const PARAMETER: &str = "Job";
/// The job of benchmarks that declare none, if others do.
const DEFAULT: &str = "default";

pub struct Declared {
    /// The job under which they were listed, and which they override.
    base: Job,
    /// All jobs, each over the command line's. If some benchmarks declare none, the first job is `default`.
    pub jobs: Vec<Job>,
    /// The declaration of each; None for the default.
    from: Vec<Option<DeclaredJob>>,
    /// Declared runtimes that are not installed, with the names of their jobs.
    pub lacking: Vec<(String, String)>,
}

impl Declared {
    /// The declared jobs; None if no program declares any. `has`: whether a runtime can be used here.
    pub fn of(prepared: &Prepared, base: &Job, has: &dyn Fn(&str) -> bool) -> Option<Declared> {
        let all = || prepared.entries.iter().flat_map(|entry| &entry.benchmarks);
        let mut lacking: Vec<(String, String)> = Vec::new();
        let mut from: Vec<Option<DeclaredJob>> = Vec::new();
        for job in all().flat_map(|benchmark| &benchmark.jobs) {
            let one = Some(plain(job));
            match job.runtime.as_ref().filter(|runtime| !has(runtime)) {
                Some(runtime) => {
                    let lack = (job.name.clone(), runtime.clone());
                    lacking.extend((!lacking.contains(&lack)).then_some(lack));
                }
                None if !from.contains(&one) => from.push(one),
                None => {}
            }
        }
        if from.is_empty() && lacking.is_empty() {
            return None;
        }
        let mut declared = Declared { base: base.clone(), jobs: Vec::new(), from, lacking };
        let without = prepared.entries.iter().any(|entry| !declared.of_default(entry).is_empty());
        if without || declared.from.is_empty() {
            declared.from.insert(0, None);
        }
        let mut names = HashSet::new();
        let made = |one: &Option<DeclaredJob>| {
            let mut job = base.clone();
            let name = one.as_ref().map_or(DEFAULT, |declared| declared.name.as_str());
            // Two classes may use one name for different jobs.
            let numbered = (2..).map(|number| format!("{name}#{number}"));
            job.id = std::iter::once(name.to_owned()).chain(numbered).find(|id| names.insert(id.clone()))?;
            if let Some(declared) = one {
                job.environment.extend(declared.environment.clone());
                job.strategy = declared.strategy.or(job.strategy);
                job.toolchain.extend(declared.runtime.clone().map(|runtime| (runtimes::LANGUAGE.to_owned(), runtime)));
            }
            Some(job)
        };
        declared.jobs = declared.from.iter().filter_map(made).collect();
        Some(declared)
    }

    /// Builds the programs that declare jobs again, once per job, and adds those that declare none. Messages about a program are not
    /// repeated.
    pub fn prepare(
        &self,
        prepared: Prepared,
        of_jobs: &[BuildOptions],
        timeout_s: f64,
        console: &Console,
    ) -> Result<Prepared, Failure> {
        let is_of = |entry: &CatalogEntry| entry.benchmarks.iter().any(|benchmark| !benchmark.jobs.is_empty());
        let program = |entry: &CatalogEntry| prepared.artifacts[entry.artifact as usize].name.clone();
        let names: Vec<String> = prepared.entries.iter().filter(|entry| is_of(entry)).map(program).collect();
        let artifacts = prepared.artifacts.iter().filter(|artifact| names.contains(&artifact.name)).cloned().collect();
        let before = BuiltBefore { job: &self.base, artifacts };
        let targets =
            prepared.targets.iter().filter(|target| names.contains(&target.name)).cloned().collect::<Vec<_>>();
        let (built, _) = pipeline::build_jobs(&targets, of_jobs, Some(&before), console);
        let list = prepared.list.clone();
        let mut all = pipeline::list_built(built, &self.jobs, timeout_s, (list, false), console, &|failure| failure)?;
        for entry in &mut all.entries {
            let job = all.artifacts[entry.artifact as usize].job as usize;
            entry.benchmarks = self.benchmarks(entry, job);
        }
        // Programs that declare no job use the first one.
        for entry in prepared.entries.iter().filter(|entry| !is_of(entry)) {
            let artifact = all.artifacts.len() as u32;
            all.artifacts.push(prepared.artifacts[entry.artifact as usize].clone());
            all.entries.push(CatalogEntry { artifact, ..entry.clone() });
        }
        let failed = [prepared.failed, all.failed].concat();
        let trouble = pipeline::either(prepared.trouble, all.trouble);
        Ok(Prepared { trouble, failed, targets: prepared.targets, ..all }.without_empty())
    }

    /// A program's benchmarks under one of the jobs, distinguished by the job instead of a parameter.
    pub fn benchmarks(&self, entry: &CatalogEntry, job: usize) -> Vec<Benchmark> {
        let Some(Some(wanted)) = self.from.get(job) else { return self.of_default(entry) };
        let of_job = |benchmark: &Benchmark| {
            let own = benchmark.jobs.iter().find(|own| plain(own) == *wanted)?;
            Some(under(benchmark, own))
        };
        entry.benchmarks.iter().filter_map(of_job).collect()
    }

    /// Benchmarks without a declared job, and, once each, those whose jobs cannot be measured here. The latter fail rather than run under
    /// another job.
    fn of_default(&self, entry: &CatalogEntry) -> Vec<Benchmark> {
        let is_there = |job: &DeclaredJob| self.from.contains(&Some(plain(job)));
        let mut known: HashSet<String> = HashSet::new();
        let with = entry.benchmarks.iter().filter(|benchmark| benchmark.jobs.iter().any(is_there));
        known.extend(with.map(name_without_job));
        let mut found = Vec::new();
        for benchmark in &entry.benchmarks {
            match benchmark.jobs.first() {
                None => found.push(benchmark.clone()),
                Some(own) if known.insert(name_without_job(benchmark)) => {
                    let one = under(benchmark, &DeclaredJob { environment: Default::default(), ..own.clone() });
                    let invalid = one.invalid.clone().or_else(|| Some(without_runtime(entry, benchmark)));
                    found.push(Benchmark { invalid, ..one });
                }
                Some(_) => {}
            }
        }
        found
    }
}

fn without_runtime(entry: &CatalogEntry, benchmark: &Benchmark) -> String {
    let name = name_without_job(benchmark);
    let its = entry.benchmarks.iter().filter(|other| name_without_job(other) == name).flat_map(|other| &other.jobs);
    let needs =
        its.filter_map(|job| Some(format!("`{}` needs the {} `{}`", job.name, runtimes::NOUN, job.runtime.as_ref()?)));
    let needs = needs.collect::<Vec<_>>().join(", ");
    format!(
        "none of its jobs can be measured here: {needs}; install one of them, or use the installed runtimes: `--runtimes all`"
    )
}

pub fn why_lacking(runtime: &str) -> String {
    let never = runtimes::never(runtime);
    never.map_or_else(|| format!("the {} `{runtime}` is not installed", runtimes::NOUN), str::to_owned)
}

/// A program's benchmarks as `tare run` names them: each once, with all of its jobs.
pub fn merged(entry: CatalogEntry) -> CatalogEntry {
    let mut benchmarks: Vec<Benchmark> = Vec::new();
    for benchmark in &entry.benchmarks {
        let one = without_job(benchmark);
        match benchmarks.iter_mut().find(|known| is_same(known, &one)) {
            Some(known) => known.jobs.extend(one.jobs),
            None => benchmarks.push(one),
        }
    }
    CatalogEntry { benchmarks, ..entry }
}

fn is_same(one: &Benchmark, other: &Benchmark) -> bool {
    !one.jobs.is_empty() && !other.jobs.is_empty() && tare_engine::filter_name(one) == tare_engine::filter_name(other)
}

fn under(benchmark: &Benchmark, job: &DeclaredJob) -> Benchmark {
    let mut one = without_job(benchmark);
    one.launch.environment.retain(|name, _| !job.environment.contains_key(name));
    one.jobs = vec![job.clone()];
    one
}

/// Removes the parameter that distinguishes jobs. A front end puts it last; another parameter may have the same name.
fn without_job(benchmark: &Benchmark) -> Benchmark {
    let mut one = benchmark.clone();
    let job = one.jobs.first();
    let tells_apart = |last: &Parameter| last.name == PARAMETER && job.is_some_and(|job| job.name == last.value);
    if one.parameters.last().is_some_and(tells_apart) {
        one.parameters.pop();
    }
    one
}

fn name_without_job(benchmark: &Benchmark) -> String {
    tare_engine::filter_name(&without_job(benchmark))
}

/// A declared job by its settings, ignoring which job is the base.
fn plain(job: &DeclaredJob) -> DeclaredJob {
    DeclaredJob { is_base: false, ..job.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark(name: &str, jobs: &[(&str, Option<&str>)], parameter: bool) -> Benchmark {
        let of = |(at, (name, runtime)): (usize, &(&str, Option<&str>))| DeclaredJob {
            name: (*name).to_owned(),
            environment: [("GC".to_owned(), (*name).to_owned())].into(),
            runtime: runtime.map(str::to_owned),
            strategy: None,
            is_base: at == 0,
        };
        let jobs: Vec<DeclaredJob> = jobs.iter().enumerate().map(of).collect();
        let parameters = jobs.first().filter(|_| parameter).map(|job| Parameter::new("Job", job.name.clone()));
        let mut one =
            Benchmark { name: name.into(), parameters: parameters.into_iter().collect(), ..Benchmark::default() };
        one.launch.environment = jobs.first().map(|job| job.environment.clone()).unwrap_or_default();
        one.launch.environment.insert("OTHER".to_owned(), "1".to_owned());
        one.jobs = jobs;
        one
    }

    fn prepared(benchmarks: Vec<Benchmark>) -> Prepared {
        let entries = vec![CatalogEntry { artifact: 0, program: "p".into(), benchmarks }];
        Prepared { entries, ..Prepared::default() }
    }

    #[test]
    fn a_parameter_of_the_users_that_is_called_job_stays() {
        let mut all = vec![benchmark("a", &[("x", None)], true), benchmark("a", &[("y", None)], true)];
        for one in &mut all {
            one.parameters.insert(0, Parameter::new("Job", "x"));
        }
        let prepared = prepared(all);
        let declared = Declared::of(&prepared, &Job::default(), &|_| true).expect("jobs");
        let own = [Parameter::new("Job", "x")];
        for job in 0..2 {
            let found = declared.benchmarks(&prepared.entries[0], job);
            assert!(found.len() == 1 && found[0].parameters == own, "{found:?}");
        }
        let listed = merged(prepared.entries[0].clone()).benchmarks;
        assert!(listed.len() == 1 && listed[0].parameters == own, "{listed:?}");
    }

    #[test]
    fn declared_jobs_are_jobs_of_the_run() {
        let all = vec![
            benchmark("a", &[("x", None)], true),
            benchmark("a", &[("y", Some("8.0")), ("z", Some("9.9"))], true),
            benchmark("b", &[], false),
            benchmark("c", &[("w", Some("9.9"))], false),
        ];
        let prepared = prepared(all);
        let declared = Declared::of(&prepared, &Job::default(), &|runtime| runtime == "8.0").expect("jobs");
        let names: Vec<&str> = declared.jobs.iter().map(|job| job.id.as_str()).collect();
        assert_eq!(names, ["default", "x", "y"]);
        assert_eq!(declared.jobs[2].toolchain["c#"], "8.0");
        assert_eq!(declared.lacking, [("z".into(), "9.9".into()), ("w".into(), "9.9".into())]);
        let of = |job| {
            let found = declared.benchmarks(&prepared.entries[0], job);
            assert!(found.iter().all(|b| b.jobs.len() <= 1));
            found.iter().map(|b| (b.name.clone(), b.parameters.len(), b.launch.environment.len())).collect::<Vec<_>>()
        };
        // Settings of a job are no longer settings of the launch. A benchmark with no measurable job fails.
        let failing = declared.benchmarks(&prepared.entries[0], 0).into_iter().find_map(|b| b.invalid).expect("c");
        assert!(failing.contains("`w` needs the .NET runtime `9.9`"), "{failing}");
        assert_eq!(of(0), [("b".into(), 0, 1), ("c".into(), 0, 2)]);
        assert_eq!((of(1), of(2)), (vec![("a".into(), 0, 1)], vec![("a".into(), 0, 1)]));
        let listed = merged(prepared.entries[0].clone()).benchmarks;
        let of_each: Vec<_> = listed.iter().map(|b| (b.name.as_str(), b.parameters.len(), b.jobs.len())).collect();
        assert_eq!(of_each, [("a", 0, 3), ("b", 0, 0), ("c", 0, 1)]);
        assert!(Declared::of(&self::prepared(vec![benchmark("b", &[], false)]), &Job::default(), &|_| true).is_none());
    }
}
