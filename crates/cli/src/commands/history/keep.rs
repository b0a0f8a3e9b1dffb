//! What is in a history: runs added as they end, all of them again, old ones removed.

use super::path_of;
use crate::args::KeepText;
use crate::console::Console;
use crate::failure::Failure;
use crate::recording::Done;
use crate::request;
use crate::time;
use std::collections::BTreeSet;
use std::path::Path;
use tare_analysis::history::history_of_run;
use tare_analysis::Report;
use tare_history::{set_aside, HistoryFile, Keep};
use tare_model::{ExitCode, Request, Run, RunStatus};
use tare_store::{RunRef, Store};
use tare_text::plural;

/// Adds a run that has just ended, where the project asks for it. A run is never lost by it: what goes wrong is a warning.
pub fn record(done: &Done, report: &Report, request: &Request, console: &Console) {
    if !request.project.contains_key(request::RECORD) || !done.saved || done.run.status != RunStatus::Finished {
        return;
    }
    let added = Store::find(Path::new(".")).map_err(Failure::Store).and_then(|store| {
        let mut file = HistoryFile::open(&path_of(&store)).map_err(Failure::History)?;
        let (run, points) = history_of_run(&done.run, report);
        file.append(&run, &points).map_err(Failure::History)
    });
    if let Err(failure) = added {
        let why = failure.what();
        console.warn(&format!(
            "the run is stored, but is not in the history: {why}; `tare history rebuild` adds it later"
        ));
    }
}

fn append(file: &mut HistoryFile, run: &Run) -> Result<(), Failure> {
    let (of_run, points) = history_of_run(run, &tare_analysis::analyse(run));
    file.append(&of_run, &points).map_err(Failure::History)
}

/// `tare history rebuild`.
pub fn rebuild(store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let path = path_of(store);
    let runs = store.list().map_err(Failure::Store)?;
    if runs.is_empty() && !path.exists() {
        console.note("no stored runs: start with `tare run`");
        return Ok(ExitCode::Ok);
    }
    // All of it is looked at: damage is often behind the first page, where only adding would find it.
    let whole = HistoryFile::open(&path).and_then(|file| file.check().map(|()| file));
    let mut file = match whole {
        Err(error) if error.is_damage() => {
            let aside = set_aside(&path).map_err(Failure::History)?;
            console.warn(&format!("{error}; it is now `{}`", aside.display()));
            HistoryFile::open(&path).map_err(Failure::History)?
        }
        opened => opened.map_err(Failure::History)?,
    };
    let (mut added, mut left_out, mut of_bisections) = (0, 0, 0);
    for info in runs.iter().rev() {
        if tare_process::interrupted() {
            return Err(Failure::Interrupted);
        }
        // Its benchmarks are called as its commits are: series of one value.
        if is_of_bisection(&info.command) {
            of_bisections += 1;
            continue;
        }
        if info.status != RunStatus::Finished {
            left_out += 1;
            continue;
        }
        let loaded = store.load(&RunRef::Prefix(info.id.clone()));
        console.store_notes(store);
        match loaded {
            Ok(run) => {
                append(&mut file, &run)?;
                added += 1;
            }
            // One that is damaged must not keep the others out.
            Err(error) => {
                console.warn(&format!("run `{}` is left out: {error}", info.id));
                left_out += 1;
            }
        }
    }
    let left_out = [(left_out, "not finished or not readable"), (of_bisections, "of bisections left out")];
    let without: String = left_out.iter().filter(|(n, _)| *n > 0).map(|(n, which)| format!(", {n} {which}")).collect();
    console.result(&format!("the history has {}{without}: {}\n", plural(added, "run"), path.display()))?;
    Ok(ExitCode::Ok)
}

/// Whether `tare bisect` made a run.
fn is_of_bisection(command: &[String]) -> bool {
    // Most runs are of other commands: their words need not be understood.
    if !command.iter().any(|word| word == "bisect") {
        return false;
    }
    let request = request::of_words(command);
    // Of another version: the command stands first but for flags.
    let words = request.given.iter().filter_map(|given| given.value.as_deref());
    let mut verbs = std::iter::once(request.verb.as_str()).chain(words).filter(|word| !word.starts_with('-'));
    verbs.next() == Some("bisect")
}

/// `tare history add`.
pub fn add(names: &[String], store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let mut runs = Vec::new();
    for name in names {
        let reference = store.reference(name).map_err(Failure::Store)?;
        let run = request::load(store, &reference)?;
        console.store_notes(store);
        if run.status != RunStatus::Finished {
            return Err(Failure::Usage {
                what: format!("run `{}` is not finished, so its values may still change", run.id),
                hint: format!("finish it first: `tare run --resume {}`", run.id),
            });
        }
        runs.push(run);
    }
    store.make().map_err(Failure::Store)?;
    let mut file = HistoryFile::open(&path_of(store)).map_err(Failure::History)?;
    let known = runs.iter().filter(|run| file.has(&run.id).unwrap_or(false)).count();
    for run in &runs {
        append(&mut file, run)?;
    }
    let again = if known > 0 { format!(", {known} of them again") } else { String::new() };
    console.result(&format!("added {} to the history{again}\n", plural(runs.len(), "run")))?;
    Ok(ExitCode::Ok)
}

/// `tare history prune`.
pub fn prune(keep: KeepText, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let Some(mut file) = HistoryFile::open_existing(&path_of(store)).map_err(Failure::History)? else {
        console.note("no history yet: nothing to remove");
        return Ok(ExitCode::Ok);
    };
    let keep = match keep {
        KeepText::Runs(runs) => Keep::Newest(runs),
        KeepText::Days(days) => Keep::Since(time::days_ago(days)),
    };
    let named: BTreeSet<String> =
        store.baselines().map_err(Failure::Store)?.into_values().map(|baseline| baseline.run).collect();
    let dropped = file.prune(&keep, &named).map_err(Failure::History)?;
    console.result(&format!("removed {} from the history; stored runs are kept\n", plural(dropped.len(), "run")))?;
    Ok(ExitCode::Ok)
}

#[cfg(test)]
mod tests {
    use super::is_of_bisection;

    #[test]
    fn runs_of_bisections_are_known_by_their_command() {
        let is = |command: &str| is_of_bisection(&command.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for of_one in ["tare bisect v1 HEAD", "tare --color always bisect v1 HEAD", "tare bisect --no-such-flag v1 v2"]
        {
            assert!(is(of_one), "{of_one}");
        }
        for other in ["tare run bisect", "tare compare bisect main", "tare run --no-such-flag bisect", "tare", "x"] {
            assert!(!is(other), "{other}");
        }
        assert!(!is_of_bisection(&[]));
    }
}
