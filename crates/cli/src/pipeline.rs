//! From paths to programs whose benchmarks are known: discover, build, list. Failures are reported and the others continue.

use crate::choose;
use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use crate::painter::Painter;
use std::path::PathBuf;
use tare_build::discover::{self, DiscoverError, Skipped, Survey, Target};
use tare_build::toolchain::{self, BuildEvent, BuildFailure, BuildOptions};
use tare_engine::{filter_name, select, CatalogEntry, Selection};
use tare_model::{Artifact, ChildFacts, ExitCode, FailedProgram, FailureKind, Job, Step};
use tare_report::{clean, shell_word};

/// Programs with their benchmarks.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    /// What was built and could be listed.
    pub artifacts: Vec<Artifact>,
    /// What each holds; the index of an entry's artifact is its place in `artifacts`.
    pub entries: Vec<CatalogEntry>,
    /// The first thing that failed, if any did.
    pub trouble: Option<ExitCode>,
    /// What could not be built or listed.
    pub failed: Vec<FailedProgram>,
    /// The command that lists it.
    pub list: String,
    /// What programs say of their declarations, each once.
    pub notes: Vec<String>,
    /// Names of the jobs that artifacts were built for; one without a name where nobody asked for jobs.
    pub jobs: Vec<String>,
    /// What it was built from.
    pub targets: Vec<Target>,
}

/// The command that lists what there is at these paths, or what a command has.
pub fn list_command(paths: &[PathBuf], command: &[String]) -> String {
    let here = [PathBuf::from(".")];
    let paths = paths.iter().filter(|_| paths != here).map(|path| shell_word(&path.to_string_lossy()));
    let behind = (!command.is_empty()).then(|| "--".to_owned()).into_iter();
    let words = paths.chain(behind).chain(command.iter().map(|word| shell_word(word)));
    clean(&std::iter::once("tare list".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// Discovers, builds and lists.
pub fn prepare(
    paths: &[PathBuf],
    options: &BuildOptions,
    timeout_s: f64,
    console: &Console,
) -> Result<Prepared, Failure> {
    prepare_jobs(paths, std::slice::from_ref(options), timeout_s, false, console)
}

/// The same for each of several jobs. What two jobs build alike is built once. `asks`: where there are many programs and a user at a
/// terminal, it is asked which.
pub fn prepare_jobs(
    paths: &[PathBuf],
    of_jobs: &[BuildOptions],
    timeout_s: f64,
    asks: bool,
    console: &Console,
) -> Result<Prepared, Failure> {
    let Some(options) = of_jobs.first() else { return Err(Failure::NoBenchmarks { programs: Vec::new() }) };
    let Survey { mut targets, mut skipped } = discover::survey(paths, &options.discover).map_err(Failure::Discover)?;
    if asks {
        let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
        if let Some(places) = choose::programs(&names, console)? {
            targets = places.into_iter().filter_map(|at| targets.get(at).cloned()).collect();
        }
    }
    has_cache(&targets, options)?;
    let (built, of_build) = build_jobs(&targets, of_jobs, console);
    skipped.extend(of_build);
    if built.is_empty() {
        return Err(all_skipped(paths, skipped));
    }
    skip_notes(&skipped).iter().for_each(|note| console.note(note));
    let list = list_command(paths, &options.discover.command);
    let jobs: Vec<Job> = of_jobs.iter().map(|options| options.job.clone()).collect();
    let prepared = list_built(built, &jobs, timeout_s, list, console, &|failure| failure)?;
    prepared.notes.iter().for_each(|note| console.note(&clean(note)));
    Ok(Prepared { targets, ..prepared })
}

/// Builds the targets for each of the jobs; with what only the builds knew to be none of ours.
pub fn build_jobs(
    targets: &[Target],
    of_jobs: &[BuildOptions],
    console: &Console,
) -> (Vec<Result<Artifact, BuildFailure>>, Vec<Skipped>) {
    let jobs: Vec<Job> = of_jobs.iter().map(|options| options.job.clone()).collect();
    let mut skipped = Vec::new();
    let mut painter = Painter::new(console);
    let mut all: Vec<Vec<Result<Artifact, BuildFailure>>> = Vec::new();
    for (at, options) in of_jobs.iter().enumerate() {
        let like = jobs[..at].iter().position(|other| other.builds_like(&options.job));
        let built: Vec<Result<Artifact, BuildFailure>> = match like {
            // What failed is reported once.
            Some(like) => all[like].iter().filter(|built| built.is_ok()).cloned().collect(),
            None => toolchain::build(targets, options, &mut |event| match event {
                BuildEvent::Skipped { skipped: one } if at == 0 => skipped.push(one),
                BuildEvent::Skipped { .. } => {}
                event => painter.build(&of_job(event, &jobs, at)),
            }),
        };
        all.push(
            built.into_iter().map(|built| built.map(|artifact| Artifact { job: at as u32, ..artifact })).collect(),
        );
    }
    painter.clear();
    let mut built = Vec::new();
    for (at, of_one) in all.into_iter().enumerate() {
        let failed = |failure: BuildFailure| BuildFailure { target: in_job(&failure.target, &jobs, at), ..failure };
        built.extend(of_one.into_iter().map(|built| built.map_err(failed)));
    }
    (built, skipped)
}

/// A target or program with the job that it is for, where there are several.
fn in_job(name: &str, jobs: &[Job], at: usize) -> String {
    match jobs.get(at) {
        Some(job) if jobs.len() > 1 => format!("{name} (job {})", job.id),
        _ => name.to_owned(),
    }
}

/// The event with the name of its job.
fn of_job(event: BuildEvent, jobs: &[Job], at: usize) -> BuildEvent {
    let named = |target: String| in_job(&target, jobs, at);
    match event {
        BuildEvent::Started { target, command } => BuildEvent::Started { target: named(target), command },
        BuildEvent::Finished { target, seconds, cached } => {
            BuildEvent::Finished { target: named(target), seconds, cached }
        }
        BuildEvent::Warned { target, text } => BuildEvent::Warned { target: named(target), text },
        other => other,
    }
}

/// Nothing is left to measure.
pub fn all_skipped(paths: &[PathBuf], skipped: Vec<Skipped>) -> Failure {
    let path = paths.first().cloned().unwrap_or_else(|| PathBuf::from("."));
    Failure::Discover(DiscoverError::AllSkipped { path, skipped })
}

/// What is left alone, a line for each reason: which, why, and what to do instead.
pub fn skip_notes(skipped: &[Skipped]) -> Vec<String> {
    let project = |s: &Skipped| s.name.strip_suffix(&s.bench).unwrap_or(&s.name).to_owned();
    let mut reasons: Vec<(String, &str, Vec<&Skipped>)> = Vec::new();
    for one in skipped {
        match reasons.iter_mut().find(|(of, why, _)| *of == project(one) && *why == one.why) {
            Some((.., members)) => members.push(one),
            None => reasons.push((project(one), &one.why, vec![one])),
        }
    }
    let line = |(_, why, members): (String, &str, Vec<&Skipped>)| {
        let names = quoted_list(&members.iter().map(|s| s.name.clone()).collect::<Vec<_>>());
        let port = if why.starts_with("needs") { "" } else { "; to port it: `tare help moving`" };
        match members.as_slice() {
            [one] => format!("skipped {names}, which {why}: {}{port}", one.instead),
            several => {
                let (verb, rest) = why.split_once(' ').unwrap_or((why, ""));
                let verb = if verb == "has" { "have" } else { verb.trim_end_matches('s') };
                let instead = several[0].instead.replace(&format!("--bench {}", several[0].bench), "--bench NAME");
                format!("skipped {names}, which {verb} {rest}: {instead}{port}")
            }
        }
    };
    reasons.into_iter().map(line).collect()
}

/// Whether there is a place for what is to be built.
pub fn has_cache(targets: &[discover::Target], options: &BuildOptions) -> Result<(), Failure> {
    if options.cache.as_os_str().is_empty() && targets.iter().any(toolchain::needs_cache) {
        return Err(Failure::NoHome { variable: "XDG_CACHE_HOME" });
    }
    Ok(())
}

/// Lists what was built, as the command `list` does. `wrap` says more about each failure.
pub fn list_built(
    built: Vec<Result<Artifact, BuildFailure>>,
    jobs: &[Job],
    timeout_s: f64,
    list: String,
    console: &Console,
    wrap: &dyn Fn(Failure) -> Failure,
) -> Result<Prepared, Failure> {
    let mut painter = Painter::new(console);
    let mut requested = RequestedParameters::of(&built, &list);
    let names = jobs.iter().map(|job| job.id.clone()).collect();
    let (artifacts, entries, failed) = (Vec::new(), Vec::new(), Vec::new());
    let (notes, targets) = (Vec::new(), Vec::new());
    let mut prepared = Prepared { artifacts, entries, trouble: None, failed, list, notes, jobs: names, targets };
    let mut failures = Vec::new();
    for result in built {
        match result {
            Ok(artifact) => {
                list_one(artifact, jobs, timeout_s, &mut painter, &mut prepared, &mut failures, &mut requested)?
            }
            Err(failure) => failures.push(Failure::Build(Box::new(failure))),
        }
        if tare_process::interrupted() {
            return Err(Failure::Interrupted);
        }
    }
    painter.clear();
    if !prepared.entries.is_empty() {
        requested.all_taken().map_err(wrap)?;
    }
    prepared.failed = failures.iter().filter_map(failed_program).collect();
    conclude(prepared, failures.into_iter().map(wrap).collect(), console).map_err(|failure| match failure {
        none @ Failure::NoBenchmarks { .. } => wrap(none),
        other => other,
    })
}

/// The parameters that `--param` names, and what became of them.
struct RequestedParameters {
    names: Vec<String>,
    taken: Vec<String>,
    is_possible: bool,
    /// The command that lists the parameters.
    list: String,
}

impl RequestedParameters {
    fn of(built: &[Result<Artifact, BuildFailure>], list: &str) -> RequestedParameters {
        let first = built.iter().find_map(|result| result.as_ref().ok());
        let names =
            first.map_or_else(Vec::new, |a| a.given_by_name().iter().map(|(name, _)| (*name).to_owned()).collect());
        RequestedParameters { names, taken: Vec::new(), is_possible: false, list: list.to_owned() }
    }

    /// Notes what a program said. One that cannot be given values is measured as it is declared.
    fn note(
        &mut self,
        artifact: &mut Artifact,
        facts: &ChildFacts,
        outcomes: Vec<tare_runner::SetParameter>,
    ) -> Result<(), Failure> {
        if !facts.can("parameters") {
            artifact.given.clear();
            return Ok(());
        }
        self.is_possible = true;
        for (name, outcome) in outcomes {
            match outcome {
                Ok(0) => {}
                Ok(_) => self.taken.push(name),
                Err(reason) => {
                    return Err(Failure::Usage {
                        what: clean(&format!("`--param` of `{name}`: {reason}")),
                        hint: format!("list the declared values: `{}`", self.list),
                    });
                }
            }
        }
        Ok(())
    }

    /// Every name is a parameter of some benchmark.
    fn all_taken(&self) -> Result<(), Failure> {
        let Some(name) = self.names.iter().find(|name| !self.taken.contains(name)) else { return Ok(()) };
        let (what, hint) = match self.is_possible {
            true => (
                format!("no benchmark has a parameter `{}`", clean(name)),
                format!("list the parameters with their values: `{}`", self.list),
            ),
            false => (
                "no program here accepts values for parameters".to_owned(),
                "leave `--param` out, and declare the value in the source".to_owned(),
            ),
        };
        Err(Failure::Usage { what, hint })
    }
}

/// What a run keeps of a program that it lacks: of the compiler's text the first error.
pub fn failed_program(failure: &Failure) -> Option<FailedProgram> {
    /// Lines from the first error on.
    const LINES: usize = 4;
    let (program, failure) = match failure {
        Failure::Build(build) => {
            let lines: Vec<&str> = build.output.lines().filter(|line| !line.trim().is_empty()).collect();
            let from = lines.iter().position(|line| line.contains("error")).unwrap_or(0);
            let output = lines[from..].iter().take(LINES).map(|line| (*line).to_owned()).collect();
            let cause = FailureKind::NotBuilt { reason: build.status.clone() };
            (build.target.clone(), tare_model::Failure { cause, step: Step::Start, output })
        }
        Failure::List { program, failure, .. } => (program.clone(), (**failure).clone()),
        _ => return None,
    };
    Some(FailedProgram { program, failure, partners: Vec::new() })
}

/// What failed is said; the last of it ends the command when nothing is left.
fn conclude(mut prepared: Prepared, mut failures: Vec<Failure>, console: &Console) -> Result<Prepared, Failure> {
    prepared.trouble = failures.first().map(Failure::exit_code);
    let last = if prepared.entries.is_empty() { failures.pop() } else { None };
    for failure in &failures {
        console.fail(failure);
    }
    match last {
        Some(failure) => Err(failure),
        None if prepared.entries.iter().all(|e| e.benchmarks.is_empty()) => {
            Err(Failure::NoBenchmarks { programs: prepared.artifacts.iter().map(|a| a.name.clone()).collect() })
        }
        None => Ok(prepared),
    }
}

fn list_one(
    mut artifact: Artifact,
    jobs: &[Job],
    timeout_s: f64,
    painter: &mut Painter,
    prepared: &mut Prepared,
    failures: &mut Vec<Failure>,
    requested: &mut RequestedParameters,
) -> Result<(), Failure> {
    painter.list(&artifact.name);
    let of_job = artifact.job as usize;
    let job = jobs.get(of_job).cloned().unwrap_or_default();
    match tare_runner::list(&artifact, &job, timeout_s) {
        Ok(None) => return Err(Failure::Interrupted),
        Ok(Some(listing)) => {
            let entry = CatalogEntry {
                artifact: prepared.artifacts.len() as u32,
                program: artifact.name.clone(),
                benchmarks: listing.benchmarks,
            };
            for note in listing.notes {
                if !prepared.notes.contains(&note) {
                    prepared.notes.push(note);
                }
            }
            requested.note(&mut artifact, &listing.facts, listing.set_parameters)?;
            artifact.child = Some(listing.facts);
            prepared.artifacts.push(artifact);
            prepared.entries.push(entry);
        }
        Err(failure) => {
            let (program, command) = (in_job(&artifact.name, jobs, of_job), artifact.command);
            failures.push(Failure::List { program, command, failure: Box::new(failure) });
        }
    }
    Ok(())
}

impl Prepared {
    /// What there is, by the names that filters are compared with.
    pub fn names(&self) -> Vec<String> {
        self.entries.iter().flat_map(|e| &e.benchmarks).map(filter_name).collect()
    }

    /// What the selection takes, which may be about one of the jobs.
    pub fn selected(&self, selection: &Selection, jobs: &[&str]) -> Vec<CatalogEntry> {
        let of_one = |entry: &CatalogEntry| {
            let job = self.artifacts.get(entry.artifact as usize).and_then(|a| self.jobs.get(a.job as usize));
            selection
                .of_job(job.map_or("", String::as_str), jobs)
                .map_or_else(Vec::new, |own| select(vec![entry.clone()], &own))
        };
        self.entries.iter().flat_map(of_one).collect()
    }

    /// Leaves what the selection takes, and the programs that hold it.
    ///
    /// # Errors
    /// Where nothing is left, or a part of the selection fits nothing. Where programs are missing the latter is a warning: it may
    /// be of them.
    pub fn narrow(self, selection: &Selection, console: &Console) -> Result<Prepared, Failure> {
        let jobs: Vec<&str> =
            if self.jobs.len() > 1 { self.jobs.iter().map(String::as_str).collect() } else { Vec::new() };
        let unfitting = tare_engine::unfitting(&self.entries, &selection.without_jobs(&jobs));
        let failure = (!unfitting.is_empty()).then(|| nothing_matched(&self.entries, &unfitting, &self.list));
        let kept = self.selected(selection, &jobs);
        match failure {
            None if kept.is_empty() => {
                let whole = self.selected(&Selection { shard: None, ..selection.clone() }, &jobs);
                let of = whole.iter().map(|entry| entry.benchmarks.len()).sum();
                return Err(match selection.shard {
                    Some(shard) if of > 0 => Failure::EmptyPart { shard, of },
                    _ => nothing_matched(&self.entries, selection, &self.list),
                });
            }
            Some(failure) if kept.is_empty() || self.trouble.is_none() => return Err(failure),
            Some(failure) => console.warn(&failure.what()),
            None => {}
        }
        Ok(Prepared { entries: kept, ..self }.without_empty())
    }

    /// Without the programs of which no benchmark is left.
    #[must_use]
    pub fn without_empty(self) -> Prepared {
        let kept: Vec<CatalogEntry> = self.entries.into_iter().filter(|entry| !entry.benchmarks.is_empty()).collect();
        let artifacts = kept.iter().map(|entry| self.artifacts[entry.artifact as usize].clone()).collect();
        let renumber = |(at, entry): (usize, CatalogEntry)| CatalogEntry { artifact: at as u32, ..entry };
        let entries = kept.into_iter().enumerate().map(renumber).collect();
        Prepared { artifacts, entries, ..self }
    }
}

/// The failure that a selection fits nothing, with the names that may have been meant.
pub fn nothing_matched(entries: &[CatalogEntry], selection: &Selection, list: &str) -> Failure {
    let all = || entries.iter().flat_map(|e| &e.benchmarks);
    let names: Vec<String> = all().map(filter_name).collect();
    let categories: Vec<String> = all().flat_map(|b| b.categories.iter().cloned()).collect();
    let nearest = meant(selection, &names, &categories);
    let selection = crate::request::selection_text(selection);
    Failure::NothingMatched { selection, of: names.len(), nearest, list: list.to_owned() }
}

/// Ends a command that had lost programs before it was left with nothing.
pub fn after(trouble: Option<ExitCode>, failure: &Failure, console: &Console) -> ExitCode {
    console.fail(failure);
    crate::gate::worst(&[trouble.unwrap_or(ExitCode::Ok), failure.exit_code()])
}

/// The names and categories that a selection may have meant.
fn meant(selection: &Selection, names: &[String], categories: &[String]) -> Vec<String> {
    let of = |patterns: &[String], all: &[String]| -> Vec<String> {
        patterns.iter().flat_map(|pattern| crate::nearest::nearest(pattern, all, 3)).collect()
    };
    let mut nearest = of(&selection.filters, names);
    nearest.extend(of(&selection.categories, categories));
    nearest.extend(of(&selection.all_categories, categories));
    nearest.dedup();
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(bench: &str, why: &str, instead: &str) -> Skipped {
        Skipped { name: format!("p/{bench}"), bench: bench.into(), why: why.into(), instead: instead.into() }
    }

    #[test]
    fn what_is_skipped_takes_a_line_for_each_reason() {
        let instead = |bench: &str| format!("`cargo bench --package p --bench {bench}` runs it");
        let list = [
            skipped("a", "uses criterion", &instead("a")),
            skipped("b", "needs the feature `simd`", "add `--features simd`"),
            skipped("c", "uses criterion", &instead("c")),
        ];
        assert_eq!(
            skip_notes(&list),
            [
                "skipped `p/a` and `p/c`, which use criterion: `cargo bench --package p --bench NAME` runs it; to port \
                 it: `tare help moving`",
                "skipped `p/b`, which needs the feature `simd`: add `--features simd`",
            ]
        );
    }
}
