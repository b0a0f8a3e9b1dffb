//! `tare time`: measures whole commands. They are the benchmarks of a child that is `tare` itself, so everything else is as in any other
//! run.

use crate::console::Console;
use crate::failure::Failure;
use crate::gate::{self, Least};
use crate::pipeline::{self, Prepared};
use crate::recording::Done;
use crate::request::{self, all_found, launches_and_rounds, Settings, Timed};
use crate::session::Session;
use crate::steps::{Steps, CHILD};
use std::io::BufReader;
use std::process;
use tare_build::toolchain::command_artifact;
use tare_engine::{launch_ns, Amount};
use tare_harness::command::Spec;
use tare_model::{ExitCode, Job, Plan, Policy, Run, Stage};

/// Maximum runs per launch: more runs of a short command add little compared with another launch.
const ROUNDS_MAX: u32 = 60;
const PROGRAM: &str = "commands";
/// Timeout of a request to the child, s. Commands may take long, and a user can interrupt.
const TIMEOUT_S: f64 = 3600.0;

pub fn child() -> Option<process::ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != CHILD {
        return None;
    }
    let spec: String = arguments.map(|text| text.to_string_lossy().into_owned()).collect();
    let (requests, replies) = match tare_process::child_link() {
        Ok(Some(link)) => link,
        // R1, R2: explains itself if started by hand.
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

pub fn time(settings: &Settings, console: &Console) -> Result<ExitCode, Failure> {
    Session::hold(settings, console, |session| {
        let (timed, policy) = (&settings.timed, policy(settings));
        gate::check(&settings.gate, policy.minimum_effect, Least::MinimumEffect)?;
        timed.notes().iter().for_each(|note| console.note(note));
        let steps = Steps::of_spec(&timed.spec);
        steps.set_up(console)?;
        let measured = measure(session, policy);
        let cleaned = steps.clean_up(console);
        let measured = measured?;
        note_process(&measured.run, !timed.spec.shell.is_empty(), console);
        Ok(gate::worst(&[session.conclude(measured, &settings.gate)?, cleaned]))
    })
}

fn measure(session: &Session, mut policy: Policy) -> Result<Done, Failure> {
    let Session { settings, console, .. } = *session;
    let Settings { timed, amount, .. } = settings;
    all_found(&timed.spec)?;
    let mut prepared = prepare(&timed.spec, policy.timeout_s, console)?;
    prepared.artifacts.iter_mut().for_each(|artifact| artifact.context.clone_from(&timed.context));
    policy.budget_s = amount.budget.and_then(|budget| budget.for_cases(prepared.names().len()));
    let plan = plan(&prepared, timed, policy, request::seed(amount));
    session.measure_times(session.start(prepared, vec![Job::default()], plan))
}

fn note_process(run: &Run, has_shell: bool, console: &Console) {
    /// Share from which it is worth a note.
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

/// Characters per argument: Linux takes 128 KiB in one, and a character has up to 4 bytes.
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
    // Commands exist only on the command line, so there is nothing to list.
    let list = String::new();
    pipeline::list_built(vec![Ok(artifact)], &[Job::default()], timeout_s, (list, false), console, &|failure| failure)
}

fn plan(prepared: &Prepared, timed: &Timed, policy: Policy, seed: u64) -> Plan {
    let plan = tare_engine::plan(&prepared.entries, policy, seed);
    let by_value = timed.baseline.as_ref().and_then(|value| tare_engine::compare_parameter(plan.clone(), value));
    match by_value {
        Some(plan) => plan,
        // Several parameters of one command: the first case is the base, whatever differs.
        None if timed.of_parameters && plan.cases.len() > 1 => tare_engine::compare_all(plan),
        None => plan,
    }
}

/// The usual rules, but a process needs no warm-up, and long commands get few runs per launch.
fn policy(settings: &Settings) -> Policy {
    let Settings { timed, amount, .. } = settings;
    let fitting = timed.runs.map(launches_and_rounds);
    let amount = Amount {
        launches: amount.launches.or(fitting.map(|(launches, _)| launches)),
        rounds: fitting.map(|(_, rounds)| rounds),
        timeout_s: amount.timeout_s.or(Some(TIMEOUT_S)),
        ..*amount
    };
    let policy = Policy { warmup_ns: Some(0.0), ..amount.policy() };
    match fitting {
        // Exactly the requested number of runs, whatever their length.
        Some(_) => Policy { launch_ns: Some(1e18), visit_ns: 1.0, ..policy },
        None => Policy { launch_ns: Some(launch_ns(amount.effort)), rounds: ROUNDS_MAX, ..policy },
    }
}
