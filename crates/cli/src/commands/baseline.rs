//! `tare baseline`: names for runs.

use crate::args::{BaselineArgs, BaselineVerb};
use crate::console::Console;
use crate::failure::Failure;
use crate::sides::is_revision;
use crate::time;
use serde_json::{json, Value};
use std::path::Path;
use tare_model::ExitCode;
use tare_report::{clean, Line, Role};
use tare_store::{is_baseline_name, Baseline, Store};

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

fn list(store: &Store, json: bool, console: &Console) -> Result<ExitCode, Failure> {
    let all = store.baselines().map_err(Failure::Store)?;
    if json {
        let entry =
            |(name, baseline): (&String, &Baseline)| json!({ "name": name, "run": baseline.run, "set": baseline.set });
        let entries: Vec<Value> = all.iter().map(entry).collect();
        let document = json!({ "format": "tare-baselines", "version": "1.0", "baselines": entries });
        return console.data(&format!("{document:#}\n")).map(|()| ExitCode::Ok);
    }
    let Some((first, _)) = all.first_key_value() else {
        console.note("no baselines yet: `tare baseline set NAME` names the last run");
        return Ok(ExitCode::Ok);
    };
    let width = all.keys().map(|name| tare_report::width(name)).max().unwrap_or(0);
    let line = |(name, baseline): (&String, &Baseline)| {
        let mut line = Line::of(Role::Plain, clean(name));
        line.pad_to(width + 2);
        line.with(Role::Command, clean(&baseline.run)).with(Role::Quiet, format!("  {}", clean(&baseline.set)))
    };
    let mut lines: Vec<Line> = all.iter().map(line).collect();
    let next = format!("tare compare {first} latest");
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
