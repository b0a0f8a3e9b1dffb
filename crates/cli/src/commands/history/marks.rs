//! `tare history accept` and `tare history rename`: a user's statements about a history.

use super::{selected, Source};
use crate::args::{AcceptArgs, RenameArgs};
use crate::console::Console;
use crate::failure::{quoted_list, Failure};
use crate::history::Database;
use std::collections::BTreeSet;
use tare_analysis::history::{Accepted, History, HistoryOptions, Trend};
use tare_history::{HistoryDb, Machine, Renamed};
use tare_model::text::{nearest, plural};
use tare_model::ExitCode;
use tare_report::clean;
use tare_store::Store;

fn existing(place: &Database) -> Result<HistoryDb, Failure> {
    place.open_existing()?.ok_or_else(|| Failure::Usage {
        what: "there is no history yet".to_owned(),
        hint: "start one: `record = true` in the section `[history]` of `tare.toml`, then `tare run`".to_owned(),
    })
}

fn changes(trend: &Trend) -> usize {
    let steps = trend.steps.iter().filter(|step| !step.accepted).count();
    steps + usize::from(trend.creep.is_some_and(|creep| !creep.accepted))
}

pub fn accept(args: &AcceptArgs, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let place = Database::of(store)?;
    let history = existing(&place)?;
    if args.forget {
        return forget(args, history, &place, console);
    }
    let project = place.project.clone();
    let mut source = Source::new(history, place, store);
    let all = source.history.machines().map_err(Failure::History)?;
    let machines: Vec<Machine> = all.into_iter().filter(|machine| machine.project == project).collect();
    let mut accepted: Vec<Accepted> = Vec::new();
    let (mut names, mut count) = (BTreeSet::new(), 0);
    // A change of the code is accepted on all machines, up to the newest run on any of them.
    for machine in &machines {
        let found = source.read_of(machine, &args.cases, None)?;
        for trend in found.trends.iter().filter(|trend| changes(trend) > 0) {
            count += changes(trend);
            names.insert(clean(&trend.name));
            accepted.extend(of_trend(&found, trend, args.reason.as_deref().unwrap_or_default()));
        }
    }
    // Only the newest one counts.
    accepted.sort_by(|a, b| a.created.cmp(&b.created));
    if accepted.is_empty() {
        console.note("nothing to accept: no step and no creep that is not accepted");
        return Ok(ExitCode::Ok);
    }
    source.history.accept(&project, &accepted).map_err(Failure::History)?;
    let names: Vec<String> = names.into_iter().collect();
    console.result(&format!("accepted {} of {}\n", plural(count, "change"), quoted_list(&names)))?;
    Ok(ExitCode::Ok)
}

fn of_trend(history: &History, trend: &Trend, reason: &str) -> Option<Accepted> {
    let run = history.runs.last()?;
    Some(Accepted {
        key: trend.key.clone(),
        job: trend.job.clone(),
        run: run.run.clone(),
        created: run.created.clone(),
        reason: reason.to_owned(),
    })
}

fn forget(args: &AcceptArgs, mut history: HistoryDb, place: &Database, console: &Console) -> Result<ExitCode, Failure> {
    let cases = history.cases(&place.project).map_err(Failure::History)?;
    let ids = selected(&cases, &args.cases, &HistoryOptions::default())?;
    let mut count = 0;
    for case in cases.iter().filter(|case| ids.contains(&case.id)) {
        count += usize::from(history.forget_accepted(&place.project, &case.key, &case.job).map_err(Failure::History)?);
    }
    console.result(&format!("the changes of {} are no longer accepted\n", plural(count, "benchmark")))?;
    Ok(ExitCode::Ok)
}

pub fn rename(args: &RenameArgs, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let place = Database::of(store)?;
    let mut history = existing(&place)?;
    let Some(new) = &args.new else {
        let was_there = history.forget_rename(&place.project, &args.old).map_err(Failure::History)?;
        if !was_there {
            return Err(Failure::Usage {
                what: format!("`{}` was not renamed in the history", clean(&args.old)),
                hint: "name both to rename it: `tare history rename OLD NEW`".to_owned(),
            });
        }
        console.result(&format!("`{0}` is `{0}` again\n", clean(&args.old)))?;
        return Ok(ExitCode::Ok);
    };
    let cases = history.cases(&place.project).map_err(Failure::History)?;
    let has = |name: &str| cases.iter().any(|case| case.name == name || bare(&case.name) == name);
    if args.old == *new {
        return Err(Failure::Usage {
            what: "both names are the same".to_owned(),
            hint: "the name of before comes first: `tare history rename OLD NEW`".to_owned(),
        });
    }
    if !has(&args.old) {
        let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
        return Err(Failure::NothingMatched {
            selection: format!("`{}`", clean(&args.old)),
            of: cases.len(),
            nearest: nearest(&args.old, &names, 3),
            list: "tare history".to_owned(),
        });
    }
    if !has(new) {
        console.warn(&format!("the history has no `{}` yet: its next run joins both", clean(new)));
    }
    let renamed = Renamed { old: args.old.clone(), new: new.clone() };
    history.rename(&place.project, &[renamed]).map_err(Failure::History)?;
    console.result(&format!("`{}` is followed as `{}`\n", clean(&args.old), clean(new)))?;
    Ok(ExitCode::Ok)
}

fn bare(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}
