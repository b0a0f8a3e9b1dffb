//! `tare show`: a stored run again. The same run and the same screen give what the live run printed, byte for byte.

use super::output;
use crate::args::{OutliersArg, ShowArgs};
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::{forms, gate};
use std::path::Path;
use tare_analysis::{Order, Removal};
use tare_model::ExitCode;
use tare_report::{screen, Document, Subject};
use tare_store::{read_text, RunRef, Store};

/// `tare show`.
pub fn show(args: &ShowArgs, console: &Console) -> Result<ExitCode, Failure> {
    let forms = forms::of(args.format.0, &args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let reference = store.reference(&args.run).map_err(Failure::Store)?;
    if args.log {
        return log(&args.run, &reference, &store, console);
    }
    let run = store.load(&reference).map_err(Failure::Store)?;
    console.store_notes(&store);
    // A run can be shown even if `tare.toml` is invalid.
    let config = if args.gate.fail_on.is_empty() { Config::default() } else { Config::find(Path::new("."))? };
    let gate = gate::gate_when_asked(&args.gate, &config);
    gate::check(&gate, run.plan.policy.minimum_effect, gate::Least::OfRun)?;
    let order = args.order.order();
    if order != Order::Declared && tare_analysis::is_comparison(&run) {
        return Err(Failure::Usage {
            what: "`--order` has no effect on a comparison: its rows stand by their verdicts, the largest change first"
                .to_owned(),
            hint: "leave it out".to_owned(),
        });
    }
    let report = tare_analysis::analyse(&run).in_order(order);
    if let Some(outliers) = args.outliers {
        let removal = removal(outliers);
        let rows = tare_analysis::without_outliers(&run, removal);
        let document = Document::of_outliers(&report, &rows, removal, console.glyphs);
        console.data(&console.render(&screen(&document, &console.view(true))))?;
        return Ok(ExitCode::Ok);
    }
    if !args.statistics.is_empty() {
        let rows = tare_analysis::statistics(&run, &args.statistics);
        let document = Document::of_statistics(&report, &args.statistics, &rows, console.glyphs);
        console.data(&console.render(&screen(&document, &console.view(true))))?;
        return Ok(ExitCode::Ok);
    }
    let shown = output::shown(Subject::of_run(&run, &report), true, &gate, &forms, console);
    let is_drawn = output::show(&shown, &forms, console)?;
    Ok(match output::say_judgement(&shown, console) {
        // What was asked for could not be drawn.
        ExitCode::Ok if !is_drawn => ExitCode::NothingMatched,
        code => code,
    })
}

fn removal(outliers: OutliersArg) -> Removal {
    match outliers {
        OutliersArg::None => Removal::DontRemove,
        OutliersArg::Upper => Removal::RemoveUpper,
        OutliersArg::Lower => Removal::RemoveLower,
        OutliersArg::All => Removal::RemoveAll,
    }
}

/// The log of a run.
fn log(asked: &str, reference: &RunRef, store: &Store, console: &Console) -> Result<ExitCode, Failure> {
    let path = store.log(reference).map_err(Failure::Store)?.ok_or_else(|| Failure::Usage {
        what: format!("run `{asked}` has no log"),
        hint: "runs that were merged, and those of earlier versions, have none".to_owned(),
    })?;
    let text = read_text(&path).map_err(|source| Failure::CannotRead { path, source })?;
    console.result(&text)?;
    Ok(ExitCode::Ok)
}
