//! `tare run --dry`: runs every body once to see whether it works. It measures nothing and shows no times.

use crate::console::Console;
use crate::failure::Failure;
use crate::gate;
use crate::recording;
use tare_engine::{filter_name, unmeasurable};
use tare_model::{Artifact, Case, ExitCode, Job, Plan, Results, Step};
use tare_report::{clean, ended_otherwise, failure_hint_for, failure_text, shell_word, width, Line, Role, Volume};
use tare_runner::{DryResult, RunFolder};

enum Ended {
    Ran(DryResult),
    Skipped(String),
    Failed(tare_model::Failure),
}

pub fn dry(
    artifacts: &[Artifact],
    jobs: &[Job],
    plan: &Plan,
    keep_folder: bool,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let names: Vec<String> = plan.cases.iter().map(|case| name(case, jobs)).collect();
    // Limits the alignment, so that one long name does not push the other results off the screen.
    const ALIGNED_MAX: usize = 60;
    let room = names.iter().map(|name| width(name)).filter(|w| *w <= ALIGNED_MAX).max().unwrap_or(0);
    let folder = RunFolder::new();
    let mut counts = [0; 3];
    let mut failures = Vec::new();
    let mut returned: Vec<Option<DryResult>> = Vec::new();
    for (case, name) in plan.cases.iter().zip(&names) {
        let artifact = &artifacts[case.artifact as usize];
        let job = jobs.get(case.job as usize).cloned().unwrap_or_default();
        let Some(ended) = run(case, artifact, &job, plan, &folder) else { return Err(Failure::Interrupted) };
        let mut line = Line::of(Role::Plain, name.clone());
        line.pad_to(room);
        let (place, word, role, text) = match &ended {
            Ended::Ran(ran) => (0, "ran", Role::Good, ran.text.clone().unwrap_or_default()),
            Ended::Skipped(reason) => (1, "skipped", Role::Quiet, reason.clone()),
            Ended::Failed(failure) => (2, "failed", Role::Error, failure_text(failure)),
        };
        counts[place] += 1;
        line.push(role, format!("  {word:<7}"));
        if !text.is_empty() {
            line.push(Role::Plain, format!("  {}", clean(&text)));
        }
        if console.volume != Volume::Quiet || place == 2 {
            console.data(&console.render(&[line.fit(console.columns(), console.glyphs)]))?;
        }
        returned.push(match ended {
            Ended::Ran(ran) => Some(ran),
            Ended::Skipped(_) => None,
            Ended::Failed(failure) => {
                failures.push((name, artifact, failure));
                None
            }
        });
    }
    recording::end_folder(folder, keep_folder, console);
    for (one, base) in differing(plan, &returned) {
        let (one, base) = (&names[one as usize], &names[base as usize]);
        console.warn(&format!("`{one}` and `{base}` returned different results: they may not do the same work"));
    }
    for (name, artifact, failure) in &failures {
        console.say(&lines_of(name, artifact, failure));
    }
    console.say(&[Line::of(Role::Quiet, summary(counts))]);
    Ok(gate::of_failures(failures.iter().map(|(_, _, failure)| failure)))
}

/// `group/name[n=10]`, with the job if there are several.
fn name(case: &Case, jobs: &[Job]) -> String {
    let name = clean(&filter_name(&case.benchmark));
    match jobs.get(case.job as usize) {
        Some(job) if jobs.len() > 1 => format!("{name}@{}", clean(&job.id)),
        _ => name,
    }
}

/// Cases whose result differs from that of the same benchmark under the base job, each paired with that case.
fn differing(plan: &Plan, returned: &[Option<DryResult>]) -> Vec<(u32, u32)> {
    let digest = |case: u32| returned.get(case as usize).and_then(Option::as_ref).map(|ran| &ran.digest);
    let key = |case: u32| &plan.cases[case as usize].key;
    let mut all = Vec::new();
    for group in &plan.groups {
        let Some(base) = group.baseline else { continue };
        let differs = |case: &u32| {
            let changes = plan.cases[*case as usize].benchmark.results == Results::Change;
            !changes
                && key(*case) == key(base)
                && digest(*case).zip(digest(base)).is_some_and(|(one, other)| one != other)
        };
        all.extend(group.contestants().filter(differs).map(|case| (case, base)));
    }
    all
}

/// None if the user interrupted.
fn run(case: &Case, artifact: &Artifact, job: &Job, plan: &Plan, folder: &RunFolder) -> Option<Ended> {
    let failed = |failure: tare_model::Failure| match failure.skipped() {
        Some(reason) => Ended::Skipped(reason.to_owned()),
        None => Ended::Failed(failure),
    };
    if let Some(cause) = unmeasurable(&case.benchmark) {
        return Some(failed(tare_model::Failure { cause, step: Step::List, output: Vec::new() }));
    }
    let folder = folder.of(case.artifact);
    match tare_runner::dry(artifact, job, &case.benchmark, folder.as_deref(), plan.seed | 1, plan.policy.timeout_s) {
        Ok(None) => None,
        Ok(Some(ran)) => Some(Ended::Ran(ran)),
        Err(_) if tare_process::interrupted() => None,
        Err(failure) => Some(failed(failure)),
    }
}

/// Output for a failure: the command, the last lines, and a hint.
fn lines_of(name: &str, artifact: &Artifact, failure: &tare_model::Failure) -> Vec<Line> {
    let mut lines =
        vec![Line::of(Role::Error, "error:").with(Role::Plain, format!(" {name}  {}", failure_text(failure)))];
    if ended_otherwise(&failure.cause) {
        let words: Vec<String> = artifact.command.iter().map(|word| shell_word(&clean(word))).collect();
        lines.push(Line::of(Role::Quiet, format!("  command: {}", words.join(" "))));
    }
    let output = failure.printed().map(|text| Line::of(Role::Quiet, format!("  | {}", clean(text))));
    lines.extend(output);
    match failure_hint_for(failure, &artifact.language) {
        "" => {}
        hint => lines.push(Line::of(Role::Command, "hint:").with(Role::Plain, format!(" {hint}"))),
    }
    lines.push(Line::new());
    lines
}

fn summary(counts: [usize; 3]) -> String {
    let [ran, skipped, failed] = counts;
    let parts = [(ran, "ran"), (skipped, "skipped"), (failed, "failed")];
    let parts: Vec<String> =
        parts.iter().filter(|(n, word)| *n > 0 || *word == "ran").map(|(n, word)| format!("{n} {word}")).collect();
    format!("{}; nothing was measured", parts.join(", "))
}
