//! `tare show`: a stored run again. The same run and the same screen give what the live run printed, byte for byte.

use super::output::{print, write, Shown, Subject};
use crate::args::{Format, ShowArgs};
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::{gate, request};
use std::path::Path;
use tare_model::ExitCode;
use tare_report::measurements_csv;
use tare_store::Store;

/// `tare show`.
pub fn show(args: &ShowArgs, console: &Console) -> Result<ExitCode, Failure> {
    let outputs = request::outputs(&args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let reference = store.reference(&args.run).map_err(Failure::Store)?;
    let run = store.load(&reference).map_err(Failure::Store)?;
    console.store_notes(&store);
    if args.measurements {
        console.result_pieces(measurements_csv(&run))?;
        return Ok(ExitCode::Ok);
    }
    // A broken `tare.toml` is no reason not to look at a run.
    let config = if args.gate.fail_on.is_empty() { Config::default() } else { Config::find(Path::new("."))? };
    let gate = gate::gate_when_asked(&args.gate, &config);
    gate::check(&gate, run.plan.policy.minimum_effect, gate::Least::OfRun)?;
    let report = tare_analysis::analyse(&run);
    let shown = Shown::new(Subject::of_run(&run, &report), true).judged(&gate);
    let format = match (args.md, args.csv, args.json) {
        (true, _, _) => Format::Md,
        (_, true, _) => Format::Csv,
        (_, _, true) => Format::Json,
        _ => Format::Table,
    };
    print(&shown, format, console)?;
    write(&shown, &outputs, console)?;
    Ok(shown.say_judgement(console))
}
