//! `tare runs`: lists the store.

use super::bisect::has_journal;
use crate::args::RunsArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::request;
use serde_json::{json, Value};
use std::path::Path;
use tare_model::text::plural;
use tare_model::{ExitCode, RunStatus};
use tare_report::{bytes, clean, cut_end, Glyphs, Line, Role};
use tare_store::{RunInfo, Store};

pub fn runs(args: &RunsArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let list = store.list().map_err(Failure::Store)?;
    if args.json {
        console.data(&json(&list))?;
    } else if list.is_empty() {
        console.note("no runs yet: start with `tare run`");
    } else {
        console.result(&console.render(&lines(&list, &|id| has_journal(id, &store), console)))?;
    }
    Ok(ExitCode::Ok)
}

fn json(list: &[RunInfo]) -> String {
    let entry = |run: &RunInfo| {
        json!({
            "id": run.id,
            "created": run.created,
            "state": state(run).0,
            "cases": run.cases,
            "failed": run.failed,
            "elapsed_s": run.elapsed_s,
            "bytes": run.bytes,
            "command": run.command,
        })
    };
    let runs: Vec<Value> = list.iter().map(entry).collect();
    format!("{:#}\n", json!({ "format": "tare-runs", "version": "1.0", "runs": runs }))
}

fn state(run: &RunInfo) -> (&'static str, Role) {
    match (run.status, run.running) {
        (RunStatus::Finished, _) => ("finished", Role::Plain),
        (_, true) => ("running", Role::Good),
        _ if run.damaged => ("damaged", Role::Error),
        (RunStatus::Interrupted, false) => ("interrupted", Role::Warning),
        // It was killed, or could not write its end because the disk was full.
        (RunStatus::Open, false) => ("unfinished", Role::Warning),
    }
}

/// `2026-11-20T22:17:18Z` to the minute; the title says that it is UTC.
fn minute(created: &str) -> String {
    clean(&created.chars().take(16).collect::<String>().replace('T', " "))
}

fn command(run: &RunInfo) -> String {
    clean(&run.command.get(1..).unwrap_or_default().join(" "))
}

fn table(list: &[RunInfo], columns: usize, glyphs: Glyphs) -> Vec<Line> {
    // A column that is the same and normal in all rows is omitted.
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

fn lines(list: &[RunInfo], has_journal: &dyn Fn(&str) -> bool, console: &Console) -> Vec<Line> {
    let mut lines = table(list, console.view(true).columns, console.glyphs);
    lines.push(Line::new());
    let total: u64 = list.iter().map(|run| run.bytes).sum();
    lines.push(Line::of(Role::Quiet, format!("{} in {}", plural(list.len(), "run"), bytes(total as f64))));
    let next = match resume(list, has_journal) {
        Some(command) => command,
        None => format!("tare show {}", clean(&list[0].id)),
    };
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, next));
    lines
}

fn resume(list: &[RunInfo], has_journal: &dyn Fn(&str) -> bool) -> Option<String> {
    list.iter()
        .enumerate()
        .filter(|(_, run)| run.status != RunStatus::Finished && !run.running && !run.damaged)
        .find_map(|(at, run)| {
            let request = request::of_words(&run.command);
            let (verb, id) = match request.verb.as_str() {
                "compare" => ("compare", run.id.as_str()),
                // The bisection has the id of the comparison of its ends.
                "bisect" => ("bisect", list[at..].iter().find(|run| has_journal(&run.id))?.id.as_str()),
                _ => ("run", run.id.as_str()),
            };
            Some(format!("tare {verb} --resume {}", clean(id)))
        })
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
            damaged: false,
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
    fn what_was_stopped_is_continued_by_its_own_command() {
        let of = |id: &str, status, words: &[&str]| RunInfo {
            command: ["tare"].iter().chain(words).map(|word| (*word).to_owned()).collect(),
            ..run(id, status, 0)
        };
        let next = |list: &[RunInfo]| resume(list, &|id| id == "aaaa0001");
        let ends = |status| of("aaaa0001", status, &["bisect", "v1", "v2"]);
        let bisect = Some("tare bisect --resume aaaa0001".to_owned());
        assert_eq!(next(&[ends(RunStatus::Interrupted)]), bisect);
        // A commit between the ends: the id of the bisection is that of its ends.
        let between = of("bbbb0002", RunStatus::Interrupted, &["bisect", "v1", "v2"]);
        assert_eq!(next(&[between.clone(), ends(RunStatus::Finished)]), bisect);
        let again = of("bbbb0003", RunStatus::Interrupted, &["bisect", "--resume", "aaaa0001"]);
        assert_eq!(next(&[again, ends(RunStatus::Finished)]), bisect);
        // Without a journal there is nothing to resume.
        assert_eq!(next(&[between]), None);
        let other = of("cccc0004", RunStatus::Open, &["compare", "v1", "v2"]);
        assert_eq!(next(&[other]), Some("tare compare --resume cccc0004".to_owned()));
        assert_eq!(next(&[run("dddd0005", RunStatus::Open, 0)]), Some("tare run --resume dddd0005".to_owned()));
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
