//! `tare runs`: what is in the store.

use crate::args::RunsArgs;
use crate::console::Console;
use crate::failure::Failure;
use serde::Serialize;
use std::path::Path;
use tare_model::{ExitCode, RunStatus};
use tare_report::{bytes, clean, cut_end, Glyphs, Line, Role};
use tare_store::{RunInfo, Store};

/// `tare runs`.
pub fn runs(args: &RunsArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let list = store.list().map_err(Failure::Store)?;
    if args.json {
        console.data(&json(&list))?;
    } else if list.is_empty() {
        console.note("no runs yet: start with `tare run`");
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

/// `2026-11-20T22:17:18Z` without what nobody looks for: the title says that it is UTC.
fn minute(created: &str) -> String {
    clean(&created.chars().take(16).collect::<String>().replace('T', " "))
}

/// The run's own command without the word that all have in common.
fn command(run: &RunInfo) -> String {
    clean(&run.command.get(1..).unwrap_or_default().join(" "))
}

fn table(list: &[RunInfo], columns: usize, glyphs: Glyphs) -> Vec<Line> {
    // What is the same and as it should be in all rows needs no column.
    let states = list.iter().any(|run| run.status != RunStatus::Finished);
    let failures = list.iter().any(|run| run.failed > 0);
    let mut title = format!("{:<8}  {:<16}", "id", "made (UTC)");
    if states {
        title += &format!("  {:<11}", "state");
    }
    title += "  cases";
    if failures {
        title += "  failed";
    }
    title += &format!("  {:>8}  command", "size");
    let mut lines = vec![Line::of(Role::Quiet, title)];
    for run in list {
        let mut line = Line::of(Role::Command, format!("{:<8}", clean(&run.id)));
        line.push(Role::Plain, format!("  {:<16}", minute(&run.created)));
        if states {
            let (state, role) = state(run);
            line.push(role, format!("  {state:<11}"));
        }
        line.push(Role::Plain, format!("  {:>5}", run.cases));
        if failures {
            line.push(if run.failed > 0 { Role::Error } else { Role::Plain }, format!("  {:>6}", run.failed));
        }
        line.push(Role::Plain, format!("  {:>8}  ", bytes(run.bytes as f64)));
        let room = columns.saturating_sub(line.width()).max(10);
        line.push(Role::Quiet, cut_end(&command(run), room, glyphs));
        lines.push(line);
    }
    lines
}

fn lines(list: &[RunInfo], console: &Console) -> Vec<Line> {
    let mut lines = table(list, console.view(true).columns, console.glyphs);
    lines.push(Line::new());
    let total: u64 = list.iter().map(|run| run.bytes).sum();
    lines.push(Line::of(Role::Quiet, format!("{} in {}", count(list.len()), bytes(total as f64))));
    let resumable = list.iter().find(|run| run.status != RunStatus::Finished && !run.running);
    let next = match resumable {
        Some(run) => {
            let is_comparison = run.command.get(1).is_some_and(|word| word == "compare");
            format!("tare {} --resume {}", if is_comparison { "compare" } else { "run" }, clean(&run.id))
        }
        None => format!("tare show {}", clean(&list[0].id)),
    };
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, next));
    lines
}

fn count(runs: usize) -> String {
    format!("{runs} {}", if runs == 1 { "run" } else { "runs" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, status: RunStatus, failed: usize) -> RunInfo {
        RunInfo {
            id: id.to_owned(),
            created: "2026-11-20T22:17:18Z".to_owned(),
            status,
            running: false,
            cases: 30,
            failed,
            elapsed_s: 8.2,
            bytes: 17_930_000,
            command: ["tare", "run", "examples/cpp", "--quick"].map(str::to_owned).to_vec(),
        }
    }

    fn shown(list: &[RunInfo], columns: usize) -> String {
        table(list, columns, Glyphs::Unicode).iter().map(|line| line.plain() + "\n").collect()
    }

    #[test]
    fn a_column_is_there_when_it_says_something() {
        insta::assert_snapshot!(shown(&[run("f7346fdb", RunStatus::Finished, 0)], 80), @r"
        id        made (UTC)        cases      size  command
        f7346fdb  2026-11-20 22:17     30  17.1 MiB  run examples/cpp --quick
        ");
        let list = [run("f7346fdb", RunStatus::Finished, 0), run("6aa5f159", RunStatus::Interrupted, 1)];
        insta::assert_snapshot!(shown(&list, 80), @r"
        id        made (UTC)        state        cases  failed      size  command
        f7346fdb  2026-11-20 22:17  finished        30       0  17.1 MiB  run examples/…
        6aa5f159  2026-11-20 22:17  interrupted     30       1  17.1 MiB  run examples/…
        ");
    }
}
