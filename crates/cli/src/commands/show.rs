//! `tare show`: a stored run again. The same run and the same screen give what the live run printed, byte for byte.

use super::output;
use crate::args::ShowArgs;
use crate::config::Config;
use crate::console::Console;
use crate::failure::Failure;
use crate::{forms, gate};
use std::path::Path;
use tare_model::ExitCode;
use tare_report::Subject;
use tare_store::Store;

/// `tare show`.
pub fn show(args: &ShowArgs, console: &Console) -> Result<ExitCode, Failure> {
    let forms = forms::of(args.format.0, &args.output)?;
    let store = Store::find(Path::new(".")).map_err(Failure::Store)?;
    let reference = store.reference(&args.run).map_err(Failure::Store)?;
    let run = store.load(&reference).map_err(Failure::Store)?;
    console.store_notes(&store);
    // A run can be shown even if `tare.toml` is invalid.
    let config = if args.gate.fail_on.is_empty() { Config::default() } else { Config::find(Path::new("."))? };
    let gate = gate::gate_when_asked(&args.gate, &config);
    gate::check(&gate, run.plan.policy.minimum_effect, gate::Least::OfRun)?;
    let report = tare_analysis::analyse(&run);
    let shown = output::shown(Subject::of_run(&run, &report), true, &gate, console);
    output::show(&shown, &forms, console)?;
    Ok(output::say_judgement(&shown, console))
}
