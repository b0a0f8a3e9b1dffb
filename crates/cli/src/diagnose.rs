//! The diagnosers of a command: which were requested, what they find on this machine, and which programs they support.

use crate::console::Console;
use crate::failure::Failure;
use crate::request::any_of;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tare_analysis::gate::Limit;
use tare_build::languages;
use tare_build::toolchain::BuildOptions;
use tare_diagnose::{entry, Diagnosers, Entry, External, Missing, Pass, Tools, Unknown};
use tare_model::{Artifact, Benchmark, Cache, DiagnosisPlan, Job, Run};
use tare_report::clean;

pub type KnownDiagnosers = BTreeMap<String, External>;

/// Duration of a profile that explains a time, s.
const WHY_WATCH_S: f64 = 1.0;

struct Host<'a> {
    cache: &'a Path,
    is_why: bool,
}

impl Tools for Host<'_> {
    fn caches(&self) -> Vec<Cache> {
        // What costs time here depends on the caches of this machine.
        if self.is_why {
            tare_machine::environment::read().caches
        } else {
            Vec::new()
        }
    }

    fn c_library(&self, name: &str, source: &str) -> Result<PathBuf, String> {
        match self.cache.as_os_str().is_empty() {
            true => Err("there is no folder for built programs".to_owned()),
            false => languages::c_library(name, source, self.cache),
        }
    }

    fn program(&self, program: &str) -> Result<(), String> {
        match tare_harness::command::resolved(program) {
            Some(_) => Ok(()),
            None => Err(tare_harness::command::why_not(program)),
        }
    }
}

/// The requested diagnosers and their settings.
#[derive(Debug, Clone, Default)]
pub struct Diagnosing {
    /// As requested by name; requesting an event to count requests the diagnoser that counts events.
    pub asked: DiagnosisPlan,
    /// Diagnosers that explain times also look at unchanged cases.
    pub of_all: bool,
    /// The diagnosers that the project declares.
    pub known: KnownDiagnosers,
}

impl Diagnosing {
    fn names(&self) -> Vec<String> {
        let of_events = (!self.asked.counters.is_empty()).then(|| tare_diagnose::COUNTERS.to_owned());
        self.asked.diagnosers.iter().cloned().chain(of_events).collect()
    }

    /// The requested diagnosers, including those that limits need, with their requirements on this machine. Programs are listed as they
    /// require.
    pub fn prepared(
        &self,
        limits: &[Limit],
        options: &mut BuildOptions,
        console: &Console,
    ) -> Result<Diagnosers, Failure> {
        let limited: Vec<&str> = limits.iter().flat_map(Limit::metrics).collect();
        let wished = if self.asked.why { tare_analysis::why::wished() } else { Vec::new() };
        let all = Diagnosers::new(&self.names(), &limited, &self.known).wishing(&wished);
        let mut diagnosers = all.counting(&self.asked.counters);
        for (name, Missing { reason, is_fatal }) in
            diagnosers.prepare(&Host { cache: &options.cache, is_why: self.asked.why })
        {
            if is_fatal {
                return Err(Failure::Usage {
                    what: format!("the diagnoser `{name}` cannot be started: {}", clean(&reason)),
                    hint: match entry(&name) {
                        Some(entry) => needs(entry),
                        None => format!("install it, or correct `[diagnosers.{name}]` in `tare.toml`"),
                    },
                });
            }
            console.note(&format!("on this machine `{name}` can only look at some programs: {}", clean(&reason)));
        }
        options.listed_with = diagnosers.listing();
        Ok(diagnosers)
    }

    /// Adds the diagnosers that benchmarks declare, as far as one of them supports a program. The plan says who looks at what:
    /// diagnosers requested by name look at all cases, others at changed cases unless all are named.
    pub fn settle<'b>(
        &self,
        mut diagnosers: Diagnosers,
        benchmarks: impl Iterator<Item = (u32, &'b Benchmark)>,
        artifacts: &mut [Artifact],
        jobs: &[Job],
        timeout_s: f64,
        console: &Console,
    ) -> Result<(Diagnosers, DiagnosisPlan), Failure> {
        let asked = &self.asked;
        self.declare(&mut diagnosers, benchmarks, artifacts, jobs, timeout_s)?;
        if asked.depth.is_some() && !diagnosers.any(artifacts, |pass| pass.follows_calls) {
            console.note("`--diagnose-depth` has no effect without `--diagnose code`");
        }
        if asked.watch_s.is_some() && !diagnosers.any(artifacts, Pass::watches) {
            console.note("`--diagnose-for` has no effect without `--diagnose profile`");
        }
        let (names, settled) = (self.names(), self.settled(&diagnosers, artifacts)?);
        // Explaining a time needs fewer samples than a profile for reading.
        let watch_s = asked.watch_s.or(asked.why.then_some(WHY_WATCH_S));
        let (every, of_changed) =
            settled.into_iter().partition(|name| !asked.why || self.of_all || names.contains(name));
        Ok((diagnosers, DiagnosisPlan { diagnosers: every, of_changed, watch_s, ..asked.clone() }))
    }

    /// Adds the diagnosers declared by benchmarks. One that does not work here is reported as a finding. A program that must be started
    /// differently for a diagnoser is listed again.
    fn declare<'b>(
        &self,
        diagnosers: &mut Diagnosers,
        benchmarks: impl Iterator<Item = (u32, &'b Benchmark)>,
        artifacts: &mut [Artifact],
        jobs: &[Job],
        timeout_s: f64,
    ) -> Result<(), Failure> {
        let mut of_program: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for (artifact, benchmark) in benchmarks.filter(|(_, benchmark)| !benchmark.diagnosers.is_empty()) {
            of_program.entry(artifact).or_default().extend(benchmark.diagnosers.iter().map(String::as_str));
        }
        let all = of_program.values().flatten().copied().collect();
        let cache = tare_store::cache_dir().unwrap_or_default();
        diagnosers.declare(&all, &self.known, &Host { cache: &cache, is_why: false });
        for (at, names) in of_program {
            let Some(artifact) = artifacts.get_mut(at as usize) else { continue };
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            if !diagnosers.change_listing(&names, artifact) || artifact.listed_with == diagnosers.listing() {
                continue;
            }
            let job = jobs.get(artifact.job as usize).cloned().unwrap_or_default();
            let changed = Artifact { listed_with: diagnosers.listing(), ..artifact.clone() };
            match tare_runner::list(&changed, &job, timeout_s) {
                Ok(None) => return Err(Failure::Interrupted),
                Ok(Some(listing)) => *artifact = Artifact { child: Some(listing.facts), ..changed },
                // Keep its first list.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The diagnosers that support one of the programs. If one supports none, that is an error; if it supports some, a finding names the
    /// others.
    fn settled(&self, diagnosers: &Diagnosers, artifacts: &mut [Artifact]) -> Result<Vec<String>, Failure> {
        diagnosers.settle(artifacts).map_err(|Unknown { name, reason, known: here }| {
            let all: BTreeSet<String> = here.into_iter().chain(self.known.keys().cloned()).collect();
            let flags: Vec<String> = all.iter().map(|name| format!("`--diagnose {name}`")).collect();
            let hint = match (entry(&name), flags.is_empty()) {
                (Some(entry), _) => needs(entry),
                (None, true) => "`tare help diagnosers` lists them and explains what they need".to_owned(),
                (None, false) => format!("use {}; `tare help diagnosers` has the others", any_of(&flags)),
            };
            let what = match reason.is_empty() {
                true => format!("no program here has the diagnoser `{}`", clean(&name)),
                false => format!("the diagnoser `{}` cannot be used here: {}", clean(&name), clean(&reason)),
            };
            Failure::Usage { what, hint }
        })
    }
}

/// The diagnosers of a stored run that is resumed. A missing one fails in its passes.
pub fn of_run(run: &Run, known: &KnownDiagnosers, console: &Console) -> Diagnosers {
    let DiagnosisPlan { diagnosers: every, of_changed, counters, .. } = &run.plan.diagnosis;
    for name in every {
        let is_declared = run.artifacts.iter().any(|program| program.declares(name));
        if !is_declared && entry(name).is_none() && !known.contains_key(name) {
            let name = clean(name);
            console.warn(&format!("the diagnoser `{name}` is left out: `tare.toml` has no `[diagnosers.{name}]`"));
        }
    }
    let changed: Vec<&str> = of_changed.iter().map(String::as_str).collect();
    let mut diagnosers = Diagnosers::new(every, &[], known).wishing(&changed).counting(counters);
    let cache = tare_store::cache_dir().unwrap_or_default();
    let host = Host { cache: &cache, is_why: false };
    diagnosers.prepare(&host);
    let declared = run.plan.cases.iter().flat_map(|case| &case.benchmark.diagnosers);
    diagnosers.declare(&declared.map(String::as_str).collect(), known, &host);
    diagnosers
}

fn needs(entry: &Entry) -> String {
    format!("`tare help {}` explains what it needs", entry.topic)
}
