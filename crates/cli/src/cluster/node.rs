//! Measures one part of a run on a node. The script of the run starts it, never a person.

use super::folder::Folder;
use crate::console::Console;
use crate::diagnose::{self, Diagnosing};
use crate::failure::Failure;
use crate::recording::{self, Recorded};
use crate::request::{self, Settings};
use crate::session::Session;
use crate::time;
use std::collections::BTreeSet;
use std::path::Path;
use tare_build::toolchain;
use tare_model::{Event, ExitCode, Run, RunStatus};
use tare_report::clean;
use tare_store::Store;

pub const WORD: &str = "part-of-run";

pub fn asked(console: &Console) -> Option<ExitCode> {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let [word, run, part, job, restart] = words.as_slice() else { return None };
    if word != WORD {
        return None;
    }
    let numbers = || Some((part.parse().ok()?, job.parse().ok()?, restart.parse().ok()?));
    let measured = numbers()
        .ok_or_else(|| Failure::Usage {
            what: format!("`{part} {job} {restart}` are not the numbers of a part"),
            hint: "this command is for the script that `tare run --on` writes".to_owned(),
        })
        .and_then(|numbers| measure(&Folder::of(Path::new(run))?, numbers, console));
    Some(measured.unwrap_or_else(|failure| {
        console.fail(&failure);
        failure.exit_code()
    }))
}

fn measure(folder: &Folder, (part, job, restart): (usize, u64, u32), console: &Console) -> Result<ExitCode, Failure> {
    let cut = folder.cut()?;
    let groups = cut.parts.get(part).ok_or_else(|| Failure::Usage {
        what: format!("run `{}` has no part {part}", &folder.id),
        hint: format!("its parts are 0 to {}", cut.parts.len().saturating_sub(1)),
    })?;
    let id = folder.part_id(part, job, restart);
    let started = started_here(folder.started()?, id, groups, console)?;
    let run = Run::of(&started).ok_or_else(|| Failure::Bug { what: "the run has no start".to_owned() })?;
    has_programs(&run)?;
    let diagnosing = Diagnosing { known: request::known_diagnosers()?, ..Diagnosing::default() };
    let diagnosers = diagnose::of_run(&run, &diagnosing.known, console);
    let settings = Settings { diagnosing, recorded: Recorded::kept(true), ..Settings::default() };
    let session = Session { settings: &settings, store: &Store::of_parts(&folder.run), console };
    let done = session.measure_here(started, diagnosers)?;
    match done.broken {
        Some(error) => Err(Failure::Store(error)),
        None if done.run.status == RunStatus::Finished => Ok(ExitCode::Ok),
        None => Ok(ExitCode::Interrupted),
    }
}

/// The first event of the part: that of the whole run, with the machine of this node.
fn started_here(mut started: Event, part_id: String, groups: &[u32], console: &Console) -> Result<Event, Failure> {
    let Event::RunStarted { id, created, environment, artifacts, plan, .. } = &mut started else {
        return Err(Failure::Bug { what: "the run has no start".to_owned() });
    };
    (*id, *created) = (part_id, time::now());
    let mut here = recording::environment_here(artifacts, console);
    here.git = environment.git.take();
    **environment = here;
    let cases = groups.iter().map(|group| plan.groups[*group as usize].cases.len()).sum::<usize>();
    // Its share of the total time, since parts run in parallel.
    let share = cases as f64 / plan.cases.len().max(1) as f64;
    plan.policy.budget_s = plan.policy.budget_s.map(|budget_s| budget_s * share);
    plan.only = groups.to_vec();
    Ok(started)
}

fn has_programs(run: &Run) -> Result<(), Failure> {
    let groups = run.plan.only.iter().map(|group| &run.plan.groups[*group as usize]);
    let cases = groups.flat_map(|group| &group.cases).map(|case| &run.plan.cases[*case as usize]);
    let used: BTreeSet<u32> = cases.map(|case| case.artifact).collect();
    let node = std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| "this node".to_owned());
    for artifact in used.into_iter().filter_map(|at| run.artifacts.get(at as usize)) {
        toolchain::is_as_measured(artifact).map_err(|change| Failure::Cluster {
            what: format!("`{}` cannot be measured on {}: {change}", clean(&artifact.name), clean(&node)),
            hint:
                "nodes must see the programs under the paths that they have on the login node: keep the project, and \
                   `$XDG_CACHE_HOME`, in a folder that all nodes share"
                    .to_owned(),
        })?;
    }
    Ok(())
}
