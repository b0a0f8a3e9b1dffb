//! `tare baseline`: names for runs.

use crate::args::{BaselineArgs, BaselineVerb};
use crate::console::Console;
use crate::failure::Failure;
use crate::sides::is_revision;
use crate::time;
use serde::Serialize;
use std::path::Path;
use tare_model::ExitCode;
use tare_report::{clean, Line, Role};
use tare_store::{is_baseline_name, Baseline, Store};

/// `tare baseline`.
pub fn baseline(args: &BaselineArgs, console: &Console) -> Result<ExitCode, Failure> {
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    match &args.verb {
        BaselineVerb::Set { name, run } => set(&store, name, run, console),
        BaselineVerb::List { json } => list(&store, *json, console),
        BaselineVerb::Remove { name } => remove(&store, name, console),
    }
}

fn set(store: &Store, name: &str, run: &str, console: &Console) -> Result<ExitCode, Failure> {
    if !is_baseline_name(name) {
        return Err(Failure::Usage {
            what: format!("`{}` is not a valid baseline name", clean(name)),
            hint:
                "use letters, digits, `.`, `_` and `-`, but not a name that looks like a run id: `tare baseline set release-1`"
                    .to_owned(),
        });
    }
    let reference = store.reference(run).map_err(Failure::Store)?;
    let run = store.load(&reference).map_err(Failure::Store)?;
    console.store_notes(store);
    let before = store.baselines().map_err(Failure::Store)?.remove(name);
    store.set_baseline(name, Baseline { run: run.id.clone(), set: time::now() }).map_err(Failure::Store)?;
    let moved = match before {
        Some(before) if before.run != run.id => format!(", no longer {}", before.run),
        _ => String::new(),
    };
    if is_revision(name) {
        console.warn(&format!(
            "`{name}` is also a git revision, so `tare compare` needs `run:{name}` for the baseline; a unique name, such as `release-1`, avoids this"
        ));
    }
    console.result(&format!("{name} is run {}{moved}\n", run.id))?;
    Ok(ExitCode::Ok)
}

/// The list for programs.
#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    baselines: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    run: &'a str,
    set: &'a str,
}

fn list(store: &Store, json: bool, console: &Console) -> Result<ExitCode, Failure> {
    let all = store.baselines().map_err(Failure::Store)?;
    let entries: Vec<Entry> = all.iter().map(|(name, b)| Entry { name, run: &b.run, set: &b.set }).collect();
    if json {
        let document = Document { format: "tare-baselines", version: "1.0", baselines: entries };
        let text = serde_json::to_string_pretty(&document).expect("a list is plain data") + "\n";
        return console.data(&text).map(|()| ExitCode::Ok);
    }
    if entries.is_empty() {
        console.note("no baselines yet: `tare baseline set NAME` names the last run");
        return Ok(ExitCode::Ok);
    }
    let width = entries.iter().map(|e| tare_report::width(e.name)).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let mut line = Line::of(Role::Plain, clean(entry.name));
        line.pad_to(width + 2);
        line.with(Role::Command, clean(entry.run)).with(Role::Quiet, format!("  {}", clean(entry.set)))
    };
    let mut lines: Vec<Line> = entries.iter().map(line).collect();
    let next = format!("tare compare {} latest", entries[0].name);
    lines.push(Line::of(Role::Quiet, "next: ").with(Role::Command, next));
    console.result(&console.render(&lines))?;
    Ok(ExitCode::Ok)
}

fn remove(store: &Store, name: &str, console: &Console) -> Result<ExitCode, Failure> {
    if store.remove_baseline(name).map_err(Failure::Store)? {
        console.result(&format!("removed baseline {}; its run is kept\n", clean(name)))?;
        return Ok(ExitCode::Ok);
    }
    let names: Vec<String> = store.baselines().map_err(Failure::Store)?.into_keys().collect();
    let hint = match tare_model::text::nearest(name, &names, 1).as_slice() {
        [] => "list the names with `tare baseline list`".to_owned(),
        [near, ..] => format!("did you mean `{near}`?"),
    };
    Err(Failure::Usage { what: format!("no baseline `{}`", clean(name)), hint })
}
