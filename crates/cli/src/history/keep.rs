//! Adds runs to a history as they finish, adds all again, and removes old ones.

use super::place::Database;
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
use tare_history::{set_aside, HistoryDb, Keep, Renamed};
use tare_model::text::plural;
use tare_model::{CommandLine, ExitCode, Run, RunStatus};
use tare_store::{RunInfo, RunRef, Store};

/// Adds a finished run if the project keeps a history. Errors are only warnings: the run itself is stored.
pub fn record(done: &Done, report: &Report, request: &CommandLine, console: &Console) {
    let wanted = request.project.contains_key(request::RECORD) && !request::is_of_profile(request);
    if !wanted || !done.saved || done.run.status != RunStatus::Finished {
        return;
    }
    let added = Store::find(Path::new(".")).map_err(Failure::Store).and_then(|store| {
        let place = Database::of(&store)?;
        let mut history = place.open(&store)?;
        append(&mut history, &place, &done.run, report)?;
        // Renames are stored too, because they are needed as long as the old names are in the history.
        let renames = [place.renames, renames_of(request)].concat();
        history.rename(&place.project, &renames).map_err(Failure::History)
    });
    if let Err(failure) = added {
        let why = failure.what();
        let later = match &failure {
            Failure::History(error) if error.is_damage() => "`tare history rebuild` makes it again",
            _ => "`tare history push` adds it later",
        };
        console.warn(&format!("the run is stored, but is not in the history: {why}; {later}"));
    }
}

/// The `--rename OLD=NEW` values that can be split in only one way.
fn renames_of(request: &CommandLine) -> Vec<Renamed> {
    let given = request.given.iter().filter(|given| given.flag == "--rename");
    let pairs = given.filter_map(|given| given.value.as_deref()?.split_once('='));
    let pairs = pairs.filter(|(_, new)| !new.contains('='));
    pairs.map(|(old, new)| Renamed { old: old.to_owned(), new: new.to_owned() }).collect()
}

fn append(history: &mut HistoryDb, place: &Database, run: &Run, report: &Report) -> Result<(), Failure> {
    let (mut of_run, points) = history_of_run(run, report);
    of_run.project.clone_from(&place.project);
    history.append(&of_run, &points).map_err(Failure::History)
}

pub fn rebuild(store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let place = Database::of(store)?;
    let runs = store.list().map_err(Failure::Store)?;
    if runs.is_empty() && place.file().is_some_and(|file| !file.exists()) {
        console.note("no stored runs: start with `tare run`");
        return Ok(ExitCode::Ok);
    }
    // Checks the whole file: damage is often behind the first page, where only adding would find it.
    let whole = place.open(store).and_then(|mut history| history.check().map(|()| history).map_err(Failure::History));
    let mut history = match (whole, place.file()) {
        (Err(Failure::History(error)), Some(file)) if error.is_damage() => {
            let aside = set_aside(file).map_err(Failure::History)?;
            console.warn(&format!("{error}; it is now `{}`", aside.display()));
            place.open(store)?
        }
        (opened, _) => opened?,
    };
    let (added, without) = add_stored(&mut history, &place, &runs, store, console)?;
    console.result(&format!("the history has {}{without}: {}\n", plural(added, "run"), place.shown()))?;
    Ok(ExitCode::Ok)
}

pub fn push(store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let place = Database::of(store)?;
    let mut history = place.open(store)?;
    let (mut new, mut known) = (Vec::new(), 0);
    for info in store.list().map_err(Failure::Store)? {
        match history.has(&info.id, &info.created).map_err(Failure::History)? {
            true => known += 1,
            false => new.push(info),
        }
    }
    let (added, without) = add_stored(&mut history, &place, &new, store, console)?;
    history.rename(&place.project, &place.renames).map_err(Failure::History)?;
    let known = if known > 0 { format!(", {known} there already") } else { String::new() };
    console.result(&format!("added {}{known}{without}: {}\n", plural(added, "run"), place.shown()))?;
    Ok(ExitCode::Ok)
}

/// Adds stored runs, given newest first; returns how many, and a text about those left out.
fn add_stored(
    history: &mut HistoryDb,
    place: &Database,
    runs: &[RunInfo],
    store: &Store,
    console: &Console,
) -> Result<(usize, String), Failure> {
    let (mut added, mut left_out, mut aside) = (0, 0, 0);
    for info in runs.iter().rev() {
        if tare_process::interrupted() {
            return Err(Failure::Interrupted);
        }
        if is_aside(&info.command) {
            aside += 1;
            continue;
        }
        if info.status != RunStatus::Finished {
            left_out += 1;
            continue;
        }
        match store.load(&RunRef::Prefix(info.id.clone())) {
            Ok(run) => {
                append(history, place, &run, &tare_analysis::analyse(&run))?;
                added += 1;
            }
            // A damaged run must not keep the others out.
            Err(error) => {
                console.warn(&format!("run `{}` is left out: {error}", info.id));
                left_out += 1;
            }
        }
    }
    let left_out = [(left_out, "not finished or not readable"), (aside, "of bisections and profiles left out")];
    let without: String = left_out.iter().filter(|(n, _)| *n > 0).map(|(n, which)| format!(", {n} {which}")).collect();
    Ok((added, without))
}

/// Whether a run is not part of a history: one of a bisection, whose benchmarks are named after commits, or one of a profile, whose times
/// are quick.
fn is_aside(command: &[String]) -> bool {
    // Avoids parsing the command lines of most runs.
    if !command.iter().any(|word| ["bisect", "profile"].contains(&word.as_str())) {
        return false;
    }
    let request = request::of_words(command);
    request.verb == "bisect" || request::is_of_profile(&request)
}

pub fn add(names: &[String], store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let mut runs = Vec::new();
    for name in names {
        let reference = store.reference(name).map_err(Failure::Store)?;
        let run = request::load(store, &reference)?;
        if run.status != RunStatus::Finished {
            return Err(Failure::Usage {
                what: format!("run `{}` is not finished, so its values may still change", run.id),
                hint: format!("finish it first: `tare run --resume {}`", run.id),
            });
        }
        runs.push(run);
    }
    let place = Database::of(store)?;
    let mut history = place.open(store)?;
    let known = runs.iter().filter(|run| history.has(&run.id, &run.created).unwrap_or(false)).count();
    for run in &runs {
        append(&mut history, &place, run, &tare_analysis::analyse(run))?;
    }
    let again = if known > 0 { format!(", {known} of them again") } else { String::new() };
    console.result(&format!("added {} to the history{again}\n", plural(runs.len(), "run")))?;
    Ok(ExitCode::Ok)
}

pub fn prune(keep: KeepText, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let place = Database::of(store)?;
    let Some(mut history) = place.open_existing()? else {
        console.note("no history yet: nothing to remove");
        return Ok(ExitCode::Ok);
    };
    let keep = match keep {
        KeepText::Runs(runs) => Keep::Newest(runs),
        KeepText::Days(days) => Keep::Since(time::days_ago(days)),
    };
    let named: BTreeSet<String> =
        store.baselines().map_err(Failure::Store)?.into_values().map(|baseline| baseline.run).collect();
    let dropped = history.prune(&place.project, &keep, &named).map_err(Failure::History)?;
    console.result(&format!("removed {} from the history; stored runs are kept\n", plural(dropped.len(), "run")))?;
    Ok(ExitCode::Ok)
}

#[cfg(test)]
mod tests {
    use super::is_aside;

    #[test]
    fn runs_of_bisections_and_profiles_are_known_by_their_command() {
        let is = |command: &str| is_aside(&command.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for of_one in [
            "tare bisect v1 HEAD",
            "tare --color always bisect v1 HEAD",
            "tare bisect --no-such-flag v1 v2",
            "tare run . --quick --diagnose profile",
        ] {
            assert!(is(of_one), "{of_one}");
        }
        for other in [
            "tare run profile",
            "tare run . --diagnose profile",
            "tare run bisect",
            "tare compare bisect main",
            "tare run --no-such-flag bisect",
            "tare",
            "x",
        ] {
            assert!(!is(other), "{other}");
        }
        assert!(!is_aside(&[]));
    }
}
