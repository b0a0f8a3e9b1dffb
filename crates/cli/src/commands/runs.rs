//! `tare runs`: what is in the store.

use crate::args::RunsArgs;
use crate::console::Console;
use crate::failure::Failure;
use serde::Serialize;
use std::path::Path;
use tare_model::{ExitCode, RunStatus};
use tare_report::{bytes, clean, cut_end, Line, Role};
use tare_store::{RunInfo, Store};

/// `tare runs`.
pub fn runs(args: &RunsArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let list = store.list().map_err(Failure::Store)?;
    if args.json {
        console.data(&json(&list))?;
    } else if list.is_empty() {
        console.note("there is no run yet: `tare run`");
    } else {
        console.result(&console.render(&lines(&list, console)))?;
    }
    Ok(ExitCode::Ok)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    runs: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    created: &'a str,
    state: &'static str,
    cases: usize,
    failed: usize,
    elapsed_s: f64,
    bytes: u64,
    command: &'a [String],
}

fn json(list: &[RunInfo]) -> String {
    let document = Document { format: "tare-runs", version: "1.0", runs: list.iter().map(entry).collect() };
    serde_json::to_string_pretty(&document).expect("a list is plain data") + "\n"
}

fn entry(run: &RunInfo) -> Entry<'_> {
    Entry {
        id: &run.id,
        created: &run.created,
        state: state(run).0,
        cases: run.cases,
        failed: run.failed,
        elapsed_s: run.elapsed_s,
        bytes: run.bytes,
        command: &run.command,
    }
}

fn state(run: &RunInfo) -> (&'static str, Role) {
    match (run.status, run.running) {
        (RunStatus::Finished, _) => ("finished", Role::Plain),
        (_, true) => ("running", Role::Good),
        (RunStatus::Interrupted, false) => ("interrupted", Role::Warning),
        (RunStatus::Open, false) => ("killed", Role::Warning),
    }
}

fn lines(list: &[RunInfo], console: &Console) -> Vec<Line> {
    let columns = console.view(true).columns;
    let mut lines =
        vec![Line::of(Role::Quiet, "id        made                  state        cases  failed      size  command")];
    for run in list {
        let (state, role) = state(run);
        let mut line = Line::of(Role::Command, format!("{:<8}", clean(&run.id)));
        line.push(Role::Plain, format!("  {:<20}", clean(&run.created)));
        line.push(role, format!("  {state:<11}"));
        line.push(Role::Plain, format!("  {:>5}", run.cases));
        line.push(if run.failed > 0 { Role::Error } else { Role::Plain }, format!("  {:>6}", run.failed));
        line.push(Role::Plain, format!("  {:>8}  ", bytes(run.bytes as f64)));
        let room = columns.saturating_sub(line.width()).max(10);
        line.push(Role::Quiet, cut_end(&clean(&run.command.join(" ")), room, console.glyphs));
        lines.push(line);
    }
    let total: u64 = list.iter().map(|run| run.bytes).sum();
    lines.push(Line::of(Role::Quiet, format!("{} in {}", count(list.len()), bytes(total as f64))));
    let resumable = list.iter().find(|run| run.status != RunStatus::Finished && !run.running);
    let next = match resumable {
        Some(run) => format!("tare run --resume {}", clean(&run.id)),
        None => format!("tare show {}", clean(&list[0].id)),
    };
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, next));
    lines
}

fn count(runs: usize) -> String {
    format!("{runs} {}", if runs == 1 { "run" } else { "runs" })
}
