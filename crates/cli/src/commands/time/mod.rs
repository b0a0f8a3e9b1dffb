//! `tare time`: whole commands. They are benchmarks of a child that `tare` itself is, so that all else is as for any other run.

mod declared;
mod runs;

use super::no_result;
use super::run::Ending;
use crate::args::TimeArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::forms::{self, Forms};
use crate::gate::{self, Least};
use crate::pipeline::{self, Prepared};
use crate::recording::{self, Recorded, Start};
use crate::steps::{Steps, CHILD};
use declared::{all_found, declared, Declared};
use std::io::BufReader;
use std::path::Path;
use std::process;
use tare_analysis::gate::{Gate, Scope};
use tare_build::toolchain::command_artifact;
use tare_diagnose::Diagnosers;
use tare_engine::Effort;
use tare_harness::command::Spec;
use tare_model::{Clocking, ExitCode, Missing, Plan, Policy, Profile, Request, Run, Stage};
use tare_report::clean;
use tare_store::Store;

const PROGRAM: &str = "commands";
/// Longest time of one request to the child, s: commands may take long, and a user can interrupt.
const TIMEOUT_S: f64 = 3600.0;

pub fn child() -> Option<process::ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != CHILD {
        return None;
    }
    let spec: String = arguments.map(|text| text.to_string_lossy().into_owned()).collect();
    let (requests, replies) = match tare_process::child_link() {
        Ok(Some(link)) => link,
        // R1, R2: whoever starts it by hand learns what it is for.
        Ok(None) => return Some(refused("this is the part of `tare` that measures commands; use `tare time`")),
        Err(error) => return Some(refused(&error.to_string())),
    };
    Some(match Spec::parse(&spec) {
        Ok(spec) => match tare_harness::command::serve(&spec, BufReader::new(requests), replies) {
            Ok(()) => process::ExitCode::SUCCESS,
            Err(error) => refused(&error.to_string()),
        },
        Err(error) => refused(&error),
    })
}

fn refused(why: &str) -> process::ExitCode {
    eprintln!("error: {why}");
    process::ExitCode::from(2)
}

pub fn time(args: &TimeArgs, request: &Request, console: &Console) -> Result<ExitCode, Failure> {
    let forms = forms::asked(&args.output)?;
    no_result::guard(&forms.outputs, console, || time_to(args, request, &forms, console))
}

fn time_to(args: &TimeArgs, request: &Request, forms: &Forms, console: &Console) -> Result<ExitCode, Failure> {
    let gate = gate::gate(&args.gate);
    // Limits of a project are about its benchmarks.
    let scope = Scope { is_whole: false, left_out: Vec::new() };
    let gate = Gate { limits: Vec::new(), scope, ..gate };
    let store = Store::find_unless(args.no_save, Path::new(".")).map_err(Failure::Store)?;
    let policy = policy(args, console);
    gate::check(&gate, policy.minimum_effect, Least::MinimumEffect)?;
    let declared = declared(args)?;
    if let Some(why) = &declared.why_shell {
        console.note(&clean(&format!("`sh` runs the commands, because {why}; its start is subtracted from the times")));
    }
    let has_shell = !declared.spec.shell.is_empty();
    let steps = Steps::of_spec(&declared.spec);
    steps.set_up(console)?;
    let measured = measured((args, request), declared, policy, &store, console);
    let cleaned = steps.clean_up(console);
    let measured = measured?;
    note_process(&measured.run, has_shell, console);
    let code =
        Ending { request, forms, order: args.order.order, gate: &gate, top: None }.conclude(measured, console)?;
    Ok(gate::worst(&[code, cleaned]))
}

fn note_process(run: &Run, has_shell: bool, console: &Console) {
    /// It is much from this share on.
    const MUCH: f64 = 0.1;
    let actual = run.launches.iter().flat_map(|l| &l.series).filter(|series| series.stage == Stage::Actual);
    let shortest = actual.flat_map(|series| series.columns.elapsed_ns.iter().copied()).reduce(f64::min);
    let (Some(shortest), Some(process)) = (shortest, tare_harness::command::process_ns()) else { return };
    if process >= MUCH * shortest {
        let time = tare_report::duration(process, console.glyphs);
        let where_it_is = match has_shell {
            true => "that of the shell is subtracted, that of each program that a command starts is in its time",
            false => "it is in every time",
        };
        console.note(&format!("starting and ending a process takes {time} here (`true`): {where_it_is}"));
    }
}

fn measured(
    (args, request): (&TimeArgs, &Request),
    declared: Declared,
    mut policy: Policy,
    store: &Store,
    console: &Console,
) -> Result<recording::Done, Failure> {
    all_found(&declared.spec)?;
    let mut prepared = prepare(&declared.spec, policy.timeout_s, console)?;
    prepared.artifacts.iter_mut().for_each(|artifact| artifact.context.clone_from(&declared.context));
    policy.budget_s = args.effort.budget.and_then(|budget| budget.for_cases(prepared.names().len()));
    let plan = plan(&prepared, &declared, policy, args.effort.seed.unwrap_or_else(recording::random_seed));
    let (artifacts, jobs) = (prepared.artifacts, vec![tare_model::Job::default()]);
    let start = Start {
        artifacts,
        jobs,
        sides: None,
        missing: Missing::default(),
        plan,
        request: request.clone(),
        code: Path::new("."),
    };
    let how = Recorded { stop_on_error: args.effort.stop_on_error, ..Recorded::kept(!args.no_save) };
    recording::measure_start(start, Diagnosers::default(), store, how, console)
}

/// Characters in an argument: Linux takes 128 KiB in one, and a character has up to 4 bytes.
const PIECE: usize = 30_000;

fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

fn prepare(spec: &Spec, timeout_s: f64, console: &Console) -> Result<Prepared, Failure> {
    let cannot = |source| Failure::CannotRead { path: "tare".into(), source };
    let tare = std::env::current_exe().map_err(cannot)?;
    let mut words = vec![tare.to_string_lossy().into_owned(), CHILD.to_owned()];
    words.extend(pieces(&spec.text()));
    let artifact = command_artifact(PROGRAM, words).map_err(cannot)?;
    // Nothing lists its commands but the command line itself.
    let list = String::new();
    pipeline::list_built(
        vec![Ok(artifact)],
        &[tare_model::Job::default()],
        timeout_s,
        (list, false),
        console,
        &|failure| failure,
    )
}

fn plan(prepared: &Prepared, declared: &Declared, policy: Policy, seed: u64) -> Plan {
    let plan = tare_engine::plan(&prepared.entries, policy, seed);
    let by_value = declared.baseline.as_ref().and_then(|value| tare_engine::compare_parameter(plan.clone(), value));
    match by_value {
        Some(plan) => plan,
        // Several parameters of one command: whatever differs, the first is the base.
        None if declared.of_parameters && plan.cases.len() > 1 => tare_engine::compare_all(plan),
        None => plan,
    }
}

/// The rules: as for benchmarks, but a process needs no warm-up of its own, and long commands have few runs in each launch.
fn policy(args: &TimeArgs, console: &Console) -> Policy {
    let asked = &args.effort;
    let profile = match (asked.quick, asked.long) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Long,
        _ => Profile::Default,
    };
    let fitting = asked.runs.map(runs::launches_and_rounds);
    if let (Some(forms), Some((launches, rounds))) = (asked.runs, fitting) {
        if launches * rounds != forms {
            console.note(&format!("`--runs {forms}` is rounded up to {} to fill waves", launches * rounds));
        }
    }
    let effort = Effort {
        profile,
        launches: asked.launches.or(fitting.map(|(launches, _)| launches)),
        rounds: fitting.map(|(_, rounds)| rounds),
        minimum_effect: asked.min_effect,
        timeout_s: Some(asked.timeout.unwrap_or(TIMEOUT_S)),
        clocking: Clocking::Wall,
        ..Effort::default()
    };
    let policy = Policy { warmup_ns: Some(0.0), keep_order: asked.keep_order, ..effort.policy() };
    match fitting {
        // As many runs as were asked for, however long or short they are.
        Some(_) => Policy { launch_ns: Some(1e18), visit_ns: 1.0, ..policy },
        None => Policy { launch_ns: Some(runs::launch_ns(profile)), rounds: runs::ROUNDS_MAX, ..policy },
    }
}
