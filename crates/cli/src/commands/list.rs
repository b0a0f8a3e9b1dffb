//! `tare list`: lists the benchmarks.

use crate::args::ListArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::jobs;
use crate::pipeline::{self, prepare_jobs, Prepared};
use crate::request::Settings;
use serde::Serialize;
use std::collections::BTreeSet;
use tare_engine::{filter_name, unmeasurable, CatalogEntry};
use tare_model::{Artifact, Benchmark, ChildFacts, ExitCode, FailureKind};
use tare_report::{clean, width, Glyphs, Line, Role};

pub fn list(args: &ListArgs, settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    let jobs = settings.jobs.over(&settings.build.job)?;
    let of_jobs = jobs::build_options(&settings.build, &jobs);
    let mut prepared = prepare_jobs(&settings.places(), &of_jobs, settings.amount.policy().timeout_s, console)?;
    if settings.jobs.is_empty() {
        // As `tare run` names them.
        prepared.entries = prepared.entries.into_iter().map(jobs::merged).collect();
    }
    let trouble = prepared.trouble;
    let prepared = match prepared.narrow(&settings.selection, console) {
        Err(failure) if trouble.is_some() => return Ok(pipeline::after(trouble, &failure, console)),
        narrowed => narrowed?,
    };
    let text = if args.json {
        json(&prepared)
    } else if args.tree {
        console.render(&tree(&prepared, console.glyphs))
    } else {
        console.render(&flat(&prepared))
    };
    console.data(&text)?;
    let trouble = pipeline::either(prepared.trouble, name_unmeasurable(&prepared, console));
    Ok(trouble.unwrap_or(ExitCode::Ok))
}

/// Reports why benchmarks cannot be measured or are skipped, once per benchmark and reason. The exit code if a file could not be loaded, as
/// it may have others.
fn name_unmeasurable(prepared: &Prepared, console: &Console) -> Option<ExitCode> {
    let mut found: Vec<(&Benchmark, FailureKind, usize)> = Vec::new();
    for benchmark in prepared.entries.iter().flat_map(|entry| &entry.benchmarks) {
        let Some(cause) = unmeasurable(benchmark) else { continue };
        match found.last_mut() {
            Some((last, same, more))
                if (&last.group, &last.name) == (&benchmark.group, &benchmark.name) && *same == cause =>
            {
                *more += 1;
            }
            _ => found.push((benchmark, cause, 0)),
        }
    }
    let is_whole = !found.iter().any(|(_, cause, _)| cause.is_not_imported());
    for (benchmark, cause, more) in found {
        let name = filter_name(benchmark);
        let name = match more {
            0 => format!("`{name}`"),
            1 => format!("`{name}` and 1 more of its cases"),
            _ => format!("`{name}` and {more} more of its cases"),
        };
        match cause {
            FailureKind::Skipped { reason } => console.note(&clean(&format!("{name}: skipped: {reason}"))),
            FailureKind::Declaration { reason } => {
                console.warn(&clean(&format!("{name} cannot be measured: {reason}")));
            }
            cause => console.warn(&clean(&format!("{name} cannot be measured: it {}", cause.text()))),
        }
    }
    (!is_whole).then_some(ExitCode::BuildFailed)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    programs: Vec<Program<'a>>,
}

#[derive(Serialize)]
struct Program<'a> {
    name: &'a str,
    language: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    job: &'a str,
    child: Option<&'a ChildFacts>,
    benchmarks: &'a [Benchmark],
}

fn json(prepared: &Prepared) -> String {
    let programs = prepared.entries.iter().map(|entry| {
        let artifact = &prepared.artifacts[entry.artifact as usize];
        Program {
            name: &artifact.name,
            language: &artifact.language,
            job: job_of(prepared, artifact),
            child: artifact.child.as_ref(),
            benchmarks: &entry.benchmarks,
        }
    });
    let document = Document { format: "tare-list", version: "1.0", programs: programs.collect() };
    serde_json::to_string_pretty(&document).expect("a list is plain data") + "\n"
}

fn job_of<'a>(prepared: &'a Prepared, artifact: &Artifact) -> &'a str {
    prepared.jobs.get(artifact.job as usize).map_or("", String::as_str)
}

fn behind(prepared: &Prepared, artifact: &Artifact) -> String {
    match prepared.jobs.len() {
        0 | 1 => String::new(),
        _ => format!("@{}", clean(job_of(prepared, artifact))),
    }
}

/// One line per benchmark, in the form that `--filter` takes.
fn flat(prepared: &Prepared) -> Vec<Line> {
    let programs: BTreeSet<&str> = prepared.entries.iter().map(|entry| entry.program.as_str()).collect();
    let several = programs.len() > 1;
    let name = |entry: &CatalogEntry, benchmark: &Benchmark| {
        let artifact = &prepared.artifacts[entry.artifact as usize];
        clean(&filter_name(benchmark)) + &behind(prepared, artifact)
    };
    // Limits the alignment, so that one long name does not push the programs off the screen.
    const ALIGNED_MAX: usize = 60;
    let names = prepared.entries.iter().flat_map(|e| e.benchmarks.iter().map(|b| width(&name(e, b))));
    let room = names.filter(|w| *w <= ALIGNED_MAX).max().unwrap_or(0);
    let mut lines = Vec::new();
    for entry in &prepared.entries {
        for benchmark in &entry.benchmarks {
            let mut line = Line::of(Role::Plain, name(entry, benchmark));
            if several {
                line.pad_to(room);
                line.push(Role::Quiet, format!("  {}", clean(&entry.program)));
            }
            lines.push(line);
        }
    }
    lines
}

fn tree(prepared: &Prepared, glyphs: Glyphs) -> Vec<Line> {
    let (fork, last, rail) = match glyphs {
        Glyphs::Unicode => ("├─ ", "╰─ ", "│  "),
        Glyphs::Ascii => ("|- ", "`- ", "|  "),
    };
    let mut lines = Vec::new();
    for entry in &prepared.entries {
        let artifact = &prepared.artifacts[entry.artifact as usize];
        let language = artifact.child.as_ref().map_or(artifact.language.as_str(), |c| c.language.as_str());
        let diagnosers = artifact.child.as_ref().map_or(&[][..], |child| &child.diagnosers);
        let names: Vec<&str> = diagnosers.iter().map(|diagnoser| diagnoser.name.as_str()).collect();
        let diagnosers = if names.is_empty() { String::new() } else { format!("  diagnosers: {}", names.join(", ")) };
        let about = format!("  {}{diagnosers}", clean(language));
        let title = clean(&entry.program) + &behind(prepared, artifact);
        lines.push(Line::of(Role::Heading, title).with(Role::Quiet, about));
        let groups = groups(&entry.benchmarks);
        for (at, (group, members)) in groups.iter().enumerate() {
            let is_last = at + 1 == groups.len();
            let title = if group.is_empty() { "(no group)".to_owned() } else { clean(group) };
            lines.push(Line::of(Role::Quiet, if is_last { last } else { fork }).with(Role::Plain, title));
            for (at, benchmark) in members.iter().enumerate() {
                let stem = if is_last { "   " } else { rail };
                let branch = if at + 1 == members.len() { last } else { fork };
                lines.push(leaf(benchmark, &format!("{stem}{branch}")));
            }
        }
    }
    lines
}

fn leaf(benchmark: &Benchmark, stem: &str) -> Line {
    let mut line = Line::of(Role::Quiet, stem).with(Role::Plain, clean(&benchmark.name));
    let parameters = benchmark.parameter_text();
    if !parameters.is_empty() {
        line.push(Role::Plain, format!("[{}]", clean(&parameters)));
    }
    if benchmark.baseline {
        line.push(Role::Quiet, "  base");
    }
    if !benchmark.categories.is_empty() {
        line.push(Role::Quiet, format!("  categories: {}", clean(&benchmark.categories.join(", "))));
    }
    if !benchmark.jobs.is_empty() {
        let names: Vec<&str> = benchmark.jobs.iter().map(|job| job.name.as_str()).collect();
        line.push(Role::Quiet, format!("  jobs: {}", clean(&names.join(", "))));
    }
    if let Some(reason) = &benchmark.skipped {
        line.push(Role::Quiet, format!("  skipped: {}", clean(reason)));
    }
    if !benchmark.description.is_empty() {
        line.push(Role::Quiet, format!("  {}", clean(&benchmark.description)));
    }
    line
}

fn groups(benchmarks: &[Benchmark]) -> Vec<(&str, Vec<&Benchmark>)> {
    let mut groups: Vec<(&str, Vec<&Benchmark>)> = Vec::new();
    for benchmark in benchmarks {
        match groups.iter_mut().find(|(name, _)| *name == benchmark.group) {
            Some((_, members)) => members.push(benchmark),
            None => groups.push((&benchmark.group, vec![benchmark])),
        }
    }
    groups
}
