//! `tare merge`: combines runs of the same programs, for example of two machines or two nights.

use crate::args::MergeArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::output;
use crate::request;
use crate::time;
use std::path::Path;
use tare_analysis::gate::Gate;
use tare_analysis::is_comparison;
use tare_model::{ExitCode, MergeError, Run};
use tare_store::Store;

pub fn merge(args: &MergeArgs, console: &Console) -> Result<ExitCode, Failure> {
    let forms = output::asked(&args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let (mut merged, mut attachments): (Option<Run>, _) = (None, Vec::new());
    for name in &args.runs {
        let reference = store.reference(name).map_err(Failure::Store)?;
        let run = request::load(&store, &reference)?;
        attachments.push(store.attachments(&reference).map_err(Failure::Store)?);
        match &mut merged {
            None => merged = Some(run),
            Some(merged) => {
                // A mismatch between runs is reported before an unfinished run is.
                let verb = if is_comparison(&run) { "compare" } else { "run" };
                merged.merge(run).map_err(|error| not_merged(&args.runs[0], name, verb, &error))?
            }
        }
    }
    let Some(run) = merged else { return Ok(ExitCode::Ok) };
    // The result is a separate run; its sources are kept.
    let command = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut run = Run { id: store.fresh_id(), created: time::now(), command, ..run };
    let _hold = tare_process::hold_interrupts();
    for (name, reason) in store.keep(&mut run, &attachments).map_err(Failure::Store)? {
        console.warn(&format!("the attachment {name:?} could not be copied: {reason}"));
    }
    let report = tare_analysis::analyse(&run).in_order(args.order.order);
    let shown = output::shown(tare_report::of_run(&run, &report), true, &Gate::default(), &forms, console);
    output::show(&shown, &forms, console)?;
    Ok(ExitCode::Ok)
}

fn not_merged(first: &str, other: &str, verb: &str, error: &MergeError) -> Failure {
    let hint = match error {
        MergeError::NotFinished { id } => format!("finish it first: `tare {verb} --resume {id}`"),
        MergeError::Twice { .. } => "name each run once".to_owned(),
        MergeError::MayEndEarly => "measure with a fixed number of launches: `tare run --launches 8`".to_owned(),
        MergeError::Differ { .. } | MergeError::TwoResults { .. } => {
            format!("compare them instead: `tare compare {first} {other}`")
        }
    };
    Failure::Usage { what: format!("`{first}` and `{other}` cannot be merged: {error}"), hint }
}
