//! Builds the programs for each job, and reports what is left out.

use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use crate::painter::Painter;
use std::path::PathBuf;
use tare_build::discover::{DiscoverError, Skipped, Target};
use tare_build::languages::is_in_front;
use tare_build::toolchain::{self, BuildEvent, BuildFailure, BuildOptions};
use tare_model::{Artifact, Job};

pub struct BuiltBefore<'a> {
    pub job: &'a Job,
    pub artifacts: Vec<Artifact>,
}

/// Builds the targets for each job, and returns those that the build found not to be benchmarks. A job with the same build as `before`
/// reuses it.
pub fn build_jobs(
    targets: &[Target],
    of_jobs: &[BuildOptions],
    before: Option<&BuiltBefore>,
    console: &Console,
) -> (Vec<Result<Artifact, BuildFailure>>, Vec<Skipped>) {
    let jobs: Vec<Job> = of_jobs.iter().map(|options| options.job.clone()).collect();
    let mut skipped = Vec::new();
    let mut painter = Painter::new(console);
    let mut all: Vec<Vec<Result<Artifact, BuildFailure>>> = Vec::new();
    for (at, options) in of_jobs.iter().enumerate() {
        let like = jobs[..at].iter().position(|other| other.builds_like(&options.job));
        let before = before.filter(|before| before.job.builds_like(&options.job));
        let built: Vec<Result<Artifact, BuildFailure>> = match (before, like) {
            (Some(before), _) => before.artifacts.iter().cloned().map(Ok).collect(),
            (None, Some(like)) => all[like].iter().filter(|built| built.is_ok()).cloned().collect(),
            (None, None) => toolchain::build(targets, options, &mut |event| match event {
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
    let has_main = || all.iter().flatten().flatten().any(is_in_front);
    if let Some(first) = of_jobs.first().filter(|options| !options.main_arguments.is_empty() && !has_main()) {
        let words = first.main_arguments.join(" ");
        console.warn(&format!("`-- {words}` has no effect: it is for the `Main` of a program with BenchmarkDotNet"));
    }
    let mut built = Vec::new();
    for (at, of_one) in all.into_iter().enumerate() {
        let failed = |failure: BuildFailure| BuildFailure { target: in_job(&failure.target, &jobs, at), ..failure };
        built.extend(of_one.into_iter().map(|built| built.map_err(failed)));
    }
    (built, skipped)
}

/// A target or program, with its job if there are several.
pub(super) fn in_job(name: &str, jobs: &[Job], at: usize) -> String {
    match jobs.get(at) {
        Some(job) if jobs.len() > 1 => format!("{name} (job {})", job.id),
        _ => name.to_owned(),
    }
}

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

pub fn all_skipped(paths: &[PathBuf], skipped: Vec<Skipped>) -> Failure {
    let path = paths.first().cloned().unwrap_or_else(|| PathBuf::from("."));
    Failure::Discover(DiscoverError::AllSkipped { path, skipped })
}

/// What was left out, one line per reason: the files, the reason, and the alternative. Languages with missing tools share a line.
pub fn skip_notes(skipped: &[Skipped]) -> Vec<String> {
    let mut missing: Vec<&str> = skipped.iter().filter_map(|one| one.missing.as_deref()).collect();
    missing.sort_unstable();
    missing.dedup();
    let not_run = (!missing.is_empty()).then(|| format!("not run here: {}", missing.join(", ")));
    let project = |s: &Skipped| s.name.strip_suffix(&s.bench).unwrap_or(&s.name).to_owned();
    let mut reasons: Vec<(String, &str, Vec<&Skipped>)> = Vec::new();
    for one in skipped.iter().filter(|one| one.missing.is_none()) {
        match reasons.iter_mut().find(|(of, why, _)| *of == project(one) && *why == one.why) {
            Some((.., members)) => members.push(one),
            None => reasons.push((project(one), &one.why, vec![one])),
        }
    }
    let line = |(_, why, members): (String, &str, Vec<&Skipped>)| {
        let names = quoted_list(&members.iter().map(|s| s.name.clone()).collect::<Vec<_>>());
        let is_moved = members.iter().any(|one| one.is_of_another_tool());
        let port = if is_moved { "; to port it, see `tare help moving`" } else { "" };
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
    reasons.into_iter().map(line).chain(not_run).collect()
}

pub fn has_cache(targets: &[Target], options: &BuildOptions) -> Result<(), Failure> {
    if options.cache.as_os_str().is_empty() && targets.iter().any(toolchain::needs_cache) {
        return Err(Failure::NoHome { variable: "XDG_CACHE_HOME" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::ColorChoice;
    use tare_report::{Glyphs, Volume};

    fn skipped(bench: &str, why: &str, instead: &str) -> Skipped {
        Skipped {
            name: format!("p/{bench}"),
            bench: bench.into(),
            why: why.into(),
            instead: instead.into(),
            missing: None,
        }
    }

    #[test]
    fn what_is_skipped_takes_a_line_for_each_reason() {
        let missing = |name: &str, what: &str| Skipped { missing: Some(what.into()), ..skipped(name, "needs it", "") };
        let instead = |bench: &str| format!("`cargo bench --package p --bench {bench}` runs it");
        let list = [
            skipped("a", "uses criterion", &instead("a")),
            skipped("b", "needs the feature `simd`", "add `--features simd`"),
            skipped("c", "uses criterion", &instead("c")),
            missing("a.cs", "C# (no `dotnet`)"),
            missing("go", "Go (no `go`)"),
            missing("b.cs", "C# (no `dotnet`)"),
        ];
        assert_eq!(
            skip_notes(&list),
            [
                "skipped `p/a` and `p/c`, which use criterion: `cargo bench --package p --bench NAME` runs it; to port it, see `tare help moving`",
                "skipped `p/b`, which needs the feature `simd`: add `--features simd`",
                "not run here: C# (no `dotnet`), Go (no `go`)",
            ]
        );
    }

    #[test]
    fn what_was_built_for_a_like_job_is_not_built_again() {
        let job = |toolchain: Option<&str>| Job {
            toolchain: toolchain.map(|runtime| ("c#".to_owned(), runtime.to_owned())).into_iter().collect(),
            ..Job::default()
        };
        let own = job(None);
        let artifacts = vec![Artifact { name: "p.cs".into(), ..Artifact::default() }];
        let before = BuiltBefore { job: &own, artifacts };
        let jobs = [job(Some("8.0")), Job { environment: [("GC".into(), "1".into())].into(), ..job(None) }];
        let of_jobs = jobs.map(|job| BuildOptions { job, ..BuildOptions::default() });
        let console = Console::new(ColorChoice::Never, Volume::Quiet, Glyphs::Ascii);
        // There are no targets, so the result comes from the earlier build.
        let (built, skipped) = build_jobs(&[], &of_jobs, Some(&before), &console);
        let built: Vec<(String, u32)> = built.into_iter().flatten().map(|built| (built.name, built.job)).collect();
        assert_eq!((built, skipped.len()), (vec![("p.cs".to_owned(), 1)], 0));
    }
}
